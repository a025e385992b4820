// Names and references that a reply gives.

/** Words with a capital that name nobody and nothing of a story. */
const common = new Set(
  "i i'm i've i'll i'd ok okay sorry please thanks thank mr mrs ms miss dr sms pin id url csv pdf sdk vat usb english german french spanish apple google monsieur madame señor señora purser australian american british canadian swiss european japanese kuwaiti".split(
    ' ',
  ),
);

/** Every noun of a German sentence has a capital, so none tells a name. */
const german =
  /(?<!\p{L})(?:nicht|ist|sind|kein\p{L}*|wurden?|wird|und|bitte|sie|ihre?[nrm]?|ich|wir|der|das|dem|auf|ein|eine[nrm]?|für|mit|von|vom|bei|gerne|jetzt|vielen|nur|noch|heute|morgen|haben|alles|erst|höchstens|pfund|uhr|\p{L}*(?:ß|bezahlt|gezahlt|gegeben|gebucht)\p{L}*)(?!\p{L})/iu;

/**
 * Words with a capital within a clause: where a sentence or a quotation begins any word can have one, and in a heading each. What stands before
 * "card" is the name of a network.
 */
export function namesIn(text: string): readonly string[] {
  return (text.match(/[^.!?:*#|\n]+/g) ?? []).flatMap((sentence) =>
    german.test(sentence) || !/(?<![\p{L}\p{N}'’-])\p{Ll}/u.test(sentence)
      ? []
      : [
          ...sentence.matchAll(
            /(?<=[\p{Ll}\d,] |[\p{Ll}\d] [“"'‘]?)\p{Lu}[\p{Ll}]+(?![\p{L}\d_-]| (?:card|debit|credit)(?!\p{L}))/gu,
          ),
        ]
          .map(([word]) => word)
          .filter((word) => !common.has(word.toLowerCase())),
  );
}

/** References, codes and handles: words with figures or underscores, such as "bill-12" or "BRONZE-2". */
export const referencesIn = (text: string): readonly string[] =>
  (text.match(/(?<![\p{L}\p{N}_@./:+-])[a-z][\w-]*(?![\p{L}\p{N}_@/]|\.\p{L})/giu) ?? [])
    .map((word) => word.replace(/-+$/, ''))
    .filter((word) => /[\d_]/.test(word));

/** Other spellings of a text: addresses and letters that were spelled, figures in words, and figures with gaps. */
export function spellingsOf(text: string, inFigures: string): readonly string[] {
  const address = text
    .replace(/\s*[([]?(?<!\p{L})at(?!\p{L})[)\]]?\s*/giu, '@')
    .replace(/\s*[([]?(?<!\p{L})dot(?!\p{L})[)\]]?\s*/giu, '.');
  const letters = text.replace(/(?<![\p{L}\p{N}])(?:\p{L}[-.·]){2,}\p{L}(?!\p{L})/gu, (it) =>
    it.replace(/[^\p{L}]/gu, ''),
  );
  const gapless = (it: string): string => it.replace(/(?<=\d)[\s-]+(?=\d)/g, '');
  return [...new Set([text, address, letters, gapless(text), gapless(inFigures)])];
}
