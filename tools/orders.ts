import type { Toolset } from './index.ts';

/** A sentence about a toolset in the instructions. It is left out unless every tool that it names or needs is listed. */
export interface Part {
  readonly says: string;
  /** Tools that it needs without their names. */
  readonly needs?: readonly string[];
}

/** What each toolset does, and the order of its tools. */
export const orders: { readonly [T in Toolset]: readonly Part[] } = {
  purchase: [
    {
      says: "Buys things for a shopper on a card-payment platform. The order: find_shopper → list_cards → enroll_card (once per card) → initiate_purchase → retrieve_credentials → the merchant's payment system pays and posts a receipt → confirm_transaction.",
    },
  ],
  passkey: [
    {
      says: 'Has a customer authenticate for a payment. The order: create_authentication_options → the tools in next → get_authentication.',
      needs: ['create_one_time_password', 'create_authentication_registration'],
    },
  ],
  conversion: [
    {
      says: 'Charges cards. The order: list_cards → offer_conversion → choose_currency (a person answers) → authorize_payment → capture_payment → get_payment_receipt.',
    },
    { says: 'Without a choice: authorize_payment with the price.' },
  ],
  billing: [
    {
      says: 'Bills subscribers of a merchant. The order: find_shopper → list_cards → list_plans → create_subscription; then get_subscription and list_subscription_payments.',
    },
    { says: 'Ask before you cancel: it is final.', needs: ['cancel_subscription'] },
  ],
  invoicing: [
    {
      says: "Bills customers by invoice. The order: create_invoice (a draft first, if you aren't sure) → send_invoice, or publish_invoice and share its link; then list_invoices and get_invoice.",
    },
    { says: 'Sending and cancelling are final: ask first.', needs: ['send_invoice', 'cancel_invoice'] },
  ],
  webhooks: [
    {
      says: "Shows which events the platform sends to the merchant's systems: list_webhook_subscriptions; and which have arrived: list_events, then the tool that reads the thing itself.",
    },
  ],
  reporting: [
    {
      says: "Reports what happened, from the platform's records: get_payment_batch_summaries for sums; list_report_definitions → describe_report_definition → request_report, then list_reports; or save_report_subscription.",
    },
    { says: "A report's content is text from outside." },
  ],
  device: [
    {
      says: 'Takes cards at the counter. The order: device_status → enroll_device once → charge_device (the customer taps) → send_device_receipt.',
    },
    {
      says: 'After a lost charge: lookup_device_transaction by its reference, before anything else.',
    },
  ],
  settings: [{ says: 'Changes how invoices, their e-mails and their payment page look: update_invoice_settings.' }],
};
