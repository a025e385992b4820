import { answerOf, callsOf, type Run } from '../replay/run.ts';
import { type Body, bodyOf } from '../world/collection.ts';
import type { Row } from '../world/ledger.ts';
import type { Evidence } from '../world/state.ts';
import { linesOfText, type Writing } from './answers.ts';
import type { Names } from './names.ts';
import { flow, labelled } from './values.ts';
import { changed } from './world.ts';

// What a run did to the ledger: things, operations with what the audit says of them, approvals, reservations and budgets.

/** Things that hold no more than digests of texts: how many there are in each state says all. */
const counted: ReadonlySet<string> = new Set(['text', 'run']);

export function linesOfLedger(run: Run, writing: Writing): readonly string[] {
  const { before, after } = run;
  if (before === undefined || after === undefined) return [];
  const { names } = writing;
  // What a host asked its user stands in no answer.
  const shown = new Set(callsOf(run).flatMap((entry) => answerOf(entry).approval?.text ?? []));
  return [
    ...operations(after, new Set(before.operations.map(({ id }) => id)), shown, names),
    ...observations(before, after, writing),
    ...budgets(after, names),
    ...audit(after, before.audit.length, names),
  ];
}

function observations(before: Evidence, after: Evidence, writing: Writing): readonly string[] {
  const was = new Map(before.observations.map((row) => [row.handle, row]));
  const rows = after.observations.filter(({ kind }) => !counted.has(String(kind)));
  const { names } = writing;
  const viewOf = (row: Row | undefined) =>
    row && {
      state: row.state,
      ...(row.owner === '' ? {} : { owner: row.owner }),
      ...Object.fromEntries(
        Object.entries(bodyOf(row.body))
          .filter(([member, value]) => !names.isOwn(String(row.handle), member, value))
          .map(([member, value]) => [member, shortened(value)]),
      ),
    };
  const counts = Map.groupBy(
    after.observations.filter(({ kind }) => counted.has(String(kind))),
    ({ kind, state }) => `${kind} ${state}`,
  );
  const gone = before.observations.filter(({ handle }) => !after.observations.some((row) => row.handle === handle));
  return [
    ...rows.flatMap((row) => {
      const earlier = was.get(row.handle ?? '');
      if (earlier?.body === row.body && earlier?.state === row.state && earlier?.owner === row.owner) return [];
      return changed({ name: `known ${row.handle}`, was: viewOf(earlier), is: viewOf(row) }, writing);
    }),
    ...gone.map(({ handle }) => `- known ${names.in(String(handle))}`),
    ...(counts.size === 0
      ? []
      : labelled('texts', Object.fromEntries([...counts].map(([name, all]) => [name, all.length])), names, '')),
  ];
}

/** Items of the longest list that is written out; Purser keeps the names of all fields of a report. Own choice. */
const mostItems = 20;

const shortened = (value: unknown): unknown =>
  Array.isArray(value) && value.length > mostItems ? `${value.length} from ${value[0]} to ${value.at(-1)}` : value;

/** Each operation on a line: what it was, what became of it, its approval, and whose it is, where that isn't the agent. */
const operations = (
  after: Evidence,
  known: ReadonlySet<Row[string] | undefined>,
  shown: ReadonlySet<string>,
  names: Names,
): readonly string[] =>
  after.operations
    .filter(({ id }) => !known.has(id))
    .flatMap((row) => {
      const { from, reaches } = bodyOf(row.request);
      const approval = after.approvals.find((it) => it.operation_id === row.id);
      const rest = {
        ...(row.reference === '' ? {} : { reference: row.reference }),
        ...(row.subject === '' ? {} : { subject: row.subject }),
        ...(row.attempt === 1 ? {} : { attempts: row.attempt }),
        ...(row.principal === 'agent' ? {} : { principal: row.principal }),
        ...(from === undefined ? {} : { moves: `${from} → ${reaches}` }),
        ...(ended.has(String(row.state)) ? {} : { quietUntil: row.quiet_until }),
        // A lease ends by the clock of the database, which no story moves.
        ...(row.lease_holder === null ? {} : { leased: row.lease_holder }),
        ...(approval === undefined ? {} : { approval: approvalOf(approval, names) }),
        audit: after.audit
          .filter((it) => it.operation_id === row.id)
          .map((it) => happened(it, row, names))
          .join(' > '),
      };
      return [
        ...labelled(`operation ${names.in(String(row.id))} ${row.name} ${row.state}`, rest, names, ''),
        ...(approval === undefined || shown.has(String(approval.text))
          ? []
          : linesOfText(String(approval.text), names)),
      ];
    });

const approvalOf = (
  { id, state, approver, channel, expires_at: expires, decided_at: decided }: Row,
  names: Names,
): string =>
  [
    ...[id, state, approver, channel],
    `until ${names.moment(Number(expires))}`,
    decided === null ? '' : `decided ${names.moment(Number(decided))}`,
  ]
    .filter((it) => it !== null && it !== '')
    .join(' ');

const ended: ReadonlySet<string> = new Set(['SUCCEEDED', 'FAILED', 'EXPIRED', 'DENIED', 'WITHDRAWN']);

/** Members of the audit that the operation, its approval or a digest say already. */
const implied: ReadonlySet<string> = new Set(['argsDigest', 'digest', 'tool', 'approval', 'principal']);

function happened({ event, body, at }: Row, operation: Row | undefined, names: Names): string {
  const members = Object.entries(bodyOf(body)).filter(
    ([name, value]) => !implied.has(name) && value !== null && !(name === 'attempt' && value === 1),
  );
  const told = Object.fromEntries(members);
  const later = operation === undefined || at === operation.created_at ? '' : ` ${names.moment(Number(at))}`;
  return `${event}${later}${members.length === 0 ? '' : ` ${bare(told, names)}`}`;
}

const bare = (told: Body, names: Names): string =>
  Object.values(told)
    .map((value) => flow(value, names))
    .join(' ');

const budgets = (after: Evidence, names: Names): readonly string[] => [
  ...after.reservations.flatMap(({ operation_id: of, budget, scope, minor, state }) =>
    labelled(
      `reserved ${state}`,
      { of, budget: String(budget).replaceAll('\n', ' '), ...(scope === '' ? {} : { scope }), minor },
      names,
      '',
    ),
  ),
  ...Object.entries(after.state.budgets).flatMap(([name, used]) =>
    labelled(`budget ${names.in(name.replaceAll('\n', ' '))}`, used, names, ''),
  ),
];

/** What the audit says of no operation. */
const audit = ({ audit: rows }: Evidence, known: number, names: Names): readonly string[] => {
  const own = rows.slice(known).filter(({ operation_id: id }) => id === null);
  return own.length === 0
    ? []
    : labelled(
        'audit',
        own.map((row) => `${happened(row, undefined, names)}`),
        names,
        '',
      );
};
