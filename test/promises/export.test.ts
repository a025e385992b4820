import { Writable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { exported, formats } from '../../src/cli/export.ts';
import { sayPieces } from '../../src/cli/output.ts';
import { limits } from '../../src/core/limits.ts';
import type { AuditRow } from '../../src/ledger/rows.ts';
import { openLedger } from '../../src/ledger/store.ts';
import { folder, run, within } from '../faces/cli.ts';
import { databases } from '../ledger/support/databases.ts';

// An export of the audit holds a bounded number of rows, however long the audit is and however slow its reader.

const jsonl = formats.get('jsonl') ?? { head: '', row: () => '' };

describe('an export', () => {
  it('reads rows only as they are taken, and ends with the row that was the last one when it began', async () => {
    const inAll = 50 * limits.archiveStepRows + 7;
    let [read, taken, most] = [0, 0, 0];
    const ledger = {
      head: async () => ({ seq: inAll, hash: '' }),
      archive: {
        rows: async (after: number, step: number) => {
          read += step;
          most = Math.max(most, read - taken);
          return Array.from({ length: step }, (_, at) => ({ seq: after + at + 1 }) as AuditRow); // it goes on for ever
        },
      },
    };
    const slow = new Writable({
      highWaterMark: 1,
      decodeStrings: false,
      write: (text: string, _, done) =>
        setImmediate(() => {
          taken += text.split('\n').length - 1;
          done();
        }),
    });
    await sayPieces(exported(ledger, jsonl), slow);
    expect(taken).toBe(inAll);
    expect(most).toBeLessThanOrEqual(3 * limits.archiveStepRows);
  });

  it('ends quietly where its reader leaves early', async () => {
    const data = folder();
    await within(data, ({ ledger }) =>
      ledger.transaction('else', async (tx) => {
        for (let at = 0; at < 3_000; at++) await tx.audit.append({ event: 'refused', body: { at }, at });
      }),
    );
    const left = await run(['audit', 'export', '--data', data], { leavesEarly: true });
    expect([left.code, left.err]).toEqual([0, '']);
  });

  it.each(databases.map((database) => [database.name, database] as const))(
    'has the rows of all tenants in the order of the chain, on %s',
    async (_, database) => {
      const ledger = await openLedger(await database.place());
      onTestFinished(() => ledger.close());
      const wanted = limits.archiveStepRows + 10;
      for (let at = 0; at < wanted; at += wanted / 2)
        for (const tenant of ['default', 'else'])
          await ledger.transaction(tenant, async (tx) => {
            for (let more = 0; more < wanted / 4; more++) await tx.audit.append({ event: 'refused', body: {}, at });
          });
      let text = '';
      for await (const piece of exported(ledger, jsonl)) text += piece;
      const rows = text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as AuditRow);
      const { seq } = await ledger.head();
      expect(rows.map((row) => row.seq)).toEqual(Array.from({ length: seq }, (_, at) => at + 1));
      expect(seq).toBeGreaterThan(limits.archiveStepRows);
      expect(new Set(rows.map(({ tenant }) => tenant))).toEqual(new Set(['default', 'else']));
    },
  );
});
