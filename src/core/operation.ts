import type { z } from 'zod';
import type { ErrorFormat } from './error-format.ts';
import { type Leaf, leaves } from './fields.ts';
import { type FileType, fileSpecOf } from './file-answer.ts';
import { limits } from './limits.ts';
import type { On } from './machine.ts';
import { once } from './once.ts';
import type { RuleId } from './rules.ts';

/** The effect of a call. Annotations, default approval and replay follow from it. */
export type Effect = 'read' | 'write' | 'money';

/**
 * What is safe after an unknown outcome. `repeat`: send the same request again. `readBack`: ask the platform. `park`:
 * neither, so a person must find out. `never`: like `park`, and other people see the effect.
 */
export type Recovery = 'repeat' | 'readBack' | 'park' | 'never';

/**
 * Who may make a call. `agent`: the language model, through a tool. `app`: the merchant's systems. `customer`: the shopper, on
 * one of Purser's pages. `operator`: whoever runs Purser.
 */
export type CallerRole = 'agent' | 'app' | 'customer' | 'operator';

/** The transport of a call: HTTP to the platform, or the SDK of a card reader. */
export type TransportName = 'http' | 'reader';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The names in braces of a path. */
export type PathName<C extends string> = C extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathName<Rest>
  : never;

/** The part of a response that goes into the vault, where the merchant's payment system redeems it once. */
export interface Sealing {
  /** Seconds until the vault deletes it. */
  readonly lifetimeSeconds: number;
  /**
   * Splits a response body into a visible part and a secret. Undefined if it has neither. `unreadable`: where it can't be read, or
   * is the answer to another request than this one.
   */
  readonly open: (
    body: unknown,
    sent?: SentFor,
  ) => Promise<OpenedSecret | { readonly unreadable: readonly string[] } | undefined>;
}

/** The request that a secret was asked for with. */
export interface SentFor {
  readonly names: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface OpenedSecret {
  readonly shown: { readonly [field: string]: string };
  readonly secret: { readonly [field: string]: unknown };
}

/**
 * What is declared of an operation. Its schemas are functions, and each is made at its first use: a process makes few calls, and
 * most of what a start would compute are schemas.
 */
export interface OperationSpec<C extends string, B extends z.ZodType, Q extends z.ZodType, O extends Answers> {
  /** Method and path as documented, or `SDK` and the name of a call of the reader's SDK. */
  readonly call: C;
  /** Equivalent methods and paths, which the sandbox also serves. */
  readonly also?: readonly string[];
  readonly title: string;
  readonly about: string;
  readonly effect: Effect;
  readonly recovery: Recovery;
  /** Who may call it; by default the agent. */
  readonly callers?: readonly CallerRole[];
  /** It may send a customer an e-mail or a one-time code even if no money moves. A message can't be undone. */
  readonly messagesCustomer?: true;
  /** It shows people something that nobody asked them about, such as a screen on the reader at the counter, although it changes nothing. */
  readonly showsPeople?: true;
  /** Its request has the headers `Authorization` and `keyId`, however it is signed. */
  readonly namesKey?: true;
  /** The rule about its required fields. */
  readonly shape: RuleId;
  readonly body?: () => B;
  readonly query?: () => Q;
  /** Response bodies by status, or `success` for an SDK call. */
  readonly output: () => O;
  /** Statuses that say the same as the one of its output. */
  readonly successes?: readonly number[];
  /** The body of its 400, 404 and 409 responses. */
  readonly error: ErrorFormat;
  /** The secret part of its responses. */
  readonly sealing?: Sealing;
  /** The rule that an invalid amount breaks; by default the one about its required fields. */
  readonly amountRule?: RuleId;
  /** The machine trigger of a successful call. */
  readonly moves?: On;
  /** Path names chosen by the merchant, such as an invoice number. They are percent-encoded. */
  readonly worded?: readonly PathName<C>[];
  /** The facts that fill the path names. */
  readonly path?: { readonly [N in PathName<C>]: string };
  /** What it asks for, and the members of its answer that may name it. An answer about something else doesn't count (EN-08). */
  readonly asksFor?: AskedFor;
}

export interface AskedFor {
  /** A name of the path, or a member of an SDK call's input. */
  readonly by: string;
  readonly namedAs: readonly string[];
}

/** Where an answer names something else than was asked for; undefined if it names that, or may have left it out. */
export function namesAnother(
  { asksFor }: Pick<Operation, 'asksFor'>,
  input: unknown,
  answer: unknown,
): string | undefined {
  if (asksFor === undefined) return undefined;
  const members = membersOf(answer);
  const named = asksFor.namedAs.map((name) => members[name]);
  return named.includes(undefined) || named.includes(membersOf(input)[asksFor.by]) ? undefined : asksFor.namedAs[0];
}

const membersOf = (value: unknown): { readonly [name: string]: unknown } =>
  typeof value === 'object' && value !== null ? { ...value } : {};

export type Answers = { readonly [status: number]: z.ZodType; readonly success?: z.ZodType };
export type Status = number | 'success';

export interface Operation<
  C extends string = string,
  B extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  O extends Answers = Answers,
> extends Omit<OperationSpec<C, B, Q, O>, 'body' | 'query' | 'output'> {
  readonly body?: B | undefined;
  readonly query?: Q | undefined;
  readonly output: O;
  readonly transport: TransportName;
  readonly callers: readonly CallerRole[];
  /** Whether its body can contain a secret. */
  readonly takesSecrets: boolean;
  /** Whether it can respond with a file, which is stored as it arrives. `asked`: only where the request asks for one. */
  readonly streams: boolean | 'asked';
  readonly method: Method | 'SDK';
  /** The path with its names in braces, or the name of the SDK call. */
  readonly template: string;
}

/** Whether a request's response is a file. */
export const isStreamed = ({ streams }: Pick<Operation, 'streams'>, accept: FileType | undefined): boolean =>
  streams === true || (streams === 'asked' && accept !== undefined);

/** The input of a client method: path names, body and query if there are any, and the type of file where one can be asked for. */
export type Input<Op> =
  Op extends Operation<infer C, infer B, infer Q, Answers>
    ? { readonly [N in PathName<C>]: string } & (z.ZodType extends B ? unknown : { readonly body: z.input<B> }) &
        (z.ZodType extends Q ? unknown : { readonly query: z.input<Q> }) & { readonly accept?: FileType | undefined }
    : never;

/** The result of a client method: the status with its body. */
export type Output<Op> =
  Op extends Operation<string, z.ZodType, z.ZodType, infer O>
    ? { [S in keyof O & Status]: { readonly status: S; readonly body: z.output<NonNullable<O[S]>> } }[keyof O & Status]
    : never;

/** The answers of an operation of which the document says that any 200-level status is a success: all that have a body. */
export const anySuccess = <S extends z.ZodType>(body: S) => ({ 200: body, 201: body, 202: body, 203: body });

/** Declares an operation of the platform. Its schemas throw at their first use if its parts contradict each other. */
export function operation<
  const C extends string,
  const O extends Answers,
  B extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
>(spec: OperationSpec<C, B, Q, O>): Operation<C, B, Q, O> {
  const [method, template] = parseCall(spec.call);
  const { callers = ['agent'], body, query, output, ...said } = spec;
  const sent = once(() => {
    const schemas = { body: body?.(), query: query?.() };
    return { ...schemas, takesSecrets: demandSafeSecrets({ ...said, ...schemas }, callers).length > 0 };
  });
  const answers = once(output);
  return {
    ...{ ...said, method, template, callers, transport: method === 'SDK' ? 'reader' : 'http' },
    get body() {
      return sent().body;
    },
    get query() {
      return sent().query;
    },
    get takesSecrets() {
      return sent().takesSecrets;
    },
    get output() {
      return answers();
    },
    get streams() {
      const files = Object.values(answers()).flatMap((schema) => fileSpecOf(schema) ?? []);
      return files.some(({ json }) => json !== undefined) ? 'asked' : files.length > 0;
    },
  };
}

/**
 * Throws for a secret that a model would author, one in an address, where logs would record it, and an unstored one
 * that a repeat would need.
 */
function demandSafeSecrets(
  { call, recovery, body, query }: Pick<Operation, 'call' | 'recovery' | 'body' | 'query'>,
  callers: readonly CallerRole[],
): readonly Leaf[] {
  if (query !== undefined && leaves(query).some(({ field }) => field.secret))
    throw new Error(`"${call}" has a secret in its address`);
  const secrets = body === undefined ? [] : leaves(body).filter(({ field }) => field.secret);
  if (secrets.length > 0 && callers.includes('agent'))
    throw new Error(`"${call}" has a secret, so agents can't call it`);
  if (secrets.some(({ field }) => field.stored === false) && recovery === 'repeat')
    throw new Error(`"${call}" has a secret that is not stored, so it can't be repeated`);
  return secrets;
}

const methods: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] satisfies readonly Method[];

/** Splits a call into method and path template. Throws if it has another form. */
export function parseCall(call: string): readonly [method: Method | 'SDK', template: string] {
  const [method = '', template = '', ...more] = call.split(' ');
  if (method === 'SDK' && /^[a-z][A-Za-z]*$/.test(template) && more.length === 0) return [method, template];
  if (!methods.includes(method) || !template.startsWith('/') || more.length > 0)
    throw new Error(`"${call}" is not "METHOD /path" or "SDK call"`);
  return [method as Method, template];
}

const safeName = /^[A-Za-z0-9._~-]{1,128}$/;

/** A path with names to fill in. */
export interface PathTemplate {
  readonly template: string;
  readonly worded?: readonly string[] | undefined;
}

/**
 * Fills in the names of a path. Throws for a value that could change the route (a slash, a dot segment, an escape, a
 * query), which platform ids never contain. Names chosen by the merchant are percent-encoded instead.
 */
export function fillPath({ template, worded = [] }: PathTemplate, names: { readonly [name: string]: string }): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = Object.hasOwn(names, name) ? (names[name] ?? '') : '';
    const isName = worded.includes(name) ? isWorded(value) : safeName.test(value);
    if (!isName || /^\.+$/.test(value)) throw new Error(`The path name {${name}} of ${template} is not a valid id.`);
    return encodeURIComponent(value);
  });
}

/** Whether a merchant can choose such a name for what is called by it: a segment of dots alone leads elsewhere. */
export const isNaming = (value: string): boolean => isWorded(value) && !/^\.+$/.test(value);

/** A single line of well-formed text. */
const isWorded = (value: string): boolean =>
  value !== '' && value.length <= limits.textCharacters && value.isWellFormed() && !/[\p{Cc}\u2028\u2029]/u.test(value);
