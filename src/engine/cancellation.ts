import type { Verdict } from './decide.ts';
import { quietSecondsOf } from './lanes.ts';
import { type Body, cancelled, unknown } from './render.ts';
import { operationOf, type PlatformTool } from './tool.ts';

/** The answer to a call cancelled before its verdict was executed; undefined if the verdict sends nothing. */
export function cancelledAnswer(tool: PlatformTool, verdict: Verdict): Body | undefined {
  if (verdict.kind === 'send' || verdict.kind === 'ask') return cancelled(tool.name);
  // The first attempt may have taken effect.
  return verdict.kind === 'repeat' ? unknown(verdict.row.id, quietSecondsOf(operationOf(tool))) : undefined;
}
