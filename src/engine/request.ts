/** What goes to the client. */
export interface Request {
  readonly names: Names;
  readonly query?: unknown;
  readonly body: unknown;
}

export type Names = Readonly<Record<string, string>>;
