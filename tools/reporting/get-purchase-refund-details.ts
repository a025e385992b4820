import { z } from 'zod';
import { isFileAnswer } from '../../src/core/file-answer.ts';
import { limits } from '../../src/core/limits.ts';
import { decimal, sumOf } from '../../src/core/money.ts';
import type { Facts } from '../../src/domains/facts.ts';
import { paymentSubtypes, views } from '../../src/domains/reporting/on-demand-shapes.ts';
import { momentText, untrusted } from '../../src/engine/render.ts';
import { amountShown, countShown, currencyShown, digitsShown, momentShown } from '../../src/engine/shown.ts';
import type { ToolSpec } from '../../src/engine/tool.ts';
import { optional, queryField } from '../../src/engine/tool-arguments.ts';
import { listState, none, paging, textOf } from '../offset-pages.ts';
import { fileFormatArg, fileOutput, rangeArgs, showFile, shownAs } from './on-demand-arguments.ts';

const asks = queryField('getPurchaseRefundDetails');
const words = z.string().optional();

/** The parts that belong to one request. */
interface Row {
  readonly type: string;
  readonly amount: string;
  readonly currency: string;
  readonly fee: string | undefined;
}

/** Sums of a page by currency. Left out: a currency that isn't known, and one with an amount that isn't valid in it. */
const totalsOf = (rows: readonly Row[]) =>
  [...Map.groupBy(rows, ({ currency }) => currency)].flatMap(([currency, its]) => {
    const of = (type: string) => its.filter((it) => it.type === type).map(({ amount }) => amount);
    const charged = its.flatMap(({ fee }) => (fee === undefined ? [] : [fee]));
    const [purchases, refunds, fees] = [of('Purchase'), of('Refund'), charged].map((all) => sumOf(all, currency));
    if (purchases === undefined || refunds === undefined || fees === undefined) return [];
    return [{ currency, purchases: decimal(purchases), refunds: decimal(refunds), fees: decimal(fees) }];
  });

/** The rows of a page. A file has as many as the platform sends at once, unless the agent asks for fewer. */
const rowsOf = ({ limit: asked, format }: Facts['args']): number =>
  Number(asked ?? (format === undefined ? limits.billingRows : limits.detailRows));

/** A whole page may have another one behind it: the platform doesn't say how many there are. */
const moreAfter = (args: Facts['args'], rows: number) =>
  rows > 0 && rows === rowsOf(args) ? { more: String(Number(args.cursor ?? 0) + rows) } : {};

export const getPurchaseRefundDetails: ToolSpec<'getPurchaseRefundDetails'> = {
  description: 'List purchases and refunds with fees, and totals of the page.',
  input: {
    args: () => ({
      ...rangeArgs('getPurchaseRefundDetails'),
      method: {
        schema: z.enum(paymentSubtypes).optional().describe('A card network; DP: PINless debit.'),
        fills: [{ path: '?paymentSubtype', value: (given) => given }],
      },
      by: {
        schema: z.enum(['requested', 'submitted']).optional().describe('Which time.'),
        fills: [
          {
            path: '?viewBy',
            value: (given) =>
              given === undefined ? given : { requested: views[0], submitted: views[1] }[String(given)],
          },
        ],
      },
      group: optional(asks('groupName', 'Of merchants.')),
      ...paging('?limit', '?offset', 'RP-10', limits.detailRows),
      limit: {
        schema: z.int().min(1).max(limits.detailRows).optional().describe('Page size.'),
        fills: [{ path: '?limit', value: textOf }],
        rule: 'RP-10',
      },
      format: fileFormatArg,
    }),
    carryOver: ({ args }) => ({ '?limit': String(rowsOf(args)) }),
  },
  observe: {
    observations: () => [],
    stateFromResponse: ({ body }, { cursor }) =>
      isFileAnswer(body) || cursor !== undefined ? '' : listState(body.requestDetails?.length ?? 0),
  },
  present: {
    messages: {
      done: 'These are the purchases and refunds. The totals are of this page.',
      [none]: 'There are no purchases or refunds in this range.',
    },
    next: {
      '': { tools: ['get_purchase_refund_details'], because: 'It shows the next page.' },
      [none]: { tools: [], because: 'Another range may have some.' },
    },
    empty: { requestDetails: [] },
    outputSchema: () =>
      z.looseObject({
        items: z
          .array(
            z.looseObject({
              ...{ reference: words, type: words, at: momentShown.optional(), method: words },
              ...{ amount: amountShown.optional(), currency: currencyShown.optional() },
              ...{ fee: amountShown.optional(), funding: amountShown.optional(), status: words },
            }),
          )
          .optional(),
        totals: z
          .array(
            z.looseObject({ currency: currencyShown, purchases: amountShown, refunds: amountShown, fees: amountShown }),
          )
          .optional(),
        more: digitsShown.optional(),
        count: countShown.optional(),
        ...fileOutput(),
      }),
    toOutput: (_, { args }, { body }) => {
      if (isFileAnswer(body)) return { ...showFile(body), ...moreAfter(args, body.rows ?? 0) };
      const { requestDetails = [], settlements = [], feeAndFundingDetails = [], settlementStatuses = [] } = body;
      const by = <Part extends { readonly requestId: string }>(all: readonly Part[]) =>
        new Map(all.map((it) => [it.requestId, it]));
      const [settled, fees, statuses] = [by(settlements), by(feeAndFundingDetails), by(settlementStatuses)];
      const rows = requestDetails.map(({ requestId, merchantReferenceNumber }) => ({
        reference: merchantReferenceNumber,
        it: settled.get(requestId),
        fee: fees.get(requestId),
        status: statuses.get(requestId)?.status,
      }));
      return {
        items: rows.map(({ reference, it, fee, status }) => ({
          ...{ ...shownAs('reference', reference), ...shownAs('type', it?.transactionType) },
          ...(it?.submissionTime === undefined ? {} : { at: momentText(it.submissionTime) }),
          ...shownAs('method', it?.paymentMethod),
          ...(it?.amount === undefined ? {} : { amount: it.amount }),
          ...(it?.currencyCode === undefined ? {} : { currency: untrusted(it.currencyCode) }),
          ...(fee?.totalFee === undefined ? {} : { fee: fee.totalFee }),
          ...(fee?.fundingAmount === undefined ? {} : { funding: fee.fundingAmount }),
          ...shownAs('status', status),
        })),
        totals: totalsOf(
          rows.flatMap(({ it, fee }) =>
            it?.amount === undefined || it.currencyCode === undefined
              ? []
              : [{ type: it.transactionType ?? '', amount: it.amount, currency: it.currencyCode, fee: fee?.totalFee }],
          ),
        ),
        count: rows.length,
        ...moreAfter(args, rows.length),
      };
    },
  },
};
