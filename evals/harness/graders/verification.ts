import { answerOf } from '../replay/run.ts';
import { clausesOf } from '../speech/clauses.ts';
import { rowsOf } from '../speech/rows.ts';
import type { Moment } from '../speech/timeline.ts';
import { words } from '../speech/words.ts';

// How far the customer's proof is said to be, against the last state of the authentication, and how the code was sent.

export function verificationFaults(text: string, moment: Moment): readonly string[] {
  const last = rowsOf(moment.calls).findLast(
    ({ authentication, state }) => authentication !== undefined && state !== undefined,
  );
  if (last === undefined) return [];
  const state = String(last.state);
  return clausesOf(text.replaceAll('’', "'")).flatMap(({ text: clause, mood, isQuestion }) => {
    const said = `"${clause.trim()}"`;
    if (isQuestion) return [];
    if (notYet.test(clause) && mood !== 'open' && !steppingUp.includes(state))
      return [`${said}, and the bank has approved.`];
    if (mood !== 'asserted') return [];
    const stage = stages.find((it) => it.said.test(clause) && it.before.includes(state));
    if (stage !== undefined) return [`${said}, and the authentication is ${state}.`];
    const method = methodOf(moment);
    const named = methods.filter((it) => it.said.test(clause)).map((it) => it.method);
    return method !== undefined && isSent.test(clause) && named.length > 0 && !named.some((it) => method.includes(it))
      ? [`${said}: the code was sent by another way.`]
      : [];
  });
}

const steppingUp = ['STEP_UP_AUTHENTICATE'];
const registering = [...steppingUp, 'AUTHENTICATION_REGISTRATION', 'REGISTRATION_CREATED'];

/** What is said to be over, and the states in which it is yet to come. */
const stages: readonly { readonly said: RegExp; readonly before: readonly string[] }[] = [
  {
    said: words(
      "(?:device|phone|handset|telephone|passkey|finger\\p{L}*)(?:'s| is| has been| was) (?:now |already |successfully )*(?:registered|set up|enrolled|added|ready)",
      '(?:gerät|handy|telefon) ist (?:\\p{L}+ )*(?:registriert|angemeldet|eingerichtet)|(?:appareil|téléphone) est (?:\\p{L}+ )*(?:enregistré|inscrit)|(?:dispositivo|teléfono) (?:está|ha sido) (?:\\p{L}+ )*registrado',
    ),
    before: registering,
  },
  {
    said: words(
      "(?:passkey|finger\\p{L}*|face|thumb) (?:has |have |is |was )?(?:gone|went|been) (?:through|accepted|used|recogni[sz]ed)|(?:you're|you are|you've been|you have been) (?:now |already |all )*(?:verified|authenticated|identified)",
      'sie sind (?:\\p{L}+ )*(?:verifiziert|angemeldet|identifiziert)|vous êtes (?:\\p{L}+ )*(?:vérifiée?|authentifiée?)|(?:está|ha sido) (?:\\p{L}+ )*(?:verificad[oa]|autenticad[oa])',
    ),
    before: ['AUTHENTICATE', ...registering],
  },
];

/** That the bank has yet to say yes. */
const notYet = words(
  "banks?(?:\\p{L}| )* (?:hasn't|has not|haven't|still hasn't|didn't|did not) (?:\\p{L}+ )*(?:approved?|agreed?|confirmed?|said yes)",
  'bank hat (?:\\p{L}+ )*noch nicht (?:genehmigt|zugestimmt|bestätigt)|banque n.a pas (?:\\p{L}+ )*(?:approuvé|confirmé|accepté)|banco (?:\\p{L}+ )*no ha (?:aprobado|confirmado)',
);

const isSent = words(
  "sent|texted|mailed|e-?mailed|on its way|gone out|went out|coming|comes|is in|arrives?|geschickt|gesendet|unterwegs|envoyée?|part(?:ie?|ir)|enviad[oa]|(?:it|code)['’]?s (?:in|on)",
);
const methods: readonly { readonly said: RegExp; readonly method: string }[] = [
  { said: words('e-?mail(?:ed)?|mail(?:ed)?|inbox|mailbox|courriel|correo|postfach'), method: 'EMAIL' },
  {
    said: words('texts?|texted|text message|sms|telephone|phone|handy|telefon|téléphone|teléfono|móvil'),
    method: 'SMS',
  },
  { said: words('call(?:s|ing)?|rings?|ringing|anruf|appel|llamada'), method: 'CALL' },
];

/** How the last code was sent, by the option that was chosen. */
function methodOf({ calls }: Moment): string | undefined {
  const sent = calls.findLast((it) => it.tool === 'create_one_time_password' && answerOf(it).outcome === 'done');
  const row = rowsOf(calls).findLast(
    ({ option, method }) => option !== undefined && option === sent?.args.option && typeof method === 'string',
  );
  return row === undefined ? undefined : String(row.method);
}
