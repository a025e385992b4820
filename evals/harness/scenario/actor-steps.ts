import { z } from 'zod';
import { line, money, ruleId, someValues, tool, values } from './shapes.ts';

const works = z.boolean().default(true).describe('False where it must not work: too late, or nothing to do.');
/** The payment page's HTTP status for each rule that it enforces. */
export const refusedPayments = { 'IN-08': 404, 'IN-11': 404, 'IN-12': 400, 'IN-13': 400 } as const;
type PaymentRule = keyof typeof refusedPayments;
const vary = z
  .literal(true)
  .optional()
  .describe('The golden also has by which rules it is refused with a field missing, wrong or spoiled, each in turn.');
/** An event as its delivery says it. */
const told = z.strictObject({ eventType: line, data: values.default({}) });

/** People and systems that are not the agent. */
export const actorSteps = [
  z.strictObject({
    actor: z.literal('approver'),
    approves: line.describe('A person approves it: an approval, by its id.'),
    works,
  }),
  z.strictObject({
    actor: z.literal('approver'),
    denies: line.describe('A person denies it: an approval, by its id.'),
    works,
  }),
  z.strictObject({
    actor: z.literal('approver'),
    answers: z
      .enum(['approve', 'deny', 'close'])
      .describe("The user of the agent's host reacts like this to the next question; `close` is no answer."),
    works,
  }),
  z.strictObject({
    actor: z.literal('customer'),
    verifies: line.describe('The cardholder verifies it: a card or a purchase, by its handle.'),
    succeeds: z.boolean().default(true).describe('Whether it is the cardholder.'),
    works,
  }),
  z.strictObject({
    actor: z.literal('payments'),
    posts: values.describe('The payment system of the merchant posts a receipt.'),
    vary,
    works,
  }),
  z.strictObject({
    actor: z.literal('payments'),
    redeems: line.describe('It redeems released credentials, by their handle.'),
    works,
  }),
  z.strictObject({
    actor: z.literal('app'),
    registers: values.describe('The app of the merchant registers a shopper session.'),
    vary,
    refused: ruleId.optional().describe('The rule that must refuse it.'),
    works,
  }),
  z.strictObject({
    actor: z.literal('colleague'),
    tries: tool.describe('Another agent of the merchant, with a principal of its own, calls this tool.'),
    args: values.default({}),
    refused: ruleId.optional().describe('The rule that must refuse it.'),
    works,
  }),
  z.strictObject({
    actor: z.literal('operator'),
    settles: line.describe('An operator settles it: an operation that ended as unknown.'),
    happened: z.boolean().describe('What a person found at the platform.'),
    works,
  }),
  z.strictObject({
    actor: z.literal('operator'),
    resumes: line.describe('An operator has looked into a halt, found this, and lets calls go on.'),
    works,
  }),
  z.strictObject({
    actor: z.literal('server'),
    recovers: line.describe(
      'Purser looks up what became of calls without an answer, as `purser serve` does again and again; after which, in words.',
    ),
    works,
  }),
  z.strictObject({
    actor: z.literal('operator'),
    generates: values.describe('An operator has a key for devices generated, with these arguments, and collects it.'),
    approved: z.boolean().default(true).describe('False where nobody approves it.'),
    refused: ruleId.optional().describe('The rule that must refuse it.'),
    works,
  }),
  z.strictObject({
    actor: z.literal('operator'),
    refunds: someValues.describe('An operator refunds without an original transaction, with these arguments.'),
    approved: z.boolean().default(true).describe('False where nobody approves it.'),
    refused: ruleId.optional().describe('The rule that must refuse it.'),
    works,
  }),
  z.strictObject({
    actor: z.literal('customer'),
    enters: line.describe('The customer enters a code on the page of an authentication, by its handle.'),
    code: z
      .enum(['right', 'wrong', 'issuer'])
      .default('right')
      .describe('Which; `issuer` is one that the issuer gave by another way.'),
    refused: ruleId.optional().describe('The rule that must refuse it.'),
    works,
  }),
  z.strictObject({
    actor: z.literal('customer'),
    authenticates: line.describe('The customer uses the passkey for an authentication, by its handle.'),
    succeeds: z.boolean().default(true).describe('False where the customer gives it up.'),
    reads: z
      .boolean()
      .default(true)
      .describe('False where the page does not show what the passkey is to approve, so names no approval.'),
    refused: ruleId.optional().describe('The rule that must refuse it.'),
    works,
  }),
  z.strictObject({
    actor: z.literal('customer'),
    chooses: line.describe('The customer chooses on the page of a conversion offer, by its handle.'),
    currency: line.describe('The currency that the customer pays in.'),
    refused: ruleId.optional().describe('The rule that must refuse it.'),
    works,
  }),
  z.strictObject({
    actor: z.literal('platform'),
    binds: line.describe(
      "The issuer approves the device for a card, by its handle, in the issuer's app or on the telephone.",
    ),
    works,
  }),
  z.strictObject({
    actor: z.literal('app'),
    calls: tool.describe("The merchant's app calls this tool."),
    args: values.default({}),
    refused: ruleId.optional().describe('The rule that must refuse it.'),
    works,
  }),
  z.strictObject({
    actor: z.literal('customer'),
    pays: line.describe('The customer pays an invoice: its handle, or the link that was shared.'),
    amount: money.optional().describe('By default all that is left.'),
    card: z
      .enum(['approved', 'declined', 'review'])
      .default('approved')
      .describe('What becomes of the payment; `review` holds it.'),
    refused: z
      .enum(Object.keys(refusedPayments) as [PaymentRule, ...PaymentRule[]]) // the keys of the table
      .optional()
      .describe('The rule by which the payment page must refuse it.'),
    works,
  }),
  z.strictObject({
    actor: z.literal('platform'),
    reviews: line.describe('The platform ends the review of a payment: of an invoice, by its handle.'),
    accepts: z.boolean().describe('Whether the payment is accepted.'),
    works,
  }),
  z.strictObject({
    actor: z.literal('operator'),
    subscribes: someValues.describe('It subscribes to events at the platform, as the control API takes it.'),
    works,
  }),
  z.strictObject({
    actor: z.literal('platform'),
    converts: someValues.describe(
      'From now on it offers conversions like this, as the control API of the sandbox takes it.',
    ),
    works,
  }),
  z.strictObject({
    actor: z.literal('platform'),
    fails: line.describe('It can not make a report, by its name.'),
    works,
  }),
  z.strictObject({
    actor: z.literal('platform'),
    corrects: values.describe('A bank corrects the account of an electronic check, as the control API takes it.'),
    works,
  }),
  z.strictObject({
    actor: z.literal('customer'),
    disputes: line.describe('The customer has the bank take back a payment: a capture, by its handle.'),
    works,
  }),
  z.strictObject({
    actor: z.literal('merchant'),
    readies: someValues.describe('How the card reader is from now on, as the control API of the sandbox takes it.'),
    works,
  }),
  z.strictObject({
    actor: z.literal('customer'),
    taps: values.describe(
      'What happens at the reader in the call that waits for it, or in the next one, as the control API takes it; by default a card is tapped and approved.',
    ),
    works,
  }),
  z.strictObject({
    actor: z.literal('platform'),
    delivers: z.literal('again').describe('It makes its last delivery once more, as it was.'),
    works,
  }),
  z.strictObject({
    actor: z.literal('platform'),
    tells: told.describe('It delivers this event.'),
    works,
  }),
  z.strictObject({
    actor: z.literal('stranger'),
    forges: told.describe("Somebody who hasn't the key delivers this event. Purser must not take it."),
    works,
  }),
] as const;
