import { isAstray } from '../client/skew.ts';
import type { Valve } from './gates.ts';
import type { EngineParts } from './parts.ts';
import { type Refusal, Refused } from './refusal.ts';
import { operationOf, type PlatformTool } from './tool.ts';

// EN-15: ends of mandates and windows of payments are read from two clocks, so money moves only while these agree.

/** Asks the platform what time it is before a call that moves money, where it has not said so lately. */
export async function readClock({ ports }: EngineParts, valve: Valve, tool: PlatformTool): Promise<void> {
  if (!movesMoney(tool) || ports.skew() !== undefined) return;
  try {
    await valve.run(
      async (admit) => {
        admit();
        return ports.askTime();
      },
      (isThere) => isThere,
    );
  } catch (error) {
    // While the platform is taken for gone, an earlier answer may still be repeated; nothing new is sent.
    if (!(error instanceof Refused)) throw error;
  }
}

/** Demands, of a call that moves money, that the clocks agree. Throws Refused. */
export function demandClock(tool: PlatformTool, skew: number | undefined): void {
  if (!movesMoney(tool)) return;
  if (skew === undefined) throw new Refused(unread);
  if (isAstray(skew)) throw new Refused(astray);
}

const movesMoney = (tool: PlatformTool): boolean => operationOf(tool).effect === 'money';

const unread: Refusal = {
  code: 'UNREACHABLE',
  rule: 'EN-15',
  because:
    "The platform did not say what time it is, so its clock can't be compared with Purser's, and no money moves.",
  retry: 'same_call',
  instead: ['list_operations'],
};

const astray: Refusal = {
  code: 'RULE',
  rule: 'EN-15',
  because:
    "The clocks of Purser and the platform differ too much, so no money moves. An operator must set Purser's clock.",
  retry: 'never',
  instead: ['list_operations'],
};
