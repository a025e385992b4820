import type { Fleet, Replica, Said } from './fleet.ts';
import { approvalOf, approved, type Count, done, expectDone, expectOk, held, joined, within } from './race-outcomes.ts';

// Races about payments: nobody pays twice, and nothing is both taken and given back.

export const paymentKinds = {
  authorize: 'authorize a payment with one approval',
  offer: 'one offer, three payments',
  capture: 'three captures of one converted payment',
  reverse: 'capture against reversal',
  refund: 'three approved refunds of 60 % each',
  undo: 'void against refund of a capture',
  unrefund: 'void a refund with one approval',
} as const;

/** Ada's card is billed in AUD. No two amounts are alike: a person would be warned of nearly the same call. */
const priceOf = (index: number, at: number) => ({ amount: (50 + at * 20 + index / 100).toFixed(2), currency: 'USD' });

/** One race of each kind; those about one payment follow each other. */
export async function paid(fleet: Fleet, index: number, count: Count): Promise<void> {
  const { all, one } = within(fleet, index);
  const allow = async (tool: string, args: object) => {
    const asked = await one.call(tool, args);
    await expectOk(one.ask({ does: 'decide', approval: approvalOf(asked), verdict: 'approve' }));
  };
  const through = async (tool: string, args: object) => {
    await allow(tool, args);
    return expectDone(one.call(tool, args));
  };
  const lost = (it: Said) => joined(it) || held(it);
  /** Each replica makes the call of its place, all of them approved before. */
  const against = async (
    kind: string,
    calls: readonly (readonly [tool: string, args: object, isApproved?: true])[],
  ) => {
    for (const [tool, args, isApproved] of calls) if (isApproved) await allow(tool, args);
    const callOf = (it: Replica, at: number) => {
      const [tool, args] = calls[at % calls.length] ?? ['', {}];
      return it.call(tool, args);
    };
    return count(kind, await all(callOf), done, lost);
  };
  const local = (at: number, name: string) => ({
    card: 'card_ada',
    reference: `${name}-${index}`,
    price: priceOf(index, at),
  });

  const { charge } = await approved(fleet, index, 'authorize', count, 'authorize_payment', local(0, 'paid'));
  await against('reverse', [
    ['capture_payment', { charge }],
    ['reverse_payment', { charge }, true],
    ['capture_payment', { charge, reference: `paid-${index}-b` }],
  ]);

  const { offer } = await expectDone(one.call('offer_conversion', local(1, 'offer')));
  await through('choose_currency', { offer, currency: 'AUD' });
  const won = await against(
    'offer',
    ['a', 'b', 'c'].map((name) => ['authorize_payment', { offer, reference: `offer-${index}-${name}` }, true] as const),
  );
  const converted = won?.kind === 'said' ? won.value.data.charge : '';
  await against(
    'capture',
    ['a', 'b', 'c'].map(
      (name) => ['capture_payment', { charge: converted, reference: `offer-${index}-${name}` }] as const,
    ),
  );

  const taken = async (at: number, name: string): Promise<string> => {
    const made = await through('authorize_payment', local(at, name));
    return (await expectDone(one.call('capture_payment', { charge: made.charge }))).capture;
  };
  const capture = await taken(2, 'refund');
  const part = (Number(priceOf(index, 2).amount) * 0.6).toFixed(2);
  const refund = await against(
    'refund',
    ['a', 'b', 'c'].map(
      (name) => ['refund_capture', { capture, amount: part, reference: `refund-${index}-${name}` }, true] as const,
    ),
  );
  const back = refund?.kind === 'said' ? refund.value.data.refund : '';
  await approved(fleet, index, 'unrefund', count, 'void_refund', { refund: back });

  const undone = await taken(3, 'undo');
  await against('undo', [
    ['void_capture', { capture: undone }, true],
    ['refund_capture', { capture: undone, reference: `undo-${index}-b` }, true],
    ['refund_capture', { capture: undone, reference: `undo-${index}-c` }, true],
  ]);
}
