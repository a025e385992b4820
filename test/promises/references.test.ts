import { expect, it } from 'vitest';
import { referenceArgument } from '../../src/engine/field-source.ts';
import { madeBefore, shownThing } from '../../src/engine/made-before.ts';
import { operationOf, type PlatformTool } from '../../src/engine/tool.ts';
import { tools } from '../../tools/index.ts';
import { type Changing, isChanging } from '../engine/billing.ts';
import { changing } from '../engine/changing.ts';
import { begins, world } from '../engine/support.ts';

// A retry must never make a second thing: whatever creates one takes the merchant's reference.

/** What exists before it is enrolled: a card, and a card reader. Enrolling one twice does no harm. */
const enrolled: ReadonlySet<string> = new Set(['card', 'cardReader']);

/** The operations that bring a thing into being, and do nothing else: what saves either a new or an old one is no such. */
const creating = tools
  .flatMap((tool) => (tool.kind === 'platform' ? [tool] : []))
  .filter((tool) => {
    const { moves } = operationOf(tool);
    const rows = [...(moves?.machine.rows ?? []), ...(moves?.machine.assumed ?? [])];
    const from = rows.flatMap(([state, trigger]) => (trigger === moves?.trigger ? [state] : []));
    return from.length > 0 && from.every((state) => state === 'none') && !enrolled.has(tool.observe.moves?.kind ?? '');
  })
  .map(({ operation }) => operation)
  .filter(isChanging);

/** Another value of an argument that every one of these tools has. */
const otherwise: { readonly [operation: string]: object } = {
  initiatePurchase: { description: 'Something else' },
  createAuthenticationOptions: { payment: { amount: '41.00', currency: 'GBP' } },
  authorizePayment: { price: { amount: '101.00', currency: 'USD' } },
  createPlan: { name: 'Silver' },
  createSubscription: { name: 'Silver for Ada' },
  createFollowOnSubscription: { name: 'Silver for Ada' },
  createInvoice: { total: '41.00' },
  chargeDevice: { sum: { amount: '41.00', currency: 'GBP' } },
};

it('knows every operation that creates a thing', () => {
  expect(creating.toSorted(), 'give `otherwise` another value of an argument of each').toEqual(
    Object.keys(otherwise).toSorted(),
  );
});

it.each(creating)('%s sent again is a replay, and with other arguments a conflict', async (operation: Changing) => {
  const here = await world();
  const tool = tools.find((one) => one.kind === 'platform' && one.operation === operation)?.name ?? '';
  const args = await changing[operation](here);
  const first = await here.through(tool, args);
  expect(first.outcome).toBe('done');
  expect(await here.call(tool, args)).toMatchObject({ outcome: 'done', replayed: true, data: first.data });
  const conflict = await here.call(tool, { ...args, ...otherwise[operation] });
  expect(conflict).toMatchObject({
    outcome: 'refused',
    error: { code: 'CONFLICT', rule: 'EN-03', field: 'reference' },
  });
  expect(await here.effects(operation)).toHaveLength(1);
});

// An answer that is heard again was true when it was given. It must not pass for what stands now.

const referenced = tools
  .filter((tool): tool is PlatformTool => tool.kind === 'platform' && tool.input.reference !== undefined)
  .filter(({ operation }) => isChanging(operation));

it.each(referenced.map(({ operation }) => operation).filter(isChanging))(
  '%s tells once more when it was answered, and what its thing has become since',
  async (operation) => {
    const here = await world();
    const tool = referenced.find((one) => one.operation === operation);
    if (tool === undefined) throw new Error('It is one of these.');
    const args = await changing[operation](here);
    const first = await here.through(tool.name, args);
    expect(first.outcome).toBe('done');
    const unchanged = await here.call(tool.name, args);
    if (unchanged.replayed !== true) return; // its state releases the reference
    expect(unchanged.said).toContain(first.said);
    const own = referenceArgument(tool);
    const isDefaulted = own !== undefined && !Object.hasOwn(args, own);
    expect(unchanged.said.startsWith(`No ${own} was given, so this counts as the call under `)).toBe(isDefaulted);
    const shown = shownThing(tool, first.data ?? {});
    if (shown === undefined) {
      expect(Object.keys(first.data ?? {})).not.toContain('state');
      return;
    }
    expect(unchanged.said).not.toContain(shown.handle);
    // In one transaction: a refresh would read the true state again.
    const changed = await here.parts.ledger.transaction('default', async (tx) => {
      const [thing, row] = [await tx.observations.find(shown.handle), await tx.operations.find(first.operation ?? '')];
      if (thing === undefined || row === undefined) throw new Error('The ledger has what an answer shows.');
      expect(thing.state).toBe(shown.state);
      await tx.observations.update(thing, { state: 'GONE_SINCE' }, begins);
      return madeBefore(tx, { tool, facts: { args, reference: row.reference }, now: begins }, row);
    });
    expect(changed).toMatchObject({ outcome: 'done', replayed: true });
    expect(changed.said).toContain(`${shown.handle} has changed: it is GONE_SINCE now`);
  },
);
