import type { World } from '../../../sandbox/world.ts';
import type { DefinitionName } from '../definitions.ts';
import type { Range } from '../ranges.ts';
import { authentications, chargebacks, events, fees, fraudEvents, invoices, reviewed } from './other-records.ts';
import { authorizations, conversions, declined, open, settled, undone } from './payment-records.ts';
import type { Owner, ReportRecord, Source } from './record.ts';
import { paidSubscriptions, recurring, surcharges } from './subscription-records.ts';

// What reports are made of: everything that the sandbox knows of a merchant's business (D-85).

const together =
  (...sources: readonly Source[]): Source =>
  (world, merchant) =>
    sources.flatMap((source) => source(world, merchant));

const declinedBesideAuthorizations: Source = (world, merchant) =>
  declined(world, merchant).filter(({ fields }) => fields['Application.Name'] !== 'authorization');

const requests = together(conversions, authorizations, settled, undone, declinedBesideAuthorizations);

/** What the reports of each definition are about. */
const sources: { readonly [D in DefinitionName]: Source } = {
  TransactionRequestClass: requests,
  GatewayTransactionRequestClass: requests,
  PaymentBatchDetailClass: settled,
  ProcessorSettlementDetailClass: settled,
  FundingDetailClass: settled,
  DepositDetailClass: settled,
  ProcessorEventsDetailClass: together(undone, events),
  ExceptionDetailClass: declined,
  AgingDetailClass: open,
  InvoiceSummaryClass: invoices,
  SubscriptionDetailClass: paidSubscriptions,
  RecurringBillingDetailClass: recurring,
  ServiceFeeDetailClass: surcharges,
  PayerAuthDetailClass: authentications,
  ChargebackAndRetrievalDetailClass: chargebacks,
  FeeDetailClass: fees,
  ConversionDetailClass: reviewed,
  DecisionManagerEventDetailClass: fraudEvents,
};

/** The records of a definition in a range of time, oldest first. */
export const recordsOf = (
  world: World,
  merchant: Owner,
  definition: string,
  { from, to }: Range,
): readonly ReportRecord[] =>
  sources[definition as DefinitionName](world, merchant) // the contract takes no other name
    .filter(({ at }) => at >= from && at < to)
    .toSorted((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1));
