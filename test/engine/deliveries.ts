// Deliveries of events as the platform makes them.

let made = 0;

/** The body of a delivery about a thing, in the newest version. */
export function delivery(type: string, data: object, more: object = {}): string {
  made += 1;
  return JSON.stringify({
    ...{ eventType: type, webhookId: 'webhook-1', productId: 'recurringBilling', organizationId: 'harbour_audio_test' },
    ...{
      eventDate: '2026-01-15T09:00:00.000Z',
      transactionTraceId: `trace-${made}`,
      retryNumber: 0,
      requestType: 'NEW',
    },
    payload: { data, organizationId: 'harbour_audio_test' },
    ...more,
  });
}

/** The same delivery, tried again. */
export const again = (body: string): string =>
  JSON.stringify({ ...(JSON.parse(body) as object), retryNumber: 1, requestType: 'RETRY' });
