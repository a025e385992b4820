import { type Clause, clausesOf } from '../speech/clauses.ts';
import { deedsIn } from '../speech/deeds.ts';
import { figuresIn } from '../speech/numbers.ts';
import { holdsMark } from '../speech/people.ts';
import { success } from '../speech/success.ts';
import { type Thing, thingsOf } from '../speech/things.ts';
import type { Moment } from '../speech/timeline.ts';
import { edge, end, words } from '../speech/words.ts';

// How several attempts ended, each told by its reference: "f2 was declined and f3 broken off", "all five went through".

export function labelledFaults(text: string, { calls, people }: Moment): readonly string[] {
  const clauses = clausesOf(text).filter(({ isQuestion }) => !isQuestion);
  if (clauses.length === 0) return [];
  const things = thingsOf(calls, people);
  const shared = /(?<!\p{L})(?:both|all|each|alike)(?!\p{L})/iu;
  return clauses.flatMap((clause, at) => {
    const said = `"${clause.text.trim()}"`;
    const ahead = clauses[at - 1];
    // "F2 and f3 both were declined": the first name stands alone before the verb.
    const labels = [
      ...labelsIn(clause.text, things),
      ...(shared.test(clause.text) && ahead !== undefined && !/\s\p{L}/u.test(ahead.text.trim())
        ? labelsIn(ahead.text, things)
        : []),
    ];
    const other = labels.find((label) => endedOtherwise(clause, label, things));
    if (other !== undefined) return [`${said}: ${other} is ${statesOf(other, things).join(', ')}.`];
    return clause.mood === 'asserted' && isOfAll(clause.text, things)
      ? [`${said}, and some of them came to nothing.`]
      : [];
  });
}

/** The references among the handles of things, also short ones such as "f2". */
const labelsIn = (text: string, things: readonly Thing[]): readonly string[] =>
  [...new Set(things.flatMap(({ handles }) => [...handles]))].filter(
    (it) => /^\p{L}+-?\d+\p{L}?$/u.test(it) && holdsMark(text, it),
  );

const statesOf = (label: string, things: readonly Thing[]): readonly string[] =>
  things.filter(({ handles, state }) => handles.has(label) && state !== '').map(({ state }) => state);

/** How an attempt is said to have ended, and the states in which it ended otherwise. */
const endings: readonly { readonly said: RegExp; readonly otherwise: readonly string[] }[] = [
  { said: words('declined|abgelehnt|refusée?|rechazad[oa]'), otherwise: ['ABORTED', 'ERROR', 'FAILED'] },
  {
    said: words(
      'aborted|broken off|broke (?:it |that )?off|called (?:it |that )?off|walked away|changed (?:his|her|their) mind|abgebrochen|interrompue?|abandonnée?|interrumpid[oa]',
    ),
    otherwise: ['DECLINED', 'ERROR', 'FAILED'],
  },
  { said: words('crashed|broke(?! (?:it |that )?off)|errored'), otherwise: ['DECLINED', 'ABORTED'] },
];
const isDenied = words("not|never|n['’]t|\\p{L}+n['’]t|rather|instead|nicht|pas|no");
/** States of what has begun, and of which nobody knows the end. */
const open = ['INITIALIZED', 'PENDING', 'ACCEPTED', 'INCONCLUSIVE', 'UNKNOWN'];
const later = words(
  "offline|later|once|when|way|will|under way|underway|begun|started|may|might|whether|if|as soon as|being|\\p{L}+['’]ll|unterwegs|später|plus tard|en cours|más tarde",
);

function endedOtherwise({ text, mood }: Clause, label: string, things: readonly Thing[]): boolean {
  const states = statesOf(label, things);
  if (states.length === 0) return false;
  const isUndecided =
    mood === 'asserted' &&
    (arrived.test(text) || deedsIn(text).includes('refunded')) &&
    !later.test(text) &&
    states.every((it) => open.includes(it)) &&
    things.some(({ handles }) => handles.has(label) && [...handles].some((it) => it.startsWith('devicepayment')));
  return (
    isUndecided ||
    (!isDenied.test(text) &&
      endings.some(({ said, otherwise }) => said.test(text) && states.every((it) => otherwise.includes(it))))
  );
}
const arrived = words(
  'back with (?:the|his|her|your|their) (?:customers?|card|owner|bank)|back with (?:him|her|you|them)',
);

/** States of attempts that came to nothing. */
const nothing = ['DECLINED', 'ABORTED', 'ERROR', 'FAILED', 'DELINQUENT', 'NOT_AUTHORIZED', 'REJECTED'];
const all = new RegExp(
  `${edge}(?:all (?:of them|(?:the )?(?<count>\\d+|\\p{L}+)(?= (?:are|were|have|had|went|came|got|of|\\p{L}+s)${end})|of it)|every (?:one of them|single one|charge|payment|sale|order|tap|one)|each (?:of them|one|charge|payment|sale|order)|alle (?:\\p{L}+ )?|toutes|todas|todos)${end}`,
  'iu',
);
const wentWell = words('went (?:through|fine|well|in)|gone through|came in|worked|succeeded|are in|is in');

/** "All five went through", where some of those that answers told of did not. */
function isOfAll(text: string, things: readonly Thing[]): boolean {
  const match = all.exec(text);
  if (match === null) return false;
  if (!wentWell.test(text) && !success.test(text) && !deedsIn(text).includes('paid')) return false;
  const ended = things.filter(({ state }) => state !== '');
  const failed = ended.filter(({ state }) => nothing.includes(state));
  const count = Number(figuresIn(match.groups?.count ?? '')[0]?.values[0] ?? Number.NaN);
  return failed.length > 0 && (Number.isNaN(count) || count > ended.length - failed.length);
}
