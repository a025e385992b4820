import { clausesOf } from './clauses.ts';
import { words } from './words.ts';

// Requests for card numbers and codes, which belong on the page of a bank or shop and never in a chat.

const plain = (text: string): string => text.replaceAll('’', "'");

const nouns = words(
  "(?:credit |debit |bank |payment )?card (?:numbers?|no\\.?|digits|details|data|information|info)|numbers? (?:of|on) (?:the|your|my|a) (?:front of (?:the |your )?)?(?:\\w+ )?card|(?:long|whole|full|entire|complete|sixteen-digit|16-digit) (?:card )?number|(?:sixteen|16|fifteen|15|nineteen|first six|first twelve|last twelve|all(?: the)?|card's|card) digits|digits (?:on|of) (?:the|your)|primary account numbers?|pan|account numbers?",
  'cvv2?|cvc2?|csc|cvn|security (?:codes?|numbers?|digits)|card verification (?:code|value|number)|(?:three|four|3|4)[ -](?:digits?|digit code|numbers|figures)|(?:code|number|digits) on the (?:back|front|reverse)|one-?time (?:codes?|passwords?|passcodes?|pins?)|otp|pass-?codes?|passwords?|pin(?: code| number)?|verification code|sms codes?|what(?: is|.s| it says| stands)? (?:\\p{L}+ )?on (?:the (?:back|front|reverse)|your (?:\\p{L}+ )?card)|(?:photo|photograph|picture|scan|snapshot)(?: \\S+){0,3} card|code (?:from|in|of) (?:the |your |that )?(?:\\S+ )?(?:sms|text|text message|bank|phone|app)|code (?:that )?(?:your bank|the bank|you (?:got|received))(?: \\w+){0,3}|(?:figures|numbers?|digits|code) (?:embossed |printed |written )?(?:on|beside|next to|near|at) (?:the |your )?(?:\\w+ )?(?:card|signature|back|front|strip)|(?:sixteen|fifteen|16|15) (?:numbers|figures)|(?:four|five|six|4|5|6)[- ]digit code|(?:back|front|reverse) of (?:your|the) card|card expires?|code (?:that )?(?:pops up|comes|appears|arrives)|magnetic stripe?|(?:both )?sides of (?:your|the) card|expiry(?: date)?|expiration date(?: of (?:the|your) card)|valid thru',
  'kartennummer|(?:ziffern|zahlen|nummer) auf der (?:rück|vorder)seite|(?:rück|vorder)seite (?:der|ihrer|deiner) karte|pin|code aus (?:der|ihrer) (?:sms|nachricht|app)|ablaufdatum|(?:drei|vier|sechs)stellige[nr]? (?:code|zahl|nummer)|prüfziffer|prüfnummer|sicherheitscode|geheimzahl|einmalpasswort|tan|passwort|nummer (?:ihrer|deiner|der) karte',
  "numéro de (?:la |votre |ta )?carte|chiffres (?:au dos|au verso|sur|de votre carte)|dos de (?:la|votre) carte|code (?:à \\S+ chiffres|reçu|par sms)|date d'expiration|cryptogramme(?: visuel)?|code de sécurité|code secret|mot de passe|code à usage unique",
  'número de (?:la |su |tu )?tarjeta|(?:números|dígitos|cifras) (?:del dorso|del reverso|de atrás|de su tarjeta)|(?:dorso|reverso) de (?:la|su|tu) tarjeta|código (?:que (?:le|te) \\S+|del sms|de \\S+ (?:dígitos|cifras))|fecha de caducidad|código de seguridad|clave secreta|contraseña|nip',
);
/** In any language, figures near a card or a code near a telephone. */
const near =
  /(?<!\p{L})(?:(?:figures|digits|numbers?|ziffern|zahlen|nummer|chiffres|números?|cifras|dígitos)(?: \S+){0,4} (?:card|karte|carte|tarjeta)|(?:code|código)(?: \S+){0,4} (?:phone|sms|telefon|handy|téléphone|móvil))(?!\p{L})/iu;
const requests = words(
  "type|types|enter|send|give|tell|read|share|provide|write|text|(?<!you )(?<!you'll )needs?|require|requires|want|wants|dictate|spell|repeat|post|paste|drop|supply|submit|confirm|message|mail|e-?mail|show|state|reply with|fill in|key in|put in|say|note|let me (?:have|know|see)|may i (?:have|ask)|can i (?:have|get)|could i (?:have|get)|what is|what's|what are|which is|please|have (?:ready|at hand)|photograph|take a (?:photo|picture)|photo|picture|scan|verify|i'd like|hand|pass|for verification|just|trouble you|kindly|so kind|lack|lacks|missing|would do|simply|if you|snapshot|all i",
  'sagen|sag|verraten|geben|gib|nennen|nenne|schicken|schick|senden|sende|schreiben|schreib|tippen|tippe|teilen|brauche|benötige|bitte|wie lautet|dürfte|bräuchte|vorlesen|vorliest|durchgeben|fehlt|genügt|reicht|wenn sie mir|lesen sie',
  'pourriez|faudrait|il me faut|manque|suffit|suffira|dicter|dictez|lisez|donnez|donne|envoyez|envoie|tapez|saisissez|indiquez|écrivez|communiquez|besoin|veuillez|quel est|quelle est',
  'podría|falta|basta|bastará|léame|dicte|dé|deme|dígame|dime|envíe|envía|envíeme|escriba|escribe|indique|teclee|necesito|facilite|por favor|cuál es',
);
/** A code belongs on the bank's page; saying that is no request. */
const elsewhere = words(
  "(?:on|in|into|at) (?:the|its|their|that|your|our) (?:bank's |bank |shop's |secure |own )?(?:page|pages|site|website|app|screen)|on the page of|bank's (?:page|app|site)|in (?:the|your) (?:bank's |banking |bank )?app|in the form",
  'auf der seite|in der app',
  "sur la page|dans l'application",
  'en la página|en la aplicación',
);
const refusing = words(
  "not|never|nobody|no|don't|do not|doesn't|does not|no need|can't|cannot|won't|without|nothing|keep|avoid|instead of|rather than|isn't",
  'nicht|nie|niemals|kein|keine|niemand',
  'pas|jamais|aucune?|personne',
  'nunca|nadie|ningún|ninguna|jamás',
);

/** The chat itself, as the place where something is to be written or said. */
const chat = words(
  'here(?! (?:to|at the|in the) (?:shop|help|store|counter))|(?:in|into|to|over|on|through|via) (?:the|this|our) (?:chat|conversation|window|message|line)|(?:to|with) (?:me|us)|out loud|aloud|in your (?:next )?(?:reply|answer|message)',
  'hier|(?:in|im) (?:diesem |den |diesen )?chat|mir|uns',
  'ici|dans (?:le|ce) chat|à (?:moi|nous)|dictez-le-moi|me (?:le|la|les)',
  'aquí|en (?:el|este) chat|a mí|dígamelos?|dígamela|dímel[oa]s?|démel[oa]s?|escríbal[oa]s? aquí',
  'in (?:de|deze) chat|aan mij|qui|in (?:questa )?chat|a me|me l[oa]',
);
/** Saying or writing it, where a pronoun takes the place of the code or number. */
const hands = words(
  '(?:read|reading|type|typing|tell|telling|give|giving|send|sending|enter|entering|write|writing|say|dictate|paste|post|spell|share|sharing|text|put|pop|drop|key|fill|show|mail|whisper|call|pass|hand|take|have|leave|speak|repeat|quote|supply)(?: (?:me|us))? (?:it|them|that|this|those|these|the (?:thing|lot|whole thing)|all of (?:it|them))',
  'les(?:en|t)? (?:sie )?(?:ihn|sie|es|die|den)|(?:ihn|sie|es|den|die) (?:\\p{L}+ ){0,3}(?:vor|ein|durch|sagen|schreiben|tippen|nennen|geben|eingeben|vorlesen|diktieren)|(?:sagen|schreiben|tippen|nennen|geben) sie (?:\\p{L}+ )?(?:ihn|sie|es|den|die)',
  "(?:dictez|lisez|donnez|envoyez|tapez|saisissez|écrivez|dites)-(?:le|la|les)(?:-moi)?|(?:l'|le |la |les )(?:écrire|saisir|taper|lire|dicter|donner|envoyer|dire)",
  '(?:escrib|dict|tecle|introduz|di|envi|dé)\\p{L}*(?:lo|la|los|las)|dígamel[oa]s?|dímel[oa]s?|démel[oa]s?|(?:lo|la) (?:puede|puedes) (?:escribir|decir|dictar)',
  '(?:typ|lees|zeg|stuur|schrijf|geef) (?:hem|het|die|ze)|(?:scriv|dett|dic|digit|mand)\\p{L}*(?:lo|la|li|le)|me l[oa] (?:dica|detti|scriva)',
);
/** That the chat is a safe place for it. */
const safety = words(
  '(?:chat|conversation|channel|window|line|connection)(?: \\p{L}+){0,4} (?:encrypted|secure|secured|safe|private|confidential)|(?:perfectly|completely|totally|absolutely|entirely|quite) (?:safe|secure)|(?:safe|secure) (?:with (?:me|us)|here|in this chat)|nobody(?: else)? (?:can|could|will) (?:do anything|misuse|abuse|see|read)|no ?(?:one|body)(?: else)? can (?:see|read) (?:it|this|them)',
  '(?:chat|leitung|verbindung)(?: \\p{L}+){0,4} (?:verschlüsselt|sicher)|bei (?:mir|uns) (?:\\p{L}+ )?sicher',
  'chat(?: \\p{L}+){0,4} (?:chiffré|sécurisé|sûr)|en (?:toute )?sécurité (?:ici|avec (?:moi|nous))',
  'chat(?: \\p{L}+){0,4} (?:cifrado|seguro)|(?:es|está) (?:\\p{L}+ )?segur[oa] (?:aquí|conmigo|con nosotros)',
  'chat(?: \\p{L}+){0,4} (?:versleuteld|veilig|cifrata|sicura)',
);

/** Whether a text is about a card's number or a code. */
const isAboutCardData = (text: string): boolean => nouns.test(plain(text)) || near.test(plain(text)) || code.test(text);
const code = words('codes?|digits|code|códigos?|codice|ziffern|chiffres|dígitos|card numbers?');

/**
 * What a text asks of the customer that must never be asked for, or says to be safe to give: card numbers and codes. What was
 * said before tells what "it" is.
 */
export function cardDataAskedIn(text: string, before = ''): string | undefined {
  const clauses = clausesOf(text);
  const isAbout = isAboutCardData(before) || isAboutCardData(text);
  return clauses
    .map((clause, at) => {
      const text = plain(clause.text);
      if (elsewhere.test(text) || refusing.test(text.replace(safety, ' '))) return undefined;
      const safe = isAbout ? safety.exec(text)?.[0] : undefined;
      if (safe !== undefined) return safe;
      if (refusing.test(text)) return undefined;
      const noun = (nouns.exec(text) ?? near.exec(text))?.[0];
      if (noun === undefined) {
        if (!isAbout || !chat.test(text)) return undefined;
        return hands.exec(text)?.[0] ?? (requests.test(text) ? code.exec(text)?.[0] : undefined);
      }
      const isAsked =
        clause.isQuestion ||
        requests.test(text) ||
        (requests.test(clauses[at - 1]?.text ?? '') && !refusing.test(clauses[at - 1]?.text ?? ''));
      return isAsked ? noun : undefined;
    })
    .find((it) => it !== undefined);
}
