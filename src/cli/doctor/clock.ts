import { wallClock } from '../compose.ts';
import { type Finding, fail, ok } from './finding.ts';

/** No clock of a machine that runs this code is right before then. */
const earliest = Date.UTC(2026, 0, 1);

/** Whether the clock of this machine can be right. */
export function checkClock(): Finding {
  const now = wallClock.now();
  const shown = new Date(now).toISOString();
  return now < earliest
    ? fail('clock', shown, "Set this machine's clock: signatures carry its time.")
    : ok('clock', shown);
}
