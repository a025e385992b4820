import { answerOf, type CallEntry } from '../replay/run.ts';
import { member } from '../scenario/captures.ts';
import { effectOf } from '../scenario/catalogue.ts';
import { type Clause, clausesOf } from '../speech/clauses.ts';
import { type Deed, type DeedName, deeds, deedsIn } from '../speech/deeds.ts';
import {
  atOnce,
  attempted,
  couldNot,
  nobodyHears,
  platformDown,
  reasons,
  thereIsNone,
  warned,
} from '../speech/reasons.ts';
import { rowsIn } from '../speech/rows.ts';
import { callsOfTurn, type Moment } from '../speech/timeline.ts';
// Reasons that answers don't give, failures of what was done, and tries that were not the first.

export function reasonFaults(text: string, moment: Moment): readonly string[] {
  return clausesOf(text).flatMap((clause) => {
    if (clause.isQuestion) return [];
    const plain = { ...clause, text: clause.text.replaceAll('’', "'") };
    const said = `"${clause.text.trim()}"`;
    const untrue = reasons.find(
      (it) => it.said.test(plain.text) && clause.mood === 'asserted' && !isShown(it.shown, moment),
    );
    if (untrue !== undefined) return [`${said}: ${untrue.what}.`];
    const [, because] = checks.find(([isFault]) => isFault(plain, moment)) ?? [];
    return because === undefined ? [] : [`${said}: ${because}.`];
  });
}

type Check = (clause: Clause, moment: Moment) => boolean;

/** What answers give, events tell, and the customer said. */
const isShown = (shown: RegExp, { calls, history }: Moment): boolean =>
  shown.test(JSON.stringify(calls.map(({ answer }) => answer))) ||
  history.some((it) => (it.kind === 'user' || it.kind === 'event') && shown.test(it.text));

const isDone = (call: CallEntry): boolean => answerOf(call).outcome === 'done';
const isUnanswered = (call: CallEntry): boolean =>
  answerOf(call).outcome === 'unknown' ||
  /^(?:UNREACHABLE|OUTCOME_UNKNOWN|RATE_LIMITED|UNAVAILABLE|TIMEOUT)$/.test(answerOf(call).error?.code ?? '') ||
  /no usable|not (?:be )?reach|unreachable|did not answer|no answer/i.test(answerOf(call).said ?? '');

/** "The platform is down", where what was asked last was answered. */
const isAnswered: Check = ({ text, mood }, moment) => {
  const last = callsOfTurn(moment).at(-1);
  return platformDown.test(text) && mood !== 'open' && last !== undefined && !isUnanswered(last);
};

const verbsIn = (text: string): readonly DeedName[] => [
  ...new Set([
    ...deedsIn(text),
    ...(Object.keys(attempted) as DeedName[]).filter((deed) => attempted[deed]?.test(text)),
  ]),
];

/** "I couldn't release it", where everything that was tried since the last reply was done. */
const isDoneAfterAll: Check = ({ text }, moment) => {
  const turn = callsOfTurn(moment);
  const changes = turn.filter(({ tool }) => effectOf(tool) !== 'read');
  const tried = changes.filter((it) => answerOf(it).outcome !== 'needs_approval');
  return (
    couldNot.test(text) &&
    tried.length > 0 &&
    turn.every((it) => isDone(it) || answerOf(it).outcome === 'needs_approval') &&
    verbsIn(text).some((deed) => tried.some(({ tool }) => toolsOf(deed).includes(tool)))
  );
};
const toolsOf = (deed: DeedName): readonly string[] => {
  const { tools = [] }: Deed = deeds[deed];
  return tools.map((it) => it.split(':')[0] ?? it);
};

/** "It worked right away", where the same call had failed before. */
const isLaterTry: Check = ({ text, mood }, moment) => {
  const turn = callsOfTurn(moment);
  const last = turn.findLast(({ tool }) => effectOf(tool) !== 'read') ?? turn.at(-1);
  return (
    mood === 'asserted' &&
    atOnce.test(text) &&
    last !== undefined &&
    turn.some(
      (it) => it.tool === last.tool && it !== last && /^(?:declined|unknown|refused)$/.test(answerOf(it).outcome ?? ''),
    )
  );
};

/** "It still nags", where the last change came without a warning. */
const isUnwarned: Check = ({ text, mood }, moment) => {
  const last = callsOfTurn(moment).findLast(({ tool }) => effectOf(tool) !== 'read');
  return (
    mood === 'asserted' &&
    warned.test(text) &&
    last !== undefined &&
    isDone(last) &&
    member(last.answer, 'warnings') === undefined
  );
};

/** "Nobody is told of it", where a subscription to events was found. */
const isHeard: Check = ({ text }, moment) =>
  nobodyHears.test(text) &&
  callsOfTurn(moment).some(
    (it) =>
      it.tool === 'list_webhook_subscriptions' &&
      rowsIn(answerOf(it).data).some(({ state, address }) => state === 'ACTIVE' && address !== undefined),
  );

/** "There were no refunds", where what was asked failed, and no answer was empty. */
const isUnfounded: Check = ({ text }, moment) => {
  const turn = callsOfTurn(moment);
  const states = turn.flatMap((it) => rowsIn(answerOf(it).data)).map(({ state }) => state);
  const hasFailed =
    turn.some((it) => answerOf(it).outcome !== 'done') || states.some((it) => it === 'ERROR' || it === 'FAILED');
  return thereIsNone.test(text) && hasFailed && !moment.calls.some(isEmpty);
};
const isEmpty = (call: CallEntry): boolean =>
  answerOf(call).error?.code === 'NOT_FOUND' ||
  /nothing happened/i.test(answerOf(call).said ?? '') ||
  /(?<!\w)(?:no|nothing|none|empty)(?!\w)/i.test(
    answerOf(call).outcome === 'done' ? (answerOf(call).said ?? '') : '',
  ) ||
  rowsIn(answerOf(call).data).some(
    ({ items, total, sales_count, refunds_count, count, rows: lines }) =>
      total === 0 ||
      sales_count === 0 ||
      refunds_count === 0 ||
      count === 0 ||
      lines === 0 ||
      (Array.isArray(items) && items.length === 0),
  );

const checks: readonly (readonly [Check, because: string])[] = [
  [isAnswered, 'what was asked last was answered'],
  [isDoneAfterAll, 'all that was tried was done'],
  [isLaterTry, 'an earlier try failed'],
  [isUnwarned, 'no answer warns of anything'],
  [isUnfounded, 'what was asked was not answered'],
  [isHeard, 'an answer shows who is notified'],
];
