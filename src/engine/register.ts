import { z } from 'zod';
import type { JsonObject } from '../core/canonical-json.ts';
import { isOfSession } from '../core/fields.ts';
import { limits } from '../core/limits.ts';
import { ownerKind } from '../domains/facts.ts';
import {
  receipts as receiptSpec,
  type SessionMember,
  sessionFieldRule,
  sessionLists,
  sessionReaders,
} from '../domains/index.ts';
import type { SessionList } from '../domains/registration.ts';
import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import type { EngineParts } from './parts.ts';
import {
  contractFaults,
  type Fault,
  filledBy,
  screeningFaults,
  shapeFaults,
  storageFaults,
} from './registration-faults.ts';
import { retryOnConflict } from './retry.ts';

/**
 * What the merchant's own systems tell Purser: who is shopping, and which payments were processed. An authenticated
 * caller that is no agent sends both; the contract has the shapes of their fields.
 */
export type Registered<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly faults: readonly Fault[] };

type Handles = { readonly [member in SessionMember]: readonly string[] };

/** Registers a shopper session with the things that it lists, or updates a known one. Known things keep their state, unless another one has got the handle. */
export async function registerShopper(
  parts: EngineParts,
  tenant: string,
  given: unknown,
): Promise<Registered<{ readonly shopper: string } & Handles>> {
  const unstorable = storageFaults(given);
  if (unstorable.length > 0) return { ok: false, faults: unstorable };
  const translated = translate(given);
  if ('fault' in translated) return { ok: false, faults: [translated.fault] };
  const read = sessionShape.safeParse(translated.session);
  if (!read.success) return { ok: false, faults: shapeFaults(read.error, sessionShape) };
  const faults = [
    ...contractFaults(read.data, sessionFields, sessionFieldRule),
    ...screeningFaults(read.data, shownMembers, parts.settings.ownNumbers),
  ];
  if (faults.length > 0) return { ok: false, faults };
  const { clock, ids } = parts.ports;
  const { handle, ...session }: Readonly<Record<string, unknown>> & { readonly handle?: string | undefined } =
    read.data;
  const own = Object.fromEntries(Object.entries(session).filter(([name]) => !sessionMembers.includes(name)));
  return attempt(() =>
    parts.ledger.transaction(tenant, async (tx) => {
      const now = clock.now();
      const shopper = await put(tx, ownerKind, handle ?? ids.handle(ownerKind), '', own as JsonObject, now);
      const handles: Record<string, readonly string[]> = {};
      for (const list of sessionLists) {
        const kept: string[] = [];
        for (const { handle: named, ...element } of session[list.member] as readonly Listed[]) {
          const known = named ?? (await knownAs(tx, list, shopper, element)) ?? ids.handle(list.kind);
          kept.push(await put(tx, list.kind, known, shopper, element, now, list));
        }
        handles[list.member] = kept;
      }
      const value = { shopper, ...(handles as Handles) }; // one entry for each list
      await tx.audit.append({ event: 'registered', body: value, at: now });
      return { ok: true, value };
    }),
  );
}

/** Registers what the merchant's payment system reports of a payment. It is the only evidence that a payment happened. */
export async function registerReceipt(
  parts: EngineParts,
  tenant: string,
  given: unknown,
): Promise<Registered<{ readonly receipt: string }>> {
  const { kind, about, unscreened } = receiptSpec;
  const unstorable = storageFaults(given);
  if (unstorable.length > 0) return { ok: false, faults: unstorable };
  const read = receiptShape.safeParse(given);
  if (!read.success) return { ok: false, faults: shapeFaults(read.error, receiptShape) };
  const body = read.data as JsonObject; // text and numbers, by its shape
  const screened = Object.fromEntries(Object.entries(body).filter(([name]) => !unscreened.some((it) => it === name)));
  const faults = screeningFaults(screened, [], parts.settings.ownNumbers);
  if (faults.length > 0) return { ok: false, faults };
  const { clock, ids } = parts.ports;
  const now = clock.now();
  return attempt(() =>
    parts.ledger.transaction(tenant, async (tx) => {
      const paid = await tx.observations.find(String(body[about]));
      if (paid?.kind !== about)
        return {
          ok: false,
          faults: [{ field: about, rule: 'EN-02', because: 'There is no purchase with this handle.' }],
        };
      const receipt = await put(tx, kind, ids.handle(kind), paid.owner, body, now);
      await tx.observations.update(paid, { body: { ...paid.body, [kind]: receipt } }, now);
      await tx.audit.append({ event: kind, body: { [kind]: receipt, [about]: paid.handle }, at: now });
      return { ok: true, value: { receipt } };
    }),
  );
}

/** An element of a session's list. */
type Listed = JsonObject & { readonly handle?: string };

/** A handle that the merchant's app chooses. */
const chosenHandle = (kind: string, most: number) =>
  z
    .string()
    .regex(
      new RegExp(`^${kind}_[a-z0-9_]{1,${most}}$`),
      `must begin with "${kind}_" and hold small letters, digits and _`,
    )
    .optional();

const sessionMembers: readonly string[] = sessionLists.map(({ member }) => member);
const sessionFields = filledBy(({ field }) => isOfSession(field));
const sessionShape = z.strictObject({
  handle: chosenHandle(ownerKind, 55),
  displayName: z.string().min(1).max(80),
  ...Object.fromEntries(sessionFields.map(({ at }) => [at.split(/[.[]/)[0] ?? '', z.unknown().optional()])),
  ...Object.fromEntries(
    sessionLists.map(({ member, kind, shape }) => [
      member,
      z
        .array(shape.extend({ handle: chosenHandle(kind, 58) }))
        .max(limits.arrayElements)
        .default([]),
    ]),
  ),
});
const shownMembers = ['displayName', ...sessionLists.flatMap(({ shown }) => shown)];

const ofReceipt = `${receiptSpec.kind}.`;
const receiptShape = z.strictObject({
  [receiptSpec.about]: z.string().max(64),
  ...Object.fromEntries(
    filledBy(({ field }) => field.at?.startsWith(ofReceipt) === true).map(({ at, leaf: { schema } }) => {
      const name = at.slice(ofReceipt.length);
      return [name, receiptSpec.required.some((it) => it === name) ? schema : schema.optional()];
    }),
  ),
});

/** Has each domain read its member of a session. */
function translate(given: unknown): { readonly session: unknown } | { readonly fault: Fault } {
  let session = given;
  for (const { member, rule, read } of sessionReaders) {
    if (typeof session !== 'object' || session === null || !Object.hasOwn(session, member)) continue;
    const found = read(session as Readonly<Record<string, unknown>>);
    if ('fault' in found)
      return { fault: { field: found.fault, rule, because: `It is missing in ${member}, or differs from it.` } };
    session = found.session;
  }
  return { session };
}

/** The handle names something else already. */
class Taken extends Error {
  override readonly name = 'Taken';
}

/** Retries when another writer got there first. Answers with a fault if the handle is taken. */
async function attempt<Value>(work: () => Promise<Registered<Value>>): Promise<Registered<Value>> {
  try {
    return await retryOnConflict(work);
  } catch (error) {
    if (error instanceof Taken)
      return { ok: false, faults: [{ field: 'handle', rule: 'EN-02', because: 'It names something else already.' }] };
    throw error;
  }
}

/** The state of what was only registered. */
const fresh = 'none';

async function put(
  tx: LedgerTransaction,
  kind: string,
  handle: string,
  owner: string,
  body: JsonObject,
  now: number,
  list?: Pick<SessionList, 'sameBy' | 'since'>,
): Promise<string> {
  const known = await tx.observations.find(handle);
  const isAnother = list !== undefined && known?.body[list.sameBy] !== body[list.sameBy];
  if (known === undefined) await tx.observations.insert({ handle, kind, owner, state: fresh, body }, now);
  else if (known.kind !== kind || known.owner !== owner) throw new Taken();
  else if (isAnother) await tx.observations.update(known, { body: { ...body, [list.since]: now }, state: fresh }, now);
  else await tx.observations.update(known, { body: { ...keptOf(known.body, list?.since), ...body } }, now);
  if (kind === ownerKind && known?.body.displayName !== body.displayName)
    await tx.observations.rename({ kind, handle }, String(body.displayName ?? ''));
  return handle;
}

/** A member that registering the same thing once more keeps. */
const keptOf = (body: JsonObject, member = ''): JsonObject =>
  body[member] === undefined ? {} : { [member]: body[member] };

/** The shopper's thing that a list names again, so that registering a session twice creates no second one. */
async function knownAs(
  tx: LedgerTransaction,
  { kind, sameBy }: SessionList,
  owner: string,
  element: JsonObject,
): Promise<string | undefined> {
  let cursor: string | undefined;
  do {
    const { rows, more } = await tx.observations.list({ kind, owner }, { limit: limits.pageRowsMost, cursor });
    const same = rows.find(({ body }) => body[sameBy] === element[sameBy]);
    if (same !== undefined) return same.handle;
    cursor = more;
  } while (cursor !== undefined);
  return undefined;
}
