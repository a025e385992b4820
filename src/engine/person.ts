import type { Channel } from './approval-channels.ts';
import type { Body } from './render.ts';

/** The authenticated person who decides, and the channel. Never the agent's principal. */
export interface Person {
  readonly tenant: string;
  readonly approver: string;
  readonly channel: Channel;
  /** The call itself waits for the decision, so its own answer reports a denial. */
  readonly isAwaited?: true;
}

/** The result of a person's decision, with more of what was decided. */
export type DecisionResult<More = unknown> = (Decided & More) | NotDecided;

interface Decided {
  readonly ok: true;
  readonly operation: string;
  readonly state: string;
  readonly text: string;
  /** What the agent reads of a denial that is a choice of its own. */
  readonly denied?: Body;
}

export interface NotDecided {
  readonly ok: false;
  readonly because: string;
  /** Nothing has this id. */
  readonly missing?: true;
  /** Decisions through this channel don't count. */
  readonly isOff?: true;
  /** The note must not be stored (EN-05). */
  readonly field?: 'note';
}
