import { z } from 'zod';
import { inDecimals } from '../../src/core/money.ts';
import { once } from '../../src/core/once.ts';
import type { Things } from '../../src/domains/facts.ts';
import type { InvoiceFacts, InvoiceTerms } from '../../src/domains/invoicing/facts.ts';
import { memberName, nameOf } from '../../src/domains/invoicing/replacement.ts';
import { untrusted } from '../../src/engine/render.ts';
import {
  addressShown,
  amountShown,
  countShown,
  currencyShown,
  dayShown,
  handleShown,
  stateShown,
} from '../../src/engine/shown.ts';

/** An amount with its currency's decimals; any other text unchanged. */
export const amountText = (value: unknown, currency: string): string => inDecimals(String(value), currency);

const shownLine = once(() =>
  z.looseObject({ sku: z.string(), name: z.string(), quantity: countShown, total: amountShown }),
);

/** The fields of every answer about one invoice. The rest of its content uses argument names. */
export const invoiceOutput = once(() =>
  z.looseObject({
    ...{ invoice: handleShown, reference: z.string(), state: stateShown },
    ...{ total: amountShown, balance: amountShown.optional(), currency: currencyShown },
    ...{ due: dayShown.optional(), expires: dayShown.optional(), link: addressShown.optional() },
    delivery: stateShown.optional(),
    lines: z.array(shownLine()).optional(),
  }),
);

/** The fields of a listed invoice. */
export const listedInvoiceOutput = once(() =>
  z.looseObject({
    ...{ invoice: handleShown, reference: z.string(), state: stateShown },
    ...{ total: amountShown, currency: currencyShown, due: dayShown },
  }),
);

export function showInvoice(handle: string, state: string, body: InvoiceFacts) {
  const { invoiceId, total, balance, currency, due, expires, link, customer, terms } = body;
  return {
    ...{ invoice: handle, reference: untrusted(invoiceId), state, total, currency },
    ...(balance === undefined ? {} : { balance }),
    ...(due === undefined ? {} : { due }),
    ...(terms === undefined ? { customer_name: untrusted(customer ?? '') } : showTerms(terms)),
    ...(expires === undefined || expires === null ? {} : { expires }),
    ...(typeof link === 'string' && isPlainAddress(link) ? { link } : {}),
    ...((body.strange ?? []).length === 0 ? {} : { unknown_fields: body.strange?.map((name) => untrusted(name)) }),
  };
}

const isPlainAddress = (link: string): boolean => /^https?:\/\/[\w.:/?=&%~-]{1,255}$/.test(link);

const showTerms = (terms: InvoiceTerms) =>
  Object.fromEntries(Object.entries(terms).map(([path, value]) => [nameOf(path), shownValue(value)]));

function shownValue(value: unknown): unknown {
  if (typeof value === 'string') return untrusted(value);
  if (!Array.isArray(value)) return value;
  return value.map((item: object) =>
    Object.fromEntries(Object.entries(item).map(([member, it]) => [memberName(member), shownValue(it)])),
  );
}

/** The output of a call about one invoice. */
export const theInvoice = ({ invoice: it }: Things) =>
  it === undefined ? {} : showInvoice(it.handle, it.state, it.body);
