import { z } from 'zod';
import { entered, fixed, platform, secret, server, shopper, text, under } from '../../core/fields.ts';
import { limits } from '../../core/limits.ts';
import { operation } from '../../core/operation.ts';
import { sealing } from './credentials.ts';
import { tokenServiceError } from './errors.ts';
import { authentication } from './machines.ts';
import { paymentAmount, paymentCredentials, plainMerchant } from './payment-shapes.ts';
import {
  actions,
  authenticatedIdentities,
  authenticationContext,
  authenticatorRenderMethod,
  billTo,
  correlationId,
  deviceInformation,
  encodedMerchant,
  optionsAmount,
  registrationAmount,
  sessionInformation,
  stepUpOption,
} from './shapes.ts';

// Tokenized card authentication: document 1, "Endpoints". `{tokenId}` is the card's instrument identifier (D-61).

const tokenPath = { tokenId: 'card.instrumentIdentifierId' } as const;
const shared = { error: tokenServiceError, path: tokenPath } as const;

/** Who may send what a customer proves with: a page of Purser's, or the merchant's systems. Never a model. */
const byCustomer = ['customer', 'app'] as const;
const byAnyone = ['agent', 'customer', 'app'] as const;

export const passkey = {
  createAuthenticationOptions: operation({
    ...shared,
    call: 'POST /tms/v2/tokenized-cards/{tokenId}/authentication-options',
    title: 'Create tokenized card authentication options',
    about:
      'Asks how the customer can authenticate for a payment: with a passkey, by a step-up, or by registering the device.',
    effect: 'write',
    recovery: 'repeat',
    callers: byAnyone,
    shape: 'PK-01',
    body: () =>
      z.looseObject({
        clientCorrelationId: correlationId,
        authenticatorRenderMethod,
        deviceInformation: deviceInformation(),
        merchantInformation: encodedMerchant(),
        orderInformation: z.looseObject({ amountDetails: optionsAmount() }),
        sessionInformation: sessionInformation(),
      }),
    output: () => ({
      200: z.looseObject({
        action: platform(z.enum(actions)),
        authenticationContext: authenticationContext().optional(),
        stepUpOptions: z.array(stepUpOption()).max(limits.arrayElements).optional(),
      }),
    }),
    moves: authentication.on('options'),
  }),

  createOneTimePassword: operation({
    ...shared,
    call: 'POST /tms/v2/tokenized-cards/{tokenId}/authentication-options/one-time-passwords',
    title: 'Create OTP for tokenized card authentication',
    about: 'Has the issuer send the customer a one-time code.',
    effect: 'write',
    recovery: 'never',
    messagesCustomer: true,
    callers: byAnyone,
    shape: 'PK-04',
    body: () =>
      z.looseObject({
        clientCorrelationId: correlationId,
        stepUpOption: z.looseObject({ id: server(text, 'authentication.option') }),
      }),
    output: () => ({
      200: z.looseObject({
        maxRequestsAllowed: platform(z.int().nonnegative()),
        maxVerificationAllowed: platform(z.int().nonnegative()),
        codeExpiration: platform(z.int().nonnegative()),
      }),
    }),
    moves: authentication.on('send'),
  }),

  validateAuthenticationCode: operation({
    ...shared,
    call: 'POST /tms/v2/tokenized-cards/{tokenId}/authentication-options/validate',
    title: 'Validate OTP or issuer authentication code',
    about: "Checks the code that the issuer gave the customer. The customer's page or the merchant's app sends it.",
    effect: 'write',
    recovery: 'park',
    callers: byCustomer,
    shape: 'PK-06',
    body: () =>
      z
        .looseObject({
          clientCorrelationId: correlationId,
          stepUpOption: z.looseObject({ id: server(text, 'authentication.option') }),
          otp: secret(entered(text), { stored: false }).optional(),
          issuerAuthCode: secret(entered(text), { stored: false }).optional(),
        })
        .refine(({ otp, issuerAuthCode }) => otp !== undefined || issuerAuthCode !== undefined, {
          path: ['otp'],
          message: 'is required where there is no issuerAuthCode',
        }),
    output: () => ({ 200: z.looseObject({ action: platform(z.literal('AUTHENTICATION_REGISTRATION')) }) }),
    moves: authentication.on('validate'),
  }),

  createAuthenticationRegistration: operation({
    ...shared,
    call: 'POST /tms/v2/tokenized-cards/{tokenId}/authentication-registrations',
    title: 'Create tokenized card authentication registration',
    about: "Begins the registration of the customer's device for a card. The customer finishes it in the iframe.",
    effect: 'write',
    recovery: 'repeat',
    callers: byAnyone,
    shape: 'PK-01',
    body: () =>
      z.looseObject({
        clientCorrelationId: correlationId,
        authenticatorRenderMethod,
        buyerInformation: z.looseObject({ language: shopper(text) }),
        deviceInformation: deviceInformation(),
        merchantInformation: encodedMerchant(),
        orderInformation: z.looseObject({
          amountDetails: registrationAmount(),
          billTo: z.looseObject({
            email: shopper(text, 'billTo.email'),
            phoneNumber: shopper(text, 'billTo.phoneNumber').optional(),
          }),
        }),
        sessionInformation: sessionInformation(),
      }),
    output: () => ({ 200: z.looseObject({ authenticationContext: authenticationContext() }) }),
    moves: authentication.on('register'),
  }),

  createPaymentCredentials: operation({
    ...shared,
    call: 'POST /tms/v2/tokens/{tokenId}/payment-credentials',
    title: 'Create tokenized credentials with authenticated passkey credentials',
    about: 'Releases payment credentials for the payment that the customer authenticated.',
    effect: 'money',
    recovery: 'park',
    callers: byCustomer,
    shape: 'PK-09',
    body: () =>
      z.looseObject({
        clientCorrelationId: correlationId,
        transactionType: fixed('ECOM'),
        orderInformation: z.looseObject({ amountDetails: paymentAmount(), billTo: under('PK-10', billTo()) }),
        merchantInformation: plainMerchant(),
        deviceInformation: deviceInformation(),
        authenticatedIdentities: authenticatedIdentities(),
      }),
    output: () => ({ 200: paymentCredentials() }),
    sealing,
    moves: authentication.on('release'),
  }),
} as const;
