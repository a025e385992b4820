import { z } from 'zod';
import type { Facts, Things } from '../../src/domains/facts.ts';
import { labelKeys } from '../../src/domains/invoicing/shapes.ts';
import { operationOf, type PlatformTool } from '../../src/engine/tool.ts';
import { tools } from '../../tools/index.ts';

// Calls of every tool with every argument, worked out from the tools' own shapes, so that a new field is tried, too.

const platformTools: readonly PlatformTool[] = tools.filter((tool) => tool.kind === 'platform');

/** The tools that change something: a person may be asked about each, if only after text from outside. */
export const changing: readonly PlatformTool[] = platformTools.filter((tool) => operationOf(tool).effect !== 'read');

const logos = ['R0lGODlhAQABAAAAACw=', 'R0lGODlhAQABAIAAACw='];

/** Texts of which each field takes some. Free text takes the first ones. */
const candidates: readonly string[] = [
  ...['Red lamp of wool', 'Blue desk of oak'],
  ...['red-lamp', 'blue-desk', 'RL-1', 'BD-2', 'option_1', 'option_2'],
  ...['40.00', '39.50', '8.25', '7', '3', '5399', '5411'],
  ...['EUR', 'GBP', '2027-03-01T10:00:00.000Z', '2027-04-02T10:00:00.000Z', '2027-03-01', '2027-04-02'],
  ...['ada@example.com', 'eve@example.com', 'https://one.example.com/paid', 'https://two.example.com/paid'],
  ...['TransactionRequestClass', 'InvoiceSummaryClass', 'Request.RequestID', 'Invoice.Status', 'PT2H', 'P1D'],
  ...['0630', '0745', 'Europe/London', 'Asia/Tokyo'],
  ...['#1A2B3C', '#3C2B1A', 'fr-FR', 'de-DE', ...labelKeys, 'message', 'logo', ...logos],
];

/** Two values that a shape takes, every one of a choice, or the only one. */
export function valuesFor(schema: z.ZodType): readonly unknown[] {
  const values = kinds(schema).filter((value) => schema.safeParse(value).success);
  return isChoice(schema) ? values : values.slice(0, 2);
}

const isChoice = (schema: z.ZodType): boolean =>
  schema instanceof z.ZodEnum || (schema instanceof z.ZodOptional && isChoice(schema.unwrap() as z.ZodType));

function kinds(schema: z.ZodType): readonly unknown[] {
  if (schema instanceof z.ZodOptional) return kinds(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodDefault) return kinds(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodObject) return [0, 1].map((at) => objectOf(schema, at));
  if (schema instanceof z.ZodArray) return valuesFor(schema.element as z.ZodType).map((value) => [value]);
  if (schema instanceof z.ZodEnum) return schema.options;
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((one) => kinds(one as z.ZodType));
  return [...candidates, 3, 2, true, false];
}

function objectOf(schema: z.ZodObject, at: number): object {
  return Object.fromEntries(
    Object.entries(schema.shape).map(([name, child]) => {
      const values = valuesFor(child as z.ZodType);
      return [name, values[at] ?? values[0]];
    }),
  );
}

/**
 * Every argument of a tool, filled; handles are those of `everything`. Of arguments that fill the same field, such as a setting
 * and its reset, the one that comes first, or `before` all others.
 */
export function fullArgs(tool: PlatformTool, before = ''): Readonly<Record<string, unknown>> {
  const args: Record<string, unknown> = {};
  const filled = new Set<string>();
  for (const [name, arg] of Object.entries(tool.input.args).toSorted(([one]) => (one === before ? -1 : 0))) {
    const value = arg.kind === undefined ? valuesFor(arg.schema)[0] : everything[arg.kind]?.handle;
    const paths = arg.fills.filter((fill) => fill.value(value) !== undefined).map(({ path }) => path);
    if (paths.some((path) => filled.has(path))) continue;
    for (const path of paths) filled.add(path);
    args[name] = value;
  }
  return args;
}

/** One value of an argument, at its place within it. */
export interface Piece {
  readonly steps: readonly (string | number)[];
  readonly schema: z.ZodType;
}

/** The pieces of an argument that hold a value each: members of objects, items of lists. */
function pieces(schema: z.ZodType, steps: Piece['steps'] = []): readonly Piece[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return pieces(schema.unwrap() as z.ZodType, steps);
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([name, child]) => pieces(child as z.ZodType, [...steps, name]));
  if (schema instanceof z.ZodArray) return pieces(schema.element as z.ZodType, [...steps, 0]);
  return [{ steps, schema }];
}

/** The same value with another one at a place within it. */
export function replaced(whole: unknown, [step, ...rest]: Piece['steps'], value: unknown): unknown {
  if (step === undefined) return value;
  if (Array.isArray(whole)) return whole.map((item, at) => (at === step ? replaced(item, rest, value) : item));
  const members = whole as Readonly<Record<string, unknown>>;
  return { ...members, [step]: replaced(members[step], rest, value) };
}

/** Every argument of every tool that changes something, piece by piece. */
export const everyPiece = changing.flatMap((tool) =>
  Object.entries(tool.input.args).flatMap(([name, arg]) =>
    arg.kind === undefined
      ? pieces(arg.schema).map((piece) => ({
          at: `${tool.name}.${[name, ...piece.steps].join('.')}`,
          ...{ tool, name, arg, piece },
        }))
      : [],
  ),
);

const one = <K extends keyof Things>(kind: K, body: NonNullable<Things[K]>['body'], state = 'ACTIVE') => ({
  [kind]: { handle: `${kind}_one`, kind, owner: 'shopper_one', state, body, createdAt: 0 },
});
const terms = { length: '1', unit: 'M', currency: 'EUR', amount: '20.00', total: '12', setupFee: '1.00' };
const rate = { exchangeRate: '1.575', inverted: false, markup: '3.00', rateTime: '2027-01-15T09:00:00.000Z' };
const surcharged = { ...terms, surcharge: '0.50', surchargeLabel: 'Handling' };

/** A thing of every kind. */
export const everything: Things = {
  ...one('shopper', { displayName: 'Ada Example' }),
  ...one('card', {
    customerId: 'customer-1',
    instrumentIdentifierId: 'instrument-1',
    paymentInstrumentId: 'payment-instrument-1',
    ...{ lastFour: '1111', expires: '12/2030' },
  }),
  ...one('instruction', {
    ...{ instructionId: 'instruction-1', mandateId: 'mandate-1', reference: 'order-1', description: 'Headphones' },
    ...{ limit: '40.00', currency: 'EUR', until: '1800000000', merchant: 'Harbour Audio' },
    ...{ releases: 1, releasesApproved: 1, waiting: '', card: 'card_one' },
  }),
  ...one('receipt', {
    ...{ instruction: 'instruction_one', transactionType: 'PURCHASE', transactionStatus: 'APPROVED' },
    ...{ amount: '40.00', currency: 'EUR' },
  }),
  ...one('plan', { ...surcharged, planId: 'plan-1', code: 'GOLD', name: 'Gold' }),
  ...one('subscription', {
    ...surcharged,
    ...{ subscriptionId: 'subscription-1', code: 'SUB-1', name: 'Gold for Ada', startDate: '2027-02-01T10:00:00Z' },
    ...{ customerId: 'customer-1', customerName: 'Ada Example', missedCount: '2', missedAmount: '40.00' },
  }),
  ...one('followOn', { requestId: '7000000000000000000001', customerName: 'Ada Example', expires: '12/2030' }),
  ...one(
    'invoice',
    {
      ...{ invoiceId: 'bill-1', currency: 'EUR', total: '40.00', delivery: 'email', customer: 'Ada Example' },
      terms: {
        'customerInformation.name': 'Ada Example',
        'customerInformation.email': 'ada@example.com',
        'orderInformation.amountDetails.totalAmount': '40.00',
        'orderInformation.amountDetails.currency': 'EUR',
        'invoiceInformation.description': 'Repair',
      },
    },
    'DRAFT',
  ),
  ...one('reportSubscription', { reportName: 'Daily sales', definition: 'TransactionRequestClass' }),
  ...one('offer', {
    ...{ offerId: 'offer-1', reference: 'order-1', card: 'card_one', reason: '', ...rate },
    ...{ localAmount: '40.00', localCurrency: 'EUR', billingAmount: '63.00', billingCurrency: 'AUD' },
    ...{ expires: '2027-01-15T09:15:00.000Z', reconciliationId: 'reconciliation-1' },
    ...{ rateSource: 'Example Bank', disclaimer: 'I agree to pay in the currency of my card.' },
  }),
  ...one('charge', {
    ...{ paymentId: 'payment-1', reference: 'order-1', card: 'card_one', status: 'AUTHORIZED', ...rate },
    ...{ localAmount: '40.00', localCurrency: 'EUR', billingAmount: '63.00', billingCurrency: 'AUD' },
    ...{ converted: true, processing: 'common', offer: 'offer_one', instruction: 'instruction_one' },
    ...{ capturedLocal: '40.00', capturedBilling: '63.00' },
  }),
  ...one('capture', {
    ...{ captureId: 'capture-1', charge: 'charge_one', localAmount: '40.00', billingAmount: '63.00' },
    ...{ refundedLocal: '0', refundedBilling: '0' },
  }),
  ...one('refund', { refundId: 'refund-1', capture: 'capture_one', localAmount: '40.00', billingAmount: '63.00' }),
  ...one(
    'cardReader',
    { reader: 'reader', deviceId: 'device-1', environment: 'test', educationShown: true },
    'enrolled',
  ),
  ...one(
    'devicePayment',
    {
      ...{ identifier: 'transaction-1', status: 'Approved', reference: 'order-1', cardReader: 'cardReader_one' },
      ...{ type: 'charge', currency: 'EUR', total: '40.00', approved: '40.00', preauthorizes: true },
      ...{ captured: '0', refunded: '0' },
    },
    'AUTHORIZED',
  ),
  ...one('authentication', {
    ...{ card: 'card_one', reference: 'order-1', amount: '40.00', currency: 'EUR', challenge: 'challenge-1' },
    ...{ stepUpOptions: [], namedOptions: 0, requests: 0 },
  }),
};

/** The facts of a call with these arguments, about `everything`. */
export const factsOf = (tool: PlatformTool, args: Facts['args'], things: Things = everything): Facts => {
  const facts: Facts = {
    now: Date.UTC(2027, 0, 15, 9),
    args,
    things,
    merchant: { id: 'merchant-1', name: 'Demo Shop', country: 'GB', url: 'https://shop.example.com' },
    configured: { passkey: { tokenRequesterId: 'requester-1', relationshipId: 'relationship-1' } },
    reference: '',
    new: { correlationId: '', mandateId: '' },
  };
  return { ...facts, reference: tool.input.reference?.(facts) ?? '' };
};
