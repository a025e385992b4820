import type { Snapshot } from '../../../src/sandbox/index.ts';
import type { Values } from '../scenario/schema.ts';
import type { Sources } from './collection.ts';
import { type CollectionName, collections, stateFields } from './collections.ts';
import type { RewindableLedger, Row } from './ledger.ts';

/** The state of a world at one moment, as scenarios name it; `stateFields` says what is in it. */
export type State = Readonly<Record<CollectionName, Values>>;

/** Everything known of a world at one moment: its state, and the rows and documents behind it. */
export interface Evidence extends Omit<Sources, 'budgets'> {
  readonly state: State;
  readonly reservations: readonly Row[];
  readonly audit: readonly Row[];
}

export async function gatherEvidence(ledger: RewindableLedger, platform: Snapshot): Promise<Evidence> {
  const observations = await ledger.rows('select * from observations order by handle');
  const operations = await ledger.rows('select * from operations order by created_at, id');
  const approvals = await ledger.rows('select * from approvals order by created_at, id');
  const reservations = await ledger.rows('select * from reservations');
  const budgets = await ledger.rows('select * from budgets');
  const audit = await ledger.rows('select * from audit order by seq');
  const sources = { platform, observations, operations, approvals, budgets };
  const state = Object.fromEntries(collections.map((name) => [name, stateFields[name].read(sources)])) as State; // each of them
  return { platform, observations, operations, approvals, reservations, audit, state };
}
