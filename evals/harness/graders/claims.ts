import type { Answer } from '../../../src/engine/answer.ts';
import { answerOf, type CallEntry } from '../replay/run.ts';
import { member } from '../scenario/captures.ts';
import { effectOf } from '../scenario/catalogue.ts';
import type { Values } from '../scenario/schema.ts';
import { type Clause, clausesOf } from '../speech/clauses.ts';
import { daysIn } from '../speech/dates.ts';
import { type Deed, type DeedName, deeds, deedsIn } from '../speech/deeds.ts';
import { inDoubt } from '../speech/doubt.ts';
import { sumsIn } from '../speech/money.ts';
import { canonical, figuresIn } from '../speech/numbers.ts';
import { ownDeedsIn } from '../speech/own-deeds.ts';
import { holdsMark } from '../speech/people.ts';
import { rowsIn, rowsOf } from '../speech/rows.ts';
import { success } from '../speech/success.ts';
import { thingsOf } from '../speech/things.ts';
import { callsOfTurn, type Moment } from '../speech/timeline.ts';
import { edge, end, words } from '../speech/words.ts';

// What a reply claims of deeds, against the calls before it.

/** Deeds that are asserted and nothing shows, that are denied and were done, and promises that a subscription breaks. */
export function deedFaults(text: string, moment: Moment): readonly string[] {
  // "It was approved and sent, but no answer came back": that much is true of a call whose outcome nobody knows.
  const isOpen = inDoubt.test(text) && callsOfTurn(moment).some((call) => answerOf(call).outcome === 'unknown');
  const isOnItsWay = (name: DeedName, clause: Clause): boolean =>
    isOpen && (name === 'sent' || (name === 'approved' && !byABank.test(clause.text)));
  return clausesOf(text).flatMap((clause): readonly string[] => {
    const said = `"${clause.text.trim()}"`;
    if (breaksPromise(clause, moment)) return [`${said}, and payments are still due.`];
    const named = deedsIn(clause.text);
    if (clause.mood === 'asserted') {
      const isOfMoney = named.some((it) => it === 'paid' || it === 'held') || sumsIn(clause.text).length > 0;
      const payer = isOfMoney ? strangeCardIn(clause, moment) : undefined;
      if (payer !== undefined) return [`${said}: nothing was done with a card of ${payer}.`];
      const untrue = named.find(
        (it) => !isShown(it, moment) && !isReported(it, clause, moment) && !isOnItsWay(it, clause),
      );
      if (untrue !== undefined) return [`${said}: no answer shows that anything was ${untrue}.`];
      if (ownDeedsIn(clause.text).some((it) => !isOwn(it, moment) && !isOnItsWay(it, clause)))
        return [`${said}, and no call did that.`];
      if (named.includes('paid') && isOfUnpaidBill(clause, moment)) return [`${said}, and that bill is not paid.`];
      return success.test(clause.text) && !hasSucceeded(clause, moment) ? [`${said}: nothing was done.`] : [];
    }
    if (clause.mood !== 'denied' || isNarrowed(withoutThing(clause, moment)) || isOfSomebodysCard(clause, moment))
      return [];
    const done = named.find((it) => (isUniversal(clause) ? wasAnyDone : wasAllDone)(it, moment));
    return done === undefined ? [] : [`${said}, though it was ${done}.`];
  });
}

/** "We got word that she paid": what an event tells, and no answer has confirmed. */
const isReported = (name: DeedName, { text }: Clause, { calls }: Moment): boolean =>
  name === 'paid' &&
  reports.test(text) &&
  rowsOf(calls).some(({ type }) => typeof type === 'string' && /\.paid$/.test(type));
const reports = words('(?:got|had|have|received) (?:the )?word|(?:were|was|been) (?:told|notified|informed)|heard');

/** What only a bank or the platform does. */
const byABank = words('authori[sz]ed|autorisiert|autorisée?s?|autorizad[oa]s?');

/** Somebody whose card is said to have been charged, where every call that was done was with another one's. */
function strangeCardIn({ text }: Clause, { calls, people }: Moment): string | undefined {
  const done = calls.filter((it) => effectOf(it.tool) !== 'read' && answerOf(it).outcome === 'done');
  const known = done.map((it) => JSON.stringify([it.args, answerOf(it).data]));
  const [person, ...others] = people.filter(({ marks }) =>
    marks.some((it) => /^\p{Lu}\p{Ll}+$/u.test(it) && ofCard(it).test(text)),
  );
  const isKnown = person?.handles.some((it) => known.some((one) => one.includes(`"${it}"`)));
  const isOfOthers = people.some(
    (it) => it !== person && it.handles.some((one) => known.some((all) => all.includes(`"${one}"`))),
  );
  return person === undefined || others.length > 0 || isKnown === true || !isOfOthers
    ? undefined
    : person.marks.find((it) => ofCard(it).test(text));
}
const ofCard = (name: string): RegExp =>
  new RegExp(`${edge}${name}['’]s (?:\\p{L}+ )?(?:card|account|bank|money)${end}`, 'u');

/** "His card was never charged": whose that is can't be told where calls named several cards, or a reader took them. */
function isOfSomebodysCard({ text }: Clause, { calls, people }: Moment): boolean {
  if (!theirCard.test(text)) return false;
  const cards = new Set(calls.flatMap((it) => cardsIn([it.args, answerOf(it).data])));
  const taps = new Set(rowsOf(calls).flatMap(({ transaction }) => (transaction === undefined ? [] : [transaction])));
  return cards.size > 1 || taps.size > 1 || people.length > 1;
}
const theirCard = words(
  "(?:his|her|their|\\p{Lu}\\p{Ll}+['’]s) (?:\\p{L}+ )?(?:cards?|accounts?|bank|money)|(?:sein|ihr)e? (?:karte|konto)|sa carte|su (?:tarjeta|cuenta)",
);
const cardsIn = (value: unknown): readonly unknown[] => (JSON.stringify(value) ?? '').match(/"(?:card_\w+)"/g) ?? [];

/** Whether an answer shows a deed: by a completed call, a state, or its own words. */
export function isShown(name: DeedName, { calls, now }: Pick<Moment, 'calls' | 'now'>): boolean {
  const { states = [] }: Deed = deeds[name];
  return (
    wasDone(name, { calls }) ||
    (name === 'paid' && calls.some(({ answer }) => isBilled(answer, now))) ||
    calls.some((call) => hasState(call.answer, states) || saysSo(call, name) || showsOperation(call, name))
  );
}

const isBilledAny = (calls: readonly CallEntry[], now: number): boolean =>
  calls.some(({ answer }) => isBilled(answer, now));

/** A subscription that is active is charged on its first day. */
function isBilled(value: unknown, now: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { subscription, state, start } = value as Values;
  if (typeof subscription === 'string' && state === 'ACTIVE' && Date.parse(String(start)) <= now) return true;
  return Object.values(value).some((it) => isBilled(it, now));
}

/** An operation that was looked up, and had taken effect. */
function showsOperation({ answer }: CallEntry, name: DeedName): boolean {
  const { data } = (answer ?? {}) as Partial<Answer>;
  const { tools = [] }: Deed = deeds[name];
  const rows = [data, ...(Array.isArray(data?.items) ? data.items : [])] as readonly (Values | undefined)[];
  return rows.some(
    (row) =>
      tools.some((tool) => tool.split(':')[0] === row?.tool) &&
      (row?.state === 'SUCCEEDED' || (row?.state === 'RESOLVED' && /took effect/.test(JSON.stringify(row)))),
  );
}

/** Whether the agent has done it itself, by a call that was completed then or later. */
const isOwn = (name: DeedName, { calls, now }: Moment): boolean => {
  const { tools = [], states = [] }: Deed = deeds[name];
  const changes = calls.filter(({ tool }) => effectOf(tool) !== 'read');
  return (
    tools.length === 0 ||
    wasDone(name, { calls }) ||
    changes.some((call) => answerOf(call).outcome === 'done' && hasState(call.answer, states)) ||
    calls.some((call) => showsOperation(call, name)) ||
    (calls.some((call) => tools.some((it) => it.split(':')[0] === call.tool) && answerOf(call).outcome === 'unknown') &&
      isShown(name, { calls, now }))
  );
};

function wasDone(name: DeedName, { calls }: Pick<Moment, 'calls'>): boolean {
  const { tools = [] }: Deed = deeds[name];
  return calls.some((call) => {
    const { outcome, data } = answerOf(call);
    return (
      outcome === 'done' &&
      tools.some((it) => {
        const [tool, needed] = it.split(':');
        return tool === call.tool && (needed === undefined || member(data, needed) !== undefined);
      })
    );
  });
}

function hasState(value: unknown, states: readonly string[]): boolean {
  if (typeof value === 'string')
    return states.some((it) => value === it || (it.length > 3 && it === it.toUpperCase() && holdsMark(value, it)));
  if (typeof value !== 'object' || value === null) return false;
  const isThing = states.some((it) => {
    const [needed = '', state] = it.split(':');
    return state !== undefined && needed in value && 'state' in value && value.state === state;
  });
  if (isThing) return true;
  return Object.entries(value).some(([name, member]) => !/^(?:next|error)$/.test(name) && hasState(member, states));
}

const saysSo = (call: CallEntry, name: DeedName): boolean =>
  clausesOf([answerOf(call).said, member(answerOf(call).data, 'meaning')].filter(Boolean).join('\n')).some(
    ({ text, mood }) => mood === 'asserted' && deedsIn(text).includes(name),
  );

/**
 * Whether the last call that changes something succeeded, a later look shows that it did, or reads alone were made. What a
 * clause names by its reference, or as one of several, need not be the last.
 */
function hasSucceeded({ text }: Clause, { calls, now }: Moment): boolean {
  const place = calls.findLastIndex(({ tool }) => effectOf(tool) !== 'read');
  const last = calls[place] ?? calls.at(-1);
  if (last === undefined) return false;
  const named = Object.values(last.args).filter((it) => typeof it === 'string' && it.length > 3);
  const isSeenLater = calls
    .slice(place + 1)
    .some(
      ({ args, answer }) =>
        Object.values(args).some((it) => named.includes(it)) &&
        rowsIn(member(answer, 'data')).some(({ state }) => made.includes(String(state))),
    );
  if (isSeenLater || isChargedByNow(text, { calls, now })) return true;
  // "The money went through just now": a payment that the platform made by itself.
  if (/(?<!\p{L})(?:payment|money|charge)(?!\p{L})/iu.test(text) && isBilledAny(calls, now)) return true;
  const isOneOfSeveral = /(?<!\p{L})(?:one|half|part|some|the first|the other|eine[rs]?|l'une?|una?)(?!\p{L})/iu.test(
    text,
  );
  return (
    answerOf(last).outcome === 'done' ||
    calls.slice(place).some(({ answer }) => hasState(answer, ended)) ||
    calls.some(
      (call) =>
        answerOf(call).outcome === 'done' &&
        (typeof call.args.reference === 'string' ? holdsMark(text, call.args.reference) : isOneOfSeveral) &&
        (effectOf(call.tool) !== 'read' || hasState(call.answer, [...ended, 'APPROVED', 'EXECUTED'])),
    )
  );
}

/** "March's went through": a payment that was scheduled for that month, and whose day is over. */
function isChargedByNow(text: string, { calls, now }: Pick<Moment, 'calls' | 'now'>): boolean {
  const months = [...text.matchAll(/\p{Lu}\p{L}+/gu)].flatMap(([word]) =>
    daysIn(`1 ${word}`, now).flatMap(({ readings }) => readings.map(({ month }) => month)),
  );
  return rowsOf(calls).some(({ cycle, date }) => {
    const at = Date.parse(String(date));
    return cycle !== undefined && at <= now && months.includes(new Date(at).getUTCMonth() + 1);
  });
}

/** States of a payment or refund that a later look shows to have been made. */
const made: readonly string[] = ['APPROVED', 'AUTHORIZED', 'CAPTURED', 'CREDITED', 'REFUNDED'];
/** States of things that have come to a good end. */
const ended: readonly string[] = [
  'COMPLETED',
  'REVERSED',
  'VOIDED',
  'CANCELLED',
  'CANCELED',
  'PAID',
  'SUCCEEDED',
  'RESOLVED',
];

/** Calls that do what can be denied; after a colon the state or member that their answers must have. */
export const doers: Readonly<Partial<Record<DeedName, readonly string[]>>> = {
  paid: [
    'retrieve_credentials:credentials',
    'confirm_transaction:COMPLETED',
    'capture_payment:PENDING',
    'charge_device:APPROVED',
    'capture_preauthorization:CAPTURED',
  ],
  cancelled: [
    'cancel_purchase:CANCELLED',
    'cancel_subscription:CANCELLED',
    'cancel_invoice:CANCELED',
    'reverse_payment:REVERSED',
  ],
  refunded: ['refund_capture:PENDING', 'refund_device_transaction:refunded'],
  skipped: ['skip_subscription_payments:skipped'],
  confirmed: ['confirm_transaction:COMPLETED'],
  sent: ['send_invoice:SENT', 'create_invoice:SENT', 'send_device_receipt'],
  mailed: ['send_invoice:SENT', 'create_invoice:SENT'],
  created: ['create_plan', 'create_subscription', 'create_invoice'],
  closed: ['deactivate_plan:INACTIVE'],
  deleted: ['delete_plan', 'delete_report_subscription'],
};

/** What takes a payment back before it is made for good. */
const undoers: readonly string[] = ['void_capture', 'reverse_payment'];

const does = (name: DeedName, call: CallEntry): boolean => {
  const { outcome, data } = answerOf(call);
  return (
    outcome === 'done' &&
    (doers[name] ?? []).some((it) => {
      const [tool, needed] = it.split(':');
      return (
        tool === call.tool &&
        (needed === undefined || member(data, 'state') === needed || member(data, needed) !== undefined)
      );
    })
  );
};

const wasAnyDone = (name: DeedName, moment: Moment): boolean =>
  moment.calls.some((call) => does(name, call)) || isPaidBill(name, moment);

/** Whether everything that was tried of a deed was done, so that "it was not" can mean nothing else. */
function wasAllDone(name: DeedName, moment: Moment): boolean {
  const tried = moment.calls.filter(
    (call) =>
      (doers[name] ?? []).some((it) => it.split(':')[0] === call.tool) && answerOf(call).outcome !== 'needs_approval',
  );
  const isUndone =
    name === 'paid' && moment.calls.some((it) => undoers.includes(it.tool) && answerOf(it).outcome === 'done');
  if (isUndone) return false;
  return (tried.length > 0 && tried.every((call) => does(name, call))) || isPaidBill(name, moment);
}

/** A customer pays a bill without a call of the agent: all that were looked at are paid. */
function isPaidBill(name: DeedName, moment: Moment): boolean {
  const bills = [...statesOf('invoice', moment).values()];
  return name === 'paid' && bills.length > 0 && bills.every((it) => it === 'PAID');
}

/** Whether a clause names the sum of bills, and none of them is paid; where a payment of the agent is meant, there is no bill. */
function isOfUnpaidBill({ text }: Clause, moment: Moment): boolean {
  const states = statesOf('invoice', moment);
  const totals = statesOf('invoice', moment, 'total');
  return sumsIn(text).some(({ values }) => {
    const bills = [...totals].filter(([, total]) => values.includes(canonical(total))).map(([bill]) => bill);
    return (
      bills.length > 0 && bills.every((it) => ['DRAFT', 'CREATED', 'SENT', 'EXPIRED'].includes(states.get(it) ?? ''))
    );
  });
}

/** The last known state, or another part, of each thing of a kind. */
function statesOf(kind: string, { calls }: Moment, part = 'state'): ReadonlyMap<string, string> {
  const states = new Map<string, string>();
  const note = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if (kind in value && part in value) states.set(String(member(value, kind)), String(member(value, part)));
    for (const it of Object.values(value)) note(it);
  };
  for (const { answer } of calls) note(member(answer, 'data'));
  return states;
}

/** "Nothing was paid": of all that there is. */
const isUniversal = ({ text }: Clause): boolean =>
  /(?<!\p{L})(?:nothing|anything|none|nobody(?: ever)?|no one|untouched|no (?:money|payment|charge|refund)|any money|a (?:single )?(?:penny|cent)|never|nichts|keinen? (?:cent|geld)|nie|rien|aucune?|jamais|nada|ningun[oa]|nunca)(?!\p{L})/iu.test(
    text,
  );

/** Words that narrow a denial to a time, a part or another thing, or make it one of what is possible. */
const narrowing =
  /(?<!\p{L})(?:yet|before|until|till|more|again|else|further|twice|other|another|new|any more|anymore|too much|since|on (?:the|that|this|it|top|an?)|under|for|which|what|can|can't|cannot|could|couldn't|will|won't|would|shall|should|must|may|might|noch|bisher|bis|mehr|sonst|doppelt|für|kann|können|wird|werden|soll|muss|darf|encore|plus|avant|pour|peut|sera|doit|todavía|aún|más|antes|para|puede|será|debe)(?!\p{L})|\p{Lu}\p{L}+['’]s(?!\p{L})/u;
/** "A captured hold doesn't grow": the deed tells what kind of thing is meant. */
const isOfAnyOne = (text: string): boolean =>
  deedsIn(/^\s*(?:an?|any|every|ein\p{L}{0,2}|une?|un[ao]?|een)\s+(\p{L}+)\s+\p{L}+/iu.exec(text)?.[1] ?? '').length >
  0;
const ofOneThing = /(?<!\p{L})(?:for|on) (?:the|it|that|this)(?!\p{L})/giu;
/** Where a conversation is about one thing alone, "for the piano" narrows nothing. */
const withoutThing = ({ text }: Clause, { calls, people }: Moment): string =>
  thingsOf(calls, people).filter(({ state }) => state !== '').length === 1 ? text.replace(ofOneThing, ' ') : text;
const isNarrowed = (text: string): boolean =>
  isOfAnyOne(text) || narrowing.test(text) || narrowing.test(text.toLowerCase()) || figuresIn(text).length > 0;

/** "Nothing more will be charged", in whatever words. */
const ends =
  /(?<!\p{L})(?:not|never|no|nothing|\p{L}+n't|nichts|nie|keine?|ne|plus|aucun|rien|nada|nunca)(?!\p{L}).*(?<!\p{L})(?:charged?|charges|billed|cost|taken?|debited|leave|payments?|abgebucht|abbuchung\p{L}*|belastet|débitée?s?|prélev\p{L}*|paiements?|cobrar\p{L}*|cargo)(?!\p{L})|cost you nothing|all (?:that )?you(?: will|'ll) (?:ever )?pay|another charge|(?:only|last|einzige|letzte|seul|dernier|único|último) (?:payment|charge|zahlung|paiement|pago)/iu;
const forGood =
  /(?<!\p{L})(?:again|any ?more|ever|never|further|nothing (?:more|else)|no more|will|won't|the only|the last|mehr|nie wieder|einzige|letzte|plus|jamais|seul|dernier|más|nunca|único|último)(?!\p{L})/iu;
const forNow =
  /(?<!\p{L})(?:until|till|before|today|now|yet|than|during|while|long as|twice|if|unless|for|on|in|heute|bis|vor|für|am|wenn|aujourd'hui|avant|pour|si|hoy|antes|hasta|para|(?:le|el)(?= \d))(?!\p{L})/iu;

/** A promise of no further payment, of a subscription that was made or changed last and has payments to come. */
function breaksPromise({ text, isQuestion }: Clause, moment: Moment): boolean {
  const plain = text.replaceAll('’', "'");
  if (isQuestion || !ends.test(plain) || !forGood.test(plain) || forNow.test(plain)) return false;
  const last = moment.calls.findLast(
    (call) => effectOf(call.tool) !== 'read' && answerOf(call).outcome === 'done' && handleOf(call) !== undefined,
  );
  const state = last === undefined ? undefined : statesOf('subscription', moment).get(String(handleOf(last)));
  return state === 'ACTIVE' || state === 'PENDING' || state === 'DELINQUENT';
}

const handleOf = (call: CallEntry): unknown => call.args.subscription ?? member(answerOf(call).data, 'subscription');
