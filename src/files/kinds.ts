import { limits } from '../core/limits.ts';

/**
 * Who may have written a file.
 * - `self`: Purser created it, or the command line names its location. This user owns it, nobody else has permissions,
 * no links.
 * - `operator`: the operator wrote it. As for PostgreSQL's key files, this user owns it and nobody else has
 * permissions, or root owns it and its group may read. Links of either are followed, because mounted secrets are links.
 * - `anyone`: data that a person names in this command. Its content is checked like any input.
 */
export type Trust = 'self' | 'operator' | 'anyone';

/** What a file must be like before Purser reads or writes it. */
export interface Kind {
  /** Its name in messages. */
  readonly what: string;
  readonly trust: Trust;
  /** Most bytes that are read; Infinity for a database, which SQLite reads page by page. */
  readonly bytes: number;
  /** What the operator can do about an invalid path. */
  readonly todo: string;
}

const { secretFileBytes, configurationBytes, inputFileBytes, archiveBytes, fileBytes } = limits;
const named = 'name another file';

/** Every kind of file that Purser opens by path. A test tries each hostile file on each row. */
// biome-ignore format: a table
export const kinds = {
  configuration: { what: 'configuration file',   trust: 'operator', bytes: configurationBytes, todo: 'correct --config or PURSER_CONFIG' },
  sharedSecret:  { what: 'shared secret file',   trust: 'operator', bytes: secretFileBytes,    todo: 'correct PURSER_SHARED_SECRET_FILE, or `credentials.sharedSecretFile` in the configuration' },
  vaultKey:      { what: 'vault key file',       trust: 'operator', bytes: secretFileBytes,    todo: 'correct PURSER_VAULT_KEY_FILE, or `vaultKeyFile` in the configuration' },
  ledgerKey:     { what: 'ledger key file',      trust: 'operator', bytes: secretFileBytes,    todo: 'correct PURSER_LEDGER_KEY_FILE, or `ledgerKeyFile` in the configuration' },
  webhookKey:    { what: 'webhook key file',     trust: 'operator', bytes: secretFileBytes,    todo: 'correct `webhooks.keys`' },
  modelKey:      { what: 'key file',             trust: 'operator', bytes: secretFileBytes,    todo: 'correct --key-file' },
  token:         { what: 'token file',           trust: 'self',     bytes: secretFileBytes,    todo: 'delete it, and a new token is created' },
  anchor:        { what: 'anchor file',          trust: 'self',     bytes: secretFileBytes,    todo: 'correct auditAnchorFile, or PURSER_STATE' },
  position:      { what: 'position file',        trust: 'self',     bytes: secretFileBytes,    todo: 'delete it, and everything is verified' },
  ledger:        { what: 'ledger',               trust: 'self',     bytes: Infinity,           todo: named },
  world:         { what: 'sandbox file',         trust: 'self',     bytes: Infinity,           todo: 'choose another folder with --data' },
  journal:       { what: 'journal',              trust: 'self',     bytes: inputFileBytes,     todo: named },
  archive:       { what: 'audit archive',        trust: 'self',     bytes: archiveBytes,       todo: named },
  deviceKey:     { what: 'device key file',      trust: 'self',     bytes: secretFileBytes,    todo: 'name another file with --to' },
  stored:        { what: 'stored file',          trust: 'self',     bytes: fileBytes,          todo: 'download it again' },
  registration:  { what: 'file',                 trust: 'anyone',   bytes: inputFileBytes,     todo: 'name another file, or - for stdin' },
  scenario:      { what: 'scenario file',        trust: 'anyone',   bytes: inputFileBytes,     todo: named },
  golden:        { what: 'golden',               trust: 'anyone',   bytes: inputFileBytes,     todo: 'rewrite it with --accept' },
  recording:     { what: 'recording',            trust: 'anyone',   bytes: inputFileBytes,     todo: named },
  earlierReport: { what: 'report',               trust: 'anyone',   bytes: inputFileBytes,     todo: 'name a report.json of an earlier run' },
  policy:        { what: 'policy',               trust: 'anyone',   bytes: inputFileBytes,     todo: 'name one with --policy' },
  program:       { what: 'program',              trust: 'anyone',   bytes: inputFileBytes,     todo: 'reinstall it' },
  report:        { what: 'report',               trust: 'anyone',   bytes: inputFileBytes,     todo: 'name another folder with --out' },
} as const satisfies { readonly [name: string]: Kind };

export type KindName = keyof typeof kinds;
