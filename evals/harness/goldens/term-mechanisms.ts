import { z } from 'zod';
import { hasDuplicateKeys } from '../../../src/core/duplicate-keys.ts';
import type { FileSpec } from '../../../src/core/file-answer.ts';
import { createRowCounter } from '../../../src/core/row-counter.ts';
import { wordOfUnit } from '../../../src/core/schedule.ts';
import type { KindSpec, Thing } from '../../../src/core/thing.ts';
import { guards } from '../../../src/domains/billing/guards.ts';
import { subscription as subscriptionMachine } from '../../../src/domains/billing/machines.ts';
import type { Facts } from '../../../src/domains/facts.ts';
import { contract, kindTable } from '../../../src/domains/index.ts';
import { personalIn } from '../../../src/domains/invoicing/personal-data.ts';
import { sealing } from '../../../src/domains/passkey/credentials.ts';
import { sealing as purchaseSealing } from '../../../src/domains/purchase/credentials.ts';
import { knownPath } from '../../../src/engine/name-suggestions.ts';
import { everyTool } from '../../../tools/index.ts';
import { purchaseEntity } from '../../../tools/purchase/instruction.ts';
import { showTerms } from '../../../tools/purchase/mandate.ts';
import { each, type Mechanisms } from './lines.ts';
import { start } from './thing-bodies.ts';
import { factsOf, tried } from './tool-facts.ts';

// What tools and domains read of offers, purchases, credentials and texts, at the bounds that stories rarely come to.

const machineStates = ['ACTIVE', 'PENDING', 'COMPLETED', 'CANCELLED', 'EXPIRED'] as const;

/** The platform's offer of a currency for ten pounds, with this in its place. */
const offer = (more: object) => ({
  body: {
    ...{ id: 'offer-1', status: 'PENDING' },
    orderInformation: {
      currencyConversion: {
        offer: [
          {
            ...{
              originalAmount: '10.00',
              originalCurrency: 'GBP',
              amount: '11.50',
              currency: 'EUR',
              exchangeRate: '1.15',
            },
            ...more,
          },
        ],
      },
    },
  },
});
const offered: readonly object[] = [
  {},
  ...['0.00', '0.01', '0.011', 'many', '-1.00'].map((amount) => ({ amount })),
  ...['0', '0.0', '0.01'].map((exchangeRate) => ({ exchangeRate })),
  ...['GBP', 'XXX'].map((currency) => ({ currency })),
  ...['10', '10.01', ''].map((originalAmount) => ({ originalAmount })),
  { originalCurrency: 'EUR' },
];

/** What is refused of a subscription in a state, if one argument is given, by rule. */
const heldBack = (state: string): readonly string[] => {
  const tool = everyTool.find(({ name }) => name === 'update_subscription');
  if (tool?.kind !== 'platform') throw new Error('There is no such tool.');
  const own = guards.filter(({ on }) => on.includes('updateSubscription'));
  return Object.keys(tool.inputSchema.shape).flatMap((name) => {
    const facts = factsOf('all', { [name]: 'another' });
    const subscription = facts.things.subscription && { ...facts.things.subscription, state };
    const things = { ...facts.things, subscription } as Facts['things']; // it has one
    const asked = { ...facts, args: { [name]: 'another' }, things };
    const broken = own.filter((guard) => tried(() => guard.holds(asked)) === false).map(({ id }) => id);
    return broken.length === 0 ? [] : [`${name}: ${broken.join(' ')}`];
  });
};

export const termMechanisms: Mechanisms = {
  'what is refused of a change, by the state of its subscription': () =>
    subscriptionMachine.existing.map((state) => [state, heldBack(state)]),
  'words of units of time': () =>
    ['D', 'd', 'W', 'M', 'm', 'Y', 'X', ''].map((unit) => [`"${unit}"`, wordOfUnit(unit) ?? 'none']),
  'an offer of a currency for ten pounds': () => {
    const tool = everyTool.find(({ name }) => name === 'offer_conversion');
    if (tool?.kind !== 'platform') throw new Error('There is no such tool.');
    const args = { price: { amount: '10.00', currency: 'GBP' } };
    const entity = (more: object) => tool.observe.moves?.entity({}, start, offer(more) as never, args); // all that it looks at
    return offered.map((more) => [JSON.stringify(more), (entity(more) as { readonly eligible?: boolean }).eligible]);
  },
  'a purchase, by what was released and is known to be paid': () =>
    [undefined, 0, 1, 2].flatMap((releases) =>
      [undefined, 'APPROVED', 'DECLINED'].map((transactionStatus) => {
        const instruction = { state: 'PAYING', body: { releases, until: start / 1_000 } };
        const receipt = transactionStatus === undefined ? undefined : { body: { transactionStatus } };
        const things = { instruction, receipt } as never; // all that it looks at
        return [
          `${releases ?? 'nothing'} released, ${transactionStatus ?? 'no receipt'}`,
          [start - 1, start].map((now) => purchaseEntity(things, now)),
        ];
      }),
    ),
  'terms of a purchase, as an agent is shown them': () => [
    ['none', showTerms({})],
    ['nothing known', showTerms()],
    [
      'all',
      showTerms({
        ...{ 'mandates[].merchantCategory': 'Tea', 'mandates[].merchantCategoryCode': '5499', consumerPrompt: 'Tea' },
        ...{ 'mandates[].quantity': '2', 'mandates[].recurringPaymentInformation.occurrence': 'MONTHLY' },
      }),
    ],
  ],
  'digits of credentials that a mandate released': () => {
    const changes: readonly (readonly [what: string, change: object])[] = [
      ['as they are', { eci: '05' }],
      ...[11, 12, 19, 20].map((length) => [`a number of ${length}`, { number: '4'.repeat(length) }] as const),
      ...[1, 2, 3].map((length) => [`a month of ${length}`, { expirationMonth: '1'.repeat(length) }] as const),
      ...[3, 4, 5].map((length) => [`a year of ${length}`, { expirationYear: '2'.repeat(length) }] as const),
      ...[0, 1, 20, 21, 40, 41].map((length) => [`a type of ${length}`, { type: 'x'.repeat(length) }] as const),
      ...['123', '1234', 'a-_B', 'a b'].map((type) => [`the type ${type}`, { type }] as const),
      ['no type', { type: undefined }],
      ['no cryptogram', { cryptogram: undefined }],
    ];
    return each(changes, async ([what, change]) => {
      const claims = { number: '4111111111111111', expirationMonth: '12', expirationYear: '2030', type: 'PAN' };
      const payload = Buffer.from(JSON.stringify({ ...claims, cryptogram: 'AAAA', ...change })).toString('base64url');
      const opened = await purchaseSealing.open({ signedPayload: `e30.${payload}.`, authorization: 'their' });
      return [what, opened && 'shown' in opened ? [opened.shown, Object.keys(opened.secret ?? {})] : opened];
    });
  },
  'digits of payment credentials': () => {
    const card = { number: '4111111111111111', cryptogram: 'AAAA', expirationMonth: '12', expirationYear: '2030' };
    const digits = '4111111111111111111111';
    const changes: readonly (readonly [what: string, change: object])[] = [
      ...[11, 12, 13, 16, 19, 20].map(
        (length) => [`a number of ${length}`, { number: digits.slice(0, length) }] as const,
      ),
      ...[1, 2, 3].flatMap((length) =>
        ['expirationMonth', 'eci'].map((name) => [`${name} of ${length}`, { [name]: '0'.repeat(length) }] as const),
      ),
      ...[2, 3, 4, 5].flatMap((length) => [
        [`expirationYear of ${length}`, { expirationYear: '2'.repeat(length) }] as const,
        [`card.suffix of ${length}`, { card: { suffix: '2'.repeat(length) } }] as const,
      ]),
      ...[0, 1].map((length) => [`a cryptogram of ${length}`, { cryptogram: 'A'.repeat(length) }] as const),
      ...[40, 41].map((length) => [`a type of ${length}`, { type: 'x'.repeat(length) }] as const),
    ];
    return each(changes, async ([what, change]) => {
      const opened = await sealing.open({ tokenizedCard: { ...card, ...change } });
      return [what, opened !== undefined && 'unreadable' in opened ? opened.unreadable : 'read'];
    });
  },
  'an indicator of commerce, by the eci of credentials': () => {
    const [shape] = Object.values(contract.createPaymentCredentials.output);
    if (!(shape instanceof z.ZodType)) throw new Error('It has an output.');
    const tokenizedCard = {
      number: '4111111111111111',
      cryptogram: 'AAAA',
      expirationMonth: '12',
      expirationYear: '2030',
    };
    return ['05', '06', '07', '02', ''].flatMap((eci) =>
      [undefined, 'vbv', 'vbv_attempted', 'internet', 'spa'].map((commerceIndicator) => {
        const read = shape.safeParse({
          tokenizedCard: { ...tokenizedCard, eci },
          processingInformation: { commerceIndicator },
        });
        return [
          `${eci}, ${commerceIndicator ?? 'none'}`,
          read.success ? 'read' : read.error.issues.map(({ path }) => path),
        ];
      }),
    );
  },
  'personal data in a text that must not have any': () =>
    [
      'Repair of a lamp',
      'For Ada Example',
      'For ＡＤＡ EXAMPLE',
      'ada@example.com',
      '123-45-6789',
      'DE89 3704 0044 0532 0130 00',
      '+44 20 7946 0958',
      '020 7946 0958',
      'Born in May',
    ].flatMap((text) =>
      [['Ada Example'], [' '], ['']].map(
        (known) => [`"${text}", known "${known}"`, personalIn(text, known) ?? 'none'] as const,
      ),
    ),
  'JSON texts that have a property twice': () =>
    [
      '{"a":1,"a":2}',
      '{"a":1,"\\u0061":2}',
      '{"a":{"b":1},"b":2}',
      '{"a":{"b":1,"b":2}}',
      '{"a":{"x":1},"b":{"x":2}}',
      '[{"a":1},{"a":2}]',
      '{"a":"{\\"a\\":1}","b":"a"}',
      '{"a" :1, "a" :2}',
      '{}',
    ].map((text) => [text, hasDuplicateKeys(text) ? 'twice' : 'once']),
  'rows of XML that are counted, by the length of other names': () =>
    [1, 127, 128, 129, 500].flatMap((length) =>
      ['row', 'r'.repeat(length)].map((element) => {
        const name = 'r'.repeat(length);
        const counter = createRowCounter('application/xml', { element, json: undefined } as unknown as FileSpec); // all it reads
        counter.add(new TextEncoder().encode(`<all><row/><${name}>x</${name}><row>x</row><!--<row>--></all>`));
        return [`${element === 'row' ? 'row' : 'the name'}, beside one of ${length} letters`, counter.rows()] as const;
      }),
    ),
  'until when what was released may be redeemed': () => {
    const end = start + 60_000;
    return Object.entries<KindSpec>(kindTable).flatMap(([kind, { secret }]) => {
      const { releasedFor } = secret ?? {};
      if (releasedFor === undefined) return [];
      return machineStates.map((state) => {
        const body = { until: String(end / 1_000), limit: '1.00', amount: '1.00', currency: 'GBP' };
        const it = { state, body } as unknown as Thing;
        const whens = [-1, 0, 1].filter((later) => releasedFor.allows(it, it, end + later));
        return [`${kind}, ${state}`, whens.map((it) => `${it} ms`).join(', ') || 'never'] as const;
      });
    });
  },
  'the part of a path that a shape declares': () => {
    const shape = z.object({ a: z.array(z.object({ b: z.string() })), c: z.record(z.string(), z.string()) });
    return [
      ['a', 0, 'b'],
      ['a', '0', 'x'],
      ['a', 'b'],
      ['constructor'],
      ['toString', 'a'],
      ['__proto__'],
      ['c', 'd'],
      [],
    ].map((path) => [path.join('.') || 'none', knownPath(shape, path)]);
  },
};
