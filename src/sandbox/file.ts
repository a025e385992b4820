import { DatabaseSync } from '../core/sqlite.ts';
import { timeOf } from './clock.ts';
import type { ClockDocument, Snapshot } from './documents.ts';
import { World } from './world.ts';

// Strict tables. `effects` is append-only, so no handler can rewrite history.
const schema = `
  CREATE TABLE IF NOT EXISTS documents (
    kind TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL, due INTEGER, PRIMARY KEY (kind, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS documents_due ON documents (due, kind, id) WHERE due IS NOT NULL;
  CREATE TABLE IF NOT EXISTS counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS effects (
    seq INTEGER PRIMARY KEY, operation TEXT NOT NULL, entity TEXT NOT NULL, correlationId TEXT NOT NULL,
    digest TEXT NOT NULL, status INTEGER NOT NULL, at INTEGER NOT NULL
  ) STRICT;
  CREATE TRIGGER IF NOT EXISTS effects_stand BEFORE UPDATE ON effects
    BEGIN SELECT RAISE(ABORT, 'an effect is never changed'); END;
`;

/** How long creating a world waits for another process that creates the same one. Own choice. */
const creationMilliseconds = 10_000;
/**
 * A request waits for other transactions on the file in short steps and yields between them, because it may wait for a
 * transaction of its own process. 10 seconds in all. Own choice.
 */
const stepMilliseconds = 5;
const mostSteps = 2000;
/** Most of its pages that are kept in memory. Own choice: with SQLite's 2 MiB, a large world reads the same pages again and again. */
const cacheKibibytes = 32_768;
/** SQLITE_BUSY. */
const busyCode = 5;

export interface WorldOptions {
  /** A path, or `:memory:`. Several processes may share a file. */
  readonly file: string;
  /** The real time in milliseconds. */
  readonly wall: () => number;
  /** Ids, keys and cryptograms are derived from it. Applies to a new file only. */
  readonly seed: number;
  /** Freezes the clock at this time until it is moved. Applies to a new file only. */
  readonly frozenAt: number | null;
  /** Adds the documents of a new world. */
  readonly begin: (world: World, seed: number, frozenAt: number | null) => void;
}

/** The durable world. Between transactions all state is in the file. */
export class WorldFile {
  readonly #database: DatabaseSync;
  readonly #options: WorldOptions;
  readonly #clock: () => ClockDocument;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: WorldOptions) {
    this.#options = options;
    this.#database = new DatabaseSync(options.file, { timeout: creationMilliseconds });
    this.#database.exec(
      `PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -${cacheKibibytes}`,
    );
    if (!this.#isWorld()) this.#create(options);
    this.#clock = clockOf(this.#database);
    this.#database.exec(`PRAGMA busy_timeout = ${stepMilliseconds}`);
  }

  /** Runs `work` in an immediate transaction, in the order of the calls. Rolls back if it throws. */
  transaction<T>(work: (world: World) => T | Promise<T>): Promise<T> {
    const run = this.#last.then(() => this.#run(work));
    // The caller gets the error; the next transaction only waits.
    this.#last = run.catch(() => undefined);
    return run;
  }

  /** The virtual time, in milliseconds, as of now. */
  now(): number {
    this.#demandOpen();
    return timeOf(this.#clock(), this.#options.wall());
  }

  /** The whole world as data. Equal worlds have equal snapshots. */
  snapshot(): Promise<Snapshot> {
    return this.transaction((world) => world.export());
  }

  /** Replaces the whole world by a snapshot. */
  restore(snapshot: Snapshot): Promise<void> {
    return this.transaction((world) => world.import(snapshot));
  }

  /** Closes the file after the running transactions. */
  async close(): Promise<void> {
    await this.#last;
    this.#database.close();
  }

  async #run<T>(work: (world: World) => T | Promise<T>): Promise<T> {
    await this.#begin();
    try {
      const wall = this.#options.wall();
      const now = timeOf(this.#clock(), wall);
      const { seed } = new World(this.#database, now, 0, wall).must('origin', 'origin');
      const result = await work(new World(this.#database, now, seed, wall));
      this.#database.exec('COMMIT');
      return result;
    } catch (failure) {
      // On some errors, such as a full disk, SQLite rolls back by itself.
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw failure;
    }
  }

  #demandOpen(): void {
    if (!this.#database.isOpen) throw new Error('The sandbox is closed: open it again.');
  }

  async #begin(): Promise<void> {
    this.#demandOpen();
    for (let step = 1; !this.#begins(step === mostSteps); step += 1)
      await new Promise<void>((resolve) => setImmediate(resolve));
  }

  /** Whether a transaction has begun; false while another connection writes. The last try throws instead. */
  #begins(isLast: boolean): boolean {
    try {
      this.#database.exec('BEGIN IMMEDIATE');
      return true;
    } catch (failure) {
      if (!isLast && failure instanceof Error && 'errcode' in failure && failure.errcode === busyCode) return false;
      throw failure;
    }
  }

  #isWorld(): boolean {
    return this.#database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'effects_stand'").get() !== undefined;
  }

  /** Creates the world, unless another process already did. */
  #create({ wall, seed, frozenAt, begin }: WorldOptions): void {
    this.#database.exec('BEGIN IMMEDIATE');
    this.#database.exec(schema);
    const present = new World(this.#database, wall(), seed, wall());
    if (present.get('origin', 'origin') === undefined) begin(present, seed, frozenAt);
    this.#database.exec('COMMIT');
  }
}

/** Reads a world's clock. It is asked for the time several times a call, so its text is parsed only when it has changed. */
function clockOf(database: DatabaseSync): () => ClockDocument {
  const stored = database.prepare("SELECT body FROM documents WHERE kind = 'clock' AND id = 'clock'");
  let text = '';
  let clock: ClockDocument | undefined;
  return () => {
    const body = String(stored.get()?.body ?? '');
    if (clock !== undefined && body === text) return clock;
    if (body === '') throw new Error('The world has no clock.');
    text = body;
    clock = JSON.parse(body) as ClockDocument; // the only document of its kind
    return clock;
  };
}
