import { z } from 'zod';
import { limits } from '../../src/core/limits.ts';
import { inDecimals } from '../../src/core/money.ts';
import { day, minute } from '../../src/core/schedule.ts';
import type { Facts } from '../../src/domains/facts.ts';
import type { domains } from '../../src/domains/index.ts';
import { chosenOption, usedOption } from '../../src/domains/passkey/guards.ts';
import { iso, monthText } from '../../src/engine/render.ts';
import {
  amountShown,
  codeShown,
  currencyShown,
  digitsShown,
  handleShown,
  momentShown,
  monthShown,
} from '../../src/engine/shown.ts';
import { type Arg, platformTools } from '../../src/engine/tool.ts';
import { handle, optional, reference, sum } from '../../src/engine/tool-arguments.ts';
import { passkeyPage } from './passkey-page.ts';
import {
  authenticationEntity,
  authenticationShown,
  newAuthentication,
  said,
  showAuthentication,
} from './presentation.ts';

// The tools for the passkey authentication of cards. Codes and passkeys come from the customer's page or the merchant's app, so
// no agent calls the two operations that carry one.

const authentication = handle('authentication', 'From create_authentication_options.');

const option: Arg<never> = {
  schema: z
    .string()
    .regex(/^option_\d{1,4}$/, 'must be the name of an option')
    .describe('Such as option_1.'),
  fills: [],
};

/** Counts the codes that were asked for, so that the same call again sends no second one. It is no code. */
const requestNumber: Arg<never> = {
  schema: z.int().min(1).max(limits.arrayElements).describe('1; 2 for a second code. Not the code.'),
  fills: [],
};

/** A text with letters for its digits. Sixteen digits of an id could be taken for a card number. */
const inLetters = (id: string): string => id.replace(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)));

/** The step that the customer takes with the passkey. */
const byPasskey = {
  tool: 'create_payment_credentials',
  argument: 'authentication',
  thing: 'authentication',
  bound: 'challenge',
} as const;

/** The platform has one authentication of a card, whoever began it. */
const lockKey = ({ things }: Pick<Facts, 'things'>): string => `authentication of ${things.card?.handle}`;

const payment = ({ args }: Facts) => args.payment as { readonly amount: string; readonly currency: string }; // by the tool's shape

/** What is paid with an authentication. */
const paidWith = (
  { merchant, things: { card } }: Facts,
  sum: { readonly amount: string; readonly currency: string },
) => ({
  ...sum,
  ...{ payee: merchant.name, instrument: card?.handle ?? '' },
});

/** Options under names that no earlier options of the authentication had: a call that is made again late sends no code for them. */
const namedOptions = <Option>(offered: readonly Option[], before: number) => ({
  stepUpOptions: offered.map((it, index) => ({ ...it, name: `option_${before + index + 1}` })),
  namedOptions: before + offered.length,
});

const approvesOf = (proposal: Facts['proposal']) =>
  proposal && (({ operation, approval, digest, text }) => ({ operation, approval, digest, text }))(proposal);

/** When a code expires. The platform says so in epoch seconds (D-07); what can't be that is read as nothing said. */
function expiryOf(codeExpiration: number, now: number): number {
  const at = codeExpiration * 1_000;
  return at > now - day && at < now + day ? at : now + limits.otpMinutes * minute;
}

/** A maximum of zero is nothing said: an issuer that allows no code offers no option for one. */
const stated = (most: number): number | undefined => (most === 0 ? undefined : most);

export const authentications = platformTools<keyof typeof domains.passkey.contract>({
  createAuthenticationOptions: {
    description:
      "Begin a customer's authentication for a payment. Call again after the issuer has approved the customer in another way.",
    input: {
      args: () => ({
        card: handle('card', 'From list_cards.'),
        reference: reference("Merchant's number of the payment; another starts over."),
        payment: sum(
          'orderInformation.amountDetails.totalAmount',
          'orderInformation.amountDetails.currency',
          'What the customer pays.',
        ),
        approves: optional({
          schema: z.string().max(64).describe('Operation of initiate_purchase: the passkey approves it.'),
          fills: [],
        }),
      }),
      proposal: ({ args }) => (args.approves === undefined ? undefined : String(args.approves)),
      reference: ({ args }) => String(args.reference),
      // New options begin the same authentication again, among those of the principal.
      goesOnWith: { kind: 'authentication', argument: 'card' },
    },
    policy: {
      lockKey,
      prepares: {
        operation: 'createPaymentCredentials',
        spend: (facts) => (facts.proposal === undefined ? paidWith(facts, payment(facts)) : undefined),
      },
    },
    observe: {
      moves: { kind: 'authentication', entity: newAuthentication },
      observations: (facts, { body }, { mint }) => [
        {
          kind: 'authentication',
          handle: facts.things.authentication?.handle ?? mint('authentication'),
          body: {
            card: facts.things.card?.handle,
            ...payment(facts),
            reference: facts.reference,
            challenge: facts.new.correlationId,
            ...namedOptions(body.stepUpOptions ?? [], facts.things.authentication?.body.namedOptions ?? 0),
            context: body.authenticationContext,
            approves: approvesOf(facts.proposal),
            ...{ option: undefined, maxRequests: undefined, maxVerifications: undefined, expiresAt: undefined },
            ...{ requests: 0, credentials: undefined, eci: undefined, authenticatedAt: undefined },
          },
        },
      ],
    },
    present: { messages: words(), outputSchema: authenticationShown, shows: showAuthentication },
    // The issuer may have approved the device meanwhile.
    reconcile: { retryableStates: ['STEP_UP_AUTHENTICATE'] },
    waits: { ...byPasskey, states: ['AUTHENTICATE'] },
  },

  createOneTimePassword: {
    description: "Have the issuer send a code by the customer's OTP option. Never ask for the code.",
    input: {
      args: () => ({ authentication, option, request_number: requestNumber }),
      // A call that is made again sends no second code.
      reference: ({ args, things }) =>
        `${inLetters(`${things.authentication?.body.challenge}`)}.${args.request_number}`,
      conflict:
        'A code was already requested under this request_number, by another option. To have another code sent, give the next number.',
      carryOver: (facts) => ({ 'stepUpOption.id': chosenOption(facts)?.id }),
    },
    policy: {
      lockKey,
      attempts: [
        {
          of: ({ things }) => `${things.authentication?.handle} ${things.authentication?.body.challenge}`,
          most: ({ things }) => things.authentication?.body.maxRequests ?? limits.otpRequests,
          rule: 'PK-07',
          because: 'The issuer sends no more codes for these options. Create the options again.',
          instead: ['create_authentication_options'],
        },
        {
          // Whoever creates options again and again floods nobody, and gets few codes to guess.
          of: ({ things, now }) => `${things.card?.handle} on ${iso(now).slice(0, 10)}`,
          most: () => limits.otpDailyRequests,
          rule: 'PK-07',
          because: 'Enough codes were sent for this card today (UTC). Use another card, or go on tomorrow.',
          instead: ['list_cards'],
        },
      ],
    },
    observe: {
      moves: { kind: 'authentication', entity: authenticationEntity },
      observations: (facts, { body }) => [
        {
          kind: 'authentication',
          body: {
            option: chosenOption(facts)?.id,
            requests: (facts.things.authentication?.body.requests ?? 0) + 1,
            maxRequests: stated(body.maxRequestsAllowed),
            maxVerifications: stated(body.maxVerificationAllowed),
            expiresAt: expiryOf(body.codeExpiration, facts.now),
          },
        },
      ],
    },
    present: {
      messages: {
        STEP_UP_AUTHENTICATE:
          'A code is on its way to the customer, who enters it, never in this chat. Then look with get_authentication.',
      },
      next: {
        STEP_UP_AUTHENTICATE: {
          tools: ['get_authentication'],
          because: 'The customer enters the code, not the agent.',
        },
      },
      outputSchema: authenticationShown,
      shows: showAuthentication,
    },
    waits: {
      tool: 'validate_authentication_code',
      argument: 'authentication',
      thing: 'authentication',
      bound: 'challenge',
      states: ['STEP_UP_AUTHENTICATE'],
      until: ({ body }) => (typeof body.expiresAt === 'number' ? body.expiresAt : undefined),
    },
  },

  validateAuthenticationCode: {
    description: "Check the customer's code. For the customer's page or the merchant's app.",
    input: {
      args: () => ({
        authentication,
        option: optional(option),
        code: optional(entered('otp', 'One-time code.')),
        issuer_code: optional(entered('issuerAuthCode', "Code of the issuer's app or call.")),
      }),
      oneOf: { names: ['code', 'issuer_code'] },
      carryOver: (facts) => ({ 'stepUpOption.id': usedOption(facts)?.id }),
    },
    policy: {
      lockKey,
      attempts: [
        {
          // Each code has its own.
          of: ({ things: { authentication: it } }) => `${it?.handle} ${it?.body.challenge} ${it?.body.requests}`,
          most: ({ things }) => things.authentication?.body.maxVerifications ?? limits.otpAttempts,
          rule: 'PK-07',
          because: 'All verifications of this code are used up. Request another code.',
          instead: ['create_one_time_password'],
        },
      ],
    },
    observe: {
      moves: { kind: 'authentication', entity: authenticationEntity },
      observations: () => [{ kind: 'authentication', body: { stepUpOptions: [], expiresAt: undefined } }],
    },
    present: { messages: words(), outputSchema: authenticationShown, shows: showAuthentication },
    page: {
      title: 'Enter your code',
      text: (facts) => [
        `${usedOption(facts)?.source ?? 'Your bank'} sent a code${usedOption(facts)?.value === undefined ? '' : ` to ${usedOption(facts)?.value}`}.`,
        'Enter it here. Nobody at the shop, and no assistant, will ever ask you for it.',
      ],
      fields: [
        {
          ...{ argument: 'code', label: 'Code', hint: 'The digits from the message', type: 'text' },
          ...{ inputMode: 'numeric', autocomplete: 'one-time-code', maxLength: 12 },
        },
      ],
      submit: 'Confirm',
      messages: {
        done: 'Thank you. Your code was right.',
        declined: 'Your bank did not accept this code. Check it, or ask the shop for another one.',
      },
    },
  },

  createAuthenticationRegistration: {
    description: "Register the customer's device for a card, once the issuer has approved it.",
    input: { args: () => ({ authentication }) },
    policy: { lockKey },
    observe: {
      moves: { kind: 'authentication', entity: authenticationEntity },
      observations: (_, { body }) => [{ kind: 'authentication', body: { context: body.authenticationContext } }],
    },
    present: { messages: words(), outputSchema: authenticationShown, shows: showAuthentication },
    waits: { ...byPasskey, states: ['REGISTRATION_CREATED'] },
  },

  createPaymentCredentials: {
    description:
      "Release the credentials of the payment that the customer authenticated. For the customer's page or the merchant's app.",
    input: {
      args: () => ({
        authentication,
        data: entered('authenticatedIdentities[].data', 'What the passkey signed.'),
        id: entered('authenticatedIdentities[].id', 'Its identifier.'),
        provider: entered('authenticatedIdentities[].provider', 'Who verified it.'),
        relying_party: entered('authenticatedIdentities[].relyingPartyId', 'Its relying party, Base64URL.'),
        method: optional(
          entered('authenticatedIdentities[].userAuthenticationMethod', 'How the customer was verified.'),
        ),
        approval: optional({
          schema: z.string().max(64).describe('The approval whose text the customer has read, where there is one.'),
          fills: [],
        }),
      }),
      proposal: ({ things }) => things.authentication?.body.approves?.operation,
    },
    policy: {
      lockKey,
      // The purchase that it approves counts by itself, and no credentials come of this.
      spend: (facts) => {
        const { approves, amount = '0', currency = '' } = facts.things.authentication?.body ?? {};
        return approves === undefined ? paidWith(facts, { amount, currency }) : undefined;
      },
      // The customer's passkey, which is part of the request, approves exactly this payment (D-36).
      approval: {
        needed: () => false,
        title: () => 'Release credentials for an authenticated payment',
        text: () => [],
      },
    },
    observe: {
      moves: { kind: 'authentication', entity: authenticationEntity },
      approves: true,
      // A passkey that approves a purchase pays nothing yet: the purchase releases its own credentials.
      keepsSecrets: ({ things }) => things.authentication?.body.approves === undefined,
      observations: (facts, _, { mint, sealed }) => {
        const { things, now } = facts;
        const proven = { eci: sealed?.shown.eci, authenticatedAt: now, context: undefined };
        if (sealed?.kept === undefined) return [{ kind: 'authentication', body: proven }];
        const credentials = mint('credentials');
        return [
          {
            kind: 'credentials',
            handle: credentials,
            state: 'RELEASED',
            body: {
              ...sealed.shown,
              reference: things.authentication?.body.reference,
              amount: things.authentication?.body.amount,
              currency: things.authentication?.body.currency,
              card: things.card?.handle,
              expiresAt: sealed.kept.expiresAt,
              secret: sealed.kept.reference,
            },
          },
          { kind: 'authentication', body: { ...proven, credentials } },
        ];
      },
    },
    present: {
      messages: {
        AUTHENTICATED:
          "The customer has authenticated. The merchant's payment system redeems the handle of the credentials, where there is one.",
      },
      outputSchema: () =>
        z.looseObject({
          authentication: handleShown,
          approves: handleShown.optional(),
          credentials: handleShown.optional(),
          last_four: digitsShown.optional(),
          expires: monthShown.optional(),
          amount: amountShown.optional(),
          currency: currencyShown.optional(),
          eci: codeShown.optional(),
          commerceIndicator: codeShown.optional(),
          valid_until: momentShown.optional(),
        }),
      shows: ({ authentication: it, credentials }) => ({
        authentication: it?.handle,
        ...(it?.body.approves === undefined ? {} : { approves: it.body.approves.operation }),
        ...(it?.body.credentials === undefined || credentials === undefined
          ? {}
          : {
              credentials: credentials.handle,
              last_four: credentials.body.lastFour,
              expires: monthText(credentials.body.expires),
              amount: inDecimals(credentials.body.amount, credentials.body.currency),
              currency: credentials.body.currency,
              ...(credentials.body.eci === undefined ? {} : { eci: credentials.body.eci }),
              ...(credentials.body.commerceIndicator === undefined
                ? {}
                : { commerceIndicator: credentials.body.commerceIndicator }),
              valid_until: new Date(credentials.body.expiresAt).toISOString(),
            }),
      }),
    },
    page: passkeyPage,
  },
});

/** An argument that a customer or the merchant's app enters. */
function entered<P extends string>(path: P, about: string): Arg<P> {
  return {
    schema: z.string().min(1).max(limits.blobCharacters).describe(about),
    fills: [{ path, value: (given) => given }],
  };
}

function words(): { readonly [state: string]: string } {
  return Object.fromEntries(Object.entries(said).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
