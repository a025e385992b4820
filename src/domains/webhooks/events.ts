/** The products whose events webhooks deliver, by the platform's own ids: public models, and document 1 for one pair of them. */
export const webhookProducts = {
  tokenManagement: {
    name: 'Token management',
    eventTypes: [
      'tms.networktoken.provisioned',
      'tms.networktoken.updated',
      'tms.token.created',
      'tms.token.updated',
      'tms.token.pan_updated',
      // The sandbox's own (D-64).
      'tms.authentication.binding.approved',
    ],
  },
  recurringBilling: {
    name: 'Recurring billing',
    eventTypes: [
      'rbs.subscriptions.charge.created',
      'rbs.subscriptions.charge.failed',
      'rbs.subscriptions.charge.pre-notified',
    ],
  },
  customerInvoicing: {
    name: 'Invoicing',
    eventTypes: [
      'invoicing.customer.invoice.send',
      'invoicing.customer.invoice.paid',
      'invoicing.customer.invoice.partial-payment',
      'invoicing.customer.invoice.partial-resend',
      'invoicing.customer.invoice.reminder',
      'invoicing.customer.invoice.overdue-reminder',
      'invoicing.customer.invoice.cancel',
    ],
  },
  terminalManagement: {
    name: 'Terminal management',
    eventTypes: [
      'terminalManagement.assignment.update',
      'terminalManagement.status.update',
      'terminalManagement.reAssignment.update',
    ],
  },
  decisionManager: {
    name: 'Decision manager',
    eventTypes: [
      'risk.casemanagement.decision.accept',
      'risk.casemanagement.decision.reject',
      'risk.casemanagement.addnote',
      'risk.profile.decision.reject',
    ],
  },
  fraudManagementEssentials: {
    name: 'Fraud management essentials',
    eventTypes: [
      'risk.profile.decision.review',
      'risk.profile.decision.reject',
      'risk.profile.decision.monitor',
      'risk.casemanagement.decision.accept',
      'risk.casemanagement.decision.reject',
      'risk.casemanagement.addnote',
    ],
  },
  alternativePaymentMethods: { name: 'Alternative payment methods', eventTypes: ['payments.payments.updated'] },
  eCheck: {
    name: 'Electronic checks',
    eventTypes: [
      'payments.payments.accepted',
      'payments.payments.failed',
      'payments.credits.accepted',
      'payments.credits.failed',
      'payments.voids.accepted',
    ],
  },
  cns: {
    name: 'Notices of the platform',
    eventTypes: ['cns.outage.notify.freeform', 'cns.report.keyExpiration.detail'],
  },
} as const satisfies Readonly<Record<string, { readonly name: string; readonly eventTypes: readonly string[] }>>;

const table: Readonly<Record<string, { readonly eventTypes: readonly string[] } | undefined>> = webhookProducts;

/** Products of whose events only the beginning is public. */
const families: ReadonlyMap<string, string> = new Map([['secureAcceptance', 'sa.orders.']]);

/** The event types of a product that are known in full; undefined for a product that is not known. */
export const eventTypesOf = (productId: string): readonly string[] | undefined =>
  table[productId]?.eventTypes ?? (families.has(productId) ? [] : undefined);

/** Whether a product has an event type. */
export function hasEvent(productId: string, eventType: string): boolean {
  const beginning = families.get(productId);
  return (
    eventTypesOf(productId)?.includes(eventType) === true ||
    (beginning !== undefined && eventType.startsWith(beginning))
  );
}

/** The products that an event type belongs to; empty for one that is not known. */
export const productsWith = (eventType: string): readonly string[] =>
  [...Object.keys(table), ...families.keys()].filter((productId) => hasEvent(productId, eventType));
