import { createHash, createHmac } from 'node:crypto';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { Document, Effect, Kind, Kinds, Snapshot } from './documents.ts';

/** The world in one transaction, at one moment of the virtual clock. */
export class World {
  /** Milliseconds of the virtual clock. */
  readonly now: number;
  /** Milliseconds of the wall clock. */
  readonly wall: number;
  readonly #database: DatabaseSync;
  readonly #seed: number;

  constructor(database: DatabaseSync, now: number, seed: number, wall: number) {
    this.#database = database;
    this.#seed = seed;
    this.now = now;
    this.wall = wall;
  }

  /** The same world at another moment. */
  at(now: number): World {
    return new World(this.#database, now, this.#seed, this.wall);
  }

  get<K extends Kind>(kind: K, id: string): Kinds[K] | undefined {
    const row = this.#rows('SELECT body FROM documents WHERE kind = ? AND id = ?', kind, id)[0];
    return row === undefined ? undefined : this.#document(row);
  }

  /** A document that every world has. Throws if the file is not a world. */
  must<K extends Kind>(kind: K, id: string): Kinds[K] {
    const found = this.get(kind, id);
    if (found === undefined) throw new Error(`The world has no ${kind} "${id}".`);
    return found;
  }

  /** Every document of a kind, by id. */
  list<K extends Kind>(kind: K): readonly Kinds[K][] {
    return this.#rows('SELECT body FROM documents WHERE kind = ? ORDER BY id', kind).map((row) => this.#document(row));
  }

  /** Every document of a kind whose id starts with an ASCII prefix, by id. */
  listUnder<K extends Kind>(kind: K, prefix: string): readonly Kinds[K][] {
    const rows = this.#rows(
      'SELECT body FROM documents WHERE kind = ? AND id >= ? AND id < ? ORDER BY id',
      ...[kind, prefix, `${prefix}\u{10ffff}`],
    );
    return rows.map((row) => this.#document(row));
  }

  /** The number of documents of a kind. */
  number(kind: Kind): number {
    return Number(this.#rows('SELECT count(*) AS number FROM documents WHERE kind = ?', kind)[0]?.number);
  }

  /** The last `most` documents of a kind, by id. */
  last<K extends Kind>(kind: K, most: number): readonly Kinds[K][] {
    const rows = this.#rows('SELECT body FROM documents WHERE kind = ? ORDER BY id DESC LIMIT ?', kind, most);
    return rows.map((row) => this.#document<Kinds[K]>(row)).toReversed();
  }

  /** Writes a document; it replaces an older one with the same kind and id. */
  put<K extends Kind>(kind: K, document: Kinds[K]): Kinds[K] {
    this.#write(kind, document);
    return document;
  }

  remove(kind: Kind, id: string): void {
    this.#rows('DELETE FROM documents WHERE kind = ? AND id = ?', kind, id);
  }

  /** The document of these kinds that fell due first. */
  firstDue<K extends Kind>(kinds: readonly K[]): { readonly kind: K; readonly document: Kinds[K] } | undefined {
    const wanted = kinds.map(() => '?').join(', ');
    const found = this.#rows(
      // By primary key SQLite would read every document of these kinds, each time.
      `SELECT kind, body FROM documents INDEXED BY documents_due
       WHERE due <= ? AND kind IN (${wanted}) ORDER BY due, kind, id LIMIT 1`,
      this.now,
      ...kinds,
    )[0];
    // The query returns the given kinds only.
    return found === undefined ? undefined : { kind: found.kind as K, document: this.#document(found) };
  }

  /** The next number of a counter, from 1. */
  count(name: string): number {
    const counted = this.#rows(
      'INSERT INTO counters VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET value = value + 1 RETURNING value',
      name,
    )[0];
    return Number(counted?.value);
  }

  /** A new id in UUID format. The same seed and calls give the same ids. */
  uuid(name: string): string {
    const hex = this.derive(`${name}/${this.count(name)}`).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  }

  /** 32 bytes derived from the world's seed and a text. */
  derive(text: string): Buffer {
    return createHmac('sha256', `purser sandbox ${this.#seed}`).update(text).digest();
  }

  /** Records that a request took effect. */
  effect(effect: Omit<Effect, 'seq' | 'at'>): void {
    const { operation, entity, correlationId, digest, status } = effect;
    this.#rows(
      'INSERT INTO effects (operation, entity, correlationId, digest, status, at) VALUES (?, ?, ?, ?, ?, ?)',
      ...[operation, entity, correlationId, digest, status, this.now],
    );
  }

  /** Every effect, oldest first. */
  effects(): readonly Effect[] {
    // The columns of the table are the properties of an effect.
    return this.#rows('SELECT * FROM effects ORDER BY seq').map((row) => ({ ...row }) as unknown as Effect);
  }

  /** Runs `work` in a savepoint; rolls back if it throws. */
  async attempt<T>(work: () => T | Promise<T>): Promise<T> {
    this.#database.exec('SAVEPOINT attempt');
    try {
      return await work();
    } catch (failure) {
      this.#database.exec('ROLLBACK TO attempt');
      throw failure;
    } finally {
      this.#database.exec('RELEASE attempt');
    }
  }

  export(): Snapshot {
    const documents = this.#rows('SELECT kind, body FROM documents ORDER BY kind, id');
    const counters = this.#rows('SELECT name, value FROM counters ORDER BY name');
    return {
      version: 1,
      documents: documents.map((row) => ({ kind: String(row.kind), body: this.#document(row) })),
      counters: Object.fromEntries(counters.map((row) => [String(row.name), Number(row.value)])),
      effects: this.effects(),
    };
  }

  import(snapshot: Snapshot): void {
    this.clear();
    for (const { kind, body } of snapshot.documents) this.#write(kind, body);
    for (const [name, value] of Object.entries(snapshot.counters))
      this.#rows('INSERT INTO counters VALUES (?, ?)', name, value);
    for (const effect of snapshot.effects) {
      const { seq, operation, entity, correlationId, digest, status, at } = effect;
      this.#rows(
        'INSERT INTO effects VALUES (?, ?, ?, ?, ?, ?, ?)',
        ...[seq, operation, entity, correlationId, digest, status, at],
      );
    }
  }

  clear(): void {
    this.#database.exec('DELETE FROM documents; DELETE FROM counters; DELETE FROM effects');
  }

  #write(kind: string, document: Document): void {
    const body = JSON.stringify(document);
    this.#rows('INSERT OR REPLACE INTO documents VALUES (?, ?, ?, ?)', kind, document.id, body, document.due ?? null);
  }

  #rows(sql: string, ...values: readonly SQLInputValue[]) {
    return statement(this.#database, sql).all(...values);
  }

  #document<D extends Document>(row: Record<string, unknown>): D {
    // `put` wrote it under the same kind, or it came in a snapshot, whose documents are not validated.
    return JSON.parse(String(row.body)) as D;
  }
}

const prepared = new WeakMap<DatabaseSync, Map<string, ReturnType<DatabaseSync['prepare']>>>();

/** Prepares a statement once for each database: preparing costs more than running. */
function statement(database: DatabaseSync, sql: string) {
  const known = prepared.get(database) ?? new Map<string, ReturnType<DatabaseSync['prepare']>>();
  prepared.set(database, known);
  const ready = known.get(sql) ?? database.prepare(sql);
  known.set(sql, ready);
  return ready;
}

/** SHA-256 in Base64, the platform's format for digests. */
export const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('base64');
