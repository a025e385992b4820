import { edge, end } from './words.ts';

// Words that leave something undone, unknown, bounded or asked. A reply after a failure has one of them, whatever it says.

/** By what they say: that it is not so, that it did not work, that something bounds it, that it is yet to come, or that it is asked. */
const signs = new RegExp(
  `\\?|${edge}(?:${[
    "no|not|nor|none|without(?! an?y? (?:murmur|hitch|hiccup|problem|fuss|trouble|complaint))|fixed|nothing|nobody|never|neither|cannot|\\p{L}+n['’]t|un(?:able|known|clear|paid|confirmed|finished|touched|changed|open\\p{L}*)|im?possible|instead|rather",
    'refus\\p{L}+|abort\\p{L}*|at a time|declin\\p{L}+|reject\\p{L}+|den(?:y|ied|ies)|fail\\p{L}*|wrong|broke\\p{L}*|block\\p{L}*|stopp?\\p{L}*|turned (?:it |that |this |them )?down|said no|error|trouble|problem|hitch|snag|lost|missing|missed|over|ended|ends|expired?|ran out|run out|too (?:\\p{L}+ )?(?:late|early|soon|much|many|long|high|low|big|small)|late|final|closed|forbid\\p{L}*|against|sorry|afraid|unfortunately|sadly|regret\\p{L}*|nope|nah|lapsed?|beyond|bounced|knocked back|out of|stuck|hangs|lacks?|lacking|short|insufficient|invalid|mismatch\\p{L}*|shut|locked|frozen|apologi\\p{L}+',
    'too (?:old|late|early|much|many|long|short|large|small|high|low)|only|alone|at most|most|longest|largest|highest|shortest|smallest|lowest|at least|least|limit\\p{L}*|bound\\p{L}*|maximum|minimum|ceiling|cap|above|below|exceed\\p{L}*|more than|less|up to|allow\\p{L}*|rules?|stays?|remains?|remaining|left|keeps?|still|as (?:it|they) (?:is|are|was|were)|except|but|though|although|however|yet|until|till|unless|before|first|if|whether|decimals?',
    'wait\\p{L}*|pend\\p{L}+|await\\p{L}*|as soon as|the moment|the minute|later|another|new|try|tried|tries|ask\\p{L}*|needs?|needed|needing|must|has to|have to|had to|requires?|required|should|would|could|can|may|might|please|let me|depends|approver|approval|look\\p{L}*|check\\p{L}*|decide\\p{L}*|decision|somebody|someone|colleague|released|rest|a person|a human|person|operator|takes? (?:a|some)|being (?:made|sent|checked|processed|reviewed)|under review|in review|processing|begun|underway|under way|differs?|different|other than|belongs?|exists?|taken|in use|in the app|once (?=an?|one|it|that|this|the|you|she|he|they|we|i)|in the making|(?:enter|type|put|key) (?:it|them|that|the \\p{L}+)|on the page|tell me|give|draft\\p{L}*',
    'nein|nö|ohne|gescheitert|schief\\p{L}*|gesperrt|zuerst|nicht|kein\\p{L}*|nichts|nie|niemand|erst|noch|nur|höchstens|mindestens|abgelehnt|leider|fehl\\p{L}*|muss|müssen|kann|können|bitte|warte\\p{L}*|bis|wenn|sobald|ob|zu (?:viel|spät|früh|hoch|lang)|unklar|vorbei|abgelaufen|wird|werden|jemand|mensch',
    "d['’]abord",
    'non|sans|hélas|impossible|trop|ne|pas|rien|aucun\\p{L}*|jamais|personne|seul\\p{L}*|encore|refus\\p{L}+|échou\\p{L}*|malheureusement|désolée?|doit|faut|peux|peut|veuillez|attend\\p{L}*|si|trop|avant|limite|quelqu.un',
    'primero|nada|sin|no|falta\\p{L}*|imposible|lástima|denegad[oa]|nunca|ningun\\p{L}*|nadie|solo|sólo|aún|todavía|rechaz\\p{L}+|fall\\p{L}+|lamento|siento|debe|hay que|puedo|puede|por favor|espera\\p{L}*|hasta|antes|demasiado|límite|alguien|tiene que',
    'nee|zonder|niet|ontbre\\p{L}+|geen|niets|nooit|niemand|alleen|eerst|nog|helaas|mislukt|geweigerd|moet\\p{L}*|kan|kunnen|wacht\\p{L}*|tot|als|iemand',
    'niente|senza|manca(?:no)?|nessun\\p{L}*|mai|soltanto|ancora|purtroppo|rifiutat\\p{L}|fallit\\p{L}|deve|bisogna|posso|può|attend\\p{L}+|aspett\\p{L}+|qualcuno|troppo',
  ].join('|')})${end}`,
  'iu',
);

/** Whether a reply leaves anything undone, unknown, bounded or asked. */
export const isGuarded = (text: string): boolean => signs.test(text);
