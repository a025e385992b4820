import { isAbout, plus } from '../../src/domains/conversion/amounts.ts';
import { taken, toCapture } from '../../src/domains/conversion/balances.ts';
import { isVoided, capture as machine } from '../../src/domains/conversion/machines.ts';
import { captureFields } from '../../src/domains/conversion/request-fields.ts';
import type { Facts, Things } from '../../src/domains/facts.ts';
import { isCancelled } from '../../src/domains/purchase/machines.ts';
import { quoted } from '../../src/engine/approval-text.ts';
import { type Observation, platformTool, platformTools, readBack, type ToolSpec } from '../../src/engine/tool.ts';
import { handle } from '../../src/engine/tool-arguments.ts';
import { always } from '../../src/engine/tool-policy.ts';
import { ofAnother } from '../echo.ts';
import {
  bothOf,
  capturedOf,
  captureEntity,
  chargeEntity,
  foundAs,
  heldLines,
  keptAfter,
  lockKey,
  ofAnotherSum,
  ownReference,
  partArg,
  partLines,
  referenceOf,
  spendOf,
  stateAfter,
  takenBefore,
  wholeLines,
} from './parts.ts';
import { captureOutput, paymentLines, showCapture } from './presentation.ts';

// The tools for captures.

/** What stays captured of the payment after a void was answered, or found, whichever comes first. */
const keptOfVoid = ({ charge, capture }: Things, status: Parameters<typeof keptAfter>[0]): readonly Observation[] => {
  if (charge === undefined || capture === undefined) return [];
  if (isVoided(capture.state)) return [{ kind: 'capture', body: {} }];
  const kept = keptAfter(status, capturedOf(charge.body), capture.body, charge.body);
  return [
    { kind: 'capture', body: {} },
    { kind: 'charge', body: { capturedLocal: kept.localAmount, capturedBilling: kept.billingAmount } },
  ];
};

/** The state that a look finds. A void is final: an answer that shows it later as it was before is an older one. */
const stateFound = ({ capture }: Things, status: string): string =>
  capture !== undefined && isVoided(capture.state) ? capture.state : status;

const getCapture: ToolSpec<'getCapture'> = {
  description: 'Look at a capture as the platform has it: once TRANSMITTED it can only be refunded.',
  input: { args: () => ({ capture: handle('capture', 'From capture_payment or list_payments.') }) },
  observe: {
    looksAt: { kind: 'capture', machine: machine.on('void').machine, entity: captureEntity },
    stateFromResponse: ({ body }, _, things) => stateFound(things, body.status),
    observations: ({ things }, { body }) => [
      ...(isVoided(body.status) ? keptOfVoid(things, 'VOIDED') : []),
      { kind: 'capture', state: stateFound(things, body.status), body: {} },
    ],
  },
  present: { messages: { done: 'This is the capture.' }, outputSchema: captureOutput, shows: showCapture },
};

/** Reads a capture before it is voided, because the platform transmits it on its own. */
const refreshCapture = [
  {
    tool: platformTool('getCapture', getCapture),
    args: ({ capture }: Facts['args']) => (capture === undefined ? undefined : { capture }),
  },
] as const;

/** What is captured of the payment once the call has taken effect. */
const capturedNow = (facts: Facts): readonly Observation[] => {
  const { charge } = facts.things;
  const captured = charge && plus(capturedOf(charge.body), bothOf(taken(toCapture(facts.things), facts)), charge.body);
  return [{ kind: 'charge', body: { capturedLocal: captured?.localAmount, capturedBilling: captured?.billingAmount } }];
};

/** The purchase that was paid, where it is given up. */
const purchaseLine = ({ instruction }: Things): readonly string[] =>
  instruction !== undefined && isCancelled(instruction.state)
    ? [`Purchase: ${quoted(instruction.body.reference)}, which is ${instruction.state}`]
    : [];

export const captures = platformTools({
  capturePayment: {
    description:
      "Capture what a payment holds, all or part, when the order is shipped. Give `reference` for a second one. A payment in the card's currency is captured once.",
    input: {
      args: () => ({
        charge: handle('charge', 'Payment to capture.'),
        amount: partArg,
        reference: ownReference,
      }),
      reference: referenceOf,
      computes: captureFields,
    },
    policy: {
      lockKey,
      spend: (facts) => spendOf(facts, taken(toCapture(facts.things), facts), { isHeld: true }),
      approval: {
        // D-54: whoever approved the authorization approved its capture.
        // A purchase that was cancelled since is no order that is shipped.
        needed: ({ things }) => isCancelled(things.instruction?.state ?? ''),
        title: () => 'Allow the agent to capture a payment',
        text: (facts) => [
          ...partLines(facts.things, taken(toCapture(facts.things), facts)),
          ...heldLines(facts.things),
          ...purchaseLine(facts.things),
          ...paymentLines(facts.things),
        ],
      },
    },
    observe: {
      moves: { kind: 'charge', entity: chargeEntity },
      contradicts: (facts, { body }, sent) => {
        if (isVoided(body.status)) return 'status';
        const { totalAmount: amount, currency } = body.orderInformation?.amountDetails ?? {};
        const asked = taken(toCapture(facts.things), facts)?.billing;
        return asked === undefined || isAbout(asked, { amount, currency })
          ? ofAnother(sent, body, 'clientReferenceInformation.code')
          : 'orderInformation.amountDetails.totalAmount';
      },
      observations: (facts, { body }, { mint }) => {
        const { charge } = facts.things;
        const both = bothOf(taken(toCapture(facts.things), facts));
        return [
          ...capturedNow(facts),
          {
            kind: 'capture',
            handle: mint('capture'),
            state: body.status,
            body: {
              ...{ captureId: body.id, charge: charge?.handle, ...both },
              ...{ refundedLocal: '0', refundedBilling: '0' },
            },
          },
        ];
      },
    },
    present: {
      messages: { CAPTURED: 'The capture is made. The customer is charged with the batch of the day.' },
      next: {
        CAPTURED: {
          tools: ['get_payment_receipt', 'refund_capture', 'capture_payment', 'void_capture'],
          because: 'The customer gets a receipt; only a mistake is voided.',
        },
      },
      outputSchema: captureOutput,
      shows: showCapture,
    },
    // The capture gets no handle: only the platform knows its id.
    reconcile: { confirmed: capturedNow, doubled: takenBefore },
  },

  getCapture,

  voidCapture: {
    description:
      'Undo a capture that was a mistake, on the same day. Later, or after a refund, only refund_capture helps.',
    input: { args: () => ({ capture: handle('capture', 'Capture to undo.') }) },
    refresh: refreshCapture,
    policy: {
      lockKey,
      approval: {
        needed: always,
        title: () => 'Allow the agent to undo a capture',
        text: ({ things }) => [...wholeLines(things, things.capture?.body), ...paymentLines(things)],
      },
    },
    observe: {
      moves: { kind: 'capture', entity: captureEntity },
      contradicts: ({ things }, { body }, sent) =>
        ofAnother(sent, body, 'clientReferenceInformation.code') ?? ofAnotherSum(things, things.capture?.body, body),
      stateFromResponse: ({ body }, _, { capture }) => stateAfter(body.status, capture),
      observations: ({ things }, { body: { status } }) => keptOfVoid(things, status),
    },
    present: {
      messages: {
        VOIDED:
          'The capture is voided, and the amount is held on the card again. Capture it again under another reference, or reverse the payment.',
        PENDING: "The platform didn't void the capture. It is unchanged.",
      },
      next: { VOIDED: { tools: ['capture_payment', 'reverse_payment'], because: 'The hold is still there.' } },
      outputSchema: captureOutput,
      shows: showCapture,
    },
    reconcile: {
      readBack: readBack('getCapture', {
        with: ({ names }) => ({ names }),
        finds: foundAs('VOIDED'),
      }),
      confirmed: ({ things }) => keptOfVoid(things, 'VOIDED'),
    },
  },
});
