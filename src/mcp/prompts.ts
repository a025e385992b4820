import type { McpServer, StandardSchemaWithJSON } from '@modelcontextprotocol/server';

/** A prompt for a whole task, which a host offers to its user. Plain data, so the build can compute it. */
export interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The toolset it needs; it is offered only with it, and with every tool that its text names. */
  readonly toolset: string;
  /** Further toolsets it needs. */
  readonly also?: readonly string[] | undefined;
  /** The optional arguments and their descriptions. */
  readonly arguments: { readonly [name: string]: string };
  readonly text: string;
}

/** Characters of an argument. Own choice. */
export const mostCharacters = 255;

/** Whether every tool that a prompt names is listed, and one of each of its toolsets. */
export const isOffered = (
  { toolset, also = [], text }: Prompt,
  listed: readonly { readonly name: string; readonly toolset?: string | undefined }[],
): boolean =>
  [toolset, ...also].every((one) => listed.some((tool) => tool.toolset === one)) &&
  [...text.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].every(([, name]) => listed.some((tool) => tool.name === name));

/** Registers a prompt: its text, followed by the user's arguments. */
export function registerPrompt(server: McpServer, prompt: Prompt): void {
  const { name, title, description } = prompt;
  server.registerPrompt(name, { title, description, argsSchema: schemaOf(prompt) }, (given) => ({
    description,
    messages: [{ role: 'user', content: { type: 'text', text: textOf(prompt, given) } }],
  }));
}

/** Invisible characters: controls except line breaks, bidirectional marks, zero widths. */
const unseen = /(?!\n)\p{Cc}|[\p{Cf}\p{Zl}\p{Zp}]/gu;

type Given = { readonly [name: string]: string };

function textOf({ text, arguments: known }: Prompt, given: Given): string {
  const said = Object.keys(known).flatMap((name) => {
    const value =
      given[name]
        ?.replace(/[\t\r]/g, ' ')
        .replace(unseen, '')
        .trim() ?? '';
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
        const { oneLine, screenInput: scan } = await import('../engine/input-screening.ts'); // loaded on demand, because most processes never serve a prompt
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
