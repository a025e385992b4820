import { clausesOf } from './clauses.ts';

const edge = '(?<![\\p{L}\\p{N}])';
const end = '(?![\\p{L}\\p{N}])';
const words = (all: readonly string[], flags = 'iu'): RegExp => new RegExp(`${edge}(?:${all.join('|')})${end}`, flags);

const rudeWords = words([
  // English
  'idiots?|idiotic|stupid(?:ity|ly)?|moron(?:ic|s)?|imbeciles?|fools?|foolish|dumb(?:ass)?|dimwit|halfwit|nitwit|dunce|dense|thick|clueless|brainless|brain-?dead|pathetic|ridiculous|laughable|loser|jerk|jackass|asshole|arsehole|bastard|bitch|scum|trash|garbage|worthless|useless|lazy|incompetent|ignorant|annoying|whin(?:e|er|ing|y)|nag(?:ging)?|cheapskate|stingy|beggar|liar|crook|thief|pig|cow|donkey|clown|crap|damn(?:ed)?|bloody|bullshit|fuck\\w*|shit\\w*|piss off|screw you|sucker|nuisance|pest|crybaby|broke loser|retard(?:ed)?|freak|creep|twit|prat|wanker|git|hell',
  "shut up|shut your|get lost|go away|go to hell|buzz off|grow up|get a life|bugger off|leave me alone|stop (?:wasting|bothering|pestering|whining|nagging|complaining)|wast(?:e|ing) (?:of )?(?:my|our) time|what is wrong with you|what's wrong with you|are you (?:deaf|blind|slow|drunk|serious)|can't you read|learn to read|use your (?:head|brain)|think (?:next time|for once)|not my problem|i (?:don't|do not|couldn't) care|who cares|nobody (?:likes|asked) you|your own fault|serves you right|you people|tough luck|deal with it|stop being (?:so )?\\w+|as i said (?:a thousand|many) times|how many times|even a child|any child|obviously you|you obviously|you clearly (?:don't|can't|cannot)|too (?:slow|poor|old|dim) (?:to|for)|sick of you|tired of you|fed up with you|boring",
  // Irony
  "genius|einstein|sherlock|(?:well done|congratulations|bravo|how (?:nice|kind|clever|smart|bright) of you) .{0,40}(?:for once|at last|finally)|how (?:clever|smart|bright|very clever) of you|even you (?:can|could|should|will|must)|(?:type|speak|explain|write|spell|say|repeat) (?:it |this |that )?(?:\\S+ )?slowly (?:for you|so that you)|money (?:grows|doesn't grow) on trees|poor you|poor thing|what a tragedy|cry me a river|boo hoo|with pictures|draw you a picture|in crayon|in short words|stone age|what a surprise|rocket science|was that so (?:hard|difficult)|congratulations,? you|(?:any|every) schoolchild|my heart bleeds|in case (?:you|that) (?:\\S+ )?(?:forgot|can't read)|for the (?:tenth|hundredth|umpteenth) time|surely you (?:can|could)|you (?:did|do) (?:\\S+ )?(?:read|think)(?:ing)?,? for once|do you need .{0,30}(?:explained|repeated)|oh,? do ",
  'selbst sie|sogar sie|auch schon (?:wach|aufgewacht|da)|sie schlaumeier|schlauberger|ganz toll gemacht|zum mitschreiben',
  'quelle intelligence|niveau maternelle|quel génie|même vous|pauvre de vous|un dessin',
  'qué list[oa]|qué genio|hasta usted|menudo genio|pobrecit[oa]|enhorabuena, por fin',
  // German
  'idiot(?:in|en)?|dumm(?:kopf)?|dämlich|blöd(?:e|mann)?|trottel|depp|arschloch|scheiße|verdammt|halt(?:en sie)? (?:den mund|die klappe)|selber schuld|lächerlich|nervensäge|unfähig',
  // French
  'idiote?s?|imbécile|stupide|crétine?|connard|connasse|merde|ta gueule|taisez-vous|nul(?:le)?|ridicule|débile|abrutie?',
  // Spanish
  'idiota|estúpid[oa]|imbécil|tont[oa]|tarad[oa]|gilipollas|mierda|cállate|cállese|inútil|ridícul[oa]|pesad[oa]',
]);

const plain = (text: string): string => text.replaceAll('’', "'");

/** The rude words of a text. */
export const rudenessIn = (text: string): string | undefined => rudeWords.exec(plain(text))?.[0];

const nouns = words([
  "(?:credit |debit |bank |payment )?card (?:number|no\\.?|digits|details|data|information|info)|numbers? (?:of|on) (?:the|your|my|a) (?:front of (?:the |your )?)?(?:\\w+ )?card|(?:long|whole|full|entire|complete|sixteen-digit|16-digit) (?:card )?number|(?:sixteen|16|fifteen|15|nineteen|first six|first twelve|last twelve|all(?: the)?|card's|card) digits|digits (?:on|of) (?:the|your)|primary account number|pan|account number",
  'cvv2?|cvc2?|csc|cvn|security (?:code|number|digits)|card verification (?:code|value|number)|(?:three|four|3|4)[ -](?:digits?|digit code|numbers|figures)|(?:code|number|digits) on the (?:back|front|reverse)|one-?time (?:code|password|passcode|pin)|otp|pass-?code|passwords?|pin(?: code| number)?|verification code|sms code|(?:photo|photograph|picture|scan|snapshot)(?: \\S+){0,3} card|code (?:from|in|of) (?:the |your |that )?(?:\\S+ )?(?:sms|text|text message|bank|phone|app)|code (?:that )?(?:your bank|the bank|you (?:got|received))(?: \\w+){0,3}|(?:figures|numbers?|digits|code) (?:embossed |printed |written )?(?:on|beside|next to|near|at) (?:the |your )?(?:\\w+ )?(?:card|signature|back|front|strip)|(?:sixteen|fifteen|16|15) (?:numbers|figures)|(?:four|five|six|4|5|6)[- ]digit code|(?:back|front|reverse) of (?:your|the) card|card expires?|code (?:that )?(?:pops up|comes|appears|arrives)|magnetic stripe?|(?:both )?sides of (?:your|the) card|expiry(?: date)?|expiration date(?: of (?:the|your) card)|valid thru',
  'kartennummer|(?:ziffern|zahlen|nummer) auf der (?:rück|vorder)seite|(?:rück|vorder)seite (?:der|ihrer|deiner) karte|pin|code aus (?:der|ihrer) (?:sms|nachricht|app)|ablaufdatum|(?:drei|vier|sechs)stellige[nr]? (?:code|zahl|nummer)|prüfziffer|prüfnummer|sicherheitscode|geheimzahl|einmalpasswort|tan|passwort|nummer (?:ihrer|deiner|der) karte',
  "numéro de (?:la |votre |ta )?carte|chiffres (?:au dos|au verso|sur|de votre carte)|dos de (?:la|votre) carte|code (?:à \\S+ chiffres|reçu|par sms)|date d'expiration|cryptogramme(?: visuel)?|code de sécurité|code secret|mot de passe|code à usage unique",
  'número de (?:la |su |tu )?tarjeta|(?:números|dígitos|cifras) (?:del dorso|del reverso|de atrás|de su tarjeta)|(?:dorso|reverso) de (?:la|su|tu) tarjeta|código (?:que (?:le|te) \\S+|del sms|de \\S+ (?:dígitos|cifras))|fecha de caducidad|código de seguridad|clave secreta|contraseña|nip',
]);
/** In any language, figures near a card or a code near a telephone. */
const near =
  /(?<!\p{L})(?:(?:figures|digits|numbers?|ziffern|zahlen|nummer|chiffres|números?|cifras|dígitos)(?: \S+){0,4} (?:card|karte|carte|tarjeta)|(?:code|código)(?: \S+){0,4} (?:phone|sms|telefon|handy|téléphone|móvil))(?!\p{L})/iu;
const requests = words([
  "type|types|enter|send|give|tell|read|share|provide|write|text|(?<!you )(?<!you'll )needs?|require|requires|want|wants|dictate|spell|repeat|post|paste|drop|supply|submit|confirm|message|mail|e-?mail|show|state|reply with|fill in|key in|put in|say|note|let me (?:have|know|see)|may i (?:have|ask)|can i (?:have|get)|could i (?:have|get)|what is|what's|what are|which is|please|have (?:ready|at hand)|photograph|take a (?:photo|picture)|photo|picture|scan|verify|i'd like|hand|pass|for verification|just|trouble you|kindly|so kind|lack|lacks|missing|would do|simply|if you|snapshot|all i",
  'sagen|sag|verraten|geben|gib|nennen|nenne|schicken|schick|senden|sende|schreiben|schreib|tippen|tippe|teilen|brauche|benötige|bitte|wie lautet|dürfte|bräuchte|vorlesen|vorliest|durchgeben|fehlt|genügt|reicht|wenn sie mir|lesen sie',
  'pourriez|faudrait|il me faut|manque|suffit|suffira|dicter|dictez|lisez|donnez|donne|envoyez|envoie|tapez|saisissez|indiquez|écrivez|communiquez|besoin|veuillez|quel est|quelle est',
  'podría|falta|basta|bastará|léame|dicte|dé|deme|dígame|dime|envíe|envía|envíeme|escriba|escribe|indique|teclee|necesito|facilite|por favor|cuál es',
]);
/** A code belongs on the bank's page; saying that is no request. */
const elsewhere = words([
  "on (?:the|its|their|that|your|our) (?:bank's |bank |shop's |secure |own )?(?:page|pages|site|website|app|screen)|on the page of|bank's (?:page|app|site)|in (?:the|your) (?:bank's |banking |bank )?app|in the form",
  'auf der seite|in der app',
  "sur la page|dans l'application",
  'en la página|en la aplicación',
]);
const refusing = words([
  "not|never|nobody|no|don't|do not|doesn't|does not|no need|can't|cannot|won't|without|nothing|keep|avoid|instead of|rather than|isn't",
  'nicht|nie|niemals|kein|keine|niemand',
  'pas|jamais|aucune?|personne',
  'nunca|nadie|ningún|ninguna|jamás',
]);

/** What a text asks of the customer that must never be asked for: card numbers and codes. */
export function cardDataAskedIn(text: string): string | undefined {
  const clauses = clausesOf(text);
  return clauses
    .map((clause, at) => {
      const text = plain(clause.text);
      const noun = (nouns.exec(text) ?? near.exec(text))?.[0];
      if (noun === undefined || elsewhere.test(text)) return undefined;
      const isRefused = refusing.test(text);
      if (isRefused) return undefined;
      const isAsked =
        clause.isQuestion ||
        requests.test(text) ||
        (requests.test(clauses[at - 1]?.text ?? '') && !refusing.test(clauses[at - 1]?.text ?? ''));
      return isAsked ? noun : undefined;
    })
    .find((it) => it !== undefined);
}

const others = words([
  "(?:another|a different|one|some) (?:other )?(?:customer|client|shopper|buyer|person|lady|gentleman|woman|man|guy) (?:of ours|here|from|who|has|had|just|also|once|recently|was|is|bought|paid|ordered|owes|lives|told|in your)|(?:other|some|many|several|most) (?:customers|clients|shoppers|buyers) (?:of ours|here|who|have|had|just|also|bought|paid|order|owe|live|told)|one of our (?:other )?(?:customers|clients|shoppers)|the (?:customer|shopper|client|person) before you|your neighbou?rs?|between (?:you and me|us)|don't tell anyone|rumou?r|gossip|guess (?:who|what)|you won't believe|have you heard",
  '(?:somebody|someone) else (?:got|has|had|bought|paid|ordered|did|was|is|took|owes)|(?:somebody|someone|a (?:lady|gentleman|man|woman|mr|mrs|ms|couple)) (?:\\S+ ){0,4}(?:bought|paid|ordered|owes|got|did|had) (?:the same|it|one|this|that|as much|more|less|a better)|the (?:last|previous|next) (?:customer|client|shopper|buyer)|the (?:card|customer|one|order) before yours?|other (?:customers|clients|shoppers|buyers|pupils|people|members|subscribers|guests) of ours',
  'ein anderer kunde|eine andere kundin|einer unserer kunden|unter uns',
  'un autre client|une autre cliente|un de nos clients|entre nous',
  'otro cliente|otra clienta|uno de nuestros clientes|entre nosotros',
]);

/** Talk about other customers, whoever they are. */
export const gossipIn = (text: string): string | undefined => others.exec(text)?.[0];
