import type { Document } from '../../../sandbox/documents.ts';
import type { WebhookTerms } from '../management.ts';
import type { WebhookState } from './machines.ts';
import type { RetryPolicy } from './retries.ts';

// The documents of webhook subscriptions. Moments are milliseconds of the virtual clock.

declare module '../../../sandbox/documents.ts' {
  interface Kinds {
    readonly webhook: WebhookDocument;
    readonly delivery: DeliveryDocument;
    readonly webhookKey: WebhookKeyDocument;
  }
}

/** A webhook subscription, by its id. It is due when the health of its address is asked for. */
export interface WebhookDocument extends Document, WebhookState {
  readonly merchantId: string;
  readonly seq: number;
  /** The key that its deliveries are signed with, Base64, and that key's id. */
  readonly keyId: string;
  readonly key: string;
  readonly createdOn: number;
  readonly updatedOn: number;
  readonly terms: WebhookTerms;
  readonly retryPolicy: RetryPolicy;
}

/** A key that a merchant has created or stored, by its id (D-140). */
export interface WebhookKeyDocument extends Document {
  readonly merchantId: string;
  readonly seq: number;
  readonly keyType: string;
  /** Base64. */
  readonly key: string;
}

/** One attempt of a delivery: when, and the status that was answered; null where nobody answered. */
interface Attempt {
  readonly at: number;
  readonly status: number | null;
}

/** The delivery of an event to a subscription, by the subscription's id and a number. It is due when it is attempted. */
export interface DeliveryDocument extends Document {
  readonly state: string;
  readonly webhookId: string;
  readonly eventType: string;
  readonly productId: string;
  readonly organizationId: string;
  /** When the event happened. */
  readonly eventAt: number;
  readonly traceId: string;
  /** What the event says; null for a test. */
  readonly data: { readonly [name: string]: string } | null;
  readonly attempts: readonly Attempt[];
  /** Attempts since the delivery began, or began again after it was held, and when the first of them was. */
  readonly tries: number;
  readonly begun: number;
}
