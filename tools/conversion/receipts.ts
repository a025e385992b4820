import { z } from 'zod';
import { spokenSum } from '../../src/core/money.ts';
import type { Thing } from '../../src/core/thing.ts';
import { isZero } from '../../src/domains/conversion/amounts.ts';
import { charge as machine } from '../../src/domains/conversion/machines.ts';
import type { Facts, Things } from '../../src/domains/facts.ts';
import { kindTable } from '../../src/domains/index.ts';
import { iso } from '../../src/engine/render.ts';
import { thing } from '../../src/engine/resolve.ts';
import { handleShown, ownWords, stateShown } from '../../src/engine/shown.ts';
import { type LocalTool, localTool } from '../../src/engine/tool.ts';
import { isEmpty, many, narrowed, page, paged } from '../pages.ts';
import { paymentOutput, rateSentence, showPayment } from './presentation.ts';

// Tools that answer about payments from the ledger, which is complete: only calls through Purser make these payments.

export const paymentLookups: readonly LocalTool[] = [
  localTool('list_payments', {
    title: 'List payments',
    description: 'Find payments, newest first.',
    inputSchema: () =>
      z.strictObject({
        reference: z.string().max(64).optional().describe("Merchant's order number."),
        state: z.enum(machine.existing).optional().describe('Only these.'),
        ...page(),
      }),
    outputSchema: () =>
      z.looseObject({
        items: z.array(paymentOutput()),
        total: z.number(),
        more: ownWords.optional(),
      }),
    run: async ({ reference, state, limit, cursor }, { tx }) => {
      const range =
        reference !== undefined
          ? { key: 'reference', value: reference }
          : state !== undefined
            ? { key: 'state', value: state }
            : { key: 'all', value: '' };
      const listed = await tx.observations.listBy({ kind: 'charge', ranges: [range] }, { limit, cursor });
      const found =
        reference === undefined || state === undefined
          ? listed
          : narrowed(listed, cursor, (row) => row.state === state);
      const items = found.rows.map((row) =>
        showPayment({ charge: thing(row) as Thing<unknown> as NonNullable<Things['charge']> }),
      ); // of this kind, by the search
      return {
        said: isEmpty(found) ? 'There is no such payment.' : `${many(found)} payment${found.total === 1 ? '' : 's'}.`,
        data: paged(found, items as z.output<ReturnType<typeof paymentOutput>>[]), // each row has its payment
        next: isEmpty(found) ? ['list_operations'] : ['get_payment'],
      };
    },
  }),

  localTool('get_payment_receipt', {
    title: 'Receipt of a payment',
    description:
      "The customer's receipt of a payment, as text or HTML: both prices, rate and markup where it was converted.",
    inputSchema: () =>
      z.strictObject({
        charge: z.string().max(64).describe('Payment.'),
        format: z.enum(['text', 'html']).default('text').describe('Form of the receipt.'),
      }),
    outputSchema: () => z.looseObject({ charge: handleShown, state: stateShown, receipt: ownWords }),
    foundBy: { charge: kindTable.charge.foundBy },
    run: async ({ charge, format }, context) => {
      const things = await context.resolve('charge', charge);
      const it = things.charge;
      if (it === undefined) throw new Error('A resolved handle has its thing.');
      await context.demandSettled(charge);
      return {
        said: isZero(it.body.capturedBilling)
          ? (sentences[it.state] ?? `The payment is ${it.state}. Nothing is taken.`)
          : 'This is the receipt.',
        data: {
          charge: it.handle,
          state: it.state,
          receipt: renderers[format](receiptLines(things, context.settings.merchant, it.createdAt)),
        },
        next: ['get_payment'],
      };
    },
  }),
];

const sentences: { readonly [state: string]: string | undefined } = {
  PENDING: 'The payment is not authorized yet. Nothing is taken.',
  PENDING_REVIEW: 'The payment is in review, and its amount may be held. Nothing is taken yet.',
  RISK_DECLINED: 'The risk check declined the payment, and its amount is held. Nothing is taken.',
  PARTIAL_AUTHORIZED: 'A part of the price is held. Nothing is taken yet.',
  AUTHORIZED: 'The amount is held. Nothing is taken yet.',
  CAPTURED: 'This is the receipt.',
};

type Line = readonly [label: string, value: string];

/** What a receipt shows: DC-13. */
function receiptLines({ charge, card }: Things, merchant: Facts['merchant'], at: number): readonly Line[] {
  if (charge === undefined) return [];
  const { body } = charge;
  return [
    ['Shop', merchant.name],
    ['Order', body.reference],
    ['Date', iso(at)],
    ['Card ending', card?.body.lastFour ?? 'unknown'],
    ['Price', spokenSum(body.localAmount, body.localCurrency)],
    ...(body.converted
      ? ([
          ['Charged in the card’s currency', spokenSum(body.billingAmount, body.billingCurrency)],
          ['Exchange rate', rateSentence(body)],
          ['Markup', `${body.markup} %`],
          ['Choice', 'The customer chose this currency.'],
        ] as const)
      : []),
    ['Captured', spokenSum(body.capturedBilling, body.billingCurrency)],
    ...(isZero(body.refundedBilling ?? '0')
      ? []
      : ([['Refunded', spokenSum(body.refundedBilling, body.billingCurrency)]] as const)),
  ];
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

const renderers: { readonly [F in 'text' | 'html']: (lines: readonly Line[]) => string } = {
  text: (lines) => lines.map(([label, value]) => `${label}: ${value}`).join('\n'),
  html: (lines) =>
    `<dl>${lines.map(([label, value]) => `<dt>${escaped(label)}</dt><dd>${escaped(value)}</dd>`).join('')}</dl>`,
};
