import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import { definitionNames } from '../../src/domains/reporting/definitions.ts';
import { fieldsOf } from '../../src/domains/reporting/sandbox/definitions.ts';
import { running } from '../engine/billing.ts';
import { authorized, captured, converted, offered, refunded } from '../engine/conversion.ts';
import { billed } from '../engine/invoicing.ts';
import { requestedReport, reviewedPayment } from '../engine/reporting.ts';
import { agent, type World, world } from '../engine/support.ts';

// What the rows of reports say of what happened, whatever domain it comes from.

const finished = limits.reportPendingSeconds + limits.reportQueuedSeconds + limits.reportRunningSeconds;

/** The rows of a report about January, with these fields; none where it has no data. */
async function rowsOf(
  it: World,
  definition: string,
  fields: readonly string[],
  more: object = {},
): Promise<readonly (readonly string[])[]> {
  const report = await requestedReport(it, { name: `${definition} ${fields.length}`, definition, fields, ...more });
  await it.advance(finished);
  const said = await it.call('download_report', { report });
  if (said.outcome === 'refused') return [];
  const page = await it.running.engine.of('default').filePage(agent, said.file?.handle ?? '', 1);
  const [, , ...rows] = parse(page?.text ?? '', { relax_column_count: true }) as string[][];
  return rows.toSorted((one, other) => (String(one) < String(other) ? -1 : 1));
}

describe('the rows of reports', () => {
  it('say how a price was converted: the question, the payment, the capture, and its refund', async () => {
    const it = await world();
    await offered(it, { reference: 'order-2', price: { amount: '7.00', currency: 'USD' } });
    const charge = await converted(it);
    const { capture } = (await it.through('capture_payment', { charge })).data;
    await it.through('refund_capture', { capture });
    const conversion = ['OriginalAmount', 'OriginalCurrency', 'TargetAmount', 'TargetCurrency', 'ExchangeRate'];
    const fields = ['Application.Name', ...conversion.map((name) => `PaymentData.${name}`), 'PaymentData.DCCIndicator'];
    const rated = ['100.00', 'USD', '157.00', 'AUD', '1.570029']; // the rate, with a markup of 3 %
    expect(await rowsOf(it, 'TransactionRequestClass', fields)).toEqual([
      ['authorization', ...rated, '1'],
      ['capture', ...rated, '1'],
      ['currency conversion', ...rated, ''],
      ['currency conversion', '7.00', 'USD', '10.99', 'AUD', '1.570029', ''],
      ['refund', ...rated, '1'],
    ]);
  });

  it('say why no conversion was offered', async () => {
    const it = await world();
    await it.control('POST', 'conversion', { reason: 'SERVICE_DISABLED' });
    await it.call('offer_conversion', {
      card: 'card_ada',
      reference: 'order-1',
      price: { amount: '7.00', currency: 'USD' },
    });
    expect(await rowsOf(it, 'TransactionRequestClass', ['Application.RFlag', 'Application.ReasonCode'])).toEqual([
      ['DECLINED', 'SERVICE_DISABLED'],
    ]);
  });

  it('tell the events that webhooks tell', async () => {
    const it = await world();
    await billed(it, { how: 'email' });
    const rows = await rowsOf(it, 'ProcessorEventsDetailClass', ['Event.Event', 'Event.ProcessorMessage']);
    expect(rows).toContainEqual(['invoicing.customer.invoice.send', 'customerInvoicing']);
  });

  it('tell of a payment that was held for review, and of the decision', async () => {
    const it = await world();
    await reviewedPayment(it);
    const fields = ['Request.MerchantReferenceNumber', 'Event.Event'];
    expect(await rowsOf(it, 'DecisionManagerEventDetailClass', fields)).toEqual([
      ['A-1', 'ACCEPT'],
      ['A-1', 'REVIEW'],
    ]);
    expect(
      await rowsOf(it, 'ConversionDetailClass', ['Conversion.OriginalDecision', 'Conversion.NewDecision']),
    ).toEqual([['REVIEW', 'ACCEPT']]);
  });

  it('say what is kept of a sale, what was funded, and what a customer took back: signed where that is asked for', async () => {
    const it = await world();
    await captured(it);
    await refunded(it, { reference: 'order-2' });
    const fees = ['InterchangeAmount', 'DiscountAmount', 'AssessmentAmount', 'TotalFeeAmount'].map(
      (name) => `Fee.${name}`,
    );
    expect(await rowsOf(it, 'FeeDetailClass', fees)).toEqual([
      ['1.50', '0.50', '0.13', '2.13'],
      ['1.50', '0.50', '0.13', '2.13'],
    ]);
    const funded = ['Funding.FundingAmount', 'Deposit.Amount', 'Settlement.SettlementAmount', 'PaymentData.Amount'];
    expect(await rowsOf(it, 'FundingDetailClass', funded, { signed: true })).toEqual([
      Array(4).fill('-100.00'),
      Array(4).fill('100.00'),
      Array(4).fill('100.00'),
    ]);
  });

  it('keep a text of others from becoming a formula, and never change an amount', async () => {
    const it = await world();
    const customer_name = "=cmd|' /C calc'!A0";
    await billed(it, { customer_name });
    expect(await rowsOf(it, 'InvoiceSummaryClass', ['BillTo.FirstName', 'PaymentData.Amount'])).toEqual([
      [`'${customer_name}`, '40.00'],
    ]);
  });

  it('tell of subscriptions and of what is not settled yet', async () => {
    const it = await world();
    await running(it);
    await authorized(it);
    const fields = ['Subscriptions.SubscriptionStatus', 'Subscriptions.PaymentsSuccess'];
    expect(await rowsOf(it, 'RecurringBillingDetailClass', fields)).toEqual([['ACTIVE', '1']]);
    expect(await rowsOf(it, 'AgingDetailClass', ['Application.Name', 'Settlement.Status'])).toEqual([
      ['authorization', 'P'],
    ]);
  });

  it.each(definitionNames)('%s can have every field that its definition names', async (definition) => {
    const it = await world();
    await it.advance(0);
    const fields = fieldsOf(definition);
    expect(
      await it.call('request_report', {
        ...{ name: 'All', definition, fields, format: 'csv' },
        ...{ from: '2026-01-01T00:00:00Z', until: '2026-02-01T00:00:00Z' },
      }),
    ).toMatchObject({ outcome: 'done' });
  });
});
