import { mkdtempSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connectInMemory } from '../../evals/harness/world/mcp.ts';
import { countStatements, mandates, type Story, stories } from '../../test/engine/statements.ts';
import { agent, openWorld } from '../../test/engine/support.ts';

// What a call costs, as counts that no machine changes: SQL statements of the ledger, and the files and functions of Purser that
// it enters from MCP to the wire and back, without the simulated platform.

const root = fileURLToPath(new URL('../..', import.meta.url));
const inspector = new Session();

export async function counted(): Promise<readonly object[]> {
  const statements = countStatements();
  inspector.connect();
  await inspector.post('Profiler.enable');
  await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  try {
    const rows: object[] = [];
    for (const story of stories) rows.push(await measured(story, statements));
    return rows;
  } finally {
    statements.restore();
    inspector.disconnect();
  }
}

async function measured(
  { title, tool, prepare }: Story,
  statements: ReturnType<typeof countStatements>,
): Promise<object> {
  const data = mkdtempSync(join(tmpdir(), 'purser-calls-'));
  const it = await openWorld({ configure: { data, mandates } });
  const mcp = await connectInMemory(it.running.engine, agent, '1.0.0');
  try {
    const args = await prepare(it);
    await it.call('enroll_card', { card: 'card_cleo' });
    await entered();
    const count = await statements.of(() => mcp.callTool(tool, args));
    const { files, functions } = await entered();
    return { call: title, tool, statements: count, files, functions };
  } finally {
    await mcp.close();
    await it.running.close();
    rmSync(data, { recursive: true });
  }
}

/** The files and functions that were entered since the last time this was asked. */
async function entered(): Promise<{ readonly files: number; readonly functions: number }> {
  const { result } = await inspector.post('Profiler.takePreciseCoverage');
  const own = result.filter(({ url }) => isOwn(url));
  const functions = own.map(
    (file) =>
      file.functions.filter(({ functionName, ranges: [whole] }) => functionName !== '' && (whole?.count ?? 0) > 0)
        .length,
  );
  return {
    files: functions.filter((count) => count > 0).length,
    functions: functions.reduce((sum, it) => sum + it, 0),
  };
}

/** Whether a script is one of Purser's, and not of the simulated platform. */
function isOwn(url: string): boolean {
  if (!url.startsWith('file:')) return false;
  const path = relative(root, fileURLToPath(url));
  return /^(src|tools)\//.test(path) && !/(^|\/)sandbox(es\.ts$|\/)/.test(path);
}
