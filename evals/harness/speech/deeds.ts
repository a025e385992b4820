import { bare, moreWords } from './more-deeds.ts';
import { remembered } from './remembered.ts';
import { edge, end } from './words.ts';

// What an agent can say to have happened, how that is said in English, German, French and Spanish, and what shows that it did.

/** Answers of the server that show a deed. */
export interface Proof {
  /** Tools whose completed calls show it; after a colon a member that their answers must have. */
  readonly tools?: readonly string[];
  /** States in answers that show it; before a colon a member that the thing in that state must have. */
  readonly states?: readonly string[];
}

export interface Deed extends Proof {
  /** Words that assert it, as a pattern. */
  readonly said: string;
}

/** What was said of money, in the perfect tense or as a state. */
export const deeds = {
  paid: {
    said: [
      '(?:re)?paid(?! (?:(?:it|them|that|this|everything|all of it) )?(?:back|invoices?|bills?)(?!\\p{L}))|charged|debited|captured|settled|collected|payment (?:has |was |is |went |has been )*(?:through|made|successful|succeeded|complete[d]?|received|taken|done)|took the (?:money|payment)|(?:money (?:was|has been|is)|has (?:now |just )?been) taken(?! (?:care|back|out|off))|(?:money|payment) (?:has |have |is |was |just )*(?:in|arrived|landed|cleared|gone through|come in|came in)(?! your)|coughed up|squared|unpaid|untouched|touched (?:your|her|his) card|left (?:your|her|his|their) (?:card|account)|card (?:was |has been |is )+(?:accepted|taken)|(?:payment|money) is on its way',
      'bezahlt|unbezahlt|gezahlt|abgebucht|belastet|beglichen|überwiesen|(?:geld|zahlung|betrag) (?:\\S+ ){0,3}(?:eingegangen|angekommen|durchgegangen)|karte (?:\\S+ ){0,3}(?:angenommen|akzeptiert)',
      'payée?s?|impayée?s?|débitée?s?|réglée?s?|encaissée?s?|(?:argent|paiement|montant) (?:\\S+ ){0,3}(?:arrivé|passé)|carte (?:\\S+ ){0,2}acceptée',
      'pagad[oa]s?|impagad[oa]s?|cobrad[oa]s?|cargad[oa]s?|(?:dinero|pago) (?:\\S+ ){0,3}(?:llegado|pasado|entrado)|tarjeta (?:\\S+ ){0,2}aceptada',
    ].join('|'),
    tools: [
      'retrieve_credentials:credentials',
      'confirm_transaction',
      'authorize_payment',
      'capture_payment',
      'reactivate_subscription',
    ],
    states: [
      'COMPLETED',
      'APPROVED',
      'PAID',
      'PARTIAL',
      'PAYMENT',
      'PENDING',
      'TRANSMITTED',
      'AUTHORIZED',
      'CAPTURED',
      'SETTLED',
      'PURCHASE',
    ],
  },
  bought: {
    said: [
      'bought|purchased|ordered(?! by)|(?:order|purchase) (?:is |was |has been )?(?:placed|registered|complete)|placed (?:the|your|an) order',
      'gekauft|bestellt',
      'achetée?s?|commandée?s?',
      'comprad[oa]s?',
    ].join('|'),
    tools: [
      'initiate_purchase',
      'retrieve_credentials',
      'confirm_transaction',
      'authorize_payment',
      'capture_payment',
      'request_report',
    ],
    states: ['instruction:ACTIVE', 'COMPLETED', 'APPROVED', 'PURCHASE'],
  },
  cancelled: {
    said: [
      'cancell?ed|called (?:\\S+ ){0,4}off|revoked|voided|annulled',
      'storniert|gekündigt|abbestellt|abgebrochen',
      'annulée?s?|résiliée?s?',
      'cancelad[oa]s?|anulad[oa]s?',
    ].join('|'),
    tools: [
      'cancel_purchase',
      'cancel_subscription',
      'cancel_invoice',
      'void_capture',
      'void_refund',
      'reverse_payment',
    ],
    states: ['CANCELLED', 'CANCELED', 'VOIDED', 'REVERSED', 'WITHDRAWN', 'SUPERSEDED', 'ABORTED'],
  },
  refunded: {
    said: [
      'refunded|paid (?:(?:it|them|that|this|everything|all of it) )?back|given (?:\\p{L}+ ){0,4}back|(?:went|gone) back(?! to)|reimbursed|returned to your (?:card|account)|(?:coming|heading|going|flying|winging (?:its|their) way) back(?! to (?:work|normal))|on (?:its|their) way back|(?:sent|gone|went) back to|back (?:on|with|in) (?:your|her|his|their|them|you)|landed in (?:your|her|his|their) account|got (?:nothing|anything|it|everything) back|refund (?:\\S+ ){0,6}(?:made|sent|issued|on its way|done|processed|initiated|wired|arrived|through)|(?:issued|sent|made|processed|initiated) (?:a|the|your) (?:full |partial )?refund',
      'erstattet|zurückgezahlt|zurücküberwiesen|rückerstattet|gutgeschrieben',
      'remboursée?s?|recréditée?s?',
      'reembolsad[oa]s?|devuelt[oa]s?|abonad[oa]s?|(?:van?|están?) de vuelta',
    ].join('|'),
    tools: ['refund_capture', 'void_capture', 'reverse_payment', 'refund_device_transaction'],
    states: ['REFUND', 'REFUNDED', 'REVERSED', 'VOIDED', 'CREDITED'],
  },
  mailed: {
    said: [
      'e-?mailed|mailed|sent .{0,30}by (?:e-?mail|mail)|e-?mail (?:\\S+ ){0,6}(?:sent|gone out|on its way)|(?:receipt|confirmation|details) (?:\\S+ ){0,3}(?:e-?mailed|by e-?mail)|reminded|(?:sent|wrote) (?:you|her|him|them) an e-?mail|in (?:your|her|his|their|\\p{Lu}\\p{Ll}+.s) (?:inbox|mail|mailbox)',
      'per e-?mail (?:geschickt|gesendet|verschickt)|gemailt|postfach',
      'envoyée?s? par (?:e-?mail|courriel)|boîte de réception',
      'enviad[oa]s? por (?:correo|e-?mail)|bandeja de entrada|buzón',
    ].join('|'),
    tools: ['send_invoice', 'send_device_receipt'],
    states: ['SENT', 'invoicing.customer.invoice.reminder', 'invoicing.customer.invoice.overdue-reminder'],
  },
  sent: {
    said: [
      "sent(?! back)|dispatched|(?:been|and) shipped|gone out|went out|(?:bill|invoice)(?:'s| is) (?:now |already )?out(?! (?:of|at))|texted|(?<!(?:payment|money) (?:is|was) )on (?:its|their) way(?! back)",
      'verschickt|gesendet|geschickt|versandt|abgeschickt|unterwegs',
      "(?<!p)envoyée?s?|(?<!c')est partie?|sont parties?",
      'enviad[oa]s?|mandad[oa]s?|le (?:mandé|envié)',
    ].join('|'),
    tools: [
      'send_invoice',
      'send_device_receipt',
      'create_one_time_password',
      'refund_capture',
      'refund_device_transaction',
      'void_capture',
      'reverse_payment',
    ],
    states: [
      'SENT',
      'invoicing.customer.invoice.sent',
      'invoicing.customer.invoice.reminder',
      'invoicing.customer.invoice.overdue-reminder',
    ],
  },
  held: {
    said: [
      '(?<!with)held(?! for review)|(?:an?|the|one) hold (?:of|for|over)|reserved|earmarked|(?:amount|money|sum) (?:is |was |has been )+blocked',
      'reserviert|vorgemerkt|geblockt',
      'réservée?s?|bloquée?s?|retenue?s?',
      'reservad[oa]s?|bloquead[oa]s?|retenid[oa]s?',
    ].join('|'),
    tools: ['authorize_payment', 'increment_preauthorization', 'initiate_purchase', 'update_purchase'],
    states: ['AUTHORIZED', 'APPROVED', 'CAPTURED', 'ACCEPTED'],
  },
  approved: {
    said: [
      'approved|authori[sz]ed|signed off|said yes|agreed to',
      'genehmigt|freigegeben',
      'approuvée?s?|autorisée?s?',
      'aprobad[oa]s?|autorizad[oa]s?',
    ].join('|'),
    states: ['APPROVED', 'AUTHORIZED', 'USED', 'ACTIVE'],
    tools: [
      'initiate_purchase',
      'update_purchase',
      'retrieve_credentials',
      'authorize_payment',
      'capture_payment',
      'refund_capture',
      'create_subscription',
      'update_subscription',
      'create_plan',
      'amend_plan',
      'create_invoice',
      'send_invoice',
      'update_invoice',
      'update_invoice_settings',
      'create_follow_on_subscription',
      'reactivate_subscription',
      'publish_invoice',
    ],
  },
  confirmed: {
    said: ['confirmed(?! by)', 'bestätigt', 'confirmée?s?', 'confirmad[oa]s?'].join('|'),
    tools: [
      'confirm_transaction',
      'get_payment',
      'initiate_purchase',
      'retrieve_credentials',
      'create_subscription',
      'authorize_payment',
    ],
    states: ['COMPLETED', 'ACTIVE', 'APPROVED'],
  },
  paused: {
    said: [
      'paused|suspended|put on hold',
      'pausiert|ausgesetzt',
      'suspendue?s?|mise? en pause',
      'suspendid[oa]s?|pausad[oa]s?',
    ].join('|'),
    tools: ['suspend_subscription'],
    states: ['SUSPENDED'],
  },
  resumed: {
    said: [
      'resumed|reactivated|running again|active again',
      'reaktiviert|fortgesetzt',
      'réactivée?s?|reprise?s?',
      'reactivad[oa]s?|reanudad[oa]s?',
    ].join('|'),
    tools: ['reactivate_subscription', 'activate_plan'],
  },
  skipped: {
    said: [
      'skipped|left (?:\\S+ ){0,2}out|taken (?:that|this) one out(?! of)',
      'übersprungen',
      'sautée?s?',
      'omitid[oa]s?|saltad[oa]s?',
    ].join('|'),
    tools: ['skip_subscription_payments'],
    states: ['SKIPPED', 'SCHEDULED_SKIPPED'],
  },
  changed: {
    said: [
      'changed|updated|raised|lowered|increased|reduced|renamed|amended|extended|prolonged|shortened|corrected|moved|switched (?:you |him |her |them |it )?(?:over|to)|(?:is|was|are|been) set to',
      'geändert|aktualisiert|erhöht|gesenkt|verlängert|umbenannt|umgestellt|gewechselt|verschoben',
      'modifiée?s?|changée?s?|augmentée?s?|réduite?s?|prolongée?s?|passée? (?:à|au)',
      'cambiad[oa]s?|modificad[oa]s?|actualizad[oa]s?|(?:he|ha|hemos) pasado',
    ].join('|'),
    tools: [
      'update_purchase',
      'update_subscription',
      'update_invoice',
      'update_invoice_settings',
      'amend_plan',
      'save_report_subscription',
      'send_invoice',
      'publish_invoice',
      'activate_plan',
      'deactivate_plan',
      'cancel_purchase',
      'cancel_subscription',
      'skip_subscription_payments',
      'suspend_subscription',
    ],
  },
  created: {
    said: [
      'created|stored|(?<!cards? )saved(?! (?:you|us|me|them|her|him|for|with|on))|drafted|subscribed|made (?:the|your|her|his|an?|both|two|another) (?:(?:new|fresh|second|other) )?(?:invoices?|bills?|plans?|drafts?)',
      'angelegt|erstellt|gespeichert',
      'créée?s?|enregistrée?s?',
      'cread[oa]s?|guardad[oa]s?',
    ].join('|'),
    tools: [
      'create_plan',
      'create_subscription',
      'create_follow_on_subscription',
      'create_invoice',
      'save_report_subscription',
      'request_report',
      'initiate_purchase',
      'enroll_card',
      'create_authentication_options',
    ],
    states: ['DRAFT', 'CREATED', 'instruction:ACTIVE', 'subscription:ACTIVE', 'plan:ACTIVE', 'PENDING', 'SENT'],
  },
  enrolled: {
    said: [
      'enrolled|registered|set up|in place(?! of)|ready to use|up and running|(?:has|have|was|were|been) added|is live',
      'eingerichtet|angemeldet|registriert|hinterlegt|hinzugefügt',
      'inscrite?s?|ajoutée?s?|configurée?s?',
      'registrad[oa]s?|configurad[oa]s?|añadid[oa]s?|dad[oa]s? de alta',
    ].join('|'),
    tools: [
      'enroll_card',
      'enroll_device',
      'initiate_purchase',
      'create_plan',
      'create_subscription',
      'create_follow_on_subscription',
      'create_invoice',
      'update_invoice',
      'update_invoice_settings',
      'save_report_subscription',
      'create_authentication_registration',
    ],
    states: ['ACTIVE', 'enrolled', 'REGISTRATION_CREATED', 'AUTHENTICATION_REGISTRATION', 'AUTHENTICATED'],
  },
  kept: {
    said: ['on file', 'liegt (?:uns )?vor', 'enregistrée? chez nous', 'tenemos (?:guardad|registrad)[oa]s?'].join('|'),
    tools: ['enroll_card', 'list_cards', 'list_plans', 'initiate_purchase', 'save_report_subscription'],
    states: ['ACTIVE', 'card:none', 'enrolled'],
  },
  begun: {
    said: [
      '(?<!(?:today|reader|day|week|month|year) (?:has|have) (?:only |just )?)begun|(?:has|have|is|are|was|were) (?:started|under way)',
      'begonnen|angefangen',
      'commencée?s?|démarrée?s?',
      'empezado|comenzado',
    ].join('|'),
    tools: [
      'create_subscription',
      'create_follow_on_subscription',
      'update_subscription',
      'reactivate_subscription',
      'initiate_purchase',
      'request_report',
      'refund_capture',
    ],
    states: ['subscription:ACTIVE', 'subscription:PENDING', 'instruction:ACTIVE'],
  },
  accepted: {
    said: ['accepted(?! here)', 'angenommen|akzeptiert', 'acceptée?s?', 'aceptad[oa]s?'].join('|'),
    tools: ['initiate_purchase', 'confirm_transaction', 'create_invoice', 'authorize_payment', 'capture_payment'],
    states: [
      'AUTHENTICATION_REGISTRATION',
      'REGISTRATION_CREATED',
      'AUTHENTICATED',
      'VERIFIED',
      'ACCEPTED',
      'APPROVED',
      'PAID',
      'AUTHORIZED',
    ],
  },
  downloaded: {
    said: ['downloaded', 'heruntergeladen', 'téléchargée?s?', 'descargad[oa]s?'].join('|'),
    tools: ['download_report'],
  },
  ended: {
    said: [
      '(?<!(?:approval|offer|rate|hold|session|time) (?:has )?)ended|stopped|terminated|come to (?:an|its|their) end',
      'beendet|gestoppt|eingestellt',
      'pris fin|arrêtée?s?',
      'terminad[oa]s?|finalizad[oa]s?|detenid[oa]s?',
    ].join('|'),
    tools: [
      'cancel_purchase',
      'cancel_subscription',
      'cancel_invoice',
      'suspend_subscription',
      'deactivate_plan',
      'delete_plan',
      'delete_report_subscription',
      'reverse_payment',
    ],
    states: ['COMPLETED', 'CANCELLED', 'CANCELED', 'EXPIRED', 'SUSPENDED', 'INACTIVE', 'REVERSED', 'ABORTED'],
  },
  verified: {
    said: [
      'verified|authenticated|identified|recogni[sz]ed you',
      'verifiziert|identifiziert',
      'vérifiée?s?|authentifiée?s?',
      'verificad[oa]s?|autenticad[oa]s?',
    ].join('|'),
    tools: [
      'retrieve_credentials:credentials',
      'update_purchase',
      'cancel_purchase',
      'create_authentication_registration',
    ],
    states: ['ACTIVE', 'AUTHENTICATED', 'VERIFIED', 'COMPLETED', 'CANCELLED'],
  },
  opened: {
    said: [
      'opened|published|activated|switched (?:(?:it|them|that|this|the \\p{L}+) )?on(?! to)',
      'geöffnet|veröffentlicht|aktiviert|freigeschaltet',
      'ouverte?s?|publiée?s?|activée?s?',
      'abiert[oa]s?|publicad[oa]s?|activad[oa]s?',
    ].join('|'),
    tools: [
      'activate_plan',
      'publish_invoice',
      'create_plan',
      'create_invoice',
      'send_invoice',
      'enroll_card',
      'update_invoice_settings',
      'reactivate_subscription',
    ],
    states: ['ACTIVE', 'CREATED', 'SENT', 'PAID'],
  },
  closed: {
    said: [
      'closed|deactivated|shut(?! (?:the|your|their|her|his) (?:screens?|window|app|page|tab))|switched off',
      'geschlossen|deaktiviert',
      'fermée?s?|désactivée?s?',
      'cerrad[oa]s?|desactivad[oa]s?',
    ].join('|'),
    tools: ['deactivate_plan', 'cancel_subscription', 'delete_plan', 'cancel_invoice', 'cancel_purchase'],
    states: ['INACTIVE', 'CLOSED'],
  },
  deleted: {
    said: [
      'deleted|removed|erased|wiped|got rid of|gone for good',
      'gelöscht|entfernt',
      'supprimée?s?',
      'eliminad[oa]s?|borrad[oa]s?',
    ].join('|'),
    tools: ['delete_plan', 'delete_report_subscription', 'update_invoice', 'update_invoice_settings'],
    states: ['deleted'],
  },
} as const satisfies Readonly<Record<string, Deed>>;

export type DeedName = keyof typeof deeds;
export const deedNames = Object.keys(deeds) as readonly DeedName[];

/** The words of a deed, as a pattern. */
export const patternOf = (name: DeedName): string =>
  [deeds[name].said, moreWords[name], bare[name] && `did(?:n't| not) (?:${bare[name]})`].filter(Boolean).join('|');
const patterns = new Map(deedNames.map((name) => [name, new RegExp(`${edge}(?:${patternOf(name)})${end}`, 'iu')]));

/** The deeds that a clause speaks of. */
export const deedsIn = remembered((clause): readonly DeedName[] => {
  const plain = clause.replaceAll('’', "'");
  return deedNames.filter((name) => patterns.get(name)?.test(plain));
});
