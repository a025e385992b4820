import { describe, expect, it } from 'vitest';
import { code, files, type Line, lines, read, shown } from './files.ts';

const sources = files(['src', 'tools'], ['.ts', '.tsx', '.mts']);
const examples = files(['examples'], ['.ts']);
/** What tests share. Files that one process runs one after the other must find it as it was. */
const everyTestFile = files(['test'], ['.ts']);
const testParts = everyTestFile.filter((file) => !file.endsWith('.test.ts'));
/** Spelt so that the configuration does not take this file for one that replaces modules. */
const replacing = ["mock('node:fs')", "stubGlobal('fetch', it)"].map((call) => `vi.${call}`);
const outsideBin = sources.filter((file) => !file.startsWith('src/cli/'));
const lineWarning = 250;
const lineLimit = 400;

/** Who may open files besides `src/files`, and why. */
const openers: Readonly<Record<string, string>> = {
  'src/cli/prompts.ts': "reads the package's own prompts; a build puts their text in its place",
  'src/ledger/sqlite.ts': 'hands SQLite a file that makePrivate has looked at',
  'src/ledger/sqlite-file-check.ts': 'has a thread open the file that is open already, to read it',
  'src/sandbox/file.ts': 'hands SQLite a file that makePrivate has looked at',
  'src/cli/storage-paths.ts': 'hands SQLite a file that makePrivate has looked at',
};

/** The comparisons of a state or a status with a literal that stand for themselves, and why: it is in no machine. */
const comparing: Readonly<Record<string, readonly [comparison: string, because: string]>> = {
  'src/domains/billing/sandbox/plans.ts': [
    "status === 'DRAFT'",
    'what the request asks for: that a plan is created as a draft',
  ],
  'src/domains/passkey/sandbox/frame.ts': [
    "found?.state !== 'open'",
    "a ceremony of the sandbox's own iframe, for which no document names states",
  ],
  'src/domains/passkey/sandbox/handlers.ts': [
    "state === 'complete'",
    "a ceremony of the sandbox's own iframe, for which no document names states",
  ],
  'tools/billing/amend-plan.ts': [
    "answer?.body.planInformation.status === 'DRAFT'",
    "what the platform's answer says, before it is a state",
  ],
  'tools/billing/create-subscription.ts': [
    "answer?.body.status === 'DECLINED'",
    "what the platform's answer says of a creation, which is no state",
  ],
  'tools/conversion/offers.ts': [
    "body.status === 'PENDING'",
    "what the platform's answer says of an offer, which is no state",
  ],
  'tools/device/enrollment.ts': ["status === 'notEnrolled'", "what the reader's answer says, before it is a state"],
  'tools/purchase/instruction.ts': [
    "body.status === 'PENDING'",
    "what the platform's answer says, before it is a state",
  ],
  'tools/reporting/read-reports.ts': [
    "it.status === 'RUNNING'",
    "what the platform's answer says of reports, which have no machine outside the sandbox",
  ],
};
/** A line without the comparison that stands for itself in its file. */
const unlisted = ({ file, text }: Pick<Line, 'file' | 'text'>): string => text.replace(comparing[file]?.[0] ?? '', '');
/** A state or a status beside a literal. `none` is no state: the thing doesn't exist. */
const compared =
  /(?<!typeof [\w.?[\]]*)\b(?:state|status)[!?]? *[!=]==? *['"`](?!none['"`])|(?<!typeof.*)['"`] *[!=]==? *[\w.?]*\b(?:state|status)\b|\[['"`][^\]]*\]\.includes\([\w.?]*\b(?:state|status)\b/;
const decides = (file: string): boolean =>
  /^(?:src\/engine|tools)\/|^src\/domains\/\w+\/(?:guards\.ts|sandbox\/(?!machines\.ts))/.test(file);

interface HouseRule {
  readonly rule: string;
  readonly files: readonly string[];
  readonly never: RegExp;
  /** What counts of a line, where that is not all of it. */
  readonly of?: (line: Line) => string;
  /** Comments count too. */
  readonly everywhere?: true;
  readonly caught: readonly string[];
  readonly passed: readonly string[];
}

// biome-ignore format: a table
const rules: readonly HouseRule[] = [
  { rule: 'prints nothing: stdout belongs to MCP', files: outsideBin, never: /\bconsole\.\w|\bprocess\.stdout\b/,
    caught: ["console.error('x')", 'process.stdout.write(x)'],
    passed: ["'Decide it in the console.'", "from '../console/server.ts'"] },
  { rule: 'takes time, ids and randomness from ports', files: outsideBin,
    never: /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\brandomUUID\(/,
    caught: ['Date.now()', 'new Date()', 'Math.random()', 'crypto.randomUUID()'],
    passed: ['new Date(clock.now())', 'Date.parse(text)', 'Math.max(1, 2)'] },
  { rule: 'opens files through src/files alone, where owner, type, mode and size are checked',
    files: sources.filter((file) => !file.startsWith('src/files/') && openers[file] === undefined),
    never: /['"](?:node:)?fs(?:\/promises)?['"]|\bnew DatabaseSync\(|\bprocess\.binding\(/,
    caught: [
      "import { readFileSync } from 'node:fs';",
      "import { open } from 'node:fs/promises';",
      "const fs = require('fs')",
      "await import('node:fs')",
      'new DatabaseSync(file)',
    ],
    passed: ["import type { DatabaseSync } from 'node:sqlite';", "'a file of the disk'"] },
  { rule: 'replaces modules in a test alone: vitest.config.ts looks for that in no other file', files: testParts,
    never: /\bvi\.(?:mock|doMock|stubGlobal)\(|\bprocess\.chdir\(/, caught: replacing, passed: ["vi.spyOn(process.stdout, 'write')"] },
  { rule: 'sets a variable of its process with vi.stubEnv, which can be taken back', files: everyTestFile,
    never: /\bprocess\.env(?:\.\w+|\[[^\]]+\]) ?=[^=]|\bdelete process\.env|\bassign\(process\.env/,
    caught: ["HOME = '/'", "['HOME'] = '/'"].map((it) => `process.env${it.startsWith('[') ? it : `.${it}`}`),
    passed: ["process.env.SOAK === '1'", "vi.stubEnv('HOME', '/')"] },
  { rule: 'exports by name', files: [...sources, ...examples], never: /^\s*export default\b|\bas default\b/,
    caught: ['export default machine;', 'export { it as default };'],
    passed: ['export const it = 1;', "switch (x) { default: return 'export default' }"] },
  { rule: 'casts nothing to any', files: [...sources, ...examples],
    never: /\bas any\b(?! [a-z])|<any>|: any\b(?! [a-z])/,
    caught: ['(it as any).x', 'const x: any = 1', 'it as any;', '<any>it'],
    passed: ["'the same as any other'", "'Refused: any amount above it'", 'as unknown as Any'] },
  { rule: 'leaves nothing for later', files: [...sources, ...examples], never: /\b(TODO|FIXME|XXX|HACK)\b/,
    everywhere: true, caught: ['// TODO: more', '/* FIXME */'], passed: ['mastodon', "todo: 'list'"] },
  { rule: 'asks through no channel that a client may not have', files: sources,
    never: /\b(elicitInput|createMessage|requestSampling)\b/,
    caught: ['await server.elicitInput({})', 'server.createMessage({})'], passed: ["'elicitation/create'"] },
  { rule: 'tests no status: state lives in a machine, and what asks for one goes by a name beside it',
    files: sources.filter(decides), never: compared, of: unlisted,
    caught: [
      "things.offer?.state !== 'USED'",
      "if (state === 'PENDING') return;",
      "'PAID' === it.state",
      "it.body.status === `ACTIVE`",
      "['PAID', 'SKIPPED'].includes(it.state)",
    ],
    passed: ["state === 'none'", "typeof state === 'string'", 'state === wanted', 'status === 404', "{ state: 'none' }"] },
  { rule: 'takes an hour and a day in milliseconds from src/core/schedule.ts',
    files: sources.filter((file) => file !== 'src/core/schedule.ts'), never: /\b(?:86_?400_?000|3_?600_?000)\b/,
    caught: ['const day = 86_400_000;', 'hours * 3600000'], passed: ['z.int().max(86_400)', 'seconds: 3_600'] },
  { rule: 'takes from the model only what a tool states', files: files(['tools'], ['.ts']), never: /\bz\.object\(/,
    caught: ['z.object({})', 'z.object({ name: text })'],
    passed: ['z.strictObject({})', 'z.record(z.string(), z.json())'] },
];

describe('the code', () => {
  it.each(rules)('$rule', ({ files: scanned, never, everywhere, of = ({ text }) => text }) => {
    const found = scanned.flatMap((file) =>
      (everywhere ? lines(file) : code(file)).filter((line) => never.test(of(line))),
    );
    expect(shown(found)).toEqual([]);
  });

  it.each(rules)('and a breach is noticed of: $rule', ({ never, caught, passed }) => {
    expect([caught.filter((text) => !never.test(text)), passed.filter((text) => never.test(text))]).toEqual([[], []]);
  });

  it('has no opener of files that opens none', () => {
    const idle = Object.keys(openers).filter((file) => !/'node:(?:fs|sqlite)'|core\/sqlite\.ts'/.test(read(file)));
    expect(idle).toEqual([]);
  });

  it('has no exception for a comparison that is not there, or for a second one', () => {
    const counted = Object.entries(comparing).filter(
      ([file, [comparison]]) =>
        !decides(file) || !compared.test(comparison) || read(file).split(comparison).length !== 2,
    );
    expect(counted).toEqual([]);
  });

  it('has an exception for one comparison of a file, and none for another', () => {
    const [file = '', [comparison]] = Object.entries(comparing)[0] ?? ['', ['']];
    const asked = [comparison, `${comparison} || status === 'ACTIVE'`].map((text) => unlisted({ file, text }));
    expect(asked.map((text) => compared.test(text))).toEqual([false, true]);
  });

  it(`keeps a file within ${lineLimit} lines`, () => {
    const long = files(['src', 'tools', 'evals/harness', 'scripts'], ['.ts']).map((file) => ({
      file,
      count: read(file).trimEnd().split('\n').length,
    }));
    const warned = long.filter(({ count }) => count > lineWarning).map(({ file, count }) => `${file}: ${count}`);
    if (warned.length > 0) console.warn(`longer than ${lineWarning} lines, think again:\n  ${warned.join('\n  ')}`);
    expect(long.filter(({ count }) => count > lineLimit)).toEqual([]);
  });
});

describe('the tests', () => {
  it('give back the timers that they replace, because their files share a process', () => {
    const kept = everyTestFile.filter(
      (file) =>
        /\bvi\.useFakeTimers\(/.test(read(file)) && !/afterEach\(\(\) => void vi\.useRealTimers\(\)\)/.test(read(file)),
    );
    expect(kept).toEqual([]);
  });

  const tests = files(['test', 'evals', 'bench'], ['.ts']);
  // Each pattern is spelt so that it does not match itself.
  const never = /\.(?:only|skip|todo)(?:If)?\b\s*[(`.]|\bsetTimeout\(|\bsleep\(|\bsetTimeout\b.*['"]node:timers/;

  it('run all, wait for nothing and depend on no time', () => {
    const found = tests.flatMap((file) => lines(file).filter(({ text }) => never.test(text)));
    expect(shown(found)).toEqual([]);
    expect(tests.length).toBeGreaterThan(0);
  });

  it('are noticed when they do not', () => {
    const left = ['only', 'skip', 'todo', 'skipIf'].map((word) => `it.${word}('x', f)`);
    const slow = ['setTimeout', 'sleep'].map((word) => `await ${word}(f, 10)`);
    expect([...left, ...slow].filter((text) => !never.test(text))).toEqual([]);
    expect(["it('skips only what is to do')", 'list.onlyOnce()'].filter((text) => never.test(text))).toEqual([]);
  });
});
