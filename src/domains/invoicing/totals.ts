import { decimal, type Money, money, moneyFault, spoken } from '../../core/money.ts';

// IN-16 and D-45: how the amounts of an invoice add up, in whole minor units.

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

/** What an invoice asks for: its amounts, and its lines where it has any. */
export interface InvoiceOrder {
  readonly amountDetails: InvoiceAmounts;
  readonly lineItems?: readonly InvoiceLine[] | undefined;
}

/** An amount that does not add up: where it stands, and what would. */
export interface TotalFault {
  readonly path: string;
  readonly says: string;
}

/** What one line comes to, as decimal text; null where its amounts are none of the currency, or less than nothing. */
export function lineTotal(line: Omit<InvoiceLine, 'totalAmount'>, currency: string): string | null {
  const texts = [line.unitPrice, line.discountAmount, line.taxAmount];
  if (texts.some((amount) => amount !== undefined && moneyFault(amount, currency) !== null)) return null;
  const { minor } = money(line.unitPrice, currency);
  const sum = reduced(minor * BigInt(line.quantity), currency, {
    discountAmount: line.discountAmount,
    discountRate: line.discountRate ?? line.discountPercent,
    taxAmount: line.taxAmount,
    taxRate: line.taxRate,
  });
  return sum === null ? null : decimal({ ...money('0', currency), minor: sum });
}

/** The first amount of an invoice that does not add up; null where all do. */
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
    if (comes === null) return { path, says: 'The amounts of the line are no amounts of the currency.' };
    const wrong = differs(line.totalAmount, comes, currency);
    if (wrong !== null) return { path, says: `The line comes to ${wrong}.` };
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
    return { path: `${at}.subAmount`, says: `The lines come to ${spoken({ ...none, minor: goods })}.` };
  const comes = goods === undefined ? total.minor : invoiceTotal(goods, amounts);
  if (comes === null) return { path: `${at}.totalAmount`, says: 'More is taken off than there is.' };
  if (comes !== total.minor)
    return { path: `${at}.totalAmount`, says: `The invoice comes to ${spoken({ ...none, minor: comes })}.` };
  if (total.minor === 0n) return { path: `${at}.totalAmount`, says: 'An invoice of nothing asks for nothing.' };
  return minimumPartialAmount !== undefined && money(minimumPartialAmount, currency).minor > total.minor
    ? { path: `${at}.minimumPartialAmount`, says: 'The least part is more than the whole.' }
    : null;
}

/** Goods less discount, with tax, freight and the tax of that. */
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

/** What is left of a sum after its discount, with the tax of that; null where more is taken off than there is. */
function reduced(sum: bigint, currency: string, { discountAmount, discountRate, taxAmount, taxRate }: Reductions) {
  const discount =
    discountAmount === undefined ? shareOf(sum, discountRate ?? '0') : money(discountAmount, currency).minor;
  const left = sum - discount;
  if (left < 0n) return null;
  return left + (taxAmount === undefined ? shareOf(left, taxRate ?? '0') : money(taxAmount, currency).minor);
}

/** Decimals that a percentage may have. */
const rateDecimals = 4;

/** A percentage of minor units, rounded half up. */
function shareOf(minor: bigint, percent: string): bigint {
  const [whole = '0', decimals = ''] = percent.split('.');
  const rate = BigInt(whole + decimals.padEnd(rateDecimals, '0'));
  const hundred = 100n * 10n ** BigInt(rateDecimals);
  return (2n * minor * rate + hundred) / (2n * hundred);
}

const differs = (stated: string, comes: string, currency: string): string | null => {
  const right: Money = money(comes, currency);
  return moneyFault(stated, currency) === null && money(stated, currency).minor === right.minor ? null : spoken(right);
};
