import { handleFor } from '../../../../src/engine/handles.ts';
import type { Values } from '../../scenario/schema.ts';
import { type Body, type Collection, documents, keyed, text } from '../collection.ts';

const terms = {
  status: 'on the platform',
  name: 'its name',
  code: 'its code',
  amount: 'of each payment',
  currency: 'of all its amounts',
  setupFee: '0 where there is none',
  every: 'periods between payments',
  unit: 'of the period, as the platform writes it',
  payments: 'how many, 0 without an end',
} as const;

/** Plans and subscriptions, as scenarios name them. */
export const billingCollections = {
  plans: {
    frame: true,
    by: 'handle',
    fields: { ...terms, assigned: 'whether a subscription was ever on it' },
    read: (sources) => keyed(documents(sources, 'plan'), ([id, body]) => [handleFor('plan', id), planOf(body)]),
  },
  subscriptions: {
    frame: true,
    by: 'handle',
    fields: {
      ...terms,
      ...{
        plan: 'its handle, empty for a schedule of its own',
        start: 'its first day',
        attempts: 'how many charges were tried',
      },
      ...{ paid: 'how many cycles', skipped: 'list of coming cycles' },
    },
    read: (sources) =>
      keyed(documents(sources, 'subscription'), ([id, body]) => [handleFor('subscription', id), subscriptionOf(body)]),
  },
} as const satisfies Readonly<Record<string, Collection>>;

/** Terms of a plan or a subscription, as the sandbox keeps them. */
interface PlatformTerms {
  readonly period: { readonly length: number; readonly unit: string };
  readonly total: number | null;
  readonly currency: string;
  readonly amount: string;
  readonly setupFee: string | null;
}

function planOf(body: Body): Values {
  const { period, total, currency, amount, setupFee } = body.terms as PlatformTerms; // the sandbox's own documents
  return {
    ...{ status: text(body.state), name: text(body.name), code: text(body.code), assigned: body.assigned === true },
    ...{ amount, currency, setupFee: setupFee ?? '0', every: period.length, unit: period.unit, payments: total ?? 0 },
  };
}

function subscriptionOf(body: Body): Values {
  const { assigned: _, ...shared } = planOf(body);
  return {
    ...shared,
    plan: body.planId === null ? '' : handleFor('plan', text(body.planId)),
    start: text(body.startDate),
    attempts: Number(body.attempts),
    paid: Number(body.paid),
    skipped: [...(body.skips as readonly number[])],
  };
}
