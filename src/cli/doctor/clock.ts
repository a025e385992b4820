import { wallClock } from '../compose.ts';
import { type Finding, fail, ok } from './finding.ts';

/** This code was written later, so an earlier clock is wrong. */
const earliest = Date.UTC(2026, 0, 1);

/** Whether this machine's clock is plausible. */
export function checkClock(): Finding {
  const now = wallClock.now();
  const shown = new Date(now).toISOString();
  return now < earliest
    ? fail('clock', shown, "Set this machine's clock: signatures carry its time.")
    : ok('clock', shown);
}
