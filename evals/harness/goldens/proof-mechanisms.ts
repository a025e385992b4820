import { Secret } from '../../../src/core/secret.ts';
import { checksummedTables, isIntact } from '../../../src/ledger/checksum.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { LedgerTransaction } from '../../../src/ledger/ledger-transaction.ts';
import { openLedgerOn } from '../../../src/ledger/store.ts';
import type { Tables } from '../../../src/ledger/tables.ts';
import { placeOfEvals, rewindableDatabase } from '../world/ledger.ts';
import { endOf, minute, start, tenant } from './ledger-steps.ts';
import type { Lines, Mechanisms } from './lines.ts';

// What reads, writes and the verification say to rows that somebody has edited, lost or put back, and who may claim what is overdue.

const operation = (id: string, more: object = {}) => ({
  ...{ id, principal: 'agent', name: 'pay', subject: `lock_${id}`, reference: `order_${id}`, args: '{}' },
  ...{ argsDigest: `digest_${id}`, essenceDigest: 'essence', rulesHash: 'rules', state: 'SENDING', attempt: 1 },
  ...{ startedAt: start, quietUntil: start + minute, request: null, result: null, createdAt: start, updatedAt: start },
  ...more,
});
const asked = (id: string) => ({
  ...{ id: `of_${id}`, operationId: id, principal: 'agent', digest: 'digest', text: 'Allow it', state: 'REQUESTED' },
  ...{ approver: null, channel: null, expiresAt: start + minute, decidedAt: null, createdAt: start },
});
const plan = (handle: string, state = 'ACTIVE') => ({
  handle,
  kind: 'plan',
  owner: 'ada',
  state,
  body: { is: handle },
});
const told = (id: string) => ({
  ...{ id, type: 'made', kind: 'plan', thing: 'plan_a', state: 'RECEIVED', happenedAt: start, dueAt: start },
  ...{ attempts: 0, createdAt: start, updatedAt: start },
});

/** Ten operations under way and one that is done, with all that a ledger keeps. More than a step of the verification has. */
async function filled(ledger: Ledger): Promise<void> {
  await ledger.transaction(tenant, async (tx) => {
    for (const id of 'abcdefghij') {
      await tx.operations.insert(operation(id));
      await tx.observations.insert(plan(`plan_${id}`), start);
    }
    await tx.operations.insert(operation('done', { state: 'SUCCEEDED' }));
    for (const id of ['a', 'b']) await tx.approvals.insert(asked(id));
    for (const id of ['a', 'b']) await tx.events.insert(told(id));
    for (const operationId of ['a', 'b'])
      await tx.budgets.reserve({ budget: 'day', scope: 'ada', operationId, minor: 4, most: 10, times: 3 });
    await tx.sealed.put({ handle: 'one', sealed: 'words', expiresAt: start + minute });
    await tx.audit.append({ event: 'noted', body: {}, at: start, operationId: 'a' });
    await tx.audit.append({ event: 'halted', body: {}, at: start });
  });
}

type Work = (tx: LedgerTransaction) => Promise<unknown>;
const idOf = (row: { readonly id: string } | undefined): string => row?.id ?? 'none';

/** What decisions do with the ledger. */
const works: readonly (readonly [what: string, work: Work])[] = [
  [
    'only the history is written',
    async ({ audit }) => {
      await audit.append({ event: 'refused', body: {}, at: start });
      return 'written';
    },
  ],
  [
    'whether it is halted',
    async ({ audit, observations }) => {
      const halt = await audit.halt();
      await observations.insert(plan('plan_new'), start);
      return halt?.event ?? 'it is not';
    },
  ],
  [
    'a row that the work can’t do without',
    async ({ operations }) => {
      if ((await operations.find('a')) === undefined) throw new Error('It is not there.');
      return 'a';
    },
  ],
  [
    'a row is read by what decides, and nothing is written',
    async ({ operations, audit }) => {
      await audit.verifyRecent({ seq: 0, hash: '', writes: {} as never }, undefined).catch(() => undefined);
      return idOf(await operations.find('a'));
    },
  ],
  ['a row is only read', async ({ operations }) => idOf(await operations.find('a'))],
  [
    'a row is read, and something else is written',
    async ({ operations, observations }) => {
      await operations.find('a');
      return (await observations.insert(plan('plan_new'), start)).handle;
    },
  ],
  [
    'a row is changed',
    async ({ operations }) => {
      const row = await operations.find('a');
      return row && (await operations.update(row, { state: 'SUCCEEDED' })).state;
    },
  ],
  [
    'a row that is looked up by its lock',
    async ({ operations, audit }) => {
      const row = await operations.openOn('lock_a');
      await audit.append({ event: 'read', body: {}, at: start });
      return idOf(row);
    },
  ],
  [
    'calls alike',
    async ({ operations, audit }) => {
      const rows = await operations.recentAlike('pay', 'essence', start);
      await audit.append({ event: 'read', body: {}, at: start });
      return rows.map(idOf).join(' ');
    },
  ],
  [
    'a thing',
    async ({ observations, audit }) => {
      const row = await observations.find('plan_a');
      await audit.append({ event: 'read', body: {}, at: start });
      return row?.state ?? 'none';
    },
  ],
  [
    'an approval',
    async ({ approvals, audit }) => {
      const row = await approvals.ofOperation('a');
      await audit.append({ event: 'read', body: {}, at: start });
      return idOf(row);
    },
  ],
  ['an event', async ({ events }) => (await events.claim({ now: start, until: start + 1, most: 9 })).map(idOf)],
  ['a budget', async ({ budgets }) => budgets.settle('a', 'RELEASED').then(() => budgets.used('day', 'ada'))],
  ['a secret', async ({ sealed }) => (await sealed.take('one', start))?.sealed ?? 'none'],
  [
    'a secret, and something else is written',
    async ({ sealed, audit }) => {
      await audit.append({ event: 'read', body: {}, at: start });
      return (await sealed.take('one', start))?.sealed ?? 'none';
    },
  ],
  ['a secret that stays', async ({ sealed }) => (await sealed.find('one', start))?.sealed ?? 'none'],
  [
    'the history of an operation',
    async ({ audit, observations }) => {
      const rows = await audit.of('a');
      await observations.insert(plan('plan_new'), start);
      return rows.length;
    },
  ],
];

const edits: readonly (readonly [what: string, ...sql: readonly string[]])[] = [
  ['nothing is edited'],
  ['an operation is', `update operations set reference = 'another' where id = 'a'`],
  ['another operation is', `update operations set reference = 'another' where id = 'j'`],
  [
    'an operation is gone',
    `delete from reservations where operation_id = 'a'`,
    `delete from approvals where operation_id = 'a'`,
    `delete from operations where id = 'a'`,
  ],
  ['an operation that is done is gone', `delete from operations where id = 'done'`],
  ['an operation ends', `update operations set state = 'FAILED' where id = 'a'`],
  ['a thing is edited', `update observations set state = 'ENDED' where handle = 'plan_a'`],
  ['a thing is gone', `delete from observations where handle = 'plan_a'`],
  ['an approval is decided', `update approvals set state = 'APPROVED' where id = 'of_a'`],
  ['an event is edited', `update events set attempts = 9 where id = 'a'`],
  ['an event is gone', `delete from events where id = 'b'`],
  ['a budget is', `delete from reservations where operation_id = 'b'`],
  ['a budget is spent', `update budgets set minor = 1`],
  ['a secret is edited', `update sealed set expires_at = expires_at + 1`],
  ['a secret is gone', 'delete from sealed'],
  ['an entry of the history is edited', `update audit set body = '{"more":1}' where operation_id = 'a'`],
  ['the history is', `delete from audit where operation_id = 'a'`],
  ['a halt is', `delete from audit where event = 'halted'`],
  ['a halt is called its end', `update audit set event = 'resumed' where event = 'halted'`],
  ['every proof is', 'delete from proofs'],
  ['the head of the proofs is', `delete from proofs where node = 'head'`],
  ['a node of the proofs is', `delete from proofs where node = (select max(node) from proofs where node <> 'head')`],
  ['a checksum is', `update operations set checksum = 'x' where id = 'a'`],
];

async function onEdited(): Promise<Lines> {
  const database = rewindableDatabase();
  const ledger = await openLedgerOn(database.dialect, placeOfEvals);
  await filled(ledger);
  await database.mark('filled');
  const lines: [string, unknown][] = [];
  for (const [what, ...sql] of edits) {
    const done = await endOf(async () => {
      for (const one of sql) await database.rows(one);
    });
    await database.mark('edited');
    const ends: [string, string][] = [];
    const verdict = await ledger.verify();
    ends.push(['verified', verdict.ok ? 'whole' : verdict.because]);
    for (const [name, work] of works) {
      ends.push([name, JSON.stringify(await endOf(() => ledger.transaction(tenant, work)))]);
      await database.rewind('edited');
    }
    const overdue = (now: number, only?: string) => ledger.claimOverdue(now, 'holder', 60, only);
    ends.push(['claimed', (await overdue(start + minute)).map(idOf).join('')]);
    const by = Map.groupBy(ends, ([, end]) => end.replace(/^"|"$|Run "purser.*$/g, ''));
    lines.push([
      what,
      [
        ...(done === 'nothing' ? [] : [done]),
        ...[...by].map(([end, all]) => `${all.map(([name]) => name).join(', ')}: ${end}`),
      ],
    ]);
    await database.forget('edited');
    await database.rewind('filled');
  }
  await ledger.close();
  return lines;
}

/** The columns of each table whose change its checksum leaves as it is. */
async function uncovered(): Promise<Lines> {
  const database = rewindableDatabase();
  const ledger = await openLedgerOn(database.dialect, placeOfEvals);
  await filled(ledger);
  const lines: [string, unknown][] = [];
  for (const table of checksummedTables) {
    const [stored = {}] = await database.rows(`select * from ${table} limit 1`);
    const row = Object.fromEntries(
      Object.entries(stored).map(([name, value]) => [
        name.replace(/_[a-z]/g, (it) => it.slice(1).toUpperCase()),
        value,
      ]),
    ) as unknown as Tables[typeof table]; // as the driver names its columns
    const isSame = (name: string): boolean => isIntact(table, { ...row, [name]: 'another' });
    lines.push([table, [isIntact(table, row) ? 'intact' : 'corrupt', ...Object.keys(row).filter(isSame)]]);
  }
  await ledger.close();
  return lines;
}

/** A ledger that is verified while others write to it. */
async function whileWritten(): Promise<Lines> {
  const ledger = await openLedgerOn(rewindableDatabase().dialect, placeOfEvals);
  await filled(ledger);
  const writers: readonly (readonly [what: string, write: (at: number) => Promise<unknown>])[] = [
    ['nothing', async () => undefined],
    ['new things', (at) => ledger.transaction(tenant, (tx) => tx.observations.insert(plan(`plan_new_${at}`), start))],
    ['new operations', (at) => ledger.transaction(tenant, (tx) => tx.operations.insert(operation(`new_${at}`)))],
    [
      'rows of the audit',
      (at) => ledger.transaction(tenant, (tx) => tx.audit.append({ event: 'noted', body: { at }, at: start })),
    ],
    [
      'secrets that come and go',
      (at) =>
        ledger.transaction(tenant, async (tx) => {
          await tx.sealed.put({ handle: `s_${at}`, sealed: 'words', expiresAt: start + minute });
          await tx.sealed.take(`s_${at - 1}`, start);
        }),
    ],
  ];
  const lines: [string, unknown][] = [];
  for (const [what, write] of writers) {
    let isOver = false;
    const verified = ledger.verify().finally(() => {
      isOver = true;
    });
    for (let at = 0; !isOver && at < 1_000; at += 1) await write(at);
    const verdict = await verified;
    lines.push([what, verdict.ok ? 'whole' : verdict.because]);
  }
  await ledger.close();
  return lines;
}

/** A ledger that was sealed with another key, before and after it is sealed again. */
async function sealed(): Promise<Lines> {
  const database = rewindableDatabase();
  const [one, other] = [new Secret(Buffer.alloc(32, 1)), new Secret(Buffer.alloc(32, 2))];
  const own = await openLedgerOn(database.dialect, { ...placeOfEvals, key: one });
  const lines: [string, unknown][] = [];
  const verified = async (ledger: Ledger) => {
    const verdict = await ledger.verify();
    return verdict.ok ? `whole to ${verdict.rows}` : verdict.because;
  };
  const writes = (ledger: Ledger, handle: string) =>
    endOf(() => ledger.transaction(tenant, async (tx) => (await tx.observations.insert(plan(handle), start)).handle));
  lines.push(['an empty ledger', await verified(own)]);
  await filled(own);
  const { driver } = database;
  const same = { ...database.dialect, createDriver: () => ({ ...driver, init: async () => undefined }) };
  const another = await openLedgerOn(same, { ...placeOfEvals, key: other });
  lines.push(['with its key', [await verified(own), await writes(own, 'plan_new')]]);
  lines.push(['with another key', [await verified(another), await writes(another, 'plan_newer')]]);
  await another.reseal();
  lines.push([
    'sealed with the other key',
    [await verified(another), await writes(another, 'plan_newer'), await verified(own)],
  ]);
  await database.rows(`delete from observations where handle = 'plan_a'`);
  lines.push(['a row is gone', await verified(another)]);
  await another.reseal();
  lines.push(['sealed without it', [await verified(another), await writes(another, 'plan_a')]]);
  await own.close();
  return lines;
}

/** Who claims what is overdue, of whom, and how long nobody else does. */
async function claims(): Promise<Lines> {
  const database = rewindableDatabase();
  const ledger = await openLedgerOn(database.dialect, placeOfEvals);
  const insert = (of: string, rows: readonly (readonly [id: string, more: object])[]) =>
    ledger.transaction(of, async (tx) => {
      for (const [id, more] of rows) await tx.operations.insert(operation(id, more));
    });
  await insert('one', [
    ['c', { quietUntil: start + 2 }],
    ['b', { quietUntil: start + 1 }],
    ['a', { quietUntil: start + 1 }],
    ['lost', { state: 'UNKNOWN', quietUntil: start + 1 }],
    ['refunded', { state: 'UNKNOWN', quietUntil: start, name: 'refund' }],
    ['done', { state: 'SUCCEEDED', quietUntil: start }],
  ]);
  await insert('two', [
    ['d', { quietUntil: start }],
    ['e', { quietUntil: start + 3 }],
    ['missing', { state: 'APPROVED', quietUntil: null }],
  ]);
  await insert(
    'many',
    Array.from({ length: 101 }, (_, at) => [`m${at}`, { quietUntil: start + 1_000 + at }] as const),
  );
  await ledger.transaction('three', (tx) => tx.observations.insert(plan('plan_a'), start));
  const ids = (rows: readonly { readonly id: string; readonly leaseHolder?: string | null }[]) =>
    rows.length > 20 ? `${rows.length} from ${rows[0]?.id} to ${rows.at(-1)?.id}` : rows.map(idOf).join(' ') || 'none';
  await database.mark('made');
  const lines: [string, unknown][] = [['whose rows there are', await ledger.tenants()]];
  for (const later of [-1, 0, 1, 2, 3, 1_100]) {
    const now = start + later;
    const unknown = [
      await ledger.claimUnknown(now, ['pay', 'refund'], 'x', 60),
      await ledger.claimUnknown(now, ['pay', 'refund'], 'x', 60),
    ];
    const of = [await ledger.claimOverdue(now, 'x', 60, 'one'), await ledger.claimOverdue(now, 'x', 60, 'none')];
    const rest = [await ledger.claimOverdue(now, 'x', 60), await ledger.claimOverdue(now, 'x', 60)];
    lines.push([`after ${later} ms`, [ids(await ledger.overdue(now)), ...[...unknown, ...of, ...rest].map(ids)]]);
    await database.rewind('made');
  }
  for (const seconds of [0, 1, 60, 3_600]) {
    const before = Date.now();
    await ledger.claimOverdue(start, 'holder', seconds);
    const [row] = await database.rows(`select lease_until from operations where id = 'd'`);
    const left = Number(row?.lease_until) - seconds * 1_000; // by the clock of the database, which is that of the machine
    lines.push([
      `a lease of ${seconds} s`,
      before - 1 <= left && left <= Date.now() + 1 ? 'as long' : 'of another length',
    ]);
    await database.rewind('made');
  }
  const [first] = await ledger.claimOverdue(start, 'holder', 60);
  lines.push(['what is claimed', [first?.id, first?.state, first?.version]]);
  lines.push([
    'claimed, and whose lease ends at once',
    [
      await ledger.claimOverdue(start + 1, 'x', -1),
      await ledger.claimOverdue(start + 1, 'y', 60),
      await ledger.claimOverdue(start + 1, 'z', 60),
    ].map(ids),
  ]);
  await database.rewind('made');
  await database.rows(`update operations set checksum = 'x' where id in ('a', 'lost')`);
  lines.push([
    'two of them are corrupt',
    [
      ids(await ledger.claimOverdue(start + 9, 'x', 60)),
      ids(await ledger.claimUnknown(start + 9, ['pay', 'refund'], 'x', 60)),
    ],
  ]);
  await database.rows(`delete from proofs where node = 'head'`);
  lines.push(['the proofs are, too', [ids(await ledger.claimOverdue(start + 9, 'y', 60))]]);
  await ledger.close();
  return lines;
}

export const proofMechanisms: Mechanisms = {
  'a ledger whose rows were edited': onEdited,
  'columns that a checksum leaves out': uncovered,
  'a ledger that is verified while this is written': whileWritten,
  'a ledger and its key': sealed,
  'claims of what is overdue': claims,
};
