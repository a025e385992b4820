import type { Role } from '../engine/access-tokens.ts';

/** What a route gets of a request whose sender is known. */
export interface Asked {
  /** The `:id` of the path; empty where there is none. */
  readonly id: string;
  readonly query: Readonly<Record<string, string>>;
  /** The JSON of the body; undefined where there is none. */
  readonly body: unknown;
}

/** One call of the HTTP face, for one role. */
export interface Route {
  /** Method and path. */
  readonly call: string;
  readonly role: Role;
  readonly serve: (asked: Asked) => Promise<Response>;
}
