import { Kysely } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { canonicalJson, sha256 } from '../../src/core/canonical-json.ts';
import { migrate } from '../../src/ledger/migrations/index.ts';
import { type Changes, readTree, writeTree } from '../../src/ledger/proof-tree.ts';
import { sqliteDialect } from '../../src/ledger/sqlite.ts';
import type { Tables } from '../../src/ledger/tables.ts';

async function openTree(): Promise<Kysely<Tables>> {
  const db = new Kysely<Tables>({ dialect: sqliteDialect(':memory:') });
  onTestFinished(() => db.destroy());
  await migrate(db, 'here');
  return db;
}

async function change(db: Kysely<Tables>, changes: Changes): Promise<void> {
  const tree = await readTree(db, [...changes.keys()], false);
  await writeTree(db, tree, changes, (root) => ({ root, counts: {}, seal: '' }));
}

const nodesOf = async (db: Kysely<Tables>): Promise<readonly string[]> =>
  (await db.selectFrom('proofs').select('node').where('node', '!=', 'head').orderBy('node').execute()).map(
    ({ node }) => node,
  );

/** Keys below a node. */
const keysIn = (node: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, number) => `${node}${sha256(`${node} ${number}`)}`.slice(0, 64));

const given = (keys: readonly string[], value: string): Changes => new Map(keys.map((key) => [key, value]));

it('proves a transaction that touches more rows than a statement has parameters', async () => {
  const db = await openTree();
  const keys = Array.from({ length: 33_001 }, (_, number) => sha256(String(number)));
  const written = keys.slice(0, 100);
  await change(db, given(written, 'a value'));

  const tree = await readTree(db, keys, false);

  expect({ fault: tree.fault, root: tree.root }).toEqual({ fault: undefined, root: tree.head?.root });
  expect(keys.filter((key) => tree.value(key) === 'a value')).toEqual(written);
});

it('is one node for few keys, and grows where there are many', async () => {
  const db = await openTree();

  await change(db, given(keysIn('a', 16), 'one'));
  expect(await nodesOf(db)).toEqual(['']);

  await change(db, given(keysIn('b', 1), 'two'));
  expect((await nodesOf(db)).filter((node) => node.length < 2)).toEqual(['', 'a', 'b']);

  await change(db, given(keysIn('bcde', 40), 'three'));
  expect((await nodesOf(db)).filter((node) => node.startsWith('bcd'))).toEqual(['bcd', 'bcde']);

  const all = [...keysIn('a', 16), ...keysIn('b', 1), ...keysIn('bcde', 40)];
  const tree = await readTree(db, all, false);
  expect({ fault: tree.fault, values: all.map(tree.value) }).toEqual({
    fault: undefined,
    values: [...Array<string>(16).fill('one'), 'two', ...Array<string>(40).fill('three')],
  });
});

it('stores canonical texts, whatever the order of the changes is', async () => {
  const db = await openTree();
  const keys = Array.from({ length: 200 }, (_, number) => sha256(String(number)));
  for (const [at, key] of keys.entries())
    await change(
      db,
      new Map([
        [key, `${at}`],
        [keys[at >> 1] ?? key, at % 3 === 0 ? undefined : 'changed'],
      ]),
    );

  const texts = (await db.selectFrom('proofs').select('content').execute()).map(({ content }) => content);

  expect(texts.length).toBeGreaterThan(10);
  expect(texts).toEqual(texts.map((text) => canonicalJson(JSON.parse(text))));
});

it('has no root once no key is left, whatever its height was', async () => {
  const db = await openTree();
  const keys = keysIn('abcd', 40);
  await change(db, given(keys, 'a value'));
  await change(db, new Map(keys.map((key) => [key, undefined])));
  expect(await readTree(db, keys, false)).toMatchObject({ root: null, fault: undefined });

  await change(db, given(keys.slice(0, 1), 'again'));
  const tree = await readTree(db, keys, false);
  expect({ fault: tree.fault, values: keys.map(tree.value) }).toEqual({
    fault: undefined,
    values: ['again', ...Array<undefined>(39).fill(undefined)],
  });
});

it.each([
  ['emptied', '{}'],
  ['a leaf that has become an inner node', '{"a":"of nothing"}'],
  ['unreadable', 'no JSON'],
])('names a node that is %s', async (_what, content) => {
  const db = await openTree();
  const keys = keysIn('ab', 40);
  await change(db, given(keys, 'a value'));
  const [leaf = ''] = (await nodesOf(db)).filter((node) => node.length === 3);
  await db.updateTable('proofs').set({ content }).where('node', '=', leaf).execute();

  expect((await readTree(db, keys, false)).fault).toBe(leaf);
});

it('names a node that was put below a leaf', async () => {
  const db = await openTree();
  const [key = ''] = keysIn('abcd', 1);
  await change(db, given([key], 'a value'));
  await db
    .insertInto('proofs')
    .values({ node: 'ab', content: `{"${key}":"another value"}` })
    .execute();

  expect((await readTree(db, [key], false)).fault).toBe('ab');
});
