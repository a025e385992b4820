import { limits } from '../core/limits.ts';

/**
 * Whom a file is trusted from.
 * - `self`: Purser made it, or the command line names its place. This user owns it, nobody else has any right, no links.
 * - `operator`: the operator wrote it. As PostgreSQL holds its key files: this user owns it and nobody else has any right,
 *   or root owns it and its group may read. Links of either are followed, because mounted secrets are links.
 * - `anyone`: data that a person names in this very command. Its content is checked like any input.
 */
export type Trust = 'self' | 'operator' | 'anyone';

/** What a kind of file must be before Purser reads or writes it. */
export interface Kind {
  /** What messages call it. */
  readonly what: string;
  readonly trust: Trust;
  /** Most bytes that are read; Infinity for a database, which SQLite reads page by page. */
  readonly bytes: number;
  /** What the operator can do about a wrong path. */
  readonly todo: string;
}

const { secretFileBytes, configurationBytes, inputFileBytes, archiveBytes } = limits;
const named = 'name another file';

/** Every kind of file that Purser opens by a path. A test tries each hostile form of a file on each row. */
// biome-ignore format: a table
export const kinds = {
  configuration: { what: 'configuration file',   trust: 'operator', bytes: configurationBytes, todo: 'correct --config or PURSER_CONFIG' },
  sharedSecret:  { what: 'shared secret file',   trust: 'operator', bytes: secretFileBytes,    todo: 'correct PURSER_SHARED_SECRET_FILE' },
  vaultKey:      { what: 'vault key file',       trust: 'operator', bytes: secretFileBytes,    todo: 'correct PURSER_VAULT_KEY_FILE' },
  ledgerKey:     { what: 'ledger key file',      trust: 'operator', bytes: secretFileBytes,    todo: 'correct PURSER_LEDGER_KEY_FILE' },
  modelKey:      { what: 'key file',             trust: 'operator', bytes: secretFileBytes,    todo: 'correct --key-file' },
  token:         { what: 'token file',           trust: 'self',     bytes: secretFileBytes,    todo: 'delete it to have a new token made' },
  anchor:        { what: 'anchor file',          trust: 'self',     bytes: secretFileBytes,    todo: 'correct auditAnchorFile' },
  position:      { what: 'file of what was verified', trust: 'self', bytes: secretFileBytes, todo: 'delete it to have everything verified' },
  ledger:        { what: 'ledger',               trust: 'self',     bytes: Infinity,           todo: named },
  world:         { what: 'sandbox file',         trust: 'self',     bytes: Infinity,           todo: 'choose another folder with --data' },
  journal:       { what: 'journal',              trust: 'self',     bytes: inputFileBytes,     todo: named },
  archive:       { what: 'audit archive',        trust: 'self',     bytes: archiveBytes,       todo: named },
  registration:  { what: 'file',                 trust: 'anyone',   bytes: inputFileBytes,     todo: 'name another file, or - for stdin' },
  scenario:      { what: 'scenario file',        trust: 'anyone',   bytes: inputFileBytes,     todo: named },
  recording:     { what: 'recording',            trust: 'anyone',   bytes: inputFileBytes,     todo: named },
  baseline:      { what: 'baseline',             trust: 'anyone',   bytes: inputFileBytes,     todo: 'name a report.json of an earlier run' },
  policy:        { what: 'policy',               trust: 'anyone',   bytes: inputFileBytes,     todo: 'name one with --policy' },
  program:       { what: 'program',              trust: 'anyone',   bytes: inputFileBytes,     todo: 'install it again' },
  report:        { what: 'report',               trust: 'anyone',   bytes: inputFileBytes,     todo: 'name another folder with --out' },
} as const satisfies { readonly [name: string]: Kind };

export type KindName = keyof typeof kinds;
