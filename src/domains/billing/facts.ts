import type { KindsOf, Thing } from '../../core/thing.ts';

// The facts of plans and subscriptions, from the platform's last responses. Amounts are decimal text, numbers are text.

export interface BillingThings {
  readonly plan?: Thing<PlanFacts>;
  readonly subscription?: Thing<SubscriptionFacts>;
  readonly followOn?: Thing<FollowOnFacts>;
}

export const kinds = {
  plan: { platformId: 'planId', foundBy: ['list_plans'], shownBy: 'get_plan' },
  subscription: { platformId: 'subscriptionId', foundBy: ['list_subscriptions'], shownBy: 'get_subscription' },
  followOn: { platformId: 'requestId', foundBy: ['get_follow_on'], shownBy: 'get_follow_on' },
} as const satisfies KindsOf<BillingThings>;

/** What a plan or a subscription charges. */
export interface TermsFacts {
  readonly length: string;
  /** `D`, `W`, `M` or `Y`. */
  readonly unit: string;
  /** The number of payments; absent if there is no end. */
  readonly total?: string | undefined;
  readonly currency: string;
  readonly amount: string;
  readonly setupFee?: string | undefined;
  readonly surcharge?: string | undefined;
  /** The label of the surcharge for the customer. */
  readonly surchargeLabel?: string | undefined;
}

export interface PlanFacts extends TermsFacts {
  /** The platform's id. */
  readonly planId: string;
  readonly code?: string | undefined;
  readonly name?: string | undefined;
  /** Whether a subscription to it is known. */
  readonly description?: string | undefined;
  readonly assigned?: boolean | undefined;
}

/** A payment as the platform listed it. */
export interface ListedPayment {
  readonly cycle: number;
  readonly status: string;
  /** `STANDARD` or `RETRY`. */
  readonly type: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly modifiable: boolean;
}

export interface SubscriptionFacts extends TermsFacts {
  /** The platform's id. */
  readonly subscriptionId: string;
  readonly code?: string | undefined;
  readonly name: string;
  /** ISO 8601. */
  readonly startDate: string;
  readonly customerId?: string | undefined;
  readonly customerName?: string | undefined;
  /** The handle of its plan; absent if it has its own terms. */
  readonly onPlan?: string | undefined;
  /** The last past cycle. */
  readonly current?: string | undefined;
  readonly missedCount?: string | undefined;
  readonly missedAmount?: string | undefined;
  /** When the platform said so: milliseconds since the epoch. */
  readonly missedAt?: number | undefined;
  /** Future cycles that are skipped, and the payments as last listed. */
  readonly skipped?: readonly number[] | undefined;
  readonly payments?: readonly ListedPayment[] | undefined;
  /** When they were listed: milliseconds since the epoch. */
  readonly paymentsReadAt?: number | undefined;
  /** The handle of the card it was created with; absent if it was created elsewhere. */
  readonly card?: string | undefined;
}

/** A payment that a subscription can follow. */
export interface FollowOnFacts {
  readonly requestId: string;
  readonly customerName: string;
  readonly expires: string;
}
