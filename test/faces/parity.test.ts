import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../src/engine/answer.ts';
import { registerShopper } from '../../src/engine/register.ts';
import { effectOf } from '../../src/engine/tool.ts';
import { sandboxSeed } from '../../src/sandbox/index.ts';
import { tools } from '../../tools/index.ts';
import {
  followed,
  plan as newPlan,
  subscription as newSubscription,
  planned,
  running,
  subscribed,
} from '../engine/billing.ts';
import { authorized, captured, offered, offering, paying, refunded } from '../engine/conversion.ts';
import { charging, deviceOf, held, readyDevice, sold } from '../engine/device.ts';
import { bill, billed } from '../engine/invoicing.ts';
import { authentication as newAuthentication } from '../engine/passkey.ts';
import {
  correctedAccount,
  finishedReport,
  report,
  reportSubscription,
  requestedReport,
  reviewedPayment,
  subscribedReport,
} from '../engine/reporting.ts';
import { bought, change, deny, order, paid, payment, type World } from '../engine/support.ts';
import { playRowsOneIn } from '../support/drawn.ts';
import { behind, engineItself, type Face, faces } from './adapters.ts';

playRowsOneIn(3);

// The same calls through every face, each on a fresh world with the same ids and clock: the answers are the same to the letter. Each
// story is told through the engine and two faces, in turn; in the soak through all of them.

const isLong = process.env.SOAK !== undefined;
const facesOf = (place: number): readonly Face[] => faces.filter((_, at) => isLong || (at + place) % faces.length < 2);

interface Case {
  readonly when: string;
  readonly tool: string;
  readonly args: (handle: string) => object;
  readonly outcome: Outcome;
  readonly rule?: string;
  /** Brings the world to where the call is made; answers the handle that it is about. */
  readonly given?: (it: World) => Promise<string>;
}

const enrolled = (card: string) => async (it: World) => {
  await it.call('enroll_card', { card });
  return card;
};
const released = async (it: World) => {
  const instruction = await bought(it);
  await it.call('retrieve_credentials', payment(instruction));
  return instruction;
};
const completed = async (it: World) => {
  const instruction = await paid(it);
  await it.call('confirm_transaction', { instruction });
  return instruction;
};
const waiting = async (it: World) => {
  await it.call('enroll_card', { card: 'card_ada' });
  return String((await it.call('initiate_purchase', order())).operation);
};
const denied = async (it: World) => {
  await it.call('enroll_card', { card: 'card_ada' });
  await deny(it, await it.call('initiate_purchase', order()));
  return '';
};
const declined = async (it: World) => {
  await it.fault('enrollCard', 'decline');
  return 'card_ada';
};
const lost = async (it: World) => {
  await it.fault('enrollCard', 'timeout-after-commit');
  return 'card_ada';
};
const withoutDevice = async (it: World) => {
  const { deviceInformation: _, ...ada } = sandboxSeed.shoppers.shopper_ada;
  const [card] = ada.cards;
  const cards = [{ ...card, handle: 'card_eve', instrumentIdentifierId: 'FACE00000000000000000000000D0099' }];
  const session = { ...ada, handle: 'shopper_eve', displayName: 'Eve Example', cards };
  const registered = await registerShopper(it.running.engine.parts, 'default', session);
  if (!registered.ok) throw new Error(JSON.stringify(registered.faults));
  return 'card_eve';
};
const instruction = (handle: string) => ({ instruction: handle });
const invoice = (handle: string) => ({ invoice: handle });
const nothing = () => ({});
const plan = (handle: string) => ({ plan: handle });
const subscription = (handle: string) => ({ subscription: handle });
const { card: _, ...followOn } = newSubscription({ every: 1, unit: 'month', amount: '5.00', currency: 'GBP' });
const suspended = async (it: World) => {
  const handle = await running(it);
  await it.call('suspend_subscription', { subscription: handle });
  return handle;
};
const offer = (handle: string) => ({ offer: handle });
const charge = (handle: string) => ({ charge: handle });
const capture = (handle: string) => ({ capture: handle });
const refund = (handle: string) => ({ refund: handle });
const transaction = (handle: string) => ({ transaction: handle });
const authentication = (handle: string) => ({ authentication: handle });
/** With one reference on every face. */
const authenticating = (card: string) => newAuthentication({ card, reference: 'payment-1' });
const begun = (card: string) => async (it: World) =>
  String((await it.call('create_authentication_options', authenticating(card))).data.authentication);

// biome-ignore format: a table
const cases: readonly Case[] = [
  { tool: 'find_shopper', when: 'nothing is asked for', args: nothing, outcome: 'done' },
  { tool: 'find_shopper', when: 'by name, one a page', args: () => ({ name: 'a', limit: 1 }), outcome: 'done' },
  { tool: 'find_shopper', when: 'the limit is text', args: () => ({ limit: '1' }), outcome: 'refused', rule: 'EN-01' },
  { tool: 'find_shopper', when: 'the limit is above the most', args: () => ({ limit: 101 }), outcome: 'refused', rule: 'EN-01' },
  { tool: 'find_shopper', when: 'the name is too long', args: () => ({ name: 'x'.repeat(81) }), outcome: 'refused', rule: 'EN-01' },
  { tool: 'find_shopper', when: 'an argument is misspelt', args: () => ({ nam: 'Ada' }), outcome: 'refused', rule: 'EN-01' },
  { tool: 'list_cards', when: 'of a shopper', args: () => ({ shopper: 'shopper_cleo' }), outcome: 'done' },
  { tool: 'list_cards', when: 'of nobody', args: () => ({ shopper: 'shopper_nobody' }), outcome: 'refused', rule: 'EN-02' },
  { tool: 'list_cards', when: 'the cursor is made up', args: () => ({ shopper: 'shopper_ada', cursor: 'no cursor' }), outcome: 'refused', rule: 'EN-01' },
  { tool: 'list_cards', when: 'the shopper is missing', args: nothing, outcome: 'refused', rule: 'EN-01' },
  { tool: 'enroll_card', when: 'the platform takes it', args: () => ({ card: 'card_ada' }), outcome: 'done' },
  { tool: 'enroll_card', when: 'the customer must verify', args: () => ({ card: 'card_bo' }), outcome: 'done' },
  { tool: 'enroll_card', when: 'the handle is of a shopper', args: () => ({ card: 'shopper_ada' }), outcome: 'refused', rule: 'EN-02' },
  { tool: 'enroll_card', when: 'it is a card number', args: () => ({ card: '4111 1111 1111 1111' }), outcome: 'refused', rule: 'EN-05' },
  { tool: 'enroll_card', when: 'the platform says no', args: (card) => ({ card }), outcome: 'declined', given: declined },
  { tool: 'enroll_card', when: 'the answer is lost', args: (card) => ({ card }), outcome: 'unknown', rule: 'EN-06', given: lost },
  { tool: 'enroll_card', when: 'the device is not known', args: (card) => ({ card }), outcome: 'refused', rule: 'AP-01', given: withoutDevice },
  { tool: 'initiate_purchase', when: 'a person must approve', args: () => order(), outcome: 'needs_approval', rule: 'EN-04', given: enrolled('card_ada') },
  { tool: 'initiate_purchase', when: 'it has every argument', args: () => order({ merchant: 'Harbour Audio', category: 'Audio', category_code: '5732', quantity: 1, every: 'month', prompt: 'Buy it', recurring: true }), outcome: 'needs_approval', rule: 'EN-04', given: enrolled('card_ada') },
  { tool: 'initiate_purchase', when: 'a person said no', args: () => order(), outcome: 'refused', rule: 'EN-04', given: denied },
  { tool: 'initiate_purchase', when: 'it was done before', args: () => order(), outcome: 'done', given: bought },
  { tool: 'initiate_purchase', when: 'its reference stands for another', args: () => order({ description: 'A cable' }), outcome: 'refused', rule: 'EN-03', given: bought },
  { tool: 'initiate_purchase', when: 'the card waits for its customer', args: (card) => order({ card }), outcome: 'refused', rule: 'AP-03', given: enrolled('card_bo') },
  { tool: 'initiate_purchase', when: 'the card is not enrolled', args: () => order(), outcome: 'refused', rule: 'AP-04' },
  { tool: 'initiate_purchase', when: 'the limit is nothing', args: () => order({ limit: { amount: '0', currency: 'GBP' } }), outcome: 'refused', rule: 'AP-09', given: enrolled('card_ada') },
  { tool: 'initiate_purchase', when: 'the end has passed', args: () => order({ until: '2020-01-01T00:00:00Z' }), outcome: 'refused', rule: 'AP-09', given: enrolled('card_ada') },
  { tool: 'initiate_purchase', when: 'the limit holds a stranger', args: () => order({ limit: { amount: '1', currency: 'GBP', tip: '1' } }), outcome: 'refused', rule: 'EN-01' },
  { tool: 'initiate_purchase', when: 'there is no such currency', args: () => order({ limit: { amount: '1', currency: 'ZZZ' } }), outcome: 'refused', rule: 'EN-01' },
  { tool: 'initiate_purchase', when: 'an amount is a number', args: () => order({ limit: { amount: 1, currency: 'GBP' } }), outcome: 'refused', rule: 'EN-01' },
  { tool: 'initiate_purchase', when: 'the limit is text', args: () => order({ limit: '1 GBP' }), outcome: 'refused', rule: 'EN-01' },
  { tool: 'initiate_purchase', when: 'a word hides a direction', args: () => order({ description: 'Head\u202ephones' }), outcome: 'refused', rule: 'EN-10' },
  { tool: 'update_purchase', when: 'it narrows', args: (it) => change(it, { limit: { amount: '90', currency: 'GBP' } }), outcome: 'done', given: bought },
  { tool: 'update_purchase', when: 'it widens', args: (it) => change(it, { limit: { amount: '900', currency: 'GBP' } }), outcome: 'needs_approval', rule: 'EN-04', given: bought },
  { tool: 'update_purchase', when: 'there is no such purchase', args: () => change('instruction_none'), outcome: 'refused', rule: 'EN-02' },
  { tool: 'cancel_purchase', when: 'it is open', args: instruction, outcome: 'done', given: bought },
  { tool: 'cancel_purchase', when: 'it is completed', args: instruction, outcome: 'refused', rule: 'AP-11', given: completed },
  { tool: 'retrieve_credentials', when: 'it is within the limit', args: (it) => payment(it), outcome: 'done', given: bought },
  { tool: 'retrieve_credentials', when: 'it has every argument', args: (it) => payment(it, { card: 'card_ada', reference: 'payment-1', subtotal: '35.00', discount: '1.00', shipping: '4.00', handling: '2.00', type: 'PURCHASE', delivery: 'SHIP_TO_HOME' }), outcome: 'needs_approval', rule: 'EN-04', given: bought },
  { tool: 'retrieve_credentials', when: 'once more', args: (it) => payment(it, { reference: 'payment-2' }), outcome: 'needs_approval', rule: 'EN-04', given: released },
  { tool: 'retrieve_credentials', when: 'it is above the limit', args: (it) => payment(it, { amount: '100.01' }), outcome: 'refused', rule: 'AP-09', given: bought },
  { tool: 'retrieve_credentials', when: "the card is another's", args: (it) => payment(it, { card: 'card_dan' }), outcome: 'refused', rule: 'AP-08', given: bought },
  { tool: 'retrieve_credentials', when: 'the purchase is completed', args: (it) => payment(it, { reference: 'again' }), outcome: 'refused', rule: 'AP-11', given: completed },
  { tool: 'confirm_transaction', when: 'it was paid', args: instruction, outcome: 'done', given: paid },
  { tool: 'confirm_transaction', when: 'nothing was released', args: instruction, outcome: 'refused', rule: 'AP-10', given: bought },
  { tool: 'confirm_transaction', when: 'nothing was paid', args: instruction, outcome: 'refused', rule: 'AP-10', given: released },
  { tool: 'get_purchase', when: 'it is completed', args: instruction, outcome: 'done', given: completed },
  { tool: 'get_purchase', when: 'there is none', args: () => ({ instruction: 'instruction_none' }), outcome: 'refused', rule: 'EN-02' },
  { tool: 'list_plans', when: 'by name and state, one a page', args: () => ({ name: 'old', state: 'ACTIVE', limit: 1 }), outcome: 'done', given: planned },
  { tool: 'list_plans', when: 'the limit is above the most', args: () => ({ limit: 101 }), outcome: 'refused', rule: 'PL-12' },
  { tool: 'get_plan', when: 'it is there', args: plan, outcome: 'done', given: planned },
  { tool: 'get_plan', when: 'there is none', args: () => ({ plan: 'plan_none' }), outcome: 'refused', rule: 'EN-02' },
  { tool: 'get_plan_code', when: 'one is free', args: nothing, outcome: 'done' },
  { tool: 'create_plan', when: 'it has every argument', args: () => newPlan({ reference: 'plan-a', payments: 12, setup_fee: '1.00', code: 'GOLD', description: 'For all', draft: true }), outcome: 'done' },
  { tool: 'create_plan', when: 'the code is too long', args: () => newPlan({ reference: 'plan-a', code: 'A-LONG-CODE' }), outcome: 'refused', rule: 'PL-01' },
  { tool: 'create_plan', when: 'two payments are too far apart', args: () => newPlan({ reference: 'plan-a', every: 13 }), outcome: 'refused', rule: 'PL-03' },
  { tool: 'amend_plan', when: 'for new subscriptions', args: (it) => ({ ...plan(it), apply_to: 'NEW', every: 2, unit: 'week' }), outcome: 'done', given: planned },
  { tool: 'amend_plan', when: 'for all of them', args: (it) => ({ ...plan(it), apply_to: 'ALL', every: 2, unit: 'week' }), outcome: 'needs_approval', rule: 'EN-04', given: planned },
  { tool: 'amend_plan', when: 'it is active and keeps its price', args: (it) => ({ ...plan(it), apply_to: 'NEW', amount: '8.00' }), outcome: 'refused', rule: 'PL-05', given: planned },
  { tool: 'activate_plan', when: 'it is a draft', args: plan, outcome: 'done', given: (it) => planned(it, { draft: true }) },
  { tool: 'activate_plan', when: 'it is active', args: plan, outcome: 'refused', rule: 'PL-09', given: planned },
  { tool: 'deactivate_plan', when: 'it is active', args: plan, outcome: 'done', given: planned },
  { tool: 'delete_plan', when: 'nobody ever had it', args: plan, outcome: 'done', given: planned },
  { tool: 'list_subscriptions', when: "of a card's customer", args: () => ({ card: 'card_ada' }), outcome: 'done', given: subscribed },
  { tool: 'get_subscription', when: 'it is there', args: subscription, outcome: 'done', given: subscribed },
  { tool: 'get_subscription_code', when: 'one is free', args: nothing, outcome: 'done' },
  { tool: 'list_subscription_payments', when: 'some are to come', args: (it) => ({ ...subscription(it), scheduled: 2, limit: 1 }), outcome: 'done', given: subscribed },
  { tool: 'get_follow_on', when: 'it was paid', args: () => ({ payment: 'earlier-payment-0001' }), outcome: 'done' },
  { tool: 'get_follow_on', when: 'it never was', args: () => ({ payment: 'no-payment' }), outcome: 'declined' },
  { tool: 'create_subscription', when: 'a person must approve', args: (it) => newSubscription({ plan: it }), outcome: 'needs_approval', rule: 'EN-04', given: planned },
  { tool: 'create_subscription', when: 'it has a schedule of its own, and every argument', args: () => newSubscription({ every: 1, unit: 'year', payments: 2, amount: '10', currency: 'EUR', setup_fee: '1', surcharge: '0.50', surcharge_label: 'Insurance', code: 'S-1', original_transaction: '0', original_amount: '1' }), outcome: 'needs_approval', rule: 'EN-04' },
  { tool: 'create_subscription', when: 'the plan is a draft', args: (it) => newSubscription({ plan: it }), outcome: 'refused', rule: 'SB-02', given: (it) => planned(it, { draft: true }) },
  { tool: 'create_subscription', when: 'it has neither plan nor schedule', args: () => newSubscription(), outcome: 'refused', rule: 'SB-01' },
  { tool: 'create_follow_on_subscription', when: 'a person must approve', args: (it) => ({ ...followOn, follow_on: it }), outcome: 'needs_approval', rule: 'EN-04', given: followed },
  { tool: 'update_subscription', when: 'it is called otherwise', args: (it) => ({ ...subscription(it), name: 'Silver' }), outcome: 'needs_approval', rule: 'EN-04', given: subscribed },
  { tool: 'update_subscription', when: 'it gets dearer', args: (it) => ({ ...subscription(it), amount: '19.99' }), outcome: 'needs_approval', rule: 'EN-04', given: subscribed },
  { tool: 'cancel_subscription', when: 'it waits for its first payment', args: subscription, outcome: 'done', given: subscribed },
  { tool: 'cancel_subscription', when: 'it was charged just now', args: subscription, outcome: 'refused', rule: 'SB-11', given: running },
  { tool: 'suspend_subscription', when: 'it is active', args: subscription, outcome: 'done', given: running },
  { tool: 'suspend_subscription', when: 'it is not active yet', args: subscription, outcome: 'refused', rule: 'SB-09', given: subscribed },
  { tool: 'reactivate_subscription', when: 'a person must approve', args: (it) => ({ ...subscription(it), collect_missed: true }), outcome: 'needs_approval', rule: 'EN-04', given: suspended },
  { tool: 'reactivate_subscription', when: 'it is not suspended', args: (it) => ({ ...subscription(it), collect_missed: true }), outcome: 'refused', rule: 'SB-10', given: running },
  { tool: 'skip_subscription_payments', when: 'they are far ahead', args: (it) => ({ ...subscription(it), cycles: [2, 3] }), outcome: 'done', given: subscribed },
  { tool: 'skip_subscription_payments', when: 'one is over', args: (it) => ({ ...subscription(it), cycles: [1] }), outcome: 'refused', rule: 'SB-14', given: running },
  { tool: 'list_invoices', when: 'of one state', args: () => ({ state: 'SENT', limit: 1 }), outcome: 'done', given: billed },
  { tool: 'list_invoices', when: 'the cursor is made up', args: () => ({ cursor: 'next' }), outcome: 'refused', rule: 'EN-01' },
  { tool: 'get_invoice', when: 'it is there', args: invoice, outcome: 'done', given: billed },
  { tool: 'get_invoice', when: 'there is none', args: () => ({ invoice: 'invoice_none' }), outcome: 'refused', rule: 'EN-02' },
  { tool: 'create_invoice', when: 'it has lines', args: () => bill({ lines: [{ sku: 'C-1', name: 'Cone', quantity: 2, price: '20.00', total: '40.00' }] }), outcome: 'needs_approval', rule: 'EN-04' },
  { tool: 'create_invoice', when: 'its total is not that of its lines', args: () => bill({ lines: [{ sku: 'C-1', name: 'Cone', quantity: 1, price: '20.00', total: '20.00' }] }), outcome: 'refused', rule: 'IN-16' },
  { tool: 'create_invoice', when: 'nobody gets its e-mail', args: () => bill({ customer_email: undefined }), outcome: 'refused', rule: 'IN-02' },
  { tool: 'update_invoice', when: 'a person must approve', args: (it) => ({ ...invoice(it), total: '41.00' }), outcome: 'needs_approval', rule: 'EN-04', given: billed },
  { tool: 'update_invoice', when: 'it drops what is not there', args: (it) => ({ ...invoice(it), remove: ['tax'] }), outcome: 'refused', rule: 'IN-06', given: billed },
  { tool: 'send_invoice', when: 'once more', args: invoice, outcome: 'done', given: billed },
  { tool: 'publish_invoice', when: 'it is a draft', args: invoice, outcome: 'needs_approval', rule: 'EN-04', given: (it) => billed(it, { how: 'draft' }) },
  { tool: 'publish_invoice', when: 'it is sent', args: invoice, outcome: 'refused', rule: 'IN-09', given: billed },
  { tool: 'cancel_invoice', when: 'nothing is paid', args: invoice, outcome: 'done', given: billed },
  { tool: 'get_invoice_settings', when: 'nobody changed them', args: nothing, outcome: 'done' },
  { tool: 'update_invoice_settings', when: 'it says thanks', args: () => ({ message: 'Thank you' }), outcome: 'needs_approval', rule: 'EN-04' },
  { tool: 'update_invoice_settings', when: 'a colour is none', args: () => ({ header_color: 'red' }), outcome: 'refused', rule: 'IN-14' },
  { tool: 'list_webhook_subscriptions', when: 'there are none', args: nothing, outcome: 'done' },
  { tool: 'list_webhook_subscriptions', when: 'the event is of another product', args: () => ({ product: 'recurringBilling', event: 'tms.token.created' }), outcome: 'refused', rule: 'WH-01' },
  { tool: 'list_report_definitions', when: 'there are eighteen', args: nothing, outcome: 'done' },
  { tool: 'describe_report_definition', when: 'it is of invoices', args: () => ({ definition: 'InvoiceSummaryClass' }), outcome: 'done' },
  { tool: 'describe_report_definition', when: 'there is none of that name', args: () => ({ definition: 'InvoiceReport' }), outcome: 'refused', rule: 'RP-02' },
  { tool: 'describe_report_definition', when: 'it is about a stranger', args: () => ({ definition: 'InvoiceSummaryClass', organization: 'other' }), outcome: 'refused', rule: 'RP-12' },
  { tool: 'list_report_subscriptions', when: 'there is one', args: nothing, outcome: 'done', given: subscribedReport },
  { tool: 'get_report_subscription', when: 'it is every day', args: (report_subscription) => ({ report_subscription }), outcome: 'done', given: subscribedReport },
  { tool: 'save_report_subscription', when: 'it is every day', args: () => reportSubscription(), outcome: 'done' },
  { tool: 'save_report_subscription', when: 'it is of another definition', args: () => reportSubscription({ definition: 'InvoiceSummaryClass', fields: ['Invoice.Status'] }), outcome: 'refused', rule: 'RP-01', given: subscribedReport },
  { tool: 'save_report_subscription', when: 'the time is none', args: () => reportSubscription({ time: '2570' }), outcome: 'refused', rule: 'RP-04' },
  { tool: 'delete_report_subscription', when: 'it is every day', args: (report_subscription) => ({ report_subscription }), outcome: 'done', given: subscribedReport },
  { tool: 'request_report', when: 'it is of a month', args: () => report(), outcome: 'done' },
  { tool: 'request_report', when: 'it is of two months', args: () => report({ until: '2026-03-01T00:00:00Z' }), outcome: 'refused', rule: 'RP-06' },
  { tool: 'list_reports', when: 'there is one', args: () => ({ from: report().from, until: report().until, by: 'range' }), outcome: 'done', given: requestedReport },
  { tool: 'get_report', when: 'it was requested', args: (it) => ({ report: it }), outcome: 'done', given: requestedReport },
  { tool: 'download_report', when: 'it is finished', args: (it) => ({ report: it }), outcome: 'done', given: finishedReport },
  { tool: 'download_report', when: 'it is not finished', args: (it) => ({ report: it }), outcome: 'refused', rule: 'RP-08', given: requestedReport },
  { tool: 'get_conversion_details', when: 'a payment was reviewed', args: () => ({ from: report().from, until: report().until }), outcome: 'done', given: reviewedPayment },
  { tool: 'get_notification_of_changes', when: 'a bank corrected an account', args: () => ({ from: report().from, until: report().until }), outcome: 'done', given: correctedAccount },
  { tool: 'get_purchase_refund_details', when: 'something was sold', args: () => ({ from: report().from, until: report().until }), outcome: 'done', given: captured },
  { tool: 'get_purchase_refund_details', when: 'two formats are asked for', args: () => ({ from: report().from, until: report().until, format: 'csv, xml' }), outcome: 'refused', rule: 'RP-11' },
  { tool: 'get_net_fundings', when: 'something was sold', args: () => ({ from: report().from, until: report().until }), outcome: 'done', given: captured },
  { tool: 'get_payment_batch_summaries', when: 'something was sold', args: () => ({ from: report().from, until: report().until }), outcome: 'done', given: captured },
  { tool: 'get_payment_batch_summaries', when: 'it is by week alone', args: () => ({ from: report().from, until: report().until, roll_up: 'week' }), outcome: 'refused', rule: 'RP-09' },
  { tool: 'create_authentication_options', when: 'the customer has a passkey', args: () => authenticating('card_ada'), outcome: 'done' },
  { tool: 'create_one_time_password', when: 'the customer chose an option', args: (it) => ({ ...authentication(it), option: 'option_1', request_number: 1 }), outcome: 'done', given: begun('card_bo') },
  { tool: 'create_authentication_registration', when: 'the issuer approves the device', args: authentication, outcome: 'done', given: begun('card_cleo') },
  { tool: 'get_authentication', when: 'the issuer wants more proof', args: authentication, outcome: 'done', given: begun('card_bo') },
  { tool: 'offer_conversion', when: 'the card is of another currency', args: () => offering(), outcome: 'done' },
  { tool: 'choose_currency', when: 'the customer is asked', args: (handle) => ({ ...offer(handle), currency: 'AUD' }), outcome: 'needs_approval', rule: 'EN-04', given: offered },
  { tool: 'get_conversion_offer', when: 'it waits for the customer', args: offer, outcome: 'done', given: offered },
  { tool: 'authorize_payment', when: 'a person must approve', args: () => paying(), outcome: 'needs_approval', rule: 'EN-04' },
  { tool: 'get_payment', when: 'it is authorized', args: charge, outcome: 'done', given: authorized },
  { tool: 'reverse_payment', when: 'nothing is captured', args: charge, outcome: 'needs_approval', rule: 'EN-04', given: authorized },
  { tool: 'capture_payment', when: 'all of it', args: charge, outcome: 'done', given: authorized },
  { tool: 'get_capture', when: 'it is there', args: capture, outcome: 'done', given: captured },
  { tool: 'void_capture', when: 'a person must approve', args: capture, outcome: 'needs_approval', rule: 'EN-04', given: captured },
  { tool: 'refund_capture', when: 'a person must approve', args: capture, outcome: 'needs_approval', rule: 'EN-04', given: captured },
  { tool: 'get_refund', when: 'it is there', args: refund, outcome: 'done', given: refunded },
  { tool: 'void_refund', when: 'a person must approve', args: refund, outcome: 'needs_approval', rule: 'EN-04', given: refunded },
  { tool: 'list_payments', when: 'one is authorized', args: nothing, outcome: 'done', given: authorized },
  { tool: 'get_payment_receipt', when: 'it is authorized', args: charge, outcome: 'done', given: authorized },
  { tool: 'device_status', when: 'it is not enrolled', args: nothing, outcome: 'done' },
  { tool: 'enroll_device', when: 'somebody follows the screens', args: (device) => ({ device }), outcome: 'done', given: deviceOf },
  { tool: 'charge_device', when: 'a person must approve', args: (device) => charging(device), outcome: 'needs_approval', rule: 'EN-04', given: readyDevice },
  { tool: 'charge_device', when: 'it is not enrolled', args: (device) => charging(device), outcome: 'refused', rule: 'DV-02', given: deviceOf },
  { tool: 'charge_device', when: 'the customer types a tip to a sale', args: (device) => charging(device, { tip: { input: 'amount', up_to: '5.00' } }), outcome: 'refused', rule: 'DV-10', given: readyDevice },
  { tool: 'increment_preauthorization', when: 'a person must approve', args: (it) => ({ ...transaction(it), amount: '5.00' }), outcome: 'needs_approval', rule: 'EN-04', given: held },
  { tool: 'increment_preauthorization', when: 'it is a sale', args: (it) => ({ ...transaction(it), amount: '5.00' }), outcome: 'refused', rule: 'DV-03', given: sold },
  { tool: 'capture_preauthorization', when: 'a part of it', args: (it) => ({ ...transaction(it), amount: '30.00' }), outcome: 'done', given: held },
  { tool: 'capture_preauthorization', when: 'more than is held', args: (it) => ({ ...transaction(it), amount: '40.01' }), outcome: 'refused', rule: 'DV-04', given: held },
  { tool: 'refund_device_transaction', when: 'a person must approve', args: transaction, outcome: 'needs_approval', rule: 'EN-04', given: sold },
  { tool: 'refund_device_transaction', when: 'more than was taken', args: (it) => ({ ...transaction(it), amount: '40.01' }), outcome: 'refused', rule: 'DV-05', given: sold },
  { tool: 'lookup_device_transaction', when: 'it is there', args: transaction, outcome: 'done', given: sold },
  { tool: 'lookup_device_transaction', when: 'by a reference of nothing', args: () => ({ reference: 'sale-9' }), outcome: 'declined' },
  { tool: 'list_device_transactions', when: 'there is one', args: nothing, outcome: 'done', given: sold },
  { tool: 'show_device_summary', when: 'it is there', args: transaction, outcome: 'done', given: sold },
  { tool: 'send_device_receipt', when: 'the customer types an address', args: transaction, outcome: 'done', given: sold },
  { tool: 'list_events', when: 'there are none', args: nothing, outcome: 'done' },
  { tool: 'list_events', when: 'of a card', args: () => ({ thing: 'card_ada', limit: 5 }), outcome: 'done' },
  { tool: 'list_events', when: 'of nothing', args: () => ({ thing: 'card_none' }), outcome: 'refused', rule: 'EN-02' },
  { tool: 'list_operations', when: 'of all states', args: nothing, outcome: 'done', given: completed },
  { tool: 'list_operations', when: 'of one state', args: () => ({ state: 'PROPOSED', limit: 5 }), outcome: 'done', given: waiting },
  { tool: 'list_operations', when: 'of no state', args: () => ({ state: 'LOST' }), outcome: 'refused', rule: 'EN-01' },
  { tool: 'get_operation', when: 'it waits', args: (operation) => ({ operation }), outcome: 'done', given: waiting },
  { tool: 'get_operation', when: 'there is none', args: () => ({ operation: 'op_none' }), outcome: 'refused', rule: 'EN-02' },
  { tool: 'list_purchases', when: 'one is open', args: () => ({ state: 'ACTIVE' }), outcome: 'done', given: bought },
  { tool: 'list_approvals', when: 'one waits', args: nothing, outcome: 'done', given: waiting },
  { tool: 'withdraw_operation', when: 'it waits', args: (operation) => ({ operation }), outcome: 'done', given: waiting },
  { tool: 'withdraw_operation', when: 'there is none', args: () => ({ operation: 'op_none' }), outcome: 'refused', rule: 'EN-02' },
  { tool: 'get_limits', when: 'there are none', args: nothing, outcome: 'done' },
  { tool: 'get_limits', when: 'of a shopper', args: () => ({ shopper: 'shopper_ada' }), outcome: 'done' },
  { tool: 'preview_call', when: 'of a purchase', args: () => ({ tool: 'initiate_purchase', arguments: order() }), outcome: 'done', given: enrolled('card_ada') },
  { tool: 'preview_call', when: 'of a refusal', args: () => ({ tool: 'initiate_purchase', arguments: order() }), outcome: 'done' },
  { tool: 'preview_call', when: 'of wrong arguments', args: () => ({ tool: 'enroll_card', arguments: { card: 1 } }), outcome: 'done' },
  { tool: 'preview_call', when: 'of no tool', args: () => ({ tool: 'give_money', arguments: {} }), outcome: 'done' },
  { tool: 'preview_call', when: 'of a card number', args: () => ({ tool: 'enroll_card', arguments: { card: '4111111111111111' } }), outcome: 'refused', rule: 'EN-05' },
];

function reads(name: string): boolean {
  const tool = tools.find((it) => it.name === name);
  return tool !== undefined && effectOf(tool) === 'read';
}

/**
 * What is refused, and what only reads, leaves a world as it was, so that one serves many of these calls, and one of another at
 * the end. That a person's no was told is written down.
 */
const leavesAll = ({ tool, outcome, rule }: Case): boolean =>
  (outcome === 'refused' && rule !== 'EN-04') || reads(tool);
const stories = [...Map.groupBy(cases, ({ given }) => given)].flatMap(([given, all]) => {
  const moving = all.filter((it) => !leavesAll(it));
  const [first, ...more] = moving.length === 0 ? [[]] : moving.map((it) => [it]);
  return [[...all.filter(leavesAll), ...(first ?? [])], ...more].map((calls) => ({ given, calls }));
});

/** Makes the calls of a story through a face, on a world of its own. */
async function told(face: Face, given: Case['given'], calls: readonly Case[]) {
  const { it: here, handle, call } = await behind(face, given ?? (async () => ''));
  const state = async () => ({ effects: await here.effects(), operations: await here.operations() });
  const before = await state();
  const answers: { readonly case: string; readonly answer: Awaited<ReturnType<typeof call>> }[] = [];
  for (const it of calls) {
    answers.push({ case: `${it.tool}, when ${it.when}`, answer: await call(it.tool, it.args(handle)) });
    if (leavesAll(it)) expect([it.tool, it.when, await state()]).toEqual([it.tool, it.when, before]);
  }
  return { answers, ...(await state()) };
}

describe.each(
  stories.map((it, place) => ({
    ...it,
    place,
    title: it.calls.map(({ tool, when }) => `${tool}, when ${when}`).join('; '),
  })),
)('$title', ({ given, calls, place }) => {
  it('answers the same through every face, and does the same', async () => {
    const expected = await told(engineItself, given, calls);
    expect(expected.answers.map(({ answer: { outcome, error } }) => [outcome, error?.rule])).toEqual(
      calls.map(({ outcome, rule }) => [outcome, rule]),
    );
    for (const face of facesOf(place)) expect(await told(face, given, calls), face.name).toEqual(expected);
  });
});

describe('the table', () => {
  it('has every tool, done and refused where it can be refused, and every family of refusals', () => {
    const done = cases.filter(({ outcome }) => outcome === 'done' || outcome === 'needs_approval');
    expect(
      [...new Set(done.map(({ tool }) => tool))].toSorted(),
      '`cases` has a call of each tool that succeeds, or waits for a person',
    ).toEqual(tools.map(({ name }) => name).toSorted());
    expect([...new Set(cases.map(({ rule }) => rule))].filter((rule) => rule !== undefined).toSorted()).toEqual([
      ...['AP-01', 'AP-03', 'AP-04', 'AP-08', 'AP-09', 'AP-10', 'AP-11'],
      ...['DV-02', 'DV-03', 'DV-04', 'DV-05', 'DV-10'],
      ...['EN-01', 'EN-02', 'EN-03', 'EN-04', 'EN-05', 'EN-06', 'EN-10'],
      ...['IN-02', 'IN-06', 'IN-09', 'IN-14', 'IN-16'],
      ...[
        'PL-01',
        'PL-03',
        'PL-05',
        'PL-09',
        'PL-12',
        'RP-01',
        'RP-02',
        'RP-04',
        'RP-06',
        'RP-08',
        'RP-09',
        'RP-11',
        'RP-12',
        'SB-01',
        'SB-02',
        'SB-09',
        'SB-10',
        'SB-11',
        'SB-14',
      ],
      'WH-01',
    ]);
  });
});

describe('a person in the conversation', () => {
  const ask = async (face: Face, verdict: 'approve' | 'deny') => {
    const { call } = await behind(face, enrolled('card_ada'), async () => verdict);
    return call('initiate_purchase', order());
  };
  const [first, ...others] = faces;
  if (first === undefined) throw new Error('There are faces.');

  it.each([
    ['approve', { outcome: 'done', data: { state: 'ACTIVE' } }],
    ['deny', { outcome: 'refused', error: { code: 'APPROVAL_DENIED', rule: 'EN-04' } }],
  ] as const)('is heard the same through every face that asks: %s', async (verdict, expected) => {
    const answer = await ask(first, verdict);
    expect(answer).toMatchObject(expected);
    for (const face of others) expect(await ask(face, verdict), face.name).toEqual(answer);
  });
});

describe('a fault of Purser', () => {
  it.each([
    ['enroll_card', { card: 'card_ada' }, { outcome: 'unknown', error: { code: 'OUTCOME_UNKNOWN', retry: 'never' } }],
    ['get_plan', { plan: 'plan_1' }, { outcome: 'refused', error: { code: 'INTERNAL_HALT', retry: 'same_call' } }],
  ])(
    'is told the same through every face: %s is not taken for not sent, unless it only reads',
    async (tool, args, is) => {
      const told = await Promise.all(
        faces.map(async (face) => {
          const { it: here, call } = await behind(face, async () => '');
          here.running.engine.parts.ledger.transaction = async () => {
            throw new Error('The disk is full: /var/lib/secret');
          };
          return call(tool, args);
        }),
      );
      expect(told[0]).toMatchObject(is);
      expect(told).toEqual(faces.map(() => told[0]));
      expect(JSON.stringify(told)).not.toContain('disk');
    },
  );
});
