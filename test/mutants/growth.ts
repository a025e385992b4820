import type { Mutant } from './mutants.ts';

const grows = (pattern: string) => `test/promises/growth.test.ts › ${pattern}`;
const archives = (pattern: string) => `test/promises/archive.test.ts › ${pattern}`;
const edits = (pattern: string) => `test/promises/ledger-edits.test.ts › ${pattern}`;

/** What is verified while Purser runs. */
export const growth: readonly Mutant[] = [
  {
    id: 'forgets-the-archives',
    title: 'a chain whose oldest rows were archived is walked from its first row, and seems to be cut off',
    file: 'src/ledger/chain.ts',
    find: `    if (start.seq > last.seq) last = start;\n`,
    replace: '',
    caughtBy: archives('on SQLite.*goes on while another process archives'),
  },
  {
    id: 'archives-what-is-not-there',
    title: 'rows that are not those of the archive are removed with the others',
    file: 'src/ledger/archive.ts',
    find: `rows.length !== through.seq - start.seq || rows.at(-1)?.hash !== through.hash`,
    replace: `rows.length < 0`,
    caughtBy: archives('on SQLite.*goes on while another process archives'),
  },
  {
    id: 'believes-verified-rows',
    title: 'a row that was verified once is never read again, whoever has written since',
    file: 'src/ledger/verify-recent.ts',
    find: `if (now.others === before.others) return 0;`,
    replace: `if (now.others !== '') return 0;`,
    caughtBy: edits('SQLite.*another time in the first row'),
  },
  {
    id: 'decides-unlooked',
    title: 'what was edited since the first call is not looked for in the transaction that sends',
    file: 'src/engine/call.ts',
    find: `        await audit.demandUnchanged(tx);\n`,
    replace: '',
    caughtBy: edits('an edited audit.*refuses'),
  },
  {
    id: 'believes-any-position',
    title: 'a position that was remembered is believed after somebody has written',
    file: 'src/cli/verified-position.ts',
    find: `read.data.unchanged !== unchanged) return`,
    replace: `read.data.unchanged === '') return`,
    caughtBy: edits('a start.*notices an edit before'),
  },
  {
    id: 'writes-each-refusal',
    title: 'each refusal is a row of the audit',
    file: 'src/engine/refusal-log.ts',
    find: `if (open !== undefined && !isOver(open)) {`,
    replace: `if (open !== undefined && isOver(open)) {`,
    caughtBy: grows('refusals.*of one kind'),
  },
  {
    id: 'counts-all',
    title: 'a list is counted from end to end',
    file: 'src/ledger/paging.ts',
    find: `query.limit(limits.countedRows + 1).execute()`,
    replace: `query.limit(2 ** 40).execute()`,
    caughtBy: grows('reads no more rows of a ledger of twice the size'),
  },
  {
    id: 'walks-for-tenants',
    title: 'the tenants with something overdue are looked for in every operation',
    file: 'src/ledger/cross-tenant.ts',
    find: `    .select('tenant')
    .where(due[state])`,
    replace: `    .select('tenant')
    .where(sql<boolean>\`state || '' = \${state}\`)`,
    caughtBy: grows('reads through no table that grows'),
  },
];
