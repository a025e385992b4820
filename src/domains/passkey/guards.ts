import { limits } from '../../core/limits.ts';
import { moneyFault } from '../../core/money.ts';
import { day } from '../../core/schedule.ts';
import type { Facts } from '../facts.ts';
import { type Guard, guardOn } from '../guard.ts';
import { approvingGuards } from './approving.ts';
import type { passkey } from './contract.ts';
import type { StepUpOption } from './facts.ts';
import { codeMethods } from './shapes.ts';

const guard = guardOn<keyof typeof passkey>();

const withIframe = ['createAuthenticationOptions', 'createAuthenticationRegistration'] as const;

/** The guards of tokenized card authentication. What the machine or a shape already states is not said again here. */
export const guards: readonly Guard[] = [
  guard('PK-13', {
    on: withIframe,
    holds: ({ now }) => now < iframeKeyEnds,
    sees: () =>
      'The keys of the passkey iframe expired in September 2027. The account manager of the platform gives new ones.',
    instead: [],
  }),
  guard('PK-13', {
    on: withIframe,
    warns: true,
    holds: ({ now }) => now < iframeKeyWarns || now >= iframeKeyEnds,
    sees: () => 'The keys of the passkey iframe expire in September 2027. The merchant needs new ones before.',
    instead: [],
  }),
  guard('PK-01', {
    on: ['createAuthenticationOptions'],
    holds: ({ args }) => faultOf(args.payment) === null,
    sees: ({ args }) => faultOf(args.payment) ?? '',
    field: 'payment',
    instead: [],
  }),
  guard('PK-01', {
    on: withIframe,
    holds: ({ things }) => hasSession(things.shopper?.body),
    sees: () =>
      "The customer's browser has no session of the passkey iframe yet. The merchant's app registers it with the shopper: deviceInformation and sessionInformation.",
    field: 'card',
    retry: 'same_call',
    instead: ['find_shopper'],
  }),
  guard('PK-04', {
    on: ['createOneTimePassword'],
    holds: (facts) => chosenOption(facts) !== undefined,
    sees: () => 'This step-up option was not offered for this card.',
    field: 'option',
    instead: ['get_authentication'],
  }),
  guard('PK-05', {
    on: ['createOneTimePassword'],
    holds: (facts) => isCodeMethod(chosenOption(facts)?.method),
    sees: (facts) =>
      `A step-up by ${chosenOption(facts)?.method} sends no code: the issuer notifies the platform once it has approved. Then create the options again.`,
    field: 'option',
    instead: ['get_authentication', 'create_authentication_options'],
  }),
  guard('PK-04', {
    on: ['validateAuthenticationCode'],
    holds: (facts) => usedOption(facts) !== undefined,
    sees: ({ args }) =>
      args.option === undefined ? 'No code was requested yet.' : 'This step-up option was not offered for this card.',
    field: 'authentication',
    instead: ['create_one_time_password'],
  }),
  guard('PK-06', {
    on: ['validateAuthenticationCode'],
    holds: ({ args }) => args.code !== undefined || args.issuer_code !== undefined,
    sees: () => 'Neither a code nor an issuer code was given.',
    field: 'code',
    instead: ['get_authentication'],
  }),
  guard('PK-07', {
    on: ['validateAuthenticationCode'],
    // The platform says when the code that it sent expires, and nothing of one that the issuer gave in another way.
    holds: ({ now, args, things: { authentication } }) =>
      (args.code === undefined && args.issuer_code !== undefined) ||
      now < (authentication?.body.expiresAt ?? Number.POSITIVE_INFINITY),
    sees: () => 'The code has expired. Request another one.',
    field: 'code',
    instead: ['create_one_time_password'],
  }),
  ...approvingGuards,
];

/** The iframe's keys expire "in September 2027" (document 1, limit 5): from the first day of October they are refused (D-62). */
const iframeKeyEnds = Date.UTC(2027, 9, 1);
const iframeKeyWarns = Date.UTC(2027, 8, 1) - limits.iframeKeyWarningDays * day;

/** Whether the keys of the iframe still work, and whether they soon stop. */
export const iframeKeys = (now: number): 'valid' | 'expiring' | 'expired' =>
  now >= iframeKeyEnds ? 'expired' : now >= iframeKeyWarns ? 'expiring' : 'valid';

const isCodeMethod = (method: string | undefined): boolean => codeMethods.some((one) => one === method);

/** The option that a call names, among those that were offered. */
export const chosenOption = ({ args, things }: Facts): StepUpOption | undefined =>
  things.authentication?.body.stepUpOptions.find(({ name }) => name === args.option);

/** The option that a code belongs to: the one that is named, or the one for which a code was requested last. */
export const usedOption = (facts: Facts): StepUpOption | undefined => {
  const { authentication } = facts.things;
  return facts.args.option === undefined
    ? authentication?.body.stepUpOptions.find(({ id }) => id === authentication.body.option)
    : chosenOption(facts);
};

const faultOf = (sum: unknown): string | null => {
  if (sum === undefined) return null;
  const { amount, currency } = sum as { readonly amount: string; readonly currency: string }; // the tool's shape was checked
  return moneyFault(amount, currency);
};

/** Whether the session has what the iframe gives it. The shape of each field is the contract's. */
function hasSession(session: { readonly [field: string]: unknown } | undefined): boolean {
  const { sessionInformation } = (session ?? {}) as {
    readonly sessionInformation?: { readonly secureToken?: unknown };
  };
  return sessionInformation?.secureToken !== undefined;
}
