import type { Snapshot } from '../../../src/sandbox/index.ts';
import type { Values } from '../scenario/schema.ts';
import type { Row } from './ledger.ts';

/** One collection of the state: what scenarios can name in it, what the documentation lists, and how it is read. */
export interface Collection {
  /** Whether `expect.changed` covers it. */
  readonly frame: boolean;
  /** What its members are keyed by. */
  readonly by: string;
  readonly fields?: Readonly<Record<string, string>>;
  /** Where members have no fields: what the value means. */
  readonly value?: string;
  /** Every possible key, where it is known beforehand. */
  readonly names?: readonly string[];
  readonly read: (sources: Sources) => Values;
}

/** What a state is read from: the sandbox's documents and the ledger's rows. */
export interface Sources {
  readonly platform: Snapshot;
  readonly observations: readonly Row[];
  readonly operations: readonly Row[];
  readonly approvals: readonly Row[];
  readonly budgets: readonly Row[];
}

/** A body of the ledger or the sandbox: JSON that its own module wrote. */
export type Body = Readonly<Record<string, unknown>>;

export const bodyOf = (stored: string | number | null | undefined): Body => JSON.parse(String(stored ?? '{}')) as Body;

/** What the ledger knows of each thing of a kind. */
export const observed = ({ observations }: Pick<Sources, 'observations'>, kind: string) =>
  observations
    .filter((row) => row.kind === kind)
    .map((row) => ({ row, handle: String(row.handle), body: bodyOf(row.body) }));

/** The sandbox's documents of a kind, by id. */
export const documents = ({ platform }: Pick<Sources, 'platform'>, kind: string): ReadonlyMap<string, Body> =>
  new Map(
    platform.documents.filter((it) => it.kind === kind).map(({ body }) => [body.id, body as unknown as Body]), // the sandbox's own documents
  );

export const text = (value: unknown): string => String(value ?? '');

/** An object with a member for each item of a list. */
export const keyed = <T>(items: Iterable<T>, member: (item: T) => readonly [string, Values[string]]): Values =>
  Object.fromEntries([...items].map(member));

/** How often each name occurs. */
export const counts = (names: readonly string[]): Values =>
  Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]));
