import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { limits } from '../../../src/core/limits.ts';
import { transactionStatuses } from '../../../src/domains/device/statuses.ts';
import type { Kind } from '../../../src/domains/facts.ts';
import { kindTable } from '../../../src/domains/index.ts';
import { sandboxPasskey } from '../../../src/domains/passkey/settings.ts';
import type { SentRequest } from '../../../src/engine/sent-request.ts';
import { everyTool } from '../../../tools/index.ts';
import { isEmpty, many, narrowed, paged } from '../../../tools/pages.ts';
import { type Lines, type Mechanisms, told } from './lines.ts';
import { valueFor } from './schema-values.ts';
import { start } from './thing-bodies.ts';
import { amounts, args, byTool, factsOf, platformTools, sentOf, thingsOf, tried } from './tool-facts.ts';

// What each tool says, asks and stores by how much is known of its thing: nothing, as much as every thing has, or all that one can have.

/** Answers with the least that they may have. */
const report = { reportId: 'one', reportName: 'January', status: 'COMPLETED' };
const bareAnswers: { readonly [operation: string]: readonly object[] } = {
  listReports: [1, 2].map((pages) => ({
    reportSearchResults: Array.from({ length: pages * limits.reportRows }, () => report),
  })),
  listWebhookSubscriptions: [[{}], [{ name: 'Purser', webhookUrl: 'https://a:b@shop.example.com/hook?key=1' }]],
  getPurchaseRefundDetails: [
    { requestDetails: [{ requestId: 'one' }] },
    {
      requestDetails: [{ requestId: 'one' }],
      settlements: [{ requestId: 'one' }],
      feeAndFundingDetails: [{ requestId: 'one' }],
    },
  ],
};
/** What is held of 14000 JPY, and at which rate of the offer. */
const partlyHeld: readonly (readonly [held: string, more: object])[] = [
  ['14000', {}],
  ['7000', {}],
  ['7000', { inverted: undefined }],
  ['7000', { exchangeRate: '0.005', inverted: true }],
  ['7000', { localCurrency: 'XYZ' }],
];

const mint = (kind: Kind): string => `${kind}_new`;

/** Bodies of changes that a person finds to have happened. */
const sentChanges: Readonly<Record<string, readonly object[]>> = {
  amend_plan: [
    {},
    { planInformation: {} },
    { orderInformation: { amountDetails: { billingAmount: '12' } } },
    {
      planInformation: {
        ...{ name: 'Coffee', description: 'A bag', code: 'C-1' },
        ...{ billingPeriod: { length: '2', unit: 'W' }, billingCycles: { total: '6' } },
      },
      orderInformation: { amountDetails: { currency: 'GBP', billingAmount: '12', setupFee: '3' } },
    },
  ],
  update_purchase: [
    { mandates: [] },
    ...[{}, { preferredMerchantName: 'Harbour Radio', recurringPaymentInformation: { occurrence: 'WEEKLY' } }].map(
      (more) => ({
        mandates: [
          {
            ...{ mandateId: 'mandate', description: 'Cable', effectiveUntilTime: '1768478400' },
            declineThreshold: { amount: '5', currencyCode: 'GBP' },
            ...more,
          },
        ],
      }),
    ),
  ],
};

/** What the script of a page may hand over. */
const handed: readonly Readonly<Record<string, unknown>>[] = [
  {},
  { message: null },
  { message: 'words' },
  { message: [] },
  { message: { fidoResponse: { fidoBlob: 'blob', identifier: 'id', rpID: 'rp' } }, approval: 'apr_one' },
  { message: { assuranceData: { fidoBlob: 'blob', identifier: 'id', rpID: 'rp' } }, approval: undefined },
];

const lists = [
  { rows: [], total: 0 },
  { rows: [1, 2, 3], total: 3 },
  { rows: [1, 2, 3], total: 7, more: 'next' },
  { rows: [1, 2, 3], total: 1_000, isCapped: true as const, more: 'next' },
];

export const toolMechanisms: Mechanisms = {
  'what an app is shown of a thing': () =>
    (Object.keys(kindTable) as Kind[]).flatMap((kind) =>
      (['little', 'all'] as const).flatMap((known) => {
        const thing = thingsOf(known)[kind];
        const shown = thing && kindTable[kind].forApp?.({ state: thing.state, body: { ...thing.body } });
        return shown === undefined ? [] : [[`${kind}, ${known}`, shown] as const];
      }),
    ),
  'what a person is asked, by how much is known': () => [
    ...byTool(({ policy: { approval } }, facts) => approval && [approval.title(facts), ...approval.text(facts)], args),
    ...byTool(({ policy: { approval } }, facts) => approval && { needed: approval.needed(facts) }, args),
  ],
  'what was agreed to before': () =>
    byTool(({ input, policy: { approval } }, facts) => {
      const { before } = approval ?? {};
      if (before === undefined) return undefined;
      return Object.fromEntries(Object.keys(input.args).map((name) => [name, before(facts, name) ?? 'the same']));
    }, args),
  'what counts against limits, by how much is known': () =>
    byTool(({ policy: { spend } }, facts) => spend?.(facts), args),
  'what missed payments count against limits': () => {
    const { subscription } = thingsOf('all');
    const tool = platformTools.find(({ operation }) => operation === 'reactivateSubscription');
    const counts = [undefined, '0', '2'] as const;
    if (subscription === undefined) throw new Error('There is a body for each kind.');
    return counts.flatMap((missedCount) =>
      [undefined, '0', '19.98'].map((missedAmount) => {
        const known = { ...subscription, body: { ...subscription.body, missedCount, missedAmount } };
        const facts = { ...factsOf('all', { collect_missed: true }), things: { subscription: known } };
        return [`${missedCount} payments, ${missedAmount} in all`, tool?.policy.spend?.(facts)] as const;
      }),
    );
  },
  'what one call at a time may change, by how much is known': () =>
    byTool(({ policy: { lockKey, dependsOn, restsOn } }, facts) =>
      [lockKey, dependsOn, restsOn].flatMap((of) => of?.(facts) || []).join(' '),
    ),
  'which tools show customers what a call writes': () =>
    byTool(({ policy: { releasedBy } }, facts) => releasedBy?.(facts), { how: 'draft', apply_to: 'ALL' }),
  'what a request says that no argument gives': () => [
    ...byTool(
      ({ input: { computes, carryOver } }, facts) => computes && { ...carryOver?.(facts), ...computes(facts) },
      args,
    ),
    ...[undefined, 'direct', 'foreign'].flatMap((processing) =>
      byTool(({ input: { computes } }, facts) => {
        const asIt = computes?.(facts);
        const otherwise = computes?.({ ...facts, merchant: { ...facts.merchant, processing } });
        return isDeepStrictEqual(asIt, otherwise)
          ? undefined
          : { [`as ${processing ?? 'nothing'} processes`]: otherwise };
      }),
    ),
  ],
  'what a machine is told of a thing': () =>
    byTool(({ observe }, { things, now, args }) =>
      (observe.moves ?? observe.looksAt)?.entity(things, now, undefined, args),
    ),
  'what an agent is shown, by how much is known': () =>
    byTool(({ present }, facts) => present.toOutput(facts.things, facts, { body: {} } as never)), // those that show the ledger's own
  'what is stored after an answer that says nothing': () =>
    byTool(
      ({ observe }, facts) =>
        observe.observations(facts, { status: 200, body: {} } as never, {
          ...{ state: 'ACTIVE', began: start, mint, authored: {} as never, approved: true, sealed: undefined },
        }),
      args,
    ),
  'what is stored, by whether an argument is true': () =>
    byTool(({ observe, inputSchema }, facts) => {
      const shape: Readonly<Record<string, z.ZodType | undefined>> = inputSchema.shape;
      const flags = Object.keys(shape).filter((name) => shape[name]?.safeParse(true).success === true);
      const storedOf = (given: object) =>
        told(
          observe.observations({ ...facts, args: { ...facts.args, ...given } }, { status: 200, body: {} } as never, {
            ...{ state: 'ACTIVE', began: start, mint, authored: {} as never, approved: true, sealed: undefined },
          }),
        );
      return flags.flatMap((name) =>
        storedOf({ [name]: true }) === storedOf({ [name]: false })
          ? []
          : [true, false].map((given) => `${name} ${given}: ${storedOf({ [name]: given })}`),
      );
    }, args),
  'what one argument by itself changes of limits, locks and questions': () =>
    platformTools.flatMap(({ name, policy, inputSchema }) => {
      const shape: Readonly<Record<string, z.ZodType | undefined>> = inputSchema.shape;
      const decided = (given: object): string => {
        const facts = factsOf('all', { ...(shape.apply_to === undefined ? {} : { apply_to: 'ALL' }), ...given });
        return told([
          tried(() => policy.spend?.(facts)) ?? 'no limit',
          tried(() => policy.lockKey(facts)) ?? 'no lock',
          tried(() => policy.dependsOn?.(facts)) ?? 'nothing',
          tried(() => policy.approval?.needed(facts)) ?? 'unknown',
        ]);
      };
      const without = decided({});
      return Object.entries(shape).flatMap(([argument, schema]) => {
        const given = schema === undefined ? undefined : tried(() => valueFor(schema, 'all'));
        const comes = decided({ [argument]: given });
        return comes === without ? [] : [[`${name}, ${argument}`, comes] as const];
      });
    }),
  'what of an answer contradicts a call, by its status': () =>
    platformTools.flatMap(({ name, observe: { contradicts } }): Lines => {
      if (contradicts === undefined) return [];
      const found = [undefined, 'PENDING', 'DECLINED', ...transactionStatuses].map((status) => {
        const answer = { status: 200, body: status === undefined ? {} : { status } };
        const told = tried(() => contradicts(factsOf('all', args), answer as never, sentOf(undefined)) ?? 'nothing');
        return [status ?? 'none', told ?? 'it needs more'] as const;
      });
      return [...Map.groupBy(found, ([, told]) => told)].map(
        ([told, all]) => [`${name}, ${all.map(([status]) => status).join(' ')}`, told] as const,
      );
    }),
  'what is asked of a lost call': () =>
    platformTools.flatMap(({ name, reconcile: { readBack } }) => {
      if (readBack === undefined) return [];
      const [bare, full] = [
        undefined,
        { withID: 'one', organizationId: 'shop', planInformation: { code: 'TEA-1' } },
      ].map((body) => readBack.with(sentOf(body)));
      return isDeepStrictEqual(bare, full)
        ? [[name, bare]]
        : [
            [`${name}, without a body`, bare],
            [`${name}, with one`, full],
          ];
    }),
  'what is noted with a call that may be lost': () =>
    byTool(({ reconcile: { readBack } }, facts) => readBack?.notes?.(facts), args),
  'what a change leaves behind that a person finds to have happened': () =>
    platformTools.flatMap(({ name, reconcile: { confirmed } }) =>
      confirmed === undefined
        ? []
        : (sentChanges[name] ?? [{}]).map((sent) => [
            `${name}, ${JSON.stringify(sent).replaceAll('"', '')}`,
            confirmed(factsOf('all', args), sentOf(sent as SentRequest['body']), {} as never),
          ]),
    ),
  'what a customer reads on a page, by how much is known': () =>
    byTool(({ page }, facts) => page && [...page.text(facts), ...(page.table?.(facts) ?? []).map(String)]),
  'what the script of a page is given and hands over': () =>
    platformTools.flatMap(({ name, page }) => {
      const { module } = page ?? {};
      if (module === undefined) return [];
      const own = { passkey: sandboxPasskey };
      const { iframe: _, ...withoutIframe } = sandboxPasskey;
      const settings = [{}, { passkey: withoutIframe }, own];
      const at = 'http://127.0.0.1:1234';
      return [
        ...settings.map((configured, nth): [string, unknown] => [
          `${name}, ${['without settings', 'without a frame', 'with one'][nth]}`,
          [
            module.frames(configured, at) ?? 'no frames',
            ...amounts.map((known) => module.given({ ...factsOf(known), configured }, at)),
          ],
        ]),
        ...handed.map((it): [string, unknown] => [`${name}, ${JSON.stringify(it)}`, module.read(it)]),
      ];
    }),
  'what an agent is shown of an answer that leaves things out': () =>
    platformTools.flatMap((tool) =>
      (bareAnswers[tool.operation] ?? []).map((body) => {
        const facts = factsOf('nothing', { by: 'made' });
        const shown = tool.present.toOutput(facts.things, facts, { status: 200, body } as never); // of the shape that it reads
        const items =
          Array.isArray(shown.items) && shown.items.length > 2 ? `${shown.items.length} of them` : shown.items;
        return [`${tool.name}, ${JSON.stringify(body).slice(0, 100)}`, { ...shown, items }] as const;
      }),
    ),
  'an authorization of a part': () =>
    partlyHeld.map(([held, more]) => {
      const facts = factsOf('all');
      const { offer } = facts.things;
      const things =
        offer === undefined ? facts.things : { ...facts.things, offer: { ...offer, body: { ...offer.body, ...more } } };
      const tool = platformTools.find(({ operation }) => operation === 'authorizePayment');
      const body = {
        ...{ id: 'payment', status: 'PARTIAL_AUTHORIZED' },
        orderInformation: { amountDetails: { authorizedAmount: held, currency: 'JPY' } },
      };
      const stored = tool?.observe.observations({ ...facts, things }, { status: 201, body } as never, {
        ...{ state: 'AUTHORIZED', began: start, mint, authored: {} as never, approved: true, sealed: undefined },
      });
      const [charge] = stored as readonly { readonly body: Readonly<Record<string, unknown>> }[]; // it is made at once
      return [
        `${held} JPY, ${JSON.stringify(more, (_, it: unknown) => it ?? 'nothing')}`,
        `${charge?.body.localAmount} ${charge?.body.localCurrency}, ${charge?.body.billingAmount} ${charge?.body.billingCurrency}`,
      ];
    }),
  'what is said of a list, by what is found': () =>
    platformTools.flatMap((tool) =>
      [{}, { name: 'Tea' }, { status: 'ACTIVE' }].flatMap((given) => {
        const body = {
          totalCount: 0,
          totalInvoices: 0,
          plans: [],
          subscriptions: [],
          payments: [],
          invoices: [],
          items: [],
        };
        const states = [0, 2].map((totalCount) =>
          tried(() =>
            tool.observe.stateFromResponse?.(
              { status: 200, body: { ...body, totalCount } } as never,
              given,
              {},
              start,
              undefined,
            ),
          ),
        );
        const [none] = states;
        return none === undefined ? [] : [[`${tool.name}, ${JSON.stringify(given)}`, states] as const];
      }),
    ),
  'rates that an agent is told': async () => {
    const limits = everyTool.find(({ name }) => name === 'get_limits');
    if (limits?.kind !== 'local') throw new Error('There is no such tool.');
    const unlimited = Object.fromEntries(
      ['read', 'write', 'money'].map((effect) => [
        effect,
        { burst: Number.POSITIVE_INFINITY, everyMilliseconds: 60_000 },
      ]),
    );
    const rates = [60_000, 59_000, 7_000, 8_000, 125].map((everyMilliseconds) => ({
      conversation: { ...unlimited, money: { burst: 3, everyMilliseconds } },
      principal: unlimited,
    }));
    const told = [{ conversation: unlimited, principal: unlimited }, ...rates].map(async (rates) => {
      const context = { settings: { limits: [], mandates: [], rates }, caller: {}, now: start };
      const { data } = await limits.run({}, context as never); // all that it looks at
      return [
        `every ${rates.conversation.money?.everyMilliseconds} ms, ${rates.conversation.money?.burst}`,
        data,
      ] as const;
    });
    return Promise.all(told);
  },
  'a page of a list': () =>
    lists.flatMap((list) =>
      [undefined, 'cursor'].map((cursor) => {
        const odd = narrowed<number>(list, cursor, (it) => it % 2 === 1);
        const none = narrowed<number>(list, cursor, () => false);
        return [
          `${list.rows.length} of ${many(list)}${cursor === undefined ? '' : ', after others'}`,
          [paged(list, list.rows), isEmpty(list), paged(odd, odd.rows), many(odd), isEmpty(none), many(none)],
        ];
      }),
    ),
};
