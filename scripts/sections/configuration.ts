import { ownVariables, variables } from '../../src/cli/environment.ts';
import { fileSchema } from '../../src/cli/file.ts';
import { boundNames, boundsOf, isMandated } from '../../src/engine/terms.ts';
import { everyTool } from '../../tools/index.ts';
import { code, table } from './markdown.ts';

/** The environment variables. */
export const variableTable = (): string =>
  [
    table(
      ['Variable', 'What it sets'],
      Object.entries(variables).map(([name, meaning]) => [code(name), meaning]),
    ),
    '',
    'Scripts of the project itself use these, which set nothing:',
    '',
    table(
      ['Variable', 'What it is'],
      Object.entries(ownVariables).map(([name, meaning]) => [code(name), meaning]),
    ),
  ].join('\n');

/** Every setting of `purser.config.yaml`. */
export function settingTable(): string {
  return table(['Setting', 'Value', 'What it is'], settings(fileSchema() as Node, ''));
}

/** Which terms of limits and mandates apply to which tool. A tool that is not listed only looks, and has none. */
export const termTable = (): string =>
  table(
    ['Tool', ...boundNames.map(code), 'mandates'],
    everyTool
      .filter((tool) => boundsOf(tool).length > 0)
      .map((tool) => [
        code(tool.name),
        ...boundNames.map((name) => (boundsOf(tool).includes(name) ? 'yes' : '')),
        isMandated(tool) ? 'yes' : '',
      ]),
  );

/** The schema of `purser.config.yaml`, for editors. */
export const configurationSchema = (): string => `${JSON.stringify(fileSchema(), null, 2)}\n`;

/** A JSON Schema, as far as the configuration uses it. */
interface Node {
  readonly type?: string;
  readonly description?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly additionalProperties?: Node | boolean;
  readonly required?: readonly string[];
}

function settings(node: Node, at: string): readonly (readonly string[])[] {
  return Object.entries(node.properties ?? {}).flatMap(([name, child]) => {
    const path = at === '' ? name : `${at}.${name}`;
    const needed = at !== '' && node.required?.includes(name) === true ? ', required' : '';
    if (child.properties !== undefined) return settings(child, path);
    const own = [code(path), `${typeOf(child)}${needed}`, child.description ?? ''];
    return child.items?.properties === undefined ? [own] : [own, ...settings(child.items, `${path}[]`)];
  });
}

function typeOf({ type, format, enum: words, items, additionalProperties }: Node): string {
  if (words !== undefined) return words.map(code).join(', ');
  if (items !== undefined) return `list of ${items.properties === undefined ? typeOf(items) : 'entries'}`;
  if (typeof additionalProperties === 'object') return `${typeOf(additionalProperties)} by id`;
  return { uri: 'address', 'date-time': 'date and time' }[format ?? ''] ?? type ?? '';
}
