/** The request that the client sends. */
export interface Request {
  readonly names: Names;
  readonly query?: unknown;
  readonly body: unknown;
}

export type Names = Readonly<Record<string, string>>;
