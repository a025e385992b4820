import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// `npm run mutation [-- tables | code] [options of Stryker]`: changes the code at every place that Stryker knows, and runs the
// tests that are closest to it: for the machines those that hold them against tables written elsewhere. Fails below 90 %
// noticed, and for a single change of a transition table that nobody notices.

const root = new URL('..', import.meta.url);
const stryker = fileURLToPath(new URL('node_modules/@stryker-mutator/core/bin/stryker.js', root));
const report = new URL('coverage/mutation.json', root);
const parts = ['tables', 'code'] as const;
type Part = (typeof parts)[number];

/** From, trigger, condition, to, and a note. */
const rowColumns = 5;

interface Report {
  readonly files: {
    readonly [file: string]: { readonly mutants: readonly Mutant[] };
  };
}
interface Mutant {
  readonly mutatorName: string;
  readonly status: string;
  readonly location: { readonly start: { readonly line: number; readonly column: number } };
}

/** The files that hold transition tables. */
const tables = [
  ...readdirSync(new URL('src/domains/', root), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `src/domains/${name}/machines.ts`),
  'src/core/own-machines.ts',
];

const [first, ...more] = process.argv.slice(2);
const chosen = parts.filter((part) => part === first);
const options = chosen.length === 0 && first !== undefined ? [first, ...more] : more;
for (const part of chosen.length === 0 ? parts : chosen) {
  const code = await mutate(part);
  if (code !== 0) process.exitCode = 1;
  if (part === 'tables' && !areNoticed()) process.exitCode = 1;
}

/** Runs Stryker over one part of the code; answers its exit code. */
async function mutate(part: Part): Promise<number> {
  const which = part === 'tables' ? ['--mutate', ['src/core/machine.ts', ...tables].join(',')] : [];
  const env = { ...process.env, PURSER_MUTATED: part };
  rmSync(report, { force: true });
  const run = spawn(process.execPath, [stryker, 'run', ...which, ...options], { cwd: root, stdio: 'inherit', env });
  const [code] = (await once(run, 'exit')) as [number | null];
  return code ?? 1;
}

/**
 * Prints which changes of a transition table nobody has noticed, and answers whether tables were changed and all was noticed.
 * Stryker writes no report where the tests don't even pass without a change.
 */
function areNoticed(): boolean {
  if (!existsSync(report)) return false;
  const { files } = JSON.parse(readFileSync(report, 'utf8')) as Report;
  const unnoticed = tables.flatMap((file) =>
    (files[file]?.mutants ?? [])
      .filter(({ status }) => ['Survived', 'NoCoverage'].includes(status))
      .filter((mutant) => !isNote(file, mutant))
      .map(({ mutatorName, location: { start } }) => `${file}:${start.line}:${start.column} ${mutatorName}`),
  );
  const changed = tables.filter((file) => files[file] !== undefined);
  console.log(`Transition tables: ${changed.length} changed, ${unnoticed.length} changes unnoticed.`, ...unnoticed);
  return changed.length > 0 && unnoticed.length === 0;
}

/** Whether what was changed is the last column of a row: words for people, which the pages are made from. */
function isNote(file: string, { location: { start } }: Mutant): boolean {
  const line = readFileSync(new URL(file, root), 'utf8').split('\n')[start.line - 1] ?? '';
  const columns = [...line.matchAll(/'(?:[^'\\]|\\.)*'/g)].map(({ index }) => index + 1);
  return /^ {4}\['/.test(line) && columns.length === rowColumns && start.column === columns.at(-1);
}
