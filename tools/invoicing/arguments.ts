import { z } from 'zod';
import { amount, asAmount, bare, currency } from '../../src/core/fields.ts';
import { limits } from '../../src/core/limits.ts';
import { once } from '../../src/core/once.ts';
import { expiryRead, type Place, places, written } from '../../src/domains/invoicing/replacement.ts';
import { percent } from '../../src/domains/invoicing/shapes.ts';
import type { Arg } from '../../src/engine/tool.ts';

/** Text that has the shape of a field of the platform, of which it says what that field does. */
const like = (shape: z.ZodType) =>
  z.string().refine((value) => shape.safeParse(value).success, {
    error: ({ input }) => shape.safeParse(input).error?.issues[0]?.message,
  });
/** A list of one item or more, not more than `most`. */
const few = <S extends z.ZodType>(item: S, most: number) =>
  z.array(item).refine(({ length }) => length >= 1 && length <= most, `must have 1 to ${most} items`);
const whole = (most: number) =>
  z.number().refine((it) => Number.isInteger(it) && it >= 1 && it <= most, `must be a whole number from 1 to ${most}`);

const sum = asAmount(like(amount));
const rate = asAmount(like(percent));
const words = z.string().min(1).max(limits.textCharacters);
const day = z.iso.date();

/** How an argument is described: its words, or none where another tool of the toolset has the same argument with words. */
type Describe = <S extends z.ZodType>(schema: S, about: string) => S;
const inWords: Describe = (schema, about) => schema.describe(about);
const asElsewhere: Describe = (schema) => schema;

const writes = (place: Place, given: unknown): unknown => written[place]?.(given) ?? given;

/** Everything that an invoice can say, but for how it reaches its customer. */
function contentIn(told: Describe) {
  /** An argument that says one thing of an invoice; one without words says all by its name. */
  const says = <P extends Place>(
    place: P,
    schema: z.ZodType,
    { about = '', rule }: { readonly about?: string; readonly rule?: string } = {},
  ): Arg<(typeof places)[P]> => ({
    schema: (about === '' ? schema : told(schema, about)).optional(),
    fills: [{ path: places[place], value: (given) => (given === undefined ? undefined : writes(place, given)) }],
    rule,
  });
  const line = z.strictObject({
    sku: told(words, 'Article number.'),
    name: told(words, 'Of the article.'),
    quantity: told(whole(limits.itemQuantityElements), 'Pieces.'),
    price: told(sum, 'Of one piece.'),
    total: told(sum, 'quantity × price - discount + tax.'),
    discount: told(sum, 'Off this line.').optional(),
    discount_percent: told(rate, 'Instead of discount.').optional(),
    tax: told(sum, 'On this line.').optional(),
    tax_percent: told(rate, 'Instead of tax.').optional(),
  });
  const customField = z.strictObject({
    id: told(whole(Number.MAX_SAFE_INTEGER), 'From the portal.'),
    value: told(words, 'No personal data.'),
  });
  return {
    customer_name: says('customer_name', words, { about: 'Who pays.' }),
    customer_email: says('customer_email', z.email().max(limits.textCharacters), {
      about: 'Required, with customer_name, for e-mail and lines.',
    }),
    customer_id: says('customer_id', words, { about: 'Your customer number.' }),
    company: says('company', words, { about: 'Of the customer.' }),
    description: says('description', words, { about: 'Required without lines.' }),
    transaction: says('transaction', words, { about: 'Your transaction number.' }),
    total: says('total', sum, { about: 'Such as 40.00.', rule: 'IN-02' }),
    currency: says('currency', like(currency), {
      about: 'Such as USD.',
      rule: 'IN-02',
    }),
    due: says('due', day, { about: 'Last day to pay.', rule: 'IN-02' }),
    expires: {
      ...says('expires', day, { about: '00:00 GMT; after it nobody can pay.', rule: 'IN-12' }),
      approvalText: (_: unknown, [sent]: readonly unknown[]) => expiryRead(sent),
    },
    subtotal: says('subtotal', sum, { about: 'Sum of lines.' }),
    discount: says('discount', sum, { about: 'Off the total.' }),
    discount_percent: says('discount_percent', rate, { about: 'Instead of discount.' }),
    tax: says('tax', sum, { about: 'On the total.' }),
    tax_percent: says('tax_percent', rate, { about: 'Instead of tax.' }),
    tax_type: says('tax_type', words, { about: 'Such as VAT.' }),
    shipping: says('shipping', sum, { about: 'Its cost.' }),
    shipping_taxable: says('shipping_taxable', z.boolean(), { about: 'Shipping is taxed.' }),
    shipping_tax_percent: says('shipping_tax_percent', rate, { about: 'On shipping.' }),
    partial_payments: says('partial_payments', z.boolean(), { about: 'May be paid in parts.' }),
    minimum_part: says('minimum_part', sum, { about: 'Needs partial_payments.', rule: 'IN-13' }),
    ask_phone: says('ask_phone', z.boolean(), { about: 'Asks the payer.' }),
    ask_address: says('ask_address', z.boolean(), { about: 'Asks the payer.' }),
    lines: says('lines', few(line, limits.invoiceLineElements), {
      about: 'With discounts and taxes here, none on the total.',
      rule: 'IN-04',
    }),
    fields: says('fields', few(customField, limits.arrayElements), { rule: 'IN-15' }),
  } as const;
}

export const content = once(() => contentIn(inWords));
/** The same for a tool that has no room for words: `create_invoice` describes each argument by the same name. */
export const contentAsCreated = once(() => contentIn(asElsewhere));

/** The same argument, but it must be given. */
export const required = <P extends string>(arg: Arg<P>): Arg<P> => ({ ...arg, schema: bare(arg.schema) });

/** How an invoice is delivered, and whether it stays a draft first. */
export const deliveryModes = {
  draft: { delivery: 'none', immediate: false },
  email_draft: { delivery: 'email', immediate: false },
  email: { delivery: 'email', immediate: true },
  link: { delivery: 'none', immediate: true },
} as const;
export type DeliveryMode = keyof typeof deliveryModes;
