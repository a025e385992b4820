import { z } from 'zod';
import type { JsonObject } from '../core/canonical-json.ts';
import type { PathOf } from '../core/fields.ts';
import type { Entity, On } from '../core/machine.ts';
import { once } from '../core/once.ts';
import type { Effect, Operation, Output } from '../core/operation.ts';
import type { Doubled } from '../core/outcome.ts';
import type { RuleId } from '../core/rules.ts';
import type { Facts, Kind, Things } from '../domains/facts.ts';
import type { Contract, OperationName } from '../domains/index.ts';
import { contract } from '../domains/index.ts';
import type { CustomerPage, WaitingStep } from './customer-page.ts';
import type { LocalCall, Plain } from './local-tool.ts';
import type { ObservationContext } from './observation-context.ts';
import type { Polling } from './polling.ts';
import type { Request } from './request.ts';
import { demandWholeSecrets } from './secret-fills.ts';
import type { Finding, SentRequest } from './sent-request.ts';
import type { AuthoredFields, ToolPolicy } from './tool-policy.ts';
import { waitingShown } from './waiting-shown.ts';

/** An argument of a tool: its schema, and the request fields it fills. */
export interface Arg<P extends string = string> {
  readonly schema: z.ZodType;
  /** The contract paths it fills, and how each value is computed from the argument. */
  readonly fills: readonly { readonly path: P; readonly value: (given: unknown) => unknown }[];
  /** The kind of thing it names, for a handle. */
  readonly kind?: Kind;
  /** A thing that this value may name. An unknown one is not an error. */
  readonly mayMatch?: { readonly kind: Kind; readonly handle: (given: string) => string };
  /** The rule that a wrong value breaks, if the contract names none. */
  readonly rule?: string | undefined;
  /** The approval text of its tool tells what is sent for it, so it has no line of its own. */
  readonly isToldByTool?: true;
  /** Its label in approval text; by default the argument's name. */
  readonly label?: string;
  /** Its approval text, if people can't read the sent values. Different values must have different texts. */
  readonly approvalText?: (given: unknown, sent: readonly unknown[]) => string;
}

type BodyOf<N extends OperationName> = NonNullable<Contract[N]['body']>;
type QueryOf<N extends OperationName> = NonNullable<Contract[N]['query']>;

/** A path that an argument can fill: of the body, of the query with a leading `?`, or the type of the response. */
export type FillOf<N extends OperationName> = PathOf<BodyOf<N>> | `?${PathOf<QueryOf<N>>}` | '@accept';
type AnswerOf<N extends OperationName> = Output<Contract[N]>;

/** A thing to upsert: the one with this handle, known or new; without a handle, the call's thing of this kind. */
export interface Observation {
  readonly kind: Kind;
  /** By default the handle of the call's thing, or a new one. */
  readonly handle?: string;
  /** The owner of a new thing; by default the shopper of the call. */
  readonly owner?: string | undefined;
  /** Ignored if the thing is unknown. */
  readonly ifKnown?: true;
  /** Merged into the stored body; an undefined property is removed. */
  readonly body: { readonly [field: string]: unknown };
  /** Required for a kind without a machine. */
  readonly state?: string;
}

/** How to read back a lost outcome after the quiet period. */
export interface ReadBack<B> {
  /** The read operation that is called. */
  readonly asks: OperationName;
  /** That operation's declaration. */
  readonly definition: Operation;
  readonly with: (sent: SentRequest) => Omit<Request, 'body'> & { readonly body?: unknown };
  /** Notes stored with the request, because they can't be computed later. */
  readonly notes?: (facts: Facts) => JsonObject;
  /** Determines the outcome from the response, which is undefined if the platform has no such thing. */
  readonly finds: (answer: unknown, sent: SentRequest) => Finding<B>;
  /** The response is about the connected reader, so it proves nothing of a call that was sent to another one. */
  readonly isOfReader?: true;
}

/** A read-back whose response is typed by its operation. */
export const readBack = <Q extends OperationName, B>(
  asks: Q,
  how: Pick<ReadBack<B>, 'with' | 'notes' | 'isOfReader'> & {
    readonly finds: (answer: AnswerOf<Q>['body'] | undefined, sent: SentRequest) => Finding<B>;
  },
): ReadBack<B> => ({ asks, definition: contract[asks], ...how }) as ReadBack<B>; // the engine passes the response of that operation

/** A tool of a platform operation. Each part is read by the engine's step of that name. */
export interface ToolSpec<N extends OperationName> {
  /** When to use the tool, when not to, and what can't be undone. */
  readonly description: string;
  /** The tool that describes the arguments that both have, and the description of this one where that one isn't listed. */
  readonly sharesArguments?: { readonly tool: string; readonly otherwise: string };
  readonly input: ToolInput<N>;
  /** What to read from the platform before deciding. */
  readonly refresh?: readonly Refresh[];
  /** Absent for a tool that only reads. */
  readonly policy?: ToolPolicy;
  readonly observe: ToolObservations<N>;
  readonly present: Presentation<N>;
  readonly reconcile?: Reconciliation<N>;
  readonly polling?: Polling;
  /** The step that somebody else must take next. */
  readonly waits?: WaitingStep;
  /** The page of a call that a customer makes. */
  readonly page?: CustomerPage;
}

/** The agent's arguments, and how they become a request. */
export interface ToolInput<N extends OperationName> {
  readonly args: () => Readonly<Record<string, Arg<FillOf<N>>>>;
  /** Arguments that exclude each other; with `exactly`, one of them is required. */
  readonly oneOf?: { readonly names: readonly string[]; readonly exactly?: true };
  /** The merchant's reference. A second call with the same reference is a replay or a conflict. */
  readonly reference?: (facts: Facts) => string;
  /** What a conflict says, where the reference is not a number of the merchant's. */
  readonly conflict?: string;
  /** The handle of an operation that waits for an approval, where the call is about one. */
  readonly proposal?: (facts: Pick<Facts, 'args' | 'things'>) => string | undefined;
  /** The caller's newest thing of this kind with the argument's value as search key, if no argument names it. */
  readonly goesOnWith?: { readonly kind: Kind; readonly argument: string };
  /** More things that its answer is about, found through the things that the arguments name. */
  readonly tellsOf?: (things: Things) => readonly { readonly kind: Kind; readonly handle: string }[];
  /**
   * Values that no argument gives, by contract path: those that a full replacement must repeat, or that the platform
   * would otherwise choose. Arguments take precedence.
   */
  readonly carryOver?: (facts: Facts) => Readonly<Record<string, unknown>>;
  /** The values of the contract's `computed` fields, by contract path. */
  readonly computes?: (facts: Facts) => Readonly<Record<string, unknown>>;
  /** Answers from the ledger if the platform can't filter by an argument. Nothing is sent. */
  readonly localSearch?: { readonly when: (args: Facts['args']) => boolean; readonly run: LocalCall };
}

/**
 * A read of data that others can change. If the platform doesn't respond, the last known state counts, but no money
 * moves on it. `args` gets the time in milliseconds, and returns undefined if there is nothing to read.
 */
export interface Refresh {
  readonly tool: PlatformTool;
  readonly args: (given: Facts['args'], now: number) => object | undefined;
  /** The platform may have no such thing, which is known then, too. */
  readonly mayBeMissing?: true;
}

/** What the ledger stores after a response. */
export interface ToolObservations<N extends OperationName> {
  /** The kind of thing whose machine the operation moves, and its entity for that machine. */
  readonly moves?: {
    readonly kind: Kind;
    readonly entity: (things: Things, now: number, answer: AnswerOf<N> | undefined, args: Facts['args']) => Entity;
  };
  /** The kind of thing whose state a response shows, and its machine, which determines `next`. */
  readonly looksAt?: {
    readonly kind: Kind;
    readonly machine: On['machine'];
    readonly entity: (things: Things, now: number, answer: undefined, args: Facts['args']) => Entity;
  };
  /** The state in a response; by default the next state of the machine. */
  readonly stateFromResponse?: (
    answer: AnswerOf<N>,
    args: Facts['args'],
    things: Things,
    now: number,
    ownCall: Facts['ownCall'],
  ) => string;
  /** Upserts: each body is merged into what is stored. */
  readonly observations: (
    facts: Facts,
    answer: AnswerOf<N>,
    use: ObservationContext,
  ) => readonly Observation[] | Promise<readonly Observation[]>;
  /**
   * The path of what in a response contradicts the request: then it is no proof of what was done (EN-08). When a call is read back,
   * `facts` are those of today, and `sent` has what was noted with the request.
   */
  readonly contradicts?: (facts: Facts, answer: AnswerOf<N>, sent: SentRequest) => string | undefined;
  /** The platform's yes is the customer's approval of what the call is about (`input.proposal`). */
  readonly approves?: true;
  /** Whether what the answer has of secrets is kept; otherwise nobody ever gets them. */
  readonly keepsSecrets?: (facts: Facts) => boolean;
  /** The trigger that somebody else must have caused if the platform refuses the call because of the thing's state. */
  readonly afterRefusal?: (facts: Facts) => { readonly trigger: string; readonly said: string } | undefined;
}

/** Next actions that a machine can't know, and why. Tools that the machine forbids are left out. */
export type NextActions = { readonly because: string } & (
  | { readonly tools: readonly string[] }
  | {
      /** Followed by what the machine allows. */
      readonly first: readonly string[];
    }
);

/** What the agent reads. */
export interface Presentation<N extends OperationName> {
  /** The sentence after success, by state reached; `done` is the default. */
  readonly messages: Readonly<Record<string, string>>;
  /** A list: the response without rows, for which the platform's 404 stands. A call that names a thing has none. */
  readonly empty?: AnswerOf<N>['body'];
  /** The next actions by state reached, if they differ from the machine's order. */
  readonly next?: Readonly<Record<string, NextActions>>;
  /** How things go on where the platform refuses a read, or doesn't answer it. */
  readonly without?: { readonly because: string; readonly tools: readonly string[] };
  /** The fields that the agent sees, and who may have written each (`shown.ts`). */
  readonly outputSchema: () => z.ZodObject;
  /** What it sees of the things alone: a call that is repeated tells what of that is otherwise since. */
  readonly shows?: (things: Facts['things']) => Shown;
  /** What it sees, where that is more than `shows`. */
  readonly toOutput?: (things: Facts['things'], facts: Facts, answer: AnswerOf<N>) => Shown;
}

type Shown = { readonly [field: string]: unknown };

/** What happens after a lost response, and after one that isn't final. */
export interface Reconciliation<N extends OperationName> {
  /** The rule by which nothing else is sent while an outcome is unknown; by default EN-06. */
  readonly lostRule?: RuleId;
  /** Reads the outcome back, for an operation whose recovery is `readBack`. */
  readonly readBack?: ReadBack<AnswerOf<N>['body']>;
  /**
   * What to store of the call's things if a person confirms that it took effect, from the facts of today, the request as it was
   * sent, and the model's fields: what an answer would have told. The state of the thing that it moves follows from its machine.
   */
  readonly confirmed?: (facts: Facts, sent: SentRequest, authored: AuthoredFields) => readonly Observation[];
  readonly doubled?: Doubled;
  /** States after which the same call can be made again: its reference is released. */
  readonly retryableStates?: readonly string[];
  /** States in which nobody knows yet whether it takes effect: only a person allows a call that nearly repeats it. */
  readonly openStates?: readonly string[];
  /** States that leave open whether money moves: until a look tells, the amount stays reserved. By default `openStates`. What is held counts as spent. */
  readonly reservedStates?: readonly string[];
  /** States in which no money has moved or will move: the reserved amount is released. */
  readonly noChargeStates?: readonly string[];
}

type Args = ReturnType<ToolInput<OperationName>['args']>;

/** Common to all tools. */
interface Named {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: z.ZodObject;
  readonly outputSchema: z.ZodObject;
}

/** A platform tool, with its derived name, schemas and operation. */
export interface PlatformTool extends Named, Omit<ToolSpec<OperationName>, 'input'> {
  readonly kind: 'platform';
  readonly present: Presentation<OperationName> & Required<Pick<Presentation<OperationName>, 'toOutput'>>;
  readonly input: Omit<ToolInput<OperationName>, 'args'> & { readonly args: Args };
  readonly operation: OperationName;
  /** The operation's declaration in the contract. */
  readonly definition: Operation;
  readonly policy: ToolPolicy;
  readonly reconcile: Reconciliation<OperationName>;
}

/** A tool that answers from the ledger and sends nothing. One that writes changes only what Purser recorded. */
export interface LocalTool extends Named {
  readonly kind: 'local';
  readonly effect: Exclude<Effect, 'money'>;
  readonly title: string;
  /** For an argument that is a handle: the tools that find it, which a refusal of the argument names. */
  readonly foundBy?: { readonly [argument: string]: readonly string[] };
  /** The call that it previews on refreshed data. */
  readonly previews?: (args: Facts['args']) => { readonly tool: string; readonly arguments: unknown };
  readonly run: LocalCall;
}

export type Tool = PlatformTool | LocalTool;

/** `cancelPurchase` → `cancel_purchase`. */
export const toolName = (operation: string): string =>
  operation.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Creates the tool of an operation in the contract. */
export const platformTool = <N extends OperationName>(operation: N, spec: ToolSpec<N>): PlatformTool =>
  // A cast: the engine pairs every tool with the facts and responses of its own operation.
  toolOf(operation, contract[operation], spec as unknown as ToolSpec<OperationName>);

/** Creates the tool of any operation. Its schemas are made at their first use, as those of its operation. */
export function toolOf(operation: string, definition: Operation, spec: ToolSpec<OperationName>): PlatformTool {
  if (spec.policy?.attempts !== undefined && definition.recovery === 'repeat')
    throw new Error(`${operation} counts its attempts, so it can't be repeated`);
  const args = once(spec.input.args);
  const input = once(() => inputSchemaOf(operation, definition, args(), spec.input.oneOf));
  const output = once(() => outputSchemaOf(spec));
  return {
    ...spec,
    input: {
      ...spec.input,
      get args() {
        return args();
      },
    },
    present: { ...spec.present, toOutput: spec.present.toOutput ?? spec.present.shows ?? (() => ({})) },
    policy: spec.policy ?? { lockKey: () => '' },
    reconcile: spec.reconcile ?? {},
    kind: 'platform',
    name: toolName(operation),
    operation: operation as OperationName, // only a name: everything else comes from its definition
    definition,
    get inputSchema() {
      return input();
    },
    get outputSchema() {
      return output();
    },
  };
}

function inputSchemaOf(
  operation: string,
  definition: Operation,
  given: Args,
  oneOf: ToolInput<OperationName>['oneOf'],
): z.ZodObject {
  demandWholeSecrets(operation, definition, given);
  const { names = [], exactly = false } = oneOf ?? {};
  return z
    .strictObject(Object.fromEntries(Object.entries(given).map(([name, arg]) => [name, arg.schema])))
    .superRefine((args, { addIssue }) => {
      const given = names.filter((name) => args[name] !== undefined);
      const [first = names[0] ?? '', second] = given;
      const give = `: give one of ${names.join(', ')}`;
      if (second !== undefined)
        addIssue({ code: 'custom', path: [second], message: `may not go with ${first}${give}` });
      else if (exactly && given.length === 0) addIssue({ code: 'custom', path: [first], message: `is missing${give}` });
    });
}

const outputSchemaOf = ({ waits, present }: ToolSpec<OperationName>): z.ZodObject =>
  waits === undefined
    ? present.outputSchema()
    : present.outputSchema().extend({ waiting_for: waitingShown.optional() });

/** The tools of a domain. An operation without a tool doesn't compile. */
export const platformTools = <N extends OperationName>(
  specs: { readonly [K in N]: ToolSpec<K> },
): readonly PlatformTool[] => (Object.keys(specs) as N[]).map((name) => platformTool(name, specs[name]));

/** Creates a tool that answers from the ledger. */
export function localTool<I extends z.ZodObject, S extends z.ZodObject>(
  name: string,
  spec: {
    title: string;
    description: string;
    effect?: LocalTool['effect'];
    inputSchema: () => I;
    outputSchema: () => S;
    foundBy?: { readonly [argument in keyof z.output<I>]?: readonly string[] };
    previews?: (args: z.output<I>) => ReturnType<NonNullable<LocalTool['previews']>>;
    run: LocalCall<z.output<I>, Plain<z.output<S>>>;
  },
): LocalTool {
  const [input, output] = [once(spec.inputSchema), once(spec.outputSchema)];
  const tool = {
    ...{ effect: 'read', ...spec, kind: 'local', name },
    get inputSchema() {
      return input();
    },
    get outputSchema() {
      return output();
    },
  };
  return tool as unknown as LocalTool; // the engine parses with `inputSchema` first
}

/** The tool of an operation; undefined if this build has none. */
export const toolOfOperation = (tools: readonly Tool[], operation: string): PlatformTool | undefined =>
  tools.find((it): it is PlatformTool => it.kind === 'platform' && it.operation === operation);

/** The operation of a tool. */
export const operationOf = (tool: PlatformTool): Operation => tool.definition;

/** What a call of a tool does: it reads, writes, or moves money. */
export const effectOf = (tool: Tool): Effect => (tool.kind === 'local' ? tool.effect : operationOf(tool).effect);

/** Whether a call changes nothing, here or at the platform; `isReadOnly`: and shows people nothing, so a host may make it unasked. */
export const isRead = (tool: Tool): boolean => effectOf(tool) === 'read';
export const isReadOnly = (tool: Tool): boolean =>
  isRead(tool) && (tool.kind === 'local' || operationOf(tool).showsPeople !== true);
