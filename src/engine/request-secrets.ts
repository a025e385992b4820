import type { JsonObject } from '../core/canonical-json.ts';
import { fieldOf, schemaAt } from '../core/fields.ts';
import { limits } from '../core/limits.ts';
import type { Operation } from '../core/operation.ts';
import type { Secret } from '../core/secret.ts';
import { jsonOf, type Placed, placedSecrets, withPlaced } from '../core/secret-leaves.ts';
import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import type { OperationRow } from '../ledger/rows.ts';
import type { Checked } from './check.ts';
import type { EngineParts } from './parts.ts';
import type { Call } from './prior-operation.ts';
import { readersOf } from './same-reader.ts';
import { operationOf, type PlatformTool } from './tool.ts';

// The ledger stores requests without secrets. A secret that may be stored is in the vault until the operation ends, and
// the stored request has a reference to it. Any other secret is only in the call's memory and is lost in a crash.

/** Prepares a request for the ledger, and separates the secrets that are sent with it. */
export async function keepRequest(
  { vault, reader }: Pick<EngineParts, 'vault' | 'reader'>,
  tx: LedgerTransaction,
  { tool, caller, now }: Pick<Call, 'tool' | 'caller' | 'now'>,
  checked: Checked,
): Promise<{ readonly request: JsonObject; readonly secrets: readonly Placed<Secret<unknown>>[] }> {
  const stored = storedRequest(tool, checked, readersOf(tool, reader));
  const secrets = placedSecrets(checked.request.body);
  const references: Placed<string>[] = [];
  const keeping = { tenant: caller.tenant, expiresAt: now + limits.requestSecretSeconds * 1_000 };
  for (const { path, value } of secrets)
    if (isStored(operationOf(tool), path)) references.push({ path, value: await vault.put(tx.sealed, value, keeping) });
  const body = withPlaced(stored.body, references) as JsonObject | undefined; // texts replace texts
  return { request: references.length === 0 ? stored : { ...stored, body }, secrets };
}

/** The secrets of a request that was sent before; undefined if one of them is gone. */
export async function keptSecrets(
  { vault }: Pick<EngineParts, 'vault'>,
  tx: LedgerTransaction,
  tool: PlatformTool,
  { request, tenant }: OperationRow,
  now: number,
): Promise<readonly Placed<Secret<unknown>>[] | undefined> {
  const found: Placed<Secret<unknown>>[] = [];
  for (const { path, value: reference } of referencesIn(operationOf(tool), request?.body)) {
    const value = await vault.find(tx.sealed, reference, tenant, now);
    if (value === undefined) return undefined;
    found.push({ path, value });
  }
  return found;
}

/** Deletes a request's secrets from the vault when its operation has ended. */
export async function forgetSecrets(
  { vault }: Pick<EngineParts, 'vault'>,
  tx: LedgerTransaction,
  tool: PlatformTool,
  { request, tenant }: OperationRow,
  now: number,
): Promise<void> {
  for (const { value } of referencesIn(operationOf(tool), request?.body))
    await vault.forget(tx.sealed, value, tenant, now);
}

/** The references in a stored request that replace its secrets. */
function referencesIn({ body: schema, takesSecrets }: Operation, body: unknown): readonly Placed<string>[] {
  const texts = (at: unknown, path: readonly string[]): readonly Placed<string>[] => {
    if (typeof at === 'string') return isSecretAt(schema, path) ? [{ path, value: at }] : [];
    if (typeof at !== 'object' || at === null) return [];
    return Object.entries(at).flatMap(([name, member]) => texts(member, [...path, name]));
  };
  return takesSecrets ? texts(body, []) : [];
}

const fieldAt = (schema: Operation['body'], path: readonly string[]) => {
  const at = schema && schemaAt(schema, path.map((name) => (/^\d+$/.test(name) ? '[]' : name)).join('.'));
  return at && fieldOf(at);
};
const isSecretAt = (schema: Operation['body'], path: readonly string[]): boolean =>
  fieldAt(schema, path)?.secret === true;
const isStored = ({ body }: Operation, path: readonly string[]): boolean => fieldAt(body, path)?.stored !== false;

/**
 * The stored form of a request, sufficient to send it again unchanged: with its generated identifiers, the state of its
 * thing before and after, what it depends on, the tool's notes, and the card readers that it is sent to.
 */
export const storedRequest = (
  tool: PlatformTool,
  { request, state, dependsOn, facts }: Checked,
  readers: readonly string[] = [],
): JsonObject => {
  const noted = tool.reconcile.readBack?.notes?.(facts);
  const kept = {
    ...{ from: state.from, reaches: state.to, new: facts.new },
    ...(dependsOn === '' ? {} : { dependsOn }),
    ...(noted === undefined ? {} : { noted }),
    ...(readers.length === 0 ? {} : { readers }),
  };
  return jsonOf({ ...request, ...kept }) as JsonObject;
};
