import { describe, expect, it } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import { host, signed } from '../sandbox/support.ts';
import { customer, invoice, line, path, Shop } from './sandbox.ts';

const refused = (reason: string, field?: string, why = 'INVALID_DATA') => ({
  status: 400,
  body: { status: 'BADREQUEST', reason, ...(field === undefined ? {} : { details: [{ field, reason: why }] }) },
});

describe('a new invoice', () => {
  it.each(['.', '..', '...', 'A\u0000', 'A\nB', '\ud800'])(
    'has no number that can not stand in its address: %j',
    async (invoiceNumber) => {
      const shop = new Shop();
      expect(await shop.create('draft', { information: { invoiceNumber } })).toMatchObject(
        refused('VALIDATION_ERRORS', 'invoiceInformation.invoiceNumber'),
      );
      expect(await shop.create('draft', { information: { invoiceNumber: `A${'.'.repeat(3)}` } })).toMatchObject({
        status: 201,
        body: { _links: { self: { href: '/v2/invoices/A...' } } },
      });
    },
  );

  it.each([
    ['draft', 'DRAFT', [], []],
    ['emailDraft', 'DRAFT', [], []],
    ['send', 'SENT', ['invoice'], ['send']],
    ['share', 'CREATED', [], []],
  ] as const)('created to %s is %s', async (mode, status, mails, events) => {
    const shop = new Shop();
    const made = await shop.create(mode);
    expect(made).toMatchObject({ status: 201, body: { status, id: '1' } });
    expect((await shop.emails()).map(({ template }) => template)).toEqual(mails);
    expect(await shop.events()).toEqual(events);
  });

  it('is answered with everything that was sent, amounts as numbers, and the same again when it is read', async () => {
    const shop = new Shop();
    const sent = invoice('send', {
      information: { expirationDate: '01-04-2026', invoiceNumber: 'A-7', allowPartialPayments: true },
      amounts: {
        totalAmount: '56.71',
        discountAmount: '1.00',
        minimumPartialAmount: '5.00',
        taxDetails: { type: 'State', rate: '10' },
      },
      lines: [line('C-1', 2, '20.00', '40.00'), line('C-2', 1, '12.55', '12.55')],
      rest: { merchantDefinedFieldValues: [{ definitionId: 3, value: 'north' }] },
    });
    const made = await shop.call('POST', path, sent);
    const whole = {
      id: 'A-7',
      status: 'SENT',
      customerInformation: customer,
      processingInformation: { requestPhone: false, requestShipping: false },
      invoiceInformation: {
        ...{
          invoiceNumber: 'A-7',
          description: 'Repair of a loudspeaker',
          dueDate: '2026-03-01',
          deliveryMode: 'Email',
        },
        ...{ expirationDate: '2026-04-01', allowPartialPayments: true },
        paymentLink: expect.stringMatching(/^http:\/\/sandbox\.purser\.test\/pay\/[\w-]{32}$/),
      },
      orderInformation: {
        amountDetails: {
          ...{ totalAmount: 56.71, balanceAmount: 56.71, currency: 'USD', discountAmount: 1, minimumPartialAmount: 5 },
          taxDetails: { type: 'State', rate: 10 },
        },
        lineItems: [
          { productSku: 'C-1', productName: 'Product C-1', quantity: 2, unitPrice: 20, totalAmount: 40 },
          { productSku: 'C-2', productName: 'Product C-2', quantity: 1, unitPrice: 12.55, totalAmount: 12.55 },
        ],
      },
      merchantDefinedFieldValuesWithDefinition: [{ definitionId: 3, value: 'north' }],
      _links: {
        self: { href: '/v2/invoices/A-7', method: 'GET' },
        update: { href: '/v2/invoices/A-7', method: 'PUT' },
        deliver: { href: '/v2/invoices/A-7/delivery', method: 'POST' },
        cancel: { href: '/v2/invoices/A-7/cancelation', method: 'POST' },
      },
    };
    expect(made.body).toMatchObject(whole);
    expect((await shop.read('A-7')).body).toMatchObject({
      ...whole,
      invoiceHistory: [{ event: 'SEND' }, { event: 'CREATE' }],
    });
  });

  it('is answered with what nobody knows as it was sent, whatever it is called and wherever it stands', async () => {
    const shop = new Shop();
    const unknown = { note: 'hello', code: '007', tags: ['1', { deep: '2' }], 'taxDetails.amount': 'x', nothing: null };
    const lines = [line('C-1', 2, '20.00', '40.00', { productCode: 'abc', ...unknown })];
    const taxDetails = { type: '7', rate: '0', ...unknown };
    const made = await shop.create('draft', { amounts: { ...unknown, taxDetails }, lines });
    const answered = {
      amountDetails: {
        ...{ totalAmount: 40, balanceAmount: 40, currency: 'USD', ...unknown },
        taxDetails: { type: '7', rate: 0, ...unknown },
      },
      lineItems: [
        {
          ...{ productSku: 'C-1', productName: 'Product C-1', quantity: 2, unitPrice: 20, totalAmount: 40 },
          ...{ productCode: 'abc', ...unknown },
        },
      ],
    };
    expect([made.status, made.body.orderInformation]).toEqual([201, answered]);
    expect((await shop.read(made.body.id)).body.orderInformation).toEqual(answered);
  });

  it.each([{}, { code: 'order-1' }, { partner: {} }])(
    'takes a reference without a partner, who is optional: %j',
    async (clientReferenceInformation) => {
      expect((await new Shop().create('draft', { rest: { clientReferenceInformation } })).status).toBe(201);
    },
  );

  it('takes the next number that is free, and no number twice (IN-07)', async () => {
    const shop = new Shop();
    await shop.create('draft', { information: { invoiceNumber: '2' } });
    const numbers = [await shop.create('draft'), await shop.create('draft')].map(({ body }) => body.id);
    expect(numbers).toEqual(['1', '3']);
    expect(await shop.create('draft', { information: { invoiceNumber: '2' } })).toMatchObject(
      refused('DUPLICATE_RECORD', 'invoiceInformation.invoiceNumber'),
    );
  });

  it.each([
    [
      'a description, where there are no lines (IN-02)',
      'draft',
      { description: undefined },
      'invoiceInformation.description',
    ],
    ['a due date (IN-02)', 'draft', { dueDate: undefined }, 'invoiceInformation.dueDate'],
    ['a delivery mode (IN-02)', 'draft', { deliveryMode: undefined }, 'invoiceInformation.deliveryMode'],
  ] as const)('is refused without %s', async (_, mode, information, field) => {
    expect(await new Shop().create(mode, { information })).toMatchObject(
      refused('VALIDATION_ERRORS', field, 'MISSING_FIELD'),
    );
  });

  it('takes amounts that the document lists as numbers in either form, and answers numbers', async () => {
    const shop = new Shop();
    for (const amounts of [
      { subAmount: 50, discountPercent: 20, minimumPartialAmount: 5.5 },
      { subAmount: '50.00', discountPercent: '20', minimumPartialAmount: '5.50' },
    ])
      expect(
        (await shop.create('share', { information: { allowPartialPayments: true }, amounts })).body.orderInformation,
      ).toMatchObject({
        amountDetails: { subAmount: 50, discountPercent: 20, minimumPartialAmount: 5.5, totalAmount: 40 },
      });
    const wrong = await shop.create('share', { amounts: { subAmount: 50.0001 } });
    expect([wrong.status, wrong.body.details]).toEqual([
      400,
      [{ field: 'orderInformation.amountDetails.subAmount', reason: 'INVALID_DATA' }],
    ]);
  });

  it.each([{}, { code: 'order-7' }, { partner: {} }, { partner: { solutionId: 'S-1' } }])(
    'needs no partner: %j',
    async (clientReferenceInformation) => {
      const shop = new Shop();
      const { id } = await shop.billed('draft', { rest: { clientReferenceInformation } });
      const changed = invoice('draft', { rest: { clientReferenceInformation } });
      expect((await shop.replace(id, changed)).status).toBe(200);
    },
  );

  it('is refused by e-mail without an address, and taken without one where its link is shared (IN-02)', async () => {
    const shop = new Shop();
    const { customerInformation: _, ...nobody } = invoice('send');
    expect(await shop.call('POST', path, nobody)).toMatchObject({ status: 400, body: { reason: 'VALIDATION_ERRORS' } });
    expect(await shop.create('share', { rest: { customerInformation: undefined } })).toMatchObject({ status: 201 });
  });

  it('has discount and tax on the total or on lines (IN-03)', async () => {
    const shop = new Shop();
    const lines = [line('C-1', 2, '20.00', '39.00', { discountAmount: '1.00' })];
    expect(
      await shop.create('draft', { lines, amounts: { totalAmount: '38.00', discountAmount: '1.00' } }),
    ).toMatchObject(refused('VALIDATION_ERRORS', 'orderInformation.amountDetails.discountAmount'));
    expect(await shop.create('draft', { lines, amounts: { totalAmount: '39.00' } })).toMatchObject({ status: 201 });
  });

  it(`has at most ${limits.invoiceLineElements} lines (IN-04)`, async () => {
    const shop = new Shop();
    const lines = (count: number) => Array.from({ length: count }, (_, index) => line(`C-${index}`, 1, '1.00', '1.00'));
    expect(await shop.create('draft', { lines: lines(30), amounts: { totalAmount: '30.00' } })).toMatchObject({
      status: 201,
    });
    expect(await shop.create('draft', { lines: lines(31), amounts: { totalAmount: '31.00' } })).toMatchObject(
      refused('VALIDATION_ERRORS', 'orderInformation.lineItems'),
    );
  });

  // biome-ignore format: a table
  it.each([
    ['a line that does not add up', { lines: [line('C-1', 2, '20.00', '39.99')] },
      'orderInformation.lineItems[0].totalAmount'],
    ['a total that is not that of its lines', { lines: [line('C-1', 1, '39.99', '39.99')] },
      'orderInformation.amountDetails.totalAmount'],
    ['a total without its freight', { amounts: { subAmount: '40.00', freight: { amount: '3.00' } } },
      'orderInformation.amountDetails.totalAmount'],
    ['lines that are not the sub-amount',
      { lines: [line('C-1', 2, '20.00', '40.00')], amounts: { subAmount: '41.00' } },
      'orderInformation.amountDetails.subAmount'],
    ['more decimals than the currency has', { amounts: { totalAmount: '40.001' } },
      'orderInformation.amountDetails.totalAmount'],
    ['decimals of a currency that has none', { amounts: { totalAmount: '40.50', currency: 'JPY' } },
      'orderInformation.amountDetails.totalAmount'],
    ['an amount that is a number', { amounts: { totalAmount: 40 } }, 'orderInformation.amountDetails.totalAmount'],
    ['nothing', { amounts: { totalAmount: '0.00' } }, 'orderInformation.amountDetails.totalAmount'],
    ['a least part above the whole', { amounts: { minimumPartialAmount: '40.01' } },
      'orderInformation.amountDetails.minimumPartialAmount'],
    ['more discount than goods', { amounts: { subAmount: '40.00', discountAmount: '40.01' } },
      'orderInformation.amountDetails.totalAmount'],
  ])('is refused with %s (IN-16)', async (_, change, field) => {
    expect(await new Shop().create('draft', change)).toMatchObject(refused('VALIDATION_ERRORS', field));
  });

  it('adds up in currencies with no and with three decimals', async () => {
    const shop = new Shop();
    const yen = { lines: [line('C-1', 3, '333', '999')], amounts: { totalAmount: '999', currency: 'JPY' } };
    const dinar = {
      amounts: { subAmount: '10.000', taxDetails: { rate: '5.5' }, totalAmount: '10.550', currency: 'KWD' },
    };
    expect([(await shop.create('draft', yen)).status, (await shop.create('draft', dinar)).status]).toEqual([201, 201]);
  });

  it('expires on a day that exists, written either way (IN-12)', async () => {
    const shop = new Shop();
    const made = async (expirationDate: string) =>
      (await shop.create('draft', { information: { expirationDate } })).status;
    expect([await made('28-02-2026'), await made('2026-02-28'), await made('29-02-2028')]).toEqual([201, 201, 201]);
    expect([await made('29-02-2026'), await made('02-28-2026'), await made('2026-2-8'), await made('')]).toEqual([
      400, 400, 400, 400,
    ]);
  });
});

describe('an invoice that is not there', () => {
  it('is answered 404, in the error body of invoicing', async () => {
    const shop = new Shop();
    const not = { status: 404, body: { status: 'NOTFOUND', reason: 'NOTFOUND', submitTimeUtc: expect.any(String) } };
    expect(await shop.read('7')).toMatchObject(not);
    expect(await shop.deliver('7')).toMatchObject(not);
    expect(await shop.void('7')).toMatchObject(not);
    expect(await shop.replace('7', invoice('draft'))).toMatchObject(not);
  });
});

describe('an update', () => {
  it('replaces the whole: what is left out is gone (IN-06)', async () => {
    const shop = new Shop();
    const { id } = await shop.billed('draft', {
      information: { expirationDate: '01-04-2026' },
      rest: { processingInformation: { requestPhone: true } },
    });
    const { sendImmediately: _, ...information } = invoice('draft').invoiceInformation;
    const updated = await shop.replace(id, {
      ...invoice('draft', { amounts: { totalAmount: '41.00' } }),
      invoiceInformation: information,
    });
    expect(updated).toMatchObject({
      status: 200,
      body: { status: 'DRAFT', processingInformation: { requestPhone: false } },
    });
    expect(updated.body.invoiceInformation).not.toHaveProperty('expirationDate');
    expect(updated.body.orderInformation.amountDetails).toMatchObject({ totalAmount: 41, balanceAmount: 41 });
  });

  it('is refused once a part is paid, and so is a cancellation (IN-06, IN-10)', async () => {
    const shop = new Shop();
    const { id, link } = await shop.billed('send', { information: { allowPartialPayments: true } });
    await shop.pay(link, { amount: '1.00' });
    expect(await shop.replace(id, invoice('send'))).toMatchObject(refused('ACTION_NOT_ALLOWED'));
    expect(await shop.void(id)).toMatchObject(refused('ACTION_NOT_ALLOWED'));
    expect(await shop.status(id)).toBe('PARTIAL');
  });

  it('keeps the number (IN-07)', async () => {
    const shop = new Shop();
    const { id } = await shop.billed('draft');
    const numbered = (invoiceNumber: string) => shop.replace(id, invoice('draft', { information: { invoiceNumber } }));
    expect(await numbered('other')).toMatchObject(refused('VALIDATION_ERRORS', 'invoiceInformation.invoiceNumber'));
    expect(await numbered(id)).toMatchObject({ status: 200 });
  });

  it('makes no invoice amount-only; an amount-only one can get line items (IN-05)', async () => {
    const shop = new Shop();
    const lines = [line('C-1', 2, '20.00', '40.00')];
    const [plain, itemized] = [await shop.billed('draft'), await shop.billed('draft', { lines })];
    expect(await shop.replace(itemized.id, invoice('draft'))).toMatchObject(refused('ACTION_NOT_ALLOWED'));
    expect(await shop.replace(plain.id, invoice('draft', { information: { description: 'More' } }))).toMatchObject({
      status: 200,
    });
    expect(await shop.replace(plain.id, invoice('draft', { lines }))).toMatchObject({ status: 200 });
    expect(await shop.replace(plain.id, invoice('draft'))).toMatchObject(refused('ACTION_NOT_ALLOWED'));
    expect(
      await shop.replace(itemized.id, invoice('draft', { lines: [line('C-2', 1, '40.00', '40.00')] })),
    ).toMatchObject({ status: 200 });
  });

  it.each([{ taxDetails: {} }, { freight: {} }])(
    'IN-05: is of an amount-only invoice with an empty part, too: %j',
    async (empty) => {
      const shop = new Shop();
      const { id } = await shop.billed('draft', { amounts: empty });
      expect(await shop.replace(id, invoice('draft'))).toMatchObject({ status: 200 });
      const lines = [line('C-1', 2, '20.00', '40.00')];
      expect(await shop.replace(id, invoice('draft', { lines }))).toMatchObject({ status: 200 });
      expect(await shop.replace(id, invoice('draft', { amounts: empty }))).toMatchObject(refused('ACTION_NOT_ALLOWED'));
    },
  );

  it('with another e-mail address changes the link, and the old one is dead (IN-08)', async () => {
    const shop = new Shop();
    const { id, link } = await shop.billed('send');
    const same = await shop.replace(id, invoice('send'));
    expect(same.body.invoiceInformation.paymentLink).toBe(link);
    const moved = await shop.replace(
      id,
      invoice('send', { rest: { customerInformation: { ...customer, email: 'new@example.com' } } }),
    );
    const fresh = moved.body.invoiceInformation.paymentLink;
    expect(fresh).not.toBe(link);
    expect([(await shop.visit(link)).status, (await shop.pay(link)).status, (await shop.visit(fresh)).status]).toEqual([
      404, 404, 200,
    ]);
  });
});

describe('sending', () => {
  it('goes by state and delivery mode (IN-09)', async () => {
    const shop = new Shop();
    const [byMail, byHand, shared] = [
      await shop.billed('emailDraft'),
      await shop.billed('draft'),
      await shop.billed('share'),
    ];
    const told = async (id: string) => {
      const { status, body } = await shop.deliver(id);
      return [status, body.status];
    };
    expect(await told(byMail.id)).toEqual([200, 'SENT']);
    expect(await told(byMail.id)).toEqual([200, 'SENT']);
    expect(await told(byHand.id)).toEqual([200, 'CREATED']);
    expect(await told(shared.id)).toEqual([400, 'BADREQUEST']);
    expect((await shop.emails()).map(({ to }) => to)).toEqual([customer.email, customer.email]);
    expect((await shop.read(byMail.id)).body.invoiceHistory.map(({ event }: { event: string }) => event)).toEqual([
      'RESEND',
      'SEND',
      'DRAFT',
    ]);
  });

  it('reminds of what is left of an invoice that is paid in part', async () => {
    const shop = new Shop();
    const { id, link } = await shop.billed('send', { information: { allowPartialPayments: true } });
    await shop.pay(link, { amount: '30.00' });
    expect(await shop.deliver(id)).toMatchObject({ status: 200, body: { status: 'PARTIAL' } });
    expect((await shop.emails()).at(-1)?.fields).toMatchObject({ balanceAmount: '10.00', paymentLink: link });
    expect(await shop.events()).toEqual(['send', 'partial-payment', 'partial-resend']);
  });

  it('is over once it is paid or cancelled; only the link to itself remains', async () => {
    const shop = new Shop();
    const [paid, gone] = [await shop.billed('send'), await shop.billed('send')];
    await shop.pay(paid.link);
    const canceled = await shop.void(gone.id);
    expect(canceled).toMatchObject({ status: 200, body: { status: 'CANCELED' } });
    expect(Object.keys(canceled.body._links)).toEqual(['self']);
    expect(canceled.body.invoiceInformation).not.toHaveProperty('paymentLink');
    expect(await shop.deliver(paid.id)).toMatchObject(refused('ACTION_NOT_ALLOWED'));
    expect(await shop.deliver(gone.id)).toMatchObject(refused('ACTION_NOT_ALLOWED'));
    expect((await shop.visit(gone.link)).status).toBe(404);
    expect(await shop.events()).toEqual(['send', 'send', 'paid', 'cancel']);
  });

  it('opens the link of a draft by publishing, without an e-mail', async () => {
    const shop = new Shop();
    const { id, link } = await shop.billed('emailDraft');
    expect((await shop.visit(link)).status).toBe(404);
    expect(await shop.call('POST', `${path}/${id}/publication`, {})).toMatchObject({
      status: 200,
      body: { status: 'CREATED' },
    });
    expect((await shop.visit(link)).status).toBe(200);
    expect(await shop.emails()).toEqual([]);
  });
});

describe('a payment link', () => {
  it('of a draft is the merchant’s alone, and takes no payment (IN-11)', async () => {
    const shop = new Shop();
    const { id, link } = await shop.billed('draft');
    const merchants = (method: string, body?: string) =>
      shop.send(signed(`http://${host}`, method, new URL(link).pathname, body));
    expect([(await shop.visit(link)).status, (await shop.pay(link)).status]).toEqual([404, 404]);
    expect(await merchants('GET')).toMatchObject({
      status: 200,
      body: { invoice: id, status: 'DRAFT', totalAmount: 40 },
    });
    expect((await merchants('POST', '{}')).status).toBe(400);
  });

  it('shows what is asked for, and takes it once', async () => {
    const shop = new Shop();
    const { id, link } = await shop.billed('send');
    expect(await shop.visit(link)).toMatchObject({
      status: 200,
      body: { merchant: 'Harbour Audio', balanceAmount: 40, status: 'SENT' },
    });
    expect(await shop.pay(link)).toMatchObject({ status: 200, body: { status: 'PAID', balanceAmount: 0 } });
    expect((await shop.pay(link)).status).toBe(400);
    const [paid] = (await shop.read(id)).body.invoiceHistory;
    expect(paid).toMatchObject({
      event: 'PAYMENT',
      transactionDetails: { transactionId: expect.stringMatching(/^\d{22}$/), amount: 40 },
    });
  });

  it('takes parts where they are allowed, none below the least, and the rest whatever it is (IN-13)', async () => {
    const shop = new Shop();
    const { link } = await shop.billed('send', {
      information: { allowPartialPayments: true },
      amounts: { minimumPartialAmount: '15.00' },
    });
    const paid = async (amount: string) => {
      const { status, body } = await shop.pay(link, { amount });
      return [status, body.balanceAmount];
    };
    expect(await paid('14.99')).toEqual([400, undefined]);
    expect(await paid('15.00')).toEqual([200, 25]);
    expect(await paid('25.01')).toEqual([400, undefined]);
    expect(await paid('15.00')).toEqual([200, 10]);
    expect(await paid('9.99')).toEqual([400, undefined]);
    expect(await paid('10.00')).toEqual([200, 0]);
    expect(await shop.events()).toEqual(['send', 'partial-payment', 'partial-payment', 'paid']);
  });

  it('takes the whole alone where parts are not allowed (IN-13)', async () => {
    const shop = new Shop();
    const { link } = await shop.billed('send');
    expect([
      (await shop.pay(link, { amount: '39.99' })).status,
      (await shop.pay(link, { amount: '40.00' })).status,
    ]).toEqual([400, 200]);
  });

  it('keeps nothing of a card that is declined', async () => {
    const shop = new Shop();
    const { id, link } = await shop.billed('send');
    expect((await shop.pay(link, { card: 'declined' })).status).toBe(402);
    expect(await shop.status(id)).toBe('SENT');
  });

  it.each([
    [true, 'PAID', 'PAYMENT'],
    [false, 'SENT', 'REJECTED'],
  ])('holds a payment for review; accepted %s it is %s (D-22)', async (accepts, status, event) => {
    const shop = new Shop();
    const { id, link } = await shop.billed('send');
    expect(await shop.pay(link, { card: 'review' })).toMatchObject({ body: { status: 'PENDING', balanceAmount: 40 } });
    expect((await shop.pay(link)).status).toBe(400);
    await shop.control('POST', `invoices/${id}/review`, { accepts });
    const { body } = await shop.read(id);
    expect([body.status, body.invoiceHistory[0].event]).toEqual([status, event]);
  });

  it.each(['no', { amount: 5 }, { amount: '-1' }, { amount: '0' }, { amount: '1.001' }, { card: 'gold' }, []])(
    'refuses %j',
    async (body) => {
      const shop = new Shop();
      const { link } = await shop.billed('send', { information: { allowPartialPayments: true } });
      expect((await shop.pay(link, body as object)).status).toBe(400);
    },
  );

  it('is nobody’s where it was never given', async () => {
    const shop = new Shop();
    for (const token of ['', 'x', 'a'.repeat(32)])
      expect((await shop.visit(`http://${host}/pay/${token}`)).status).toBe(404);
  });
});

describe('a list', () => {
  it('pages, newest first, of one status where it is named', async () => {
    const shop = new Shop();
    for (const mode of ['draft', 'send', 'draft'] as const) await shop.create(mode);
    const listed = async (query: string) => {
      const { body } = await shop.get(`${path}?${query}`);
      return [body.totalInvoices, body.invoices.map(({ id }: { id: string }) => id)];
    };
    expect(await listed('offset=0&limit=2')).toEqual([3, ['3', '2']]);
    expect(await listed('offset=2&limit=2')).toEqual([3, ['1']]);
    expect(await listed('offset=9&limit=2')).toEqual([3, []]);
    expect(await listed('offset=0&limit=100&status=SENT')).toEqual([1, ['2']]);
    const { body } = await shop.get(`${path}?status=SENT&limit=100&offset=0`);
    expect(body._links.self.href).toBe('/v2/invoices?offset=0&limit=100&status=SENT');
  });

  it.each([
    'status=SENT',
    'offset=0',
    'limit=5',
    'offset=0&limit=0',
    'offset=0&limit=101',
    'offset=&limit=5',
    'offset=0&limit=5&status=GONE',
  ])('is refused with the query "%s"', async (query) => {
    expect(await new Shop().get(`${path}?${query}`)).toMatchObject({ status: 400, body: { status: 'BADREQUEST' } });
  });
});

describe('settings', () => {
  const at = '/invoicing/v2/invoiceSettings?productType=INVOICING';
  const put = (shop: Shop, settings: object) => shop.call('PUT', at, { invoiceSettingsInformation: settings });

  it('have defaults, keep what is sent, and go back to the default where a field comes with no value (IN-14)', async () => {
    const shop = new Shop();
    expect((await shop.get(at)).body.invoiceSettingsInformation).toMatchObject({
      defaultCurrencyCode: 'USD',
      payerAuthentication3DSVersion: false,
    });
    const changed = await put(shop, {
      defaultCurrencyCode: 'EUR',
      merchantDisplayName: 'Harbour',
      payerAuthenticationInInvoicing: 'enable',
      headerStyle: { backgroundColor: '#0a1B2c' },
    });
    expect(changed.body.invoiceSettingsInformation).toMatchObject({
      defaultCurrencyCode: 'EUR',
      merchantDisplayName: 'Harbour',
      payerAuthentication3DSVersion: true,
      headerStyle: { backgroundColor: '#0a1B2c' },
    });
    const back = await put(shop, { defaultCurrencyCode: '', merchantDisplayName: null });
    expect(back.body.invoiceSettingsInformation).toMatchObject({
      defaultCurrencyCode: 'USD',
      headerStyle: { backgroundColor: '#0a1B2c' },
    });
    expect(back.body.invoiceSettingsInformation).not.toHaveProperty('merchantDisplayName');
  });

  it('keep a label that is sent with no value (IN-14)', async () => {
    const shop = new Shop();
    await put(shop, {
      customLabels: [
        { key: 'tax', value: 'VAT' },
        { key: 'description', hidden: true },
      ],
    });
    const { body } = await put(shop, {
      customLabels: [{ key: 'tax', value: '', hiddenForItem: true }, { key: 'description' }],
    });
    expect(body.invoiceSettingsInformation.customLabels).toEqual([
      { key: 'tax', value: 'VAT', hiddenForItem: true },
      { key: 'description', hidden: true },
    ]);
    expect((await shop.create('draft')).body.invoiceInformation.customLabels).toHaveLength(2);
  });

  it('show on the payment page: labels, but those hidden from its kind of invoice, and what else is said of it (IN-14)', async () => {
    const shop = new Shop();
    const { link } = await shop.billed('share');
    const lines = [line('C-1', 1, '40.00', '40.00')];
    const itemized = await shop.billed('share', { lines, rest: { processingInformation: { requestPhone: true } } });
    expect((await shop.visit(link)).body).toMatchObject({ labels: { tax: 'tax', discount: 'discount' } });
    await put(shop, {
      headerStyle: { backgroundColor: '#0a1B2c' },
      ...{ vatRegistrationNumber: 'GB-1', showVatNumber: true },
      customLabels: [
        { key: 'tax', value: 'VAT', hiddenForItem: true },
        { key: 'discount', hiddenForInvoice: true },
        { key: 'description', hidden: true },
      ],
    });
    const common = { headerStyle: { backgroundColor: '#0a1B2c' }, vatRegistrationNumber: 'GB-1' };
    const { labels: ofPlain, ...plain } = (await shop.visit(link)).body;
    const { labels: ofLines, ...other } = (await shop.visit(itemized.link)).body;
    expect(plain).toMatchObject({ ...common, requestPhone: false, requestShipping: false });
    expect(other).toMatchObject({ ...common, requestPhone: true });
    const always = ['billTo', 'companyName', 'customerId', 'invoiceNumber', 'partialPayment', 'shipping'];
    expect(Object.keys(ofPlain).toSorted()).toEqual([...always, 'tax'].toSorted());
    expect(Object.keys(ofLines).toSorted()).toEqual([...always, 'discount'].toSorted());
    expect(ofPlain.tax).toBe('VAT');
    await put(shop, { showVatNumber: false });
    expect((await shop.visit(link)).body).not.toHaveProperty('vatRegistrationNumber');
  });

  it.each([
    ['a colour without #', { headerStyle: { backgroundColor: '0a1b2c' } }],
    ['a colour that is none', { headerStyle: { backgroundColor: '#0a1b2' } }],
    ['a label that is none', { customLabels: [{ key: 'total', value: 'Sum' }] }],
    ['a label that cannot be hidden', { customLabels: [{ key: 'shipping', hidden: true }] }],
    ['a label that cannot be hidden by product', { customLabels: [{ key: 'description', hiddenForItem: true }] }],
    ['a currency that is none', { defaultCurrencyCode: 'DOL' }],
    ['another word for payer authentication', { payerAuthenticationInInvoicing: 'on' }],
  ])('refuse %s (IN-14)', async (_, settings) => {
    expect(await put(new Shop(), settings)).toMatchObject(refused('VALIDATION_ERRORS'));
  });

  it('take a gif, jpg or png of at most one megabyte as logo, and nothing else (IN-14)', async () => {
    const shop = new Shop();
    const image = (bytes: number, ...head: number[]) => {
      const data = Buffer.alloc(bytes);
      Buffer.from(head).copy(data);
      return data.toString('base64');
    };
    const png = [0x89, 0x50, 0x4e, 0x47];
    const said = async (merchantLogo: string) => {
      const { status, body } = await put(shop, { merchantLogo });
      return status === 200 ? status : body.reason;
    };
    expect(await said(image(64, 0x47, 0x49, 0x46, 0x38))).toBe(200);
    expect(await said(image(64, 0xff, 0xd8, 0xff))).toBe(200);
    expect(await said(image(limits.logoBytes, ...png))).toBe(200);
    expect(await said(image(limits.logoBytes + 1, ...png))).toBe('INVALID_IMAGE');
    expect(await said(image(64, 0x42, 0x4d))).toBe('INVALID_IMAGE');
    expect(await said('no Base64!')).toBe('INVALID_IMAGE');
    expect((await put(shop, { merchantLogo: null })).status).toBe(200);
  });

  it('are needed for the product alone that they are of', async () => {
    expect((await new Shop().get('/invoicing/v2/invoiceSettings?productType=OTHER')).status).toBe(400);
  });

  it('tell the merchant of payments where they say so', async () => {
    const shop = new Shop();
    await put(shop, { enableMerchantEmailNotifications: true, merchantEmail: 'till@example.com' });
    await shop.pay((await shop.billed('share')).link);
    expect(await shop.emails()).toMatchObject([
      { to: 'till@example.com', template: 'invoicePayment', fields: { paid: '40.00' } },
    ]);
  });
});
