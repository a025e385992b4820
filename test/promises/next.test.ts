import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Machine } from '../../src/core/machine.ts';
import type { Things } from '../../src/domains/facts.ts';
import { contract } from '../../src/domains/index.ts';
import { inOrder, isGivingUp, nextAfter } from '../../src/engine/next.ts';
import { operationOf, type PlatformTool, toolName } from '../../src/engine/tool.ts';
import { tools } from '../../tools/index.ts';
import { running, subscribed } from '../engine/billing.ts';
import { bought, paid, type World, world } from '../engine/support.ts';
import { withParts } from '../support/tool-parts.ts';

// `next` names what usually follows, first, and nothing that the state forbids. It leads out of every state that has a way out.

const platformTools = tools.filter((tool): tool is PlatformTool => tool.kind === 'platform');
const machines = [
  ...new Set(Object.values(contract).flatMap(({ moves }) => (moves === undefined ? [] : [moves.machine]))),
];

/** Every state of every machine, with each tool whose answer can show a thing in it. */
const cells = machines.flatMap((machine) =>
  machine.states
    .filter((state) => state !== 'none')
    .flatMap((state) => showing(machine).map((tool) => ({ cell: `${machine.name} ${state}`, machine, state, tool }))),
);

function showing(machine: Machine): readonly PlatformTool[] {
  return platformTools.filter(
    (tool) => (tool.observe.looksAt?.machine ?? operationOf(tool).moves?.machine) === machine,
  );
}

/** What an answer of a tool names where its thing is in a state; by default nothing else is known of it. */
function nextOf(tool: PlatformTool, state: string, body = {}): readonly string[] {
  const kind = tool.observe.looksAt?.kind ?? tool.observe.moves?.kind ?? '';
  const things = { [kind]: { handle: 'x', kind, owner: '', state, body } } as Things;
  return nextAfter(tool, state, (tool.observe.looksAt ?? tool.observe.moves)?.entity(things, 0, undefined, {}));
}

describe('in every state of every machine', () => {
  it.each(cells.filter(({ machine, state }) => !machine.isOver(state)))(
    'there is a way out: $cell, shown by $tool.name',
    ({ state, tool }) => {
      expect(nextOf(tool, state)).not.toEqual([]);
    },
  );

  it.each(cells)('nothing that gives it up comes before what carries it on: $cell, shown by $tool.name', (cell) => {
    const next = nextOf(cell.tool, cell.state);
    expect(next).toEqual(inOrder(next));
    expect(next.filter((name) => isGivingUp(name))).toEqual(cell.machine.isOver(cell.state) ? [] : expect.any(Array));
    expect(next.filter((name) => !tools.some((tool) => tool.name === name))).toEqual([]);
  });

  it('the tools of one machine follow its order', () => {
    for (const { machine, tool, state } of cells) {
      const places = nextOf(tool, state).flatMap((name) => {
        const moves = Object.entries(contract).find(([operation]) => toolName(operation) === name)?.[1].moves;
        return moves?.machine === machine ? machine.order.indexOf(moves.trigger) : [];
      });
      expect(places, `${tool.name} ${state}`).toEqual(places.toSorted((one, other) => one - other));
    }
  });
});

it.each(cells.filter(({ tool, state }) => tool.present.next?.[state] !== undefined))(
  "$tool.name names what follows $cell only because the machine's own order says something else",
  ({ tool, state }) => {
    const plain = withParts(tool, { present: { next: undefined } });
    const bodies = [{}, { delivery: 'email' }];
    expect(bodies.map((body) => nextOf(tool, state, body))).not.toEqual(
      bodies.map((body) => nextOf(plain, state, body)),
    );
  },
);

it('orders every trigger that a tool of agents pulls, once; cancelling and deleting come last', () => {
  const agents = new Set(platformTools.map(({ name }) => name));
  for (const machine of machines) {
    const pulled = Object.entries(contract).filter(
      ([name, { moves }]) => moves?.machine === machine && agents.has(toolName(name)),
    );
    const triggers = [...new Set(pulled.map(([, { moves }]) => moves?.trigger ?? ''))];
    expect(
      machine.order.toSorted(),
      `\`order\` of the machine ${machine.name} names every trigger that an agent's tool pulls, and no other`,
    ).toEqual(triggers.toSorted());
    const ends = pulled.filter(([name]) => /^(cancel|delete)/.test(name)).map(([, { moves }]) => moves?.trigger);
    expect(machine.givesUp).toEqual(ends);
    expect(machine.order.slice(machine.order.length - ends.length)).toEqual(ends);
  }
});

describe('a list that has nothing', () => {
  const lists = tools.filter(({ name }) => /^(list|find)_/.test(name));

  it.each(lists.map((list) => [list.name, list] as const))(
    'never leads to itself, nor to making what was looked for: %s',
    async (name, list) => {
      const here = await world();
      const known = await namedIn(here);
      const fixed = Object.fromEntries(
        Object.entries(known).filter(
          ([argument]) => list.inputSchema.shape[argument]?.safeParse(undefined).success === false,
        ),
      );
      const free = Object.keys(list.inputSchema.shape).filter(
        (argument) => !(argument in fixed) && !/limit|cursor/.test(argument),
      );
      for (const narrowed of [{}, ...free.map((argument) => sample(argument, list.inputSchema, known))]) {
        const { outcome, data, next } = await here.call(name, { ...fixed, ...narrowed });
        const empty = outcome === 'done' && data.total === 0;
        if (!empty) continue;
        const context = `${name} ${JSON.stringify(narrowed)}`;
        expect(next, context).not.toContain(name);
        if (Object.keys(narrowed).length > 0)
          expect(
            next.filter((tool) => /^(create|initiate)_/.test(tool)),
            context,
          ).toEqual([]);
      }
    },
  );

  /** Handles that a tool may ask for, of things about which nothing else is known. */
  async function namedIn(here: World): Promise<Readonly<Record<string, string>>> {
    const { data } = await here.call('find_shopper');
    return { shopper: data.items[0].shopper, subscription: await subscribed(here), card: 'card_ada' };
  }

  /** An argument that nothing fits: the last of its choices, a day to come, or a name that nobody has. */
  function sample(argument: string, input: z.ZodObject, known: Readonly<Record<string, string>>): object {
    const schema = input.shape[argument] as z.ZodType;
    const inner = schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ? schema.unwrap() : schema;
    const choices = inner instanceof z.ZodEnum ? inner.options.toReversed() : [];
    const fits = [known[argument], ...choices, '2031-01-01', 'nobody-1', 'name:Nobody'].find(
      (value) => value !== undefined && schema.safeParse(value).success,
    );
    return fits === undefined ? {} : { [argument]: fits };
  }
});

it('leads from cards to everything that a card is enough for', async () => {
  const here = await world();
  const { data } = await here.call('find_shopper');
  const { next } = await here.call('list_cards', { shopper: data.items[0].shopper });
  const enough = platformTools.filter(({ input: { args } }) => {
    const handles = Object.values(args).filter(({ kind, schema }) => kind !== undefined && !schema.isOptional());
    return args.card !== undefined && handles.every(({ kind }) => kind === 'card');
  });
  expect(next.toSorted()).toEqual(enough.map(({ name }) => name).toSorted());
});

it('confirms a purchase that has its receipt before it cancels it', async () => {
  const here = await world();
  const open = (await here.call('get_purchase', { instruction: await bought(here) })).next;
  expect(open).toEqual(['retrieve_credentials', 'update_purchase', 'cancel_purchase']);
  const receipted = await world();
  const after = (await receipted.call('get_purchase', { instruction: await paid(receipted) })).next;
  expect([after[0], after.at(-1)]).toEqual(['confirm_transaction', 'cancel_purchase']);
});

it('never leads from the payments of a suspended subscription to skipping them', async () => {
  const here = await world();
  const subscription = await running(here);
  expect((await here.call('get_subscription', { subscription })).next).toContain('skip_subscription_payments');
  await here.call('suspend_subscription', { subscription });
  expect((await here.call('list_subscription_payments', { subscription })).next).toEqual(['get_subscription']);
  const { next } = await here.call('get_subscription', { subscription });
  expect(next).toContain('reactivate_subscription');
  expect(next).not.toContain('skip_subscription_payments');
});

it('says what of an invoice is possible by how it reaches its customer: without e-mail nothing can be sent', async () => {
  const here = await world();
  const bill = { reference: 'A-1', total: '40.00', currency: 'USD', due: '2026-03-01', description: 'Repair' };
  const { data, next } = await here.through('create_invoice', { ...bill, how: 'link' });
  expect(next).toEqual(['get_invoice', 'update_invoice', 'cancel_invoice']);
  const looked = await here.call('get_invoice', { invoice: data.invoice });
  expect(looked.next).toEqual(['update_invoice', 'cancel_invoice']);
});
