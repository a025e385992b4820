import type { Channel } from './approval-channels.ts';

/** Who decides: an authenticated person, and the channel they used. Never the agent's own principal. */
export interface Person {
  readonly tenant: string;
  readonly approver: string;
  readonly channel: Channel;
  /** The call itself waits for the decision, so its own answer tells the agent about a no. */
  readonly isAwaited?: true;
}

/** What became of a person's decision. */
export type DecisionResult =
  | { readonly ok: true; readonly operation: string; readonly state: string; readonly text: string }
  | {
      readonly ok: false;
      readonly because: string;
      /** There is no such thing. */
      readonly missing?: true;
      /** Decisions by this channel don't count. */
      readonly isOff?: true;
      /** What they said may not be kept, by EN-05. */
      readonly field?: 'note';
    };
