import type { z } from 'zod';
import { limits } from '../../core/limits.ts';
import type { RuleId } from '../../core/rules.ts';

// The rules of document 2 that concern several fields of an invoice. Each fault names its rule.

type Context = Pick<z.core.$RefinementCtx<unknown>, 'addIssue'>;
type Path = readonly (string | number)[];

const fault = (context: Context, rule: RuleId, path: Path, message: string): void => {
  context.addIssue({ code: 'custom', path: [...path], message, params: { rule } });
};

interface Line {
  readonly discountAmount?: string | undefined;
  readonly discountRate?: string | undefined;
  readonly discountPercent?: string | undefined;
  readonly taxAmount?: string | undefined;
  readonly taxRate?: string | undefined;
}

/** The fields of an invoice that its rules use. */
export interface Billed {
  readonly customerInformation?:
    | { readonly name?: string | undefined; readonly email?: string | undefined }
    | undefined;
  readonly invoiceInformation: {
    readonly deliveryMode: string;
    readonly description?: string | undefined;
    readonly allowPartialPayments?: boolean | undefined;
  };
  readonly orderInformation: {
    readonly amountDetails: {
      readonly discountAmount?: string | undefined;
      readonly discountPercent?: string | undefined;
      readonly minimumPartialAmount?: string | undefined;
      readonly taxDetails?: object | undefined;
      readonly freight?: object | undefined;
    };
    readonly lineItems?: readonly Line[] | undefined;
  };
  readonly merchantDefinedFieldValues?: readonly unknown[] | undefined;
}

const amounts: Path = ['orderInformation', 'amountDetails'];

/** IN-02 and IN-03: required fields by type of invoice, and the allowed places of discounts and taxes. */
export function invoiceFaults(body: Billed, context: Context, sendsNow: boolean): void {
  const { customerInformation: customer, invoiceInformation, orderInformation } = body;
  const lines = orderInformation.lineItems ?? [];
  const byEmail = invoiceInformation.deliveryMode === 'email';
  if (invoiceInformation.description === undefined && lines.length === 0 && (sendsNow || !byEmail))
    fault(context, 'IN-02', ['invoiceInformation', 'description'], 'is required without line items');
  for (const name of byEmail || lines.length > 0 ? (['name', 'email'] as const) : [])
    if (customer?.[name] === undefined)
      fault(context, 'IN-02', ['customerInformation', name], 'is required for an invoice by e-mail or with line items');
  for (const name of reducedTwice(orderInformation))
    fault(context, 'IN-03', [...amounts, ...name.split('.')], 'may be on the total or on line items, not on both');
}

/** IN-03: the discounts and taxes of the total, if line items have some too. */
export function reducedTwice({ amountDetails, lineItems = [] }: Billed['orderInformation']): readonly string[] {
  const { discountAmount, discountPercent, taxDetails } = amountDetails;
  const onTotal = [
    ['discountAmount', discountAmount],
    ['discountPercent', discountPercent],
    ...Object.entries(taxDetails ?? {}).map(([name, value]) => [`taxDetails.${name}`, value] as const),
  ] as const;
  return lineItems.some(hasReduction) ? onTotal.filter(([, value]) => value !== undefined).map(([name]) => name) : [];
}

const hasReduction = ({ discountAmount, discountRate, discountPercent, taxAmount, taxRate }: Line): boolean =>
  [discountAmount, discountRate, discountPercent, taxAmount, taxRate].some((value) => value !== undefined);

/** IN-05 and D-44: whether an invoice is amount-only. */
export function isAmountOnly({ invoiceInformation, orderInformation, merchantDefinedFieldValues }: Billed): boolean {
  const { discountAmount, discountPercent, minimumPartialAmount, taxDetails, freight } = orderInformation.amountDetails;
  return (
    (orderInformation.lineItems ?? []).length === 0 &&
    (merchantDefinedFieldValues ?? []).length === 0 &&
    invoiceInformation.allowPartialPayments !== true &&
    [discountAmount, discountPercent, minimumPartialAmount].every((value) => value === undefined) &&
    [taxDetails, freight].every(saysNothing)
  );
}

/** Whether a part of an invoice is missing, or has no values. */
const saysNothing = (part: object | undefined): boolean =>
  Object.values(part ?? {}).every((value) => value === undefined);

interface Label {
  readonly key: string;
  readonly hidden?: boolean | '' | null | undefined;
  readonly hiddenForInvoice?: boolean | '' | null | undefined;
  readonly hiddenForItem?: boolean | '' | null | undefined;
}

/** IN-14: which labels can be hidden, and which only on one kind of page. */
const hideable: Readonly<Record<'hidden' | 'hiddenForInvoice' | 'hiddenForItem', readonly string[]>> = {
  hidden: ['customerId', 'description', 'discount', 'invoiceNumber', 'partialPayment'],
  hiddenForInvoice: ['discount', 'tax'],
  hiddenForItem: ['discount', 'tax'],
};

export function labelFaults(label: Label, context: Context): void {
  for (const name of ['hidden', 'hiddenForInvoice', 'hiddenForItem'] as const)
    if (label[name] === true && !hideable[name].includes(label.key))
      fault(context, 'IN-14', [name], `must not be set: only ${hideable[name].join(', ')} can be hidden this way`);
}

/** Leading bytes of the three types of image. */
const signatures = [
  [0x47, 0x49, 0x46, 0x38],
  [0xff, 0xd8, 0xff],
  [0x89, 0x50, 0x4e, 0x47],
] as const;

/** IN-14: the fault of a logo; null if it is valid or missing. */
export function logoFault(base64: string): string | null {
  if (base64 === '') return null;
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return 'must be Base64';
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > limits.logoBytes) return `must have at most ${limits.logoBytes} bytes`;
  const known = signatures.some((signature) => signature.every((byte, index) => bytes[index] === byte));
  return known ? null : 'must be a gif, jpg or png image';
}
