import { z } from 'zod';
import type { JsonObject } from '../core/canonical-json.ts';
import { amount, currency, fieldOf, type PathOf, schemaAt, text } from '../core/fields.ts';
import type { Entity, On } from '../core/machine.ts';
import type { Operation, Output } from '../core/operation.ts';
import type { Facts, Kind, Things } from '../domains/facts.ts';
import type { Contract, OperationName } from '../domains/index.ts';
import { contract } from '../domains/index.ts';
import type { LocalCall } from './local-tool.ts';
import type { Request } from './request.ts';

/** An argument of a tool: what the model sees, and where its value goes in the request. */
export interface Arg<P extends string = string> {
  readonly schema: z.ZodType;
  /** The contract path it fills, with how its value is read from the argument. */
  readonly fills: readonly { readonly path: P; readonly value: (given: unknown) => unknown }[];
  /** The kind of thing it names, for a handle. */
  readonly kind?: Kind;
  /** The thing that may stand under this value already: looked at where it is known, and no fault where it is not. */
  readonly meets?: { readonly kind: Kind; readonly handle: (given: string) => string };
  /** The rule that a wrong value breaks, where the contract names one. */
  readonly rule?: string | undefined;
  /** What an approval calls it; by default the argument's name. */
  readonly label?: string;
  /** How an approval says it, where the values as they are sent can't be read by a person. It differs for every value. */
  readonly reads?: (given: unknown, sent: readonly unknown[]) => string;
}

/** Values that the model authored, by contract path. */
export type AuthoredFields = Readonly<Record<string, unknown>>;

/** Whether a value allows no more than the approved one. Undefined is a field that the request leaves out. */
export type Ordering = (now: unknown, approved: unknown, fields: AuthoredFields) => boolean;

type BodyOf<N extends OperationName> = NonNullable<Contract[N]['body']>;
type QueryOf<N extends OperationName> = NonNullable<Contract[N]['query']>;

/** What an argument of a tool may fill: a path of the body, or one of the query after a question mark. */
export type FillOf<N extends OperationName> = PathOf<BodyOf<N>> | `?${PathOf<QueryOf<N>>}`;
type AnswerOf<N extends OperationName> = Output<Contract[N]>;

/**
 * A thing to be remembered after an answer: the one with a handle, known or new, or else the one of that kind that the call
 * was about.
 */
export interface Remembered {
  readonly kind: Kind;
  /** By default that of the thing the call was about; a new one is minted where there is none. */
  readonly handle?: string;
  /** Who it belongs to, for a new one; by default the shopper of the call. */
  readonly owner?: string | undefined;
  /** Nothing is remembered of a thing that is not known yet. */
  readonly ifKnown?: true;
  /** Merged into what was known; a member that is undefined is forgotten. */
  readonly body: { readonly [field: string]: unknown };
  /** Give one for a kind without a machine. */
  readonly state?: string;
}

/** A request that was sent and whose outcome nobody knows, as the ledger keeps it. */
export interface SentRequest extends Request {
  readonly body: JsonObject | undefined;
  /** The states that its thing was in, and was to reach. */
  readonly from: string;
  readonly reaches: string;
  readonly reference: string;
  /** What the tool had written down with it. */
  readonly noted?: JsonObject;
}

/**
 * What was found about a sent request: the answer that it would have had, that nothing came of it, or that it can't be told.
 * Only what can't charge anybody twice may be found to have come to nothing because it is not found.
 */
export type Finding<B> = { readonly happened: B } | 'nothing' | 'unclear';

/** How a lost answer is read back once the quiet period is over. */
export interface ReadBack<B> {
  /** What is asked. It is an operation that reads. */
  readonly asks: OperationName;
  readonly with: (sent: SentRequest) => Omit<Request, 'body'>;
  /** What is written down with the request, because it can't be told afterwards. */
  readonly notes?: (facts: Facts) => JsonObject;
  /** What the answer shows; undefined where the platform knows of no such thing. */
  readonly finds: (answer: unknown, sent: SentRequest) => Finding<B>;
}

/** Reads back by an operation whose answer is typed. */
export const readBack = <Q extends OperationName, B>(
  asks: Q,
  how: {
    readonly with: ReadBack<B>['with'];
    readonly notes?: (facts: Facts) => JsonObject;
    readonly finds: (answer: AnswerOf<Q>['body'] | undefined, sent: SentRequest) => Finding<B>;
  },
): ReadBack<B> => ({ asks, ...how }) as ReadBack<B>; // the engine gives it the answer of that operation

/** Money that a call would move. */
export interface Moved {
  /** Decimal text. */
  readonly amount: string;
  readonly currency: string;
  /** What of the amount an earlier call has counted already: decimal text, in the same currency. */
  readonly counted?: string | undefined;
  readonly payee: string;
  /** Handle of the card. */
  readonly instrument: string;
}

/** What `learns` may use. */
export interface Learning {
  /** The state that the moved thing has reached. */
  readonly state: string;
  /** A fresh handle. */
  readonly mint: (kind: Kind) => string;
  /** What the model authored in the request. */
  readonly authored: AuthoredFields;
  /** Whether the call was one that somebody has to approve, so that somebody has. */
  readonly approved: boolean;
  /** Puts a secret into the vault; what comes back says nothing about it. */
  readonly keep: (value: unknown, expiresAt: number) => Promise<string>;
}

/** How a platform operation becomes a tool: the arguments in, the answer out, and what is remembered. */
export interface ToolSpec<N extends OperationName> {
  /** When to use it, when not, what is irreversible. */
  readonly say: string;
  readonly args: Readonly<Record<string, Arg<FillOf<N>>>>;
  /** Arguments of which a call may give one alone; `exactly` where it must give one. */
  readonly oneOf?: { readonly names: readonly string[]; readonly exactly?: true };
  /** Answers a call from what Purser remembers, where the platform can't: it is then not asked. */
  readonly recalls?: { readonly when: (args: Facts['args']) => boolean; readonly run: LocalCall };
  /**
   * What is asked of the platform before a call is decided, for things that change without us: each tool with its arguments,
   * or undefined where it need not be asked. Where the platform gives no answer, what was known counts, but not to move money.
   */
  readonly asksFirst?: readonly {
    readonly tool: PlatformTool;
    readonly args: (given: Facts['args']) => object | undefined;
  }[];
  /** Whether it puts text of the agent's before people outside: that, too, a person looks at first (EN-14). */
  readonly speaks?: true;
  /**
   * What stands in the request though no argument says it, by contract path: what is known of a thing that is replaced as a
   * whole and stays as it is, or what the platform would otherwise choose. An argument wins.
   */
  readonly keeps?: (facts: Facts) => Readonly<Record<string, unknown>>;
  /** The state that an answer itself tells; by default the one that the machine's move leads to. */
  readonly tells?: (answer: AnswerOf<N>, args: Facts['args']) => string;
  /** The kind of thing that no second call may touch meanwhile. */
  readonly subject: (facts: Facts) => string;
  /** The thing whose terms the call takes over as they stand: no call that changes these is under way with it. */
  readonly restsOn?: (facts: Facts) => string;
  /** Whether it changes terms that others rest on. */
  readonly changesTerms?: true;
  /** The merchant's reference the call stands under; a call under a used reference is a replay or a conflict. */
  readonly reference?: (facts: Facts) => string;
  /** Whether a near-duplicate under another reference is pointed out although the call moves no money. */
  readonly warnsOfTwin?: true;
  /** The kind of thing whose machine the operation moves, and how that machine sees it. */
  readonly moves?: {
    readonly kind: Kind;
    readonly entity: (things: Things, now: number, answer: AnswerOf<N> | undefined, args: Facts['args']) => Entity;
  };
  /** The kind of thing whose state an answer shows, its machine, and how that sees it: only what it allows comes next. */
  readonly looksAt?: {
    readonly kind: Kind;
    readonly machine: On['machine'];
    readonly entity: (things: Things, now: number, answer: undefined, args: Facts['args']) => Entity;
  };
  /**
   * The amount of a call, to whom, and from what: what limits and mandates look at. Undefined for a call that changes no
   * amount; `unknown` where there is one that can't be computed, which no limit on amounts lets pass.
   */
  readonly outlay?: (facts: Facts) => Moved | 'unknown' | undefined;
  /** What that amount is, where no money moves by the call itself: what a customer is billed, or a price. */
  readonly amountIs?: 'bill' | 'price';
  /**
   * When a person must approve, and what that person reads besides the model's own values, which the engine shows: one fact a
   * line, with everything that Purser did not word `quoted`.
   */
  readonly approval?: {
    readonly needed: (facts: Facts) => boolean;
    readonly title: (facts: Facts) => string;
    readonly reads: (facts: Facts) => readonly string[];
    /** What a person approved before, and the fields that may become less without being asked about again. */
    readonly within?: {
      readonly approved: (facts: Facts) => AuthoredFields | undefined;
      readonly narrower: Readonly<Record<string, Ordering>>;
    };
    /** What an argument would change, as the text shows it. */
    readonly was?: (facts: Facts, argument: string) => string | undefined;
  };
  /**
   * The tools that let out what this call writes for customers, each of which asks a person who reads it; none where customers
   * see it at once, and then this call asks.
   */
  readonly letOutBy?: (facts: Facts) => readonly string[];
  /** What the answer teaches about the things of this call: each body is merged into what was known. */
  readonly learns: (
    facts: Facts,
    answer: AnswerOf<N>,
    use: Learning,
  ) => readonly Remembered[] | Promise<readonly Remembered[]>;
  /**
   * What is to be remembered of the thing a call was about where a person found that it took effect though its answer was
   * lost: from what was known of the thing, the body that was sent, and what the model authored in it.
   */
  readonly happened?: (
    known: JsonObject,
    sent: unknown,
    authored: AuthoredFields,
  ) => { readonly [field: string]: unknown };
  /** The trigger that somebody else must have pulled where the platform refuses a call for the state of its thing. */
  readonly refusedAfter?: (facts: Facts) => { readonly trigger: string; readonly said: string } | undefined;
  /** How a lost answer is read back, for an operation of that class. */
  readonly readsBack?: ReadBack<AnswerOf<N>['body']>;
  /** States after which the same call is to be made again: what ends in one of them has not used its reference up. */
  readonly again?: readonly string[];
  /** States in which nothing was moved nor ever will be: the budget has back what was counted. */
  readonly idle?: readonly string[];
  /** The sentence after success, by the state that was reached. */
  readonly said: Readonly<Record<string, string>>;
  /** The tools that come next, by the state that was reached, the usual one first; by default what the machine allows. */
  readonly leads?: Readonly<Record<string, readonly string[]>>;
  /** The fields that the agent sees, and who may have written each (`shown.ts`). */
  readonly shows: z.ZodObject;
  readonly show: (things: Facts['things'], facts: Facts, answer: AnswerOf<N>) => { readonly [field: string]: unknown };
}

/** A platform tool, with its name, shape and operation worked out. */
export interface PlatformTool extends ToolSpec<OperationName> {
  readonly kind: 'platform';
  readonly name: string;
  readonly operation: OperationName;
  /** The operation itself, as its contract states it. */
  readonly definition: Operation;
  readonly input: z.ZodObject;
}

/** A tool that Purser answers from its own memory; it sends nothing. */
export interface LocalTool {
  readonly kind: 'local';
  readonly name: string;
  readonly title: string;
  readonly say: string;
  readonly input: z.ZodObject;
  readonly shows: z.ZodObject;
  /** The call that it decides without making it. What that decision depends on is brought up to date first. */
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
  const { names = [], exactly = false } = spec.oneOf ?? {};
  const input = z
    .strictObject(Object.fromEntries(Object.entries(spec.args).map(([name, arg]) => [name, arg.schema])))
    .superRefine((args, { addIssue }) => {
      const given = names.filter((name) => args[name] !== undefined);
      if (given.length > 1 || (exactly && given.length === 0))
        addIssue({ code: 'custom', path: [given[1] ?? names[0] ?? ''], message: `give one of ${names.join(', ')}` });
    });
  return {
    ...spec,
    kind: 'platform',
    name: toolName(operation),
    operation: operation as OperationName, // a name alone: what is known of the operation comes from its definition
    definition,
    input,
  };
}

/** The tools of a domain: one for each of its operations, or it does not compile. */
export const platformTools = <N extends OperationName>(
  specs: { readonly [K in N]: ToolSpec<K> },
): readonly PlatformTool[] => (Object.keys(specs) as N[]).map((name) => platformTool(name, specs[name]));

/** The members that a shape names, as something that is only read. */
type Plain<T> = T extends readonly (infer Item)[]
  ? readonly Plain<Item>[]
  : T extends object
    ? { readonly [K in keyof T as string extends K ? never : K]: Plain<T[K]> }
    : T;

/** A tool that answers from Purser's own memory. */
export function localTool<I extends z.ZodObject, S extends z.ZodObject>(
  name: string,
  spec: {
    title: string;
    say: string;
    input: I;
    shows: S;
    previews?: (args: z.output<I>) => ReturnType<NonNullable<LocalTool['previews']>>;
    run: LocalCall<z.output<I>, Plain<z.output<S>>>;
  },
): LocalTool {
  return { ...spec, kind: 'local', name } as unknown as LocalTool; // the engine parses with `input` first
}

/** The operation behind a tool's words. */
export const operationOf = (tool: PlatformTool): Operation => tool.definition;

// Kinds of arguments.

/** A handle of a thing. */
export const handle = (kind: Kind, about: string): Arg<never> => ({
  schema: z.string().max(64).describe(about),
  fills: [],
  kind,
});

/** A field of the request, with the contract's own shape. */
export const field =
  <N extends OperationName>(operation: N) =>
  <P extends PathOf<BodyOf<N>>>(path: P, about: string): Arg<P> => ({
    schema: shapeOf(operation, 'body', path).describe(about),
    fills: [{ path, value: (given) => given }],
    rule: fieldOf(shapeOf(operation, 'body', path)).rule,
  });

/** A field of the query, with the contract's own shape. */
export const asked =
  <N extends OperationName>(operation: N) =>
  <P extends PathOf<QueryOf<N>>>(path: P, about: string): Arg<`?${P}`> => ({
    schema: shapeOf(operation, 'query', path).describe(about),
    fills: [{ path: `?${path}`, value: (given) => given }],
    rule: fieldOf(shapeOf(operation, 'query', path)).rule,
  });

/** An amount and its currency, as one argument. */
export const sum = <P extends string>(amountPath: P, currencyPath: P, about: string): Arg<P> => ({
  schema: z
    .strictObject({ amount: amount.describe('Such as "40.00".'), currency: currency.describe('Such as USD.') })
    .describe(about),
  fills: [
    { path: amountPath, value: (given) => member(given, 'amount') },
    { path: currencyPath, value: (given) => member(given, 'currency') },
  ],
});

/** A moment, ISO 8601 for the model, epoch seconds for the platform. */
export const moment = <P extends string>(path: P, about: string): Arg<P> => ({
  schema: z.iso.datetime({ offset: true }).describe(about),
  fills: [
    {
      path,
      value: (given) => (given === undefined ? undefined : String(Math.floor(Date.parse(String(given)) / 1000))),
    },
  ],
  reads: (_, [sent]) => new Date(Number(sent) * 1_000).toISOString(),
});

/** The same argument, under another name in approvals. */
export const called = <P extends string>(label: string, arg: Arg<P>): Arg<P> => ({ ...arg, label });

/** The merchant's order or invoice number. */
export const reference = (about: string): Arg<never> => ({
  schema: text
    .max(64)
    .regex(/^[\w.:/-]+$/, 'may hold letters, digits and . : / _ -')
    .describe(about),
  fills: [],
});

/** Text of a certain form that stands in the path or nowhere in the request. */
export const word = (form: RegExp, about: string): Arg<never> => ({
  schema: z.string().regex(form, 'has not the form of an id').describe(about),
  fills: [],
});

/** The same argument, but it may be left out. */
export const optional = <P extends string>(arg: Arg<P>): Arg<P> => ({ ...arg, schema: arg.schema.optional() });

const member = (given: unknown, name: string): unknown =>
  given === undefined ? undefined : (given as Readonly<Record<string, unknown>>)[name]; // checked by the tool's shape

function shapeOf(operation: OperationName, part: 'body' | 'query', path: string): z.ZodType {
  const whole = contract[operation][part];
  const shape = whole && schemaAt(whole, path);
  if (shape === undefined) throw new Error(`${operation} has no field ${path}`);
  return shape instanceof z.ZodOptional ? (shape.unwrap() as z.ZodType) : shape;
}
