import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../src/core/canonical-json.ts';
import { AlreadyOpen, LedgerUnavailable, StaleRow } from '../../src/ledger/errors.ts';
import { approval, operation } from './rows.ts';
import { databases, openHere } from './support/databases.ts';

describe.each(databases)('on $name', (database) => {
  const ledger = async () => openHere(await database.place());

  describe('operations', () => {
    it('gives back what was put in, with tenant and version', async () => {
      const it = await ledger();
      const row = operation({ id: 'op', request: { b: [1, null, { c: '€' }], a: true }, result: { said: 'yes' } });
      const put = await it.transaction('shop', (tx) => tx.operations.insert(row));
      expect(put).toEqual({ ...row, tenant: 'shop', version: 1 });
      expect(await it.transaction('shop', (tx) => tx.operations.find('op'))).toEqual(put);
      expect(await it.transaction('shop', (tx) => tx.operations.find('none'))).toBeUndefined();
    });

    it('keeps any text unchanged', { timeout: 60_000 }, async () => {
      const it = await ledger();
      let count = 0;
      await fc.assert(
        fc.asyncProperty(fc.string({ unit: 'binary' }), async (text) => {
          count += 1;
          // PostgreSQL has no NUL outside of JSON, and Purser writes none there.
          const principal = text.replaceAll('\0', '');
          const row = operation({ id: `op${count}`, principal, args: canonicalJson(text), request: { [text]: text } });
          await it.transaction('shop', (tx) => tx.operations.insert(row));
          const found = await it.transaction('shop', (tx) => tx.operations.find(row.id));
          expect(found).toEqual({ ...row, tenant: 'shop', version: 1 });
        }),
        { numRuns: 50 },
      );
    });

    it('refuses a second one on a subject while the first is open, and allows it otherwise', async () => {
      const it = await ledger();
      const open = ['SENDING', 'UNKNOWN'];
      for (const state of [...open, 'PROPOSED', 'APPROVED', 'SUCCEEDED', 'FAILED', 'EXPIRED', 'RESOLVED']) {
        const put = (id: string, more: object = {}) =>
          it.transaction('shop', (tx) =>
            tx.operations.insert(operation({ id: `${id} ${state}`, subject: state, ...more })),
          );
        const found = async () => (await it.transaction('shop', (tx) => tx.operations.openOn(state)))?.id;
        await put('first', { state });
        const second = put('second');
        if (open.includes(state))
          await expect(second).rejects.toThrow(
            new AlreadyOpen('Another operation with this lock key is in progress or has an unknown outcome.'),
          );
        else await second;
        expect(await found()).toBe(`${open.includes(state) ? 'first' : 'second'} ${state}`);
      }
    });

    it('refuses to send a proposed one while another on its subject is open', async () => {
      const it = await ledger();
      const proposed = await it.transaction('shop', async (tx) => {
        await tx.operations.insert(operation({ id: 'first', subject: 'card' }));
        return tx.operations.insert(operation({ id: 'second', subject: 'card', state: 'PROPOSED' }));
      });
      const send = it.transaction('shop', (tx) => tx.operations.update(proposed, { state: 'SENDING' }));
      await expect(send).rejects.toThrow(AlreadyOpen);
      expect(await it.transaction('shop', (tx) => tx.operations.find('second'))).toEqual(proposed);
    });

    it('lets any number be open without a subject, and any number be without a reference', async () => {
      const it = await ledger();
      await it.transaction('shop', async (tx) => {
        for (const id of ['a', 'b', 'c']) await tx.operations.insert(operation({ id }));
        expect(await tx.operations.openOn('')).toBeUndefined();
        expect(await tx.operations.byReference('confirmTransaction', '')).toBeUndefined();
      });
    });

    it('holds a reference while it may take effect or has, and frees it when it has failed', async () => {
      const it = await ledger();
      const free = ['FAILED', 'EXPIRED'];
      for (const state of [...free, 'PROPOSED', 'APPROVED', 'SENDING', 'UNKNOWN', 'SUCCEEDED', 'RESOLVED']) {
        const put = (id: string, more: object = {}) =>
          it.transaction('shop', (tx) =>
            tx.operations.insert(operation({ id: `${id} ${state}`, reference: state, ...more })),
          );
        const found = async (name = 'confirmTransaction') =>
          (await it.transaction('shop', (tx) => tx.operations.byReference(name, state)))?.id;
        await put('first', { state });
        expect(await found()).toBe(free.includes(state) ? undefined : `first ${state}`);
        const second = put('second');
        if (free.includes(state)) await second;
        else
          await expect(second).rejects.toThrow(
            new AlreadyOpen('This reference is already used by an operation of this name.'),
          );
        expect(await found('createInvoice')).toBeUndefined();
        await put('other name', { name: 'createInvoice' });
        expect(await found()).toBe(`${free.includes(state) ? 'second' : 'first'} ${state}`);
      }
    });

    it('finds the newest same call of the same principal that has not come to an end', async () => {
      const it = await ledger();
      await it.transaction('shop', async (tx) => {
        const same = async () => (await tx.operations.openCall('confirmTransaction', 'digest', 'clerk'))?.id;
        const found = [await same()];
        const rows = [
          { id: 'old', state: 'UNKNOWN' },
          { id: 'asked', state: 'PROPOSED', quietUntil: null },
          { id: 'approved', state: 'APPROVED', quietUntil: null },
          { id: 'sent' },
          { id: 'failed', state: 'FAILED' },
          { id: 'done', state: 'SUCCEEDED' },
          { id: 'lapsed', state: 'EXPIRED' },
          { id: 'settled', state: 'RESOLVED' },
          { id: 'other principal', principal: 'boss' },
          { id: 'other arguments', argsDigest: 'x' },
          { id: 'other name', name: 'x' },
        ];
        for (const [index, row] of rows.entries()) {
          await tx.operations.insert(operation({ subject: '', createdAt: index, ...row }));
          found.push(await same());
        }
        expect(found).toEqual([undefined, 'old', 'asked', 'approved', ...Array.from({ length: 8 }, () => 'sent')]);
      });
    });

    it('finds the calls that one may be a repeat of, and no others', async () => {
      const it = await ledger();
      await it.transaction('shop', async (tx) => {
        const rows = [
          { id: 'before', createdAt: 9 },
          { id: 'first', createdAt: 10 },
          { id: 'last', createdAt: 11 },
          { id: 'found by a person', createdAt: 12, state: 'RESOLVED' },
          { id: 'waited too long', createdAt: 9, state: 'PROPOSED' },
          { id: 'waits', createdAt: 10, state: 'PROPOSED' },
          { id: 'lost', createdAt: 1, state: 'UNKNOWN', attempt: 1 },
          { id: 'goes out', createdAt: 2, state: 'SENDING', attempt: 1, quietUntil: 5 },
          { id: 'settled', createdAt: 3, updatedAt: 10, state: 'FAILED', attempt: 1 },
          { id: 'settled before', createdAt: 3, updatedAt: 9, state: 'FAILED', attempt: 1 },
          { id: 'never sent', createdAt: 12, updatedAt: 12, state: 'FAILED', attempt: 0 },
          { id: 'ended', createdAt: 12, state: 'EXPIRED' },
          { id: 'other name', createdAt: 13, name: 'x' },
          { id: 'other essence', createdAt: 13, essenceDigest: 'x' },
          { id: 'other essence, lost', createdAt: 1, state: 'UNKNOWN', attempt: 1, essenceDigest: 'x' },
        ];
        for (const row of rows) await tx.operations.insert(operation({ subject: '', state: 'SUCCEEDED', ...row }));
        const found = await tx.operations.recentAlike('confirmTransaction', 'essence', 10);
        expect(new Set(found.map(({ id }) => id))).toEqual(
          new Set(['goes out', 'lost', 'waits', 'found by a person', 'last', 'first', 'settled']),
        );
      });
    });

    it('changes what is given and nothing else, and counts versions', async () => {
      const it = await ledger();
      await it.transaction('shop', async (tx) => {
        const row = await tx.operations.insert(operation({ id: 'op', request: { a: 1 } }));
        const done = await tx.operations.update(row, { state: 'SUCCEEDED', result: { ok: true }, updatedAt: 3 });
        expect(done).toEqual({ ...row, state: 'SUCCEEDED', result: { ok: true }, updatedAt: 3, version: 2 });
        expect(await tx.operations.update(done, { request: null })).toEqual({ ...done, request: null, version: 3 });
      });
    });

    it('refuses a change of a row that somebody else changed', async () => {
      const it = await ledger();
      const row = await it.transaction('shop', (tx) => tx.operations.insert(operation({ id: 'op' })));
      await it.transaction('shop', (tx) => tx.operations.update(row, { state: 'UNKNOWN' }));
      const late = it.transaction('shop', (tx) => tx.operations.update(row, { state: 'SUCCEEDED' }));
      await expect(late).rejects.toThrow(new StaleRow('The operation was changed concurrently: read it again.'));
      expect(await it.transaction('shop', (tx) => tx.operations.find('op'))).toMatchObject({
        state: 'UNKNOWN',
        version: 2,
      });
    });

    it('never changes what was proposed', async () => {
      const it = await ledger();
      const row = await it.transaction('shop', (tx) => tx.operations.insert(operation({ id: 'op' })));
      for (const change of [
        ...['id', 'tenant', 'principal', 'name', 'args', 'argsDigest', 'essenceDigest'].map((name) => ({
          [name]: 'x',
        })),
        ...['createdAt', 'version'].map((name) => ({ [name]: 7 })),
      ])
        await expect(it.transaction('shop', (tx) => tx.operations.update(row, change))).rejects.toThrow('never change');
      expect(await it.transaction('shop', (tx) => tx.operations.find('op'))).toEqual(row);
    });

    it('refuses one under way without an end of its quiet period', async () => {
      const it = await ledger();
      const put = it.transaction('shop', (tx) => tx.operations.insert(operation({ id: 'op', quietUntil: null })));
      await expect(put).rejects.toThrow('sending_has_quiet_until');
    });

    it('lists as overdue what is SENDING and past its quiet period, of every tenant', async () => {
      const it = await ledger();
      await it.transaction('shop', async (tx) => {
        await tx.operations.insert(operation({ id: 'due', quietUntil: 2000 }));
        await tx.operations.insert(operation({ id: 'quiet', quietUntil: 2001 }));
        await tx.operations.insert(operation({ id: 'unknown', quietUntil: 1, state: 'UNKNOWN' }));
        await tx.operations.insert(operation({ id: 'proposed', quietUntil: null, state: 'PROPOSED' }));
      });
      await it.transaction('cafe', (tx) => tx.operations.insert(operation({ id: 'longest', quietUntil: 1 })));
      expect((await it.overdue(2000)).map(({ id, tenant }) => [tenant, id])).toEqual([
        ['cafe', 'longest'],
        ['shop', 'due'],
      ]);
      expect(await it.overdue(0)).toEqual([]);
    });
  });

  describe('observations', () => {
    const card = { handle: 'card_1', kind: 'card', owner: 'shopper_1', state: 'PENDING', body: { last4: '1111' } };

    it('gives back what was told, and what changed since', async () => {
      const it = await ledger();
      await it.transaction('shop', async (tx) => {
        const row = await tx.observations.insert(card, 5);
        expect(row).toEqual({
          ...card,
          tenant: 'shop',
          changeSeq: 0,
          lookedAt: 0,
          createdAt: 5,
          updatedAt: 5,
          version: 1,
        });
        const active = await tx.observations.update(row, { state: 'ACTIVE' }, 6);
        expect(active).toEqual({ ...row, state: 'ACTIVE', updatedAt: 6, version: 2 });
        expect(await tx.observations.update(active, { body: {} }, 7)).toEqual({
          ...active,
          body: {},
          updatedAt: 7,
          version: 3,
        });
        expect(await tx.observations.find('card_2')).toBeUndefined();
      });
    });

    it('refuses a second one of a handle, and a late change', async () => {
      const it = await ledger();
      const row = await it.transaction('shop', (tx) => tx.observations.insert(card, 5));
      await it.transaction('shop', (tx) => tx.observations.update(row, { state: 'ACTIVE' }, 6));
      await expect(it.transaction('shop', (tx) => tx.observations.insert(card, 5))).rejects.toThrow(AlreadyOpen);
      await expect(it.transaction('shop', (tx) => tx.observations.update(row, {}, 7))).rejects.toThrow(StaleRow);
      expect(await it.transaction('shop', (tx) => tx.observations.find('card_1'))).toMatchObject({ state: 'ACTIVE' });
    });

    it('lists one kind, of one owner or of all, oldest first', async () => {
      const it = await ledger();
      await it.transaction('shop', async (tx) => {
        await tx.observations.insert({ ...card, handle: 'b', owner: '' }, 2);
        await tx.observations.insert({ ...card, handle: 'a' }, 1);
        await tx.observations.insert({ ...card, handle: 'plan', kind: 'plan' }, 1);
        const handles = async (owner?: string) =>
          (await tx.observations.list({ kind: 'card', owner }, { limit: 10 })).rows.map(({ handle }) => handle);
        expect([await handles(), await handles('shopper_1'), await handles('')]).toEqual([['a', 'b'], ['a'], ['b']]);
      });
    });
  });

  describe('approvals', () => {
    it('belongs to one operation, which has no second one', async () => {
      const it = await ledger();
      const put = await it.transaction('shop', async (tx) => {
        await tx.operations.insert(operation({ id: 'op', state: 'PROPOSED' }));
        return tx.approvals.insert(approval({ id: 'a1', operationId: 'op' }));
      });
      expect(put).toEqual({ ...approval({ id: 'a1', operationId: 'op' }), tenant: 'shop', version: 1 });
      const second = it.transaction('shop', (tx) => tx.approvals.insert(approval({ id: 'a2', operationId: 'op' })));
      await expect(second).rejects.toThrow(new AlreadyOpen('This operation already has an approval.'));
      const stray = it.transaction('shop', (tx) => tx.approvals.insert(approval({ id: 'a3', operationId: 'none' })));
      await expect(stray).rejects.toThrow(/foreign key/i);
      await it.transaction('shop', async (tx) => {
        expect([await tx.approvals.find('a1'), await tx.approvals.ofOperation('op')]).toEqual([put, put]);
        expect([await tx.approvals.find('a2'), await tx.approvals.ofOperation('x')]).toEqual([undefined, undefined]);
      });
    });

    it('is used once', async () => {
      const it = await ledger();
      const row = await it.transaction('shop', async (tx) => {
        await tx.operations.insert(operation({ id: 'op', state: 'PROPOSED' }));
        return tx.approvals.insert(approval({ id: 'a1', operationId: 'op', state: 'APPROVED' }));
      });
      const uses = [1, 2, 3].map(() => it.transaction('shop', (tx) => tx.approvals.update(row, { state: 'CONSUMED' })));
      const outcomes = await Promise.allSettled(uses);
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
      expect(outcomes[2]).toMatchObject({ reason: expect.any(StaleRow) });
    });

    it('never changes what was asked', async () => {
      const it = await ledger();
      const row = await it.transaction('shop', async (tx) => {
        await tx.operations.insert(operation({ id: 'op' }));
        return tx.approvals.insert(approval({ id: 'a1', operationId: 'op' }));
      });
      for (const change of [{ digest: 'x' }, { text: 'x' }, { operationId: 'x' }, { expiresAt: 7 }, { principal: 'x' }])
        await expect(it.transaction('shop', (tx) => tx.approvals.update(row, change))).rejects.toThrow('never change');
    });
  });

  it("clears a tenant's sealed secrets, and no others", async () => {
    const it = await ledger();
    const secret = { handle: 'secret', sealed: 'x', expiresAt: 9 };
    for (const tenant of ['shop', 'cafe']) await it.transaction(tenant, (tx) => tx.sealed.put(secret));
    await it.transaction('shop', (tx) => tx.sealed.clear());
    const left = ['shop', 'cafe'].map((tenant) => it.transaction(tenant, (tx) => tx.sealed.find('secret', 1)));
    expect(await Promise.all(left)).toEqual([undefined, { sealed: 'x', expiresAt: 9 }]);
    expect(await it.verify()).toMatchObject({ ok: true });
  });

  describe('a transaction', () => {
    it('keeps nothing when its work throws, and the ledger goes on', async () => {
      const it = await ledger();
      const failing = it.transaction('shop', async (tx) => {
        await tx.operations.insert(operation({ id: 'op' }));
        await tx.audit.append({ event: 'sent', body: {}, at: 1 });
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      expect([await it.tenants(), await it.verify()]).toEqual([[], { ok: true, head: '0'.repeat(64), rows: 0 }]);
      await it.transaction('shop', (tx) => tx.operations.insert(operation({ id: 'op' })));
      expect(await it.tenants()).toEqual(['shop']);
    });

    it('may go on after a refused insert', async () => {
      const it = await ledger();
      await it.transaction('shop', async (tx) => {
        await tx.operations.insert(operation({ id: 'op' }));
        await expect(tx.operations.insert(operation({ id: 'op' }))).rejects.toThrow(AlreadyOpen);
        await tx.audit.append({ event: 'refused', body: {}, at: 1 });
      });
      expect(await it.verify()).toMatchObject({ ok: true, rows: 1 });
    });

    it('queues behind others of the same process and never mixes with them', async () => {
      const it = await ledger();
      const order: string[] = [];
      const work = (name: string) =>
        it.transaction('shop', async (tx) => {
          order.push(`${name} begins`);
          for (const step of [1, 2, 3]) await tx.operations.insert(operation({ id: `${name}${step}` }));
          await new Promise<void>((resume) => setImmediate(resume));
          order.push(`${name} ends`);
          if (name === 'b') throw new Error('b fails');
        });
      const outcomes = await Promise.allSettled([work('a'), work('b'), it.tenants(), work('c')]);
      expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
      const { rows } = await it.transaction('shop', (tx) => tx.operations.list({}, { limit: 10 }));
      expect(rows.map(({ id }) => id)).toEqual(['c3', 'c2', 'c1', 'a3', 'a2', 'a1']);
    });

    it('refuses another one inside, which would wait for ever, but not one after', async () => {
      const it = await ledger();
      await it.transaction('shop', async () => {
        await expect(it.transaction('shop', async () => 1)).rejects.toThrow('already open');
        await expect(it.tenants()).rejects.toThrow('already open');
        await expect(it.close()).rejects.toThrow('already open');
      });
      expect(await it.transaction('shop', async () => 1)).toBe(1);
    });

    it('takes no statement after its end', async () => {
      const it = await ledger();
      const tx = await it.transaction('shop', async (open) => open);
      await expect(tx.operations.insert(operation({ id: 'late' }))).rejects.toThrow();
      let forgotten: Promise<unknown> = Promise.resolve();
      await it.transaction('shop', async (open) => {
        forgotten = open.operations.insert(operation({ id: 'forgotten' })).catch((error: unknown) => error);
      });
      const said = await forgotten;
      const found = (id: string) => it.transaction('shop', (open) => open.operations.find(id));
      expect([await found('late'), (await found('forgotten')) === undefined]).toEqual([
        undefined,
        said instanceof Error,
      ]);
    });

    it('needs a tenant', async () => {
      const it = await ledger();
      await expect(it.transaction('', async () => 1)).rejects.toThrow('needs a tenant');
    });
  });

  describe('closing', () => {
    it('lets what was asked before finish, refuses what comes after, and may be repeated', async () => {
      const it = await ledger();
      const before = it.transaction('shop', (tx) => tx.operations.insert(operation({ id: 'op' })));
      const closed = [it.close(), it.close()];
      await expect(it.tenants()).rejects.toThrow(LedgerUnavailable);
      await expect(it.transaction('shop', async () => 1)).rejects.toThrow('is closed: open it again');
      expect(await before).toMatchObject({ id: 'op' });
      expect(await Promise.all(closed)).toEqual([undefined, undefined]);
    });
  });
});
