import type { KindsOf, Thing } from '../../core/thing.ts';
import { toIframe } from './iframe.ts';

// What the ledger knows of the authentication of a card.

export interface PasskeyThings {
  readonly authentication?: Thing<AuthenticationFacts>;
}

export const kinds = {
  authentication: {
    foundBy: ['create_authentication_options'],
    shownBy: 'get_authentication',
    approvalBinds: 'nothing',
    namesCard: true,
    search: { keys: ({ body, createdAt }) => [{ key: 'card', value: String(body.card), at: createdAt }] },
    // The message with which the iframe begins, and what the customer must have read before; or the ways of a step-up, with what opens
    // the issuer's app.
    forApp: ({ state, body }) => {
      const { context: authenticationContext, approves, stepUpOptions } = body as unknown as AuthenticationFacts; // what the tools of this kind store
      if (stepUpOptions.length > 0) return { state, iframe: undefined, stepUpOptions: stepUpOptions.map(optionForApp) };
      if (authenticationContext === undefined) return undefined;
      const { approval, text } = approves ?? {};
      return { state, iframe: toIframe({ action: 'AUTHENTICATE', authenticationContext }), approval, text };
    },
  },
} as const satisfies KindsOf<PasskeyThings>;

/** A way for the customer to prove who they are, as the platform offered it. */
export interface StepUpOption {
  /** Purser's name for it: the platform's id is a text of others. */
  readonly name: string;
  /** The platform's id. */
  readonly id: string;
  readonly method: string;
  /** A masked address or number, or a text for the customer. Others wrote it. */
  readonly value?: string | undefined;
  /** Who sends the code, or a link to the issuer's app. */
  readonly source?: string | undefined;
  /** What the issuer's app is opened with. */
  readonly requestPayload?: string | undefined;
  readonly platformType?: string | undefined;
  readonly subMethod?: string | undefined;
  readonly [field: string]: unknown;
}

const optionForApp = ({ name, method, value, source, requestPayload, platformType, subMethod }: StepUpOption) => ({
  ...{ option: name, method, value, source, requestPayload, platformType, subMethod },
});

/** The text for the iframe, under the platform's names. */
export interface ContextFacts {
  readonly id: string;
  readonly endpoint: string;
  readonly payload: string;
  readonly platformType?: string | undefined;
  readonly [field: string]: unknown;
}

/** A call that waits for an approval, as it was when the options were created. */
export interface Approves {
  readonly operation: string;
  readonly approval: string;
  readonly digest: string;
  /** What the customer reads, word for word. */
  readonly text: string;
}

/** Each principal has one authentication of a card; each new set of options replaces what was known of it. */
export interface AuthenticationFacts {
  readonly card: string;
  /** The merchant's number of the payment. */
  readonly reference: string;
  /** The payment that the customer authenticates for: decimal text and alphabetic currency. */
  readonly amount: string;
  readonly currency: string;
  /** Names the options that were created last: what is counted for them is not counted for others. */
  readonly challenge: string;
  readonly stepUpOptions: readonly StepUpOption[];
  /** How many options were named so far, in all sets of options. */
  readonly namedOptions: number;
  readonly context?: ContextFacts | undefined;
  /** The platform's id of the option for which a code was requested last. */
  readonly option?: string | undefined;
  /** How many codes were requested. */
  readonly requests: number;
  /** How many requests, and verifications of a code, the platform allows; when the code expires, in epoch milliseconds. */
  readonly maxRequests?: number | undefined;
  readonly maxVerifications?: number | undefined;
  readonly expiresAt?: number | undefined;
  /** What the customer's passkey is to approve, where it is for more than this payment. */
  readonly approves?: Approves | undefined;
  readonly credentials?: string | undefined;
  readonly eci?: string | undefined;
  /** When the customer authenticated, in epoch milliseconds. */
  readonly authenticatedAt?: number | undefined;
}
