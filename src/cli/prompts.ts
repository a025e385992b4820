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
  also: z.array(z.string()).optional(),
  arguments: z.record(z.string().regex(/^[a-z_]{1,20}$/), z.string()).default({}),
});

/** A prompt from its file: front matter, and `{{limits.…}}` and `{{machines.…}}` placeholders. */
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
  throw new Error(`A prompt uses the unknown placeholder {{${kind}.${name}}}.`);
}

const machines = new Map(
  Object.values(contract).flatMap(({ moves }) => (moves === undefined ? [] : [[moves.machine.name, moves.machine]])),
);

/** One line per state: the tools allowed in it, and the events that others cause. */
function statesOf(machine: Machine): string {
  const rows = [...machine.rows, ...machine.assumed];
  return machine.existing
    .map((state) => {
      const triggers = [...new Set(rows.filter(([from]) => from === state).map(([, trigger]) => trigger))];
      const tools = toolsPulling(machine, triggers).map((name) => `\`${name}\``);
      const others = triggers.flatMap((trigger) => {
        const actor = machine.actors[trigger];
        return actor === undefined ? [] : [`${trigger} (the ${actor})`];
      });
      return `- ${state}: ${[...tools, ...others].join(', ') || 'final state'}`;
    })
    .join('\n');
}

const folder = new URL('../../prompts/', import.meta.url);

/**
 * Every prompt, named after its file. The build replaces this file with the result, which takes too long to compute at
 * a start.
 */
export const prompts: readonly Prompt[] = readdirSync(folder)
  .filter((name) => name.endsWith('.md'))
  .toSorted()
  .map((name) => promptIn(readFileSync(new URL(name, folder), 'utf8')));
