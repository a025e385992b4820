/** A table; what would break a cell is escaped. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), `|${head.map(() => ' --- |').join('')}`, ...rows.map(line)].join('\n');
}

export const code = (text: string): string => `\`${text}\``;

export const fenced = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;

const cell = (text: string): string =>
  text
    .replaceAll('|', '\\|')
    .replace(/\s*\n\s*/g, ' ')
    .trim();

/** The sentence that belongs to each name. Throws where a name has none, or a sentence has no name, and says where they stand. */
export function paired(
  where: string,
  names: readonly string[],
  sentences: Readonly<Record<string, string>>,
): readonly (readonly [name: string, sentence: string])[] {
  const missing = names.filter((name) => sentences[name] === undefined);
  const strangers = Object.keys(sentences).filter((name) => !names.includes(name));
  if (missing.length + strangers.length > 0)
    throw new Error(
      `The sentences of ${where} and the code differ: ${[...missing.map((name) => `${name} has none`), ...strangers.map((name) => `there is no ${name}`)].join(', ')}.`,
    );
  return names.map((name) => [name, sentences[name] ?? '']);
}
