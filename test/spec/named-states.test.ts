import { describe, expect, it } from 'vitest';
import { approval, isEffective, operation } from '../../src/core/own-machines.ts';
import * as billing from '../../src/domains/billing/machines.ts';
import * as conversion from '../../src/domains/conversion/machines.ts';
import * as device from '../../src/domains/device/machines.ts';
import * as invoicing from '../../src/domains/invoicing/machines.ts';
import * as passkey from '../../src/domains/passkey/machines.ts';
import * as purchase from '../../src/domains/purchase/machines.ts';
import * as reporting from '../../src/domains/reporting/sandbox/machines.ts';
import {
  hasFailed,
  hasTakenEffect,
  isDenied,
  isOver,
  isUndecided,
  openStates,
} from '../../src/engine/operation-state.ts';
import { lookupsOf } from '../../src/ledger/lookups.ts';
import type { StoredOperation } from '../../src/ledger/tables.ts';

type Named = readonly [
  name: string,
  machine: { readonly states: readonly string[] },
  holds: (state: string) => boolean,
  states: readonly string[],
];

/** The states that the code has names for, written by hand and not computed from the tables. */
// biome-ignore format: a table
const named: readonly Named[] = [
  ['a plan takes new subscriptions (SB-02)', billing.plan, billing.isUsablePlan, ['ACTIVE']],
  ['a subscription has its start before it (D-14)', billing.subscription, billing.isBeforeStart, ['PENDING']],
  ['payments of a subscription are processed', billing.subscription, billing.isBilledState, ['ACTIVE', 'DELINQUENT', 'PENDING']],
  ['payments that fall due are missed', billing.subscription, billing.missesPayments, ['SUSPENDED']],
  ['a suspended subscription is active again', billing.subscription, billing.isReactivated, ['ACTIVE', 'COMPLETED', 'DELINQUENT']],
  ['a subscription can be suspended by public models (D-17)', billing.subscription, billing.isSuspendableAsPublished, ['DELINQUENT', 'PENDING']],
  ['a subscription runs', billing.subscription, billing.isRunning, ['ACTIVE']],
  ['a payment is to come', billing.payment, billing.isScheduled, ['SCHEDULED']],
  ['a payment is to come and skipped', billing.payment, billing.isSkippedAhead, ['SCHEDULED_SKIPPED']],
  ['a payment was taken', billing.payment, billing.isPaid, ['PAID']],
  ['a payment leaves nothing owed', billing.payment, billing.owesNothing, ['PAID', 'SKIPPED']],
  ['a payment is processed or was (SB-11)', billing.payment, billing.isProcessed, ['FAILED', 'PAID', 'SCHEDULED']],
  ['an offer has no rate (DC-03)', conversion.offer, conversion.isIneligible, ['INELIGIBLE']],
  ['a payment may carry the rate (DC-04)', conversion.offer, conversion.isChosen, ['CHOSEN']],
  ['a payment carries the rate already (DC-04)', conversion.offer, conversion.isUsed, ['USED']],
  ['the customer kept the local currency (DC-04)', conversion.offer, conversion.isKeptLocal, ['LOCAL_CURRENCY']],
  ['what was shown is no longer offered (DC-04)', conversion.offer, conversion.isWithdrawn, ['WITHDRAWN']],
  ['a payment is held and not captured', conversion.charge, conversion.isHeldUncaptured, ['AUTHORIZED', 'PARTIAL_AUTHORIZED']],
  ['nobody knows yet whether a payment is authorized', conversion.charge, conversion.isUndecided, ['PENDING', 'PENDING_REVIEW']],
  ['a payment was declined', conversion.charge, conversion.isNotAuthorized, ['NOT_AUTHORIZED']],
  ['a payment was released', conversion.charge, conversion.isReversed, ['REVERSED']],
  ['a refund was declined', conversion.refund, conversion.isNotRefunded, ['NOT_REFUNDED']],
  ['a capture was undone', conversion.capture, conversion.isVoided, ['VOIDED']],
  ['a refund was undone', conversion.refund, conversion.isVoided, ['VOIDED']],
  ['a device shows the enrollment screens (DV-02)', device.enrollment, device.isEnrolling, ['enrolling']],
  ['a device is enrolled (DV-02)', device.enrollment, device.isEnrolled, ['enrolled']],
  ['a device transaction holds an amount', device.transaction, device.isOnHold, ['AUTHORIZED']],
  ['the link of an invoice is the merchant’s (IN-11)', invoicing.invoice, invoicing.hasOwnLink, ['DRAFT']],
  ['an invoice has a link', invoicing.invoice, invoicing.hasLink, ['CREATED', 'DRAFT', 'PAID', 'PARTIAL', 'PENDING', 'SENT']],
  ['a customer is reminded of an invoice', invoicing.invoice, invoicing.isReminded, ['PARTIAL', 'SENT']],
  ['a purchase was given up', purchase.instruction, purchase.isCancelled, ['CANCELLED']],
  ['the issuer has approved a binding', passkey.authentication, passkey.isBindingApproved, ['AUTHENTICATION_REGISTRATION']],
  ['the issuer asks for a further proof', passkey.authentication, passkey.isChallenged, ['STEP_UP_AUTHENTICATE']],
  ['a card waits for its holder (AP-03)', purchase.card, purchase.isUnverified, ['PENDING']],
  ['a card can be used (AP-04)', purchase.card, purchase.isUsableCard, ['ACTIVE']],
  ['a purchase waits for the customer', purchase.instruction, purchase.isWaiting, ['PENDING']],
  ['a report is being made', reporting.report, reporting.isBeingMade, ['RUNNING']],
  ['a report has a file', reporting.report, reporting.hasFile, ['COMPLETED']],
  ['an operation took effect', operation, isEffective, ['RESOLVED', 'SUCCEEDED']],
  ['an operation took effect, by its row', operation, (state) => hasTakenEffect({ state }), ['RESOLVED', 'SUCCEEDED']],
  ['an operation failed', operation, (state) => hasFailed({ state }), ['FAILED']],
  ['an operation has ended', operation, (state) => isOver({ state }), ['EXPIRED', 'FAILED', 'RESOLVED', 'SUCCEEDED', 'WITHDRAWN']],
  ['an operation has an open outcome', operation, (state) => openStates.includes(state), ['SENDING', 'UNKNOWN']],
  ['an approval is undecided', approval, (state) => isUndecided({ state }), ['REQUESTED']],
  ['an approval was denied', approval, (state) => isDenied({ state }), ['DENIED']],
];

describe('the states that the code has names for', () => {
  it.each(named)('are those in which %s', (_, { states }, holds, expected) => {
    expect(states.filter((state) => holds(state)).toSorted()).toEqual(expected);
  });
});

describe('the lookups of operations, which stored proofs rest on', () => {
  const lookups = (state: string): readonly string[] =>
    lookupsOf
      .operations({ state, subject: 'thing', reference: 'order', name: 'pay', result: null } as StoredOperation)
      .map(([name]) => name);
  const found = (lookup: string): readonly string[] =>
    operation.existing.filter((state) => lookups(state).includes(lookup));
  const states = (holds: (row: { readonly state: string }) => boolean): readonly string[] =>
    operation.existing.filter((state) => holds({ state }));

  it('name the states that the machine knows', () => {
    expect({
      open: found('under way'),
      notEnded: found('call'),
      holding: found('reference'),
      made: found('made'),
      denied: found('denied'),
    }).toEqual({
      open: states(({ state }) => openStates.includes(state)),
      notEnded: states((row) => !isOver(row)),
      holding: states((row) => !isOver(row) || hasTakenEffect(row)),
      made: states((row) => hasTakenEffect(row) || (!isOver(row) && !openStates.includes(row.state))),
      denied: states(hasFailed),
    });
  });
});
