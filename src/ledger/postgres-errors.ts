import { AlreadyOpen, alreadyOpen, LedgerUnavailable } from './errors.ts';

type Tell = (place: string) => string;

const lost: Tell = (place) => `The ledger ${place} was lost, and nothing of this step was kept: try again.`;
const crowded: Tell = (place) => `Other transactions kept changing the same rows of the ledger ${place}: try again.`;
const full: Tell = (place) =>
  `The ledger ${place} has no room or memory left: free some; nothing of this step was kept.`;
const damaged: Tell = (place) => `The ledger ${place} is damaged: restore the last backup.`;
const unreached: Tell = (place) => `The ledger ${place} can't be reached: start the database, or correct DATABASE_URL.`;
const stranger: Tell = (place) => `The ledger ${place} refuses this user: correct user and password in DATABASE_URL.`;
const untrusted: Tell = (place) => `The certificate of the ledger ${place} is not trusted: correct it, or sslrootcert.`;

export const lacksPermission: Tell = (place) =>
  `This user lacks a permission on the ledger ${place}: start Purser once as the owner of its tables, and grant purser_app to this user.`;

/** What to do, by SQLSTATE, by its class, or by the error code of the connection. */
const unavailable: { readonly [code: string]: Tell | undefined } = {
  '40001': crowded,
  '40P01': crowded,
  '55P03': (place) => `The rows of the ledger ${place} are locked by another process: find it, then try again.`,
  '57014': (place) => `The ledger ${place} took too long for a statement: check its load, then try again.`,
  '57P01': lost,
  '57P02': lost,
  '57P03': (place) => `The ledger ${place} is starting or stopping: try again.`,
  '25P03': lost,
  '25006': (place) => `The ledger ${place} is read-only: name the primary in DATABASE_URL.`,
  '28': stranger,
  '3D000': (place) => `There is no database for the ledger ${place}: create it, or correct DATABASE_URL.`,
  '42501': lacksPermission,
  '53300': (place) => `The ledger ${place} accepts no more connections: raise max_connections, or run fewer replicas.`,
  '53': full,
  '08': lost,
  '58': (place) =>
    `The disk of the ledger ${place} reported an error: check it, then restore the last backup if needed.`,
  XX001: damaged,
  XX002: damaged,
  ERR_OUT_OF_RANGE: damaged,
  ECONNREFUSED: unreached,
  ENOTFOUND: unreached,
  EAI_AGAIN: unreached,
  EHOSTUNREACH: unreached,
  ENETUNREACH: unreached,
  ETIMEDOUT: unreached,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  CERT_HAS_EXPIRED: untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: untrusted,
};

/** Errors that usually pass within a second: a restart, a failover, a deadlock, a burst of connections. */
const passing = /^(40001|40P01|57P0[123]|53300|08\w{3}|ECONNREFUSED|ECONNRESET|EPIPE|EAI_AGAIN|ETIMEDOUT|LOST)$/;

/** The message of each unique index. */
const taken: { readonly [index: string]: string | undefined } = {
  operations_open_on_subject: alreadyOpen.lockKey,
  operations_holding_reference: alreadyOpen.reference,
  approvals_of_operation: alreadyOpen.approval,
};

/** Errors of these classes name tables, columns and constraints, but no values. */
const saysNoValue = /^(23|42)/;

/**
 * Translates to LedgerUnavailable, AlreadyOpen, or an internal error. PostgreSQL's own errors quote rows, so none is
 * passed on; `cause` has only the code.
 */
export function translate(error: unknown, place: string): Error {
  const code = codeOf(error);
  const cause = Object.assign(new Error(`PostgreSQL reported ${code}.`), { code });
  if (code === '23505') return new AlreadyOpen(taken[constraintOf(error)] ?? alreadyOpen.other, { cause });
  const tell = unavailable[code] ?? unavailable[code.slice(0, 2)] ?? (isConnectionLost(error) ? lost : undefined);
  if (tell) return new LedgerUnavailable(tell(place), { cause });
  const message = error instanceof Error && saysNoValue.test(code) ? error.message : 'see its code';
  return Object.assign(new Error(`PostgreSQL refused a statement (${code}): ${message}.`, { cause }));
}

/** The retryable error for a commit that got no response and was rolled back. */
export const lostCommit = (place: string): Error => translate(new Error('lost'), place);

/** Whether a retry may help, because nothing was committed and the cause is temporary. */
export const isTransient = (error: unknown): boolean =>
  error instanceof LedgerUnavailable && error.cause !== undefined && passing.test(codeOf(error.cause));

/** Whether a statement violated a constraint: only that statement is undone then. */
export const isConstraintViolation = (error: unknown): boolean => codeOf(error).startsWith('23');

/** Errors after which the session can continue: of a statement, its values, its permissions or conflicts. */
const orderly = /^(0A|2[235]|4[024]|55|57014|P0|ERR_OUT_OF_RANGE)/;
/** Two codes of class 25 that end the session. */
const endsSession = /^25P0[34]$/;

/** Whether the connection is lost or in an uncertain state, so the statement's outcome is unknown. */
export const isConnectionLost = (error: unknown): boolean =>
  !orderly.test(codeOf(error)) || endsSession.test(codeOf(error));

/** The SQLSTATE, or the system's error code; LOST for a connection that ended without one. */
function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'LOST';
}

const constraintOf = (error: unknown): string =>
  error instanceof Error && 'constraint' in error ? String(error.constraint) : '';
