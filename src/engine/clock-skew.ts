import { isAstray } from '../client/skew.ts';
import type { PlatformSlots } from './platform-slots.ts';
import { type Refusal, Refused } from './refusal.ts';
import type { Ports } from './settings.ts';
import { operationOf, type PlatformTool } from './tool.ts';

// EN-15: mandates and payment windows depend on two clocks, so money moves only while these agree.

/** Compares the clocks before a call that moves money, if the last comparison is too old, or was one of clocks that differ. */
export async function readClock(
  { ports }: { readonly ports: Pick<Ports, 'skew' | 'askTime'> },
  slots: PlatformSlots,
  tool: PlatformTool,
): Promise<void> {
  const known = ports.skew();
  if (!hasMoneyEffect(tool) || (known !== undefined && !isAstray(known))) return;
  try {
    const slot = await slots.acquire();
    try {
      slot.check();
      slot.record(await ports.askTime());
    } finally {
      slot.release();
    }
  } catch (error) {
    // While the circuit is open, an earlier result may still be replayed; nothing new is sent.
    if (!(error instanceof Refused)) throw error;
  }
}

/** Refuses a call that moves money while the clocks differ. */
export function demandClock(tool: PlatformTool, skew: number | undefined): void {
  if (!hasMoneyEffect(tool)) return;
  if (skew === undefined) throw new Refused(unread);
  if (isAstray(skew)) throw new Refused(astray);
}

const hasMoneyEffect = (tool: PlatformTool): boolean => operationOf(tool).effect === 'money';

const unread: Refusal = {
  code: 'UNREACHABLE',
  rule: 'EN-15',
  because: "The platform's clock could not be compared with Purser's, so no money moves.",
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
