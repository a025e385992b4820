import { limits } from '../../../src/core/limits.ts';
import type { Things } from '../../../src/domains/facts.ts';
import { kindTable } from '../../../src/domains/index.ts';
import { showDevice } from '../../../tools/device/presentation.ts';
import { showContents } from '../../../tools/reporting/subscriptions.ts';
import type { Lines, Mechanisms } from './lines.ts';
import { bodies, start } from './thing-bodies.ts';
import { factsOf, platformTools, thingsOf } from './tool-facts.ts';

// What is shown only where something is as it should be.

/** Versions as an app reports them, and words in their place. */
const versions = (): Lines =>
  ['', '1', '2.10.0', '1.2.3.4.5.6.7.8', '1.2.3.4.5.6.7.8.9', 'v2', '2.10 ', 'Say yes', '٢.١', undefined].map(
    (version) => {
      const body = { ...bodies.cardReader[0], sdkVersion: version, osVersion: version };
      const cardReader = {
        handle: 'reader_one',
        kind: 'cardReader',
        owner: '',
        state: 'READY',
        createdAt: start,
        body,
      };
      // Casts: a card reader with one property of a wrong type, and the properties of its output.
      const { sdk, os } = showDevice({ cardReader } as never) as { sdk?: string; os?: string };
      return [`the version ${version}`, [sdk ?? 'nothing', os ?? 'nothing']] as const;
    },
  );

/** Filters and groups of a report, some of which can't be shown whole. */
const contents = (): Lines =>
  [
    {},
    { reportFilters: {} },
    { reportFilters: { 'Application.Name': [] } },
    { reportFilters: { 'Application.Name': ['ics_bill', 'ics_auth'] } },
    { reportFilters: { 'Application.Name': ['ics_bill', '4111111111111111'] } },
    { reportFilters: { 'Application.Name': ['4111111111111111', 'ics_bill'] } },
    { reportFilters: { First: ['4111111111111111'], Second: ['ics_bill'] } },
    { reportPreferences: { signedAmounts: false } },
    { reportPreferences: { signedAmounts: true, fieldNameConvention: 'SOAPI' } },
    { selectedMerchantGroupName: 'North', groupId: 'north' },
    { selectedMerchantGroupName: 'North 4111111111111111', groupId: 'north' },
  ].map((it) => [JSON.stringify(it), showContents(it)] as const);

/** What the app of a customer is given to begin with, and once the issuer asks for more. */
const forApps = (): Lines => {
  const [always, more] = bodies.authentication;
  const told = { ...always, context: 'context', approves: { approval: 'ap_one', text: 'Pay 10.00 GBP.' } };
  return [
    ['nothing known', { ...always, stepUpOptions: [] }],
    ['a context', { ...told, stepUpOptions: [] }],
    [
      'a context and ways to verify',
      { ...told, stepUpOptions: (more as { stepUpOptions?: unknown }).stepUpOptions ?? [] },
    ],
  ].map(([what, body]) => [
    String(what),
    kindTable.authentication.forApp?.({ state: 'CREATED', body: { ...(body as object) } }) ?? 'nothing',
  ]);
};

/** The next payment in an answer, by the payments that the platform lists. */
const nextPayments = (): Lines => {
  const tool = platformTools.find(({ name }) => name === 'get_subscription');
  const [always, more] = bodies.subscription;
  const month = 31 * 86_400_000;
  const payment = (cycle: number, status: string, at = start + (cycle - 1) * month) => ({
    ...{ cycle, status, at, type: 'STANDARD', modifiable: false },
  });
  const skipped = payment(2, 'SCHEDULED_SKIPPED');
  const lists: readonly (readonly [what: string, more: object])[] = [
    ['none', { payments: [] }],
    ['one that is paid', { payments: [payment(1, 'PAID')] }],
    ['two to come', { payments: [payment(3, 'SCHEDULED'), payment(2, 'SCHEDULED')] }],
    ['a skipped one before one to come', { payments: [skipped, payment(3, 'SCHEDULED')] }],
    ['a skipped one', { payments: [skipped], skipped: [2] }],
    [
      'two skipped ones',
      { payments: [skipped, payment(3, 'SCHEDULED_SKIPPED', start + 59 * 86_400_000)], skipped: [2, 3] },
    ],
    ['a skipped one, and the next skipped, too', { payments: [skipped], skipped: [2, 3] }],
    ['a skipped one on another day', { payments: [payment(2, 'SCHEDULED_SKIPPED', start + month + 1)], skipped: [2] }],
    [
      'two skipped ones, of which one is on another day',
      { payments: [skipped, payment(3, 'SCHEDULED_SKIPPED')], skipped: [2, 3] },
    ],
    ['the last one, which is skipped', { payments: [skipped], skipped: [2], total: '2' }],
    ['the last but one, which is skipped', { payments: [skipped], skipped: [2], total: '3' }],
    [
      'a skipped one, read too long ago',
      { payments: [skipped], paymentsReadAt: start - limits.paymentsReadSeconds * 1000 - 1 },
    ],
    [
      'a skipped one, read just in time',
      { payments: [skipped], paymentsReadAt: start - limits.paymentsReadSeconds * 1000 },
    ],
  ];
  return lists.map(([what, own]) => {
    const body = { ...always, ...more, paymentsReadAt: start, ...own };
    const things = { ...thingsOf('all'), subscription: { ...thingsOf('all').subscription, body } } as Things; // one member differs
    const shown = tool?.present.toOutput(things, { ...factsOf('all'), things }, { status: 200, body: {} } as never);
    return [what, shown?.next_payment ?? 'not told'] as const;
  });
};

export const shownMechanisms: Mechanisms = {
  'the versions of a card reader that are shown': versions,
  'the contents of a report that are shown': contents,
  'what the app of a customer is given': forApps,
  'the next payment, by those that are listed': nextPayments,
};
