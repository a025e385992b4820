import { words } from './words.ts';

// What a reply says of the customer's side: that money has arrived there, when it will, and that there is nothing left to do.

const owned = '(?:your|her|his|their) (?:\\p{L}+ )?(?:account|card|bank|wallet|statement|pocket)';
const there = `(?:on|in|at|with) ${owned}`;
const place = `(?:(?:on|in|into|to|at) ${owned})`;

/** That what was paid back is with the customer. */
export const hasArrived = words(
  '(?:see|sees|seen|find|spot|notice) (?:it|them|that|this|the (?:money|amount|refund)|\\p{L}+) (?:\\p{L}+ )?there (?:already|now)',
  `(?:already|now|again|back) (?:back )?${there}`,
  `(?:has|have|\\p{L}+'(?:ve|s)) (?:already |just |now )*(?:arrived|landed|got(?:ten)?|reached|turned up|come in)(?: (?:back|safely))?(?: ${place}| with (?:you|her|him|them)| (?:your|her|his) (?:account|bank|card))`,
  '(?:money|amount|refund|it|they) (?:is|are|was|were) (?:already|now) (?:there|with (?:you|her|him)|back)',
  '(?:schon|bereits|wieder) (?:\\p{L}+ )?auf (?:ihrem|deinem|seinem|ihrer) (?:konto|karte)(?! unterwegs)',
  '(?:déjà|bien) (?:arrivée?s? )?sur (?:votre|son) (?:compte|carte)',
  '(?:ya|otra vez) (?:está|están|ha llegado|han llegado)(?: \\p{L}+)? (?:en|a) (?:su|tu) (?:cuenta|tarjeta)',
  'al (?:\\p{L}+ )?op (?:uw|je) (?:rekening|kaart)|già (?:\\p{L}+ )?sul (?:suo|tuo) (?:conto)',
);

/** That money will be with the customer by some time. */
export const willArrive = words(
  `(?:will|\\p{L}+'ll|shall|going to|should) (?:\\p{L}+ ){0,3}(?:have|be|see|get|land|arrive|reach|show up|hit|appear|turn up)(?: (?:\\p{L}+|\\d[\\d.,]*)){0,5}? ?${place}`,
  `(?:will|\\p{L}+'ll|shall|going to|should) (?:\\p{L}+ ){0,2}(?:arrive|land|reach (?:you|her|him|them)|be back(?: with (?:you|her|him))?|have (?:it|them|the money|your money)(?: back)?)`,
  '(?:ist|sind|haben sie|hat sie) (?:\\p{L}+ ){0,4}(?:spätestens|bis|morgen|übermorgen|innerhalb)(?: \\S+){0,4} (?:konto|karte|geld)|auf (?:ihrem|seinem) konto sein',
  'sera(?:it|ont)? (?:\\p{L}+ ){0,3}sur (?:votre|son) compte|(?:estará|tendrá)n? (?:\\p{L}+ ){0,3}en (?:su|tu) cuenta',
  'staat (?:\\p{L}+ ){0,4}op (?:uw|je) rekening|sarà (?:\\p{L}+ ){0,3}sul (?:suo|tuo) conto',
);
export const dated = words(
  '(?:by|before|on|until|from)(?: the)?(?: \\p{L}+)? (?:tomorrow|noon|midnight|tonight|morning|evening|weekend|(?:mon|tues|wednes|thurs|fri|satur|sun)day|\\d\\S*|end of)',
  'tomorrow|tonight|today|this (?:week|evening|afternoon|morning)|next (?:week|day|morning|monday)|(?:with)?in (?:an?|\\d+|two|three|four|five|a few|ten|twenty-four|forty-eight)(?: (?:or|to) \\p{L}+)?(?: working| business)? (?:minutes?|hours?|days?|weeks?)|immediately|instantly|any (?:minute|second|moment)|straight away|right away|at once|(?:mon|tues|wednes|thurs|fri|satur|sun)day',
  'morgen|heute|übermorgen|sofort|innerhalb|demain|aujourd.hui|sous \\S+ (?:heures|jours)|mañana|hoy|en \\S+ (?:horas|días)|domani|oggi|vandaag',
);

/** That something will come by e-mail. */
export const willMail = words(
  "(?:will|\\p{L}+['’]ll|going to) (?:be |then |also )*(?:get|receive|have|find|e-?mail(?:ed)?|mail(?:ed)?|send|sent|come|arrive|land)(?: \\p{L}+){0,5}? (?:by e-?mail|via e-?mail|in (?:your|her|his|their) (?:inbox|mailbox))",
  '(?:bekommen|erhalten|kommt|schicke\\p{L}*) (?:\\S+ ){0,4}(?:per|als) e-?mail|(?:recevrez|aurez|arrivera) (?:\\S+ ){0,4}par (?:e-?mail|courriel)|(?:recibirá|llegará|tendrá) (?:\\S+ ){0,4}por (?:correo|e-?mail)',
);

/** An agent's word for what it can't decide. */
export const vows = words(
  "(?:i|we)(?:['’]ll)? (?:(?:can|do|hereby|absolutely|really|solemnly) )*(?:promise|guarantee|swear|vow)|(?:have|got|give you|on) my word|(?:it|that|this)['’]?(?: i)?s guaranteed|(?:100|hundred) ?(?:%|percent) (?:sure|certain)|you can bank on",
  'versproch\\p{L}*|ich verspreche|mein wort|garantiert|je (?:vous )?(?:le )?(?:promets|garantis|jure)|parole d.honneur',
  '(?:se )?lo (?:prometo|garantizo|juro)|palabra de honor|(?:ik )?beloof (?:het|ik|u)|(?:lo )?prometto|(?:lo )?garantisco',
);

/** That nobody has to act any more. */
export const nothingLeft = words(
  "(?:nobody|no one|you|she|he|they)(?: \\p{L}+)? (?:has|have|needs?|don['’]t (?:have|need)|doesn['’]t (?:have|need)|do not (?:have|need)|need not) (?:to )?(?:do|lift) (?:anything|a thing|nothing|a finger)",
  "nothing (?:more|else|further|left|is left)?(?: for (?:you|her|him))? ?(?:to do|to be done|is needed|is required)|(?:that|this) (?:was|is|were)(?: all of it|['’]?s)? (?:the last (?:thing|step|one)|all (?:there is|you need|it takes)|everything)|no (?:further|more|other) (?:step|action|work|steps)|(?:you|she|he)(?:['’](?:re|s)| are| is) (?:all )?(?:through|finished|done|set)|sorted itself out|(?:you|she|he) can (?:put|lay) (?:\\p{L}+ ){1,4}(?:away|down|aside)",
  'nichts (?:mehr )?zu tun|(?:sie müssen|es ist) nichts (?:mehr|weiter) (?:tun|nötig)|das war alles|plus rien à faire|rien d.autre à faire|nada más que hacer|no hay que hacer nada|niets meer te doen|nient.altro da fare',
);
