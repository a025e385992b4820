import type { z } from 'zod';
import type { Document } from '../../../sandbox/documents.ts';
import type { Authentication } from '../machines.ts';
import type { stepUpOption } from '../shapes.ts';

// The documents of tokenized card authentication. Moments are milliseconds of the virtual clock.

declare module '../../../sandbox/documents.ts' {
  interface Kinds {
    readonly authentication: AuthenticationDocument;
    readonly ceremony: CeremonyDocument;
    readonly iframeSession: IframeSessionDocument;
    readonly passkey: PasskeyDocument;
    readonly issuer: IssuerDocument;
  }

  interface CardBehavior {
    /** What the issuer says to a device that is not registered, or that every device of the card is. `challenged` by default. */
    readonly binding?: 'registered' | 'challenged' | 'approved';
    /** Whether credentials shift liability, so carry `eci` 05, or not: 07. `shifted` by default. */
    readonly liability?: 'shifted' | 'kept';
  }
}

export type OfferedOption = z.output<ReturnType<typeof stepUpOption>>;

/** The authentication of a tokenized card, by its token id. New options replace it. */
export interface AuthenticationDocument extends Document, Authentication {
  readonly merchantId: string;
  readonly createdAt: number;
  readonly amount: string;
  /** Numeric, as options carry it. */
  readonly currency: string;
  /** The device whose session asked for the options. */
  readonly device: string;
  readonly stepUpOptions: readonly OfferedOption[];
  /** Codes that were requested, the option of the last one, its number, its expiry and its verifications. */
  readonly requests: number;
  readonly option: string;
  readonly codeNumber: number;
  readonly codeExpires: number;
  readonly verifications: number;
  /** The ceremony that the iframe runs; empty where there is none. */
  readonly ceremony: string;
}

/** The issuer of the sandbox's cards: changed by the control API. */
export interface IssuerDocument extends Document {
  /** What it writes beside the ways of a step-up that send no code. */
  readonly text: string;
}

/** One authentication or registration in the iframe, by the id of its `authenticationContext`. */
export interface CeremonyDocument extends Document {
  readonly tokenId: string;
  readonly kind: 'authenticate' | 'register';
  /** The challenge of the browser's part, Base64URL. */
  readonly challenge: string;
  readonly state: 'open' | 'complete' | 'failed' | 'used';
}

/** A session that the iframe made in a browser, by its secure token. */
export interface IframeSessionDocument extends Document {
  /** The id of the device, as the page that embeds the iframe knows it. */
  readonly device: string;
}

/** A device that is registered for a token, by token and device. A browser's own ceremony leaves its public key. */
export interface PasskeyDocument extends Document {
  readonly credentialId?: string | undefined;
  /** Base64URL. */
  readonly publicKey?: string | undefined;
  readonly counter: number;
}
