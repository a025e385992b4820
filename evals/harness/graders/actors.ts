import { answerOf, type CallEntry, type Entry } from '../replay/run.ts';
import { member } from '../scenario/captures.ts';
import { effectOf } from '../scenario/catalogue.ts';
import {
  bankAgrees,
  bankRefuses,
  bankSpeaks,
  cardLacks,
  cardRefused,
  colleagueDid,
  platformAgrees,
  staffAgrees,
  staffHadTo,
  staffSpeaks,
} from '../speech/actors.ts';
import { type Clause, clausesOf } from '../speech/clauses.ts';
import { deedsIn } from '../speech/deeds.ts';
import { rememberedOf } from '../speech/remembered.ts';
import type { Moment } from '../speech/timeline.ts';

// Who is said to have done something, against who acted: approvers and operators in the story, banks in answers.

export function actorFaults(text: string, moment: Moment): readonly string[] {
  return clausesOf(text).flatMap((clause, at, all) => {
    if (!clause.isQuestion && staffHadTo.test(clause.text) && !wasDecidedOrAsked(moment))
      return [`"${clause.text.trim()}": nobody was asked.`];
    if (!clause.isQuestion && hasPromised.test(clause.text) && bankSpeaks.test(clause.text) && !isHeard(moment))
      return [`"${clause.text.trim()}": no bank has said anything.`];
    if (clause.isQuestion || clause.mood === 'open') return [];
    const before = all[at - 1];
    // "The owner has read it and approved it": the subject is in the clause before.
    const isJoined = before?.mood === 'asserted' && !/[.!?\n]/.test(before.text);
    const says = `${isJoined ? before.text : ''} ${clause.text}`;
    const fault = (what: string): readonly string[] => [`"${says.trim()}": ${what}.`];
    if (bankRefuses.test(says) && !hasRefusal(moment)) return fault('no answer shows that a bank refused anything');
    if (cardLacks.test(says) && !hasRefusal(moment)) return fault('no answer shows anything of that card');
    if (
      cardRefused.test(clause.text) &&
      !/(?<!\p{L})(?:whose|deren|dont|cuya)/iu.test(clause.text) &&
      !hasDecline(moment)
    )
      return fault('no answer shows that a card was declined');
    if (colleagueDid.test(clause.text) && isOwnDeed(clause, moment)) return fault('no colleague did that');
    // "The bank has confirmed that nothing is held": what is denied is what it is said to have confirmed.
    if (clausesOf(says.replace(/ (?:that|dass|que|qu'|dat|che) .*/iu, '')).some(({ mood }) => mood === 'denied'))
      return [];
    if (platformAgrees.test(says) && !isApproved(moment)) return fault('a platform approves nothing');
    if (bankSpeaks.test(says) && !isHeard(moment)) return fault('no bank has said anything');
    if (bankAgrees.test(says) && !hasProof(moment)) return fault('no answer shows that a bank agreed to anything');
    if (staffAgrees.test(says) && !isApproved(moment)) return fault('nobody has approved anything');
    if (staffSpeaks.test(says) && !isDecided(moment)) return fault('nobody has decided anything');
    return [];
  });
}

const hasPromised =
  /(?<!\p{L})(?:promised|guaranteed|assured|versprochen|zugesichert|promis|assuré|prometido|asegurado)(?!\p{L})/iu;

const answersOf = rememberedOf((calls: readonly CallEntry[]) => JSON.stringify(calls.map(({ answer }) => answer)));
const answers = ({ calls }: Moment): string => answersOf(calls);

/** A bank or a network said no, or a payment did not come about. */
const hasRefusal = (moment: Moment): boolean =>
  /declin|issuer (?:has )?(?:refus|reject|said no)|NOT_AUTHORIZED|REJECTED|FAILED|DELINQUENT|insufficient|CHARGEBACK/i.test(
    answers(moment),
  ) || moment.calls.some((call) => answerOf(call).outcome === 'declined');

/** A card was declined, and the payment did not fail for another reason. */
const hasDecline = (moment: Moment): boolean =>
  /declin|issuer|NOT_AUTHORIZED|REJECTED|DELINQUENT|"status":"FAILED"|"missed":|insufficient|charge\.failed/i.test(
    answers(moment),
  ) || moment.calls.some((call) => answerOf(call).outcome === 'declined');

/** Whether a clause says that something was done, and nobody but the agent, the customer or an approver did anything. */
const isOwnDeed = ({ text, mood }: Clause, { history }: Moment): boolean =>
  mood === 'asserted' &&
  deedsIn(text).some((it) => it !== 'approved') &&
  !history.some(
    (it) =>
      (it.kind === 'event' && /operator|colleague/.test(it.what) && !/: (?!done)/.test(it.text)) ||
      (it.kind === 'user' && colleagueDid.test(it.text)),
  );

/** A bank said yes: the customer was authenticated, or something was authorized. */
const hasProof = (moment: Moment): boolean =>
  !isAskedByBank(moment) &&
  /"(?:AUTHENTICATED|AUTHORIZED|APPROVED|COMPLETED|CAPTURED|PAID|VERIFIED|ACTIVE|AUTHENTICATION_REGISTRATION|REGISTRATION_CREATED)"|issuer has approved/.test(
    answers(moment),
  );

/** A change waits for the customer to verify it at the bank. */
function isAskedByBank({ calls }: Moment): boolean {
  const last = calls.at(-1);
  return last?.tool === 'update_purchase' && member(answerOf(last).data, 'state') === 'PENDING';
}

const isHeard = ({ history }: Moment): boolean =>
  history.some((it) => it.kind === 'user' && /bank|banque|banco|banca/i.test(it.text));

/** A person approved what was asked last, or an operator or colleague did something. */
function isApproved({ history, calls }: Moment): boolean {
  const asked = history.findLast((it) => it.kind === 'event' && it.what === 'actor approver');
  const change = history.findLast((it) => it.kind === 'call' && effectOf(it.tool) !== 'read');
  if (change?.kind === 'call' && answerOf(change).outcome === 'needs_approval' && !isAfter(asked, change, history))
    return false;
  const isDenied = asked?.kind === 'event' && !/approve(?:s it\.$|s? what)/.test(asked.text);
  const acted = history.some(
    (it) => it.kind === 'event' && /operator|colleague|merchant/.test(it.what) && !/: (?!done)/.test(it.text),
  );
  return acted || (asked !== undefined && !isDenied) || (asked === undefined && calls.some(hasDecision));
}

const isAfter = (one: Entry | undefined, other: Entry, all: readonly Entry[]): boolean =>
  one !== undefined && all.lastIndexOf(one) > all.lastIndexOf(other);

/** Somebody decided something, whatever it was. */
const isDecided = (moment: Moment): boolean =>
  isApproved(moment) || moment.history.some((it) => it.kind === 'event' && /approver|platform/.test(it.what));

const wasDecidedOrAsked = (moment: Moment): boolean =>
  isDecided(moment) || moment.calls.some((it) => answerOf(it).outcome === 'needs_approval');

const hasDecision = ({ answer }: CallEntry): boolean =>
  /"(?:APPROVED|USED|DENIED|RESOLVED|EXECUTED)"/.test(JSON.stringify(answer));
