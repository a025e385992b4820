import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ledgerFile } from '../../src/cli/storage-paths.ts';
import { LedgerUnavailable } from '../../src/ledger/errors.ts';
import { configuration, openWorld, order, quiet, type Said, settle, type World } from '../engine/support.ts';
import { folder } from './rows.ts';

// Time passes at once: a busy ledger is waited for for five seconds.
vi.mock('node:timers/promises', async (real) => ({ ...(await real<object>()), setTimeout: async () => {} }));

/** A Purser on a file, what the platform was asked, and the trouble that its disk can be given. */
interface Shop {
  readonly it: World;
  readonly file: string;
  /** The connection that the ledger itself uses. */
  readonly own: DatabaseSync;
  /** What is done when a request is at the platform, and before it answers. */
  whileSent: () => void;
  sent: number;
  /** What the operator was told. */
  readonly faults: unknown[];
}

async function shop(): Promise<Shop> {
  const data = folder();
  const file = ledgerFile(configuration({ data }));
  const prepared = vi.spyOn(DatabaseSync.prototype, 'prepare');
  const made: Omit<Shop, 'it' | 'own'> = { file, whileSent: () => {}, sent: 0, faults: [] };
  const it = await openWorld({
    configure: { data },
    replace: {
      onFault: (fault) => made.faults.push(fault),
      platform: (real) => async (request) => {
        made.sent += 1;
        made.whileSent();
        return real(request);
      },
    },
  });
  const own = [...new Set(prepared.mock.contexts)].find((one) => (one as DatabaseSync).location() === file);
  prepared.mockRestore();
  onTestFinished(() => it.running.close());
  await it.call('enroll_card', { card: 'card_ada' });
  made.sent = 0;
  return Object.assign(made, { it, own: own as DatabaseSync });
}

interface Trouble {
  readonly says: string;
  /** Begins the trouble; answers how to end it. */
  readonly begin: (shop: Shop) => () => void;
}

const troubles: { readonly [name: string]: Trouble } = {
  'a full disk': {
    says: 'The disk of the ledger',
    begin: ({ own }) => {
      own.exec('PRAGMA max_page_count = 1'); // SQLite takes it for the pages that there are
      return () => own.exec('PRAGMA max_page_count = 4294967294');
    },
  },
  'a disk that can only be read': {
    says: "can't be written",
    begin: ({ own }) => {
      own.exec('PRAGMA query_only = ON'); // answers SQLITE_READONLY, as a disk mounted anew does
      return () => own.exec('PRAGMA query_only = OFF');
    },
  },
  'a ledger that another process holds': {
    says: 'is locked by another process',
    begin: ({ file }) => {
      const holder = new DatabaseSync(file);
      holder.exec('BEGIN IMMEDIATE');
      return () => holder.close();
    },
  },
};

/** The answer to a call that the ledger could not record, and that therefore changed nothing. */
const unavailable = { outcome: 'refused', error: { code: 'INTERNAL_HALT', retry: 'same_call' } };

/** A little room may be left in the pages of a full disk: so many purchases use it up. */
const enough = 60;

const found = async ({ it }: Shop, reference: string) =>
  (await it.operations()).filter((row) => row.name === 'initiatePurchase' && row.reference === reference);

const purchases = async ({ it }: Shop): Promise<number> => (await it.effects('initiatePurchase')).length;

describe.each(Object.entries(troubles))('with %s', (_, { says, begin }) => {
  it.each(['asked for', 'decided', 'sent'])(
    'a call that can not be written down when it is %s is not sent',
    async (stage) => {
      const all = await shop();
      const { it } = all;
      for (let count = 0; count < enough; count++) {
        const args = order({ reference: `order-${count}` });
        let end = () => {};
        const reach = (here: string) => {
          if (here === stage) end = begin(all);
        };
        const buy = async (): Promise<Said> => {
          reach('asked for');
          const asked = await it.call('initiate_purchase', args);
          if (asked.outcome === 'refused') return asked;
          reach('decided');
          await it.approve(asked);
          reach('sent');
          return it.call('initiate_purchase', args);
        };
        const before = all.sent;
        const said = await buy().catch((error: unknown) => error);
        end();
        if (!(said instanceof Error) && (said as Said).outcome !== 'refused') {
          expect(['done', 'unknown']).toContain((said as Said).outcome); // there was room for its intent
          continue;
        }
        // The person who approves hears of it as an error; the agent hears that nothing was sent, and the operator why.
        if (!(said instanceof Error)) expect(said).toMatchObject(unavailable);
        const fault = said instanceof Error ? said : all.faults.at(-1);
        expect(fault).toBeInstanceOf(LedgerUnavailable);
        expect(String(fault)).toContain(says);
        expect(all.sent).toBe(before);
        expect((await it.through('initiate_purchase', args)).outcome).toBe('done');
        expect([all.sent, await found(all, args.reference)]).toMatchObject([before + 1, [{ state: 'SUCCEEDED' }]]);
        return;
      }
      throw new Error('The trouble never came.');
    },
  );

  it('a call that was sent says that its end is not recorded, and stays listed', async () => {
    const all = await shop();
    const { it } = all;
    for (let count = 0; count < enough; count++) {
      const args = order({ reference: `order-${count}` });
      await it.approve(await it.call('initiate_purchase', args));
      let end = () => {};
      all.whileSent = () => {
        end = begin(all);
      };
      const answer = await it.call('initiate_purchase', args);
      all.whileSent = () => {};
      const sent = all.sent;
      if (answer.outcome === 'done') {
        end();
        continue; // there was room for its end
      }
      expect(answer).toMatchObject({ outcome: 'unknown', error: { code: 'OUTCOME_UNKNOWN', retry: 'never' } });
      expect(answer.said).toContain('the ledger could not record its outcome');
      // In trouble still, the same call finds the first one or nothing; either way nothing is sent.
      const again = await it.call('initiate_purchase', args);
      if (again.outcome !== 'unknown') expect(again).toMatchObject(unavailable);
      end();
      expect(await found(all, args.reference)).toMatchObject([{ id: answer.operation, state: 'SENDING' }]);
      expect(await it.call('initiate_purchase', args)).toMatchObject({
        outcome: 'unknown',
        operation: answer.operation,
      });
      await quiet(it);
      expect((await it.operation(answer.operation)).state).toBe('UNKNOWN');
      expect([all.sent, await purchases(all)]).toEqual([sent, sent]);
      expect(await settle(it, answer.operation, true)).toMatchObject({ ok: true, state: 'RESOLVED' });
      expect((await it.parts.ledger.verify()).ok).toBe(true);
      return;
    }
    throw new Error('The trouble never came.');
  });

  it('what is known can be read, or the answer says why not', async () => {
    const all = await shop();
    const { it } = all;
    const end = begin(all);
    for (const tool of ['list_operations', 'list_approvals', 'get_limits']) {
      const said = await it.call(tool, {});
      if (said.outcome !== 'done') expect(said).toMatchObject(unavailable);
    }
    end();
    expect((await it.call('list_operations')).outcome).toBe('done');
  });
});
