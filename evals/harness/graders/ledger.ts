import { createHash } from 'node:crypto';
import type { Failure, Proven, Run } from '../replay/run.ts';
import { spoilingFaults } from '../scenario/catalogue.ts';
import type { Row } from '../world/ledger.ts';
import type { Evidence } from '../world/state.ts';
import { correlationOf } from './operations.ts';

// The ledger after a run: whole by its own verdict and by a calculation of ours, anchored, and not to be edited unnoticed.

export function gradeLedger(run: Run): readonly Failure[] {
  const { entries, after, proven } = run;
  if (after === undefined || proven === undefined) return [];
  const { anchor, verdict, edits } = proven;
  const own = [...chained(after.audit), ...held(after, anchor)];
  if (entries.some((it) => it.kind === 'event' && spoilingFaults.some((kind) => it.what === `fault ${kind}`)))
    return verdict.ok === (own.length === 0) ? [] : [broken(`it was spoilt, and it says of itself: ${verdict.ok}.`)];
  return [
    ...(verdict.ok ? endsWith(verdict, after.audit.at(-1)) : [broken(`it says of itself: ${verdict.because}`)]),
    ...own,
    ...anchored(after, anchor),
    ...edits.filter(({ isNoticed }) => !isNoticed).map(({ what }) => broken(`nothing notices ${what}.`)),
  ];
}

const endsWith = ({ head, rows }: { readonly head: string; readonly rows: number }, last: Row | undefined) =>
  head === last?.hash && rows === last.seq
    ? []
    : [broken(`it says that its chain ends with row ${rows}, and the last row is ${last?.seq}.`)];

/** What has taken effect at the platform was anchored before it was sent. */
function anchored({ audit, operations, platform }: Evidence, anchor: Proven['anchor']): readonly Failure[] {
  const arrived = new Set(platform.effects.map(({ correlationId }) => correlationId));
  const ids = new Set(operations.filter((row) => arrived.has(correlationOf(row))).map(({ id }) => id));
  const last = audit.findLast(({ event, operation_id: id }) => event === 'sent' && ids.has(id));
  return Number(last?.seq ?? 0) <= (anchor?.seq ?? 0)
    ? []
    : [broken(`row ${last?.seq} took effect, and the anchor is row ${anchor?.seq}.`)];
}

/** The chain holds the anchored row, which is no later than its last one. */
function held({ audit }: Evidence, anchor: Proven['anchor']): readonly Failure[] {
  if (anchor === undefined || anchor.seq === 0) return [];
  const row = audit.find(({ seq }) => seq === anchor.seq);
  return row?.hash === anchor.hash ? [] : [broken(`the chain does not hold the anchored row ${anchor.seq}.`)];
}

const broken = (because: string): Failure => ({ grader: 'invariant', at: 'ledger', because });

/** The hash that is before the first row. */
const genesis = '0'.repeat(64);

/** Each row names the hash of the one before, and its own is SHA-256 over the canonical JSON (RFC 8785) of its members. */
function chained(rows: readonly Row[]): readonly Failure[] {
  let before = { seq: 0, hash: genesis };
  for (const { hash, previous_hash: previousHash, operation_id: operationId, body, ...row } of rows) {
    const content = { ...row, operationId, previousHash, body: JSON.parse(String(body)) as unknown };
    const expected = createHash('sha256').update(sorted(content)).digest('hex');
    if (row.seq !== before.seq + 1 || previousHash !== before.hash || hash !== expected)
      return [broken(`the chain breaks at row ${before.seq + 1}.`)];
    before = { seq: Number(row.seq), hash };
  }
  return [];
}

/** JSON with the members of objects in order. */
const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, it: unknown) =>
    typeof it === 'object' && it !== null && !Array.isArray(it)
      ? Object.fromEntries(Object.entries(it).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : it,
  );
