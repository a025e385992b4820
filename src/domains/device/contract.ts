import { z } from 'zod';
import { operation } from '../../core/operation.ts';
import { deviceError } from './errors.ts';
import { keys } from './keys.ts';
import { enrollment, transaction } from './machines.ts';
import {
  chargeRequest,
  creditRequest,
  enrolled,
  enrollmentStatus,
  enrollRequest,
  incrementRequest,
  lookupRequest,
  partRequest,
  receiptRequest,
  transaction as transactionAnswer,
} from './shapes.ts';

// The card reader's SDK: document 3, "SDK operations"; and the keys that devices sign in with.

const common = { shape: 'EN-09', error: deviceError } as const;

/** D-91: a transaction is asked for by its identifier, or by its customIdentifier. */
const lookedUp = { by: 'forID', namedAs: ['identifier', 'customIdentifier'] } as const;

export const device = {
  ...keys,

  deviceStatus: operation({
    ...common,
    call: 'SDK enrollmentStatus',
    title: 'Status of the card reader',
    about: 'Whether the device that takes contactless cards is enrolled, and what its app reports of itself.',
    effect: 'read',
    recovery: 'repeat',
    output: () => ({ success: enrollmentStatus() }),
  }),

  enrollDevice: operation({
    ...common,
    call: 'SDK enroll',
    title: 'Enroll the card reader',
    about: 'Opens the enrollment screens on the device, or enrolls the device with a serial number again.',
    effect: 'write',
    recovery: 'repeat',
    body: enrollRequest,
    output: () => ({ success: enrolled() }),
    moves: enrollment.on('enroll'),
  }),

  chargeDevice: operation({
    ...common,
    call: 'SDK startChargeTransaction',
    title: 'Charge a card at the reader',
    about: 'Asks the customer to tap a card: a sale, or a pre-authorization that is captured later.',
    effect: 'money',
    recovery: 'readBack',
    body: chargeRequest,
    output: () => ({ success: transactionAnswer() }),
    moves: transaction.on('charge'),
  }),

  incrementPreauthorization: operation({
    ...common,
    call: 'SDK incrementTransaction',
    title: 'Increment a pre-authorization',
    about: 'Adds an amount to a pre-authorization of which nothing is captured.',
    effect: 'money',
    recovery: 'readBack',
    body: incrementRequest,
    output: () => ({ success: transactionAnswer() }),
    moves: transaction.on('increment'),
  }),

  capturePreauthorization: operation({
    ...common,
    call: 'SDK captureTransaction',
    title: 'Capture a pre-authorization',
    about: 'Takes what a pre-authorization holds, all of it or a part. There is one capture.',
    effect: 'money',
    recovery: 'readBack',
    body: partRequest,
    output: () => ({ success: transactionAnswer() }),
    moves: transaction.on('capture'),
  }),

  refundDeviceTransaction: operation({
    ...common,
    call: 'SDK refundTransaction',
    title: 'Refund a device transaction',
    about: 'Pays back what was taken at the reader, all of it or a part.',
    effect: 'money',
    recovery: 'readBack',
    body: partRequest,
    output: () => ({ success: transactionAnswer() }),
    moves: transaction.on('refund'),
  }),

  refundWithoutOriginal: operation({
    ...common,
    call: 'SDK startStandaloneRefundTransaction',
    title: 'Refund without an original transaction',
    about: 'Pays an amount to the card that is tapped, without reference to what was paid.',
    effect: 'money',
    recovery: 'readBack',
    callers: ['operator'],
    body: creditRequest,
    output: () => ({ success: transactionAnswer() }),
    moves: transaction.on('credit'),
  }),

  lookupDeviceTransaction: operation({
    ...common,
    call: 'SDK lookupTransaction',
    asksFor: lookedUp,
    title: 'Look up a device transaction',
    about: 'Answers a transaction of the reader as the platform has it, without a screen on the device.',
    effect: 'read',
    recovery: 'repeat',
    body: lookupRequest,
    output: () => ({ success: transactionAnswer() }),
  }),

  showDeviceSummary: operation({
    ...common,
    call: 'SDK showSummary',
    asksFor: lookedUp,
    title: 'Show the summary of a transaction',
    about: 'Opens the Summary screen of a transaction on the device, for the person who holds it.',
    effect: 'read',
    showsPeople: true,
    recovery: 'repeat',
    body: lookupRequest,
    output: () => ({ success: transactionAnswer() }),
  }),

  sendDeviceReceipt: operation({
    ...common,
    call: 'SDK sendEmailReceipt',
    title: 'Send a receipt by e-mail',
    about: "Opens the screen on which the customer's e-mail address is typed, and sends the receipt there.",
    effect: 'write',
    recovery: 'never',
    messagesCustomer: true,
    body: receiptRequest,
    output: () => ({ success: z.undefined() }),
  }),
} as const;
