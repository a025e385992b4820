import { type ConversionReason, conversionReasons } from '../../src/domains/conversion/errors.ts';

/** What each reason means for the agent. The order goes on in the local currency after all of them. */
export const meanings: { readonly [R in ConversionReason]: string } = {
  BIN_UNKNOWN: "The card's issuer is not known to the conversion service.",
  CARD_TYPE_NOT_ACCEPTED: 'The processor converts no cards of this type.',
  CURRENCY_MATCH: "The price is in the card's own currency already, so there is nothing to convert.",
  CURRENCY_NOT_ALLOWED: 'This currency may not be converted in this transaction.',
  CURRENCY_NOT_CONFIGURED:
    'The merchant is not set up to convert into this currency. The operator can have that changed.',
  DUPLICATE_REQUEST: 'The same offer was asked for before. Look at the earlier offer instead.',
  EXCHANGE_RATE_NOT_FOUND: 'There is no rate for these two currencies.',
  INVALID_ACQUIRER: "The acquirer's details are wrong. The operator must have them corrected.",
  INVALID_AMOUNT: "The amount can't be converted. Check the price with the customer.",
  INVALID_CARD: "The card's number is not valid for conversion.",
  INVALID_CURRENCY: 'The currency of the price is not valid for conversion.',
  INVALID_MERCHANT_CONFIGURATION: "The merchant's conversion is set up wrongly. The operator must have it corrected.",
  INVALID_TERMINAL: 'The terminal is not valid. The operator must check `merchant.terminalId`.',
  LOOKUP_FAILED: 'The service could not look the card up this time.',
  NOT_ELIGIBLE: 'This card or purchase is not eligible for conversion.',
  PROCESSOR_ERROR: 'The processor has a general failure.',
  SERVICE_DISABLED: 'Conversion is switched off at present.',
  UNKNOWN: 'The platform gave no reason that is known.',
};

/** A reason of the platform; any other text counts as unknown, because somebody else may have written it. */
export const reasonOf = (text: string | undefined): ConversionReason =>
  conversionReasons.find((one) => one === text) ?? 'UNKNOWN';
