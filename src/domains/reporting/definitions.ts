/** A report definition: its name in document 3, its id in public facts about the platform, and what its reports are about. */
export interface Definition {
  readonly name: string;
  /** Null where no public source has one. */
  readonly id: number | null;
  readonly about: string;
}

/** The 18 definitions, in the order of document 3. The descriptions are ours: the document has none. */
export const definitions = [
  { name: 'TransactionRequestClass', id: 210, about: 'Every request with its outcome' },
  { name: 'PaymentBatchDetailClass', id: 211, about: 'Payments by batch' },
  { name: 'ExceptionDetailClass', id: 212, about: 'Requests that failed or were declined' },
  { name: 'ProcessorSettlementDetailClass', id: 213, about: 'Settlements at the processor' },
  { name: 'ProcessorEventsDetailClass', id: 214, about: 'Events at the processor' },
  { name: 'FundingDetailClass', id: 215, about: 'Money paid out to the merchant' },
  { name: 'AgingDetailClass', id: 216, about: 'Payments that are not settled yet, by age' },
  { name: 'ChargebackAndRetrievalDetailClass', id: 217, about: 'Chargebacks and retrieval requests' },
  { name: 'DepositDetailClass', id: 218, about: "Deposits in the merchant's account" },
  { name: 'FeeDetailClass', id: 219, about: 'Fees of the platform and the processor' },
  { name: 'InvoiceSummaryClass', id: 220, about: 'Invoices and what was paid of them' },
  { name: 'PayerAuthDetailClass', id: 221, about: 'Authentications of payers' },
  { name: 'ConversionDetailClass', id: 222, about: 'Decisions on orders that were reviewed' },
  { name: 'SubscriptionDetailClass', id: 620, about: 'Payments of subscriptions' },
  { name: 'ServiceFeeDetailClass', id: 271, about: 'Service fees that customers paid' },
  { name: 'GatewayTransactionRequestClass', id: 310, about: 'Requests through the gateway' },
  { name: 'DecisionManagerEventDetailClass', id: 400, about: 'Events of fraud management' },
  { name: 'RecurringBillingDetailClass', id: null, about: 'Recurring payments and their retries' },
] as const satisfies readonly Definition[];

export type DefinitionName = (typeof definitions)[number]['name'];

export const definitionNames = definitions.map(({ name }) => name);

/** The definition of a name; undefined for any other text. */
export const definitionNamed = (name: string): (typeof definitions)[number] | undefined =>
  definitions.find((it) => it.name === name);
