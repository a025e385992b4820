import { limits } from '../core/limits.ts';
import type { Caller } from '../ledger/ledger.ts';
import { channels } from './approval-channels.ts';
import type { Person } from './person.ts';

/** A caller that a program names wrongly. Without this error the ledger could hold rows that it can't read back. */
export class InvalidCaller extends TypeError {
  override readonly name = 'InvalidCaller';
  constructor(member: string, most: number = limits.textCharacters) {
    super(
      `The caller's ${member} must be text of 1 to ${most} characters without control characters: correct the program that calls Purser.`,
    );
  }
}

/** Throws InvalidCaller unless principal, session and conversation are text that the ledger can store and compare. */
export function demandCaller(caller: Caller): void {
  const { principal, session, conversation }: Partial<Caller> = caller ?? {}; // a program may be plain JavaScript
  const names = { principal, ...given({ session, conversation }) };
  const wrong = Object.entries(names).find(([, name]) => !isName(name));
  if (wrong !== undefined) throw new InvalidCaller(wrong[0]);
}

/** Throws unless a program names a person and a decision that the ledger can store. */
export function demandDecision(verdict: unknown, by: Person): void {
  const { approver, channel }: Partial<Person> = by ?? {};
  if (!isName(approver, mostOfApprover)) throw new InvalidCaller('approver', mostOfApprover);
  if (!channels.some((known) => known === channel))
    throw new TypeError(`The channel of a decision must be one of ${channels.join(', ')}.`);
  if (verdict !== 'approve' && verdict !== 'deny') throw new TypeError("A decision must be 'approve' or 'deny'.");
}

/** The engine of a caller's tenant. Throws InvalidCaller and UnknownTenant. */
export function engineOf<E>(all: { of(tenant: string): E }, caller: Caller): E {
  demandCaller(caller);
  return all.of(caller.tenant);
}

const given = (names: { readonly [member: string]: unknown }) =>
  Object.fromEntries(Object.entries(names).filter(([, name]) => name !== undefined && name !== null)); // a column of a database has null

/** Characters of an approver, who may be the user of any principal. */
const mostOfApprover = limits.textCharacters + 'user of '.length;

const isName = (name: unknown, most: number = limits.textCharacters): boolean =>
  typeof name === 'string' && name.length >= 1 && name.length <= most && name.isWellFormed() && !/\p{Cc}/u.test(name);
