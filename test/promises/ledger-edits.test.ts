import { readFileSync, writeFileSync } from 'node:fs';
import { StatementSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ledgerPlace } from '../../src/cli/storage-paths.ts';
import { Secret } from '../../src/core/secret.ts';
import { toolName } from '../../src/engine/tool.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { changing } from '../engine/changing.ts';
import { bought, configuration, openWorld, order, payment, world } from '../engine/support.ts';
import { databases, folder, openHere } from '../ledger/support/databases.ts';
import { playRowsOneIn } from '../support/drawn.ts';
import { ownDatabase } from './replica-database.ts';

playRowsOneIn(3);

// A running Purser notices that somebody with a SQL prompt has edited the audit, before it changes anything more.

type Name = (typeof databases)[number]['name'];
const refused = { outcome: 'refused', error: { code: 'INTERNAL_HALT', rule: 'EN-13' } };
let count = 0;

/** A world on a database of its own, and a second connection to that. */
async function open(name: Name) {
  const data = folder();
  const databaseUrl = name === 'SQLite' ? undefined : new Secret(await ownDatabase(`edits_${process.pid}_${count++}`));
  const it = await world({ configure: { data, databaseUrl } });
  const place = ledgerPlace(configuration({ data, databaseUrl }));
  const database = databases.find((one) => one.name === name);
  return { it, place, sql: async (...statements: string[]) => database?.tamper(place, ...statements) };
}

/** Appends so many rows to the chain, of a tenant that this Purser does not serve. */
const append = (ledger: Ledger, rows: number) =>
  ledger.transaction('else', async (tx) => {
    for (let at = 0; at < rows; at++) await tx.audit.append({ event: 'refused', body: { at }, at });
  });

const edits = [
  ['another time in the first row', `update audit set at = at + 1 where seq = 1`],
  ['another body in the second row', `update audit set body = '{"cards":[],"shopper":"shopper_x"}' where seq = 2`],
  ['a row in the middle that was taken out', `delete from audit where seq = 3`],
  [
    'the last row taken out, and the head set back',
    `delete from audit where seq = (select max(seq) from audit)`,
    'head',
  ],
  ['another head', `update audit_head set hash = '${'1'.repeat(64)}'`],
  [
    'a row added behind the head',
    `insert into audit select seq + 1, 'default', null, 'resumed', '{}', 1, hash, hash from audit_head`,
  ],
] as const;
const headBack = `update audit_head set seq = seq - 1, hash = (select hash from audit order by seq desc limit 1)`;

describe.each(['SQLite', 'PostgreSQL'] as const)('while Purser runs on %s', { timeout: 60_000 }, (name) => {
  it.each(edits)('%s is noticed before the next release', async (_, statement, also?: string) => {
    const { it: here, sql } = await open(name);
    const instruction = await bought(here);
    const effects = await here.effects();
    await sql(statement, ...(also === undefined ? [] : [headBack]));
    expect(await here.call('retrieve_credentials', payment(instruction))).toMatchObject(refused);
    expect(await here.call('initiate_purchase', order({ reference: 'order-2' }))).toMatchObject(refused);
    expect(await here.effects()).toEqual(effects);
    expect(await here.call('get_purchase', { instruction })).toMatchObject({ outcome: 'done' });
  });

  it('an edit keeps released credentials in the vault', async () => {
    const { it: here, sql } = await open(name);
    const { data } = await here.call('retrieve_credentials', payment(await bought(here)));
    await sql(`update audit set at = at + 1 where seq = 1`);
    await expect(here.running.engine.redeem('default', data.credentials)).rejects.toMatchObject({ name: 'Refused' });
  });

  it('what another Purser appends refuses nothing, and an edit after that is noticed', async () => {
    const { it: here, sql, place } = await open(name);
    const first = await bought(here);
    await append(await openHere(place), 1_200);
    expect(await here.call('retrieve_credentials', payment(first))).toMatchObject({ outcome: 'done' });
    await sql(`update audit set at = at + 1 where seq = 20`);
    expect(await here.call('cancel_purchase', { instruction: first })).toMatchObject(refused);
  });
});

describe('an edited audit', { timeout: 60_000 }, () => {
  it.each(Object.entries(changing))('refuses %s', async (operation, prepared) => {
    const { it: here, sql } = await open('SQLite');
    const args = await prepared(here);
    const effects = await here.effects();
    await sql(`update audit set at = at + 1 where seq = 1`);
    expect(await here.call(toolName(operation), args)).toMatchObject(refused);
    expect(await here.effects()).toEqual(effects);
  });

  // A preview decides as every call does: a few operations show that it looks, too.
  const some = Object.entries(changing).filter((_, at) => at % 4 === 0);
  it.each(some)('is noticed by a preview of %s, too', async (operation, prepared) => {
    const { it: here, sql } = await open('SQLite');
    const args = await prepared(here);
    await sql(`update audit set at = at + 1 where seq = 1`);
    const { data } = await here.call('preview_call', { tool: toolName(operation), arguments: args });
    expect(data.verdict).toMatchObject(refused);
    expect(await here.call(toolName(operation), args)).toEqual(data.verdict);
  });

  it('is looked for at a cost that does not grow with the ledger', async () => {
    const { it: here } = await open('SQLite');
    const read: number[] = [];
    for (const rows of [0, 100, 3_000]) {
      await append(here.running.ledger, rows);
      await bought(here, { reference: `before-${rows}` });
      read.push(await rowsRead(() => bought(here, { reference: `order-${rows}` })));
    }
    expect(read[2]).toBe(read[1]);
    expect(read[2]).toBeLessThan(60);
  });
});

/** How many audit rows SQLite hands over meanwhile. */
async function rowsRead(work: () => Promise<unknown>): Promise<number> {
  const all = vi.spyOn(StatementSync.prototype, 'all');
  onTestFinished(() => all.mockRestore());
  await work();
  const rows = all.mock.results.flatMap(({ value }) => value as readonly { previous_hash?: unknown }[]);
  all.mockRestore();
  return rows.filter((row) => row.previous_hash !== undefined).length;
}

describe('a start', () => {
  /** A ledger in which something was done, closed; and how the next start calls something. */
  async function stopped() {
    const data = folder();
    const first = await openWorld({ configure: { data } });
    const instruction = await bought(first);
    await append(first.running.ledger, 1_000);
    await first.running.engine.inspect();
    await bought(first, { reference: 'order-2' });
    await first.running.close();
    return {
      data,
      release: async () => (await world({ configure: { data } })).call('retrieve_credentials', payment(instruction)),
    };
  }

  it('goes on from the last verified row', async () => {
    const { release } = await stopped();
    let outcome: string | undefined;
    const read = await rowsRead(async () => {
      outcome = (await release()).outcome;
    });
    expect([outcome, read < 60]).toEqual(['done', true]);
  });

  it.each([
    ['before that row', `update audit set at = at + 1 where seq = 1`],
    ['after it', `update audit set at = at + 1 where seq = (select max(seq) from audit)`],
  ])('notices an edit %s', async (_, statement) => {
    const { data, release } = await stopped();
    await databases[0].tamper({ file: `${data}/sandbox.sqlite` }, statement);
    expect(await release()).toMatchObject(refused);
  });

  it('believes no position that it cannot read', async () => {
    const { data, release } = await stopped();
    const file = `${data}/sandbox.verified.json`;
    for (const text of ['', '{', JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), hash: 'x' })]) {
      writeFileSync(file, text);
      const read = await rowsRead(async () => expect(await release()).toMatchObject({ outcome: 'done' }));
      expect([text, read > 1_000]).toEqual([text, true]);
    }
  });
});
