import { z } from 'zod';
import { limits } from '../../src/core/limits.ts';
import { inDecimals } from '../../src/core/money.ts';
import { once } from '../../src/core/once.ts';
import type { Things } from '../../src/domains/facts.ts';
import type { StepUpOption } from '../../src/domains/passkey/facts.ts';
import { authentication as machine } from '../../src/domains/passkey/machines.ts';
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
    code: z.looseObject({ expires: momentShown, requestsLeft: countShown }).optional(),
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
        ...(it.state === 'STEP_UP_AUTHENTICATE' ? { options: it.body.stepUpOptions.map(showOption) } : {}),
        ...(it.state === 'STEP_UP_AUTHENTICATE' && it.body.expiresAt !== undefined
          ? {
              code: {
                expires: iso(it.body.expiresAt),
                requestsLeft: left(it.body.maxRequests ?? limits.otpRequests, it.body.requests),
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
