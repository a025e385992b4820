/** JSON in which every value that fits into a line is one line, and a list of words fills its lines. */
export function compact(value: unknown, indent = ''): string {
  const line = JSON.stringify(value, null, 1)?.replace(/\n\s*/g, ' ') ?? 'undefined';
  if (line.length + indent.length <= 116 || typeof value !== 'object' || value === null) return line;
  const deeper = `${indent}  `;
  if (Array.isArray(value) && value.every((it) => typeof it === 'string'))
    return `[${filled(value, deeper)}\n${indent}]`;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const written = members.map(([key, member]) => {
    const name = Array.isArray(value) ? '' : `${JSON.stringify(key)}: `;
    return `${deeper}${name}${compact(member, deeper)}`;
  });
  return `${open}\n${written.join(',\n')}\n${indent}${close}`;
}

/** Words, as many to a line as fit. */
const filled = (words: readonly string[], indent: string): string =>
  words.reduce(
    ({ text, room }, word, at) => {
      const written = `${JSON.stringify(word)}${at === words.length - 1 ? '' : ','}`;
      const fits = written.length + 1 <= room;
      return {
        text: fits ? `${text} ${written}` : `${text}\n${indent}${written}`,
        room: (fits ? room - 1 : 116 - indent.length) - written.length,
      };
    },
    { text: '', room: 0 },
  ).text;
