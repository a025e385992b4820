/** A sentence of the policy and the rules that it explains. */
export interface Sentence {
  readonly text: string;
  readonly rules: readonly string[];
}

const named = / ?\(([A-Z]{2}-\d{2}(?:, [A-Z]{2}-\d{2})*)\)/g;

/** The sentences below the policy's headings. Text before the first heading is an introduction. */
export const sentencesOf = (policy: string): readonly Sentence[] =>
  policy
    .split(/^## .*$/m)
    .slice(1)
    .flatMap((part) =>
      part
        .replace(/\s+/g, ' ')
        .trim()
        .split(/(?<=[.!?]) (?=[A-Z])/),
    )
    .filter((text) => text !== '')
    .map((text) => ({
      text: text.replace(named, ''),
      rules: [...text.matchAll(named)].flatMap(([, ids = '']) => ids.split(', ')),
    }));
