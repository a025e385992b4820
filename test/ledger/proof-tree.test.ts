import { Kysely } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { sha256 } from '../../src/core/canonical-json.ts';
import { migrate } from '../../src/ledger/migrations/index.ts';
import { leafOf, readTree, writeTree } from '../../src/ledger/proof-tree.ts';
import { sqliteDialect } from '../../src/ledger/sqlite.ts';
import type { Tables } from '../../src/ledger/tables.ts';

/** More leaves than a statement of SQLite has parameters. */
const manyLeaves = Array.from({ length: 33_001 }, (_, number) => number.toString(16).padStart(4, '0'));

it('proves a transaction that touches more rows than a statement has parameters', async () => {
  const db = new Kysely<Tables>({ dialect: sqliteDialect(':memory:') });
  onTestFinished(() => db.destroy());
  await migrate(db, 'here');
  const keys = ['first', 'middle', 'last'].map((name, at) => `${manyLeaves[at * 16_500]}${sha256(name)}`);
  const leaves = new Map(keys.map((key) => [leafOf(key), { [key]: 'a value' }]));
  await writeTree(db, { node: () => ({}) }, leaves, (root) => ({ root, counts: {}, seal: '' }));

  const tree = await readTree(db, manyLeaves, false);

  expect({ fault: tree.fault, root: tree.root }).toEqual({ fault: undefined, root: tree.head?.root });
  expect(manyLeaves.filter((leaf) => Object.keys(tree.leaf(leaf)).length > 0)).toEqual(keys.map(leafOf));

  const last = manyLeaves.at(-1) ?? '';
  await db.updateTable('proofs').set({ content: '{}' }).where('node', '=', last).execute();
  expect((await readTree(db, manyLeaves, false)).fault).toBe(last);
});
