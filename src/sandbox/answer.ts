import type { z } from 'zod';
import type { FileType } from '../core/file-answer.ts';
import type { Entity, Machine } from '../core/machine.ts';
import type { Operation, PathName } from '../core/operation.ts';
import type { RuleId } from '../core/rules.ts';
import type { Kinds, Merchant } from './documents.ts';
import type { SentFile } from './wire.ts';
import type { World } from './world.ts';

/** What a handler returns when the platform does what was requested. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  /** A file instead of a body. It is made while it is sent, after the transaction, so it can't read the world. */
  readonly file?: SentFile;
  /** The body as a compact JWS, sent instead of it to whoever asks for `application/jose`. */
  readonly signed?: string;
  /** The id of what was changed, for the effect log. */
  readonly entity: string;
}

/** The parsed body of an operation. */
export type BodyOf<Op extends Operation> = z.output<NonNullable<Op['body']>>;

/** The parsed query of an operation. */
export type QueryOf<Op extends Operation> = z.output<NonNullable<Op['query']>>;

/** A request whose path, query and body match the contract. `Other`: a further body that the operation takes. */
export interface Call<Op extends Operation, Other = never> {
  readonly path: { readonly [P in PathName<Op['call']>]: string };
  readonly query: QueryOf<Op>;
  readonly body: BodyOf<Op> | Other;
  readonly merchant: Merchant;
  /** The type of file that the request asks for, where the response can be JSON or a file. */
  readonly accept: FileType | undefined;
  /** Where the platform was reached: scheme, host and port. */
  readonly origin: string;
  /** The sender's id of the request, `x-requestid`; empty if it sent none. */
  readonly requestId: string;
  /** Whether an injected fault makes the platform ask the customer first. */
  readonly asks: boolean;
  /** Whether the platform applies the published variant of a rule instead of the document's. */
  readonly isPublished: (rule: RuleId) => boolean;
}

export type Handler<Op extends Operation, Other = never> = (
  call: Call<Op, Other>,
  world: World,
) => Answer | Promise<Answer>;

/** A handler of any operation. It is called with what was parsed by that operation's own contract. */
export type AnyHandler = (call: never, world: World) => Answer | Promise<Answer>;

/** A rejection by the platform. It rolls back what the handler did, but for what it `leaves`; the operation's error format renders it. */
export class PlatformError extends Error {
  override readonly name = 'PlatformError';
  readonly status: number;
  readonly reason: string;
  /** The invalid field, in dotted names. */
  readonly source: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** Every invalid field, for error bodies that list more than one. */
  readonly details: readonly Detail[];
  /** What the platform remembers of the request although it rejects it, such as a wrong code that counts. */
  readonly leaves: ((world: World) => void) | undefined;

  constructor(
    status: number,
    reason: string,
    message: string,
    more: {
      source?: string;
      retryAfterSeconds?: number;
      details?: readonly Detail[];
      leaves?: (world: World) => void;
    } = {},
  ) {
    super(message);
    this.status = status;
    this.reason = reason;
    this.source = more.source;
    this.retryAfterSeconds = more.retryAfterSeconds;
    this.leaves = more.leaves;
    this.details = more.details ?? (more.source === undefined ? [] : [{ field: more.source, reason }]);
  }
}

/** An invalid field, in dotted names, and its reason code. */
export interface Detail {
  readonly field: string;
  readonly reason: string;
}

/** Thrown by `handle` when the sender gets no response, as if the connection had died. */
export class AnswerLost extends Error {
  override readonly name = 'AnswerLost';
  constructor() {
    super('The response was lost. The request may have taken effect.');
  }
}

/** A path with a query, without parameters that have no value. */
export function hrefOf(path: string, query: { readonly [name: string]: unknown }): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return `${path}?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))}`;
}

export const invalid = (source: string, message: string): PlatformError =>
  new PlatformError(400, 'INVALID_DATA', message, { source });

export const declined = (): PlatformError => new PlatformError(400, 'DECLINED', 'The request was declined.');

/** Kinds of documents that belong to a merchant and have a state. */
type Owned = { [K in keyof Kinds]: Kinds[K] extends Entity & { readonly merchantId: string } ? K : never }[keyof Kinds];

/** A document of the merchant. Throws the platform's 404 if it does not exist or belongs to another merchant. */
export function find<K extends Owned>(world: World, kind: K, id: string, merchant: Merchant, source: string): Kinds[K] {
  const found = world.get(kind, id);
  if (found === undefined || found.merchantId !== merchant.id)
    throw new PlatformError(404, 'NOT_FOUND', `There is no ${kind} with this id.`, { source });
  return found;
}

/** Moves a document by its machine and stores it. Throws the platform's 400 if no row allows the move. */
export function move<K extends Owned, T extends string>(
  world: World,
  machine: Machine<Entity & Kinds[K], T>,
  kind: K,
  it: Kinds[K],
  trigger: T,
): Kinds[K] {
  const moved = machine.move(it, trigger);
  if (!moved.ok) throw new PlatformError(400, 'INVALID_STATE', moved.because);
  return world.put(kind, { ...it, state: moved.to });
}

/** A document that a control request names. Throws a 404 if it does not exist. */
export function existing<T>(found: T | undefined, kind: string): T {
  if (found === undefined) throw new PlatformError(404, 'NOT_FOUND', `There is no ${kind} with this id.`);
  return found;
}
