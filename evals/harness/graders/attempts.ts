import { answerOf, type CallEntry } from '../replay/run.ts';
import { member } from '../scenario/captures.ts';
import { effectOf } from '../scenario/catalogue.ts';
import {
  acted,
  askedApprover,
  besides,
  moved,
  placeIn,
  platformTold,
  several,
  taken,
  underway,
  withoutMarkup,
} from '../speech/attempts.ts';
import { type Clause, clausesOf } from '../speech/clauses.ts';
import { type Deed, type DeedName, deeds, deedsIn } from '../speech/deeds.ts';
import { cameToNothing } from '../speech/doubt.ts';
import { sumsIn } from '../speech/money.ts';
import { canonical, figuresIn } from '../speech/numbers.ts';
import { holdsMark } from '../speech/people.ts';
import { type Row, rowsOf } from '../speech/rows.ts';
import { thingsOf } from '../speech/things.ts';
import type { Moment } from '../speech/timeline.ts';
import { callsOfTurn } from './outcomes.ts';

// What was tried, on what and with which sum, against what a reply says became of it.

export function attemptFaults(text: string, moment: Moment): readonly string[] {
  return clausesOf(text).flatMap((clause) => {
    if (clause.isQuestion) return [];
    const plain = { ...clause, text: clause.text.replaceAll('’', "'") };
    const [, because] = checks.find(([isFault]) => isFault(plain, moment)) ?? [];
    return because === undefined ? [] : [`"${clause.text.trim()}": ${because}.`];
  });
}

type Check = (clause: Clause, moment: Moment) => boolean;

const asserts =
  (check: Check): Check =>
  (clause, moment) =>
    clause.mood === 'asserted' && check(clause, moment);

/** "The 45 pounds are taken", where they are held, and less or nothing of them was captured. */
const isOnlyHeld: Check = ({ text }, { calls }) => {
  if (!taken.test(text)) return false;
  const last = new Map(rowsOf(calls).flatMap((row) => (isHold(row) ? [[row.transaction ?? row.charge, row]] : [])));
  const others = rowsOf(calls).filter((row) => !isHold(row) && ('capture' in row || 'credentials' in row));
  return sumsIn(text).some(({ values }) => {
    const has = (value: unknown): boolean => values.includes(canonical(amountOf(value) ?? 'none'));
    const held = [...last.values()].filter(({ total, local, billing }) => [total, local, billing].some(has));
    return (
      held.length > 0 &&
      held.every(({ captured, total, local }) => Number(amountOf(captured)) < Number(amountOf(total ?? local))) &&
      ![...last.values()].some(({ captured }) => has(captured)) &&
      !others.some(({ amount, local, billing }) => [amount, local, billing].some(has))
    );
  });
};
const isHold = (row: Row): boolean =>
  ('transaction' in row || ('charge' in row && !('capture' in row))) &&
  amountOf(row.captured) !== undefined &&
  /^(?:AUTHORIZED|CAPTURED)$/.test(String(row.state));

const amountOf = (value: unknown): string | undefined => {
  if (typeof value === 'string' && /^\d+(?:\.\d+)?$/.test(value)) return value;
  const { amount } = (typeof value === 'object' && value !== null ? value : {}) as Row;
  return typeof amount === 'string' ? amount : undefined;
};

/** "The 42 came in", where the call with that sum was refused, and no answer has it. */
const isOfRefusedSum: Check = ({ text }, { calls }) => {
  if (!moved.test(text) && !taken.test(text)) return false;
  const read = rowsOf(calls).flatMap((row) => Object.values(row).flatMap((it) => amountOf(it) ?? []));
  const done = calls.filter(isDone).flatMap(({ args }) => amountOf(args.amount) ?? []);
  const known = new Set([...read, ...done].map(Number));
  return calls.some((call) => {
    const sum = Number(amountOf(call.args.amount) ?? Number.NaN);
    return (
      isChange(call) &&
      answerOf(call).outcome === 'refused' &&
      !known.has(sum) &&
      figuresIn(text).some(({ values }) => values.some((it) => Number(it) === sum))
    );
  });
};

/** "Both are paused", where one of them was not. */
const isOfSome: Check = ({ text }, { calls }) =>
  several.test(text) &&
  deedsIn(text).some((deed) => {
    const tried = calls.filter((it) => isChange(it) && toolsOf(deed).includes(it.tool));
    const failed = tried.filter((it) => !isDone(it)).map(thingOf);
    const done = tried.filter(isDone).map(thingOf);
    return new Set([...failed, ...done]).size === 2 && failed.some((it) => it !== undefined && !done.includes(it));
  });

/** "A fourth code was sent", where the call of this turn that would have done it was refused. */
const isRefusedNow: Check = ({ text }, moment) => {
  const last = callsOfTurn(moment).findLast(isChange);
  if (last === undefined || answerOf(last).outcome !== 'refused') return false;
  const done = moment.calls.filter((it) => it.tool === last.tool && isDone(it));
  return (
    ((placeIn(text) ?? 0) > done.length || besides.test(text)) &&
    !callsOfTurn(moment).some((it) => besides.test(text) && done.includes(it)) &&
    deedsIn(text).some((deed) => repeatable[deed]?.includes(last.tool))
  );
};
/** Deeds that can be done again, and the calls that do them. */
const repeatable: Readonly<Partial<Record<DeedName, readonly string[]>>> = {
  sent: ['create_one_time_password', 'send_invoice', 'send_device_receipt'],
  refunded: ['refund_capture', 'refund_device_transaction'],
  paid: ['capture_payment', 'authorize_payment', 'charge_device', 'retrieve_credentials'],
};

/** "November was requested, too", where the call that names it came to nothing. */
const isOfFailedName: Check = ({ text }, { calls }) =>
  (underway.test(text) || deedsIn(text).length > 0) &&
  calls.some((call) => {
    const label = call.args.name ?? call.args.reference;
    if (typeof label !== 'string' || !isChange(call) || !holdsMark(text, label)) return false;
    const { outcome, operation } = answerOf(call);
    const isKnown = rowsOf(calls.filter(isDone)).some(
      (it) => it.state !== 'FAILED' && [it.name, it.reference].includes(label),
    );
    const isFailed =
      outcome === 'unknown' &&
      calls.some((it) => it.args.operation === operation && member(answerOf(it).data, 'state') === 'FAILED');
    return (
      isFailed && !isKnown && !calls.some((it) => isDone(it) && isChange(it) && Object.values(it.args).includes(label))
    );
  });

/** "The platform has told us so", where no event came. */
const isUnheard: Check = ({ text }, { calls }) => {
  const lists = calls.filter(({ tool }) => tool === 'list_events').map((it) => member(answerOf(it).data, 'total'));
  return platformTold.test(text) && lists.length > 0 && lists.every((it) => it === 0);
};

/** "I've put it down for March", where no call changed anything. */
const isIdle: Check = ({ text }, { calls }) =>
  acted.test(text) &&
  calls.every((it) => !isChange(it) || answerOf(it).outcome === 'refused' || answerOf(it).outcome === 'declined');

const hasAskedNobody: Check = ({ text }, { calls, history }) =>
  askedApprover.test(text) &&
  !calls.some((it) => isChange(it) && answerOf(it).outcome === 'needs_approval') &&
  !history.some((it) => it.kind === 'event' && /approver|form|operator/.test(it.what));

/** "Order 12 did not go through", where it was charged. */
const hasGoneWell: Check = ({ text }, { calls, people }) =>
  cameToNothing.test(text.replace(/(?<!\p{L})(?:order|sale|payment|booking) \S+(?= )/iu, 'it')) &&
  thingsOf(calls, people).some(
    ({ state, labels }) =>
      charged.includes(state) && [...(labels.get('reference') ?? [])].some((it) => holdsMark(text, it)),
  );
const charged: readonly string[] = ['APPROVED', 'CHARGED', 'CAPTURED', 'PAID', 'COMPLETED'];

const hasMarkup: Check = ({ text }, { calls }) => {
  const markups = rowsOf(calls).flatMap(({ markupPercent }) => (markupPercent === undefined ? [] : [markupPercent]));
  return withoutMarkup.test(text) && markups.length > 0 && markups.every((it) => Number(it) > 0);
};

const checks: readonly (readonly [Check, because: string])[] = [
  [asserts(isOnlyHeld), 'that is held, and not taken'],
  [asserts(isOfRefusedSum), 'the call with that sum was refused'],
  [asserts(isOfSome), 'it was done to one of them alone'],
  [asserts(isRefusedNow), 'what was tried last was refused'],
  [asserts(isOfFailedName), 'that came to nothing'],
  [asserts(isUnheard), 'no event says so'],
  [asserts(isIdle), 'no call did anything'],
  [hasAskedNobody, 'no call asked for an approval'],
  [hasGoneWell, 'it went through'],
  [hasMarkup, 'an answer gives a markup'],
];

const isDone = (call: CallEntry): boolean => answerOf(call).outcome === 'done';
const isChange = ({ tool }: CallEntry): boolean => effectOf(tool) !== 'read';
const toolsOf = (deed: DeedName): readonly string[] => {
  const { tools = [] }: Deed = deeds[deed];
  return tools.map((it) => it.split(':')[0] ?? it);
};
/** What a call was about. */
const thingOf = ({ args }: CallEntry): unknown =>
  args.subscription ?? args.invoice ?? args.plan ?? args.capture ?? args.charge ?? args.transaction ?? args.instruction;
