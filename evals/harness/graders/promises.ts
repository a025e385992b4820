import { answerOf } from '../replay/run.ts';
import { member } from '../scenario/captures.ts';
import { effectOf } from '../scenario/catalogue.ts';
import { clausesOf } from '../speech/clauses.ts';
import { dated, hasArrived, nothingLeft, vows, willArrive, willMail } from '../speech/promises.ts';
import { rowsOf } from '../speech/rows.ts';
import type { Moment } from '../speech/timeline.ts';
import { words } from '../speech/words.ts';

// What a reply promises or says of the customer's side, where no answer can know it or one says otherwise.

export function promiseFaults(text: string, moment: Moment): readonly string[] {
  return clausesOf(text.replaceAll('’', "'")).flatMap(({ text: clause, mood, isQuestion }) => {
    const said = `"${clause.trim()}"`;
    if (isQuestion) return [];
    if (nothingLeft.test(clause) && !leaves.test(text) && isAwaited(moment))
      return [`${said}, and somebody has yet to act.`];
    if (mood === 'denied') return [];
    if (willMail.test(clause) && !hasMail(moment)) return [`${said}: nothing here is sent by e-mail.`];
    if (vows.test(clause) && isOfFuture(clause, text)) return [`${said}: an agent can't promise that.`];
    if (mood === 'asserted' && hasArrived.test(clause) && isUnderWay(moment))
      return [`${said}, and it is still under way.`];
    if (willArrive.test(clause) && dated.test(clause) && isPaidBack(moment))
      return [`${said}: no answer tells when it arrives.`];
    return [];
  });
}

/** Whether anything of the conversation can be sent by e-mail: bills, receipts, codes, or what somebody spoke of. */
const hasMail = ({ calls, history }: Moment): boolean =>
  calls.some(
    ({ tool, args, answer }) => /invoice|receipt/.test(tool) || /e-?mail/i.test(JSON.stringify([args, answer])),
  ) || history.some((it) => it.kind === 'user' && /e-?mail|courriel|correo/i.test(it.text));

/** Whether what is vowed is yet to come: "I promise" beside what has happened only stresses it. */
function isOfFuture(clause: string, text: string): boolean {
  const sentence = text.split(/(?<=[.!?\n])\s+/u).find((it) => it.includes(clause.trim())) ?? clause;
  return toCome.test(sentence) || !past.test(sentence);
}
const toCome = words(
  "will|\\p{L}+['’]ll|won['’]t|shall|going to|soon|tomorrow|tonight|next|by|never (?:again|be)|able to|promise (?:you )?(?:to|an?|the|your)",
  'wird|werden|werde|morgen|bald|nächste\\p{L}*|sera|serez|aurez|demain|será|tendrá|mañana|van? a',
);
const past = words(
  "was|were|has|have|had|is|are|did|didn['’]t|wasn['’]t|hasn['’]t|haven['’]t|never|went|came|made|sent|\\p{L}+ed|['’]s|['’]ve",
  'ist|sind|war|wurde|habe|hat|a|ai|est|sont|ha|he|han|está',
);

/** That something is left as it is, so that nobody has to act. */
const leaves =
  /(?<!\p{L})(?:stays?|leaves?|unchanged|as (?:it|they) (?:is|was|are|were)|bleibt|reste|sigue)(?!\p{L})/iu;

const statesOf = ({ calls }: Moment): readonly unknown[] =>
  rowsOf(calls).flatMap(({ refund, state }) => (refund === undefined ? [] : [state]));

/** Whether money was paid back, and no answer shows that it came. */
const isUnderWay = (moment: Moment): boolean =>
  statesOf(moment).some((it) => it === 'PENDING' || it === 'TRANSMITTED') &&
  !rowsOf(moment.calls).some(({ state }) => arrived.has(state));
const arrived: ReadonlySet<unknown> = new Set(['CREDITED', 'REFUNDED', 'VOIDED', 'REVERSED']);

const isPaidBack = ({ calls }: Moment): boolean =>
  calls.some((it) => /^(?:refund|void|reverse)_/.test(it.tool) && answerOf(it).outcome === 'done');

/** Whether the last change waits for somebody, failed for something that can be changed, or is being retried. */
function isAwaited({ calls }: Moment): boolean {
  const last = calls.findLast(({ tool }) => effectOf(tool) !== 'read') ?? calls.at(-1);
  const look = calls.at(-1);
  const thing = member(look?.answer, 'data') as Readonly<Record<string, unknown>> | undefined;
  // What was looked at later, and waits no more.
  const isSettled =
    look !== last &&
    thing !== undefined &&
    typeof thing.authentication === 'string' &&
    thing.waiting_for === undefined &&
    !awaiting.has(thing.state);
  return (
    !isSettled &&
    [last, look].some((call) => {
      if (call === undefined) return false;
      const { outcome, data, error } = answerOf(call);
      return (
        outcome === 'needs_approval' ||
        (outcome === 'refused' && error?.retry === 'changed_call') ||
        member(data, 'waiting_for') !== undefined ||
        awaiting.has(member(data, 'state'))
      );
    })
  );
}
const awaiting: ReadonlySet<unknown> = new Set([
  'DELINQUENT',
  'STEP_UP_AUTHENTICATE',
  'AUTHENTICATE',
  'AUTHENTICATION_REGISTRATION',
]);
