import { money, moneyFault } from '../../../core/money.ts';
import { type Answer, type BodyOf, declined, find, invalid, move, PlatformError } from '../../../sandbox/answer.ts';
import type { HandlersOf } from '../../../sandbox/domain.ts';
import type { purchase as operations } from '../contract.ts';
import { card, instruction } from '../machines.ts';
import { isPayment } from '../shapes.ts';
import { activeCard, cardOfCustomer, enrolling } from './cards.ts';
import { signedPayload } from './credentials.ts';
import { type ConfirmationForms, eventsOf, provesPasskey } from './evidence.ts';
import { fresh, renamed, settled } from './instructions.ts';
import { admit, covering, type Purchase } from './mandates.ts';
import { tellToken } from './token-events.ts';

/** The six agent operations of document 1. A rule marked P in the rule book is enforced here or by the machines. */
export const handlers: HandlersOf<typeof operations, ConfirmationForms> = {
  enrollCard({ body, merchant, asks }, world) {
    const asked = enrolling(world, merchant, body, asks);
    const enrolled = move(world, card, 'card', asked, 'enroll');
    tellToken(world, asked.state, enrolled);
    return answered(enrolled, echo(body));
  },

  initiatePurchase({ body, merchant, asks }, world) {
    const chosen = activeCard(world, merchant, body.paymentInformation);
    admit(body.mandates, world.now);
    const authenticated = body.assuranceData.some(provesPasskey);
    const it = { ...fresh(world.uuid('instruction'), chosen, body.mandates), asks, authenticated };
    return about(body, move(world, instruction, 'instruction', it, 'initiate'));
  },

  updatePurchase({ path, body, merchant, asks }, world) {
    const it = find(world, 'instruction', path.instructionID, merchant, 'instructionID');
    const asked = { ...it, asks: it.asks || asks, waiting: 'update' };
    const updated = move(world, instruction, 'instruction', asked, 'update');
    const { id: cardId } = cardOfCustomer(world, merchant, body.paymentInformation, it);
    admit(body.mandates, world.now, it);
    const authenticated = body.assuranceData.some(provesPasskey);
    const changed = { ...renamed(updated, body.mandates), cardId, authenticated };
    // Until the customer answers, the old mandates remain in effect and the new ones wait.
    return about(body, world.put('instruction', changed.asks ? changed : settled(changed)));
  },

  cancelPurchase({ path, body, merchant, asks }, world) {
    const it = find(world, 'instruction', path.instructionID, merchant, 'instructionID');
    const asked = { ...it, asks, waiting: 'cancel' };
    return about(body, move(world, instruction, 'instruction', asked, 'cancel'));
  },

  async retrieveCredentials({ path, body, merchant, asks }, world) {
    const it = find(world, 'instruction', path.instructionID, merchant, 'instructionID');
    const fixture = world.get('cardFixture', body.paymentInformation.instrumentIdentifier.id);
    const asked = { ...it, asks: it.asks || asks || (fixture?.credentials === 'asked' && !it.answered) };
    // A retrieval ends no cancellation that waits for the customer.
    const waiting = it.waiting === 'cancel' ? it.waiting : 'retrieve';
    const moved = move(world, instruction, 'instruction', { ...asked, waiting }, 'retrieve');
    const { id: cardId } = cardOfCustomer(world, merchant, body.paymentInformation, it);
    const { wanted, total } = theOnly(body.transactionData);
    const { mandateId } = covering(it.mandates, wanted, world.now);
    if (moved.asks) return about(body, moved);
    if (fixture?.credentials === 'declined') throw declined();
    const release = {
      ...total,
      reference: wanted.reference,
      mandateId,
      merchantName: wanted.merchantName,
      at: world.now,
    };
    const released = world.put('instruction', { ...moved, cardId, releases: [...it.releases, release] });
    // The status is that of the retrieval, which is complete; the instruction is not (D-03).
    const done = { ...echo(body), instructionId: it.id, status: 'COMPLETED' };
    const payload = await signedPayload(world, released, release, fixture);
    return { status: 200, entity: it.id, body: { ...done, signedPayload: payload } };
  },

  confirmTransaction({ path, body, merchant }, world) {
    const it = find(world, 'instruction', path.instructionID, merchant, 'instructionID');
    const possible = instruction.move({ ...it, processed: true }, 'confirm');
    if (!possible.ok) throw new PlatformError(400, 'INVALID_STATE', possible.because);
    if (it.releases.length === 0)
      throw new PlatformError(400, 'INVALID_STATE', 'No credentials of this instruction were retrieved.');
    const events = eventsOf(body, world.now);
    const processed = events.some(isPayment);
    const told = world.put('instruction', { ...it, processed, confirmations: [...it.confirmations, ...events] });
    // An event that is not a processed payment is recorded, but completes nothing.
    const outcome = processed ? { status: move(world, instruction, 'instruction', told, 'confirm').state } : {};
    return { status: 202, entity: it.id, body: { ...echo(body), ...outcome } };
  },
};

type Transaction = BodyOf<typeof operations.retrieveCredentials>['transactionData'][number];

/** One release, one payment: the platform's payload speaks of one transaction. */
function theOnly(transactions: readonly Transaction[]) {
  const [first, second] = transactions;
  if (first === undefined || second !== undefined)
    throw invalid('transactionData', 'Credentials are released for one transaction at a time.');
  const { orderInformation, merchantInformation, mandateReferenceData = [], clientReferenceInformation } = first;
  const { totalAmount, currency } = orderInformation.amountDetail;
  const fault = moneyFault(totalAmount, currency);
  if (fault !== null) throw invalid('transactionData[0].orderInformation.amountDetail.totalAmount', fault);
  const wanted: Purchase & { readonly reference: string } = {
    reference: clientReferenceInformation.code,
    merchantName: merchantInformation.merchantName,
    total: money(totalAmount, currency),
    mandateIds: mandateReferenceData.flatMap(({ mandateId }) => mandateId ?? []),
  };
  return { wanted, total: { totalAmount, currency } };
}

const echo = ({ clientCorrelationId }: { readonly clientCorrelationId: string }) => ({ clientCorrelationId });

/** Status and extra fields of a response by state; every other state is a plain 200. */
const waits: { readonly [state: string]: { readonly status: number; readonly more: object } | undefined } = {
  PENDING: { status: 202, more: { pendingEvents: ['PENDING_CARDHOLDER_AUTHENTICATION'] } },
};

function answered({ id, state }: { readonly id: string; readonly state: string }, body: object): Answer {
  const { status, more } = waits[state] ?? { status: 200, more: {} };
  return { status, entity: id, body: { ...body, status: state, ...more } };
}

const about = (
  body: { readonly clientCorrelationId: string },
  it: { readonly id: string; readonly state: string },
): Answer => answered(it, { ...echo(body), instructionId: it.id });
