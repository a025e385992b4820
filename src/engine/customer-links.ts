import { isDeepStrictEqual } from 'node:util';
import { sha256 } from '../core/canonical-json.ts';
import { limits } from '../core/limits.ts';
import { keyFor, type Secret } from '../core/secret.ts';
import type { Caller } from '../ledger/ledger.ts';
import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import type { ObservationRow } from '../ledger/rows.ts';
import { lettersOf } from './handles.ts';
import type { EngineParts } from './parts.ts';

// A link opens a page on which a customer takes one step for one thing, until the thing leaves the required states or
// the link expires. The ledger stores only a hash. The link is derived, so an agent that asks again gets the customer's
// existing one.

/** The target of a link, bound when it is created: its holder can't choose another thing or operation. */
export interface Linked {
  readonly tool: string;
  readonly argument: string;
  readonly thing: string;
  /** The states of the thing in which the step is still open. */
  readonly states: readonly string[];
  /** A property of the thing, and the value that it must still have. */
  readonly bound?: { readonly member: string; readonly value: string } | undefined;
  /** The principal for whom the step is taken. */
  readonly principal: string;
  /** When the step itself ends, if it does. A later code has a later end, and so has the link to it. */
  readonly until?: number | undefined;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

const kind = 'link';

/** The link for a step, to follow `#` in the page's URL: the open one, or a new one. */
export async function linkFor(
  { ports }: Pick<EngineParts, 'ports'>,
  tx: LedgerTransaction,
  step: Omit<Linked, 'expiresAt' | 'until'>,
  key: Secret<string>,
  { tenant, until }: { readonly tenant: string; readonly until: number | undefined },
): Promise<{ readonly link: string; readonly expiresAt: number }> {
  const now = ports.clock.now();
  const name = nameOf(step);
  const row = await tx.observations.find(handleOf(name));
  const expiresAt = Math.min(now + limits.customerLinkMinutes * 60_000, until ?? Number.POSITIVE_INFINITY);
  const secretOf = (round: string) =>
    lettersOf(keyFor(key, `the link of a customer\n${JSON.stringify([tenant, name, round])}`), limits.keyCharacters);
  if (row !== undefined && linked(row).expiresAt > now) {
    const secret = secretOf(String(row.body.round));
    const { states, bound, until: before, expiresAt: end } = linked(row);
    const isSame = isDeepStrictEqual([states, bound], [step.states, step.bound]);
    // Another key or another step produces a new link, and ends the old one.
    if (isSame && row.body.hash === sha256(secret)) {
      if (before === until) return { link: `${name}.${secret}`, expiresAt: end };
      await tx.observations.update(row, { body: { ...row.body, until, expiresAt } }, now);
      return { link: `${name}.${secret}`, expiresAt };
    }
  }
  const round = ports.ids.key('round');
  const secret = secretOf(round);
  const body = { ...step, ...(until === undefined ? {} : { until }), expiresAt, round, hash: sha256(secret) };
  if (row === undefined)
    await tx.observations.insert({ handle: handleOf(name), kind, owner: '', state: '', body }, now);
  else await tx.observations.update(row, { body }, now);
  return { link: `${name}.${secret}`, expiresAt };
}

/** The target of an open link; undefined for any other text, without a reason. */
export async function openLink(
  { ports }: Pick<EngineParts, 'ports'>,
  tx: Pick<LedgerTransaction, 'observations'>,
  link: string,
): Promise<(Linked & { readonly row: ObservationRow }) | undefined> {
  const [, name = '', secret = ''] = form.exec(link) ?? [];
  const row = name === '' ? undefined : await tx.observations.find(handleOf(name));
  // The stored hash is compared with a hash of the attacker's text, so timing reveals nothing of the link.
  if (row?.kind !== kind || row.body.hash !== sha256(secret)) return undefined;
  const it = linked(row);
  // Whoever took the step, on this page or elsewhere: the thing's state shows it, also after a crash.
  const thing = await tx.observations.find(it.thing);
  const isOpen = it.expiresAt > ports.clock.now() && thing !== undefined && it.states.includes(thing.state);
  const isBound = it.bound === undefined || String(thing?.body[it.bound.member]) === it.bound.value;
  return isOpen && isBound ? { ...it, row } : undefined;
}

/** The caller that a link identifies. Each link is a conversation of its own. */
export const callerOf = ({ principal, row }: Linked & { readonly row: ObservationRow }, tenant: string): Caller => ({
  tenant,
  principal,
  role: 'customer',
  conversation: row.handle,
});

const form = new RegExp(`^([a-z]{${limits.handleCharacters}})\\.([a-z]{${limits.keyCharacters}})$`);
const handleOf = (name: string): string => `${kind}_${name}`;
const nameOf = ({ tool, thing, principal }: Pick<Linked, 'tool' | 'thing' | 'principal'>): string =>
  lettersOf(JSON.stringify([tool, thing, principal]), limits.handleCharacters);
const linked = ({ body }: ObservationRow): Linked => body as unknown as Linked; // written by `linkFor`
