import type { Answer } from '../../../src/engine/answer.ts';
import { recordDecision } from '../../../src/engine/approval-service.ts';
import type { Caller } from '../../../src/ledger/ledger.ts';
import type { Transition } from '../coverage/transition.ts';
import { creditTransition } from '../coverage/transitions-device.ts';
import type { ActorStep } from '../scenario/schema.ts';
import { agentCaller } from '../world/settings.ts';
import type { World } from '../world/world.ts';
import { type Happened, made } from './authentications.ts';

const { tenant } = agentCaller;
const operator: Caller = { tenant, principal: 'operator', role: 'operator' };

/** An operator has a key generated, and collects it, as the command does. */
export async function generateKey(
  world: World,
  { generates, approved, refused }: Extract<ActorStep, { generates: object }>,
): Promise<Happened> {
  const answer = await callAsOperator(world, 'generate_device_key', generates, approved);
  const step = made('An operator generates a key', answer, refused);
  return step.worked && answer.outcome === 'done' ? { ...step, worked: await isCollected(world.engine, answer) } : step;
}

/** An operator pays an amount to whoever taps a card, without an original transaction. */
export async function refundWithoutOriginal(
  world: World,
  { refunds, approved, refused }: Extract<ActorStep, { refunds: object }>,
): Promise<Happened & { readonly moved: readonly Transition[] }> {
  const answer = await callAsOperator(world, 'refund_without_original', refunds, approved);
  return {
    ...made('An operator refunds without an original transaction', answer, refused),
    moved: creditTransition(answer),
  };
}

/** A call of an operator, which a person approves where they are asked. */
async function callAsOperator({ engine }: World, tool: string, args: object, approved: boolean): Promise<Answer> {
  const call = () => engine.call(tool, args, operator);
  const first = await call();
  if (first.outcome !== 'needs_approval' || !approved) return first;
  const approver = { tenant, approver: 'olga', channel: 'cli' } as const;
  await recordDecision(engine.parts, first.approval?.id ?? '', 'approve', approver);
  return call();
}

const isCollected = async (engine: World['engine'], { data }: Answer): Promise<boolean> =>
  (await engine.redeem(tenant, String(data?.key), 'operator')) !== undefined;
