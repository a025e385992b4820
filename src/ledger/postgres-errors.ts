import { AlreadyOpen, LedgerUnavailable } from './errors.ts';

type Tell = (place: string) => string;

const lost: Tell = (place) => `The ledger ${place} was lost, and nothing of this step was kept: try again.`;
const crowded: Tell = (place) => `Others were at the same rows of the ledger ${place} all the time: try again.`;
const full: Tell = (place) =>
  `The ledger ${place} has no room or memory left: free some; nothing of this step was kept.`;
const damaged: Tell = (place) => `The ledger ${place} is damaged: restore the last backup.`;
const unreached: Tell = (place) => `The ledger ${place} can't be reached: start the database, or correct DATABASE_URL.`;
const stranger: Tell = (place) =>
  `The ledger ${place} does not let this user in: correct user and password of DATABASE_URL.`;
const untrusted: Tell = (place) => `The certificate of the ledger ${place} is not trusted: correct it, or sslrootcert.`;

/** What a person can do, by SQLSTATE, or by its class, or by the code of the connection's error. */
const unavailable: { readonly [code: string]: Tell | undefined } = {
  '40001': crowded,
  '40P01': crowded,
  '55P03': (place) =>
    `The rows of the ledger ${place} are held by another process: find what keeps them, then try again.`,
  '57014': (place) => `The ledger ${place} took too long over one statement: look at its load, then try again.`,
  '57P01': lost,
  '57P02': lost,
  '57P03': (place) => `The ledger ${place} is starting or stopping: try again.`,
  '25P03': lost,
  '25006': (place) => `The ledger ${place} is read-only: name the primary in DATABASE_URL.`,
  '28': stranger,
  '3D000': (place) => `There is no database for the ledger ${place}: create it, or correct DATABASE_URL.`,
  '42501': (place) =>
    `This user lacks a right on the ledger ${place}: start Purser once as the owner of its tables, and grant purser_app to this user.`,
  '53300': (place) => `The ledger ${place} takes no more connections: raise max_connections, or run fewer replicas.`,
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

/** What is over by itself, mostly in less than a second: a restart, a failover, a deadlock, a burst of connections. */
const passing = /^(40001|40P01|57P0[123]|53300|08\w{3}|ECONNREFUSED|ECONNRESET|EPIPE|EAI_AGAIN|ETIMEDOUT|LOST)$/;

/** Which promise a unique index keeps, by its name. */
const taken: { readonly [index: string]: string | undefined } = {
  operations_open_on_subject: 'Another operation on this subject is under way or its outcome is unknown.',
  operations_holding_reference: 'This reference is already used by an operation of this name.',
  approvals_of_operation: 'This operation already has an approval.',
};

/** Errors of these classes name tables, columns and constraints, and no values. */
const saysNoValue = /^(23|42)/;

/**
 * What the ledger's users are told: LedgerUnavailable, AlreadyOpen, or that the fault is ours. PostgreSQL's own errors quote
 * rows, so that none of them is passed on; the `cause` has their code alone.
 */
export function translate(error: unknown, place: string): Error {
  const code = codeOf(error);
  const cause = Object.assign(new Error(`PostgreSQL said ${code}.`), { code });
  if (code === '23505')
    return new AlreadyOpen(taken[constraintOf(error)] ?? 'A row with this key is already there.', { cause });
  const tell = unavailable[code] ?? unavailable[code.slice(0, 2)] ?? (isConnectionLost(error) ? lost : undefined);
  if (tell) return new LedgerUnavailable(tell(place), { cause });
  const message = error instanceof Error && saysNoValue.test(code) ? error.message : 'see its code';
  return Object.assign(new Error(`PostgreSQL refused a statement (${code}): ${message}.`, { cause }));
}

/** What is told, and tried again, where a commit that was not answered has kept nothing. */
export const lostCommit = (place: string): Error => translate(new Error('lost'), place);

/** Whether trying again soon may help, because nothing was kept and what is in the way passes. */
export const isTransient = (error: unknown): boolean =>
  error instanceof LedgerUnavailable && error.cause !== undefined && passing.test(codeOf(error.cause));

/** Whether a statement broke a constraint: it alone is undone then. */
export const isConstraintViolation = (error: unknown): boolean => codeOf(error).startsWith('23');

/** Errors after which the session surely goes on: of a statement, its values, its rights or its rivals. */
const orderly = /^(0A|2[235]|4[024]|55|57014|P0|ERR_OUT_OF_RANGE)/;
/** Two of the same class that end the session. */
const endsSession = /^25P0[34]$/;

/** Whether the connection is gone, or can't be trusted to be in step, so that nobody knows what became of a statement. */
export const isConnectionLost = (error: unknown): boolean =>
  !orderly.test(codeOf(error)) || endsSession.test(codeOf(error));

/** The SQLSTATE, or the system's code; LOST for a connection that ended without one. */
function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'LOST';
}

const constraintOf = (error: unknown): string =>
  error instanceof Error && 'constraint' in error ? String(error.constraint) : '';
