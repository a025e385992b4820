import { limits } from '../../../src/core/limits.ts';
import type { Page, Paged } from '../../../src/ledger/ledger-transaction.ts';
import type { EventRow, OperationRow } from '../../../src/ledger/rows.ts';
import { translate } from '../../../src/ledger/sqlite-errors.ts';
import type { Anchor, AnchorStore } from '../../../src/ledger/verification.ts';
import { endOf, minute, onLedger, type Step, start, within } from './ledger-steps.ts';
import type { Mechanisms } from './lines.ts';
import { links } from './link-mechanisms.ts';

// The ledger by itself, on a database in memory: what is found, in which order and by pages, what is refused, and what is counted.

type OperationToInsert = Omit<OperationRow, 'tenant' | 'version'>;
const operation = (id: string, of: Partial<OperationToInsert> = {}): OperationToInsert => ({
  ...{ id, principal: 'agent', name: 'pay', subject: `lock_${id}`, reference: `order_${id}`, args: '{}' },
  ...{ argsDigest: 'digest', essenceDigest: 'essence', rulesHash: 'rules', state: 'SENDING', attempt: 1 },
  ...{ startedAt: start, quietUntil: start + minute, request: null, result: null, createdAt: start, updatedAt: start },
  ...of,
});
const approval = (id: string, operationId: string, createdAt = start) => ({
  ...{ id, operationId, principal: 'agent', digest: 'digest', text: 'Allow it', state: 'REQUESTED', approver: null },
  ...{ channel: null, expiresAt: start + minute, decidedAt: null, createdAt },
});
const event = (id: string, of: Partial<EventRow> = {}): Omit<EventRow, 'tenant' | 'version'> => ({
  ...{ id, type: 'made', kind: 'plan', thing: 'plan_one', state: 'RECEIVED', happenedAt: start, dueAt: start },
  ...{ attempts: 0, createdAt: start, updatedAt: start, ...of },
});
const plan = (handle: string, owner = 'ada') => ({
  handle,
  kind: 'plan',
  owner,
  state: 'ACTIVE',
  body: { is: handle },
});

/** All pages of a list, each with its rows and what it says of the others. */
async function pagesOf<Row>(list: (page: Page) => Promise<Paged<Row>>, size: number, name: (row: Row) => unknown) {
  const pages: unknown[] = [];
  for (let cursor: string | undefined; ; ) {
    const { rows, total, isCapped, more } = await list({ limit: size, cursor });
    pages.push(`${rows.map(name).join(' ')} of ${total}${isCapped === true ? ' or more' : ''}`);
    if (more === undefined) return pages.join(', then ');
    cursor = more;
  }
}

const idOf = ({ id }: { readonly id: string }): string => id;
const idsOf = (rows: readonly { readonly id: string }[]): string => rows.map(idOf).join(' ') || 'none';
const updated = ({ state, version }: { readonly state: string; readonly version: number }): string =>
  `${state}, version ${version}`;

const eachId = async (rows: readonly Promise<{ readonly id: string } | undefined>[]): Promise<string> =>
  (await Promise.all(rows)).map((it) => it?.id ?? 'none').join(' ');

const operationsFound: readonly Step[] = [
  within('what there is', async ({ operations }) => {
    const of = (id: string, state: string, minutes: number, more: Partial<OperationToInsert> = {}) =>
      operations.insert(operation(id, { state, createdAt: start + minutes * minute, ...more }));
    await of('a', 'SENDING', 0);
    await of('b', 'UNKNOWN', 1, { quietUntil: start });
    await of('c', 'SUCCEEDED', 2);
    await of('d', 'FAILED', 2, { result: { denied: true } });
    await of('e', 'EXPIRED', 3);
    await of('i', 'FAILED', 3);
    await of('j', 'FAILED', 3, { attempt: 0 });
    await of('f', 'PROPOSED', 4, { principal: 'other' });
    await of('g', 'APPROVED', 30, { argsDigest: 'another', essenceDigest: 'another' });
    return idOf(await of('h', 'RESOLVED', -30, { name: 'refund' }));
  }),
  within('newest first', ({ operations }) => pagesOf((page) => operations.list({}, page), 3, idOf)),
  within('in any of three states', ({ operations }) =>
    pagesOf((page) => operations.list({ states: ['SUCCEEDED', 'FAILED', 'SENDING'] }, page), 2, idOf),
  ),
  within('of a principal', ({ operations }) =>
    pagesOf((page) => operations.list({ principal: 'other' }, page), 2, idOf),
  ),
  within('of a reference', ({ operations }) =>
    pagesOf((page) => operations.list({ reference: 'order_c' }, page), 2, idOf),
  ),
  within('open on a lock', ({ operations }) =>
    eachId(['a', 'b', 'c', 'd'].map((id) => operations.openOn(`lock_${id}`))),
  ),
  within('that take a reference', ({ operations }) =>
    eachId(['a', 'c', 'd', 'e', 'h'].map((id) => operations.byReference('pay', `order_${id}`))),
  ),
  within('the same call', ({ operations }) =>
    eachId([
      ...['agent', 'other'].map((by) => operations.openCall('pay', 'digest', by)),
      ...['another', 'none'].map((digest) => operations.openCall('pay', digest, 'agent')),
    ]),
  ),
  within('the same call that was denied', ({ operations }) =>
    eachId(['agent', 'other'].map((by) => operations.deniedCall('pay', 'digest', by))),
  ),
  ...[-40, 0, 1, 2, 3, 5].map((minutes) =>
    within(`nearly the same call since ${minutes} min`, async ({ operations }) =>
      idsOf(await operations.recentAlike('pay', 'essence', start + minutes * minute)),
    ),
  ),
  ...[-40, 0, 3, 4].map((minutes) =>
    within(`nearly the same call, denied since ${minutes} min`, async ({ operations }) =>
      idsOf(await operations.deniedAlike('pay', 'essence', start + minutes * minute)),
    ),
  ),
  within('a hundred more that were denied', async ({ operations }) => {
    for (let at = 0; at < 100; at++)
      await operations.insert(
        operation(`x${at}`, {
          state: 'FAILED',
          attempt: 0,
          createdAt: start - at,
          essenceDigest: 'often',
          reference: '',
        }),
      );
    const before = (await operations.deniedAlike('pay', 'often', start - minute)).length;
    await operations.insert(operation('y', { state: 'FAILED', attempt: 0, createdAt: start, essenceDigest: 'often' }));
    const found = await operations.deniedAlike('pay', 'often', start - minute);
    return [before, found.length, found[0]?.id, found.at(-1)?.id];
  }),
  within('under way', async ({ operations }) => idsOf(await operations.underWay())),
  ...[-1, 0, minute - 1, minute].map(
    (later): Step => [`overdue after ${later} ms`, async (ledger) => idsOf(await ledger.overdue(start + later))],
  ),
  ['of every tenant', (ledger) => ledger.tenants()],
  ['claimed by another tenant', async (ledger) => idsOf(await ledger.claimOverdue(start + minute, 'one', 60, 'other'))],
  ['claimed', async (ledger) => idsOf(await ledger.claimOverdue(start + minute, 'one', 60))],
  [
    'claimed as unknown, of another name',
    async (ledger) => idsOf(await ledger.claimUnknown(start, ['refund'], 'one', 60)),
  ],
  ['claimed as unknown', async (ledger) => idsOf(await ledger.claimUnknown(start, ['pay'], 'one', 60))],
];

const refusedWrites: readonly Step[] = [
  ['no tenant', (ledger) => ledger.transaction('', async () => 'done')],
  ['reads of no tenant', (ledger) => ledger.read('', async () => 'done')],
  within('an operation', async ({ operations }) => idOf(await operations.insert(operation('a')))),
  within('another one on its lock', ({ operations }) => operations.insert(operation('b', { subject: 'lock_a' }))),
  within('another one of its reference', ({ operations }) =>
    operations.insert(operation('b', { reference: 'order_a' })),
  ),
  within('the same one', ({ operations }) => operations.insert(operation('a', { subject: 'x', reference: 'y' }))),
  within('its approval', async ({ approvals }) => idOf(await approvals.insert(approval('p', 'a')))),
  within('a second approval', ({ approvals }) => approvals.insert(approval('q', 'a'))),
  within('no such approval', ({ approvals }) => approvals.find('none')),
  within('no approval of an operation', ({ approvals }) => approvals.ofOperation('none')),
  within('a thing', async ({ observations }) => (await observations.insert(plan('plan_one'), start)).handle),
  within('the same thing', ({ observations }) => observations.insert(plan('plan_one'), start)),
  within('an event', async ({ events }) => idOf(await events.insert(event('e')))),
  within('the members of rows', async ({ operations, approvals, observations, events }) =>
    [
      await operations.find('a'),
      await approvals.find('p'),
      await observations.find('plan_one'),
      await events.find('e'),
    ].map((row) => Object.keys(row ?? {}).toSorted()),
  ),
  within('rows that were changed since', async ({ operations, approvals, observations, events }) => {
    const rows = [
      await operations.find('a'),
      await approvals.find('p'),
      await observations.find('plan_one'),
      await events.find('e'),
    ] as const;
    if (rows[0] === undefined || rows[1] === undefined || rows[2] === undefined || rows[3] === undefined) return 'lost';
    const [one, two, three, four] = rows;
    const change = [
      () => operations.update(one, { state: 'UNKNOWN' }),
      () => approvals.update(two, { state: 'APPROVED' }),
      () => observations.update(three, { state: 'ENDED' }, start + 1),
      () => events.update(four, { state: 'APPLIED' }),
    ];
    const every = (row: object): object => Object.fromEntries(Object.keys(row).map((it) => [it, 'another']));
    const tries = [() => operations.update(one, every(one)), () => approvals.update(two, every(two))];
    const ends = await Promise.all([...tries, () => events.update(four, every(four))].map(endOf));
    for (const it of change) ends.push(updated(await it()), await endOf(it));
    return ends;
  }),
];

const pages: readonly Step[] = [
  within('things', async ({ observations }) => {
    for (const [at, id] of ['c', 'a', 'b'].entries()) await observations.insert(plan(`plan_${id}`), start + at);
    await observations.insert(plan('plan_d', 'bo'), start);
    for (const handle of ['ada', 'bo', 'cleo'])
      await observations.insert({ ...plan(handle, handle), kind: 'person' }, start);
    return 'four, of two of three people';
  }),
  within('things, oldest first', ({ observations }) =>
    pagesOf(
      (page) => observations.list({ kind: 'plan' }, page),
      3,
      ({ handle }) => handle,
    ),
  ),
  within('things of an owner', ({ observations }) =>
    pagesOf(
      (page) => observations.list({ kind: 'plan', owner: 'ada' }, page),
      2,
      ({ handle }) => handle,
    ),
  ),
  within('how many are whose', async ({ observations }) =>
    Object.fromEntries(await observations.countOwned('plan', ['ada', 'bo', 'cleo'])),
  ),
  within('things by a word of their name', async ({ observations }) => {
    const names = ['Tea for two', 'tea', 'Two teas', 'Coffee', 'tea'];
    for (const [at, name] of names.entries()) {
      await observations.insert(plan(`named_${at}`, 'bo'), start);
      await observations.rename({ kind: 'plan', handle: `named_${at}` }, name);
    }
    const search = (name: string, kind = 'plan') =>
      pagesOf(
        (page) => observations.search({ kind, name }, page),
        2,
        ({ handle }) => handle,
      );
    return [
      await search('te'),
      await search('two'),
      await search('TEA'),
      await search('ea'),
      await search('te', 'person'),
    ];
  }),
  within('the next page of a search, for other things or another word', async ({ observations }) => {
    const first = await observations.search({ kind: 'plan', name: 'te' }, { limit: 1 });
    const next = (kind: string, name: string) =>
      endOf(async () => (await observations.search({ kind, name }, { limit: 1, cursor: first.more })).rows.length);
    return [await next('plan', 'te'), await next('person', 'te'), await next('plan', 'two')];
  }),
  within('a thing without a name, and with one that has no letter', async ({ observations }) => {
    await observations.insert(plan('unnamed', 'bo'), start);
    const ends: unknown[] = [];
    for (const name of ['', '—', '茶', 'q']) {
      await observations.rename({ kind: 'plan', handle: 'unnamed' }, name);
      const search = async (wanted: string) =>
        (await observations.search({ kind: 'plan', name: wanted }, { limit: 9 })).rows.length;
      ends.push([name, await search('茶'), await search('q'), await search('~ q')].join(' '));
    }
    return ends;
  }),
  within('a name that is gone within pages', async ({ observations }) => {
    const first = await observations.search({ kind: 'plan', name: 'te' }, { limit: 1 });
    await observations.rename({ kind: 'plan', handle: first.rows[0]?.handle ?? '' }, 'Coffee');
    return endOf(() => observations.search({ kind: 'plan', name: 'te' }, { limit: 1, cursor: first.more }));
  }),
  within('approvals', async ({ operations, approvals }) => {
    for (const id of ['a', 'b', 'c']) {
      await operations.insert(operation(id));
      await approvals.insert(approval(`of_${id}`, id, start + (id === 'a' ? 1 : 0)));
    }
    return pagesOf((page) => approvals.list({}, page), 2, idOf);
  }),
  within('approvals in a state', ({ approvals }) =>
    pagesOf((page) => approvals.list({ states: [{ state: 'APPROVED' }] }, page), 2, idOf),
  ),
  within('entries of the audit', async ({ audit }) => {
    for (const at of [1, 2, 3])
      await audit.append({ event: `of ${at}`, body: {}, at: start + at, operationId: at === 2 ? undefined : 'a' });
    return pagesOf(
      (page) => audit.list(page),
      2,
      ({ event }) => event,
    );
  }),
  within('entries about an operation', async ({ audit }) => (await audit.of('a')).map(({ event }) => event)),
  ...[0, 1, 1_000, 1_001, 1.5].map((limit) =>
    within(`a page of ${limit}`, async ({ audit }) => (await audit.list({ limit })).rows.length),
  ),
  within('a cursor of another list', async ({ observations, audit }) => {
    const { more = '' } = await observations.list({ kind: 'plan' }, { limit: 1 });
    const cursors = [more, `${more}x`, 'none', Buffer.from('{}').toString('base64url')];
    const list = (cursor: string) => observations.list({ kind: 'plan', owner: 'ada' }, { limit: 1, cursor });
    const inOtherWords = Buffer.from(`${Buffer.from(more, 'base64url')} `).toString('base64url');
    return [
      await endOf(() => observations.list({ kind: 'plan' }, { limit: 1, cursor: inOtherWords })),
      ...(await Promise.all(cursors.map((it) => endOf(() => list(it))))),
      await endOf(() => audit.list({ limit: 1, cursor: more })),
    ];
  }),
  within('more than are counted', async ({ observations }) => {
    const { total: before } = await observations.list({ kind: 'plan' }, { limit: 1 });
    const many = Array.from({ length: limits.countedRows - before }, (_, at) => plan(`plan_of_many_${at}`, 'cleo'));
    await observations.insertAll(many, start);
    const { total, isCapped } = await observations.list({ kind: 'plan' }, { limit: 1 });
    const [last] = await observations.insertAll([plan('plan_last', 'cleo')], start);
    const after = await observations.list({ kind: 'plan' }, { limit: 1 });
    return [total, isCapped ?? 'all', last?.handle, after.total, after.isCapped ?? 'all'];
  }),
];

const kept: readonly Step[] = [
  within('a budget of ten units and three uses', async ({ operations, budgets }) => {
    const take = async (id: string, minor: number, most: number | undefined = 10) => {
      await operations.insert(operation(id, { state: 'SUCCEEDED' }));
      return budgets.reserve({ budget: 'day', scope: 'ada', operationId: id, minor, most, times: 3 });
    };
    const taken = [
      await take('a', 4),
      await take('b', 7),
      await take('c', 6),
      await take('d', 0),
      await take('e', 0, undefined),
    ];
    const used = [await budgets.used('day', 'ada'), await budgets.used('day', 'bo')];
    await budgets.settle('a', 'RELEASED');
    await budgets.settle('c', 'SPENT');
    await budgets.settle('c', 'RELEASED');
    return [taken, used, await budgets.used('day', 'ada')];
  }),
  within('what is sealed', async ({ sealed }) => {
    for (const handle of ['one', 'two']) await sealed.put({ handle, sealed: 'words', expiresAt: start + minute });
    const early = start + minute - 1;
    return [
      await sealed.find('one', early),
      (await sealed.find('one', start + minute)) ?? 'expired',
      await sealed.take('one', early),
      (await sealed.take('one', early)) ?? 'taken',
      (await sealed.take('none', start + minute)) ?? 'none',
      (await sealed.find('two', start)) ?? 'deleted with what expired',
    ];
  }),
  within('events', async ({ events }) => {
    for (const [at, id] of ['a', 'b', 'c', 'd'].entries())
      await events.insert(
        event(id, { dueAt: start + at, createdAt: start + at, thing: id === 'd' ? 'plan_two' : 'plan_one' }),
      );
    const claim = async (now: number) => idsOf(await events.claim({ now, until: now + minute, most: 2 }));
    const claimed = [await claim(start), await claim(start + 5), await claim(start + 6), await claim(start + minute)];
    const waits = [await events.waiting(9), await events.waiting(2)];
    return [claimed, waits, await pagesOf((page) => events.list({ thing: 'plan_one' }, page), 2, idOf)];
  }),
  within('events that are pruned', async ({ events }) => {
    for (const id of ['a', 'b', 'c']) {
      const row = await events.find(id);
      if (row !== undefined) await events.update(row, { state: 'APPLIED' });
    }
    const old = { before: start + 1, spare: start + 9, keep: 2, most: 9 };
    const pruned = [await events.prune(old), await events.prune(old), await events.prune({ ...old, keep: 1 })];
    const whole = await events.prune({ before: start + minute, spare: start, keep: 0, most: 9 });
    return [pruned, await pagesOf((page) => events.list({}, page), 9, idOf), whole, await events.waiting(9)];
  }),
];

/** An anchor in memory, at a row. */
function anchorAt(row: Anchor | undefined): AnchorStore & { readonly at: () => unknown } {
  let known = row;
  return { read: () => known, write: (next) => (known = next), at: () => known?.seq ?? 'none' } as const;
}

const chain: readonly Step[] = [
  ['an empty chain', async (ledger) => [(await ledger.head()).seq, (await ledger.verify()).ok]],
  within('a halt', async ({ audit }) => {
    await audit.append({ event: 'noted', body: {}, at: start });
    const before = await audit.halt();
    await audit.append({ event: 'halted', body: { why: 'found' }, at: start });
    const halted = await audit.halt();
    await audit.append({ event: 'resumed', body: {}, at: start });
    return [before ?? 'none', halted?.event, (await audit.halt()) ?? 'none'];
  }),
  [
    'anchors of it',
    async (ledger) => {
      const head = await ledger.head();
      const rows = [head, { ...head, hash: 'another' }, { ...head, seq: head.seq + 1 }, { seq: 1, hash: 'another' }];
      const anchors = [undefined, { seq: 0, hash: 'any' }, ...rows];
      const ends: unknown[] = [];
      for (const it of anchors) {
        const store = anchorAt(it);
        const moved = await ledger.advanceAnchor(store);
        ends.push([await ledger.containsAnchor(it), (await ledger.verify(it)).ok, moved, store.at()].join(' '));
      }
      return ends;
    },
  ],
];

/** Result codes of SQLite, some of them extended. */
const codes = [1, 3, 5, 6, 7, 8, 10, 11, 13, 14, 26, 261, 266, 778, 1_555, 2_067];

export const ledgerMechanisms: Mechanisms = {
  'operations that a ledger finds': onLedger(operationsFound),
  'writes that a ledger refuses': onLedger(refusedWrites),
  'pages of a ledger': onLedger(pages),
  'budgets, sealed rows and events': onLedger(kept),
  'the chain of the audit': onLedger(chain),
  'the link of a customer': onLedger(links),
  'errors of the database': () => [
    ...[...codes.map((errcode) => ({ errcode })), { code: 'ERR_OUT_OF_RANGE' }, {}].map((it) => {
      const error = translate(Object.assign(new Error('of operations.subject'), it), 'ledger.db');
      return [JSON.stringify(it), String(error)] as const;
    }),
    ...['operations.reference', 'approvals.operation_id', 'events.id'].map(
      (column) =>
        [column, String(translate(Object.assign(new Error(`of ${column}`), { errcode: 2_067 }), 'ledger.db'))] as const,
    ),
  ],
};
