import { move } from '../../../sandbox/answer.ts';
import type { World } from '../../../sandbox/world.ts';
import { instruction } from '../machines.ts';
import type { CardDocument, InstructionDocument, Mandate } from './documents.ts';
import { endOf, lastEnd } from './mandates.ts';

/** An instruction that is about to be initiated with a card. */
export function fresh(id: string, chosen: CardDocument, mandates: readonly Mandate[]): InstructionDocument {
  return {
    id,
    state: 'none',
    asks: false,
    waiting: 'initiate',
    processed: false,
    ended: false,
    merchantId: chosen.merchantId,
    customerId: chosen.customerId,
    cardId: chosen.id,
    mandates,
    waitingMandates: null,
    mandateIds: idsOf(mandates),
    authenticated: false,
    answered: false,
    releases: [],
    confirmations: [],
    due: lastEnd(mandates),
  };
}

/** Replaces the mandates of an instruction when the update takes effect; their ids are used up at once. */
export const renamed = (it: InstructionDocument, mandates: readonly Mandate[]): InstructionDocument => ({
  ...it,
  waitingMandates: mandates,
  mandateIds: [...new Set([...it.mandateIds, ...idsOf(mandates)])],
});

/** Applies the update that waited for the customer. */
export function settled(it: InstructionDocument): InstructionDocument {
  const mandates = it.waitingMandates ?? it.mandates;
  return { ...it, mandates, due: lastEnd(mandates), waitingMandates: null, waiting: '', asks: false };
}

/** The customer completed the verification: the waiting change takes effect. */
export function verifyInstruction(world: World, it: InstructionDocument): InstructionDocument {
  const moved = move(world, instruction, 'instruction', it, 'verify');
  return world.put('instruction', { ...settled(moved), answered: true });
}

/** Ends an instruction whose mandates have ended. */
export function expireInstruction(world: World, it: InstructionDocument): void {
  const ended = it.mandates.every((mandate) => endOf(mandate) <= world.now);
  world.put('instruction', { ...it, ended, due: undefined, state: instruction.settle({ ...it, ended }) });
}

const idsOf = (mandates: readonly Mandate[]): readonly string[] => mandates.map(({ mandateId }) => mandateId);
