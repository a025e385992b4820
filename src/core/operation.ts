import type { z } from 'zod';
import type { ErrorFormat } from './error-format.ts';
import { leaves } from './fields.ts';
import { isFile } from './file-answer.ts';
import { limits } from './limits.ts';
import type { On } from './machine.ts';
import type { RuleId } from './rules.ts';

/** What a call does to the world. Annotations, approval default and replay follow from it. */
export type Effect = 'read' | 'write' | 'money';

/**
 * What is safe after an unknown outcome. `repeat`: sending the same request again does no harm. `readBack`: ask the platform,
 * then decide. `park`: neither is possible, so a person finds out. `never`: as `park`, and other people see its effect.
 */
export type Recovery = 'repeat' | 'readBack' | 'park' | 'never';

/**
 * Who may make a call. `agent`: the language model, through a tool. `app`: the merchant's systems. `customer`: the shopper, on
 * one of Purser's pages. `operator`: whoever runs Purser.
 */
export type CallerRole = 'agent' | 'app' | 'customer' | 'operator';

/** What carries a call: HTTP to the platform, or the SDK of a card reader. */
export type TransportName = 'http' | 'reader';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The names in braces of a call. */
export type PathName<C extends string> = C extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathName<Rest>
  : never;

/** What of an answer goes into the vault, where the merchant's payment system redeems it once. */
export interface Sealing {
  /** Seconds until the vault deletes it. */
  readonly lifetimeSeconds: number;
  /** Splits an answer's body into what may be shown and the secret. Undefined where it has none of either. */
  readonly open: (body: unknown) => Promise<OpenedSecret | { readonly unreadable: readonly string[] } | undefined>;
}

export interface OpenedSecret {
  readonly shown: { readonly [field: string]: string };
  readonly secret: { readonly [field: string]: unknown };
}

export interface OperationSpec<C extends string, B extends z.ZodType, Q extends z.ZodType, O extends Answers> {
  /** Method and path as the documents print them, or `SDK` and the name of a call of the reader's SDK. */
  readonly call: C;
  /** Further methods and paths that mean the same; the sandbox serves them all. */
  readonly also?: readonly string[];
  readonly title: string;
  readonly about: string;
  readonly effect: Effect;
  readonly recovery: Recovery;
  /** Who may call it; the agent where nothing is said. */
  readonly callers?: readonly CallerRole[];
  /** It can e-mail a customer although no money moves. An e-mail can't be taken back. */
  readonly mails?: true;
  /** The rule that states which fields are required. */
  readonly shape: string;
  readonly body?: B;
  readonly query?: Q;
  /** Answer bodies by status, or that of `success` for a call of an SDK. */
  readonly output: O;
  /** The body of a 400, 404 or 409 of this operation. */
  readonly error: ErrorFormat;
  /** What of its answers is secret. */
  readonly sealing?: Sealing;
  /** The rule that an invalid amount breaks; by default the one about its required fields. */
  readonly amountRule?: RuleId;
  /** The trigger it pulls. */
  readonly moves?: On;
  /** Path names that the merchant chose, such as an invoice number: they are percent-encoded. */
  readonly worded?: readonly PathName<C>[];
  /** Where the path names come from among the facts of a call. */
  readonly path?: { readonly [N in PathName<C>]: string };
}

export type Answers = { readonly [status: number]: z.ZodType; readonly success?: z.ZodType };
export type Status = number | 'success';

export interface Operation<
  C extends string = string,
  B extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  O extends Answers = Answers,
> extends OperationSpec<C, B, Q, O> {
  readonly transport: TransportName;
  readonly callers: readonly CallerRole[];
  /** Whether it can answer with a file, which is stored while it arrives. */
  readonly streams: boolean;
  readonly method: Method | 'SDK';
  /** The path with its names in braces, or the name of the SDK's call. */
  readonly template: string;
}

/** What a client method takes: the path names, and body and query where there are any. */
export type Input<Op> =
  Op extends Operation<infer C, infer B, infer Q, Answers>
    ? { readonly [N in PathName<C>]: string } & (z.ZodType extends B ? unknown : { readonly body: z.input<B> }) &
        (z.ZodType extends Q ? unknown : { readonly query: z.input<Q> })
    : never;

/** What a client method answers: the status, and the body that belongs to it. */
export type Output<Op> =
  Op extends Operation<string, z.ZodType, z.ZodType, infer O>
    ? { [S in keyof O & Status]: { readonly status: S; readonly body: z.output<NonNullable<O[S]>> } }[keyof O & Status]
    : never;

/** One operation of the platform, written once. Throws where its parts contradict each other. */
export function operation<
  const C extends string,
  const O extends Answers,
  B extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
>(spec: OperationSpec<C, B, Q, O>): Operation<C, B, Q, O> {
  const [method, template] = parseCall(spec.call);
  const { callers = ['agent'] } = spec;
  demandSafeSecrets(spec, callers);
  const streams = Object.values(spec.output).some(isFile);
  return { ...spec, method, template, callers, streams, transport: method === 'SDK' ? 'reader' : 'http' };
}

/** Refuses a secret that a model would write, and one that a repeat would need although it isn't stored. */
function demandSafeSecrets(
  { call, recovery, body }: Pick<Operation, 'call' | 'recovery' | 'body'>,
  callers: readonly CallerRole[],
): void {
  const secrets = body === undefined ? [] : leaves(body).filter(({ field }) => field.secret);
  if (secrets.length > 0 && callers.includes('agent'))
    throw new Error(`"${call}" takes a secret, so no agent calls it`);
  if (secrets.some(({ field }) => field.stored === false) && recovery === 'repeat')
    throw new Error(`"${call}" takes a secret that is not stored, so it can't be repeated`);
}

const methods: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] satisfies readonly Method[];

/** Splits a call into method and path template. Throws for a call of any other form. */
export function parseCall(call: string): readonly [method: Method | 'SDK', template: string] {
  const [method = '', template = '', ...more] = call.split(' ');
  if (method === 'SDK' && /^[a-z][A-Za-z]*$/.test(template) && more.length === 0) return [method, template];
  if (!methods.includes(method) || !template.startsWith('/') || more.length > 0)
    throw new Error(`"${call}" is not "METHOD /path" or "SDK call"`);
  return [method as Method, template];
}

const safeName = /^[A-Za-z0-9._~-]{1,128}$/;

/** A path whose names are to be filled in. */
export interface PathTemplate {
  readonly template: string;
  readonly worded?: readonly string[] | undefined;
}

/**
 * The path of a template, with its names filled in. A value that could change the route (a slash, a dot segment, an escape, a
 * query) is refused: ids of the platform never need one. A name that the merchant chose is percent-encoded instead.
 */
export function fillPath({ template, worded = [] }: PathTemplate, names: { readonly [name: string]: string }): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = Object.hasOwn(names, name) ? (names[name] ?? '') : '';
    const isName = worded.includes(name) ? isWorded(value) : safeName.test(value);
    if (!isName || /^\.+$/.test(value)) throw new Error(`The path name {${name}} of ${template} is not a valid id.`);
    return encodeURIComponent(value);
  });
}

/** One line of well-formed text. */
const isWorded = (value: string): boolean =>
  value !== '' && value.length <= limits.textCharacters && value.isWellFormed() && !/[\p{Cc}\u2028\u2029]/u.test(value);
