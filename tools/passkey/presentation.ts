import { z } from 'zod';
import { limits } from '../../src/core/limits.ts';
import { inDecimals } from '../../src/core/money.ts';
import { once } from '../../src/core/once.ts';
import type { Things } from '../../src/domains/facts.ts';
import type { StepUpOption } from '../../src/domains/passkey/facts.ts';
import { isChallenged, authentication as machine } from '../../src/domains/passkey/machines.ts';
import { codeMethods, otherMethods } from '../../src/domains/passkey/shapes.ts';
import { iso, untrusted } from '../../src/engine/render.ts';
import {
  amountShown,
  codeShown,
  countShown,
  currencyShown,
  digitsShown,
  handleShown,
  momentShown,
} from '../../src/engine/shown.ts';

// What an agent sees of the authentication of a card: never a code, nor anything that a passkey signs.

const codeState = once(() => z.looseObject({ expires: momentShown, requests_left: countShown }));
/** As others see it, and how often the code may still be tried. */
export const authenticationLookedAt = once(() =>
  authenticationShown().extend({ code: codeState().extend({ tries_left: countShown.optional() }).optional() }),
);

export const authenticationShown = once(() =>
  z.looseObject({
    authentication: handleShown,
    state: z.enum(machine.existing),
    payment: z.looseObject({ amount: amountShown, currency: currencyShown }),
    options: z
      .array(
        z.looseObject({
          option: codeShown,
          method: z.enum([...codeMethods, ...otherMethods]),
          text: z.string().optional(),
        }),
      )
      .optional(),
    code: codeState().optional(),
    credentials: handleShown.optional(),
    eci: digitsShown.optional(),
  }),
);

/** An answer; some say which action applies now. */
interface Answered {
  readonly body: object;
}

/** The authentication, as its machine reads it before or after an answer. */
export const authenticationEntity = ({ authentication }: Things, _: number, answer?: Answered) => ({
  state: authentication?.state ?? 'none',
  action: actionIn(answer?.body),
});

/** New options begin again, whatever was known of the card's authentication. */
export const newAuthentication = (_: Things, now: number, answer?: Answered) => authenticationEntity({}, now, answer);

const actionIn = (body: object | undefined): string =>
  body !== undefined && 'action' in body ? String(body.action) : '';

export const showAuthentication = ({ authentication: it }: Things) =>
  it === undefined
    ? {}
    : {
        authentication: it.handle,
        state: it.state,
        payment: { amount: inDecimals(it.body.amount, it.body.currency), currency: it.body.currency },
        ...(isChallenged(it.state) ? { options: it.body.stepUpOptions.map(showOption) } : {}),
        ...(isChallenged(it.state) && it.body.expiresAt !== undefined
          ? {
              code: {
                expires: iso(it.body.expiresAt),
                requests_left: left(it.body.maxRequests ?? limits.otpRequests, it.body.requests),
              },
            }
          : {}),
        ...(it.body.credentials === undefined ? {} : { credentials: it.body.credentials }),
        ...(it.body.eci === undefined ? {} : { eci: it.body.eci }),
      };

const showOption = ({ name, method, value }: StepUpOption) => ({
  option: name,
  method,
  ...(value === undefined ? {} : { text: untrusted(value) }),
});

const left = (most: number, used: number): number => Math.max(0, most - used);

/** What each state waits for. */
export const said: { readonly [state: string]: string | undefined } = {
  AUTHENTICATE:
    "The customer has a passkey for this card and uses it now: on Purser's page or in the merchant's app. Then look again.",
  STEP_UP_AUTHENTICATE:
    'The issuer wants more proof. Let the customer choose an option. For an OTP option request a code; the others end with a notification, then create the options again.',
  AUTHENTICATION_REGISTRATION: 'The issuer has approved this device. Create the registration now.',
  REGISTRATION_CREATED:
    "The customer registers this device now: on Purser's page or in the merchant's app. Then look again.",
};
