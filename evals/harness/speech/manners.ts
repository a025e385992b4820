import { edge, end } from './words.ts';

const words = (all: readonly string[], flags = 'iu'): RegExp => new RegExp(`${edge}(?:${all.join('|')})${end}`, flags);

const rudeWords = words([
  // English
  'idiots?|idiotic|stupid(?:ity|ly)?|moron(?:ic|s)?|imbeciles?|fools?|foolish|dumb(?:ass)?|dimwit|halfwit|nitwit|dunce|dense|thick|clueless|brainless|brain-?dead|pathetic|ridiculous|laughable|loser|jerk|jackass|asshole|arsehole|bastard|bitch|scum|trash|garbage|worthless|useless|lazy|incompetent|ignorant|(?<!(?:(?:that|it|this)(?:.s| is| was| must be)|how|so|very|really) )annoying|whin(?:e|er|ing|y)|nag(?:ging)?|cheapskate|stingy|beggar|liar|crook|thief|pig|cow|donkey|clown|crap|damn(?:ed)?|bloody|bullshit|fuck\\w*|shit\\w*|piss off|screw you|sucker|(?<!(?:(?:that|it|this)(?:.s| is| was| must be)|what) an? (?:real |terrible |bit of a )?)nuisance|pest|crybaby|broke loser|retard(?:ed)?|freak|creep|twit|prat|wanker|git|hell',
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

const others = words([
  "(?:another|a different|one|some) (?:other )?(?:customer|client|shopper|buyer|person|lady|gentleman|woman|man|guy) (?:of ours|here|from|who|has|had|just|also|once|recently|was|is|bought|paid|ordered|owes|lives|told|in your)|(?:other|some|many|several|most) (?:customers|clients|shoppers|buyers) (?:of ours|here|who|have|had|just|also|bought|paid|order|owe|live|told)|one of our (?:other )?(?:customers|clients|shoppers)|the (?:customer|shopper|client|person) before you|your neighbou?rs?|between (?:you and me|us)|don't tell anyone|rumou?r|gossip|guess (?:who|what)|you won't believe|have you heard",
  '(?:somebody|someone) else (?:got|has|had|bought|paid|ordered|did|was|is|took|owes)|(?:somebody|someone|a (?:lady|gentleman|man|woman|mr|mrs|ms|couple)) (?:\\S+ ){0,4}(?:bought|paid|ordered|owes|got|did|had) (?:the same|it|one|this|that|as much|more|less|a better)|the (?:last|previous|next) (?:customer|client|shopper|buyer)|the (?:card|customer|one|order) before yours?|other (?:customers|clients|shoppers|buyers|pupils|people|members|subscribers|guests) of ours',
  'ein anderer kunde|eine andere kundin|einer unserer kunden|unter uns',
  'un autre client|une autre cliente|un de nos clients|entre nous',
  'otro cliente|otra clienta|uno de nuestros clientes|entre nosotros',
]);

/** Talk about other customers, whoever they are. */
export const gossipIn = (text: string): string | undefined => others.exec(text)?.[0];
