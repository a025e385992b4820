import type { Mutant } from './mutants.ts';

const rollback = (pattern: string) => `test/promises/rollback.test.ts › ${pattern}`;

const rows = (pattern: string) => `test/promises/ledger-rows.test.ts › ${pattern}`;

/** The ledger against its owner. */
export const integrity: readonly Mutant[] = [
  {
    id: 'anchors-too-late',
    title: 'a request leaves before the anchor covers its intent',
    file: 'src/engine/send-intent.ts',
    find: `    await moveAnchor(parts);
  } catch`,
    replace: `    if (row.attempt < 0) await moveAnchor(parts);
  } catch`,
    caughtBy: rollback('initiatePurchase.*leaves only after the anchor covers its intent'),
  },
  {
    id: 'believes-an-older-ledger',
    title: 'a ledger that ends before its anchor is taken for the newest one',
    file: 'src/ledger/anchor.ts',
    find: `if (seq < anchor.seq) return undefined;`,
    replace: `if (seq < anchor.seq) return { seq, hash };`,
    caughtBy: rollback('initiatePurchase.*ahead of the ledger.*is neither begun'),
  },
  {
    id: 'makes-a-lost-anchor',
    title: 'a missing anchor is made again without asking the operator',
    file: 'src/cli/anchor.ts',
    find: `const isFirst = configuration.auditAnchorFile === undefined && head.seq === 0;`,
    replace: `const isFirst = configuration.auditAnchorFile === undefined || head.seq === 0;`,
    caughtBy: rollback('an anchor that is missing at the start.*keeps Purser from starting: named by the operator'),
  },
  {
    id: 'anchors-side-by-side',
    title: 'processes move the anchor without waiting for each other',
    file: 'src/ledger/postgres.ts',
    find: `await sql\`select \${asReader}, \${lock}\`.execute(tx);`,
    replace: `await sql\`select \${asReader}\`.execute(tx);`,
    caughtBy: 'test/ledger/anchored.test.ts › is moved on PostgreSQL by one replica after the other',
  },
  {
    id: 'forgets-what-is-missing',
    title: 'a decision that finds a thing missing does not ask whether it was taken away',
    file: 'src/ledger/transaction.ts',
    find: `if (!ofLedger.some((kind) => error instanceof kind)) await check();`,
    replace: `if (ofLedger.length === 0) await check();`,
    caughtBy: rows('is not sent where any row'),
  },
  {
    id: 'counts-nothing',
    title: 'a lookup that finds fewer rows than were written is believed',
    file: 'src/ledger/proof.ts',
    find: `      compareCount(lookupNote(lookup), rows.length);
`,
    replace: '',
    caughtBy: 'test/promises/ledger-lookups.test.ts › on SQLite.*notices a row that was taken away from a lookup',
  },
  {
    id: 'believes-older-rows',
    title: 'a row that was put back as it once was is believed, because its own checksum is right',
    file: 'src/ledger/proof.ts',
    find: `if (first !== unread && tree.leaf(leafOf(key))[key] !== first) return label;`,
    replace: `if (first !== unread && tree.leaf(leafOf(key))[key] === undefined) return label;`,
    caughtBy: rows('is not sent where any row'),
  },
  {
    id: 'seals-without-the-key',
    title: 'the root is sealed with what anybody can compute',
    file: 'src/ledger/seal.ts',
    find: `createHmac('sha256', reveal(key))`,
    replace: `createHmac('sha256', reveal(key).subarray(0, 0))`,
    caughtBy: 'test/promises/ledger-lookups.test.ts › on SQLite.*believes no tree that another key has sealed',
  },
];
