import type { OutgoingRequest } from '../../src/sandbox/domain.ts';
import { Bench, credentials, type Told } from '../sandbox/support.ts';

// What tests of webhook subscriptions share: the platform, and an address that takes its deliveries, or does not.

export const path = '/notification-subscriptions/v2/webhooks';
export const organizationId = credentials.merchantId;
export const lookup = `${path}?organizationId=${organizationId}`;

/** A subscription as a client of the platform creates it. */
export const subscription = (change: object = {}) => ({
  name: 'Invoices',
  description: 'For the books',
  organizationId,
  products: [
    {
      productId: 'customerInvoicing',
      eventTypes: ['invoicing.customer.invoice.send', 'invoicing.customer.invoice.cancel'],
    },
  ],
  webhookUrl: 'http://127.0.0.1:9/webhooks/platform',
  healthCheckUrl: 'http://127.0.0.1:9/health',
  notificationScope: 'SELF',
  retryPolicy: policy(),
  securityPolicy: { securityType: 'KEY', proxyType: 'external' },
  ...change,
});

/** The retry policy that samples of public clients send. */
export const policy = (change: object = {}) => ({
  ...{ algorithm: 'ARITHMETIC', firstRetry: 1, interval: 1, numberOfRetries: 3, deactivateFlag: 'false' },
  ...{ repeatSequenceCount: 0, repeatSequenceWaitTime: 0 },
  ...change,
});

/** An invoice that is sent at once, which is an event. */
export const bill = {
  customerInformation: { name: 'Ada Example', email: 'ada@example.com' },
  invoiceInformation: { deliveryMode: 'email', sendImmediately: true, description: 'Repair', dueDate: '2026-03-01' },
  orderInformation: { amountDetails: { totalAmount: '40.00', currency: 'USD' } },
};

export interface Sent extends OutgoingRequest {
  /** The virtual time at which it fell due, in minutes after the test began. */
  readonly minute: number;
}

/** A sandbox whose deliveries are taken by the test. */
export class Desk extends Bench {
  readonly sent: Sent[] = [];
  /** What the next deliveries are answered; 200 once it is used up. */
  answers: (number | null)[] = [];
  /** Answers everything with this, where it is set. */
  always: number | null | undefined;

  constructor() {
    super({ send: (request) => this.#take(request) });
  }

  async #take(request: OutgoingRequest): Promise<number | null> {
    this.sent.push({ ...request, minute: (request.due - Date.UTC(2026, 0, 15, 9)) / 60_000 });
    if (this.always !== undefined) return this.always;
    return this.answers.length === 0 ? 200 : (this.answers.shift() ?? null);
  }

  create(change: object = {}): Promise<Told> {
    return this.call('POST', path, subscription(change));
  }

  /** A subscription that is switched on; answers its id. */
  async on(change: object = {}): Promise<string> {
    const { body } = await this.create(change);
    await this.status(body.webhookId, 'ACTIVE');
    return body.webhookId;
  }

  status(id: string, status: string): Promise<Told> {
    return this.call('PUT', `${path}/${id}/status`, { status });
  }

  list(query = ''): Promise<Told> {
    return this.call('GET', `${lookup}${query}`);
  }

  /** Sends an invoice, which is an event. */
  async bill(): Promise<string> {
    const { body } = await this.call('POST', '/invoicing/v2/invoices', bill);
    return body.id;
  }

  async after(duration: string): Promise<void> {
    await this.control('POST', 'clock', { advance: duration });
    await this.sandbox.deliver();
  }

  /** How each delivery stands, oldest first. */
  async deliveries(): Promise<
    readonly { state: string; attempts: { status: number | null }[]; next: string | null }[]
  > {
    return (await this.control('GET', 'deliveries')).body.deliveries;
  }
}
