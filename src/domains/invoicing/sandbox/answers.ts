import type { z } from 'zod';
import { bare, childOf } from '../../../core/fields.ts';
import { limits } from '../../../core/limits.ts';
import { fillPath, type Operation } from '../../../core/operation.ts';
import { isoTime } from '../../../sandbox/clock.ts';
import type { World } from '../../../sandbox/world.ts';
import { invoicing } from '../contract.ts';
import { dayText, expiryText } from '../dates.ts';
import { hasLink, invoice } from '../machines.ts';
import { invoiceAnswer } from '../responses.ts';
import { balanceOf } from './balance.ts';
import type { InvoiceDocument, InvoiceEvent } from './documents.ts';
import { settingsOf } from './settings.ts';

// The response bodies of invoicing. Amounts are numbers in responses (IN-16).

/** An invoice, as its merchant sees it. */
export function invoiceView(world: World, it: InvoiceDocument): { readonly [member: string]: unknown } {
  const { customerInformation, processingInformation, orderInformation, merchantDefinedFieldValues } = it.terms;
  const { sendImmediately: _, invoiceNumber: __, ...information } = it.terms.invoiceInformation;
  const { labels } = settingsOf(world, it.merchantId);
  const { amountDetails, lineItems } = orderInformation;
  const { amountDetails: amountsShown, lineItems: linesShown } = orderShown();
  return {
    _links: linksOf(it),
    id: it.number,
    submitTimeUtc: isoTime(world.now),
    status: it.state,
    ...(customerInformation === undefined ? {} : { customerInformation }),
    processingInformation: { requestPhone: false, requestShipping: false, ...processingInformation },
    invoiceInformation: {
      ...information,
      invoiceNumber: it.number,
      dueDate: dayText(information.dueDate),
      ...(information.expirationDate === undefined ? {} : { expirationDate: expiryShown(information.expirationDate) }),
      allowPartialPayments: information.allowPartialPayments ?? false,
      ...(hasLink(it.state) ? { paymentLink: linkOf(it) } : {}),
      deliveryMode: capitalised(information.deliveryMode),
      ...(labels.length === 0 ? {} : { customLabels: labels }),
    },
    orderInformation: {
      amountDetails: { ...numbered(amountDetails, amountsShown), balanceAmount: Number(balanceOf(it)) },
      ...(lineItems === undefined ? {} : { lineItems: numbered(lineItems, linesShown) }),
    },
    ...(merchantDefinedFieldValues === undefined
      ? {}
      : { merchantDefinedFieldValuesWithDefinition: merchantDefinedFieldValues.map(defined) }),
  };
}

/** The same with its history, newest first. */
export const invoiceWithHistory = (world: World, it: InvoiceDocument) => ({
  ...invoiceView(world, it),
  invoiceHistory: it.history.map(happened).toReversed(),
});

/** An invoice in a list. */
export function invoiceRow(it: InvoiceDocument) {
  const { customerInformation, invoiceInformation, orderInformation } = it.terms;
  const { totalAmount, currency } = orderInformation.amountDetails;
  const { name, merchantCustomerId } = customerInformation ?? {};
  return {
    _links: linksOf(it),
    id: it.number,
    status: it.state,
    createdDate: isoTime(it.createdAt),
    customerInformation: { name, merchantCustomerId },
    invoiceInformation: {
      dueDate: dayText(invoiceInformation.dueDate),
      ...(invoiceInformation.expirationDate === undefined
        ? {}
        : { expirationDate: expiryShown(invoiceInformation.expirationDate) }),
    },
    orderInformation: { amountDetails: { totalAmount: Number(totalAmount), currency } },
  };
}

/** Where a customer pays. */
export const linkOf = ({ origin, token }: InvoiceDocument): string => `${origin}/pay/${token}`;

/** The legal calls of an invoice. As the document says, links omit the prefix of invoicing. */
function linksOf(it: InvoiceDocument) {
  const legal = invoice.legal(it);
  const shown = relations.filter(([, , trigger]) => trigger === undefined || legal.includes(trigger));
  return Object.fromEntries(
    shown.map(([relation, { template, method }]) => [
      relation,
      { href: fillPath({ template: template.replace('/invoicing', ''), worded: ['id'] }, { id: it.number }), method },
    ]),
  );
}

type Trigger = Parameters<typeof invoice.move>[1];
const relations: readonly (readonly [
  relation: string,
  call: Pick<Operation, 'template' | 'method'>,
  trigger?: Trigger,
])[] = [
  ['self', invoicing.getInvoice],
  ['update', invoicing.updateInvoice, 'update'],
  ['deliver', invoicing.sendInvoice, 'send'],
  ['cancel', invoicing.cancelInvoice, 'cancel'],
];

const happened = ({ event, at, payment }: InvoiceEvent) => ({
  event,
  date: isoTime(at),
  ...(payment === undefined
    ? {}
    : { transactionDetails: { transactionId: payment.transactionId, amount: Number(payment.amount) } }),
});

/** The platform repeats the definition of a custom field with each value. */
const defined = ({ definitionId, value }: { readonly definitionId: number; readonly value: string }, at: number) => ({
  ...{ mdfValueId: `value-${definitionId}`, definitionId, value, position: at + 1, merchantDefinedDataIndex: at + 1 },
  ...{ referenceType: 'Invoice', label: `Field ${definitionId}`, fieldType: 'text', customerVisible: true },
  ...{
    readOnly: false,
    textMinLength: 1,
    textMaxLength: limits.textCharacters,
    textDefaultValue: '',
    possibleValues: '',
  },
});

const expiryShown = (date: string): string => expiryText(date) ?? date;

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** The schema of an invoice's order in responses. */
const orderShown = () => invoiceAnswer().shape.orderInformation.shape;

/** Converts the values of an object or list for responses. */
function numbered(value: object, shown: z.ZodType | undefined): object {
  const within = (member: unknown, step: string) => answered(member, shown && childOf(bare(shown), step));
  if (Array.isArray(value)) return value.map((element) => within(element, '[]'));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, within(member, name)]));
}

/** Converts text to a number if the contract's response has a number there. */
function answered(value: unknown, shown: z.ZodType | undefined): unknown {
  if (typeof value === 'object' && value !== null) return numbered(value, shown);
  return typeof value === 'string' && shown?.safeParse(0).success === true ? Number(value) : value;
}

/** A text property; undefined if it is not text. */
export const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
