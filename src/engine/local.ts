import type { Facts, Kind } from '../guards/facts.ts';
import type { Caller } from '../ledger/ledger.ts';
import type { Answer } from './answer.ts';
import type { Checked } from './decide.ts';
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
  /** Decides a call as if it were made, keeps nothing and sends nothing. */
  readonly preview: (tool: string, args: unknown) => Promise<Preview>;
}

/** What a previewed call would do. */
export interface Preview {
  readonly answer: Answer;
  /** The call changes nothing. */
  readonly reads?: true;
  readonly checked?: Checked | undefined;
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
