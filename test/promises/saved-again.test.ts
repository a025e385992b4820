import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Kind } from '../../src/domains/facts.ts';
import { kindTable } from '../../src/domains/index.ts';
import { operationOf, type PlatformTool } from '../../src/engine/tool.ts';
import { tools } from '../../tools/index.ts';
import { planned, subscribed } from '../engine/billing.ts';
import { billed } from '../engine/invoicing.ts';
import { subscribedReport } from '../engine/reporting.ts';
import { type World, world } from '../engine/support.ts';

// What a look at a thing shows, the tool that changes or replaces the thing takes: in the same words, under the same names.

const platformTools = tools.filter((tool): tool is PlatformTool => tool.kind === 'platform');

interface Changer {
  readonly tool: PlatformTool;
  readonly kind: Kind;
  /** The tool that shows the thing, and the argument by which it does. */
  readonly shows: PlatformTool;
  readonly by: string;
  /** The arguments that have the name of something that is shown. */
  readonly shared: readonly string[];
}

const shown = (tool: PlatformTool) => tool.outputSchema.shape;

/** The tools that change a thing or replace it, with the one that shows it. */
const changers: readonly Changer[] = platformTools.flatMap((tool) => {
  const kind = tool.observe.moves?.kind;
  const args = Object.entries(tool.input.args);
  if (kind === undefined || operationOf(tool).effect === 'read') return [];
  if (!args.some(([, arg]) => arg.kind === kind || arg.mayMatch?.kind === kind)) return [];
  const shows = platformTools.find(({ name }) => name === kindTable[kind].shownBy);
  if (shows === undefined) return [];
  const [by = ''] = Object.entries(shows.input.args).find(([, arg]) => arg.kind === kind) ?? [];
  // A reference is that of the call, and not of the thing.
  const shared = args.filter(([name, arg]) => arg.kind === undefined && name !== 'reference' && name in shown(shows));
  return shared.length === 0 ? [] : [{ tool, kind, shows, by, shared: shared.map(([name]) => name) }];
});

/** Ways to make a thing that, between them, have every word that can be chosen. */
const made: { readonly [K in Kind]?: (tool: PlatformTool) => readonly ((it: World) => Promise<string>)[] } = {
  plan: () => [planned, (it) => planned(it, { every: 2, unit: 'week', payments: 3 })],
  subscription: () => [subscribed, (it) => subscribed(it, { payments: 3 })],
  invoice: () => [
    billed,
    (it) =>
      billed(it, {
        ...{ expires: '2026-04-01' },
        lines: [{ sku: 'L-1', name: 'Lamp', price: '20.00', quantity: 2, total: '40.00' }],
      }),
  ],
  reportSubscription: ({ input }) =>
    wordsOf(input.args.frequency?.schema).flatMap((frequency) =>
      wordsOf(input.args.format?.schema).flatMap((format) =>
        [undefined, ...wordsOf(input.args.names?.schema)].map((names) => (it: World) => {
          const day = frequency === 'weekly' || frequency === 'monthly' ? { day: 2 } : {};
          const when = frequency === 'user_defined' ? { interval: 'PT6H', time: undefined } : day;
          const filters = [{ field: 'Application.Name', values: ['ics_bill'] }];
          const more = { filters, signed: true, group: 'EU' };
          return subscribedReport(it, { ...more, ...when, frequency, format, names });
        }),
      ),
    ),
};

const wordsOf = (schema: z.ZodType | undefined): readonly unknown[] => {
  const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  return inner instanceof z.ZodEnum ? inner.options : [];
};

it('there is a way to make every kind of thing that is changed', () => {
  expect(Object.keys(made)).toEqual(expect.arrayContaining(changers.map(({ kind }) => kind)));
  expect(changers.length).toBeGreaterThan(3);
});

describe.each(changers.map((one) => [one.tool.name, one] as const))('%s', (_, { tool, kind, shows, by, shared }) => {
  it(`takes every value that ${shows.name} shows`, async () => {
    const seen = new Set<string>();
    const refused: unknown[] = [];
    for (const make of made[kind]?.(tool) ?? []) {
      const it = await world();
      const { outcome, data } = await it.call(shows.name, { [by]: await make(it) });
      expect(outcome).toBe('done');
      for (const name of shared.filter((name) => data[name] !== undefined)) {
        seen.add(name);
        const { success, error } = tool.input.args[name]?.schema.safeParse(data[name]) ?? {};
        if (success !== true) refused.push([name, data[name], error?.message]);
      }
    }
    expect(refused).toEqual([]);
    expect(seen.size).toBeGreaterThan(0);
  });
});
