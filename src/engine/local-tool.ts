import type { Facts, Kind } from '../domains/facts.ts';
import type { Caller } from '../ledger/ledger.ts';
import type { Answer } from './answer.ts';
import type { EngineSettings } from './settings.ts';
import type { View } from './view.ts';

/** What a tool that answers from memory may use. */
export interface LocalContext {
  readonly caller: Caller;
  readonly now: number;
  /** The ledger as the caller sees it. */
  readonly tx: View;
  readonly settings: EngineSettings;
  /** The things a handle names and points to; throws the refusal when there is none of this kind. */
  readonly resolve: (kind: Kind, handle: string) => Promise<Facts['things']>;
  /** What the call that the tool previews would do; undefined for a tool that previews none. */
  readonly preview: Preview | undefined;
}

/** What a previewed call would do. */
export interface Preview {
  readonly answer: Answer;
  /** The state that its thing is in and the one it would be in; or that it only reads. */
  readonly effect?: string;
  /** What a person would read before approving it. */
  readonly approval?: string;
  readonly warnings?: readonly string[];
  /** The limits and mandates that it would count against. */
  readonly touched?: readonly string[];
  /** The request that would be sent, without secrets. */
  readonly request?: unknown;
}

export interface LocalAnswer<Data = { readonly [field: string]: unknown }> {
  readonly said: string;
  readonly data: Data;
  readonly next?: readonly string[];
}

export type LocalCall<Args = Readonly<Record<string, unknown>>, Data = { readonly [field: string]: unknown }> = (
  args: Args,
  context: LocalContext,
) => Promise<LocalAnswer<Data>>;
