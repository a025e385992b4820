import type { z } from 'zod';
import type { Operation } from '../core/operation.ts';
import type { ReaderFailure } from '../core/reader.ts';
import type { AnyHandler, Handler } from './answer.ts';
import type { CardBehavior, Kind, Kinds } from './documents.ts';
import type { CardHandle } from './shoppers.ts';
import type { Wire } from './wire.ts';
import type { World } from './world.ts';

/** The operations of a domain, by name. */
export interface Operations {
  readonly [name: string]: Operation;
}

/** One handler for each operation: a missing one does not compile. `Forms`: further bodies that an operation takes. */
export type HandlersOf<C extends Operations, Forms = unknown> = {
  readonly [N in keyof C]: Handler<C[N], N extends keyof Forms ? Forms[N] : never>;
};

/** How the sandbox simulates one domain. The rest of the sandbox knows a domain only by this value. */
export interface SandboxDomain<C extends Operations = Operations> {
  readonly contract: C;
  readonly handlers: { readonly [N in keyof C]: AnyHandler };
  /** Further bodies by operation, and by the property that identifies them. */
  readonly forms?: { readonly [N in keyof C]?: { readonly [member: string]: z.ZodType } };
  /** Bytes of a request body, for operations that need more than `limits.requestBytes`. */
  readonly bodyBytes?: { readonly [N in keyof C]?: number };
  /** How its operations at a card reader go; each needs a row. */
  readonly atReader?: { readonly [N in keyof C]?: ReaderCall };
  readonly settlers?: Settlers;
  /** What it sends by itself. */
  readonly outgoing?: Outgoing;
  /** Its calls of the control API. */
  readonly control?: readonly ControlCall[];
  /** Its pages, which need no signature, by path prefix. */
  readonly pages?: { readonly [prefix: string]: ServePage };
  readonly cards?: CardFixtures;
  /** Adds its documents to a new world. */
  readonly seed?: (world: World) => void;
}

/** How a call at a card reader goes. */
export interface ReaderCall {
  /** Whether a person acts on the reader. */
  readonly asks: boolean;
  /** Whether they tap a card, for which the call waits. */
  readonly taps: boolean;
  /** How it fails, by the status with which the sandbox answers. */
  readonly failing: { readonly else: ReaderFailure; readonly [status: number]: ReaderFailure };
  /** The case of a call that the person gave up; by default `cancelledByUser`. */
  readonly cancelled?: ReaderFailure;
}

/** The domains of a sandbox, by name. */
export interface SandboxDomains {
  readonly [name: string]: SandboxDomain;
}

/** What happens to documents that fall due, by kind. Each settler clears `due` or sets it to a later moment. */
export type Settlers = { readonly [K in Kind]?: (world: World, it: Kinds[K]) => void | Promise<void> };

/** A request that the platform itself sends, such as the delivery of an event. */
export interface OutgoingRequest {
  /** The document that it is sent for, and when that fell due. */
  readonly id: string;
  readonly due: number;
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
}

/** What the platform sends by itself. A request is made in one transaction, sent outside of any, and recorded in another. */
export interface Outgoing {
  /** The request that fell due first; undefined if there is none. */
  readonly next: (world: World) => OutgoingRequest | undefined;
  /** Records the status that was answered, or null where nobody answered. */
  readonly answered: (world: World, request: OutgoingRequest, status: number | null) => void;
}

/** What a domain adds to the fixtures of saved cards: the fields of the control API, and how the seeded cards behave. */
export interface CardFixtures {
  readonly fields: { readonly [F in keyof CardBehavior]?: z.ZodType };
  readonly seeded: { readonly [H in CardHandle]: Partial<CardBehavior> };
}

/** A request of a page. */
export interface PageRequest {
  readonly method: string;
  /** The path after the prefix. */
  readonly rest: string;
  readonly query: URLSearchParams;
  /** Where the page was reached: scheme, host and port. */
  readonly origin: string;
  readonly bytes: Uint8Array;
  /** The id of the merchant that signed the request; null for everyone else. */
  readonly signer: string | null;
}
export type ServePage = (world: World, request: PageRequest) => Wire | Promise<Wire>;

/** A request of the control API. */
export interface ControlRequest<B> {
  readonly world: World;
  readonly path: { readonly [name: string]: string };
  readonly body: B;
  /** Settles everything that is due. */
  readonly settle: (world: World) => Promise<void>;
}

/** One call of the control API. */
export interface ControlCall {
  /** Method and path, below `/sandbox/`. */
  readonly call: string;
  readonly body: z.ZodType;
  readonly serve: (request: ControlRequest<unknown>) => unknown;
}

/** Declares a call of the control API. */
export function controlCall<S extends z.ZodType>(
  call: string,
  body: S,
  serve: (request: ControlRequest<z.output<S>>) => unknown,
): ControlCall {
  // The body is parsed by this very schema before `serve` is called.
  return { call, body, serve: serve as ControlCall['serve'] };
}
