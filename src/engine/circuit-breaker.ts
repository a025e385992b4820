import { Refused } from './refusal.ts';

/** One call's use of the circuit breaker. */
export interface Attempt {
  /** Throws Refused while the circuit is open. A repeated check within the same attempt changes nothing. */
  check(): void;
  /** Whether the platform responded; undefined if it was not called. */
  record(answered: boolean | undefined): void;
  end(): void;
}

/**
 * Opens after several consecutive calls without a response (EN-12). After the pause one call probes the platform;
 * others are refused until it has ended.
 */
export function createCircuitBreaker(
  { failures, pauseMilliseconds }: { readonly failures: number; readonly pauseMilliseconds: number },
  clock: { now(): number },
) {
  let unanswered = 0;
  let openUntil = 0;
  let isProbing = false;
  return {
    attempt(): Attempt {
      let isProbe = false;
      return {
        check() {
          openUntil = Math.min(openUntil, clock.now() + pauseMilliseconds); // the clock may have gone back
          const pause = openUntil - clock.now();
          if (pause > 0) throw open(pause);
          if (unanswered < failures || isProbe) return;
          if (isProbing) throw open(1_000);
          isProbing = true;
          isProbe = true;
        },
        record(answered) {
          if (answered === undefined) return;
          unanswered = answered ? 0 : unanswered + 1;
          if (!answered && unanswered >= failures) openUntil = clock.now() + pauseMilliseconds;
        },
        end() {
          if (isProbe) isProbing = false;
        },
      };
    },
  };
}

const open = (milliseconds: number): Refused =>
  new Refused({
    code: 'UNREACHABLE',
    rule: 'EN-12',
    because: 'The platform is not responding; nothing was sent.',
    retry: 'after',
    wait: Math.max(1, Math.ceil(milliseconds / 1_000)),
    instead: [],
  });
