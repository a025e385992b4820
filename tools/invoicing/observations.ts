import { z } from 'zod';
import { bare, fieldOf, leaves } from '../../src/core/fields.ts';
import { platformTime } from '../../src/core/platform-time.ts';
import { day as dayMilliseconds } from '../../src/core/schedule.ts';
import { dayText, expiryText, printedExpiry } from '../../src/domains/invoicing/dates.ts';
import type { InvoiceFacts, InvoiceTerms } from '../../src/domains/invoicing/facts.ts';
import { hasOwnLink } from '../../src/domains/invoicing/machines.ts';
import { places } from '../../src/domains/invoicing/replacement.ts';
import {
  type InvoiceAnswer,
  type InvoiceWithHistory,
  invoiceWithHistory,
} from '../../src/domains/invoicing/responses.ts';
import { changedInvoice } from '../../src/domains/invoicing/shapes.ts';
import { handleFor } from '../../src/engine/handles.ts';
import { isAsSent } from '../read-back.ts';
import { amountText } from './output.ts';

/** The observation of a whole invoice in a response. */
export function invoiceObservation(it: InvoiceAnswer, now: number) {
  const { amountDetails } = it.orderInformation;
  const { currency, totalAmount, balanceAmount } = amountDetails;
  const { expirationDate, paymentLink, deliveryMode, dueDate } = it.invoiceInformation;
  return {
    kind: 'invoice' as const,
    handle: handleFor('invoice', it.id),
    state: it.status,
    owner: '',
    body: {
      invoiceId: it.id,
      currency,
      total: amountText(totalAmount, currency),
      balance: amountText(balanceAmount ?? totalAmount, currency),
      delivery: deliveryMode.toLowerCase(),
      expires: expirationDate === undefined ? null : (expiryText(expirationDate) ?? null),
      due: dayText(dueDate) ?? dueDate,
      customer: it.customerInformation?.name ?? '',
      customerId: it.customerInformation?.merchantCustomerId,
      link: paymentLink === undefined || hasOwnLink(it.status) ? null : paymentLink,
      terms: termsOf(it),
      strange: strangeIn(it),
      readAt: now,
    } satisfies InvoiceFacts,
  };
}

/**
 * Whether an invoice is the one a request created: same customer, and same values wherever the platform returns them.
 * Both are compared in the request's form, because responses write amounts, dates and delivery differently.
 */
export function isSameInvoice(it: InvoiceAnswer, sent: unknown): boolean {
  const [known, asked] = [termsOf(it), termsOf(sent as InvoiceAnswer)]; // of a body, what an answer has as well
  return isAsSent(known, asked) && payer.every((place) => known[places[place]] === asked[places[place]]);
}
/**
 * Whether an invoice was there before a moment, by its history. Not by less than two days: a call that came to nothing may have taken effect
 * late, and the platform may write days alone. What is no date tells nothing.
 */
export const wasThereBefore = ({ invoiceHistory = [] }: InvoiceWithHistory, moment: number): boolean =>
  invoiceHistory.some(({ date }) => platformTime(date) < moment - 2 * dayMilliseconds);

const payer = ['customer_name', 'customer_email', 'customer_id', 'company'] as const;

/** Every field that a full replacement must repeat, in the request's form. */
function termsOf(it: InvoiceAnswer): InvoiceTerms {
  const { deliveryMode, dueDate, expirationDate } = it.invoiceInformation;
  const { currency } = it.orderInformation.amountDetails;
  const said = Object.fromEntries(restated(changedInvoice(), it, '', currency));
  const defined = it.merchantDefinedFieldValuesWithDefinition ?? [];
  return {
    ...said,
    [places.delivery]: deliveryMode.toLowerCase(),
    [places.due]: dayText(dueDate) ?? dueDate,
    ...(expirationDate === undefined
      ? {}
      : { [places.expires]: printedExpiry(expiryText(expirationDate) ?? expirationDate) }),
    ...(defined.length === 0
      ? {}
      : { [places.fields]: defined.map(({ definitionId, value }) => ({ definitionId, value })) }),
  };
}

/** The response's values at the request paths that the model may author. Numbers become text if the request has text. */
function restated(
  schema: z.ZodType,
  value: unknown,
  path: string,
  currency: string,
): readonly (readonly [string, unknown])[] {
  const at = bare(schema);
  if (value === undefined || value === null) return [];
  if (at instanceof z.ZodObject)
    return Object.entries(at.shape).flatMap(([name, child]) =>
      // As in `leaves`: children are classic types, and what answers to an object is one.
      restated(
        child as z.ZodType,
        (value as Readonly<Record<string, unknown>>)[name],
        path === '' ? name : `${path}.${name}`,
        currency,
      ),
    );
  if (at instanceof z.ZodArray) {
    const items = (value as readonly unknown[]).map((item) =>
      Object.fromEntries(restated(at.element as z.ZodType, item, '', currency)),
    );
    return items.length === 0 ? [] : [[`${path}[]`, items]];
  }
  if (fieldOf(at).from !== 'model') return [];
  return [[path, /(amount|price)$/i.test(path) ? amountText(value, currency) : scalar(value, at)]];
}

const scalar = (value: unknown, schema: z.ZodType): unknown =>
  typeof value === 'number' && !(schema instanceof z.ZodNumber) ? String(value) : value;

/** Properties of a response that the contract doesn't know, so no replacement can repeat them. */
function strangeIn(it: InvoiceAnswer): readonly string[] {
  const known = new Set(leaves(invoiceWithHistory()).map(({ path }) => path));
  const paths = groups.flatMap((group) => pathsIn(it[group], group));
  return [...new Set(paths)].filter((path) => !known.has(path)).toSorted();
}
const groups = ['customerInformation', 'processingInformation', 'invoiceInformation', 'orderInformation'] as const;

function pathsIn(value: unknown, path: string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => pathsIn(item, `${path}[]`));
  if (typeof value !== 'object' || value === null) return value === undefined ? [] : [path];
  return Object.entries(value).flatMap(([name, member]) => pathsIn(member, `${path}.${name}`));
}
