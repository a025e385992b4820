import { remembered } from './remembered.ts';
import { edge, end, words } from './words.ts';

// What a sentence does with its words: asserts, denies, asks, or leaves them open.

export type Mood = 'asserted' | 'denied' | 'open';

export interface Clause {
  readonly text: string;
  readonly mood: Mood;
  /** Where it begins in the whole text. */
  readonly start: number;
  /** Whether it is part of a question. */
  readonly isQuestion: boolean;
}

const denials = words(
  [
    "not|no|none|nothing|nobody|never|neither|nor|without|cannot|can't|cant|couldn't|won't|don't|doesn't|didn't|isn't|aren't|wasn't|weren't|hasn't|haven't|hadn't|unable|failed to|unpaid|untouched|instead of|rather than|less than|far from|refuse[sd]?|declined|rejected|denied",
    'nicht|unbezahlt|kein|keine|keinen|keiner|nichts|nie|niemals|niemand|ohne|abgelehnt',
    'pas|impayée?s?|rien|aucune?|jamais|personne|sans|refusée?',
    'nada|impagad[oa]s?|nunca|ningún|ninguna|nadie|sin|tampoco|rechazad[oa]',
    'niet|geen|niets|nooit|niemand|zonder|onbetaald|geweigerd|afgewezen',
    'non|niente|nulla|nessun[oa]?|mai|senza|rifiutat[oaie]',
  ].join('|'),
);
const open = words(
  [
    "if|when|whether|once|unless|until|before|till|can|could|will|would|shall|should|must|may|might|need|needs|needed|want|wants|wanted|wish|please|let|let's|lets|as soon as|waits?|waiting|awaits?|pending|to be|have to|has to|had to|ought|cannot|i'll|it'll|we'll|you'll|they'll|ask|asked|asks|asking|maybe|perhaps|possibly|seems?|supposed|allowed|allows|possible|able|for .{0,30} to|so that|in order to|still to|ready to(?! use)|going to|how to|would've|(?:i|you|he|she|it|we|they)'d (?:have|be|get|need|lose|pay|like|owe|take)|you said|you say|you told|you believe|you think|the shop says",
    'wenn|falls|sobald|ob|kann|können|könnte|wird|werden|würde|soll|sollen|muss|müssen|darf|bitte|möchte|damit|bevor|bis',
    "si|quand|lorsque|dès que|peut|peux|pouvez|pourrait|pourra|sera|seront|serait|doit|doivent|devez|veuillez|faut|avant|jusqu'à",
    'wanneer|zodra|zullen|zult|kunnen|moeten|moet|mogen|alstublieft|voordat|totdat',
    'quando|appena|può|posso|potrebbe|sarà|saranno|deve|devono|bisogna|prima|fino',
    'cuando|puede|puedo|podría|podrá|será|serán|sería|debe|deben|hay que|por favor|antes|hasta',
  ].join('|'),
);

/** Splits a text into clauses. Separators within numbers, times and addresses don't split. */
export const clausesOf = remembered((text): readonly Clause[] => {
  const clauses: Clause[] = [];
  for (const sentence of text.matchAll(/[^.!?\n…]*(?:[.](?=\S)[^.!?\n…]*)*[.!?\n…]*/gu)) {
    const whole = sentence[0];
    if (whole.trim() === '') continue;
    const isQuestion = /\?\s*$/.test(whole);
    let start = sentence.index;
    for (const part of whole.split(
      /((?:[,;:](?=\s)|\s[–—-]\s|\s\((?=\p{L})|\s(?:and|but|so|because|however|although|though|und|aber|denn|weil|sondern|et|mais|donc|car|pero|porque|sino)\s))/giu,
    )) {
      if (
        /\p{L}|\p{N}/u.test(part) &&
        !/^\s?(?:and|but|so|because|however|although|though|und|aber|denn|weil|sondern|et|mais|donc|car|pero|porque|sino)\s?$/iu.test(
          part,
        )
      )
        clauses.push({ text: part, mood: isQuestion ? 'open' : moodOf(part), start, isQuestion });
      start += part.length;
    }
  }
  return carried(clauses, text);
});

/**
 * "That the bill was paid" reports what somebody says, "that the bill be paid" what somebody demands, "for invoices that were
 * paid" and "invoices being paid" name a kind: none asserts anything.
 */
const subordinate =
  /^[^\p{L}]*that (?:some|an?|the)(?!\p{L})|(?<!\p{L})that (?:\S+ ){1,5}be(?!\p{L})|(?<!\p{L})(?:for|of|about|on|with|reports|covers|watches|lists|tracks|announces|concerns) (?:the |all |those )?\p{L}+s (?:that|which) (?:are|were|get|got)(?!\p{L})|(?<!\p{L})\p{L}{3,}s being \p{L}/iu;

/** "As you asked" leaves nothing open. */
const asWished = new RegExp(
  `${edge}as (?:you|he|she|it|they|we) (?:(?:had|have|has) )?(?:asks?|asked|wants?|wanted|wish|wishes|wished|told (?:me|us))${end}`,
  'giu',
);

/** "Not while it's closed" denies what was asked for, and not that it is closed. */
const notWhile = /^[^\p{L}]*(?:(?:no|sorry)[^\p{L}]+)?not (?:while|(?:as|so) long as|during|if|when|unless)(?!\p{L})/iu;

function moodOf(text: string): Mood {
  const plain = text.replaceAll('’', "'").replace(asWished, ' ');
  if (notWhile.test(plain)) return 'open';
  return denials.test(plain) ? 'denied' : open.test(plain) || subordinate.test(plain) ? 'open' : 'asserted';
}

/** Words that bound a time and leave the rest of a clause as certain as it is. */
const bounds = new RegExp(`${edge}(?:until|till|before|bis|bevor|jusqu'à|avant|hasta|antes)${end}`, 'giu');

/** Whether a clause is open for another reason than a bound in time. */
export const isOpenBesideBounds = ({ text, isQuestion }: Clause): boolean =>
  isQuestion || moodOf(text.replace(bounds, ' ')) === 'open';

/** "If it is paid and sent, …": a condition or denial holds for the verbs that share its subject. */
function carried(clauses: readonly Clause[], text: string): readonly Clause[] {
  return clauses.map((clause, at) => {
    const before = clauses[at - 1];
    if (before === undefined || clause.mood !== 'asserted' || before.mood === 'asserted') return clause;
    const joint = text.slice(before.start + before.text.length, clause.start);
    const isShort =
      !/^\s*(?:i|we|you|he|she|it|they|the|that|this|your|my|her|his|there|all|both|es|er|sie|ich|wir|der|die|das|il|elle|je|nous|el|la|lo)(?!\p{L})/iu.test(
        clause.text,
      );
    return /^\s*(?:and|or|und|et|y)\s*$/iu.test(joint) && isShort ? { ...clause, mood: before.mood } : clause;
  });
}
