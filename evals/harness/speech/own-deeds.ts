import { type DeedName, deedNames, patternOf } from './deeds.ts';
import { remembered } from './remembered.ts';
import { edge, end } from './words.ts';

// Deeds that an agent says to be its own: "I've cancelled …", "ich habe … storniert".

const speaker =
  "(?:I(?:'ve| have|'d| had)?|ich habe (?:\\S+ ){0,4}|j'ai|(?:lo|la|le|las|los) he|ik heb (?:\\S+ ){0,4}|ho)";
const meanwhile = '(?:(?:just|already|now|also|since|then|myself|gerade|schon|déjà|ya|al|già) )*';
const patterns = new Map(
  deedNames.map((name) => [name, new RegExp(`${edge}${speaker} ?${meanwhile}(?:${patternOf(name)})${end}`, 'iu')]),
);

export const ownDeedsIn = remembered((clause): readonly DeedName[] => {
  const plain = clause.replaceAll('’', "'");
  return deedNames.filter((name) => patterns.get(name)?.test(plain));
});
