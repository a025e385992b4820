import { readFileSync } from 'node:fs';

/** The shorter of the examples, as it is: the one that a reader sees is the one that is tested. */
export const example = (): string =>
  `\`\`\`ts\n${readFileSync(new URL('../../examples/openai.ts', import.meta.url), 'utf8')}\`\`\``;
