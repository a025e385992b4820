// Subjects that no tool reports on: delivery, machines, gifts and calls. An agent knows about them only if somebody mentioned them before.

/** Stems of words, by what they are about. */
const stems: readonly string[] = [
  'courier|deliver(?:y|s|ed)|parcel|postman|tracking number|warehouse|drops? (?:it|them) off|kurier|paket|liefer\\p{L}+|coursier|colis|livr(?:ée?s?|aison)|mensajero|paquete|entrega\\p{L}*|koerier|pakketje|bezorg\\p{L}+|corriere|pacco|consegn\\p{L}+',
  'batter(?:y|ies)|browser|wi-?fi|internet|software|firmware|maintenance|outage|power cut|technician|engineer|akku|batterie|navigateur|panne|batería|navegador|avería|accu|storing|guasto',
  'voucher|coupon|cashback|bonus|goodwill|compensation|loyalty|points|insurance|warranty|for free|free of charge|free (?:extra )?(?:month|week|lesson|gift)|extra free|on the house|gutschein|geschenkt|kulanz|gratis|bon d.achat|cadeau|offerte?s?|vale de|regal\\p{L}+|compensación|por las molestias|tegoedbon|buono|omaggio',
  'wr(?:ite|itten|ote|ites) (?:it |them |this )?off|waive[ds]?|forgive[ns]?|lawyer|police|court|collection agency|schreiben (?:es |das )?ab|anwalt|polizei|avocat|abogado|policía|advocaat|avvocato|polizia',
  '(?:ring|call|phone|telephone|write to) you(?: back)?|get in touch with you|rufen sie (?:\\p{L}+ )?(?:an|zurück)|vous (?:rappel\\p{L}*|appel\\p{L}*)|le llam\\p{L}+|bellen (?:u|je)|la (?:chiam|richiam)\\p{L}+',
];
const outside = new RegExp(`(?<!\\p{L})(?:${stems.join('|')})(?!\\p{L})`, 'giu');

/** The words of a text that are about something outside. */
export const outsideIn = (text: string): readonly string[] => [...text.matchAll(outside)].map(([it]) => it);

/** Messages and apps that an agent knows of where it was told of them, or where answers offer them by these words. */
const messages: readonly (readonly [pattern: string, offers: readonly string[]])[] = [
  [
    'text you|text messages?|(?:a|another|one|short|quick|little) texts?(?= (?:to|for|saying|went|is|was|has))|(?:an?|the|by|per|via) sms|(?:by|a|the|another) (?:letter|fax|phone call|voicemail|postcard|push notification)|voicemail|push notifications?|per (?:brief|fax|post)|par (?:courrier|fax)|por (?:carta|fax)|per brief',
    ['OTP_SMS'],
  ],
  [
    '(?:your|her|his|their) bank.s app|banking app|app of (?:your|her|his|the) bank|banking-app|app (?:ihrer|der) bank|appli(?:cation)? de (?:votre|la) banque|aplicación de (?:su|tu) banco',
    ['APP_TO_APP', 'verify identity'],
  ],
];
const patterns = messages.map(([it, offers]) => [new RegExp(`(?<!\\p{L})(?:${it})(?!\\p{L})`, 'giu'), offers] as const);

/** The messages and apps of a text that were not offered. */
export const messagesIn = (text: string, isOffered: (word: string) => boolean): readonly string[] =>
  patterns.flatMap(([pattern, offers]) =>
    offers.some(isOffered) ? [] : [...text.matchAll(pattern)].map(([it]) => it),
  );
