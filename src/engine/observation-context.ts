import type { Kind } from '../domains/facts.ts';
import type { SealedAnswer } from './seal-answer.ts';
import type { AuthoredFields } from './tool-policy.ts';

/** What `observations` can use. */
export interface ObservationContext {
  /** The state that the thing reached. */
  readonly state: string;
  /** When the call was sent, also where its answer was read back days later. Milliseconds since the epoch. */
  readonly began: number;
  /** Generates a handle. */
  readonly mint: (kind: Kind) => string;
  /** What the model authored in the request. */
  readonly authored: AuthoredFields;
  /** Whether a person approved the call. */
  readonly approved: boolean;
  /** What of the operation's answer is secret: what may be shown of it, and where it is kept. */
  readonly sealed: SealedAnswer | undefined;
}
