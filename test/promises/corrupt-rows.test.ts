import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PlatformFault } from '../../src/client/errors.ts';
import { contract, type OperationName } from '../../src/domains/index.ts';
import { recordDecision } from '../../src/engine/approval-service.ts';
import type { SpendingPolicy } from '../../src/engine/spending-policy.ts';
import { effectOf, toolName } from '../../src/engine/tool.ts';
import { tools } from '../../tools/index.ts';
import { changing } from '../engine/changing.ts';
import { callWith, furnish, named } from '../engine/naming.ts';
import { agent, patient, person, type Said, world } from '../engine/support.ts';
import { playRowsOneIn } from '../support/drawn.ts';
import { folder } from '../support/folder.ts';

playRowsOneIn(3);

// A row that is damaged while Purser runs. Rows of every table are damaged in turn, for every tool: no answer may say that
// something was sent, or may have been, where nothing was.

/** Tables that decisions are made by, and a damage to each of their rows that no checksum or chain lets pass. */
const damages: { readonly [table: string]: string } = {
  operations: "request = '{', args = '{}'",
  observations: "body = '{'",
  approvals: "digest = 'x'",
  budgets: 'minor = minor + 1',
  reservations: 'minor = minor + 1',
  sealed: "sealed = 'x'",
  events: "thing = 'x'",
  audit: "body = '{'",
};

/** A world on a file, one limit that counts every call, and somebody who damages its rows. */
async function open(method: string) {
  const data = folder();
  let gone = false;
  let sent = 0;
  const it = await world({
    configure: { data },
    replace: {
      platform: (real) => async (request) => {
        // What is only looked up still comes, unless the call itself is a GET.
        if (!gone || (request.method === 'GET' && method !== 'GET')) return real(request);
        sent += 1;
        throw new PlatformFault('unreachable');
      },
      reader: (_, simulated) =>
        simulated && {
          ...simulated,
          send: async (operation, input, watch) => {
            if (!gone || operation.effect === 'read') return simulated.send(operation, input, watch);
            sent += 1;
            return { kind: 'noEffect', because: 'unreachable' };
          },
        },
    },
  });
  const sql = new DatabaseSync(join(data, 'sandbox.sqlite'));
  onTestFinished(() => sql.close());
  return {
    it,
    sql,
    /** From now on nothing reaches the platform, so that every call of a test finds the same things. */
    cutOff: () => {
      gone = true;
    },
    sent: () => sent,
  };
}

/** How many rows of a table are damaged: the soak takes every one. */
const most = Number(process.env.CORRUPT_ROWS ?? 3);
/** As many, evenly from the first to the last. */
const some = <Row>(rows: readonly Row[]): readonly Row[] =>
  rows.length <= most
    ? rows
    : Array.from({ length: most }, (_, at) => rows[Math.round((at * (rows.length - 1)) / (most - 1))] as Row);

/** Damages one row after the other, and puts each back. */
async function each(sql: DatabaseSync, inspect: () => Promise<void>, look: (row: string) => Promise<void>) {
  // The rows that there are before the first call: those that the calls write are of the same kinds.
  const rows = Object.entries(damages).map(([table, damage]) => {
    const ids = sql.prepare(`select rowid as id from ${table}`).all() as { id: number }[];
    return [table, damage, some(ids)] as const;
  });
  for (const [table, damage, ids] of rows) {
    for (const { id } of ids) {
      sql.exec(`create temp table kept as select * from ${table} where rowid = ${id}`);
      sql.exec(`update ${table} set ${damage} where rowid = ${id}`);
      await look(`${table} ${id}`);
      const columns = (sql.prepare(`pragma table_info(${table})`).all() as { name: string }[]).map(({ name }) => name);
      const back = columns.map((name) => `${name} = (select ${name} from kept)`).join(', ');
      sql.exec(`update ${table} set ${back} where rowid = ${id}`);
      sql.exec('drop table kept');
      await inspect();
    }
  }
}

/** Limits that count every call, in the currencies of the calls. */
const limits = ['GBP', 'USD'].map((currency) => ({
  ...{ name: `all ${currency}`, currency: currency as SpendingPolicy['currency'], count: 10_000, per: [] },
  tools: tools.map(({ name }) => name),
}));
const halted = { code: 'INTERNAL_HALT', rule: 'EN-13', retry: 'never' };

/** Whether an answer says that something was sent, or may have been. */
const isUnknown = ({ outcome }: Said): boolean => outcome === 'unknown';

describe.each(Object.keys(changing) as (keyof typeof changing & OperationName)[])('%s', (name) => {
  it('is refused for a damaged row, and is never unknown where nothing was sent', { timeout: 60_000 }, async () => {
    const { it, sql, cutOff, sent } = await open(contract[name].method);
    const tool = toolName(name);
    const args: object = await changing[name](it);
    // A twin of minutes ago is looked at, too.
    if ('reference' in args) await it.through(tool, { ...args, reference: 'twin-1' });
    const { parts } = it;
    const engine = patient(it, { limits });
    const call = async () => (await engine.call(tool, args, agent)) as Said;
    const attempt = async () => {
      const said = await call();
      if (said.outcome !== 'needs_approval') return said;
      await recordDecision(parts, said.approval?.id ?? '', 'approve', person);
      return call();
    };
    cutOff();
    expect((await attempt()).error?.code).toBe('UNREACHABLE');
    const found = new Set<string>();
    await each(sql, engine.inspect, async (row) => {
      const before = sent();
      const said = await attempt();
      expect([row, isUnknown(said)]).toEqual([row, false]);
      if (said.error?.code !== 'INTERNAL_HALT') return;
      expect([row, said.error, sent()]).toEqual([row, halted, before]);
      found.add(row.split(' ')[0] ?? '');
    });
    // What a call counts against is read by every one.
    expect(found).toContain('budgets');
  });
});

it('no tool that only looks says unknown for a damaged row', { timeout: 180_000 }, async () => {
  const { it, sql } = await open('POST');
  const own = await furnish(it);
  const looks = tools.filter((tool) => effectOf(tool) === 'read');
  const { engine } = it.running;
  await each(sql, engine.inspect, async (row) => {
    for (const { name } of looks) {
      const field = named.find(([tool]) => tool === name)?.[1];
      const handle = own[(field ?? '') as keyof typeof own];
      const said = await it.call(name, field === undefined ? {} : callWith(name, field, String(handle), own));
      expect([row, name, isUnknown(said)]).toEqual([row, name, false]);
    }
  });
});
