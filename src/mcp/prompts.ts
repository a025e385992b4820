import type { McpServer, StandardSchemaWithJSON } from '@modelcontextprotocol/server';

/** A brief for a whole piece of work, as a host offers it to its user. Plain data, so that a build can work it out beforehand. */
export interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Whose tools it speaks of: without them it is not offered. */
  readonly toolset: string;
  /** What its user may say beforehand, and what each is. */
  readonly arguments: { readonly [name: string]: string };
  readonly text: string;
}

/** Characters of an argument. Own choice. */
const mostCharacters = 255;

/** Offers a prompt: its text, and below it what the user has said. */
export function registerPrompt(server: McpServer, prompt: Prompt): void {
  const { name, title, description } = prompt;
  server.registerPrompt(name, { title, description, argsSchema: schemaOf(prompt) }, (given) => ({
    description,
    messages: [{ role: 'user', content: { type: 'text', text: textOf(prompt, given) } }],
  }));
}

/** What nobody sees: controls but line breaks, which are written as such, directions and zero widths. */
const unseen = /(?!\n)\p{Cc}|[\p{Cf}\p{Zl}\p{Zp}]/gu;

type Given = { readonly [name: string]: string };

function textOf({ text, arguments: known }: Prompt, given: Given): string {
  const said = Object.keys(known).flatMap((name) => {
    const value = given[name]?.replace(unseen, '').trim() ?? '';
    return value === '' ? [] : [`- ${name}: ${JSON.stringify(value)}`];
  });
  return said.length === 0 ? text : [text, '', 'What is known already:', '', ...said].join('\n');
}

function schemaOf({ arguments: known }: Prompt): StandardSchemaWithJSON<Given, Given> {
  const properties = Object.fromEntries(
    Object.entries(known).map(([name, about]) => [
      name,
      { type: 'string', description: about, maxLength: mostCharacters },
    ]),
  );
  const json = { type: 'object', properties, additionalProperties: false };
  return {
    '~standard': {
      version: 1,
      vendor: 'purser',
      validate: async (value) => {
        const given = Object.entries((value ?? {}) as { readonly [name: string]: unknown }); // an object by the protocol
        const wrong = given.find(
          ([name, one]) => !Object.hasOwn(known, name) || typeof one !== 'string' || one.length > mostCharacters,
        );
        const { oneLine, screenInput: scan } = await import('../engine/input-screening.ts'); // most processes are never asked for a prompt
        const message =
          wrong !== undefined
            ? `Known arguments are ${Object.keys(known).join(', ')}: text of at most ${mostCharacters} characters.`
            : scan(Object.fromEntries(given.map(([name, one]) => [name, oneLine(String(one))]))) !== undefined
              ? 'An argument looks like card data.'
              : undefined;
        return message === undefined ? { value: value as Given } : { issues: [{ message }] };
      },
      jsonSchema: { input: () => json, output: () => json },
    },
  };
}
