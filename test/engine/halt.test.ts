import { describe, expect, it, vi } from 'vitest';
import { recordDecision } from '../../src/engine/approval-service.ts';
import { demandApproved, demandSent } from '../../src/engine/audit-evidence.ts';
import { createEngine } from '../../src/engine/engine.ts';
import { freezeOf, freezeTenant, orFreeze, unfreeze } from '../../src/engine/freeze.ts';
import { IntegrityError } from '../../src/engine/integrity-error.ts';
import { recover } from '../../src/engine/recover.ts';
import { Refused } from '../../src/engine/refusal.ts';
import { settleUnknown } from '../../src/engine/settle-unknown.ts';
import { CommitUnknown, LedgerUnavailable } from '../../src/ledger/errors.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { ApprovalRow, OperationRow } from '../../src/ledger/rows.ts';
import { agent, bought, order, payment, person, type Said, type World, withOther, world } from './support.ts';

// What must always hold and does not (reliability: I3, I8, I9) halts the tenant: nothing but reading goes on, in every
// process, until a person has looked.

const halted = { outcome: 'refused', error: { code: 'INTERNAL_HALT', rule: 'EN-13', retry: 'never' } };

/** Writes into rows what Purser never does, with the checksums that they should have. */
const edit = (it: World, { operation, approval }: Said, to: Partial<OperationRow>, asked: Partial<ApprovalRow> = {}) =>
  it.parts.ledger.transaction(agent.tenant, async (tx) => {
    const [row, yes] = [await tx.operations.find(operation ?? ''), await tx.approvals.find(approval?.id ?? '')];
    if (row !== undefined) await tx.operations.update(row, to);
    if (yes !== undefined && Object.keys(asked).length > 0) await tx.approvals.update(yes, asked);
  });

/** A world in which somebody has written a yes into the ledger, and the agent has made the call. */
async function forged() {
  const it = await world(withOther);
  const instruction = await bought(it, { reference: 'order-before' });
  const asked = await it.call('initiate_purchase', order());
  await edit(it, asked, { state: 'APPROVED' }, { state: 'APPROVED', approver: 'ann', channel: 'cli' });
  expect(await it.call('initiate_purchase', order())).toMatchObject({ ...halted, operation: asked.operation });
  return { it, asked, instruction };
}

/** A world in which an answer comes after a person has said that the call came to nothing. */
async function lateAnswer() {
  const held = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  let holds = false;
  const it = await world({
    replace: {
      platform: (real) => async (request) => {
        const answer = await real(request);
        if (!holds) return answer;
        arrived.resolve();
        await held.promise;
        return answer;
      },
    },
  });
  const instruction = await bought(it);
  holds = true;
  const release = it.call('retrieve_credentials', payment(instruction));
  await arrived.promise;
  await it.advance(121);
  await recover(it.parts);
  const [row] = (await it.operations()).filter(({ state }) => state === 'UNKNOWN');
  return { it, instruction, row, release, answers: held.resolve };
}

describe('a promise that was seen broken', () => {
  it('halts everything but reading, and says which call it was', async () => {
    const { it: here, asked, instruction } = await forged();
    const effects = await here.effects();
    const calls = [
      ['enroll_card', { card: 'card_bo' }],
      ['initiate_purchase', order({ reference: 'order-2' })],
      ['retrieve_credentials', payment(instruction)],
      ['cancel_purchase', { instruction }],
    ] as const;
    for (const [tool, args] of calls)
      expect(await here.call(tool, args)).toMatchObject({ ...halted, operation: asked.operation });
    for (const [tool, args] of [
      ['list_operations', {}],
      ['get_operation', { operation: asked.operation }],
      ['list_cards', { shopper: 'shopper_ada' }],
    ] as const)
      expect([tool, (await here.call(tool, args)).outcome]).toEqual([tool, 'done']);
    expect(await here.call('preview_call', { tool: 'enroll_card', arguments: { card: 'card_bo' } })).toMatchObject({
      data: { verdict: halted },
    });
    expect(await here.effects()).toEqual(effects);
    expect(await here.parts.ledger.verify()).toMatchObject({ ok: true });
  });

  it('halts every process at once, and no other tenant', async () => {
    const { it: here } = await forged();
    const other = createEngine(here.parts);
    expect(await other.call('enroll_card', { card: 'card_bo' }, agent)).toMatchObject(halted);
    const elsewhere = createEngine({ ...here.parts, tenant: 'other' });
    expect(await elsewhere.call('enroll_card', { card: 'card_bo' }, { ...agent, tenant: 'other' })).toMatchObject({
      error: { code: 'NOT_FOUND' },
    });
  });

  it('is written down once, whatever is seen of it later', async () => {
    const { it: here } = await forged();
    await here.call('initiate_purchase', order());
    await here.call('initiate_purchase', order());
    expect((await here.audit()).filter(({ event }) => event === 'halted')).toMatchObject([
      { body: { because: 'The audit does not confirm that this call may be sent.' } },
    ]);
  });

  it('keeps the payment system from released credentials', async () => {
    const here = await world();
    const instruction = await bought(here);
    const { data } = await here.call('retrieve_credentials', payment(instruction));
    const asked = await here.call('initiate_purchase', order({ reference: 'order-2' }));
    await edit(here, asked, { state: 'APPROVED' }, { state: 'APPROVED' });
    await here.call('initiate_purchase', order({ reference: 'order-2' }));
    await expect(here.running.engine.redeem('default', data.credentials)).rejects.toThrow(Refused);
    await unfreeze(here.parts, 'Looked into it.', person);
    expect(await here.running.engine.redeem('default', data.credentials)).toBeDefined();
  });

  it('ends when a person has looked; what it was about halts anew', async () => {
    const { it: here } = await forged();
    expect(await freezeOf(here.parts, 'default')).toMatchObject({ event: 'halted' });
    expect(await unfreeze(here.parts, 'Card 4111 1111 1111 1111 was used.', person)).toMatchObject({
      ok: false,
      field: 'note',
    });
    expect(await freezeOf(here.parts, 'default')).toBeDefined();
    expect(await unfreeze(here.parts, 'The account that wrote it is closed.', person)).toMatchObject({ ok: true });
    expect(await freezeOf(here.parts, 'default')).toBeUndefined();
    expect(await unfreeze(here.parts, 'Once more.', person)).toMatchObject({ ok: false });
    expect(await here.call('enroll_card', { card: 'card_bo' })).toMatchObject({ outcome: 'done' });
    expect(await here.call('initiate_purchase', order())).toMatchObject(halted);
    expect(await here.call('enroll_card', { card: 'card_bo' })).toMatchObject(halted);
  });
});

describe('a halt', () => {
  const broken = () => new IntegrityError('It says what it never says.');
  const rowsOf = async (here: World, wanted: string) => (await here.audit()).filter(({ event }) => event === wanted);

  it('says what an operator must do, and of which call where there is one', async () => {
    const here = await world();
    const refusal = await freezeTenant(here.parts, 'default', broken());
    expect(refusal).toEqual({
      code: 'INTERNAL_HALT',
      rule: 'EN-13',
      because: expect.stringContaining(
        'until an operator has investigated: purser audit show, then purser audit resume.',
      ),
      retry: 'never',
      instead: ['list_operations'],
    });
    expect(await freezeTenant(here.parts, 'default', new IntegrityError('Once more.', 'op_a'))).toEqual({
      ...refusal,
      operation: 'op_a',
    });
    expect(await rowsOf(here, 'halted')).toMatchObject([{ operationId: null, body: { because: broken().message } }]);
    expect([broken().name, await here.call('enroll_card', { card: 'card_ada' })]).toMatchObject([
      'IntegrityError',
      halted,
    ]);
  });

  it('is ended in the name of a person, with what they found', async () => {
    const here = await world();
    expect(await unfreeze(here.parts, 'Nothing.', person)).toEqual({
      ok: false,
      because: 'This tenant is not halted.',
    });
    const about = { person: 'ann', channel: 'cli' };
    for (const [operation, note] of [
      [undefined, 'Ours.'],
      ['op_a', 'Ours, too.'],
    ] as const) {
      await freezeTenant(here.parts, 'default', new IntegrityError('x', operation));
      expect(await unfreeze(here.parts, note, person)).toEqual({
        ok: true,
        operation: operation ?? '',
        state: 'resumed',
        text: note,
      });
    }
    expect(await rowsOf(here, 'resumed')).toMatchObject([
      { operationId: null, body: { ...about, note: 'Ours.' } },
      { operationId: 'op_a', body: { ...about, note: 'Ours, too.' } },
    ]);
  });

  it('comes of a broken promise alone', async () => {
    const here = await world();
    await expect(orFreeze(here.parts, 'default', () => Promise.reject(new TypeError('ours')))).rejects.toThrow('ours');
    expect(await freezeOf(here.parts, 'default')).toBeUndefined();
    expect(await orFreeze(here.parts, 'default', () => Promise.reject(broken()))).toBeUndefined();
    expect(await freezeOf(here.parts, 'default')).toBeDefined();
    expect(await orFreeze(here.parts, 'default', async () => 'done')).toBe('done');
  });
});

describe('what the audit must say', () => {
  it('is that a person approved exactly this', async () => {
    const here = await world();
    await here.call('enroll_card', { card: 'card_ada' });
    const asked = await here.call('initiate_purchase', order());
    await here.approve(asked);
    await here.parts.ledger.transaction('default', async (tx) => {
      const [row, yes] = [
        await tx.operations.find(asked.operation ?? ''),
        await tx.approvals.find(asked.approval?.id ?? ''),
      ];
      if (row === undefined || yes === undefined) throw new Error('Nothing was asked.');
      await demandApproved(tx, row, yes);
      for (const other of [{ id: 'apr_other' }, { digest: 'f'.repeat(64) }])
        await expect(demandApproved(tx, row, { ...yes, ...other })).rejects.toThrow(IntegrityError);
      await expect(demandSent(tx, row)).rejects.toThrow(IntegrityError);
    });
  });
});

const unavailable = { outcome: 'refused', error: { code: 'INTERNAL_HALT', retry: 'same_call' } };

describe('a ledger that fails', () => {
  const withTransaction = (here: World, transaction: Ledger['transaction']) => {
    const faults: unknown[] = [];
    const ports = { ...here.parts.ports, onFault: (fault: unknown) => faults.push(fault) };
    return { faults, engine: createEngine({ ...here.parts, ports, ledger: { ...here.parts.ledger, transaction } }) };
  };

  it('before the intent is written sends nothing, says so, and tells the operator why', async () => {
    const here = await world();
    const fault = new LedgerUnavailable('gone');
    const { faults, engine } = withTransaction(here, () => Promise.reject(fault));
    const told = await engine.call('enroll_card', { card: 'card_ada' }, agent);
    expect(told).toMatchObject(unavailable);
    expect(JSON.stringify(told)).not.toContain('gone');
    expect([here.sent, faults]).toEqual([[], [fault]]);
  });

  it('in a commit that may have been kept is not said to have changed nothing', async () => {
    const here = await world();
    const { engine } = withTransaction(here, () => Promise.reject(new CommitUnknown('gone')));
    await expect(engine.call('enroll_card', { card: 'card_ada' }, agent)).rejects.toThrow(CommitUnknown);
  });
});

describe('a ledger that can not be verified', () => {
  const withVerify = (here: World, verify: Ledger['verify']) =>
    createEngine({ ...here.parts, ledger: { ...here.parts.ledger, verify } });

  it('is looked at once more by the next call, where nobody could tell', async () => {
    const here = await world();
    let tries = 0;
    const engine = withVerify(here, async (anchor) => {
      tries += 1;
      if (tries === 1) throw new LedgerUnavailable('gone');
      return here.parts.ledger.verify(anchor);
    });
    expect(await engine.call('enroll_card', { card: 'card_ada' }, agent)).toMatchObject(unavailable);
    expect(here.sent).toEqual([]);
    expect(await engine.call('enroll_card', { card: 'card_ada' }, agent)).toMatchObject({ outcome: 'done' });
  });

  it('is told to the operator where older rows are looked at in the background', async () => {
    const here = await world();
    const fault = new LedgerUnavailable('gone');
    const faults: unknown[] = [];
    const { ledger, ports } = here.parts;
    const verify = vi.fn(ledger.verify).mockRejectedValue(fault);
    let isBehind = true;
    const engine = createEngine({
      ...here.parts,
      verifiedBefore: { ...(await ledger.head()), writes: await ledger.writeCounters() },
      ports: { ...ports, onFault: (it) => faults.push(it) },
      ledger: {
        ...ledger,
        verify,
        verifySince: async (verified) => ({ kind: 'whole', verified, older: true }),
        transaction: (tenant, work) =>
          ledger.transaction(tenant, (tx) => {
            const verifyRecent: typeof tx.audit.verifyRecent = async (...given) => {
              if (!isBehind) return tx.audit.verifyRecent(...given);
              isBehind = false;
              return { kind: 'behind' };
            };
            return work({ ...tx, audit: { ...tx.audit, verifyRecent } });
          }),
      },
    });
    expect(await engine.call('enroll_card', { card: 'card_ada' }, agent)).toMatchObject({ outcome: 'done' });
    expect([verify.mock.calls.length, faults]).toEqual([1, [fault]]);
  });

  it('lets nothing but reading through, and says where to look', async () => {
    const here = await world();
    const engine = withVerify(here, async () => ({ ok: false, because: 'x' }));
    expect(await engine.call('enroll_card', { card: 'card_ada' }, agent)).toMatchObject({
      ...halted,
      said: expect.stringContaining('purser audit verify'),
      next: ['list_operations'],
    });
    await expect(engine.redeem('default', 'credentials_x')).rejects.toThrow(Refused);
  });
});

describe('an answer that says otherwise than the ledger', () => {
  it('is told as unknown, and halts: it took effect after a person had said that it had not', async () => {
    const { it: here, row, release, answers } = await lateAnswer();
    const found = { happened: false, note: 'Nothing there.' };
    expect(await settleUnknown(here.parts, row?.id ?? '', found, person)).toMatchObject({ ok: true });
    answers();
    expect(await release).toMatchObject({ outcome: 'unknown', operation: row?.id });
    expect((await here.operation(row?.id)).state).toBe('FAILED');
    expect(await freezeOf(here.parts, 'default')).toMatchObject({ operationId: row?.id });
    expect(await here.call('enroll_card', { card: 'card_bo' })).toMatchObject(halted);
  });

  it('halts nothing where it says the same', async () => {
    const { it: here, row, release, answers } = await lateAnswer();
    expect(
      await settleUnknown(here.parts, row?.id ?? '', { happened: true, note: 'It is there.' }, person),
    ).toMatchObject({ ok: true });
    answers();
    expect(await release).toMatchObject({ outcome: 'done' });
    expect(await freezeOf(here.parts, 'default')).toBeUndefined();
  });
});

describe('a move that no table has', () => {
  it('halts where a person decides what has ended already', async () => {
    const here = await world();
    await here.call('enroll_card', { card: 'card_ada' });
    const asked = await here.call('initiate_purchase', order());
    await edit(here, asked, { state: 'SUCCEEDED' });
    expect(await recordDecision(here.parts, asked.approval?.id ?? '', 'approve', person)).toMatchObject({
      ok: false,
      because: expect.stringContaining('purser audit show'),
    });
    expect(await freezeOf(here.parts, 'default')).toMatchObject({
      body: { because: expect.stringContaining('"approve"') },
    });
    expect(await here.call('enroll_card', { card: 'card_bo' })).toMatchObject(halted);
  });
});
