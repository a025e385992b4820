// How things are said to stand: held, owed, running, ended. And the states of things that make it true or untrue.

export interface Standing {
  readonly said: RegExp;
  /** States in which a thing is as it is said to be. */
  readonly true: readonly string[];
  /** States in which it is no longer so. */
  readonly untrue: readonly string[];
}

const words = (...all: readonly string[]): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${all.join('|')})(?![\\p{L}\\p{N}])`, 'iu');

const moved = [
  'CAPTURED',
  'COMPLETED',
  'RELEASED',
  'EXPIRED',
  'REVERSED',
  'VOIDED',
  'CANCELLED',
  'CANCELED',
  'REFUNDED',
];
/** States that come to an end by themselves or by somebody. */
const underWay = [
  'PENDING',
  'PENDING_REVIEW',
  'TRANSMITTED',
  'ACCEPTED',
  'INITIALIZED',
  'INCONCLUSIVE',
  'UNKNOWN',
  'AUTHORIZED',
  'AUTHENTICATE',
  'STEP_UP_AUTHENTICATE',
  'DELINQUENT',
  'SENT',
  'CREATED',
  'PARTIAL',
  'DRAFT',
  'REQUESTED',
  'RUNNING',
];
export const standings: readonly Standing[] = [
  {
    said: words(
      'still (?:\\p{L}+ )?(?:being \\p{L}+ed|processing|in progress|under way|pending|in the works|to be (?:paid|charged|refunded|released))|(?:still )?waiting to be (?:paid|refunded|charged|released|returned|sent) ?(?:back|out)?|(?:not|hasn.t|haven.t|has not|have not) (?:yet )?(?:gone|come) through(?: yet)?|(?:not|hasn.t|has not) (?:yet )?(?:been )?(?:finished|completed|settled)(?: yet)?',
      'noch in (?:arbeit|bearbeitung)|wird noch (?:\\p{L}+ )?(?:bearbeitet|geprüft)|encore en cours|todavía en curso|nog (?:bezig|in behandeling)|ancora in (?:corso|elaborazione)',
    ),
    true: underWay,
    untrue: [...moved, 'PAID', 'CREDITED', 'APPROVED', 'SUCCEEDED'],
  },
  {
    said: words(
      '(?:we|the shop|the merchant)(?: still| now)? owes? (?:you|her|him|them|\\p{Lu}\\p{Ll}+)',
      'wir schulden (?:ihnen|ihr|ihm)|nous (?:vous|lui) devons|(?:le|les) debemos|wij zijn (?:u|haar|hem) (?:\\p{L}+ )?schuldig|le dobbiamo',
    ),
    true: ['REFUNDED', 'REFUND', 'CREDITED', 'VOIDED', 'REVERSED'],
    untrue: [
      'SENT',
      'CREATED',
      'PARTIAL',
      'PAID',
      'DRAFT',
      'CAPTURED',
      'COMPLETED',
      'APPROVED',
      'AUTHORIZED',
      'ACTIVE',
    ],
  },
  {
    said: words(
      'still (?:\\p{L}+ )?hold(?:ing)? (?:on to )?(?:the|your|her|his|its?|\\d\\S*|[£€$]\\S+)|(?:only|just|merely|(?<!(?:nothing|none|money|longer|that|which|what|hold) )(?:is|are)) (?:held|reserved|on hold|earmarked|blocked)',
      '(?:still|stays?|remains?|stayed|remained|continues? to be|kept) (?:\\p{L}+ ){0,2}(?:held|reserved|on hold|blocked|earmarked)',
      '(?:noch|weiterhin) (?:\\p{L}+ ){0,2}(?:reserviert|vorgemerkt|geblockt)',
      '(?:encore|toujours) (?:\\p{L}+ ){0,2}(?:réservée?s?|bloquée?s?|retenue?s?)',
      '(?:siguen?|todavía) (?:\\p{L}+ ){0,2}(?:reservad[oa]s?|bloquead[oa]s?|retenid[oa]s?)',
      '(?:nog|steeds) (?:\\p{L}+ ){0,2}(?:gereserveerd|geblokkeerd)|ancora (?:\\p{L}+ ){0,2}(?:riservat\\p{L}|bloccat\\p{L})',
    ),
    true: ['AUTHORIZED', 'ACTIVE'],
    untrue: moved,
  },
  {
    said: words(
      'still (?:\\p{L}+ ){0,2}(?:owes?|owed|open|due|outstanding|unpaid)|(?:still )?waiting for (?:\\p{L}+ ){1,2}(?:money|payment)',
      '(?:schulde[nt]|steht) (?:\\p{L}+ ){0,3}(?:noch|offen)|noch (?:offen|unbezahlt)|warten (?:noch )?auf (?:\\p{L}+ ){1,2}(?:geld|zahlung)',
      '(?:doit|doivent) (?:encore|toujours)|attendons (?:\\p{L}+ ){0,2}(?:argent|paiement)|(?:encore|toujours) impayée?',
      '(?:todavía|aún) (?:\\p{L}+ ){0,2}(?:debe|impagad[oa]|pendiente)|esperamos (?:\\p{L}+ ){1,2}(?:dinero|pago)',
      '(?:nog (?:\\p{L}+ ){0,2}(?:open|niet betaald))|wachten (?:nog )?op (?:\\p{L}+ ){1,2}(?:geld|betaling)|(?:deve ancora|non ha ancora pagato|in attesa del pagamento)',
    ),
    true: ['SENT', 'CREATED', 'PARTIAL', 'DRAFT', 'PENDING', 'AUTHORIZED', 'ACTIVE', 'DELINQUENT', 'NOT_AUTHORIZED'],
    untrue: ['PAID', 'COMPLETED', 'CAPTURED'],
  },
  {
    said: words(
      '(?:is|are) (?:\\p{L}+ )?(?:up and )?running(?! (?:again|out|late|low))|(?:keeps|goes|go|runs|carries|continues) (?:\\p{L}+ )?(?:running|on|ahead|as before)|still (?:running|active)|(?:is|are) alive|alive and kicking',
      'läuft (?:\\p{L}+ )?weiter|geht weiter|(?:noch|weiterhin) aktiv',
      'continue(?:nt)?(?: normalement)?|toujours actif|reste active?',
      'sigue (?:en marcha|activ[oa])|continúa',
      'loopt (?:\\p{L}+ )?door|gaat (?:\\p{L}+ )?door|nog actief|continua|ancora attiv\\p{L}|prosegue',
    ),
    true: [
      'ACTIVE',
      'PENDING',
      'DELINQUENT',
      'SUSPENDED',
      'CREATED',
      'SENT',
      'PARTIAL',
      'DRAFT',
      'enrolled',
      'AUTHORIZED',
    ],
    untrue: ['CANCELLED', 'CANCELED', 'COMPLETED', 'INACTIVE', 'EXPIRED', 'ABORTED', 'FAILED'],
  },
  {
    said: words(
      '(?:is|are|has|have|was|were|been|looks?) (?:\\p{L}+ ){0,2}void(?:ed)?|undone|as if (?:it|that) (?:had|has) never happened|(?:card|account) is clean',
      'rückgängig gemacht|als wäre nichts gewesen',
      "comme si de rien n['’]était",
      'como si nada',
      'teruggedraaid|alsof er niets|come se niente fosse',
    ),
    true: ['VOIDED', 'REVERSED', 'CANCELLED', 'CANCELED', 'REFUNDED'],
    untrue: ['PENDING', 'CAPTURED', 'COMPLETED', 'PAID', 'TRANSMITTED', 'APPROVED'],
  },
  {
    said: words(
      '(?:for good|definitely|finally|irrevocably) (?:\\p{L}+ ){0,2}(?:off|gone|taken|charged)',
      'endgültig (?:\\p{L}+ ){0,2}(?:weg|abgebucht)|définitivement (?:\\p{L}+ ){0,2}(?:débitée?s?|prélevée?s?)|definitivamente (?:\\p{L}+ ){0,2}(?:cobrad[oa]s?)',
      'definitief (?:\\p{L}+ ){0,3}(?:af|weg)|definitivamente (?:\\p{L}+ ){0,2}addebitat\\p{L}',
    ),
    true: ['CAPTURED', 'COMPLETED', 'PAID', 'PENDING', 'TRANSMITTED', 'APPROVED'],
    untrue: ['VOIDED', 'REVERSED', 'CANCELLED', 'REFUNDED'],
  },
];

/** That a plan or the like can be used. */
export const isOpen = words(
  '(?:is|are|isn.t|aren.t|both) (?:not |still |now |already |currently )*(?:open|active|available|running|switched on|live|enabled)(?! (?:again|on|for \\p{L}+ other))',
  '(?:ist|sind) (?:nicht |noch |schon |jetzt )*(?:offen|aktiv|verfügbar)|(?:est|sont|n.est pas) (?:encore |déjà )*(?:ouverte?s?|active?s?|disponibles?)',
  '(?:está|están) (?:ya |todavía )*(?:abiert[oa]s?|activ[oa]s?|disponibles?)|(?:is|zijn) (?:niet |nog )*(?:actief|beschikbaar)|(?:è|sono) (?:già |ancora )*(?:apert|attiv|disponibil)\\p{L}',
);
/** That the same goes for another one. */
export const likewise = words(
  'neither is|nor is|and so is|so is|as well|too|auch|non plus|tampoco|también|neanche|ook',
);
