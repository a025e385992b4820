import type { Answer } from '../../../src/engine/answer.ts';
import { recordDecision } from '../../../src/engine/approval-service.ts';
import type { Caller } from '../../../src/ledger/ledger.ts';
import type { ActorStep } from '../scenario/schema.ts';
import { agentCaller, type World } from '../world/world.ts';
import { type Happened, made } from './authentications.ts';

const { tenant } = agentCaller;
const operator: Caller = { tenant, principal: 'operator', role: 'operator' };

/** An operator has a key generated, and collects it, as the command does. */
export async function generateKey(
  { engine }: World,
  { generates, approved, refused }: Extract<ActorStep, { generates: object }>,
): Promise<Happened> {
  const call = () => engine.call('generate_device_key', generates, operator);
  const first = await call();
  const isAsked = first.outcome === 'needs_approval' && approved;
  if (isAsked)
    await recordDecision(engine.parts, first.approval?.id ?? '', 'approve', {
      tenant,
      approver: 'olga',
      channel: 'cli',
    });
  const answer = isAsked ? await call() : first;
  const step = made('An operator generates a key', answer, refused);
  return step.worked && answer.outcome === 'done' ? { ...step, worked: await isCollected(engine, answer) } : step;
}

const isCollected = async (engine: World['engine'], { data }: Answer): Promise<boolean> =>
  (await engine.redeem(tenant, String(data?.key), 'operator')) !== undefined;
