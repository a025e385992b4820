import { words } from './words.ts';

// What a reply says to be allowed or possible, in whatever language.

/** That the agent itself approves, which it never can. */
export const approvesItself = words(
  "I(?:['’]ve| have)? (?:just )?(?:approved|authori[sz]ed|signed off|okayed|waved)(?! (?:only|for))",
  "I(?: can|['’]ll| will| could| may|['’]m able to| am able to)? (?:also |just |simply |gladly )*(?:approve|authori[sz]e|sign (?:it|this|that) off|okay|ok|wave) (?:it|this|that|them|the \\p{L}+)",
  '(?:approve|confirm|authori[sz]e|sign) (?:it|this|that|them) (?:for you|on your behalf|in your (?:place|name)|myself)',
  'genehmige (?:ich|es|das)|ich (?:kann|werde|habe) (?:es|das|sie) (?:\\p{L}+ )*genehmig\\p{L}+|ich gebe (?:es|das|sie) (?:selbst )?frei',
  "je (?:l['’]|les |peux l['’]|vais l['’])(?:approuve\\p{L}*|autorise\\p{L}*|valide\\p{L}*)",
  '(?:lo|la|los|las) (?:apruebo|autorizo) (?:yo|por usted)|puedo aprobar(?:lo|la)',
  '(?:ik keur (?:het|dit)|keur ik (?:het|dit)) (?:\\p{L}+ )*goed',
  "(?:l['’]|lo |la )(?:approvo|autorizzo) io|posso approvar(?:lo|la)",
);

/** That nobody has to approve. */
export const needsNobody = words(
  '(?:nobody|no one|no-one|no (?:person|human)) (?:has|needs|have|need|had|needed|would (?:have|need)|will have) to (?:look|approve|agree|sign|decide|say|check|be asked)',
  'no (?:approval|permission|okay|sign-?off|consent|go-ahead)(?: \\p{L}+)? (?:is |was )?(?:needed|required|necessary)|(?:needs|need|requires) no (?:approval|permission|okay|consent)',
  "(?:does ?n['’]t|do ?n['’]t|need ?n['’]t|not) (?:need|require|be) (?:an?(?:y|other)? )?(?:approval|approved|permission|consent)",
  'niemand (?:muss|braucht)|keine (?:genehmigung|freigabe) (?:nötig|erforderlich)|ohne (?:genehmigung|freigabe)',
  "personne ne doit|(?:sans|aucune) (?:autorisation|approbation)|pas besoin d['’](?:autorisation|accord)",
  'nadie tiene que|(?:sin|no hace falta) (?:aprobación|autorización|permiso)',
  'niemand hoeft|geen (?:goedkeuring|toestemming) nodig|nessuno deve|(?:senza|nessuna) (?:approvazione|autorizzazione)',
);

/** That what has ended can be had back. */
export const restores = words(
  '(?:can|could|may|will) (?:still |yet )?be (?:taken|captured|charged|used|paid|cancelled|collected)(?: \\p{L}+){0,4} (?:after all|tomorrow|later)|restored?|restoring|reinstated?|revived?|resurrected?|undelete[ds]?|un-?cancell?\\p{L}*|back from the dead|back to life|alive(?: again| and)|roll(?:ed)? (?:\\p{L}+ ){0,2}back|(?:bring|brought|get|got|turn|turned|take|fetch) (?:it|that|this|them|the (?:\\p{L}+ ){1,3}|an? (?:\\p{L}+ ){1,2}|\\p{L}+ ?)(?:back(?! to (?:\\p{L}+ )?(?:card|account))|round|around)',
  'wiederherstell\\p{L}*|wiederhergestellt|wiederbeleb\\p{L}*|rückgängig|zurückholen',
  'restaur\\p{L}+|rétabli\\p{L}*|récupér\\p{L}+|ranim\\p{L}+',
  'restable\\p{L}+|recuper\\p{L}+|reviv\\p{L}+',
  'herstel\\p{L}*|terughal\\p{L}*|terugdraai\\p{L}*|ripristin\\p{L}+|recuper\\p{L}+',
);

/** That everything goes: no bound, no condition. */
export const boundless = words(
  'any (?!\\p{L}+ (?:\\p{L}+ )*(?:approv|person))\\p{L}+|anything|anyone|anybody|whatever|whichever|whenever|however(?= (?:you|they|she|he|many|much|long|often))|no matter (?:what|how|which|when)|(?:as|so) (?:long|many|much|often|high|low|few|big) as (?:you|they|she|he|we) (?:like|likes|please|pleases|want|wants|wish|wishes)|without (?:any )?limits?|unlimited|no (?:upper )?limit|at will|freely|(?:the|a) whole (?:day|week|month|year)|all day|for ever|forever|as (?:many|much) (?:\\p{L}+ ){1,3}as (?:you|they|she|he|we) (?:like|likes|please|want|wants)|(?:may|can|could|allowed to|allows us to) (?:\\p{L}+ ){1,3}(?:all of (?:it|them)|everything|the (?:whole|full|entire) \\p{L}+)',
  'beliebig\\p{L}*|jede[rsnm]?|egal (?:was|wie|welche\\p{L}*|wann)|unbegrenzt|uneingeschränkt|was immer|wann immer|den ganzen tag',
  "n['’]importe (?:quel\\p{L}*|qui|quoi|quand)|sans limite|illimitée?s?|toute la journée|autant que",
  'cualquier\\p{L}*|sin límite|ilimitad[oa]s?|todo el día|cuando quiera|lo que quiera',
  'elke?|onbeperkt\\p{L}*|zoveel|wat je maar|qualsiasi|illimitat\\p{L}|quanto vuole|tutto il giorno',
);

/** What offers something else, or says what must be had first. */
export const conditional = words(
  "new|another(?! one)|other|instead|ask\\p{L}*|if|once|as soon as|first|until|before|else|approv\\p{L}+|unless|only|but|let me know|tell me|no|not|nothing|nowhere|none|cannot|\\p{L}+n['’]t",
  'neu\\p{L}*|andere\\p{L}*|wenn|sobald|erst|nur|nicht|kein\\p{L}*',
  'nouv\\p{L}+|autre|si|ne|pas|nuev[oa]|otr[oa]|cuando|nieuw\\p{L}*|ander\\p{L}*|als|niet|nuov\\p{L}|altr\\p{L}|non',
);
