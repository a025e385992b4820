import { describe, expect, it } from 'vitest';
import type { Thing } from '../../src/core/thing.ts';
import type { Facts } from '../../src/domains/facts.ts';
import { guards } from '../../src/domains/index.ts';

const now = Date.parse('2026-01-15T09:00:00Z');
const thing = (kind: string, handle: string, body: object, more: object = {}): Thing => ({
  handle,
  kind,
  owner: 'shopper_ada',
  state: 'ACTIVE',
  body: body as Thing['body'],
  createdAt: now,
  ...more,
});

interface Change {
  readonly args?: object;
  readonly card?: object | null;
  readonly instruction?: object | null;
  readonly receipt?: object | null;
  readonly credentials?: object | null;
  readonly passkey?: null;
  readonly shopper?: null;
}

/** A purchase of at most 40.00 EUR that was released for 39.90 EUR and paid; `change` says what is different. */
function facts(change: Change = {}): Facts {
  const made = (kind: string, handle: string, body: object, given: object | null | undefined) => {
    if (given === null) return {};
    const { body: changed = {}, ...more } = (given ?? {}) as { readonly body?: object };
    return { [kind]: thing(kind, handle, { ...body, ...changed }, more) };
  };
  return {
    now,
    args: change.args ?? {},
    things: {
      ...(change.shopper === null
        ? {}
        : { shopper: thing('shopper', 'shopper_ada', { displayName: 'Ada' }, { owner: '' }) }),
      ...made('card', 'card_ada', { lastFour: '1111' }, change.card),
      ...made(
        'instruction',
        'instruction_a',
        { limit: '40.00', currency: 'EUR', releases: 1, merchant: '' },
        change.instruction,
      ),
      ...made(
        'receipt',
        'receipt_a',
        { transactionStatus: 'APPROVED', amount: '39.90', currency: 'EUR' },
        change.receipt,
      ),
      ...made('credentials', 'credentials_a', { amount: '39.90', currency: 'EUR' }, change.credentials),
    } as unknown as Facts['things'],
    merchant: { id: 'm', name: 'Harbour Audio', country: 'GB', url: 'https://shop.example.com' },
    configured: change.passkey === null ? {} : { passkey: { tokenRequesterId: '1', relationshipId: '2' } },
    reference: 'order-1',
    new: { correlationId: 'c', mandateId: 'n' },
  } as Facts;
}

/** What every guard of an operation says of facts that break it, in the order in which they are asked. */
const said = (operation: string, change: Change = {}) => {
  const given = facts(change);
  return guards
    .filter((guard) => guard.on.includes(operation as never) && !guard.holds(given))
    .map(({ id, field = '', sees, instead }) => [id, field, sees(given), ...instead]);
};

const sum = (amount: string, currency = 'EUR') => ({ amount, currency });
const asked = { limit: sum('40.00'), until: '2026-01-15T10:00:00Z' };
const all = [
  'enrollCard',
  'initiatePurchase',
  'updatePurchase',
  'cancelPurchase',
  'retrieveCredentials',
  'confirmTransaction',
];

it('says nothing about a purchase in order', () => {
  expect([
    said('enrollCard'),
    said('initiatePurchase', { args: asked }),
    said('updatePurchase', { args: asked }),
    said('cancelPurchase'),
    said('retrieveCredentials', { args: sum('39.90') }),
    said('confirmTransaction'),
  ]).toEqual([[], [], [], [], [], []]);
});

it.each(all)('AP-05: %s needs the passkey service to be set up', (operation) => {
  expect(said(operation, { args: { ...asked, ...sum('1') }, passkey: null })).toEqual([
    ['AP-05', '', 'The token requester id and the relationship id of the passkey service are not configured.'],
  ]);
});

describe('AP-08', () => {
  it.each(['enrollCard', 'initiatePurchase', 'retrieveCredentials'])(
    '%s takes no card of another shopper',
    (operation) => {
      const args = operation === 'initiatePurchase' ? asked : sum('1');
      expect(said(operation, { args, card: { owner: 'shopper_bo' } })).toEqual([
        ['AP-08', 'card', 'The card belongs to another shopper.', 'list_cards'],
      ]);
    },
  );
});

describe('AP-03 and AP-04', () => {
  it('send a card that waits back to the customer', () => {
    expect(said('initiatePurchase', { args: asked, card: { state: 'PENDING' } })).toEqual([
      [
        'AP-03',
        'card',
        'The customer must verify their identity for this card. Have that done now, then enroll the card again.',
        'enroll_card',
      ],
      ['AP-04', 'card', 'The card ending 1111 is PENDING.', 'enroll_card', 'list_cards'],
    ]);
  });

  it.each([
    [{ state: 'none' }, 'The card ending 1111 is not enrolled.'],
    [{ state: 'PENDING' }, 'The card ending 1111 is PENDING.'],
    [null, 'No card is known for this purchase.'],
  ])('let no card but an active one pay: %j', (card, says) => {
    expect(said('retrieveCredentials', { args: sum('1'), card })).toEqual([
      ['AP-04', 'card', says, 'enroll_card', 'list_cards'],
    ]);
  });
});

it('EN-09: an update either says a term or takes it off', () => {
  const more = { ...asked, quantity: 2, category: 'Audio' };
  expect(said('updatePurchase', { args: { ...more, remove: ['every', 'quantity'] } })).toEqual([
    ['EN-09', 'remove', 'quantity is given and named in remove. Say one of the two.'],
  ]);
  expect(said('updatePurchase', { args: { ...more, remove: ['every', 'prompt'] } })).toEqual([]);
});

describe('AP-09', () => {
  it.each(['initiatePurchase', 'updatePurchase'])('%s names no merchant but the one that is paid', (operation) => {
    const named = ['Harbour Audio', 'Harbour Audio Outlet', 'Harbour', 'HARBOUR AUDIO', ' Harbour Audio', 'Other'];
    const found = named.map((merchant) => said(operation, { args: { ...asked, merchant } }));
    expect(found.map((all) => all.map(([rule, field, , ...instead]) => [rule, field, ...instead]))).toEqual(
      named.map((_, at) => (at === 0 ? [] : [['AP-09', 'merchant']])),
    );
    expect(found[1]?.[0]?.[2]).toContain('Harbour Audio');
  });

  it.each(['initiatePurchase', 'updatePurchase'])('%s needs a limit that is money, and not nothing', (operation) => {
    const limits = [sum('0'), sum('0.00'), sum('40.001'), sum('1.5', 'JPY'), sum('1', 'XXX'), sum('-1')];
    expect(limits.map((limit) => said(operation, { args: { ...asked, limit } }))).toEqual(
      [
        'The limit must not be zero.',
        'The limit must not be zero.',
        'EUR has 2 decimals; the amount has 3.',
        'JPY has 0 decimals; the amount has 1.',
        'XXX is not an ISO 4217 currency.',
        'The amount is not decimal text such as "40.00".',
      ].map((says) => [['AP-09', 'limit', says]]),
    );
    expect(said(operation, { args: { ...asked, limit: sum('0.01') } })).toEqual([]);
  });

  it.each(['initiatePurchase', 'updatePurchase'])('%s needs an end that has not come', (operation) => {
    const ends = ['2026-01-15T09:00:00.001Z', '2026-01-15T09:00:00Z', '2026-01-15T08:59:59Z', undefined];
    const late = [['AP-09', 'until', 'The end has already passed: it is 2026-01-15T09:00:00.000Z.']];
    expect(ends.map((until) => said(operation, { args: { ...asked, until } }))).toEqual([[], late, late, []]);
  });

  it('needs a payment of something', () => {
    expect([
      said('retrieveCredentials', { args: sum('0.00') }),
      said('retrieveCredentials', { args: sum('1.999') }),
    ]).toEqual([
      [['AP-09', 'amount', 'The amount must not be zero.']],
      [['AP-09', 'amount', 'EUR has 2 decimals; the amount has 3.']],
    ]);
  });

  it('releases up to the limit and not a cent more', () => {
    expect(said('retrieveCredentials', { args: sum('40') })).toEqual([]);
    expect(said('retrieveCredentials', { args: sum('40.01') })).toEqual([
      ['AP-09', 'amount', '40.01 EUR is above the approved limit of 40.00 EUR.', 'update_purchase'],
    ]);
  });

  it.each(['subtotal', 'discount', 'shipping', 'handling'])('takes no %s that is no amount of the currency', (part) => {
    const says = (value: string, currency?: string) =>
      said('retrieveCredentials', { args: { ...sum('40.00', currency), discount: '9.00', [part]: value } });
    expect(says('1.234')).toEqual([['AP-09', part, 'EUR has 2 decimals; the amount has 3.']]);
    expect(says('1.23')).toEqual([]);
  });

  it.each([
    [{ shipping: '40.00' }, true],
    [{ shipping: '40.01' }, false],
    [{ shipping: '20.00', handling: '20.01' }, false],
    [{ subtotal: '400.00' }, false],
    [{ subtotal: '38.00', shipping: '1.00', handling: '2.00', discount: '1.00' }, true],
    [{ subtotal: '38.01', shipping: '1.00', handling: '2.00', discount: '1.00' }, false],
    [{ subtotal: '30.00' }, true], // with a tax
    [{ discount: '900.00' }, true],
  ])('takes no parts that come to more than the total: %j', (parts, isGood) => {
    const refused = [['AP-09', 'amount', expect.stringContaining('40.00 EUR')]];
    expect(said('retrieveCredentials', { args: { ...sum('40.00'), ...parts } })).toEqual(isGood ? [] : refused);
  });

  it('releases in the currency that was approved', () => {
    expect(said('retrieveCredentials', { args: sum('1.00', 'USD') })).toEqual([
      ['AP-09', 'currency', 'The purchase was approved in EUR, not in USD.', 'update_purchase'],
    ]);
    const strange = { body: { currency: 'XXX' } };
    expect(said('retrieveCredentials', { args: sum('1.00'), instruction: strange })).toEqual([
      ['AP-09', 'currency', 'The purchase was approved in undefined, not in EUR.', 'update_purchase'],
    ]);
  });

  it('releases to the merchant that was approved, where one was', () => {
    const to = (merchant: string) =>
      said('retrieveCredentials', { args: sum('1'), instruction: { body: { merchant } } });
    expect([to(''), to('Harbour Audio'), to('Other')]).toEqual([
      [],
      [],
      [['AP-09', '', 'The purchase was approved for another merchant, not Harbour Audio.', 'update_purchase']],
    ]);
  });
});

describe('AP-10', () => {
  const noReceipt =
    "The merchant's payment system has posted no receipt for this purchase; a statement can't replace it.";

  it('confirms nothing that was not released', () => {
    for (const instruction of [null, { body: { releases: 0 } }])
      expect(said('confirmTransaction', { instruction })).toEqual([
        ['AP-10', 'instruction', 'No credentials were retrieved for this purchase.', 'retrieve_credentials'],
      ]);
  });

  it('confirms nothing without a receipt', () => {
    expect(said('confirmTransaction', { receipt: null })).toEqual([
      ['AP-10', 'instruction', noReceipt, 'get_purchase'],
    ]);
  });

  it.each(['DECLINED', 'PENDING', 'ERROR', 'CANCELLED'])('confirms no payment that is %s', (transactionStatus) => {
    expect(said('confirmTransaction', { receipt: { body: { transactionStatus } } })).toEqual([
      [
        'AP-10',
        'instruction',
        `The merchant's payment system reports the payment as ${transactionStatus}.`,
        'get_purchase',
      ],
    ]);
  });
});

describe('AP-12', () => {
  const differs = (says: string) => [['AP-12', 'instruction', says, 'get_purchase']];

  it.each([
    [{ amount: '39.91' }, 'The receipt is for 39.91 EUR; the credentials were released for 39.90 EUR.'],
    [{ currency: 'USD' }, 'The receipt is for 39.90 USD; the credentials were released for 39.90 EUR.'],
    [{ amount: '39.900' }, 'The receipt is for an unknown amount; the credentials were released for 39.90 EUR.'],
    [{ currency: 'JPY' }, 'The receipt is for an unknown amount; the credentials were released for 39.90 EUR.'],
  ])('confirms what was released and nothing else: %j', (body, says) => {
    expect(said('confirmTransaction', { receipt: { body } })).toEqual(differs(says));
  });

  it('takes 39.9 for 39.90', () => {
    expect(said('confirmTransaction', { receipt: { body: { amount: '39.9' } } })).toEqual([]);
  });

  it('says nothing where no credentials are known: AP-10 does', () => {
    expect(said('confirmTransaction', { credentials: null })).toEqual([]);
  });
});

describe('where things are not known', () => {
  it('a card of nobody’s is nobody’s to use', () => {
    expect(said('enrollCard', { shopper: null })).toEqual([
      ['AP-08', 'card', 'The card belongs to another shopper.', 'list_cards'],
    ]);
    expect(said('enrollCard', { shopper: null, card: null })).toEqual([]);
  });

  it('a purchase needs a card', () => {
    expect(said('initiatePurchase', { args: asked, card: null })).toEqual([
      ['AP-04', 'card', 'No card is known for this purchase.', 'enroll_card', 'list_cards'],
    ]);
  });

  it('nothing is said of arguments that are not there: their shape says it', () => {
    expect([said('initiatePurchase', { args: {} }), said('updatePurchase', { args: {} })]).toEqual([[], []]);
  });

  it('no currency fits a purchase that nobody knows', () => {
    expect(
      said('retrieveCredentials', { args: sum('1.00'), instruction: null }).map(([id, field]) => [id, field]),
    ).toEqual([['AP-09', 'currency']]);
  });

  it('an amount that nobody can read is no amount that was released', () => {
    expect(said('confirmTransaction', { credentials: { body: { amount: '39.900' } } })).toEqual([
      [
        'AP-12',
        'instruction',
        'The receipt is for 39.90 EUR; the credentials were released for an unknown amount.',
        'get_purchase',
      ],
    ]);
  });
});

it('gives every guard the sentence of its rule, and a way out that is a tool', async () => {
  const { rules } = await import('../../src/core/rules.ts');
  const { tools } = await import('../../tools/index.ts');
  const known = tools.map(({ name }) => name);
  expect(guards.filter(({ id, rule }) => rule !== rules[id].says)).toEqual([]);
  expect(guards.flatMap(({ instead }) => instead).filter((name) => !known.includes(name))).toEqual([]);
});
