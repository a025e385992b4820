import type { z } from 'zod';
import type { Entity, Machine } from '../core/machine.ts';
import type { PathName } from '../core/operation.ts';
import type { RuleId } from '../core/rules.ts';
import type { Contract, OperationName } from '../domains/index.ts';
import type { Kinds, Merchant } from './documents.ts';
import type { World } from './world.ts';

/** What a handler answers when the platform does what it was asked. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  /** The id of the thing that was changed, for the effect log. */
  readonly entity: string;
}

/** The checked body of an operation. */
export type BodyOf<N extends OperationName> = z.output<NonNullable<Contract[N]['body']>>;

/** The checked query of an operation. */
export type QueryOf<N extends OperationName> = z.output<NonNullable<Contract[N]['query']>>;

/** A call whose shape was checked. */
export interface Call<N extends OperationName, Other = never> {
  readonly path: { readonly [P in PathName<Contract[N]['call']>]: string };
  readonly query: QueryOf<N>;
  readonly body: BodyOf<N> | Other;
  readonly merchant: Merchant;
  /** Where the platform was reached: scheme, host and port. */
  readonly origin: string;
  /** Whether a fault wants the platform to ask the customer first. */
  readonly asks: boolean;
  /** Whether the platform keeps a rule as public models of its clients state it, where the document says otherwise. */
  readonly isPublished: (rule: RuleId) => boolean;
}

export type Handler<N extends OperationName, Other = never> = (
  call: Call<N, Other>,
  world: World,
) => Answer | Promise<Answer>;

/** The platform's no: it ends a request, undoes what the handler did and is rendered in the domain's own error body. */
export class PlatformError extends Error {
  override readonly name = 'PlatformError';
  readonly status: number;
  readonly reason: string;
  /** The field that is at fault, in dotted names; absent where none is. */
  readonly source: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** Everything that is at fault, where the domain's error body has room for it. */
  readonly details: readonly Detail[];

  constructor(
    status: number,
    reason: string,
    message: string,
    more: { source?: string; retryAfterSeconds?: number; details?: readonly Detail[] } = {},
  ) {
    super(message);
    this.status = status;
    this.reason = reason;
    this.source = more.source;
    this.retryAfterSeconds = more.retryAfterSeconds;
    this.details = more.details ?? (more.source === undefined ? [] : [{ field: more.source, reason }]);
  }
}

/** One thing that is at fault: a field in dotted names, and a code. */
export interface Detail {
  readonly field: string;
  readonly reason: string;
}

/** Thrown by `handle` where the sender gets no answer: the connection is as good as dead. */
export class AnswerLost extends Error {
  override readonly name = 'AnswerLost';
  constructor() {
    super('The answer was lost on its way. Whether the request took effect is for the caller to find out.');
  }
}

/** A path with a query; what has no value is left out. */
export function hrefOf(path: string, query: { readonly [name: string]: unknown }): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return `${path}?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))}`;
}

export const invalid = (source: string, message: string): PlatformError =>
  new PlatformError(400, 'INVALID_DATA', message, { source });

export const declined = (): PlatformError => new PlatformError(400, 'DECLINED', 'The request was declined.');

/** Kinds of documents that belong to a merchant and have a state. */
type Owned = { [K in keyof Kinds]: Kinds[K] extends Entity & { readonly merchantId: string } ? K : never }[keyof Kinds];

/** A thing of the merchant; what is another's is as unknown as what never was. Throws the platform's 404. */
export function find<K extends Owned>(world: World, kind: K, id: string, merchant: Merchant, source: string): Kinds[K] {
  const found = world.get(kind, id);
  if (found === undefined || found.merchantId !== merchant.id)
    throw new PlatformError(404, 'NOT_FOUND', `There is no ${kind} with this id.`, { source });
  return found;
}

/** Moves a thing by its machine and stores it. Throws the platform's 400 where no row allows the move. */
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
