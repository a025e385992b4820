import { z } from 'zod';
import { canonicalJson } from '../core/canonical-json.ts';
import { isEffective } from '../core/own-machines.ts';
import { jsonOf } from '../core/secret-leaves.ts';
import type { Facts } from '../domains/facts.ts';
import { isKind, kindTable } from '../domains/index.ts';
import type { LedgerReads, LedgerTransaction } from '../ledger/ledger-transaction.ts';
import type { ObservationRow, OperationRow } from '../ledger/rows.ts';
import { referenceArgument } from './field-source.ts';
import { kindMadeBy, lookerOf } from './next.ts';
import { isReleaseOver, wasRedeemed } from './redeem.ts';
import { type Body, replay, untrusted } from './render.ts';
import { resolve } from './resolve.ts';
import { amountShown, currencyShown } from './shown.ts';
import type { PlatformTool } from './tool.ts';

/**
 * The answer to a call that was made before. What it says was true when it was given, so it says that first, and what has become of its
 * thing since.
 */
export async function madeBefore(tx: LedgerTransaction, call: Made, row: OperationRow): Promise<Body> {
  const { tool } = call;
  const shown = shownThing(tool, toldIn(row));
  const thing = shown && (await tx.observations.find(shown.handle));
  const first = replay(row, lookerFor(tool, row, thing));
  return {
    ...first,
    said: `${withoutReference(call)}This call was made before, and nothing is sent again.${await sinceThen(tx, tool, row, call.now)} Its answer was: ${first.said}`,
  };
}

/** What has become of the things of an answer since it was given; empty where they are as the answer says. */
export async function sinceThen(
  reads: Pick<LedgerReads, 'observations'>,
  tool: PlatformTool,
  row: Pick<OperationRow, 'result'>,
  now: number,
): Promise<string> {
  const told = toldIn(row);
  return `${await changedSince(reads, tool, told)}${await releasedSince(reads, told, now)}`;
}

/** What the tool would show of the answer's thing now, where the answer says otherwise. */
async function changedSince(
  reads: Pick<LedgerReads, 'observations'>,
  { outputSchema, present }: PlatformTool,
  told: Shown,
): Promise<string> {
  const handle = told[firstOf(outputSchema)];
  const row = typeof handle === 'string' ? await reads.observations.find(handle) : undefined;
  if (row === undefined || !isKind(row.kind)) return '';
  const { handle: name, kind, state } = row;
  const shows =
    present.shows?.(await resolve(reads, [{ field: kind, kind, handle: name }])) ??
    (told.state === undefined ? {} : { state });
  const other = Object.entries(shows).filter(([field, value]) => value !== undefined && !isSame(value, told[field]));
  if (other.length === 0) return '';
  const words = other.flatMap(([field, value]) => wordsFor(field, value) ?? []).join(', ');
  return ` Since then ${name} has changed${words === '' ? '' : `: ${words} now`}.`;
}

const isSame = (value: unknown, told: unknown): boolean =>
  canonicalJson(jsonOf({ value })) === canonicalJson(jsonOf({ value: told }));

/** A field as a sentence tells it; undefined where it may hold a text of somebody else. */
function wordsFor(field: string, value: unknown): string | undefined {
  if (field === 'state') return stateForm.test(String(value)) ? `it is ${value}` : undefined;
  const { data: sum } = sumForm.safeParse(value);
  return sum && `${field} is ${sum.amount} ${sum.currency}`;
}

/** What has become of the secrets that an answer names. */
async function releasedSince(reads: Pick<LedgerReads, 'observations'>, told: Shown, now: number): Promise<string> {
  const handles = Object.entries(told).flatMap(([name, handle]) =>
    isKind(name) && kindTable[name].secret !== undefined && typeof handle === 'string' ? [handle] : [],
  );
  const said: string[] = [];
  for (const handle of handles) {
    const row = await reads.observations.find(handle);
    if (row === undefined) continue;
    if (wasRedeemed(row)) said.push(` Since then ${handle} was redeemed.`);
    else if (await isReleaseOver(reads, row, now)) said.push(` Since then ${handle} can't be redeemed any more.`);
  }
  return said.join('');
}

/** A call, as far as it matters here. */
interface Made {
  readonly tool: PlatformTool;
  readonly facts: Pick<Facts, 'args' | 'reference'>;
  readonly now: number;
}

/** What to say of a call whose reference the agent left out, so that it has that of its thing; empty for any other. */
export function withoutReference({ tool, facts: { args, reference } }: Pick<Made, 'tool' | 'facts'>): string {
  const argument = referenceArgument(tool);
  return argument === undefined || args[argument] !== undefined || reference === ''
    ? ''
    : `No ${argument} was given, so this counts as the call under ${untrusted(reference)}. For another one, give a ${argument} of its own. `;
}

/** A state of a machine: one word. */
const stateForm = /^[A-Z_]{1,24}$/;
const sumForm = z.object({ amount: amountShown, currency: currencyShown });

/** The tool that shows what has become of an operation's thing; the one that finds it where its answer, and with it the handle, was lost. */
export function lookerFor(tool: PlatformTool, row: OperationRow, thing?: ObservationRow): string | undefined {
  const made = kindMadeBy(tool);
  if (made !== undefined && hasLostAnswer(row)) return kindTable[made].foundBy[0];
  return thing !== undefined && isKind(thing.kind) ? kindTable[thing.kind].shownBy : lookerOf(tool);
}

/** Whether an operation took effect, as a person found, and its answer was lost. */
export const hasLostAnswer = ({ state, result }: Pick<OperationRow, 'state' | 'result'>): boolean =>
  isEffective(state) && result?.data === undefined;

type Shown = Readonly<Record<string, unknown>>;

/** The data of an operation's answer. */
export function toldIn({ result }: Pick<OperationRow, 'result'>): Shown {
  const { data = {} } = (result ?? {}) as Partial<Body>; // the ledger stores answers made by the engine
  return data as Shown;
}

/** The field of an answer that names its thing: the first (a test says so). */
const firstOf = ({ shape }: PlatformTool['outputSchema']): string => Object.keys(shape)[0] ?? '';

/** The thing whose state an answer shows. */
export function shownThing(
  { outputSchema }: Pick<PlatformTool, 'outputSchema'>,
  { [firstOf(outputSchema)]: handle, state }: Shown,
): { readonly handle: string; readonly state: string } | undefined {
  return typeof handle === 'string' && typeof state === 'string' ? { handle, state } : undefined;
}
