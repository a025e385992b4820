import { handleFor } from '../../../src/engine/handles.ts';
import type { Snapshot } from '../../../src/sandbox/index.ts';
import type { Values } from '../scenario/schema.ts';
import type { CollectionName } from './collections.ts';
import { invoiceStates, settingStates } from './invoices.ts';
import type { RewindableLedger, Row } from './ledger.ts';

/** Where a world stands, as scenarios speak of it: what the business sees, and how it came about. `stateFields` says what is in it. */
export type State = Readonly<Record<CollectionName, Values>>;

/** Everything that is known of a world at one moment: its state, and the rows and documents behind it. */
export interface Evidence {
  readonly state: State;
  readonly platform: Snapshot;
  readonly observations: readonly Row[];
  readonly operations: readonly Row[];
  readonly approvals: readonly Row[];
  readonly reservations: readonly Row[];
  readonly audit: readonly Row[];
}

export async function gatherEvidence(ledger: RewindableLedger, platform: Snapshot): Promise<Evidence> {
  const observations = await ledger.rows('select * from observations order by handle');
  const operations = await ledger.rows('select * from operations order by created_at, id');
  const approvals = await ledger.rows('select * from approvals order by created_at, id');
  const reservations = await ledger.rows('select * from reservations');
  const budgets = await ledger.rows('select * from budgets');
  const audit = await ledger.rows('select * from audit order by seq');
  const evidence = { platform, observations, operations, approvals, reservations, audit };
  return { ...evidence, state: stateOf(evidence, budgets) };
}

function stateOf(
  { platform, observations, operations, approvals }: Omit<Evidence, 'state'>,
  budgets: readonly Row[],
): State {
  const of = (kind: string) =>
    observations
      .filter((row) => row.kind === kind)
      .map((row) => ({ row, handle: String(row.handle), body: bodyOf(row.body) }));
  const documents = (kind: string) =>
    new Map(platform.documents.filter((it) => it.kind === kind).map(({ body }) => [body.id, body as unknown as Body]));
  const cards = documents('card');
  const known = of('instruction');
  const named = new Map(known.map(({ handle, body }) => [String(body.instructionId), handle]));
  return {
    cards: record(
      of('card').map(({ row, handle, body }) => [
        handle,
        { status: text(cards.get(String(body.instrumentIdentifierId))?.state ?? 'none'), shopper: row.owner ?? '' },
      ]),
    ),
    // One that no handle names is there all the same: the platform did it, and Purser does not know.
    instructions: record([...documents('instruction')].map(([id, body]) => [named.get(id) ?? id, instructionOf(body)])),
    credentials: record(
      of('credentials').map(({ handle, body }) => [
        handle,
        { amount: text(body.amount), currency: text(body.currency), instruction: text(body.instruction) },
      ]),
    ),
    receipts: record(
      of('receipt').map(({ handle, body }) => [
        handle,
        {
          ...{ instruction: text(body.instruction), amount: text(body.amount), currency: text(body.currency) },
          ...{ type: text(body.transactionType), status: text(body.transactionStatus) },
        },
      ]),
    ),
    shoppers: record(of('shopper').map(({ handle, body }) => [handle, { name: text(body.displayName) }])),
    plans: record([...documents('plan')].map(([id, body]) => [handleFor('plan', String(id)), planOf(body)])),
    subscriptions: record(
      [...documents('subscription')].map(([id, body]) => [handleFor('subscription', String(id)), subscriptionOf(body)]),
    ),
    invoices: invoiceStates(platform),
    invoiceSettings: settingStates(platform),
    emails: countBy([...documents('email').values()].map(({ template }) => text(template))),
    operations: record(
      operations.map((row) => [
        String(row.id),
        {
          tool: snake(text(row.name)),
          state: text(row.state),
          reference: text(row.reference),
          attempts: Number(row.attempt),
        },
      ]),
    ),
    approvals: record(approvals.map((row) => [String(row.id), { state: text(row.state) }])),
    budgets: record(
      budgets.map(({ budget, scope, minor, times }) => [
        `${text(budget)}${scope === '' ? '' : `/${text(scope)}`}`,
        { minor: Number(minor), times: Number(times) },
      ]),
    ),
    effects: countBy(platform.effects.map(({ operation }) => operation)),
  };
}

/** A body of the ledger or the sandbox: JSON that its own module wrote. */
export type Body = Readonly<Record<string, unknown>>;

export const bodyOf = (stored: string | number | null | undefined): Body => JSON.parse(String(stored ?? '{}')) as Body;

/** A mandate and a release, as far as they say what may be and was paid. */
export interface PlatformMandate {
  readonly mandateId: string;
  readonly declineThreshold: { readonly amount: string; readonly currencyCode: string };
  readonly effectiveUntilTime: string;
  readonly preferredMerchantName?: string;
}

function instructionOf(body: Body): Values {
  const [mandate] = body.mandates as readonly PlatformMandate[]; // the sandbox's own documents
  return {
    status: text(body.state),
    ...(mandate === undefined
      ? {}
      : {
          limit: mandate.declineThreshold.amount,
          currency: mandate.declineThreshold.currencyCode,
          until: new Date(Number(mandate.effectiveUntilTime) * 1_000).toISOString(),
          merchant: mandate.preferredMerchantName ?? '',
        }),
    releases: (body.releases as readonly unknown[]).length,
    confirmations: (body.confirmations as readonly unknown[]).length,
  };
}

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
  const { assigned: _, ...terms } = planOf(body);
  return {
    ...terms,
    plan: body.planId === null ? '' : handleFor('plan', text(body.planId)),
    start: text(body.startDate),
    attempts: Number(body.attempts),
    paid: Number(body.paid),
    skipped: [...(body.skips as readonly number[])],
  };
}

const text = (value: unknown): string => String(value ?? '');
const record = (entries: readonly (readonly [string, Values])[]): Values => Object.fromEntries(entries);
const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function countBy(names: readonly string[]): Values {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
