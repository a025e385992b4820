import { z } from 'zod';
import { once } from '../../src/core/once.ts';
import { untrusted } from '../../src/engine/render.ts';
import { amountShown, countShown, currencyShown, stateShown } from '../../src/engine/shown.ts';
import type { ToolSpec } from '../../src/engine/tool.ts';
import { optional, queryField } from '../../src/engine/tool-arguments.ts';
import { listState, none } from '../offset-pages.ts';
import { rangeArgs, shownAs } from './on-demand-arguments.ts';
import { organizationArg } from './organization.ts';

const sums = once(() => z.array(z.looseObject({ currency: currencyShown, amount: amountShown })));
type Sums = readonly { readonly currency: string; readonly value: string }[] | undefined;

const shown = (all: Sums) =>
  (all ?? []).map(({ currency, value }) => ({ currency: untrusted(currency), amount: value }));

export const getNetFundings: ToolSpec<'getNetFundings'> = {
  description: 'Sum payouts of a period: purchases less refunds, fees and chargebacks.',
  input: {
    args: () => ({
      ...rangeArgs('getNetFundings'),
      group: optional(queryField('getNetFundings')('groupName', 'Of merchants.')),
      organization: organizationArg('getNetFundings'),
    }),
  },
  observe: {
    observations: () => [],
    stateFromResponse: ({ body }) => listState(body.netFundingSummaries?.length ?? 0),
  },
  present: {
    messages: {
      done: 'These are the sums. Sums of different currencies are never added up.',
      [none]: 'Nothing was paid out in this range.',
    },
    next: {
      '': { tools: [], because: 'Sums are an answer by themselves.' },
      [none]: { tools: [], because: 'Another range may have some.' },
    },
    empty: { netFundingSummaries: [] },
    outputSchema: () =>
      z.looseObject({
        items: z.array(
          z.looseObject({
            ...{ type: stateShown, method: z.string().optional(), currency: currencyShown },
            ...{ count: countShown.optional(), amount: amountShown.optional() },
          }),
        ),
        ...{ purchases: sums(), refunds: sums(), fees: sums(), chargebacks: sums(), net: sums() },
      }),
    toOutput: (_, __, { body }) => ({
      items: (body.netFundingSummaries ?? []).map((it) => ({
        ...{ type: untrusted(it.type), ...shownAs('method', it.paymentSubType), currency: untrusted(it.currencyCode) },
        ...(it.fundedCount === undefined ? {} : { count: it.fundedCount }),
        ...(it.fundedAmount === undefined ? {} : { amount: it.fundedAmount }),
      })),
      ...{ purchases: shown(body.totalPurchases), refunds: shown(body.totalRefunds), fees: shown(body.totalFees) },
      ...{ chargebacks: shown(body.totalChargebacks), net: shown(body.netTotal) },
    }),
  },
};
