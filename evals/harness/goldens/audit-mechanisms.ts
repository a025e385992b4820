import { canonicalJson, type Json } from '../../../src/core/canonical-json.ts';
import { auditLock } from '../../../src/engine/audit-lock.ts';
import type { EngineParts } from '../../../src/engine/parts.ts';
import { Refused } from '../../../src/engine/refusal.ts';
import { chainStartAfter, headFault } from '../../../src/ledger/chain.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { Anchor, AnchorStore, RecentVerdict, VerifiedPosition } from '../../../src/ledger/verification.ts';
import { trackAppends } from '../../../src/ledger/verify-recent.ts';
import { openRewindableLedger, type RewindableLedger } from '../world/ledger.ts';
import { endOf, start, tenant } from './ledger-steps.ts';
import type { Lines, Mechanisms } from './lines.ts';

// What is noticed of a ledger whose audit somebody has edited: by the whole verification, by that of what was added, and by calls.

/** Appends rows to the audit, the last ones of another tenant. */
async function appended(ledger: Ledger, count: number, event = 'noted', of = tenant): Promise<void> {
  await ledger.transaction(of, async (tx) => {
    for (let at = 0; at < count; at += 1) await tx.audit.append({ event, body: { at }, at: start + at });
  });
}

/** Works on a ledger with a chain of so many rows, one of which halts the tenant. */
async function onChain(rows: number, work: (it: RewindableLedger) => Promise<Lines>): Promise<Lines> {
  const rewindable = await openRewindableLedger();
  try {
    await appended(rewindable.ledger, rows - 6);
    await appended(rewindable.ledger, 1, 'halted');
    await appended(rewindable.ledger, 1, 'resumed', 'other');
    await appended(rewindable.ledger, 4, 'noted', 'other');
    return await work(rewindable);
  } finally {
    await rewindable.ledger.close();
  }
}

const short = (hash: string): string => hash.slice(0, 6);
const verdictOf = (it: RecentVerdict): string => {
  if (it.kind === 'whole')
    return `whole to ${it.verified.seq}${it.older === true ? ', older ones may be changed' : ''}`;
  return it.kind === 'broken' ? `${it.seq}: ${it.because}` : it.kind;
};

/** A row of the chain as a verified position, with the counters of now or of before somebody else wrote. */
async function positionAt(
  { ledger, rows }: RewindableLedger,
  seq: number,
  by: 'nobody' | 'others' | 'others without the audit' = 'nobody',
): Promise<VerifiedPosition> {
  const writes = await ledger.writeCounters();
  const [row] = await rows('select hash from audit where seq = ?', [seq]);
  const before = by === 'nobody' ? {} : { others: 'before' };
  const appends = by === 'others' ? {} : { appended: writes.appended - 1_000 };
  return { seq, hash: String(row?.hash ?? '0'.repeat(64)), writes: { ...writes, ...before, ...appends } };
}

const recent = (ledger: Ledger, from: VerifiedPosition, anchor?: Anchor) =>
  endOf(() => ledger.transaction(tenant, async (tx) => verdictOf(await tx.audit.verifyRecent(from, anchor))));

const since = (ledger: Ledger, from: VerifiedPosition, anchor?: Anchor) =>
  endOf(async () => verdictOf(await ledger.verifySince(from, anchor)));

const whole = (ledger: Ledger, anchor?: Anchor) =>
  endOf(async () => {
    const found = await ledger.verify(anchor);
    return found.ok ? `whole to ${found.rows}, ${short(found.head)}` : `${found.seq ?? 'rows'}: ${found.because}`;
  });

/** Edits of a chain of forty rows. */
const edits: readonly (readonly [what: string, ...sql: readonly string[]])[] = [
  ['nothing'],
  ...[1, 20, 21, 39, 40].map(
    (seq) => [`the body of row ${seq}`, `update audit set body = '{}' where seq = ${seq}`] as const,
  ),
  ['a body that is not canonical', `update audit set body = '{ }' where seq = 30`],
  ['a body that is no JSON', `update audit set body = '{' where seq = 30`],
  ['the time of a row', 'update audit set at = at + 1 where seq = 30'],
  ['the hash of a row', `update audit set hash = 'x' where seq = 30`],
  ['the previous hash of a row', `update audit set previous_hash = 'x' where seq = 30`],
  ['the number of the last row', 'update audit set seq = 41 where seq = 40'],
  ...[1, 20, 21, 40].map((seq) => [`row ${seq} is gone`, `delete from audit where seq = ${seq}`] as const),
  ['every row is gone', 'delete from audit'],
  ...[39, 41].map((seq) => [`the head names row ${seq}`, `update audit_head set seq = ${seq}`] as const),
  ['the head has another hash', `update audit_head set hash = 'x'`],
  ['the head is gone', 'delete from audit_head'],
  ['the head has another key', 'pragma ignore_check_constraints = on', 'update audit_head set id = 2'],
  [
    'two heads',
    'pragma ignore_check_constraints = on',
    'insert into audit_head (id, seq, hash) select 2, seq, hash from audit_head',
  ],
  ...[39, 20, 19].map(
    (seq) =>
      [
        `all after row ${seq} are gone, as the head says, too`,
        `delete from audit where seq > ${seq}`,
        `update audit_head set seq = ${seq}, hash = (select hash from audit where seq = ${seq})`,
      ] as const,
  ),
];

const edited = (): Promise<Lines> =>
  onChain(40, async (it) => {
    const { ledger } = it;
    const [known, last] = [await positionAt(it, 20), await positionAt(it, 40)];
    const others = { ...(await positionAt(it, 20, 'others')), hash: known.hash };
    const rereading = { ...last, writes: { ...last.writes, others: 'before', appended: last.writes.appended } };
    await it.mark('whole');
    const lines: [string, unknown][] = [];
    for (const [what, ...sql] of edits) {
      const done = await endOf(async () => {
        for (const one of sql) await it.rows(one);
        return 'done';
      });
      const found = [
        await whole(ledger),
        await since(ledger, known),
        await since(ledger, others),
        await recent(ledger, known),
        await recent(ledger, last),
        await recent(ledger, others),
        await recent(ledger, rereading),
      ];
      const ways = [
        'whole',
        'since 20',
        'since 20, others wrote',
        'recent 20',
        'recent 40',
        'recent 20, others wrote',
        'recent 40, others wrote',
      ];
      const told = Map.groupBy(ways, (_, at) => String(found[at]));
      lines.push([
        what,
        [...(done === 'done' ? [] : [done]), ...[...told].map(([end, by]) => `${by.join(' and ')}: ${end}`)],
      ]);
      await it.rows('pragma ignore_check_constraints = off');
      await it.rewind('whole');
    }
    return lines;
  });

/** What was verified, and which row is anchored, at the bounds of a short check. */
const bounds = (): Promise<Lines> =>
  onChain(620, async (it) => {
    const { ledger } = it;
    const lines: [string, unknown][] = [];
    for (const by of ['nobody', 'others', 'others without the audit'] as const)
      for (const seq of [0, 118, 119, 120, 121, 369, 370, 371, 619, 620]) {
        const from = await positionAt(it, seq, by);
        const wrong = { ...from, hash: 'another' };
        const ends = [
          await recent(ledger, from),
          await since(ledger, from),
          await recent(ledger, wrong),
          await since(ledger, wrong),
        ];
        lines.push([`row ${seq} was verified, ${by} wrote since`, ends]);
      }
    const position = await positionAt(it, 610);
    for (const seq of [0, 1, 609, 610, 611, 619, 620, 621]) {
      const { hash } = await positionAt(it, seq);
      const anchors = [hash, 'another'].map((one) => ({ seq, hash: one }));
      const ends: unknown[] = [];
      for (const anchor of anchors)
        ends.push(await recent(ledger, position, anchor), await since(ledger, position, anchor));
      lines.push([`row ${seq} is anchored, as it is and with another hash`, ends]);
    }
    const counted = await ledger.writeCounters();
    lines.push(['what was counted', [counted.othersAppend, counted.appended, counted.last?.seq]]);
    const ahead = { ...position, seq: 621, hash: 'another' };
    lines.push(['a row beyond the last was verified', [await recent(ledger, ahead), await since(ledger, ahead)]]);
    return lines;
  });

/** The beginning of a chain is archived, and then edited. */
const archived = (): Promise<Lines> =>
  onChain(40, async (it) => {
    const { ledger } = it;
    const { archive } = ledger;
    const at = async (seq: number): Promise<Anchor> => ({ seq, hash: (await positionAt(it, seq)).hash });
    const lines: [string, unknown][] = [];
    const said = async (what: string, work: () => Promise<unknown>) => void lines.push([what, await endOf(work)]);
    const [tenth, known, twelfth] = [await at(10), await positionAt(it, 20), await positionAt(it, 9)];
    const remove = (through: Anchor) => archive.remove(tenant, { through, file: 'file', at: start });
    const starts = async () => [(await archive.start()).seq, (await archive.records()).map(({ body }) => body.through)];
    await said('the last row that no decision needs', () => archive.lastUnread());
    await said('another row is archived', () => remove({ ...tenth, hash: 'another' }));
    await said('rows through ten are archived', () => remove(tenth));
    await said('the same again', () => remove(tenth));
    await said('where it begins', starts);
    await said('rows after eleven', async () => (await archive.rows(11, 3)).map(({ seq }) => seq));
    await it.mark('archived');
    const verdicts = async () => [
      await whole(ledger),
      await whole(ledger, tenth),
      await whole(ledger, { ...tenth, hash: 'another' }),
      await whole(ledger, { seq: 9, hash: 'another' }),
      await whole(ledger, await at(11)),
      await whole(ledger, { seq: 0, hash: 'another' }),
      await since(ledger, known),
      await since(ledger, twelfth),
      await since(ledger, { ...known, writes: { ...known.writes, others: 'before' } }),
      await recent(ledger, known),
      await recent(ledger, twelfth),
      await recent(ledger, { ...twelfth, writes: { ...twelfth.writes, others: 'before', appended: -9 } }),
      await recent(ledger, { ...known, writes: { ...known.writes, others: 'before', appended: -9 } }),
    ];
    await said('verified: whole, by anchors at 10, 9, 11 and 0, since 20 and 9, and recent rows', verdicts);
    for (const [what, sql] of [
      ['the row that names it is edited', `update audit set body = '{}' where event = 'archived'`],
      ['row 11 is gone, too', 'delete from audit where seq = 11'],
      ['row 11 is edited', `update audit set body = '{}' where seq = 11`],
    ] as const) {
      await it.rows(sql);
      await said(what, verdicts);
      await it.rewind('archived');
    }
    await said('more is archived', async () => remove(await at(15)));
    await said('where it begins then', starts);
    await said('verified then', verdicts);
    return lines;
  });

/** What names the last archived row. */
const named: Mechanisms[string] = async () => {
  const { ledger } = await openRewindableLedger();
  const bodies = [
    { through: 1, hash: 'one' },
    { through: 0, hash: 'one' },
    { through: 3, hash: 'one' },
    { through: 4, hash: 'one' },
    { through: 4, hash: 'one' },
    { through: 9, hash: 'one' },
    { through: '1', hash: 'one' },
    { through: 1, hash: 1 },
    { through: 1 },
    {},
  ];
  const lines: [string, unknown][] = [['nothing', chainStartAfter(undefined).seq]];
  for (const body of bodies) {
    await ledger.transaction(tenant, (tx) => tx.audit.append({ event: 'archived', body, at: start }));
    const [row] = (await ledger.archive.rows((await ledger.head()).seq - 1, 1)) as readonly [never];
    const stored = { ...(row as object), body: canonicalJson((row as { readonly body: Json }).body) } as never;
    const { seq, hash } = chainStartAfter(stored);
    const changed = chainStartAfter({ ...(stored as object), at: 1 } as never);
    lines.push([`row ${(await ledger.head()).seq}: ${JSON.stringify(body)}`, [seq, short(hash), changed.seq]]);
  }
  await ledger.close();
  const [one, two] = [
    { id: 1, seq: 4, hash: 'four' },
    { id: 2, seq: 4, hash: 'four' },
  ];
  for (const heads of [
    [],
    [one],
    [two],
    [one, two],
    [{ ...one, seq: 3 }],
    [{ ...one, seq: 5 }],
    [{ ...one, hash: 'x' }],
  ])
    lines.push([`heads ${JSON.stringify(heads)}`, headFault({ seq: 4, hash: 'four' }, heads) ?? 'right']);
  return lines;
};

/** What a process knows of its own rows. */
const tracked: Mechanisms[string] = async () => {
  const appends = trackAppends();
  const link = (seq: number) => ({ seq, hash: `hash ${seq}` });
  const told = () => {
    const { appended: count, last } = appends.committed();
    return `${count}, last ${last?.seq ?? 'none'}`;
  };
  const lines: [string, unknown][] = [['at first', told()]];
  const noted = (...seqs: readonly number[]) => {
    const before = appends.withPending(seqs.map(link));
    appends.note(seqs.map(link));
    lines.push([`rows ${seqs.join(' ') || 'none'}`, [told(), `${before.appended} before`]]);
  };
  noted();
  noted(4, 5);
  noted(3);
  noted(5);
  noted(6, 2);
  noted();
  await appends.noting(async (begin) => {
    begin()(link(7));
    const append = begin();
    append(link(8));
    append(link(9));
  });
  lines.push(['a transaction that ran twice', told()]);
  const failing = () =>
    appends.noting(async (begin) => {
      begin()(link(10));
      throw new Error('It broke.');
    });
  lines.push(['one that fails', [await endOf(failing), told()]]);
  appends.forget();
  lines.push(['all are forgotten', told()]);
  return lines;
};

/** Calls while the audit is broken, edited by others, or not what is anchored. */
const locked = (): Promise<Lines> =>
  onChain(40, async (it) => {
    const { ledger } = it;
    const lines: [string, unknown][] = [];
    const end = async (work: () => Promise<unknown>): Promise<unknown> => {
      try {
        return (await work()) ?? 'passes';
      } catch (error) {
        if (!(error instanceof Refused)) return String(error);
        const { code, rule, because, retry } = error.refusal;
        return [code, rule, retry ?? 'retry', error.isNoted ? 'noted' : 'not noted', because].join(', ');
      }
    };
    const told = (lock: ReturnType<typeof auditLock>) => lock.verified()?.seq ?? 'nothing verified';
    const opened = (more: Partial<EngineParts> = {}) => auditLock({ ledger, ...more } as EngineParts); // no other part is used
    const decide = (lock: ReturnType<typeof auditLock>, adds = 0) =>
      end(async () => {
        const verified = await ledger.transaction(tenant, async (tx) => {
          const done = await lock.demandUnchanged(tx);
          for (let at = 0; at < adds; at += 1) await tx.audit.append({ event: 'noted', body: {}, at: start });
          return done;
        });
        verified();
        return 'decides';
      });
    const said = async (what: string, lock: ReturnType<typeof auditLock>, work: () => Promise<unknown>) =>
      void lines.push([what, [await work(), told(lock)]]);
    const demand = (lock: ReturnType<typeof auditLock>) => end(lock.demandWhole);
    await it.mark('before');
    const first = opened();
    await said('decided before it is verified', first, () => decide(first));
    await said('demanded', first, () => demand(first));
    await said('decided', first, () => decide(first, 2));
    await said('decided after two rows', first, () => decide(first, 500));
    await said('decided after 500 rows', first, () => decide(first, 501));
    await said('decided after 501 rows', first, () => decide(first));
    await said('demanded then', first, () => demand(first));
    await said('decided then', first, () => decide(first));
    await said('a call finds a corrupt row', first, async () => first.close());
    await said('demanded after it', first, () => demand(first));
    await said('decided after it', first, () => decide(first));
    await said('inspected', first, () => end(first.inspect));
    await said('demanded after that', first, () => demand(first));
    await it.rows('update audit set at = at + 1 where seq = (select max(seq) from audit)');
    await said('decided once the last row is edited', first, () => decide(first));
    await said('demanded after this', first, () => demand(first));
    await said('inspected then', first, () => end(first.inspect));
    await it.rewind('before');
    const position = await positionAt(it, 20);
    const earlier = opened({ verifiedBefore: position });
    await said('verified before to row 20', earlier, () => decide(earlier));
    const others = opened({ verifiedBefore: { ...position, writes: { ...position.writes, others: 'before' } } });
    await said('the same, but others wrote', others, () => decide(others));
    await said('demanded, it is read again', others, () => demand(others));
    await it.rows(`update audit set body = '{}' where seq = 30`);
    const broken = opened({ verifiedBefore: position });
    await said('row 30 is edited since', broken, () => decide(broken));
    await said('demanded once it is known', broken, () => demand(broken));
    const behind = opened({ verifiedBefore: { ...position, writes: { ...position.writes, others: 'before' } } });
    await said('others wrote, and row 30 is edited', behind, () => decide(behind));
    await said('demanded', behind, () => demand(behind));
    await said('demanded again', behind, () => demand(behind));
    await it.rewind('before');
    const old = opened({ verifiedBefore: { ...(await positionAt(it, 20)), hash: 'another' } });
    await said('row 20 is another than was verified', old, () => decide(old));
    for (const [what, anchor] of [
      ['no anchor', undefined],
      ['the last row', await positionAt(it, 40)],
      ['another last row', { seq: 40, hash: 'another' }],
      ['a row to come', { seq: 41, hash: 'another' }],
    ] as const) {
      const store: AnchorStore = { read: () => anchor, write: () => undefined };
      const lock = opened({ anchor: store });
      await said(`anchored at ${what}`, lock, async () => [await demand(lock), await decide(lock)]);
    }
    await appended(ledger, 3);
    await it.rows('delete from audit where seq > 40');
    await it.rows('update audit_head set seq = 40, hash = (select hash from audit where seq = 40)');
    const cut = opened();
    await said('rows of this process are cut off', cut, () => demand(cut));
    await said('two inspections at once', cut, () => Promise.all([end(cut.inspect), end(cut.inspect)]));
    return lines;
  });

export const auditMechanisms: Mechanisms = {
  'an audit of forty rows that was edited': edited,
  'what was verified of an audit of 620 rows': bounds,
  'an audit whose beginning is archived': archived,
  'the row that names what is archived, and the head': named,
  'rows that this process appended': tracked,
  'calls by the state of the audit': locked,
};
