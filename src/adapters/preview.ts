import type { Answer } from '../engine/answer.ts';
import { switchedOff } from '../engine/channels.ts';
import type { Engine } from '../engine/engine.ts';
import type { Caller } from '../ledger/ledger.ts';

/**
 * The text that a person must approve before a call can be made; undefined where the call needs nobody, or would be refused.
 * Sends nothing. Throws where the operator has switched decisions of programs off: nobody would be heard.
 */
export async function approvalText(
  engine: Engine,
  tool: string,
  args: unknown,
  caller: Caller,
): Promise<string | undefined> {
  const { channels } = engine.parts.settings;
  if (!channels.includes('program')) throw new Error(switchedOff('program', channels));
  const { data } = await engine.call('preview_call', { tool, arguments: args }, caller);
  const { verdict, approval } = (data ?? {}) as Previewed; // by the output schema of preview_call
  return verdict?.outcome === 'needs_approval' ? approval : undefined;
}

interface Previewed {
  readonly verdict?: Pick<Answer, 'outcome'>;
  readonly approval?: string;
}
