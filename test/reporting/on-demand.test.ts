import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import type { Platform } from '../../src/client/platform.ts';
import { captured, refunded } from '../engine/conversion.ts';
import { correctedAccount, report, reviewedPayment } from '../engine/reporting.ts';
import { agent, world } from '../engine/support.ts';
import { Bench, host, signed } from '../sandbox/support.ts';
import { inYen } from './in-yen.ts';

const card = { paymentInformation: { instrumentIdentifier: { id: 'FACE00000000000000000000000D0001' } } };
const amounts = (totalAmount: string, currency = 'USD') => ({
  orderInformation: { amountDetails: { totalAmount, currency } },
});
const january = { startTime: '2026-01-01T00:00:00Z', endTime: '2026-02-01T00:00:00Z' };
const reports = ['conversion-details', 'notification-of-changes', 'purchase-refund-details', 'net-fundings'] as const;

const pathOf = (name: string, query: Readonly<Record<string, string>> = january): string =>
  `/reporting/v3/${name}?${new URLSearchParams(query)}`;

/** A sandbox in which 100.00 USD were captured and 40.00 of them refunded. */
async function withSale() {
  const bench = new Bench();
  const { body: payment } = await bench.call('POST', '/pts/v2/payments', { ...card, ...amounts('100.00') });
  const { body: capture } = await bench.call('POST', `/pts/v2/payments/${payment.id}/captures`, amounts('100.00'));
  const { body: refund } = await bench.call('POST', `/pts/v2/captures/${capture.id}/refunds`, amounts('40.00'));
  return { bench, payment, capture, refund };
}

async function get(bench: Bench, path: string, accept: string) {
  const headers = (all: Record<string, string>) => {
    all.accept = accept;
  };
  const response = await bench.sandbox.handle(
    signed(`http://${host}`, 'GET', path, undefined, { at: bench.wall, headers }),
  );
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
}

describe('every report on demand', () => {
  it.each(reports)('%s answers 404 where there is nothing to tell', async (name) => {
    expect((await new Bench().call('GET', pathOf(name))).status).toBe(404);
  });

  it.each(reports)('%s takes both times, the end after the start', async (name) => {
    const bench = new Bench();
    const { startTime, endTime } = january;
    for (const [query, field] of [
      [{ startTime }, 'endTime'],
      [{ endTime }, 'startTime'],
      [{ startTime: 'yesterday', endTime }, 'startTime'],
      [{ startTime: endTime, endTime }, 'endTime'],
    ] as const) {
      const { status, body } = await bench.call('GET', pathOf(name, query));
      expect([status, body.details[0].field]).toEqual([400, field]);
    }
  });
});

describe('net funding', () => {
  it('is purchases less refunds, fees and chargebacks', async () => {
    const { bench, capture } = await withSale();
    await bench.control('POST', 'chargebacks', { transaction: capture.id });
    const { body } = await bench.call('GET', pathOf('net-fundings'));
    const fees = '2.13';
    expect(body).toMatchObject({
      totalPurchases: [{ currency: 'USD', value: '100.00' }],
      totalRefunds: [{ currency: 'USD', value: '40.00' }],
      totalFees: [{ currency: 'USD', value: fees }],
      totalChargebacks: [{ currency: 'USD', value: '100.00' }],
      netTotal: [{ currency: 'USD', value: '-42.13' }],
    });
    expect(
      body.netFundingSummaries.map(({ type, fundedCount }: Record<string, unknown>) => [type, fundedCount]),
    ).toEqual(['PURCHASES', 'REFUNDS', 'FEES', 'CHARGEBACKS'].map((type) => [type, 1]));
  });

  it('takes back only what was paid', async () => {
    const { bench, refund } = await withSale();
    for (const transaction of ['nothing', refund.id])
      expect((await bench.control('POST', 'chargebacks', { transaction })).status).toBe(404);
  });
});

describe('purchase and refund detail', () => {
  it('joins the parts of each request', async () => {
    const { bench, payment, capture, refund } = await withSale();
    const { body } = await bench.call('GET', pathOf('purchase-refund-details'));
    const ids = [capture.id, refund.id].toSorted();
    expect(body).toMatchObject({ offset: 0, limit: 2000, pageResults: 2 });
    for (const part of ['requestDetails', 'settlements', 'feeAndFundingDetails', 'settlementStatuses'])
      expect(body[part].map((it: { requestId: string }) => it.requestId)).toEqual(ids);
    expect(body.authorizations).toMatchObject([{ requestId: capture.id, authorizationRequestId: payment.id }]);
    const sale = body.feeAndFundingDetails.find((it: { requestId: string }) => it.requestId === capture.id);
    expect(sale).toMatchObject({
      ...{ interchangePercentageAmount: '1.50', discountAmount: '0.50', duesAssessments: '0.13' },
      ...{ totalFee: '2.13', fundingAmount: '97.87', fundingCurrency: 'USD' },
    });
  });

  it('RP-10 has pages, and past the last one no embedded object', async () => {
    const { bench } = await withSale();
    const page = (more: Record<string, string>) =>
      bench.call('GET', pathOf('purchase-refund-details', { ...january, ...more }));
    expect((await page({ limit: '1', offset: '1' })).body).toMatchObject({ offset: 1, limit: 1, pageResults: 1 });
    expect(await page({ offset: '2' })).toEqual({ status: 200, body: { offset: 2, limit: 2000, pageResults: 0 } });
    for (const [field, more] of [
      ['limit', { limit: '2001' }],
      ['limit', { limit: '0' }],
      ['offset', { offset: '-1' }],
      ['viewBy', { viewBy: 'moon' }],
      ['paymentSubtype', { paymentSubtype: 'XX' }],
    ] as const) {
      const { status, body } = await page(more);
      expect([status, body.details[0].field]).toEqual([400, field]);
    }
  });

  it('keeps what was paid by the cards of one network', async () => {
    const { bench } = await withSale();
    const of = (paymentSubtype: string) =>
      bench.call('GET', pathOf('purchase-refund-details', { ...january, paymentSubtype, viewBy: 'submissionDate' }));
    expect((await of('ALL')).status).toBe(200);
    expect((await of('DI')).status).toBe(404);
  });

  it.each([
    ['MC', 'Mastercard'],
    ['AX', 'AMERICAN EXPRESS'],
    ['DI', 'DISCOVER'],
    ['VI', 'VI'],
  ])('keeps for %s what was paid by a card of %s', async (code, network) => {
    const { bench } = await withSale();
    const [fixture] = (await bench.control('GET', 'fixtures')).body.cards;
    await bench.control('POST', 'fixtures', { cards: [{ ...fixture, network }] });
    const found = ['MC', 'AX', 'DI', 'VI', 'DP'].map(async (paymentSubtype) => {
      const { status } = await bench.call('GET', pathOf('purchase-refund-details', { ...january, paymentSubtype }));
      return status === 200 ? [paymentSubtype] : [];
    });
    expect((await Promise.all(found)).flat()).toEqual([code]);
  });
});

describe('RP-11 the format', () => {
  it('is CSV or XML for two of the reports where that is asked for, and never both', async () => {
    const { bench, capture } = await withSale();
    const path = pathOf('purchase-refund-details');
    const csv = await get(bench, path, 'text/csv');
    expect([csv.status, csv.type]).toEqual([200, 'text/csv']);
    const rows: readonly Record<string, string>[] = parse(csv.text, { columns: true });
    expect(rows.find(({ requestId }) => requestId === capture.id)).toMatchObject({
      ...{
        transactionType: 'Purchase',
        amount: '100.00',
        currencyCode: 'USD',
        totalFee: '2.13',
        fundingAmount: '97.87',
      },
    });
    expect(rows.map(({ fundingAmount }) => fundingAmount).toSorted()).toEqual(['-40.00', '97.87']);
    const xml = await get(bench, path, 'application/xml');
    expect([xml.status, xml.type, xml.text.match(/<PurchaseRefundDetail>/g)?.length]).toEqual([
      ...[200, 'application/xml', 2],
    ]);
    expect((await get(bench, path, 'text/csv, application/xml')).status).toBe(400);
    for (const name of ['net-fundings', 'payment-batch-summaries']) {
      const query = {
        startTime: '2026-01-01T00:00:00.000Z',
        endTime: '2026-02-01T00:00:00.000Z',
      };
      expect(await get(bench, pathOf(name, query), 'text/csv')).toMatchObject({
        status: 200,
        type: 'application/json',
      });
    }
  });
});

describe('the XML', () => {
  const schemaOf = (element: string, columns: Readonly<Record<string, string>>): string => `<?xml version="1.0"?>
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" elementFormDefault="qualified">
  <xs:element name="${element}s"><xs:complexType><xs:sequence>
    <xs:element name="${element}" maxOccurs="unbounded"><xs:complexType><xs:sequence>
${Object.entries(columns)
  .map(([name, type]) => `<xs:element name="${name}" type="xs:${type}" minOccurs="0"/>`)
  .join('\n')}
    </xs:sequence></xs:complexType></xs:element>
  </xs:sequence></xs:complexType></xs:element>
</xs:schema>`;

  it('of purchases and refunds is valid under a schema of ours', async () => {
    const { bench } = await withSale();
    const { text: xml } = await get(bench, pathOf('purchase-refund-details'), 'application/xml');
    const schema = schemaOf('PurchaseRefundDetail', {
      ...{ requestId: 'string', merchantReferenceNumber: 'string', transactionType: 'string' },
      ...{ submissionTime: 'dateTime', amount: 'decimal', currencyCode: 'string', paymentMethod: 'string' },
      ...{ totalFee: 'decimal', fundingAmount: 'decimal' },
    });
    expect(await validateXML({ xml, schema })).toMatchObject({ valid: true, errors: [] });
  });

  it('of decisions is valid under a schema of ours', async () => {
    const it = await world();
    await reviewedPayment(it);
    const said = await it.call('get_conversion_details', { from: report().from, until: report().until, format: 'xml' });
    const page = await it.running.engine.of('default').filePage(agent, said.file?.handle ?? '', 1);
    const schema = schemaOf('ConversionDetail', {
      ...{ merchantReferenceNumber: 'string', conversionTime: 'dateTime', requestId: 'string' },
      ...{ originalDecision: 'string', newDecision: 'string', reviewer: 'string', queue: 'string' },
    });
    expect(await validateXML({ xml: page?.text ?? '', schema })).toMatchObject({ valid: true, errors: [] });
  });
});

describe('the tools', () => {
  const range = { from: report().from, until: report().until };

  it('sum a page of purchases and refunds, and page on', async () => {
    const it = await world();
    await refunded(it);
    const first = await it.call('get_purchase_refund_details', { ...range, limit: 1 });
    expect(first).toMatchObject({ outcome: 'done', data: { count: 1, more: '1' } });
    const second = await it.call('get_purchase_refund_details', { ...range, limit: 1, cursor: first.data.more });
    expect(second.data).toMatchObject({ count: 1, more: '2' });
    expect(await it.call('get_purchase_refund_details', { ...range, limit: 1, cursor: '2' })).toMatchObject({
      ...{ outcome: 'done', data: { items: [], totals: [], count: 0 } },
    });
    const { data } = await it.call('get_purchase_refund_details', range);
    expect(data.totals).toEqual([{ currency: 'USD', purchases: '100.00', refunds: '100.00', fees: '2.13' }]);
    expect(data.items[0].type).toBeDefined();
  });

  it('have the whole of it in a file, and say where there is more', async () => {
    const limits: (string | null)[] = [];
    const noted =
      (real: Platform): Platform =>
      (request) => {
        const { pathname, searchParams } = new URL(request.url);
        if (pathname.endsWith('/purchase-refund-details')) limits.push(searchParams.get('limit'));
        return real(request);
      };
    const it = await world({ replace: { platform: noted } });
    await refunded(it);
    const whole = await it.call('get_purchase_refund_details', { ...range, format: 'csv' });
    expect([whole.file?.rows, whole.data.more]).toEqual([2, undefined]);
    const part = await it.call('get_purchase_refund_details', { ...range, format: 'csv', limit: 1 });
    expect([part.file?.rows, part.data.more]).toEqual([1, '1']);
    await it.call('get_purchase_refund_details', range);
    // The document's default, what was asked for, and a page that an agent reads.
    expect(limits).toEqual(['2000', '1', '20']);
  });

  it('has no totals of a currency for which the platform states an amount that it cannot have', async () => {
    const it = await world({ replace: { platform: inYen } });
    await refunded(it);
    const { outcome, data } = await it.call('get_purchase_refund_details', range);
    expect([outcome, data.count, data.totals]).toEqual(['done', 2, []]);
  });

  it.each(['get_purchase_refund_details', 'get_conversion_details'])(
    '%s gives a file where one is asked for',
    async (tool) => {
      const it = await world();
      await captured(it);
      await reviewedPayment(it);
      for (const [format, type] of [
        ['csv', 'text/csv'],
        ['xml', 'application/xml'],
      ]) {
        const said = await it.call(tool, { ...range, format });
        expect(said).toMatchObject({ outcome: 'done', file: { type } });
        expect(said.file?.rows).toBeGreaterThan(0);
        expect(said.data.items).toBeUndefined();
      }
      expect(await it.call(tool, { ...range, format: 'csv, xml' })).toMatchObject({
        ...{ outcome: 'refused', error: { rule: 'RP-11', field: 'format' } },
      });
    },
  );

  it('say what became of a payment that was held for review', async () => {
    const it = await world();
    await reviewedPayment(it);
    expect((await it.call('get_conversion_details', range)).data.items).toMatchObject([
      { reference: 'A-1', was: 'REVIEW', is: 'ACCEPT' },
    ]);
  });

  it('show of an account its last characters alone', async () => {
    const it = await world();
    await correctedAccount(it, { consumerName: 'Ada Example' });
    const said = await it.call('get_notification_of_changes', range);
    expect(said.data.items).toMatchObject([{ account_end: '6789', routing_end: '3284', name: 'Ada Example' }]);
    expect(JSON.stringify(said)).not.toMatch(/000123456789|071923284/);
  });

  it('sum what was paid out', async () => {
    const it = await world();
    await captured(it);
    expect((await it.call('get_net_fundings', range)).data).toMatchObject({
      purchases: [{ currency: 'USD', amount: '100.00' }],
      net: [{ currency: 'USD', amount: '97.87' }],
    });
  });
});
