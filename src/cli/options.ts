/** Options of every command. */
export interface Common {
  /** The data folder, instead of the configured one. */
  readonly data?: string;
  /** The configuration file, instead of the default one. */
  readonly config?: string;
  readonly json?: boolean;
}

/** Options that select tools; they override the environment and the file. */
export interface ToolOptions {
  /** Comma-separated names, as are the next two. */
  readonly toolsets?: string | undefined;
  readonly tools?: string | undefined;
  readonly excludeTools?: string | undefined;
  readonly readOnly?: boolean | undefined;
  /** Create an anchor for the current ledger. */
  readonly initAnchor?: boolean | undefined;
  /** Take the rows of the ledger for those of the configured account. */
  readonly initAccount?: boolean | undefined;
}

export interface Options extends ToolOptions {
  /** Overrides `PURSER_DATA` and the file's folder. */
  readonly data?: string | undefined;
  /** The configuration file; overrides `PURSER_CONFIG`. */
  readonly config?: string | undefined;
}
