import { recordDecision } from '../../../src/engine/approval-service.ts';
import { flow } from '../goldens/values.ts';
import { namesInSession } from '../sessions/names.ts';
import { agentCaller } from '../world/settings.ts';
import type { World } from '../world/world.ts';
import { lastApproval } from './ledger.ts';
import type { Aside } from './session.ts';

/** What was done, and what came of it for whoever did it. */
export interface Done {
  readonly title: string;
  readonly note?: string | undefined;
}

const flowOf = (body: object): string => flow(body, namesInSession());

/** What anybody but the agent does. */
export async function aside(world: World, step: Aside): Promise<Done> {
  if ('advance' in step) {
    await world.control('POST', 'clock', { advance: step.advance });
    return { title: 'the clock', note: `${step.advance} later` };
  }
  if ('decide' in step) {
    const id = step.approval ?? (await lastApproval(world));
    const by = { tenant: agentCaller.tenant, approver: 'pat', channel: step.by } as const;
    const decided = await recordDecision(world.engine.parts, id, step.decide, by);
    return {
      title: `somebody decides, ${step.decide}, by ${step.by}`,
      note: decided.ok ? decided.state : decided.because,
    };
  }
  if ('reader' in step) {
    await world.atReader(step.reader, step.body);
    return { title: `at the card reader, ${step.reader}`, note: flowOf(step.body) };
  }
  if ('channels' in step) {
    world.reconfigure((settings) => ({ ...settings, channels: step.channels }));
    return { title: `from now on, these channels count`, note: step.channels.join(', ') || 'none' };
  }
  if ('crash' in step) {
    world.crash(step.crash, step.on);
    return { title: `the next call of ${step.on}`, note: `ends at ${step.crash}, as if something broke` };
  }
  await world.control('POST', step.control, step.body);
  return { title: `at the platform, ${step.control}`, note: flowOf(step.body) };
}
