import type { Progress } from '../core/outcome.ts';
import type { Facts, Kind } from '../domains/facts.ts';
import type { Caller } from '../ledger/ledger.ts';
import type { ApprovalRow, OperationRow } from '../ledger/rows.ts';
import type { Answer } from './answer.ts';
import type { EngineSettings } from './settings.ts';
import type { View } from './view.ts';

/** What a tool that answers from the ledger can use. */
export interface LocalContext {
  readonly caller: Caller;
  readonly now: number;
  /** The ledger as the caller sees it. */
  readonly tx: View;
  readonly settings: EngineSettings;
  /** The thing of a handle and the things it points to. Throws the refusal if there is none of this kind. */
  readonly resolve: (kind: Kind, handle: string) => Promise<Facts['things']>;
  /** Throws the refusal while a call for the thing with this handle is in progress, or its outcome is unknown: its state is then no fact. */
  readonly demandSettled: (handle: string) => Promise<void>;
  /** The tool that shows, or finds, the thing that an operation moves; undefined if there is none. */
  readonly lookerOf: (row: OperationRow) => string | undefined;
  /** What has become of the thing of an operation's answer since; empty where it is as the answer says. */
  readonly sinceThen: (row: OperationRow) => Promise<string>;
  /** An operation's progress; undefined if this process doesn't execute it, or it has reported none. */
  readonly progressOf: (operation: string) => Progress | undefined;
  /** The preview of the call that the tool previews; undefined for other tools. */
  readonly preview: Preview | undefined;
}

/** What a previewed call would do. */
export interface Preview {
  readonly answer: Answer;
  /** The state of its thing before and after; or that it only reads. */
  readonly effect?: string;
  /** The approval text that a person would read. */
  readonly approval?: string;
  readonly warnings?: readonly string[];
  /** The limits and mandates it would count against. */
  readonly touched?: readonly string[];
  /** The request that would be sent, without secrets. */
  readonly request?: unknown;
}

export interface LocalAnswer<Data = { readonly [field: string]: unknown }> {
  readonly said: string;
  readonly data: Data;
  readonly next?: readonly string[];
  /** The operation that is withdrawn, with its approval. Only a tool that writes can answer so. */
  readonly withdraws?: { readonly row: OperationRow; readonly asked: ApprovalRow };
}

export type LocalCall<Args = Readonly<Record<string, unknown>>, Data = { readonly [field: string]: unknown }> = (
  args: Args,
  context: LocalContext,
) => Promise<LocalAnswer<Data>>;

/** The declared properties of a shape, read-only. */
export type Plain<T> = T extends readonly (infer Item)[]
  ? readonly Plain<Item>[]
  : T extends object
    ? { readonly [K in keyof T as string extends K ? never : K]: Plain<T[K]> }
    : T;
