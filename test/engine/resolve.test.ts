import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/core/canonical-json.ts';
import type { Kind } from '../../src/domains/facts.ts';
import { kinds, kindTable } from '../../src/domains/index.ts';
import { handleFor } from '../../src/engine/handles.ts';
import { handlesOf, resolve, thing } from '../../src/engine/resolve.ts';
import { isReadOnly, type PlatformTool } from '../../src/engine/tool.ts';
import type { LedgerTransaction } from '../../src/ledger/ledger-transaction.ts';
import type { ObservationRow } from '../../src/ledger/rows.ts';
import { tools } from '../../tools/index.ts';
import { start } from './shop.ts';

const row = (handle: string, kind: string, body: JsonObject = {}, owner = ''): ObservationRow => ({
  ...{ tenant: 'default', handle, kind, owner, state: 'ACTIVE', body },
  ...{ changeSeq: 0, lookedAt: 0, createdAt: start, updatedAt: start + 1, version: 3 },
});
/** A ledger that knows these things, and counts how often it is asked. */
function knowing(...rows: readonly ObservationRow[]) {
  const asked: string[] = [];
  const find = async (handle: string) => {
    asked.push(handle);
    return rows.find((one) => one.handle === handle);
  };
  return { asked, tx: { observations: { find, load: async () => undefined } } as unknown as LedgerTransaction }; // nothing else of it is used
}
const handlesIn = async (tx: LedgerTransaction, ...given: Parameters<typeof resolve>[1]) =>
  Object.fromEntries(Object.entries(await resolve(tx, given)).map(([kind, it]) => [kind, it.handle]));
const toolOf = (name: string) => tools.find((one) => one.name === name) as PlatformTool; // each is one of the platform's

describe('the things of a call', () => {
  it('are none where no handle is given', async () => {
    const { tx, asked } = knowing(row('card_1', 'card'));
    expect([await resolve(tx, []), asked]).toEqual([{}, []]);
  });

  it('are those that its handles name, as they are known, without what the ledger keeps for itself', async () => {
    const { tx } = knowing(row('card_1', 'card', { lastFour: '1111' }, 'shopper_1'));
    expect(await resolve(tx, [{ field: 'card', kind: 'card', handle: 'card_1' }])).toEqual({
      card: {
        ...{ handle: 'card_1', kind: 'card', owner: 'shopper_1', state: 'ACTIVE' },
        ...{ body: { lastFour: '1111' }, createdAt: start },
      },
    });
  });

  it('are those, too, that these point to, however far: by owner, and by members named like a kind', async () => {
    const { tx } = knowing(
      row('receipt_1', 'receipt', { instruction: 'instruction_1' }),
      row('instruction_1', 'instruction', { card: 'card_1', reference: 'shopper_2' }),
      row('card_1', 'card', {}, 'shopper_1'),
      row('shopper_1', 'shopper', { plan: 'plan_1' }),
      row('shopper_2', 'shopper'),
      row('plan_1', 'plan'),
    );
    expect(await handlesIn(tx, { field: 'receipt', kind: 'receipt', handle: 'receipt_1' })).toEqual({
      receipt: 'receipt_1',
      instruction: 'instruction_1',
      card: 'card_1',
      shopper: 'shopper_1',
      plan: 'plan_1',
    });
  });

  it('that point to each other are each found once', async () => {
    const { tx } = knowing(
      row('instruction_1', 'instruction', { receipt: 'receipt_1' }),
      row('receipt_1', 'receipt', { instruction: 'instruction_1' }),
    );
    expect(await handlesIn(tx, { field: 'instruction', kind: 'instruction', handle: 'instruction_1' })).toEqual({
      instruction: 'instruction_1',
      receipt: 'receipt_1',
    });
  });

  it('are those that arguments name, whatever else points to another of that kind', async () => {
    const { tx, asked } = knowing(
      row('instruction_1', 'instruction', { card: 'card_1' }),
      row('card_1', 'card', {}, 'shopper_1'),
      row('card_2', 'card', {}, 'shopper_2'),
      row('shopper_1', 'shopper'),
      row('shopper_2', 'shopper'),
    );
    const found = await handlesIn(
      tx,
      { field: 'instruction', kind: 'instruction', handle: 'instruction_1' },
      { field: 'card', kind: 'card', handle: 'card_2' },
    );
    expect(found).toEqual({ instruction: 'instruction_1', card: 'card_2', shopper: 'shopper_2' });
    expect(asked).not.toContain('card_1');
  });

  it('are not what a member names that holds no handle, an empty one, one of nothing, or one of another kind', async () => {
    const { tx, asked } = knowing(
      row('instruction_1', 'instruction', { card: 7, receipt: '', plan: 'plan_none', invoice: 'shopper_1' }),
      row('shopper_1', 'shopper'),
      row('', 'receipt'),
      row('7', 'card'),
    );
    expect(await handlesIn(tx, { field: 'instruction', kind: 'instruction', handle: 'instruction_1' })).toEqual({
      instruction: 'instruction_1',
    });
    expect(asked).not.toContain('');
  });
});

describe('a handle that names nothing', () => {
  const finders: Readonly<Record<Kind, string>> = {
    shopper: 'find_shopper',
    card: 'list_cards',
    instruction: 'list_purchases',
    credentials: 'get_purchase',
    receipt: 'get_purchase',
    authentication: 'create_authentication_options',
    offer: 'list_operations',
    charge: 'list_payments',
    capture: 'list_payments',
    refund: 'list_payments',
    plan: 'list_plans',
    subscription: 'list_subscriptions',
    followOn: 'get_follow_on',
    invoice: 'list_invoices',
    reportDefinition: 'list_report_definitions',
    reportList: 'list_report_subscriptions',
    reportQueue: 'list_reports',
    reportSubscription: 'list_report_subscriptions',
    report: 'list_reports',
    deviceKey: 'list_operations',
    cardReader: 'device_status',
    devicePayment: 'list_device_transactions',
  };

  it.each(kinds)('is refused with the tool that finds one: %s', async (kind) => {
    const { tx } = knowing(row('other_1', kind === 'card' ? 'shopper' : 'card'));
    for (const handle of ['none', 'other_1'])
      await expect(resolve(tx, [{ field: 'it', kind, handle }])).rejects.toMatchObject({
        refusal: {
          code: 'NOT_FOUND',
          rule: 'EN-02',
          field: 'it',
          because: expect.not.stringMatching(/[a-z][A-Z]/),
          instead: [finders[kind]],
        },
      });
    expect(tools.map(({ name }) => name)).toContain(finders[kind]);
  });

  it('is no fault where the thing may or may not be there already', async () => {
    const { tx } = knowing(row('invoice_1', 'invoice'), row('card_1', 'card'));
    const met = (handle: string) => ({ field: 'reference', kind: 'invoice', handle, met: true }) as const;
    expect([
      await handlesIn(tx, met('invoice_1')),
      await handlesIn(tx, met('invoice_2')),
      await handlesIn(tx, met('card_1')),
    ]).toEqual([{ invoice: 'invoice_1' }, {}, {}]);
  });
});

describe('the handles among arguments', () => {
  it('are those of the arguments that name a kind of thing, and were given', () => {
    const args = { instruction: 'instruction_1', amount: '1.00', currency: 'EUR', reference: 'order-1' };
    expect([
      handlesOf(toolOf('retrieve_credentials'), args),
      handlesOf(toolOf('retrieve_credentials'), { ...args, card: 'card_1' }),
    ]).toEqual([
      [{ field: 'instruction', kind: 'instruction', handle: 'instruction_1' }],
      [
        { field: 'instruction', kind: 'instruction', handle: 'instruction_1' },
        { field: 'card', kind: 'card', handle: 'card_1' },
      ],
    ]);
  });

  it('are also those that stand for what an argument calls a thing', () => {
    const tool = toolOf('create_invoice');
    expect([handlesOf(tool, { reference: 'A-1', how: 'draft' }), handlesOf(tool, { how: 'draft' })]).toEqual([
      [{ field: 'reference', kind: 'invoice', handle: handleFor('invoice', 'A-1'), met: true }],
      [],
    ]);
  });
});

it('shows a row of the ledger to guards without its tenant, its version and its last change', () => {
  expect(Object.keys(thing(row('card_1', 'card'))).toSorted()).toEqual([
    ...['body', 'createdAt', 'handle', 'kind', 'owner', 'state'],
  ]);
});

it.each(kinds)('is looked at by a tool that changes nothing: %s', (kind) => {
  const tool = tools.find(({ name }) => name === kindTable[kind].shownBy);
  // It is the way out where nobody knows: it changes nothing.
  expect(tool !== undefined && isReadOnly(tool)).toBe(true);
});
