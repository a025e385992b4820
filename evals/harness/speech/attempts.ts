import { figuresIn } from './numbers.ts';
import { words } from './words.ts';

// Words for what was tried: who did it, whether it was done to several, and whether money moved.

/** Money that is said to have moved, where the sum is named. */
export const taken = words(
  '(?:is|are|was|were|been) (?:now |all |already |just )?taken(?! (?:care|back|out|off|away))|took|captured|charged|debited|collected|drawn|withdrawn|left (?:your|her|his|their|the) (?:card|account|bank|wallet)|gone from (?:your|her|his|their) (?:card|account)',
  'abgebucht|eingezogen|belastet|débitée?s?|prélevée?s?|encaissée?s?|cobrad[oa]s?|cargad[oa]s?|afgeschreven|addebitat[oaie]',
);

/** Money that arrived, or was let through. */
export const moved = words(
  '(?:came|come) in|(?:is|are|was|were|been) (?:now |all |already |just )?taken(?! (?:care|back|out|off|away))|put (?:\\S+ ){0,4}through(?! to)|pushed (?:\\S+ ){0,4}through|let (?:\\S+ ){0,4}through',
  'eingegangen|angekommen|durchgegangen|rentrée?s?|encaissée?s?|ha entrado|han entrado|binnengekomen',
);

/** That something was done to more than one. */
export const several = words(
  'both|all (?:of them|two|three|four|five)|each of them|(?:the )?two of them|every one of them',
  'beide[ns]?|alle (?:zwei|drei|beide)|jede[rs] von ihnen|(?:toutes|tous) (?:les )?deux|les deux|amb[oa]s|los dos|las dos|allebei|entramb[ie]',
);

/** That something was done once more, or besides. */
export const besides = words(
  'as well|too|also|again|once more|another|yet one more|(?:fresh|second|new) (?:one|draft|invoice|bill|plan|subscription|refund|payment)',
  'auch|ebenfalls|nochmals?|noch einmal|weitere[rsn]?|aussi|encore|également|nouvel(?:le)?|también|otra vez|otr[oa]|nuev[oa]|ook|opnieuw|anche|ancora',
);

/** That the agent has done something, whatever it was. */
export const acted = words(
  "I(?:'ve| have) (?:\\p{L}+ly |just |now |already |also |then )*(?:put(?! (?:it |that )?(?:to you|off|aside))|set|switched|turned|booked|scheduled|arranged|entered|registered|placed|made|moved|marked|noted (?:\\S+ ){0,5}(?:down )?for|lined up|reserved|signed (?:you|him|her|them) up)",
  'ich habe (?:\\S+ ){1,5}(?:eingetragen|vorgemerkt|umgestellt|eingeschaltet|gebucht|eingeplant|angelegt)',
  "j'ai (?:\\p{L}+ )?(?:programmée?|inscrite?|activée?|réservée?|enregistrée?)",
  '(?:lo |la |le )?he (?:programado|activado|reservado|registrado|puesto)',
);

/** That the agent has put a question to an approver. */
export const askedApprover = words(
  "I(?:'ve| have) (?:\\p{L}+ly |just |now |already |also )*(?:asked (?:for|a person|somebody|someone|the \\p{L}+) (?:\\S+ ){0,4}(?:approv\\p{L}+|yes|go-ahead|ok|okay|permission|consent|sign-?off|nod|blessing)|requested (?:\\S+ ){0,3}approval|(?:sent|put|passed) (?:\\S+ ){0,5}for approval)",
  'ich habe (?:\\S+ ){0,4}(?:genehmigung|freigabe) (?:\\S+ ){0,4}(?:gebeten|beantragt|angefragt)',
);

/** That a conversion costs nothing on top. */
export const withoutMarkup = words(
  '(?:without|free of|no|zero) (?:an?y? |a |further |extra )?(?:mark-?ups?|margins?|surcharges?|commissions?)',
  '(?:ohne|kein(?:en)?) (?:aufschlag|marge)|(?:sans|aucune?) (?:majoration|marge|commission)|(?:sin|ningún) (?:recargo|margen)',
);

/** What the customer's own card was charged. */
export const youPaid = words(
  "you(?:['’]ve| have)? (?:just |now |already )*paid|you (?:were|have been) (?:charged|debited)|(?:your|her|his) card (?:was|has been) (?:charged|debited)|(?:went|gone|came|taken) (?:off|from) your (?:card|account)|(?:held|reserved|on hold) on your card",
  'sie haben (?:\\S+ ){0,3}(?:be)?zahlt|vous avez (?:\\S+ )?payé|(?:ha|usted ha) pagado',
);
/** That what is held has not been taken. */
export const onlyHeld = words(
  "(?:only|just|merely|still) (?:a hold|on hold|held|reserved|earmarked)|(?:nobody|no one|nothing)(?:['’]s| has| is)? (?:been )?(?:taken|collected|captured) (?:a (?:cent|penny) of it|it|any of it|anything)?",
  '(?:nur|lediglich|noch) (?:\\p{L}+ )?(?:reserviert|vorgemerkt)|(?:seulement|encore) (?:réservée?|bloquée?)|(?:sólo|solo|todavía) (?:reservad[oa]|retenid[oa])',
);

/** What is left of a hold that was taken in part. */
export const heldRest = words('rest|remainder|other (?:half|part)|reste|resto');

/** That the agent has chosen for the customer. */
export const iChose = words(
  "I(?:['’]ve| have)? (?:just |already )?(?:picked|chose|chosen|selected)",
  'ich habe (?:\\S+ ){0,4}(?:ausgesucht|gewählt)',
);
/** That a refund or payment did not come about. */
export const neverThrough =
  /(?<!\p{L})(refund|repayment|payment|charge|erstattung|zahlung|remboursement|paiement|reembolso|pago) (?:never|did not|didn['’]t|has not|hasn['’]t) (?:\p{L}+ )?(?:went|go|gone|came|come|got|made it|make it|work|worked)(?: through)?(?! (?:twice|again))(?!\p{L})/iu;
/** "Two of the three". */
export const ofTheWhole = /(?<!\p{L})(?<part>\p{L}+|\d+) of the (?<whole>\p{L}+|\d+)(?!\p{L})/iu;
/** That a report can be read. */
export const fileReady = words(
  '(?:file|report|table) is (?:now |already )?(?:ready|done|finished|available)|(?:file|report|table) (?:has|have) (?:now |already )?(?:arrived|come)|ready (?:for|to) download',
  '(?:datei|bericht|tabelle) ist (?:\\p{L}+ )*(?:fertig|da|bereit)|(?:fichier|rapport) est prêt|(?:archivo|informe) está listo',
);

/** Things of a kind that are said to exist, and the list that has them. */
export const existingIn = (text: string): readonly { readonly tool: string; readonly value: number }[] =>
  [...text.matchAll(existing)].flatMap(({ 1: word = '', 2: noun = '' }) => {
    const value = Number(figuresIn(word)[0]?.values[0] ?? Number.NaN);
    const tool = lists.find(([it]) => it.test(noun))?.[1];
    return tool === undefined || !(value > 1) ? [] : [{ tool, value }];
  });
const existing =
  /(?<!\p{L})(?:has|have|got|there are|there're|exist|with|gibt es|il y a|hay) (?:now )?(\d{1,3}|\p{L}+) (?:(?:open|new|different|identical|such) )?(drafts|invoices|bills|plans|subscriptions|entwürfe|rechnungen|factures|facturas)(?!\p{L})/giu;
const lists: readonly (readonly [noun: RegExp, tool: string])[] = [
  [/^(?:drafts|invoices|bills|entwürfe|rechnungen|factures|facturas)$/i, 'list_invoices'],
  [/^plans$/i, 'list_plans'],
  [/^subscriptions$/i, 'list_subscriptions'],
];

/** Which of a row of deeds is meant: "the third code". */
const ordinals: readonly (readonly [pattern: RegExp, place: number])[] = [
  [words('second', 'zweite[rsn]?', 'deuxième', 'segund[oa]', 'tweede', 'second[oa]'), 2],
  [words('third', 'dritte[rsn]?', 'troisième', 'tercer[oa]?', 'derde', 'terz[oa]'), 3],
  [words('fourth', 'vierte[rsn]?', 'quatrième', 'cuart[oa]', 'vierde', 'quart[oa]'), 4],
  [words('fifth', 'fünfte[rsn]?', 'cinquième', 'quint[oa]', 'vijfde'), 5],
];
export const placeIn = (text: string): number | undefined => ordinals.find(([it]) => it.test(text))?.[1];

/** What becomes of a request, besides deeds. */
export const underway = words(
  'requested|asked for|on order|in the works|being (?:made|prepared|sent|processed)|under way|underway|in the making|arrived',
  'angefordert|in arbeit|unterwegs|demandée?s?|en cours|solicitad[oa]s?|en camino|aangevraagd|richiest[oaie]',
);

/** That the platform is the source of it. */
export const platformTold = words(
  '(?:platform|network) (?:has |have )?(?:just |already )?(?:told|informed|notified|confirmed (?:it |this |that )?to) us',
  'plattform hat (?:es |das )?uns (?:\\S+ ){0,2}(?:gemeldet|mitgeteilt|bestätigt)|plateforme nous (?:a|l.a) (?:\\S+ )?(?:dit|confirmé)|plataforma nos lo ha (?:dicho|confirmado)',
);
