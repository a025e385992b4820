import type { Role } from '../engine/access-tokens.ts';

// What every route is: its method and path, who may call it, and the function that serves it.

/** The input of a route, from an authenticated sender. */
export interface Asked {
  /** The `:id` of the path; empty if the path has none. */
  readonly id: string;
  readonly query: Readonly<Record<string, string>>;
  /** The parsed JSON body; undefined if there is none. */
  readonly body: unknown;
}

/** A route for one role. */
export interface Route {
  /** Method and path. */
  readonly call: string;
  readonly role: Role;
  readonly serve: (asked: Asked) => Promise<Response>;
}
