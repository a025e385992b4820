import { Bench, host, signed, type Told } from '../sandbox/support.ts';

// What tests of invoicing share: invoices as a client of the platform sends them, and a customer who pays.

export const path = '/invoicing/v2/invoices';
export const customer = { name: 'Ada Example', email: 'ada@example.com' };

/** Members that differ from those of a plain draft. */
export interface Change {
  readonly information?: object;
  readonly amounts?: object;
  readonly lines?: readonly object[];
  readonly rest?: object;
}

/** A plain invoice of 40.00 USD that is due on 1 March. */
export const invoice = (mode: keyof typeof modes, { information, amounts, lines, rest }: Change = {}) => ({
  customerInformation: customer,
  invoiceInformation: { ...modes[mode], description: 'Repair of a loudspeaker', dueDate: '2026-03-01', ...information },
  orderInformation: {
    amountDetails: { totalAmount: '40.00', currency: 'USD', ...amounts },
    ...(lines === undefined ? {} : { lineItems: lines }),
  },
  ...rest,
});

/** Creation modes of document 2, and the email draft of its table of types. */
export const modes = {
  draft: { deliveryMode: 'none', sendImmediately: false },
  send: { deliveryMode: 'email', sendImmediately: true },
  share: { deliveryMode: 'none', sendImmediately: true },
  emailDraft: { deliveryMode: 'email', sendImmediately: false },
} as const;

export const line = (sku: string, quantity: number, unitPrice: string, totalAmount: string, more: object = {}) => ({
  ...{ productSku: sku, productName: `Product ${sku}`, quantity, unitPrice, totalAmount },
  ...more,
});

/** A sandbox with a merchant who bills and a customer who pays. */
export class Shop extends Bench {
  create(mode: keyof typeof modes, change: Change = {}): Promise<Told> {
    return this.call('POST', path, invoice(mode, change));
  }

  /** Creates an invoice and answers its number and link. */
  async billed(mode: keyof typeof modes, change: Change = {}): Promise<{ readonly id: string; readonly link: string }> {
    const { status, body } = await this.create(mode, change);
    if (status !== 201) throw new Error(JSON.stringify(body));
    return { id: body.id, link: body.invoiceInformation.paymentLink };
  }

  read(id: string): Promise<Told> {
    return this.get(`${path}/${id}`);
  }

  get(at: string): Promise<Told> {
    return this.send(signed(`http://${host}`, 'GET', at, undefined, { at: this.wall }));
  }

  replace(id: string, body: object): Promise<Told> {
    return this.call('PUT', `${path}/${id}`, body);
  }

  deliver(id: string): Promise<Told> {
    return this.call('POST', `${path}/${id}/delivery`, {});
  }

  void(id: string): Promise<Told> {
    return this.call('POST', `${path}/${id}/cancelation`, {});
  }

  pay(link: string, body: object = {}): Promise<Told> {
    return this.send(new Request(link, { method: 'POST', body: JSON.stringify(body) }));
  }

  visit(link: string): Promise<Told> {
    return this.send(new Request(link));
  }

  async status(id: string): Promise<string> {
    return (await this.read(id)).body.status;
  }

  at(now: string | number): Promise<Told> {
    return this.control('POST', 'clock', { now });
  }

  async emails(): Promise<
    readonly { readonly to: string; readonly template: string; readonly fields: Record<string, string> }[]
  > {
    return (await this.control('GET', 'outbox')).body.emails;
  }

  async events(): Promise<readonly string[]> {
    const { body } = await this.control('GET', 'events');
    return body.events.map(({ eventType }: { eventType: string }) =>
      eventType.replace('invoicing.customer.invoice.', ''),
    );
  }
}
