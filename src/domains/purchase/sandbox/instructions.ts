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

/** An instruction whose mandates are to be replaced, their ids used up. */
export const renamed = (it: InstructionDocument, mandates: readonly Mandate[]): InstructionDocument => ({
  ...it,
  waitingMandates: mandates,
  mandateIds: [...new Set([...it.mandateIds, ...idsOf(mandates)])],
});

/** What waited for the customer becomes what holds. */
export function settled(it: InstructionDocument): InstructionDocument {
  const mandates = it.waitingMandates ?? it.mandates;
  return { ...it, mandates, due: lastEnd(mandates), waitingMandates: null, waiting: '', asks: false };
}

/** The customer verified what the platform asked for: what waited takes effect. */
export function verifyInstruction(world: World, it: InstructionDocument): InstructionDocument {
  const moved = move(world, instruction, 'instruction', it, 'verify');
  return world.put('instruction', { ...settled(moved), answered: true });
}

/** Lets the clock end an instruction whose mandates have ended. */
export function expireInstruction(world: World, it: InstructionDocument): void {
  const ended = it.mandates.every((mandate) => endOf(mandate) <= world.now);
  world.put('instruction', { ...it, ended, due: undefined, state: instruction.settle({ ...it, ended }) });
}

const idsOf = (mandates: readonly Mandate[]): readonly string[] => mandates.map(({ mandateId }) => mandateId);
