import { money, moneyFault, spoken } from '../../core/money.ts';

// IN-16 and D-45: the totals of an invoice, in whole minor units.

export interface InvoiceLine {
  readonly quantity: number;
  readonly unitPrice: string;
  readonly totalAmount: string;
  readonly discountAmount?: string | undefined;
  readonly discountRate?: string | undefined;
  readonly discountPercent?: string | undefined;
  readonly taxAmount?: string | undefined;
  readonly taxRate?: string | undefined;
}

export interface InvoiceAmounts {
  readonly totalAmount: string;
  readonly currency: string;
  readonly subAmount?: string | undefined;
  readonly discountAmount?: string | undefined;
  readonly discountPercent?: string | undefined;
  readonly minimumPartialAmount?: string | undefined;
  readonly taxDetails?: { readonly amount?: string | undefined; readonly rate?: string | undefined } | undefined;
  readonly freight?:
    | {
        readonly amount?: string | undefined;
        readonly taxable?: boolean | undefined;
        readonly taxRate?: string | undefined;
      }
    | undefined;
}

/** The amounts of an invoice, and its lines if it has any. */
export interface InvoiceOrder {
  readonly amountDetails: InvoiceAmounts;
  readonly lineItems?: readonly InvoiceLine[] | undefined;
}

/** An amount that doesn't add up: its path, and the right amount. */
export interface TotalFault {
  readonly path: string;
  readonly says: string;
}

/** The total of a line, in minor units; null if an amount is invalid or the total is negative. */
function lineTotal(line: Omit<InvoiceLine, 'totalAmount'>, currency: string): bigint | null {
  const texts = [line.unitPrice, line.discountAmount, line.taxAmount];
  if (texts.some((amount) => amount !== undefined && moneyFault(amount, currency) !== null)) return null;
  const { minor } = money(line.unitPrice, currency);
  return reduced(minor * BigInt(line.quantity), currency, {
    discountAmount: line.discountAmount,
    discountRate: line.discountRate ?? line.discountPercent,
    taxAmount: line.taxAmount,
    taxRate: line.taxRate,
  });
}

/** The first amount of an invoice that doesn't add up; null if all do. */
export function totalFault({ amountDetails: amounts, lineItems = [] }: InvoiceOrder): TotalFault | null {
  const { currency } = amounts;
  const at = 'orderInformation.amountDetails';
  const plain = ['totalAmount', 'subAmount', 'discountAmount', 'minimumPartialAmount'] as const;
  const stated = [
    ...plain.map((name) => [`${at}.${name}`, amounts[name]] as const),
    [`${at}.taxDetails.amount`, amounts.taxDetails?.amount] as const,
    [`${at}.freight.amount`, amounts.freight?.amount] as const,
  ];
  for (const [path, amount] of stated) {
    const says = amount === undefined ? null : moneyFault(amount, currency);
    if (says !== null) return { path, says };
  }
  for (const [index, line] of lineItems.entries()) {
    const path = `orderInformation.lineItems[${index}].totalAmount`;
    const comes = lineTotal(line, currency);
    if (comes === null) return { path, says: 'The amounts of the line are invalid in the currency.' };
    const wrong = differs(line.totalAmount, comes, currency);
    if (wrong !== null) return { path, says: `The line adds up to ${wrong}.` };
  }
  return ofTotal(amounts, lineItems, at);
}

function ofTotal(amounts: InvoiceAmounts, lines: readonly InvoiceLine[], at: string): TotalFault | null {
  const { currency, subAmount, minimumPartialAmount } = amounts;
  const total = money(amounts.totalAmount, currency);
  const none = money('0', currency);
  const sum = lines.reduce((all, { totalAmount }) => all + money(totalAmount, currency).minor, 0n);
  const goods = lines.length > 0 ? sum : subAmount === undefined ? undefined : money(subAmount, currency).minor;
  if (subAmount !== undefined && goods !== undefined && money(subAmount, currency).minor !== goods)
    return { path: `${at}.subAmount`, says: `The lines add up to ${spoken({ ...none, minor: goods })}.` };
  const comes = goods === undefined ? total.minor : invoiceTotal(goods, amounts);
  if (comes === null) return { path: `${at}.totalAmount`, says: 'The discount is larger than the amount.' };
  if (comes !== total.minor)
    return { path: `${at}.totalAmount`, says: `The invoice adds up to ${spoken({ ...none, minor: comes })}.` };
  if (total.minor === 0n) return { path: `${at}.totalAmount`, says: 'The total of an invoice must not be zero.' };
  return minimumPartialAmount !== undefined && money(minimumPartialAmount, currency).minor > total.minor
    ? { path: `${at}.minimumPartialAmount`, says: 'The minimum partial amount is larger than the total.' }
    : null;
}

/** Goods minus discount, plus tax, plus freight with its tax. */
function invoiceTotal(goods: bigint, { currency, discountAmount, discountPercent, ...rest }: InvoiceAmounts) {
  const { taxDetails, freight } = rest;
  const sum = reduced(goods, currency, {
    discountAmount,
    discountRate: discountPercent,
    taxAmount: taxDetails?.amount,
    taxRate: taxDetails?.rate,
  });
  const shipping = freight?.amount === undefined ? 0n : money(freight.amount, currency).minor;
  const shippingTax = freight?.taxable === true ? shareOf(shipping, freight.taxRate ?? '0') : 0n;
  return sum === null ? null : sum + shipping + shippingTax;
}

interface Reductions {
  readonly discountAmount: string | undefined;
  readonly discountRate: string | undefined;
  readonly taxAmount: string | undefined;
  readonly taxRate: string | undefined;
}

/** A sum after its discount and with its tax; null if the discount is larger than the sum. */
function reduced(sum: bigint, currency: string, { discountAmount, discountRate, taxAmount, taxRate }: Reductions) {
  const discount =
    discountAmount === undefined ? shareOf(sum, discountRate ?? '0') : money(discountAmount, currency).minor;
  const left = sum - discount;
  if (left < 0n) return null;
  return left + (taxAmount === undefined ? shareOf(left, taxRate ?? '0') : money(taxAmount, currency).minor);
}

/** Decimals of a percentage. */
const rateDecimals = 4;

/** A percentage of minor units, rounded half up. */
function shareOf(minor: bigint, percent: string): bigint {
  const [whole = '0', decimals = ''] = percent.split('.');
  const rate = BigInt(whole + decimals.padEnd(rateDecimals, '0'));
  const hundred = 100n * 10n ** BigInt(rateDecimals);
  return (2n * minor * rate + hundred) / (2n * hundred);
}

/** What a line comes to, if it is not what is stated. It can be more than any amount. */
const differs = (stated: string, comes: bigint, currency: string): string | null =>
  moneyFault(stated, currency) === null && money(stated, currency).minor === comes
    ? null
    : spoken({ ...money('0', currency), minor: comes });
