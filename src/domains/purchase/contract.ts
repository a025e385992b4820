import { z } from 'zod';
import { blob, country, model, platform, secret, server, shopper, text } from '../../core/fields.ts';
import { operation } from '../../core/operation.ts';
import { sealing } from './credentials.ts';
import { agentError } from './errors.ts';
import { card, instruction } from './machines.ts';
import {
  assuranceData,
  buyerInformation,
  cardTokens,
  confirmationData,
  consentData,
  correlationId,
  deviceInformation,
  enrollmentAssuranceData,
  instructionDone,
  instructionPending,
  mandates,
  paymentInformation,
  pending,
  transactionData,
} from './shapes.ts';

// Agent purchase: document 1, "Endpoints". The client sends the first form of every body; the sandbox accepts all.

const instructionPath = { instructionID: 'instruction.instructionId' } as const;

export const purchase = {
  enrollCard: operation({
    call: 'POST /acp/v1/tokens',
    also: ['POST /icc/v1/tokens'],
    title: 'Enroll a card',
    about: "Enrolls a shopper's saved card for purchases by the agent. The customer may have to verify identity first.",
    effect: 'write',
    recovery: 'park',
    shape: 'AP-01',
    body: () =>
      z.looseObject({
        clientCorrelationId: correlationId,
        billTo: z.looseObject({
          country: shopper(country),
          countryCallingCode: shopper(text),
          phoneNumber: shopper(text),
          email: shopper(text).optional(),
          firstName: shopper(text).optional(),
          fullName: shopper(text).optional(),
          lastName: shopper(text).optional(),
          numberIsVoiceOnly: shopper(z.boolean()).optional(),
        }),
        consumerIdentity: z.looseObject({
          identityType: shopper(z.enum(['EMAIL_ADDRESS', 'MOBILE_PHONE_NUMBER'])),
          identityValue: shopper(text),
          identityProvider: shopper(text).optional(),
          identityProviderUrl: shopper(text).optional(),
        }),
        deviceInformation: deviceInformation(),
        paymentInformation: cardTokens(),
        assuranceData: enrollmentAssuranceData().optional(),
        buyerInformation: buyerInformation().optional(),
        consentData: consentData().optional(),
        enrollmentReferenceData: z
          .looseObject({
            enrollmentReferenceType: server(text, 'card.enrollmentReferenceType').optional(),
            enrollmentReferenceProvider: server(text, 'card.enrollmentReferenceProvider').optional(),
          })
          .optional(),
        tokenizedCard: z.looseObject({ tokenReferenceId: server(text, 'card.tokenReferenceId').optional() }).optional(),
      }),
    output: () => ({
      200: z.looseObject({ clientCorrelationId: platform(text), status: platform(z.literal('ACTIVE')) }),
      202: pending(),
    }),
    error: agentError,
    moves: card.on('enroll'),
  }),

  initiatePurchase: operation({
    call: 'POST /acp/v1/instructions',
    also: ['POST /icc/v1/instructions'],
    title: 'Initiate a purchase intent',
    about:
      "Registers what the customer wants to buy, up to which amount and until when, and returns the instruction's id.",
    effect: 'money',
    recovery: 'park',
    shape: 'EN-09',
    body: () =>
      z.looseObject({
        clientCorrelationId: correlationId,
        paymentInformation: paymentInformation(),
        deviceInformation: deviceInformation(),
        assuranceData: assuranceData().min(1),
        mandates: mandates(),
        buyerInformation: buyerInformation().optional(),
        isRecurring: model(z.boolean()).optional(),
        consumerPrompt: model(text).optional(),
      }),
    output: () => ({ 200: instructionDone(), 202: instructionPending() }),
    amountRule: 'AP-09',
    error: agentError,
    moves: instruction.on('initiate'),
  }),

  updatePurchase: operation({
    call: 'PUT /acp/v1/instructions/{instructionID}',
    asksFor: { by: 'instructionID', namedAs: ['instructionId'] },
    also: ['PUT /icc/v1/instructions/{instructionID}'],
    title: 'Update a purchase intent',
    about: 'Replaces the mandates of an open instruction. A mandate id is never used again.',
    effect: 'money',
    recovery: 'repeat',
    shape: 'EN-09',
    path: instructionPath,
    body: () =>
      z.looseObject({
        clientCorrelationId: correlationId,
        paymentInformation: paymentInformation(),
        deviceInformation: deviceInformation(),
        assuranceData: assuranceData().min(1),
        mandates: mandates(),
        buyerInformation: buyerInformation().optional(),
        consumerPrompt: model(text).optional(),
      }),
    output: () => ({ 200: instructionDone(), 202: instructionPending() }),
    amountRule: 'AP-09',
    error: agentError,
    moves: instruction.on('update'),
  }),

  cancelPurchase: operation({
    call: 'PUT /acp/v1/instructions/{instructionID}/cancel',
    asksFor: { by: 'instructionID', namedAs: ['instructionId'] },
    also: ['PUT /icc/v1/instructions/{instructionID}/cancel'],
    title: 'Cancel a purchase intent',
    about: 'Ends an open instruction for good.',
    effect: 'write',
    recovery: 'repeat',
    shape: 'EN-09',
    path: instructionPath,
    body: () =>
      z.looseObject({
        clientCorrelationId: correlationId,
        paymentInformation: paymentInformation().optional(),
        deviceInformation: deviceInformation(),
        assuranceData: assuranceData().min(1),
      }),
    output: () => ({ 200: instructionDone(), 202: instructionPending() }),
    error: agentError,
    moves: instruction.on('cancel'),
  }),

  retrieveCredentials: operation({
    call: 'POST /acp/v1/instructions/{instructionID}/credentials',
    asksFor: { by: 'instructionID', namedAs: ['instructionId'] },
    also: ['POST /icc/v1/instructions/{instructionID}/credentials'],
    title: 'Retrieve payment credentials',
    about: 'Releases tokenized payment credentials for one payment within a mandate of the instruction.',
    effect: 'money',
    recovery: 'park',
    shape: 'EN-09',
    path: instructionPath,
    body: () =>
      z.looseObject({
        clientCorrelationId: correlationId,
        paymentInformation: paymentInformation(),
        transactionData: transactionData(),
      }),
    output: () => ({
      200: z.looseObject({
        clientCorrelationId: platform(text),
        instructionId: platform(text),
        status: platform(z.literal('COMPLETED')).optional(),
        authorization: secret(platform(blob)).optional(),
        signedPayload: secret(platform(blob)),
      }),
      202: instructionPending(),
    }),
    sealing,
    amountRule: 'AP-09',
    error: agentError,
    moves: instruction.on('retrieve'),
  }),

  confirmTransaction: operation({
    call: 'POST /acp/v1/instructions/{instructionID}/confirmations',
    also: ['POST /icc/v1/instructions/{instructionID}/confirmations'],
    title: 'Confirm transaction events',
    about: 'Reports the result of the payment to the platform, which completes the instruction.',
    effect: 'write',
    recovery: 'park',
    shape: 'EN-09',
    path: instructionPath,
    body: () =>
      z.looseObject({
        clientCorrelationId: correlationId,
        paymentInformation: paymentInformation().optional(),
        confirmationData: confirmationData(),
      }),
    output: () => ({
      202: z.looseObject({
        clientCorrelationId: platform(text),
        status: platform(z.literal('COMPLETED')).optional(),
      }),
    }),
    error: agentError,
    moves: instruction.on('confirm'),
  }),
} as const;
