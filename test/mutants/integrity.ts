import { bugs } from './bugs.ts';

const rollback = (pattern: string) => `test/promises/rollback.test.ts › ${pattern}`;

const rows = (pattern: string) => `test/promises/ledger-rows.test.ts › ${pattern}`;

/** The ledger against its owner. */
// biome-ignore format: rows
export const integrity = bugs([
  ['anchors-too-late', 'a request leaves before the anchor covers its intent',
   'src/engine/send-intent.ts', rollback('initiatePurchase.*leaves only after the anchor covers its intent'),
   `    await moveAnchor(parts);
  } catch`,
   `    if (row.attempt < 0) await moveAnchor(parts);
  } catch`],
  ['believes-an-older-ledger', 'a ledger that ends before its anchor is taken for the newest one',
   'src/ledger/anchor.ts', rollback('cancelPurchase.*is not sent where the anchor moves ahead'),
   `if (seq < anchor.seq) return undefined;`, `if (seq < anchor.seq) return { seq, hash };`],
  ['makes-a-lost-anchor', 'a missing anchor is made again without asking the operator',
   'src/cli/anchor.ts',
   rollback('an anchor that is missing at the start.*keeps Purser from starting: named by the operator'),
   `const isFirst = !isNamed && head.seq === 0;`,
   `const isFirst = !isNamed || head.seq === 0;`],
  ['says-unknown-of-nothing', 'a call that the unreadable anchor stopped is said to be of unknown outcome',
   'src/engine/anchor.ts', rollback('cancelPurchase.*while the anchor is a file that cannot be read'),
   `    throw new Refused(unread);`, `    throw fault;`],
  ['keeps-the-fault-of-the-anchor', 'calls are refused because the anchor can not be read, and nobody who can mend it hears why',
   'src/engine/anchor.ts', rollback('cancelPurchase.*while the anchor is a file that cannot be read'),
   `    ports.onFault?.(fault);
    throw new Refused(unread);`, `    throw new Refused(unread);`],
  ['anchor-that-can-not-move', 'the doctor finds nothing wrong where every call is refused because the anchor can not be moved',
   'src/cli/doctor/ledger.ts', 'test/promises/doctor.test.ts › says that the anchor can not be moved',
   `    demandMovable(configuration);
`, ''],
  ['anchors-side-by-side', 'processes move the anchor without waiting for each other',
   'src/ledger/postgres.ts', 'test/ledger/anchored.test.ts › is moved on PostgreSQL by one replica after the other',
   `await sql\`select \${asReader}, \${lock}\`.execute(tx);`, `await sql\`select \${asReader}\`.execute(tx);`],
  ['does-not-tell-the-operator', 'a call that the ledger could not record is refused, and nobody who can mend it hears of it',
   'src/engine/refused-body.ts', 'test/engine/halt.test.ts › sends nothing, says so, and tells the operator why',
   `      state.parts.ports.onFault?.(fault);
`,
   ''],
  ['concludes-from-a-lost-commit', 'a commit that may have been kept is said to have changed nothing',
   'src/engine/refused-body.ts', 'test/engine/halt.test.ts › is not said to have changed nothing',
   `!(fault instanceof LedgerUnavailable) || fault instanceof CommitUnknown`, `!(fault instanceof LedgerUnavailable)`],
  ['forgets-what-is-missing', 'a decision that finds a thing missing does not ask whether it was taken away',
   'src/ledger/transaction.ts', rows('is not sent where any row'),
   `if (!ofLedger.some((kind) => error instanceof kind)) await check();`, `if (ofLedger.length === 0) await check();`],
  ['counts-nothing', 'a lookup that finds fewer rows than were written is believed',
   'src/ledger/proof.ts',
   'test/promises/ledger-lookups.test.ts › on SQLite.*notices a row that was taken away from a lookup',
   `      compareCount(lookupNote(lookup), rows.length);
`,
   ''],
  ['believes-older-rows', 'a row that was put back as it once was is believed, because its own checksum is right',
   'src/ledger/proof.ts', rows('is not sent where any row'),
   `if (first !== unread && tree.value(key) !== first) return label;`,
   `if (first !== unread && tree.value(key) === undefined) return label;`],
  ['seals-without-the-key', 'the root is sealed with what anybody can compute',
   'src/ledger/seal.ts',
   'test/promises/ledger-lookups.test.ts › on SQLite.*believes no tree that another key has sealed',
   `createSecretKey(reveal(key))`, `createSecretKey(Buffer.alloc(32))`],
  ['approval-of-a-backup', 'an approval counts once more in a ledger that was put back',
   'src/cli/compose.ts', 'test/promises/rollback.test.ts › asks again for what may have been sent since the copy',
   'if (configuration.initAnchor === true) await unlessDamaged(endUnused(parts));', ''],
  ['believes-late-looks', 'what a look tells replaces what a call has changed since the look began',
   'src/engine/apply.ts', 'test/promises/overtaken-looks.test.ts › after amendPlan',
   'if (changeSeq > began)', 'if (changeSeq > began + Number.MAX_SAFE_INTEGER)'],
  ['marks-no-change', 'a thing that a call has changed looks as if no call had',
   'src/engine/apply.ts', 'test/promises/overtaken-looks.test.ts › after amendPlan',
   'body: json({ ...row.body, ...one.body }), ...told }', 'body: json({ ...row.body, ...one.body }) }'],
  ['believes-earlier-looks', 'what a look tells replaces what a later look has told',
   'src/engine/apply.ts', 'test/promises/overtaken-looks.test.ts › puts back nothing that a later one told',
   'lookedAt > at && lookedAt <= now', 'lookedAt > now && lookedAt <= now'],
  ['believes-the-last-attempt', 'what the last attempt of a look tells replaces what a later look has told',
   'src/engine/apply.ts', 'test/promises/overtaken-looks.test.ts › puts back nothing that a later one told, however often',
   'return { ...things, [one.kind satisfies Kind]: thing(row) };', 'if (!isNamed) return { ...things, [one.kind satisfies Kind]: thing(row) };'],
  ['credentials-of-a-backup', 'credentials are redeemed once more from a ledger that was put back',
   'src/engine/put-back.ts', 'test/promises/rollback.test.ts › are not redeemed again from a copy',
   'await tx.sealed.clear();', ''],
  ['writes-where-nobody-looks', 'a ledger whose file was removed or replaced while it was open is written on, and its rows are lost',
   'src/ledger/sqlite.ts', 'test/ledger/file.test.ts › is written no more',
   `      engine.demandFiles();
`,
   ''],
  ['forgets-the-log', 'the file of a ledger is looked for before a commit, and its log is not',
   'src/files/database.ts', 'test/ledger/file.test.ts › is written no more: purser.db-wal was removed',
   `end !== '-journal'`, `end === ''`],
]);
