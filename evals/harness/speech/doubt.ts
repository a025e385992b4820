import { words } from './words.ts';

// Words that leave open what became of something, and words that only suppose that it went well.

/** A reply after a call without an answer has one of them. */
export const inDoubt = words(
  "know(?:n|s)?|unknown|unclear|unsure|undecided|(?:not|n['’]t) (?:be )?(?:sure|certain|clear|say|tell|confirm|see)|can(?:not|['’]t) (?:say|tell|confirm|see)|uncertain|whether|if (?:it|that|the|this|anything|they)|inconclusive|no (?:answer|response|reply|word)|(?:never|didn['’]t|did not|hasn['’]t|has not) (?:\\p{L}+ )?(?:answer\\p{L}*|respond\\p{L}*|repl(?:y|ied))|find out|checks?|checking|looks?|looking|wait\\p{L}*|in doubt|open|pending|hang\\p{L}*|stuck|silent|silence|later|(?:may|might|could) (?:or may not )?(?:have|take|charge|pay|double)|somebody|someone|a person|operator|neither|settle\\p{L}*|still|in the dark|no idea|no telling|up in the air|ask again|yet|limbo|guess\\p{L}*|can['’]?t|cannot|couldn['’]t|resolved?|come back|in a (?:moment|minute)|get_operation",
  'weiß|wissen|unklar|unbekannt|ob|keine antwort|nachsehen|prüfe\\p{L}*|warte\\p{L}*|offen|ungewiss|später|noch',
  'sais|savons|sait|ignore|inconnu|si (?:l|c|v|ça|elle|il)|pas de réponse|aucune réponse|vérifi\\p{L}*|attend\\p{L}*|incertain|plus tard',
  'sé|sabemos|sabe|desconocid\\p{L}|si (?:se|ha|el|la)|sin respuesta|ninguna respuesta|comprob\\p{L}*|esper\\p{L}*|incierto|más tarde|todavía|aún',
  'weet|weten|onbekend|onduidelijk|of (?:het|de|er)|geen antwoord|nakijken|wacht\\p{L}*|non so|sappiamo|sconosciut\\p{L}|nessuna risposta|controll\\p{L}*|aspett\\p{L}*|ancora|nog',
);

/** "It should have gone through": a guess, where answers tell. */
export const supposes = words(
  "(?:should|ought to|must|will|would|\\p{L}+['’]ll) (?:\\p{L}+ )?(?:have (?!to )|be (?=through|fine|done|settled|there|all ))(?:\\p{L}+ ){0,3}(?:gone through|through|worked|arrived|succeeded|taken|charged|paid|accepted|approved|booked|cleared|done|collected|fine|settled|completed)",
  '(?:müsste|sollte|dürfte) (?:\\p{L}+ ){0,4}(?:durch|bezahlt|abgebucht|angekommen|geklappt|erledigt)',
  '(?:devrait|doit) (?:\\p{L}+ ){0,2}(?:être|avoir) (?:\\p{L}+ ){0,2}(?:passée?|payée?|débitée?|réussi)|(?:debería|debe de) (?:\\p{L}+ ){0,2}(?:estar|haber) (?:\\p{L}+ ){0,2}(?:pasado|pagad[oa]|cobrad[oa])',
  '(?:zou|moet) (?:\\p{L}+ ){0,4}(?:gelukt|betaald|afgeschreven)|dovrebbe (?:\\p{L}+ ){0,2}(?:essere|aver) (?:\\p{L}+ ){0,2}(?:passat|pagat|riuscit)\\p{L}',
);
/** That it did not go well after all. */
export const failed = words(
  "not|no|never|nothing|\\p{L}+n['’]t|but|declin\\p{L}*|fail\\p{L}*|refus\\p{L}*|reject\\p{L}*|bounced|however|though|instead",
  'nicht|kein\\p{L}*|aber|abgelehnt|pas|rien|mais|refus\\p{L}*|nada|pero|rechaz\\p{L}*|niet|maar|geweigerd|non|ma|rifiut\\p{L}*',
);

/** That what was tried came to nothing. */
export const cameToNothing = words(
  "no luck|(?:try|attempt|go|refund|payment|charge|cancellation|change|it|that|this) (?:\\p{L}+ ){0,2}(?:bounced|failed|came to nothing|fell through|(?:did not|didn['’]t) (?:work|go through|succeed|take)|(?:was|got) (?:declined|refused|rejected))",
  '(?:versuch|zahlung|erstattung|es|das) (?:\\p{L}+ ){0,3}(?:gescheitert|fehlgeschlagen|schiefgegangen)|(?:essai|paiement|remboursement|ça|cela) (?:\\S+ ){0,2}(?:échoué|refusée?)|(?:intento|pago|reembolso) (?:\\p{L}+ ){0,2}(?:fallado|falló|rechazado)',
);
