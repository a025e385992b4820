import { describe, expect, it } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import type { EngineParts } from '../../src/engine/parts.ts';
import { registerReceipt, registerShopper } from '../../src/engine/register.ts';
import { sandboxSeed } from '../../src/sandbox/index.ts';
import { type Shop, shop, start } from './shop.ts';

const card = {
  customerId: 'customer-1',
  instrumentIdentifierId: 'instrument-1',
  paymentInstrumentId: 'payment-1',
  lastFour: '1111',
  expires: '12/2031',
};
const { cards: _, ...ada } = sandboxSeed.shoppers.shopper_ada;

const registered = (it: Shop, given: unknown) => registerShopper(it.parts, 'default', given);
/** Takes whatever gets as far as the ledger: what is wrong with a session is found before. */
const taking = {
  ports: { clock: { now: () => start } },
  settings: {},
  ledger: { transaction: async () => ({ ok: true }) },
} as unknown as EngineParts; // no more of them is used
/** What is wrong with a session. */
const checked = (given: object) => registerShopper(taking, 'default', { displayName: 'Ada', ...given });
/** The same, as `field: because`. */
const faultsOf = async (given: object): Promise<unknown> => {
  const it = await checked(given);
  return it.ok ? 'registered' : it.faults.map(({ field, because }) => `${field}: ${because}`);
};
const known = (it: Shop, handle: string) =>
  it.parts.ledger.transaction('default', (tx) => tx.observations.find(handle));

describe('the fields of a shopper session', () => {
  it.each(['Ada\nAt most: 1.00 EUR', 'Ada\r', 'A\u202eda', 'Ada\u200b', 'Ada\u2028', 'Ada\u0007'])(
    'takes no name with a character that nobody sees: %j',
    async (displayName) => {
      expect(await checked({ displayName })).toEqual({
        ok: false,
        faults: [{ field: 'displayName', rule: 'EN-01', because: 'It must not contain invisible characters.' }],
      });
    },
  );

  it('takes no name with half a character, and does not call it invisible', async () => {
    const { faults } = (await checked({ displayName: 'Ada\ud800' })) as { faults: readonly { because: string }[] };
    expect(faults).toMatchObject([{ field: 'displayName', rule: 'EN-01' }]);
    expect(faults[0]?.because).toContain('half a character');
  });

  it.each(['Ada Example', 'Zoë O’Neill-Łukasz', '山田 太郎', 'עדה'])('takes the name %s', async (displayName) => {
    expect(await checked({ displayName })).toEqual({ ok: true });
  });

  it.each(['label', 'network'])('takes no card whose %s holds a character that nobody sees', async (name) => {
    expect(await faultsOf({ cards: [{ ...card, [name]: 'Bl\u202eue' }] })).toEqual([
      `cards.0.${name}: It must not contain invisible characters.`,
    ]);
  });

  it.each([
    ...['customerId', 'instrumentIdentifierId', 'paymentInstrumentId', 'tokenReferenceId', 'label', 'network'],
    ...['enrollmentReferenceType', 'enrollmentReferenceProvider'],
  ])('takes no card whose %s is a card number', async (name) => {
    for (const text of ['4929421234600821', 'Blue 4929 4212 3460 0821'])
      expect(await faultsOf({ cards: [card, { ...card, [name]: text }] })).toEqual([
        `cards.1.${name}: It looks like a card number.`,
      ]);
  });

  it.each<[string, object, string]>([
    ['its handle', { handle: 'shopper_4929421234600821' }, 'handle'],
    ["a card's handle", { cards: [{ ...card, handle: 'card_4929421234600821' }] }, 'cards.0.handle'],
    ['a number', { deviceInformation: { note: 4929421234600821 } }, 'deviceInformation.note'],
    ['a name in it', { deviceInformation: { '4929421234600821': 'x' } }, 'deviceInformation'],
  ])('takes no card number as %s, and does not repeat it', async (_, given, field) => {
    expect(await faultsOf(given)).toEqual([`${field}: It looks like a card number.`]);
  });

  it.each<[string, (text: string) => object]>([
    ['displayName', (text) => ({ displayName: text })],
    ['cards.0.label', (label) => ({ cards: [{ ...card, label }] })],
    ['cards.0.network', (network) => ({ cards: [{ ...card, network }] })],
  ])('takes no code and no cryptogram as %s', async (field, given) => {
    for (const text of ['CVV 123', 'AgAAAAAABk4DWZ4C28yUQAAAAAA='])
      expect(await faultsOf(given(text))).toEqual([`${field}: It looks like a code of a card.`]);
  });

  it('takes tokens that have the length and the check digit of a card number, and none of its beginnings', async () => {
    const tokens = { instrumentIdentifierId: '7010000000016241111', customerId: 'AB695DA801DD1BB6E05341588E0A3BDC' };
    expect(await faultsOf({ cards: [{ ...card, ...tokens }] })).toBe('registered');
  });

  it.each([
    ['displayName', { displyName: 'Ada' }],
    ['lastFour', { cards: [{ ...card, lastfour: '1111' }] }],
  ])('names the member that a misspelled one means: %s', async (name, more) => {
    const told = await checked(more);
    expect(told.ok === false && told.faults).toContainEqual({
      field: 'registration',
      rule: 'EN-01',
      because: `It has an unknown property, perhaps a misspelled ${name}.`,
    });
  });

  it('takes no member that nobody knows, and repeats no value', async () => {
    expect(await checked({ pan: '4111110000001235' })).toEqual({
      ok: false,
      faults: [
        { field: 'registration', rule: 'EN-01', because: 'It has an unknown property, perhaps a misspelled one.' },
      ],
    });
  });
});

describe('a shopper session', () => {
  it('is kept whole, with its cards, and stands in the audit', async () => {
    const it = await shop();
    await it.advance(5);
    const told = await registered(it, { handle: 'shopper_new', ...ada, cards: [{ handle: 'card_new', ...card }] });
    expect(told).toEqual({ ok: true, value: { shopper: 'shopper_new', cards: ['card_new'] } });
    expect([await known(it, 'shopper_new'), await known(it, 'card_new')]).toMatchObject([
      { kind: 'shopper', owner: '', state: 'none', body: ada, createdAt: start + 5_000 },
      { kind: 'card', owner: 'shopper_new', state: 'none', body: card },
    ]);
    expect((await it.audit()).at(-1)).toMatchObject({
      event: 'registered',
      body: { shopper: 'shopper_new', cards: ['card_new'] },
      at: start + 5_000,
    });
  });

  it('gets handles where it brings none, and the same card once', async () => {
    const it = await shop();
    const first = await registered(it, { displayName: 'Zoe', cards: [card] });
    const handle = first.ok ? first.value.shopper : '';
    const again = await registered(it, { handle, displayName: 'Zoe', cards: [card] });
    const other = { ...card, instrumentIdentifierId: 'instrument-2' };
    const more = await registered(it, { handle, displayName: 'Zoe', cards: [other, card] });
    const stranger = await registered(it, { displayName: 'Yan', cards: [card] });
    const cards = [first, again, more, stranger].map((told) => (told.ok ? told.value.cards : []));
    expect([handle, cards[0]]).toEqual([expect.stringMatching(/^shopper_/), [expect.stringMatching(/^card_/)]]);
    expect([cards[1], cards[2]?.[1], cards[2]?.[0] === cards[0]?.[0]]).toEqual([cards[0], cards[0]?.[0], false]);
    expect(cards[3]).not.toEqual(cards[0]);
  });

  it('gets the same card once, however many there are', async () => {
    const it = await shop();
    const cardsOf = async (from: number, count: number): Promise<readonly string[]> => {
      const cards = Array.from({ length: count }, (_, at) => ({
        ...card,
        instrumentIdentifierId: `instrument-${from + at}`,
      }));
      const told = await registered(it, { handle: 'shopper_zoe', displayName: 'Zoe', cards });
      return told.ok ? told.value.cards : [];
    };
    const most = limits.arrayElements;
    const first = await cardsOf(0, most);
    for (let from = most; from <= 2 * limits.pageRowsMost; from += most) await cardsOf(from, most);
    await it.advance(1);
    const [last, again] = [await cardsOf(2 * limits.pageRowsMost, 1), await cardsOf(0, most)];
    expect([again, await cardsOf(2 * limits.pageRowsMost, 1)]).toEqual([first, last]);
  });

  it.each([
    ['keeps the state of a card that it brings up to date', true],
    ['begins anew with another card under the same handle', false],
  ])('%s', async (_, isSame) => {
    const it = await shop();
    await it.call('enroll_card', { card: 'card_ada' });
    const before = await known(it, 'card_ada');
    const { instrumentIdentifierId: own = '' } = before?.body ?? {};
    const now = { ...card, handle: 'card_ada', label: 'Blue', ...(isSame ? { instrumentIdentifierId: own } : {}) };
    expect(await registered(it, { handle: 'shopper_ada', ...ada, cards: [now] })).toMatchObject({ ok: true });
    expect(await known(it, 'card_ada')).toMatchObject({
      state: isSame ? before?.state : 'none',
      body: { label: 'Blue' },
    });
    expect(before?.state).not.toBe('none');
  });

  it.each<[string, object]>([
    ['the card of somebody else', { cards: [{ ...card, handle: 'card_bo' }] }],
    ['a thing of another kind', { handle: 'shopper_ada', cards: [{ ...card, handle: 'card_bo' }] }],
  ])('takes no handle of %s, and keeps nothing', async (_, given) => {
    const it = await shop();
    const before = (await it.audit()).length;
    expect(await registered(it, { displayName: 'Ada', ...given })).toEqual({
      ok: false,
      faults: [{ field: 'handle', rule: 'EN-02', because: 'It names something else already.' }],
    });
    expect((await it.audit()).length).toBe(before);
  });

  const begins = (kind: string) => `It must begin with "${kind}_" and hold small letters, digits and _.`;
  const atMost = (count: number, of = 'characters') => `It must have at most ${count} ${of}.`;
  const long = 'a'.repeat(limits.textCharacters + 1);
  const ids = ['customerId', 'instrumentIdentifierId', 'paymentInstrumentId'];
  const texts = ['tokenReferenceId', 'enrollmentReferenceType', 'enrollmentReferenceProvider'];

  it.each<[string, string, readonly unknown[]]>([
    ['handle', begins('shopper'), ['ada', 'my_shopper_ada', 'shopper_Ada', `shopper_${'a'.repeat(56)}`]],
    ['handle', begins('shopper'), ['shopper_', 'shopper_ada!']],
    ['displayName', 'It must be text.', [undefined]],
    ['displayName', 'It must have at least 1 character.', ['']],
    ['displayName', atMost(80), ['a'.repeat(81)]],
    ['cards', 'It must be a list.', ['x']],
    ['cards', atMost(limits.arrayElements, 'items'), [Array(limits.arrayElements + 1).fill(card)]],
  ])('says of its %s: %s', async (field, because, values) => {
    for (const value of values) expect(await faultsOf({ [field]: value })).toEqual([`${field}: ${because}`]);
  });

  it.each<[string, string, readonly unknown[]]>([
    ['handle', begins('card'), ['one', `card_${'a'.repeat(59)}`, 'a_card_one', 'card_', 'card_ada!']],
    ['lastFour', 'It must be four digits.', ['11111', 'x1111', 'abcd']],
    ['expires', 'It must be MM/YYYY.', ['13/2031', '00/2031', '1/2031', '12/31', 'x12/2031', '12/20311', '20/2031']],
    ['expires', 'It must be MM/YYYY.', ['12/abcd']],
    ...ids.map((name): [string, string, string[]] => [name, 'It must have at least 1 character.', ['']]),
    ...[...ids, ...texts].map((name): [string, string, string[]] => [name, atMost(limits.textCharacters), [long]]),
    ...['label', 'network'].map((name): [string, string, string[]] => [name, atMost(40), ['a'.repeat(41)]]),
  ])('says of the %s of a card: %s', async (name, because, values) => {
    for (const value of values)
      expect(await faultsOf({ cards: [card, { ...card, [name]: value }] })).toEqual([`cards.1.${name}: ${because}`]);
  });

  const [assured] = ada.assuranceData;
  it.each<[object, readonly string[]]>([
    [{ cards: [{ ...card, pan: '1' }] }, ['registration: It has an unknown property, perhaps a misspelled one.']],
    [{ billTo: { ...ada.billTo, country: 'gb' } }, ['billTo.country: It must be two capital letters.']],
    [
      { assuranceData: [assured, { ...assured, verificationType: 7 }] },
      ['assuranceData[1].verificationType: It must be one of CARDHOLDER, DEVICE.'],
    ],
    [
      { assuranceData: [{ ...assured, verificationEvents: ['01', '09'] }] },
      ['assuranceData[0].verificationEvents[1]: It must be one of 01, 02, 03, 04.'],
    ],
    [
      { consumerIdentity: 'x', buyerInformation: { language: '' } },
      ['consumerIdentity: It must be an object.', 'buyerInformation.language: It must have at least 1 character.'],
    ],
    [
      { deviceInformation: { ...ada.deviceInformation, deviceData: { type: 7, brand: 'Example' } } },
      ['deviceInformation.deviceData.type: It must be text.'],
    ],
    [{ billTo: { email: null } }, ['billTo.email: It must be text.']],
    [{ billTo: { note: 'card 4111 1100 0000 1235' } }, ['billTo.note: It looks like a card number.']],
    [{ billTo: { notes: ['a', '4111110000001235'] } }, ['billTo.notes.1: It looks like a card number.']],
  ])('says of %j what is wrong, and where', async (given, faults) => {
    expect(await faultsOf(given)).toEqual(faults);
  });

  it('takes what is just right', async () => {
    const longest = Object.fromEntries([...ids, ...texts].map((name) => [name, 'a'.repeat(limits.textCharacters)]));
    const cards = [{ ...card, ...longest, handle: `card_${'a'.repeat(58)}`, label: 'a'.repeat(40) }];
    const given = { displayName: 'a'.repeat(80), handle: `shopper_${'a'.repeat(55)}`, cards };
    expect(await faultsOf(given)).toBe('registered');
  });

  it.each<[string, object]>([
    ['a part that is nothing', { billTo: null }],
    ['a member of its own that is nothing', { billTo: { note: null } }],
    ['a list of nothing', { assuranceData: [null] }],
    ['an empty list', { consentData: [] }],
  ])('takes %s: a call that needs more says so', async (_, given) => {
    expect(await faultsOf(given)).toBe('registered');
  });

  it.each<[string, object, string]>([
    ['text in place of a list', { assuranceData: 'x' }, 'assuranceData: It must be a list.'],
    ['an object in place of a list', { consentData: { id: '1' } }, 'consentData: It must be a list.'],
    ['text in place of an object', { billTo: 'Main Road 1' }, 'billTo: It must be an object.'],
    ['a list in place of an object', { billTo: ['Main Road 1'] }, 'billTo: It must be an object.'],
    [
      'text deep within, in place of a list',
      { buyerInformation: { personalIdentification: 'P-1' } },
      'buyerInformation.personalIdentification: It must be a list.',
    ],
  ])('takes no %s, and says so once', async (_, given, fault) => {
    expect(await faultsOf(given)).toEqual([fault]);
  });

  it('has no card where it brings none', async () => {
    const it = await shop();
    expect(await registered(it, { handle: 'shopper_new', displayName: 'Zoe' })).toEqual({
      ok: true,
      value: { shopper: 'shopper_new', cards: [] },
    });
    const cards = await it.parts.ledger.transaction('default', (tx) =>
      tx.observations.list({ kind: 'card', owner: 'shopper_new' }, { limit: 10 }),
    );
    expect(cards.total).toBe(0);
  });

  it('that can not be kept is no fault of the registration', async () => {
    const it = await shop();
    const transaction = () => Promise.reject(new Error('broken'));
    const broken = { ...it.parts, ledger: { ...it.parts.ledger, transaction } };
    await expect(registerShopper(broken, 'default', { displayName: 'Zoe' })).rejects.toThrow('broken');
  });

  it('names the rule of each fault', async () => {
    const rules = async (given: object) => {
      const it = await checked(given);
      return it.ok ? [] : it.faults.map(({ rule }) => rule);
    };
    expect([
      await rules({ handle: 'x' }),
      await rules({ billTo: { ...ada.billTo, country: 'gb' } }),
      await rules({ billTo: { note: '4111110000001235' } }),
      await rules({ assuranceData: [{ ...ada.assuranceData[0], verificationTimestamp: 'now' }] }),
    ]).toEqual([['EN-01'], ['AP-01'], ['EN-05'], ['AP-02']]);
  });
});

describe('a receipt', () => {
  it('is kept beside its purchase, which points to it, and stands in the audit', async () => {
    const it = await shop();
    const instruction = await it.bought();
    await it.advance(9);
    const told = await it.pay(instruction);
    const receipt = told.ok ? told.value.receipt : '';
    expect([await known(it, receipt), await known(it, instruction)]).toMatchObject([
      {
        kind: 'receipt',
        owner: 'shopper_ada',
        state: 'none',
        createdAt: start + 9_000,
        body: {
          instruction,
          transactionType: 'PURCHASE',
          transactionStatus: 'APPROVED',
          amount: '39.90',
          currency: 'EUR',
        },
      },
      { body: { receipt }, updatedAt: start + 9_000 },
    ]);
    expect((await it.audit()).at(-1)).toMatchObject({
      event: 'receipt',
      body: { receipt, instruction },
      at: start + 9_000,
    });
  });

  it('may say all that a confirmation tells the platform, and nothing else', async () => {
    const it = await shop();
    const instruction = await it.bought();
    const more = {
      ...{ responseCode: '00', approvalCode: '123456', retrievalReferenceNumber: 'r-1', systemTraceAuditNumber: '7' },
      ...{ acquirerReferenceNumber: 'a-1', entryMode: 'ECOMMERCE', dynamicDataId: 'd-1' },
      ...{ orderId: 'order-1', orderStatus: 'SHIPPED', orderDate: '2026-01-15', expectedDeliveryDate: '2026-01-20' },
      ...{ trackingId: 't-1', carrier: 'Post', transactionTimestamp: '1768467600' },
    };
    const told = await it.pay(instruction, more);
    expect(told.ok && (await known(it, told.value.receipt))?.body).toMatchObject(more);
    expect(await it.pay(instruction, { ...more, entryMode: 'GUESS', carrier: '', currency: 'XXY', note: 'x' })).toEqual(
      {
        ok: false,
        faults: expect.arrayContaining([
          { field: 'registration', rule: 'EN-01', because: 'It has an unknown property, perhaps a misspelled one.' },
          {
            field: 'entryMode',
            rule: 'EN-01',
            because: 'It must be one of EMV, CONTACTLESS, MANUAL, ECOMMERCE, WALLET.',
          },
          { field: 'carrier', rule: 'EN-01', because: 'It must have at least 1 character.' },
          { field: 'currency', rule: 'EN-01', because: 'It is not an ISO 4217 currency.' },
        ]),
      },
    );
  });

  it('takes no card number, but the number of a parcel that looks like one', async () => {
    const it = await shop();
    const instruction = await it.bought();
    expect(await it.pay(instruction, { orderId: 'card 4929421234600821' })).toEqual({
      ok: false,
      faults: [{ field: 'orderId', rule: 'EN-05', because: 'It looks like a card number.' }],
    });
    expect(await it.pay(instruction, { trackingId: '4929421234600821' })).toMatchObject({ ok: true });
  });

  it('is for a purchase that is there', async () => {
    const it = await shop();
    const faults = [{ field: 'instruction', rule: 'EN-02', because: 'There is no purchase with this handle.' }];
    expect([await it.pay('instr_none'), await it.pay('card_ada')]).toEqual([
      { ok: false, faults },
      { ok: false, faults },
    ]);
  });

  it.each([
    ['nothing', {}, ['instruction', 'transactionType', 'transactionStatus', 'amount', 'currency']],
    ['no object', 'x', ['registration']],
    [
      'an amount that is none, and a handle that is too long',
      {
        instruction: 'a'.repeat(65),
        transactionType: 'PURCHASE',
        transactionStatus: 'APPROVED',
        amount: '1,00',
        currency: 'EUR',
      },
      ['instruction', 'amount'],
    ],
  ])('is told what is missing or wrong of it: %s', async (_, given, fields) => {
    const it = await shop();
    const told = await registerReceipt(it.parts, 'default', given);
    expect(told.ok ? [] : told.faults.map(({ field }) => field).toSorted()).toEqual(fields.toSorted());
  });
});
