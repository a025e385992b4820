import { bugs } from './bugs.ts';

const grows = (pattern: string) => `test/promises/growth.test.ts › ${pattern}`;
const archives = (pattern: string) => `test/promises/archive.test.ts › ${pattern}`;
const edits = (pattern: string) => `test/promises/ledger-edits.test.ts › ${pattern}`;

/** What is verified while Purser runs. */
// biome-ignore format: rows
export const growth = bugs([
  ['forgets-the-archives',
   'a chain whose oldest rows were archived is walked from its first row, and seems to be cut off',
   'src/ledger/chain.ts', archives('on SQLite.*goes on while another process archives'),
   `    if (start.seq > last.seq) last = start;\n`, ''],
  ['archives-what-is-not-there', 'rows that are not those of the archive are removed with the others',
   'src/ledger/archive.ts', archives('on SQLite.*goes on while another process archives'),
   `rows.length !== through.seq - start.seq || rows.at(-1)?.hash !== through.hash`, `rows.length < 0`],
  ['believes-verified-rows', 'a row that was verified once is never read again, whoever has written since',
   'src/ledger/verify-recent.ts', edits('SQLite.*another time in the first row'),
   `if (now.others === before.others) return 0;`, `if (now.others !== '') return 0;`],
  ['decides-unlooked', 'what was edited since the first call is not looked for in the transaction that sends',
   'src/engine/call.ts', edits('an edited audit.*refuses'),
   `        verified = await audit.demandUnchanged(tx, firstReads(tool, args, caller));\n`, ''],
  ['asks-one-by-one', 'what a decision begins with is read by a statement of its own',
   'src/ledger/transaction.ts', 'test/engine/statements.test.ts › a refusal once more',
   `await own.rows.observations.readAhead(handles, async () => things);`, 'void things;'],
  ['looks-twice', 'the calls that may still change what is shown are read by a statement of their own',
   'src/ledger/transaction.ts', 'test/engine/statements.test.ts › a list that one page holds',
   'own.rows.lookups.size === 0 ?', 'own.rows.lookups.size < 0 ?'],
  ['believes-any-position', 'a position that was remembered is believed after somebody has written',
   'src/cli/verified-position.ts', edits('a start.*notices an edit before'),
   `read.data.unchanged !== unchanged) return`, `read.data.unchanged === '') return`],
  ['writes-each-refusal', 'each refusal is a row of the audit',
   'src/engine/refusal-log.ts', grows('refusals.*of one kind'),
   `if (open !== undefined && !isOver(open)) {`, `if (open !== undefined && isOver(open)) {`],
  ['counts-all', 'a list is counted from end to end',
   'src/ledger/paging.ts', grows('reads no more rows of a ledger of twice the size'),
   `query.limit(limits.countedRows + 1).execute()`, `query.limit(2 ** 40).execute()`],
  ['walks-for-tenants', 'the tenants with something overdue are looked for in every operation',
   'src/ledger/cross-tenant.ts', grows('reads through no table that grows'),
   `    .select('tenant')
    .where(due[state])`,
   `    .select('tenant')
    .where(sql<boolean>\`state || '' = \${state}\`)`],
  ['gives-up-early', 'a database that restarts is given up after half of the time, because pauses count twice',
   'src/ledger/retry.ts', 'test/ledger/retry.test.ts › is done though the database is away for 9900 ms',
   `now() - begun >= PATIENCE_MS`, `2 * (now() - begun) >= PATIENCE_MS`],
  ['same-card-twice', 'a card of a shopper with many is registered once more with each session',
   'src/engine/register.ts', 'test/engine/register.test.ts › gets the same card once, however many there are',
   `  } while (cursor !== undefined);`, `  } while (cursor === '');`],
  ['the-first-thousand', 'a look says nothing of a call for its thing where a thousand others are open',
   'src/ledger/operations.ts', 'test/engine/still-open.test.ts › tells of it, and of a charge that was looked up, however many other calls are open',
   'return [...found.values(), ...rows', 'return [...rows'],
]);
