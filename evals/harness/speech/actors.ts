import { edge, end } from './words.ts';

// Who is said to have done something: a person of the shop, a bank, or the platform. And what only they can do.

const words = (...all: readonly string[]): string => `${edge}(?:${all.join('|')})${end}`;

const staff = words(
  'owner|manager|boss|supervisor|head office|management|upstairs|colleagues?|our (?:people|team|staff)|(?:the|our|this) (?:shop|team|staff|\\p{L}+ (?:desk|team|department))|somebody|someone|approver|operator|a (?:person|human|lady|gentleman|man|woman)|one of (?:us|our \\p{L}+|the shop\\p{L}*)',
  'inhaber\\p{L}*|chef\\p{L}*|geschäftsführ\\p{L}*|leitung|kolleg\\p{L}*|jemand|mitarbeiter\\p{L}*',
  "patron\\p{L}*|gérante?|responsable|collègues?|quelqu['’]un|direction",
  'dueñ[oa]|gerente|jef[ea]|encargad[oa]|compañer[oa]s?|alguien|dirección',
  "eigenaar|baas|manager|collega['’]?s?|iemand|titolare|capo|responsabile|collega|colleghi|qualcuno",
);
const bank = words(
  "banks?|bank['’]s|issuers?|issuer['’]s|hausbank|kartenaussteller\\p{L}*|banque|émetteur|banco|emisor|banca|emittente",
);
const platform = words('platform|plattform|plateforme|plataforma|piattaforma');

/** A yes. */
const agrees = words(
  'approved|authori[sz]ed|okayed|ok(?:ay)?ed|(?:given|gave|gives) (?:\\p{L}+ )?(?:ok|okay|yes|blessing|go-ahead|nod|consent|permission)|said (?:yes|ok|okay)|nod(?:ded)?(?: it| this| that)?(?: through)?|sign(?:ed|s) (?:it |this |that )?off|blessing|fine with|happy with|agreed|green light|thumbs up|waved|let it through|cleared (?:it|you|this)|unlocked',
  'genehmigt|zugestimmt|freigegeben|freigeschaltet|okay gegeben|ja gesagt|abgesegnet|grünes licht',
  "approuvée?|autorisée?|d['’]accord|donné (?:son|leur) accord|dit oui|feu vert|validée?",
  'aprobad[oa]|autorizad[oa]|dicho que sí|dado (?:el|su) (?:visto bueno|permiso)|luz verde',
  'goedgekeurd|toegestemd|akkoord|ja gezegd|approvat\\p{L}|autorizzat\\p{L}|detto (?:di )?sì|via libera',
);
/** Verbs for what somebody says, writes or promises. */
const speaks = words(
  '(?:rang|rung|called|phoned|telephoned|wrote|written|told|promised|promises|guaranteed|assured|informed)|(?:has|have|had|just) (?:just )?confirmed (?:it |this |that )?to (?:us|me)|confirmed to (?:us|me)',
  'angerufen|geschrieben|versprochen|zugesichert|mitgeteilt',
  'appelé|écrit|promis|assuré|informé',
  'llamado|escrito|prometido|asegurado|informado',
  'gebeld|geschreven|beloofd|verzekerd|chiamato|scritto|promesso|assicurato',
);
/** A refusal. */
const refuses = words(
  "declin(?:e|es|ed)|refus(?:e|es|ed)|reject(?:s|ed)?|turned (?:\\S+ ){1,3}down|said no|block(?:s|ed)?|(?:won['’]t|wouldn['’]t|doesn['’]t|didn['’]t|does not|did not|would not|will not) (?:let|take|accept|allow|like|want|approve|have)|bounced|stopped",
  'abgelehnt|verweigert|gesperrt|zurückgewiesen',
  'refusée?|rejetée?|bloquée?',
  'rechazad[oa]|denegad[oa]|bloquead[oa]|rechazó|negado',
  'geweigerd|afgewezen|geblokkeerd|rifiutat\\p{L}|negat\\p{L}|bloccat\\p{L}',
);
/** Too little money, or a card that is out of use. */
const lacks = words(
  "(?:not|\\p{L}+n['’]t) (?:\\p{L}+ ){0,3}(?:enough|sufficient|cover\\p{L}*)|insufficient|overdrawn|(?:no|too little|short of) (?:money|funds|balance)|(?:does|do|did|has|have)n['’]t (?:\\p{L}+ )?(?:[\\d.,]+|\\p{L}+) on it|blocked(?! on)|frozen|stolen",
  'nicht genug|nicht gedeckt|unzureichend\\p{L}*|überzogen|gesperrt|gestohlen',
  'pas assez|insuffisante?s?|à découvert|bloquée?|volée?',
  'no (?:\\p{L}+ )?(?:suficiente|bastante)|insuficiente\\p{L}*|sin (?:saldo|fondos)|bloquead[oa]|robad[oa]',
  'niet genoeg|onvoldoende|geblokkeerd|gestolen|non (?:\\p{L}+ )?abbastanza|insufficient\\p{L}|bloccat\\p{L}|rubat\\p{L}',
);
const card = words('cards?|account|karte|konto|carte|compte|tarjeta|cuenta|kaart|rekening|carta|conto');

const both = (one: string, other: string): RegExp => new RegExp(`${one}(?=.*${other})|${other}(?=.*${one})`, 'iu');

const colleague = words(
  '(?:my|our|your|a|another|the|one of (?:my|our|the)) (?:colleagues?|co-?workers?|workmates?|manager|boss|owner|supervisor)|head office|(?:mein\\p{L}*|ein\\p{L}*) (?:kolleg\\p{L}+|chef\\p{L}*)|(?:mon|ma|un|une|mes) (?:collègues?|patronn?e?)|(?:mi|un|una) (?:compañer[oa]|colega|jef[ea])|(?:mijn|een) collega|(?:un|una|il mio|la mia) colleg[ah]',
);
/** "My colleague called it off": who did it stands before what was done. */
export const colleagueDid = new RegExp(`${colleague}(?! (?:who|that|to|can|could|will|must|may))`, 'iu');
/** A card or bank that turned a payment down. */
export const cardRefused = new RegExp(
  `${words('cards?|karte|carte|tarjeta|kaart|carta')} (?:\\p{L}+ ){0,3}${words('declined|refused|rejected|turned down|abgelehnt|refusée|rechazada|geweigerd|rifiutata')}|${words('declined|refused|rejected|turned down')} by (?:your|her|his|their|the) ${words('bank|card|issuer')}`,
  'iu',
);

export const staffAgrees = both(staff, agrees);
/** "A colleague had to sign it off": that somebody was asked. */
export const staffHadTo = new RegExp(
  `${staff} had to (?:first )?(?:look|approve|agree|okay|ok|say (?:yes|ok)|give (?:the|their|his|her)|sign (?:it|this|that|them)? ?(?:off)?|decide|check|confirm)(?![\\p{L}])`,
  'iu',
);
export const staffSpeaks = both(staff, speaks);
export const bankAgrees = both(bank, agrees);
export const bankSpeaks = both(bank, speaks);
export const bankRefuses = both(bank, refuses);
export const platformAgrees = new RegExp(`${platform}(?: itself)? (?:has |have |just |already )*${agrees}`, 'iu');
export const cardLacks = both(card, lacks);
