import { z } from 'zod';
import type { JsonObject } from '../core/canonical-json.ts';
import type { PathOf } from '../core/fields.ts';
import type { Entity, On } from '../core/machine.ts';
import type { Operation, Output } from '../core/operation.ts';
import type { Facts, Kind, Things } from '../domains/facts.ts';
import type { Contract, OperationName } from '../domains/index.ts';
import { contract } from '../domains/index.ts';
import type { LocalCall } from './local-tool.ts';
import type { Request } from './request.ts';
import type { SealedAnswer } from './seal-answer.ts';

/** An argument of a tool: its schema, and where its value goes in the request. */
export interface Arg<P extends string = string> {
  readonly schema: z.ZodType;
  /** The contract paths it fills, and how each value is computed from the argument. */
  readonly fills: readonly { readonly path: P; readonly value: (given: unknown) => unknown }[];
  /** The kind of thing it names, for a handle. */
  readonly kind?: Kind;
  /** An existing thing that this value may name. It is resolved if it is known; an unknown one is not an error. */
  readonly mayMatch?: { readonly kind: Kind; readonly handle: (given: string) => string };
  /** The rule that a wrong value breaks, where the contract names one. */
  readonly rule?: string | undefined;
  /** Its label in approval text; by default the argument's name. */
  readonly label?: string;
  /** Its approval text, if people can't read the sent values. Different values must have different texts. */
  readonly approvalText?: (given: unknown, sent: readonly unknown[]) => string;
}

/** Values that the model authored, by contract path. */
export type AuthoredFields = Readonly<Record<string, unknown>>;

/** Whether a value allows no more than the approved one. Undefined is a field that the request leaves out. */
export type Ordering = (now: unknown, approved: unknown, fields: AuthoredFields) => boolean;

type BodyOf<N extends OperationName> = NonNullable<Contract[N]['body']>;
type QueryOf<N extends OperationName> = NonNullable<Contract[N]['query']>;

/** A path that an argument can fill: of the body, or of the query with a leading `?`. */
export type FillOf<N extends OperationName> = PathOf<BodyOf<N>> | `?${PathOf<QueryOf<N>>}`;
type AnswerOf<N extends OperationName> = Output<Contract[N]>;

/**
 * A thing to upsert after an answer: the one with this handle, known or new. Without a handle, the thing of this kind that the
 * call was about.
 */
export interface Observation {
  readonly kind: Kind;
  /** By default the handle of the call's thing; a new one is generated if there is none. */
  readonly handle?: string;
  /** The owner of a new thing; by default the shopper of the call. */
  readonly owner?: string | undefined;
  /** Ignored if the thing is not known yet. */
  readonly ifKnown?: true;
  /** Merged into the stored body; an undefined property is removed. */
  readonly body: { readonly [field: string]: unknown };
  /** Required for a kind without a machine. */
  readonly state?: string;
}

/** A sent request with an unknown outcome, as the ledger stores it. */
export interface SentRequest extends Request {
  readonly body: JsonObject | undefined;
  /** The state of its thing before the call, and the state it should reach. */
  readonly from: string;
  readonly reaches: string;
  readonly reference: string;
  /** The tool's notes about it. */
  readonly noted?: JsonObject;
}

/**
 * The outcome of a sent request: the response it would have had, no effect, or unclear. "Not found" may count as no effect only
 * if sending it again can't charge anybody twice.
 */
export type Finding<B> = { readonly happened: B } | 'nothing' | 'unclear';

/** How to read the outcome of a lost answer after the quiet period. */
export interface ReadBack<B> {
  /** The read operation that is called. */
  readonly asks: OperationName;
  /** That operation, as its contract states it. */
  readonly definition: Operation;
  readonly with: (sent: SentRequest) => Omit<Request, 'body'> & { readonly body?: unknown };
  /** Notes stored with the request, because they can't be computed later. */
  readonly notes?: (facts: Facts) => JsonObject;
  /** Reads the outcome from the answer, which is undefined if the platform has no such thing. */
  readonly finds: (answer: unknown, sent: SentRequest) => Finding<B>;
}

/** A read-back whose answer is typed by its operation. */
export const readBack = <Q extends OperationName, B>(
  asks: Q,
  how: {
    readonly with: ReadBack<B>['with'];
    readonly notes?: (facts: Facts) => JsonObject;
    readonly finds: (answer: AnswerOf<Q>['body'] | undefined, sent: SentRequest) => Finding<B>;
  },
): ReadBack<B> => ({ asks, definition: contract[asks], ...how }) as ReadBack<B>; // the engine passes the answer of that operation

/** The money that a call would move. */
export interface SpendAmount {
  /** Decimal text. */
  readonly amount: string;
  readonly currency: string;
  /** The part that an earlier call already counted: decimal text, in the same currency. */
  readonly counted?: string | undefined;
  readonly payee: string;
  /** Handle of the card. */
  readonly instrument: string;
}

/** What `observations` can use. */
export interface ObservationContext {
  /** The state that the thing reached. */
  readonly state: string;
  /** Generates a handle. */
  readonly mint: (kind: Kind) => string;
  /** What the model authored in the request. */
  readonly authored: AuthoredFields;
  /** Whether a person approved the call. */
  readonly approved: boolean;
  /** What the operation's answer put into the vault: what may be shown of it, its reference there, and when it expires. */
  readonly sealed: SealedAnswer | undefined;
}

/** A tool of one platform operation. Each part has one reader: the step of the engine that it is named for. */
export interface ToolSpec<N extends OperationName> {
  /** When to use the tool, when not to, and what can't be undone. */
  readonly description: string;
  readonly input: ToolInput<N>;
  /** What to read from the platform before deciding. */
  readonly refresh?: readonly Refresh[];
  /** A tool that only reads has none. */
  readonly policy?: ToolPolicy;
  readonly observe: ToolObservations<N>;
  readonly present: Presentation<N>;
  readonly reconcile?: Reconciliation<N>;
}

/** What the agent gives, and how it becomes a request. */
export interface ToolInput<N extends OperationName> {
  readonly args: Readonly<Record<string, Arg<FillOf<N>>>>;
  /** Arguments that exclude each other; with `exactly`, one of them is required. */
  readonly oneOf?: { readonly names: readonly string[]; readonly exactly?: true };
  /** The merchant's reference. A second call with the same reference is a replay or a conflict. */
  readonly reference?: (facts: Facts) => string;
  /**
   * Values that no argument gives, by contract path: those a full replacement must repeat, or those the platform would
   * otherwise choose itself. An argument wins.
   */
  readonly carryOver?: (facts: Facts) => Readonly<Record<string, unknown>>;
  /** Answers from the ledger where the platform can't filter by an argument. Nothing is sent. */
  readonly localSearch?: { readonly when: (args: Facts['args']) => boolean; readonly run: LocalCall };
}

/**
 * A read of something that changes without us. Where the platform doesn't answer, the last known state counts, but no money
 * moves on it. `args` returns undefined where there is nothing to read.
 */
export interface Refresh {
  readonly tool: PlatformTool;
  readonly args: (given: Facts['args']) => object | undefined;
}

/** What a call needs before it is sent: approval, a place within the limits, and no conflicting call in progress. */
export type ToolPolicy = {
  /** The one thing that no other call may change at the same time; empty for a call that creates something. */
  readonly lockKey: (facts: Facts) => string;
  /** Another thing whose terms the call copies. No call that changes those may run at the same time. */
  readonly dependsOn?: (facts: Facts) => string;
  /** The call changes terms that other calls depend on. */
  readonly invalidates?: true;
  /** Warns of a near-duplicate under another reference although no money moves. */
  readonly warnsOfNearDuplicate?: true;
  /** People outside read text of the agent's because of this call, so a person approves it first (EN-14). */
  readonly externalEffect?: true;
  /** The tools that later show customers what this call writes. Each asks a person. Empty: customers see it at once. */
  readonly releasedBy?: (facts: Facts) => readonly string[];
  readonly approval?: ApprovalPolicy;
} & SpendingPolicy;

/** What limits and mandates look at. */
type SpendingPolicy =
  | {
      /** Undefined for a call that changes no amount; `unknown` if it can't be computed, which no amount limit lets pass. */
      readonly spend: (facts: Facts) => SpendAmount | 'unknown' | undefined;
      /** What the amount is if the call itself moves no money: what a customer is billed, or a price. */
      readonly amountIs?: 'bill' | 'price';
    }
  | { readonly spend?: never; readonly amountIs?: never };

/** When a person must approve, and what that person reads besides the model's own values, which the engine shows. */
export interface ApprovalPolicy {
  readonly needed: (facts: Facts) => boolean;
  readonly title: (facts: Facts) => string;
  /** One fact a line. Everything that Purser did not word is `quoted`. */
  readonly text: (facts: Facts) => readonly string[];
  /** What a person approved before, and the fields that may shrink without a new approval. */
  readonly within?: {
    readonly approved: (facts: Facts) => AuthoredFields | undefined;
    readonly narrower: Readonly<Record<string, Ordering>>;
  };
  /** The current value of what an argument would change, as the approval text shows it. */
  readonly before?: (facts: Facts, argument: string) => string | undefined;
}

/** What the ledger stores after an answer. */
export interface ToolObservations<N extends OperationName> {
  /** The kind of thing whose machine the operation moves, and that machine's view of it. */
  readonly moves?: {
    readonly kind: Kind;
    readonly entity: (things: Things, now: number, answer: AnswerOf<N> | undefined, args: Facts['args']) => Entity;
  };
  /** The kind of thing whose state an answer shows, and its machine. `next` then holds what that machine allows. */
  readonly looksAt?: {
    readonly kind: Kind;
    readonly machine: On['machine'];
    readonly entity: (things: Things, now: number, answer: undefined, args: Facts['args']) => Entity;
  };
  /** The state in a response; by default the state that the machine's move leads to. */
  readonly stateFromResponse?: (answer: AnswerOf<N>, args: Facts['args']) => string;
  /** Upserts: each body is merged into what is stored. */
  readonly observations: (
    facts: Facts,
    answer: AnswerOf<N>,
    use: ObservationContext,
  ) => readonly Observation[] | Promise<readonly Observation[]>;
  /** The trigger that somebody else must have pulled if the platform refuses the call because of the thing's state. */
  readonly afterRefusal?: (facts: Facts) => { readonly trigger: string; readonly said: string } | undefined;
}

/** Next actions that a machine can't know, and why. A tool that the machine forbids is left out all the same. */
export type NextActions = { readonly because: string } & (
  | { readonly tools: readonly string[] }
  | {
      /** What the machine allows follows. */
      readonly first: readonly string[];
    }
);

/** What the agent reads. */
export interface Presentation<N extends OperationName> {
  /** The sentence after success, by the state reached; `done` for any other. */
  readonly messages: Readonly<Record<string, string>>;
  /** The next actions by the state reached, where they differ from what the machine allows in its own order. */
  readonly next?: Readonly<Record<string, NextActions>>;
  /** The fields that the agent sees, and who may have written each (`shown.ts`). */
  readonly outputSchema: z.ZodObject;
  readonly toOutput: (
    things: Facts['things'],
    facts: Facts,
    answer: AnswerOf<N>,
  ) => { readonly [field: string]: unknown };
}

/** What happens after a lost answer, and after an answer that ends nothing. */
export interface Reconciliation<N extends OperationName> {
  /** Reads the outcome from the platform, for an operation whose recovery is `readBack`. */
  readonly readBack?: ReadBack<AnswerOf<N>['body']>;
  /** What to store if a person confirms that the call took effect: from the stored thing, the body sent, and the model's fields. */
  readonly confirmed?: (
    known: JsonObject,
    sent: unknown,
    authored: AuthoredFields,
  ) => { readonly [field: string]: unknown };
  /** States after which the same call is made again: its reference is not used up. */
  readonly retryableStates?: readonly string[];
  /** States in which no money moved or ever will: the reserved amount returns to the budget. */
  readonly noChargeStates?: readonly string[];
}

/** What every tool has. */
interface Named {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: z.ZodObject;
  readonly outputSchema: z.ZodObject;
}

/** A platform tool, with its name, schemas and operation worked out. */
export interface PlatformTool extends Named, ToolSpec<OperationName> {
  readonly kind: 'platform';
  readonly operation: OperationName;
  /** The operation itself, as its contract states it. */
  readonly definition: Operation;
  readonly description: string;
  readonly policy: ToolPolicy;
  readonly reconcile: Reconciliation<OperationName>;
}

/** A tool that answers from the ledger. It sends nothing. */
export interface LocalTool extends Named {
  readonly kind: 'local';
  readonly title: string;
  /** The call that it decides without making it, on refreshed data. */
  readonly previews?: (args: Facts['args']) => { readonly tool: string; readonly arguments: unknown };
  readonly run: LocalCall;
}

export type Tool = PlatformTool | LocalTool;

/** `cancelPurchase` → `cancel_purchase`. */
export const toolName = (operation: string): string =>
  operation.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Makes the tool of one operation. */
export const platformTool = <N extends OperationName>(operation: N, spec: ToolSpec<N>): PlatformTool =>
  // The engine pairs every tool with the facts and answers of its own operation, so the narrower functions are safe.
  toolOf(operation, contract[operation], spec as unknown as ToolSpec<OperationName>);

/** Makes the tool of an operation that need not be one of the contract. */
export function toolOf(operation: string, definition: Operation, spec: ToolSpec<OperationName>): PlatformTool {
  const { names = [], exactly = false } = spec.input.oneOf ?? {};
  const inputSchema = z
    .strictObject(Object.fromEntries(Object.entries(spec.input.args).map(([name, arg]) => [name, arg.schema])))
    .superRefine((args, { addIssue }) => {
      const given = names.filter((name) => args[name] !== undefined);
      if (given.length > 1 || (exactly && given.length === 0))
        addIssue({ code: 'custom', path: [given[1] ?? names[0] ?? ''], message: `give one of ${names.join(', ')}` });
    });
  return {
    ...spec,
    policy: spec.policy ?? { lockKey: () => '' },
    reconcile: spec.reconcile ?? {},
    kind: 'platform',
    name: toolName(operation),
    operation: operation as OperationName, // a name alone: what is known of the operation comes from its definition
    definition,
    inputSchema,
    outputSchema: spec.present.outputSchema,
  };
}

/** The tools of a domain. An operation without a tool doesn't compile. */
export const platformTools = <N extends OperationName>(
  specs: { readonly [K in N]: ToolSpec<K> },
): readonly PlatformTool[] => (Object.keys(specs) as N[]).map((name) => platformTool(name, specs[name]));

/** The declared properties of a shape, read-only. */
type Plain<T> = T extends readonly (infer Item)[]
  ? readonly Plain<Item>[]
  : T extends object
    ? { readonly [K in keyof T as string extends K ? never : K]: Plain<T[K]> }
    : T;

/** Makes a tool that answers from the ledger. */
export function localTool<I extends z.ZodObject, S extends z.ZodObject>(
  name: string,
  spec: {
    title: string;
    description: string;
    inputSchema: I;
    outputSchema: S;
    previews?: (args: z.output<I>) => ReturnType<NonNullable<LocalTool['previews']>>;
    run: LocalCall<z.output<I>, Plain<z.output<S>>>;
  },
): LocalTool {
  return { ...spec, kind: 'local', name } as unknown as LocalTool; // the engine parses with `inputSchema` first
}

/** The operation of a tool. */
export const operationOf = (tool: PlatformTool): Operation => tool.definition;
