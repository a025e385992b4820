import { isAbout, isZero, left, nothing, plus } from '../../src/domains/conversion/amounts.ts';
import { taken, toRefund } from '../../src/domains/conversion/balances.ts';
import type { Both } from '../../src/domains/conversion/facts.ts';
import { isNotRefunded, isVoided, refund as machine } from '../../src/domains/conversion/machines.ts';
import { refundFields } from '../../src/domains/conversion/request-fields.ts';
import { refundStatuses } from '../../src/domains/conversion/statuses.ts';
import type { Facts, Things } from '../../src/domains/facts.ts';
import { type Observation, platformTool, platformTools, readBack, type ToolSpec } from '../../src/engine/tool.ts';
import { handle } from '../../src/engine/tool-arguments.ts';
import { always } from '../../src/engine/tool-policy.ts';
import { ofAnother } from '../echo.ts';
import { evidenceAfterRefund } from './evidence.ts';
import {
  bothOf,
  capturedOf,
  captureEntity,
  foundAs,
  keptAfter,
  lockKey,
  ofAnotherSum,
  ownReference,
  partArg,
  partLines,
  referenceOf,
  refundedOf,
  spendOf,
  stateAfter,
  takenBefore,
  wholeLines,
} from './parts.ts';
import { paymentLines, refundOutput, showRefund } from './presentation.ts';

// The tools for refunds.

const refundEntity = ({ refund }: Things) => ({ state: refund?.state ?? 'none', declined: false });

/** What is refunded of a payment and of its capture. Their states stay. */
const refundedOfBoth = (
  things: Things,
  sum: (refunded: Both, of: Parameters<typeof plus>[2]) => Both,
): readonly Observation[] => {
  const { charge, capture } = things;
  if (charge === undefined || capture === undefined) return [];
  const { refundedLocal = '0', refundedBilling = '0' } = charge.body;
  const ofCapture = sum(refundedOf(capture.body), charge.body);
  const ofAll = sum(refundedOf({ refundedLocal, refundedBilling }), charge.body);
  const { localCurrency, billingCurrency } = charge.body;
  const rest = left({ localCurrency, billingCurrency, whole: capturedOf(charge.body), taken: ofAll }).local;
  return [
    {
      kind: 'capture',
      state: capture.state,
      body: { refundedLocal: ofCapture.localAmount, refundedBilling: ofCapture.billingAmount },
    },
    {
      kind: 'charge',
      state: charge.state,
      body: { refundedLocal: ofAll.localAmount, refundedBilling: ofAll.billingAmount },
    },
    ...evidenceAfterRefund(things, !isZero(ofAll.localAmount) && rest.minor <= 0n),
  ];
};

/** What is refunded with another refund. */
const refundedNow = (things: Things, more: Both): readonly Observation[] =>
  refundedOfBoth(things, (before, of) => plus(before, more, of));

/** What stays refunded after a void was answered, or a refund that pays nothing was found, whichever comes first. */
const keptOfVoid = (things: Things, status: Parameters<typeof keptAfter>[0]): readonly Observation[] => {
  const { refund } = things;
  if (refund === undefined) return [];
  if (paysNothing(refund.state)) return [{ kind: 'refund', body: {} }];
  return [
    { kind: 'refund', body: {} },
    ...refundedOfBoth(things, (before, of) => keptAfter(status, before, refund.body, of)),
  ];
};

/** Whether a refund in this state pays nothing back. */
const paysNothing = (state: string): boolean => isVoided(state) || isNotRefunded(state);

/** The state that a look finds. What pays nothing back is final: an answer that shows it later as it was before is an older one. */
const stateFound = ({ refund }: Things, status: keyof typeof refundStatuses): string =>
  refund !== undefined && paysNothing(refund.state) ? refund.state : refundStatuses[status].state;

const getRefund: ToolSpec<'getRefund'> = {
  description: 'Look at a refund as the platform has it: once TRANSMITTED it is final.',
  input: { args: () => ({ refund: handle('refund', 'From refund_capture or list_payments.') }) },
  observe: {
    looksAt: { kind: 'refund', machine: machine.on('void').machine, entity: refundEntity },
    stateFromResponse: ({ body }, _, things) => stateFound(things, body.status),
    observations: ({ things }, { body }) => {
      const state = stateFound(things, body.status);
      return [...(paysNothing(state) ? keptOfVoid(things, 'VOIDED') : []), { kind: 'refund', state, body: {} }];
    },
  },
  present: { messages: { done: 'This is the refund.' }, outputSchema: refundOutput, shows: showRefund },
};

/** Reads a refund before it is voided, because the platform transmits it on its own. */
const refreshRefund = [
  {
    tool: platformTool('getRefund', getRefund),
    args: ({ refund }: Facts['args']) => (refund === undefined ? undefined : { refund }),
  },
] as const;

const asItWas = { tools: ['get_capture'], because: 'The capture is as it was.' };

export const refunds = platformTools({
  refundCapture: {
    description:
      "Pay back a capture, all or a part, at the payment's own rate. A person approves each. Give `reference` for a second one.",
    input: {
      args: () => ({ capture: handle('capture', 'Capture to refund.'), amount: partArg, reference: ownReference }),
      reference: referenceOf,
      computes: refundFields,
    },
    policy: {
      lockKey,
      spend: (facts) => spendOf(facts, taken(toRefund(facts.things), facts), { isHeld: false }),
      approval: {
        needed: always,
        title: () => 'Allow the agent to refund the customer',
        text: (facts) => [
          ...partLines(facts.things, taken(toRefund(facts.things), facts)),
          ...wholeLines(facts.things, facts.things.capture?.body),
          ...paymentLines(facts.things),
        ],
      },
    },
    observe: {
      moves: { kind: 'capture', entity: captureEntity },
      contradicts: (facts, { body }, sent) => {
        const { refundAmount: amount, currency } = body.refundAmountDetails ?? {};
        const asked = taken(toRefund(facts.things), facts)?.billing;
        return asked === undefined || refundStatuses[body.status].isDeclined || isAbout(asked, { amount, currency })
          ? ofAnother(sent, body, 'clientReferenceInformation.code')
          : 'refundAmountDetails.refundAmount';
      },
      // What is answered is the state of the refund; that of its capture stays.
      stateFromResponse: ({ body }) => refundStatuses[body.status].state,
      observations: (facts, { body }, { mint }) => {
        const { charge, capture } = facts.things;
        if (charge === undefined || capture === undefined) return [];
        const both = bothOf(taken(toRefund(facts.things), facts));
        const { state } = refundStatuses[body.status];
        return [
          ...refundedNow(facts.things, paysNothing(state) ? nothing : both),
          {
            kind: 'refund',
            handle: mint('refund'),
            state,
            body: { refundId: body.id, capture: capture.handle, ...both },
          },
        ];
      },
    },
    present: {
      messages: {
        done: 'The refund is made. The customer gets it with the batch of the day.',
        NOT_REFUNDED: 'The refund was declined. Nothing is paid back.',
        VOIDED: 'The platform voided the refund at once. Nothing is paid back.',
      },
      next: { NOT_REFUNDED: asItWas, VOIDED: asItWas },
      outputSchema: refundOutput,
      shows: showRefund,
    },
    reconcile: {
      noChargeStates: ['NOT_REFUNDED', 'VOIDED'],
      // The refund gets no handle: only the platform knows its id.
      confirmed: (facts) => refundedNow(facts.things, bothOf(taken(toRefund(facts.things), facts))),
      doubled: takenBefore,
    },
  },

  getRefund,

  voidRefund: {
    description: "Undo a refund that was a mistake, on the same day. The customer then doesn't get the money back.",
    input: { args: () => ({ refund: handle('refund', 'Refund to undo.') }) },
    refresh: refreshRefund,
    policy: {
      lockKey,
      approval: {
        needed: always,
        title: () => 'Allow the agent to undo a refund',
        text: ({ things }) => [...wholeLines(things, things.refund?.body), ...paymentLines(things)],
      },
    },
    observe: {
      moves: { kind: 'refund', entity: refundEntity },
      contradicts: ({ things }, { body }, sent) =>
        ofAnother(sent, body, 'clientReferenceInformation.code') ?? ofAnotherSum(things, things.refund?.body, body),
      stateFromResponse: ({ body }, _, { refund }) => stateAfter(body.status, refund),
      observations: ({ things }, { body: { status } }) => keptOfVoid(things, status),
    },
    present: {
      messages: {
        VOIDED: 'The refund is voided. The merchant keeps the amount.',
        PENDING: "The platform didn't void the refund. It is unchanged.",
      },
      next: { VOIDED: { tools: ['get_capture'], because: 'The capture can be refunded again.' } },
      outputSchema: refundOutput,
      shows: showRefund,
    },
    reconcile: {
      readBack: readBack('getRefund', {
        with: ({ names }) => ({ names }),
        finds: foundAs('VOIDED'),
      }),
      confirmed: ({ things }) => keptOfVoid(things, 'VOIDED'),
    },
  },
});
