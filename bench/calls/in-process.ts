import { DatabaseSync, StatementSync } from 'node:sqlite';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { countStatements } from '../../test/engine/statements.ts';
import { bareServer } from '../bare-server.ts';
import { cell, computedHere, medianOf } from './figures.ts';
import { openWarm, type Work } from './warm.ts';

// Calls in one process that is warm, with the ledger and the embedded sandbox on disk.

const warmUps = 30;
const milliseconds = 2_000;

export async function inProcess(): Promise<readonly object[]> {
  const statements = countStatements();
  const commits = countCommits();
  const bare = await openBare();
  const { works, close } = await openWarm();
  try {
    const rows: object[] = [];
    let base = Number.NaN;
    for (const [name, work] of Object.entries({ [bare.name]: bare.work, ...works })) {
      const { median, computing, calls } = await measured(work);
      if (name === bare.name) base = computing;
      await work.prepare?.();
      const before = commits.count();
      const count = await statements.of(work);
      rows.push({
        'in process, warm': name,
        'median, ms': cell(median),
        computing: cell(computing),
        'to bare': cell(computing / base, 1),
        statements: count,
        transactions: commits.count() - before,
        calls,
      });
    }
    return rows;
  } finally {
    await bare.close();
    await close();
    commits.restore();
    statements.restore();
  }
}

/** How long one call takes, and how long it computes. */
async function measured(work: Work) {
  for (let run = 0; run < warmUps; run += 1) {
    await work.prepare?.();
    await work();
  }
  const times: number[] = [];
  let computing = 0;
  for (const end = performance.now() + milliseconds; performance.now() < end; ) {
    await work.prepare?.();
    const began = { at: performance.now(), computed: computedHere() };
    await work();
    times.push(performance.now() - began.at);
    computing += computedHere() - began.computed;
  }
  return { median: medianOf(times), computing: computing / times.length, calls: times.length };
}

/** The barest server behind MCP in this process. */
async function openBare(): Promise<{
  readonly name: string;
  readonly work: Work;
  readonly close: () => Promise<void>;
}> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  await bareServer().connect(far);
  const client = new Client({ name: 'bench', version: '1.0.0' }, { versionNegotiation: { mode: 'legacy' } });
  await client.connect(near);
  return {
    name: 'bare, over MCP in memory',
    work: () => client.callTool({ name: 'add', arguments: { a: 1, b: 2 } }),
    close: () => client.close(),
  };
}

/** Counts how often a transaction ends in any database of this process, also one that only reads. */
function countCommits() {
  const { run } = StatementSync.prototype;
  const { exec } = DatabaseSync.prototype;
  let count = 0;
  const noted = (text: string): void => {
    if (text === 'COMMIT') count += 1;
  };
  Object.assign(StatementSync.prototype, {
    run(this: StatementSync, ...given: never[]) {
      noted(this.sourceSQL);
      return (run as (...given: never[]) => unknown).apply(this, given);
    },
  });
  Object.assign(DatabaseSync.prototype, {
    exec(this: DatabaseSync, text: string) {
      noted(text);
      return exec.call(this, text);
    },
  });
  return {
    count: () => count,
    restore: (): void => {
      Object.assign(StatementSync.prototype, { run });
      Object.assign(DatabaseSync.prototype, { exec });
    },
  };
}
