import type { DeedName } from './deeds.ts';
import { words } from './words.ts';

// Reasons that a reply gives, and what it says to have been in the way: what answers would say of it, too.

/** A reason, and what shows it in an answer, an event or what the customer said. */
export interface Reason {
  readonly said: RegExp;
  readonly shown: RegExp;
  readonly what: string;
}

export const reasons: readonly Reason[] = [
  {
    said: words(
      '(?:customers?|somebody|someone|people|anyone|members?|subscribers?) (?:still |already |currently )*(?:subscribes?|subscribed|on it|uses? it|using it)|(?:still |already )?has (?:\\p{L}+ )?subscribers?',
      '(?:kunden?|jemand) (?:\\p{L}+ )*(?:abonniert|abonnieren)|(?:clients?|quelqu.un) (?:\\p{L}+ )*abonnée?s?|(?:clientes?|alguien) (?:\\p{L}+ )*suscrit[oa]s?',
    ),
    shown: /subscri(?:be|ption "?\w* is|bers)|(?:has|have|with) (?:\w+ )*subscriptions?|"subscription":/i,
    what: 'no answer tells of subscribers',
  },
  {
    said: words(
      "(?:wrong|incorrect|invalid|mistyped|false) (?:one-time )?code|code (?:was|is|were) (?:wrong|incorrect|invalid|mistyped|not right)|code (?:wasn't|isn't) (?:right|correct)",
      'falsche[rn]? code|code (?:war|ist) falsch|(?:mauvais|faux) code|code (?:était|est) (?:faux|incorrect)|código (?:incorrecto|equivocado)',
    ),
    shown: /wrong|incorrect|not (?:the )?right|falsch|mauvais|equivocad|does not match|attempts? (?:are )?left/i,
    what: 'no code was wrong',
  },
];

/** That there is nothing of a kind. */
export const thereIsNone = words(
  'there (?:were|was|are|is|have been) no (?:\\p{L}+ )?(?:sales?|refunds?|payments?|notifications?|events?|reports?|invoices?|bills?|subscriptions?|plans?)|(?:you|we) (?:have|had|get|got) no (?:\\p{L}+ )?(?:sales?|refunds?|payments?|notifications?|events?|reports?|invoices?|bills?|subscriptions?|plans?)',
  'es (?:gab|gibt) keine (?:verkäufe|erstattungen|zahlungen|benachrichtigungen|rechnungen)|il n.y a(?:vait)? (?:pas|aucune?) (?:de )?(?:ventes?|remboursements?|paiements?|factures?)|no (?:hay|hubo) (?:ventas|reembolsos|pagos|facturas)',
);

/** That the platform can't be reached now. */
export const platformDown = words(
  "(?:platform|system|server|service)(?:'s| is) (?:currently |still |simply |completely )*(?:down|offline|unreachable|unavailable|silent|dead|not (?:answering|responding|available))",
  '(?:plattform|system|server) ist (?:\\p{L}+ )*(?:nicht erreichbar|ausgefallen|offline)|(?:plateforme|serveur) est (?:\\p{L}+ )*(?:en panne|injoignable|hors ligne)|(?:plataforma|servidor) (?:está|no) (?:\\p{L}+ )*(?:caíd[oa]|disponible|responde)',
);

/** That something was tried and could not be done. */
export const couldNot = words(
  "(?:couldn't|could not|was unable to|wasn't able to|were unable to|weren't able to|didn't manage to|did not manage to|failed to|had to refuse to)",
  'konnte(?:n)? (?:\\S+ ){0,5}nicht|ne? (?:\\p{L}+ )?pu|no (?:he|ha|hemos) podido|no (?:pude|pudo|pudimos)',
);
/** Verbs for what could not be done. */
export const attempted: Readonly<Partial<Record<DeedName, RegExp>>> = {
  paid: words('pay|charge|debit|capture|release|take (?:the|your|her|his) (?:money|payment)', 'abbuchen|freigeben'),
  bought: words('buy|order|purchase', 'kaufen|bestellen|acheter|comprar'),
  cancelled: words('cancel|void|revoke', 'stornieren|kündigen|annuler|résilier|cancelar|anular'),
  refunded: words('refund|reimburse|pay (?:\\p{L}+ )?back', 'erstatten|rembourser|reembolsar'),
  sent: words('send|mail|e-?mail', 'senden|schicken|verschicken|envoyer|enviar'),
  created: words('create|store|save|draft|make (?:the|a|your) (?:bill|invoice|plan)', 'anlegen|speichern|créer|crear'),
  changed: words('change|update|move|raise|lower|amend', 'ändern|modifier|changer|cambiar|modificar'),
  enrolled: words('enrol|enroll|register|set (?:it |that )?up|add', 'anmelden|registrieren|enregistrer|registrar'),
  deleted: words('delete|remove', 'löschen|supprimer|eliminar|borrar'),
  closed: words('close|deactivate', 'schließen|fermer|cerrar'),
  opened: words('open|activate', 'öffnen|ouvrir|abrir'),
  paused: words('pause|suspend', 'pausieren|suspendre|suspender'),
  skipped: words('skip', 'überspringen|sauter|saltar'),
};

/** That the first try was the one that worked. */
export const atOnce = words(
  '(?:worked|went through|succeeded|was (?:done|accepted|taken|fine)|did it) (?:\\p{L}+ )?(?:right away|straight away|at once|immediately|instantly|(?:at |on )?(?:the )?first (?:time|try|go|attempt))|first time lucky|at the (?:very )?first (?:try|go|attempt)|without a (?:hitch|hiccup)',
  '(?:sofort|gleich|auf anhieb|beim ersten (?:mal|versuch)) (?:\\p{L}+ )*(?:geklappt|funktioniert)|du premier coup|à la primera',
);

/** That a warning came with it. */
export const warned = words(
  '(?:still |also )?(?:nags|complains|grumbles|moans|warns|gives (?:us |me |you )?an? (?:\\p{L}+ )?warning|shows (?:us |me |you )?an? (?:\\p{L}+ )?warning)',
  'warnt|meckert|avertit|advierte',
);

/** That nobody hears of an event. */
export const nobodyHears = words(
  '(?:nobody|no one|no-one) (?:is|gets|was|has been|will be|hears|learns) ?(?:ever )?(?:told|notified|informed|warned)?|(?:nothing|nobody) (?:is|was) (?:told|notified|informed)',
  'niemand (?:wird|erfährt)|personne n.est (?:prévenue?|informée?)|nadie (?:es|está) (?:avisad[oa]|informad[oa])',
);
