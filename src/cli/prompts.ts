import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { limits } from '../core/limits.ts';
import type { Machine } from '../core/machine.ts';
import { contract } from '../domains/index.ts';
import { toolsPulling } from '../engine/next.ts';
import type { Prompt } from '../mcp/prompts.ts';

const head = z.strictObject({
  name: z.string().regex(/^[a-z_]{1,40}$/),
  title: z.string(),
  description: z.string(),
  toolset: z.string(),
  arguments: z.record(z.string().regex(/^[a-z_]{1,20}$/), z.string()).default({}),
});

/** The text of a prompt from its file: front matter, and `{{limits.…}}` and `{{machines.…}}`, which the code fills in. */
export function promptIn(file: string): Prompt {
  const [, front = '', body = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(file) ?? [];
  const text = body.trim().replace(/\{\{(\w+)\.(\w+)\}\}/g, (_, kind: string, name: string) => filled(kind, name));
  return { ...head.parse(parse(front)), text };
}

function filled(kind: string, name: string): string {
  const number = kind === 'limits' ? new Map<string, number>(Object.entries(limits)).get(name) : undefined;
  const machine = kind === 'machines' ? machines.get(name) : undefined;
  if (number !== undefined) return String(number);
  if (machine !== undefined) return statesOf(machine);
  throw new Error(`A prompt asks for {{${kind}.${name}}}, and there is none.`);
}

const machines = new Map(
  Object.values(contract).flatMap(({ moves }) => (moves === undefined ? [] : [[moves.machine.name, moves.machine]])),
);

/** A line a state: the tools that are possible in it, and what may happen in it by others. */
function statesOf(machine: Machine): string {
  const rows = [...machine.rows, ...machine.assumed];
  const states = machine.states.filter((state) => state !== 'none');
  return states
    .map((state) => {
      const triggers = [...new Set(rows.filter(([from]) => from === state).map(([, trigger]) => trigger))];
      const tools = toolsPulling(machine, triggers).map((name) => `\`${name}\``);
      const others = triggers.flatMap((trigger) => {
        const actor = machine.actors[trigger];
        return actor === undefined ? [] : [`${trigger} (the ${actor})`];
      });
      return `- ${state}: ${[...tools, ...others].join(', ') || 'nothing; it is final'}`;
    })
    .join('\n');
}

const folder = new URL('../../prompts/', import.meta.url);

/** Every prompt, by its file's name. A build puts the result in the place of this file, which costs too much at a start. */
export const prompts: readonly Prompt[] = readdirSync(folder)
  .filter((name) => name.endsWith('.md'))
  .toSorted()
  .map((name) => promptIn(readFileSync(new URL(name, folder), 'utf8')));
