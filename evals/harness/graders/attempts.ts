import { answerOf, type CallEntry } from '../replay/run.ts';
import { member } from '../scenario/captures.ts';
import { effectOf } from '../scenario/catalogue.ts';
import {
  acted,
  askedApprover,
  besides,
  existingIn,
  fileReady,
  heldRest,
  iChose,
  moved,
  neverThrough,
  ofTheWhole,
  onlyHeld,
  placeIn,
  platformTold,
  several,
  taken,
  underway,
  withoutMarkup,
  youPaid,
} from '../speech/attempts.ts';
import { type Clause, clausesOf } from '../speech/clauses.ts';
import { type Deed, type DeedName, deeds, deedsIn } from '../speech/deeds.ts';
import { cameToNothing } from '../speech/doubt.ts';
import { sumsIn } from '../speech/money.ts';
import { canonical, figuresIn } from '../speech/numbers.ts';
import { ownDeedsIn } from '../speech/own-deeds.ts';
import { holdsMark } from '../speech/people.ts';
import { type Row, rowsOf } from '../speech/rows.ts';
import { thingsOf } from '../speech/things.ts';
import { callsOfTurn, type Moment } from '../speech/timeline.ts';
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
      figuresIn(text).some(
        // "One of the five" counts, and names no sum.
        ({ values, start }) =>
          !/(?:of the|all(?: the)?) $/iu.test(text.slice(0, start)) && values.some((it) => Number(it) === sum),
      )
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
  created: ['create_invoice', 'create_plan', 'create_subscription', 'create_follow_on_subscription'],
};

/** "November was requested, too", where the call that names it came to nothing. */
const isOfFailedName: Check = ({ text }, { calls }) =>
  (underway.test(text) || deedsIn(text).length > 0) &&
  calls.some((call) => {
    const label = [call.args.organization, call.args.name, call.args.reference].find(
      (it) => typeof it === 'string' && holdsMark(text, it),
    );
    if (typeof label !== 'string' || !isChange(call)) return false;
    const { outcome, operation } = answerOf(call);
    const isKnown = rowsOf(calls.filter(isDone)).some(
      (it) => it.state !== 'FAILED' && [it.name, it.reference].includes(label),
    );
    const isFailed =
      (outcome === 'refused' && label === call.args.organization) ||
      (outcome === 'unknown' &&
        calls.some((it) => it.args.operation === operation && member(answerOf(it).data, 'state') === 'FAILED'));
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
  const markups = rowsOf(calls).flatMap(({ markup_percent: markupPercent }) =>
    markupPercent === undefined ? [] : [markupPercent],
  );
  return withoutMarkup.test(text) && markups.length > 0 && markups.every((it) => Number(it) > 0);
};

/** "You paid 100 dollars", where the card is charged in another currency, and no word tells of that one. */
const isOfOtherCurrency: Check = ({ text }, { calls }) => {
  if (!youPaid.test(text)) return false;
  const charges = rowsOf(calls).filter((row) => 'charge' in row && amountOf(row.billing) !== undefined);
  const values = sumsIn(text).flatMap((it) => it.values);
  const has = (value: unknown): boolean => values.includes(canonical(amountOf(value) ?? 'none'));
  return charges.some(
    ({ local, billing }) =>
      currencyOf(local) !== currencyOf(billing) &&
      has(local) &&
      !has(billing) &&
      !charges.some((it) => has(it.billing)),
  );
};

const currencyOf = (value: unknown): unknown =>
  ((typeof value === 'object' && value !== null ? value : {}) as Row).currency;

/** "It is only held", where every hold has been captured in full. */
const isTakenByNow: Check = ({ text }, { calls }) => {
  if (!onlyHeld.test(text) || heldRest.test(text)) return false;
  const taken: ReadonlySet<unknown> = new Set(
    calls.filter((it) => /^capture_/.test(it.tool) && isDone(it)).map(({ args }) => args.charge ?? args.transaction),
  );
  const held = new Set(rowsOf(calls).flatMap((row) => (isHold(row) ? [row.charge ?? row.transaction] : [])));
  return held.size > 0 && [...held].every((it) => taken.has(it));
};

/** "Saved, with the field PaymentData.Total", where the call with that name was refused, and none was done with it. */
const isOfRefusedName: Check = ({ text }, { calls }) => {
  const marks = text.match(/(?<![\p{L}\p{N}])\p{L}+(?:\.\p{L}{2,})+(?![\p{L}\p{N}])/gu) ?? [];
  if (!withIt.test(text) && deedsIn(text).length === 0 && !underway.test(text)) return false;
  const holds = (value: object | undefined, mark: string): boolean =>
    value !== undefined && JSON.stringify(value).includes(`"${mark}"`);
  return marks.some(
    (mark) =>
      calls.some((it) => isChange(it) && answerOf(it).outcome === 'refused' && holds(it.args, mark)) &&
      !calls.some((it) => isDone(it) && (holds(it.args, mark) || holds(answerOf(it).data, mark))),
  );
};

/** "I've reordered a second set", where it was done once. */
const isOnceMore: Check = ({ text }, { calls }) =>
  /(?<!\p{L})a second(?! (?:or|later|ago|before|after)(?!\p{L}))/iu.test(text) &&
  ownDeedsIn(text).some(
    (deed) => calls.filter((it) => isChange(it) && isDone(it) && toolsOf(deed).includes(it.tool)).length < 2,
  );

/** "I picked it for you", where the customer chose. */
const hasChosenNothing: Check = ({ text }, { calls }) =>
  iChose.test(text) &&
  rowsOf(calls).some(({ offer }) => offer !== undefined) &&
  !calls.some((it) => it.tool === 'choose_currency' && isDone(it));

/** "The refund never went through", where it did, and no other one was tried in vain. */
const isDeniedThough: Check = ({ text }, { calls, people }) => {
  const [, noun = ''] = neverThrough.exec(text) ?? [];
  if (noun === '') return false;
  const states = thingsOf(calls, people).map(({ state }) => state);
  const good = /refund/i.test(noun) ? ['REFUNDED', 'CREDITED'] : charged;
  return states.some((it) => good.includes(it)) && !states.some((it) => failedStates.includes(it));
};
const failedStates: readonly string[] = [
  'DECLINED',
  'FAILED',
  'ABORTED',
  'ERROR',
  'NOT_REFUNDED',
  'UNKNOWN',
  'PENDING',
];

/** "Two of the three are bought", where as many as that were tried and done. */
const isOfFewer: Check = ({ text }, { calls }) => {
  const { part = '', whole = '' } = ofTheWhole.exec(text)?.groups ?? {};
  const [some, all] = [part, whole].map((it) => Number(figuresIn(it)[0]?.values[0] ?? Number.NaN));
  return (
    some !== undefined &&
    all !== undefined &&
    some < all &&
    deedsIn(text).some((deed) => {
      const tried = calls.filter((it) => isChange(it) && toolsOf(deed).includes(it.tool));
      return tried.length === all && tried.every(isDone);
    })
  );
};

/** "The file is ready", where the report was asked for last, and no list has shown it since. */
const isNotReady: Check = ({ text }, { calls }) => {
  if (!fileReady.test(text)) return false;
  const place = calls.findLastIndex((it) => it.tool === 'request_report' && isDone(it));
  return place !== -1 && !rowsOf(calls.slice(place + 1)).some((row) => row.state === 'COMPLETED' || 'rows' in row);
};

const withIt = /^\W*(?:with|using|by|mit|avec|con)(?!\p{L})/iu;

/** "She has two drafts", where the last list of them has another number. */
const isOtherNumber: Check = ({ text }, { calls }) =>
  existingIn(text).some(({ tool, value }) => {
    const place = calls.findLastIndex((it) => it.tool === tool && isDone(it));
    const { data } = answerOf(calls[place] ?? ({} as CallEntry));
    const items = member(data, 'items');
    const made = calls.slice(place + 1).some((it) => isChange(it) && isDone(it));
    return (
      place !== -1 && !made && Array.isArray(items) && member(data, 'total') === items.length && value > items.length
    );
  });

const checks: readonly (readonly [Check, because: string])[] = [
  [asserts(isOnlyHeld), 'that is held, and not taken'],
  [asserts(isOfRefusedSum), 'the call with that sum was refused'],
  [asserts(isOfSome), 'it was done to one of them alone'],
  [asserts(isRefusedNow), 'what was tried last was refused'],
  [asserts(isOfFailedName), 'that came to nothing'],
  [asserts(isUnheard), 'no event says so'],
  [asserts(isIdle), 'no call did anything'],
  [asserts(isOfOtherCurrency), 'the card is charged in another currency'],
  [asserts(hasChosenNothing), 'the customer chose'],
  [asserts(isOfFewer), 'all of them were done'],
  [asserts(isNotReady), 'no answer shows that it is ready'],
  [isDeniedThough, 'it went through'],
  [isTakenByNow, 'it has been captured'],
  [asserts(isOfRefusedName), 'the call with that name was refused'],
  [asserts(isOnceMore), 'it was done once'],
  [asserts(isOtherNumber), 'there are fewer of them'],
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
