import type { Facts, Things } from '../../../src/domains/facts.ts';
import type { SentRequest } from '../../../src/engine/sent-request.ts';
import type { PlatformTool } from '../../../src/engine/tool.ts';
import { sandboxSeed } from '../../../src/sandbox/seed.ts';
import { everyTool } from '../../../tools/index.ts';
import type { Lines } from './lines.ts';
import { bodies, iso, start } from './thing-bodies.ts';

// What each tool makes of facts, by how much is known of its thing: nothing, as much as every thing has, or all that one can have.

/** How much is known of each thing. */
export const amounts = ['nothing', 'little', 'all'] as const;
export type Known = (typeof amounts)[number];

export const thingsOf = (known: Known): Things =>
  known === 'nothing'
    ? {}
    : (Object.fromEntries(
        Object.entries(bodies).map(([kind, [always, more]]) => [
          kind,
          {
            ...{ handle: `${kind}_one`, kind, owner: 'shopper_one', state: 'ACTIVE', createdAt: start },
            body: known === 'all' ? { ...always, ...more } : always,
          },
        ]),
      ) as unknown as Things); // the bodies have the shapes of their kinds

const sum = { amount: '12.5', currency: 'GBP' };
/** Arguments as any tool has them, less those that name things. */
export const args = {
  ...{ reference: 'order-1', description: 'Headphones', name: 'Tea', amount: '12.5', currency: 'GBP', limit: sum },
  ...{
    price: sum,
    sum,
    until: '2026-01-15T12:00:00Z',
    payments: 6,
    every: 'month',
    unit: 'month',
    how: 'draft',
    apply_to: 'ALL',
  },
  ...{ organization: 'shop', definition: 'TransactionRequestClass' },
};

export const factsOf = (known: Known, given: Facts['args'] = {}): Facts => ({
  ...{ now: start, args: given, things: thingsOf(known), merchant: sandboxSeed.merchant, configured: {} },
  ...{ reference: known === 'nothing' ? '' : 'order-1', new: { correlationId: 'new', mandateId: 'mandate-new' } },
});

/** What a function gives; undefined where it needs more than there is. */
export function tried<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

export const platformTools = everyTool.filter((tool): tool is PlatformTool => tool.kind === 'platform');

/** What each tool's end is, by how much is known; none where the tool has nothing to say. */
const endsBy = (end: (tool: PlatformTool, facts: Facts) => unknown, given: Facts['args']) =>
  platformTools.flatMap((tool) =>
    amounts.flatMap((known) => {
      // A purchase recurs by a word, and a plan by a number of units.
      const own = 'every' in given && 'unit' in tool.input.args ? { ...given, every: 2 } : given;
      const it = tried(() => end(tool, factsOf(known, own)));
      return it === undefined ? [] : [{ name: tool.name, known, it: JSON.stringify(it) }];
    }),
  );

/** A line for each different result, with the tools that have it. Tools whose result differs without arguments have a second line. */
export function byTool(end: (tool: PlatformTool, facts: Facts) => unknown, given?: Facts['args']): Lines {
  const without = endsBy(end, {});
  const more = given === undefined ? [] : endsBy(end, given);
  const before = new Set(without.map((one) => JSON.stringify(one)));
  const other = more.filter((one) => !before.has(JSON.stringify(one)));
  return [...linesOf(without, ''), ...linesOf(other, ', with arguments')];
}

const linesOf = (ends: ReturnType<typeof endsBy>, how: string): Lines =>
  [...Map.groupBy(ends, ({ it }) => it)].map(([it, alike]) => {
    const knowns = [...Map.groupBy(alike, ({ name }) => name)].map(
      ([name, all]) => [name, all.map(({ known }) => known).join(' or ')] as const,
    );
    const told = [...Map.groupBy(knowns, ([, known]) => known)].map(
      ([known, names]) => `${names.map(([name]) => name).join(' ')}, ${known}${how}`,
    );
    return [told.join('; '), it] as const;
  });

/** A request as it was sent, with all that one may name. */
export const sentOf = (body: SentRequest['body']): SentRequest => ({
  ...{ names: { id: 'one' }, body, from: 'ACTIVE', reaches: 'ACTIVE', reference: 'order-1', sentAt: start },
  noted: {
    ...{ from: iso(start), until: iso(start + 86_400_000), before: '10', by: '2.50', currency: 'GBP', payer: 'Ada' },
  },
});
