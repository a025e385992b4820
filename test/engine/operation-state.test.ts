import { describe, expect, it } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import {
  canMoveApproval,
  canMoveOperation,
  expire,
  isOverdue,
  isTooLate,
  markUnknown,
  moveApproval,
  nextState,
  sending,
  settled,
  supersede,
} from '../../src/engine/operation-state.ts';
import type { LedgerTransaction } from '../../src/ledger/ledger-transaction.ts';
import type { ApprovalRow, OperationRow } from '../../src/ledger/rows.ts';
import { shop, start, wish } from './shop.ts';

const approvalRow = (change: Partial<ApprovalRow> = {}) =>
  ({ state: 'REQUESTED', expiresAt: start, ...change }) as ApprovalRow;
const operationRow = (change: Partial<OperationRow>) => change as OperationRow;

/** A purchase that waits for a person: what is done to its two rows, and what is then written there. */
async function waiting(
  act: (tx: LedgerTransaction, row: OperationRow, asked: ApprovalRow) => Promise<unknown>,
): Promise<readonly unknown[]> {
  const it = await shop();
  await it.call('enroll_card', { card: 'card_ada' });
  const { approval, operation = '' } = await it.call('initiate_purchase', wish);
  const id = approval?.id ?? '';
  const rows = async (tx: LedgerTransaction) => {
    const [row, asked] = [await tx.operations.find(operation), await tx.approvals.find(id)];
    if (row === undefined || asked === undefined) throw new Error('Nothing waits.');
    return { row, asked };
  };
  await it.parts.ledger.transaction('default', async (tx) => {
    const { row, asked } = await rows(tx);
    await act(tx, row, asked);
  });
  const { row, asked } = await it.parts.ledger.transaction('default', rows);
  const last = (await it.audit()).at(-1);
  return [row.state, row.updatedAt, asked.state, last?.event, last?.operationId === operation, last?.body, id];
}

describe('an operation', () => {
  it('goes where its table says, by what else is known of it', () => {
    expect([
      nextState('none', 'propose', { needsApproval: true }),
      nextState('none', 'send'),
      nextState('UNKNOWN', 'send', { repeatable: true }),
      nextState('UNKNOWN', 'resolve', { happened: true }),
      nextState('UNKNOWN', 'resolve'),
      canMoveOperation('none', 'propose', { needsApproval: true }),
      canMoveOperation('none', 'propose'),
      canMoveOperation('none', 'send'),
      canMoveOperation('UNKNOWN', 'send'),
    ]).toEqual(['PROPOSED', 'SENDING', 'SENDING', 'RESOLVED', 'FAILED', true, false, true, false]);
  });

  it('goes nowhere else: that is a mistake of ours, and says which', () => {
    expect(() => nextState('SUCCEEDED', 'send')).toThrow(/^An operation can't "send": .+/);
  });

  it('is overdue at the very end of its quiet period, and never without one', () => {
    const overdue = (quietUntil: number | null) => isOverdue(operationRow({ quietUntil }), start);
    expect([overdue(start + 1), overdue(start), overdue(start - 1), overdue(null)]).toEqual([false, true, true, false]);
  });

  it('is too late for sending past ten seconds, and where it was never meant to be sent', () => {
    const late = (startedAt: number | null) => isTooLate(operationRow({ startedAt }), start);
    const longest = limits.sendingSeconds * 1_000;
    expect([late(start), late(start - longest), late(start - longest - 1), late(null)]).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });

  it('keeps when it was sent, how often, and until when silence proves nothing', () => {
    expect(sending(start, 3, 120)).toEqual({
      attempt: 3,
      startedAt: start,
      quietUntil: start + 120_000,
      updatedAt: start,
    });
  });

  it('whose answer never came is UNKNOWN, with its moment and its row in the audit', async () => {
    const then = start + 7;
    const it = await shop({
      replace: {
        failpoint: (point) => {
          if (point === 'F2') throw new Error('killed');
        },
      },
    });
    await it.call('enroll_card', { card: 'card_ada' }).catch(() => undefined);
    const [row] = await it.operations();
    if (row === undefined) throw new Error('Nothing was written down.');
    const lost = await it.parts.ledger.transaction('default', (tx) => markUnknown(tx, row, then));
    expect(lost).toMatchObject({ id: row.id, state: 'UNKNOWN', updatedAt: then });
    expect((await it.audit()).at(-1)).toMatchObject({
      operationId: row.id,
      event: 'unknown',
      body: { because: 'no answer was recorded' },
      at: then,
    });
  });
});

describe('an approval', () => {
  it('is late from the millisecond at which it ends', () => {
    const left = (milliseconds: number) => approvalRow({ expiresAt: start + milliseconds });
    expect([
      settled(left(1), start).state,
      settled(left(0), start).state,
      canMoveApproval(left(1), 'approve', start),
      canMoveApproval(left(0), 'approve', start),
      canMoveApproval(left(1), 'expire', start),
      canMoveApproval(left(0), 'expire', start),
    ]).toEqual(['REQUESTED', 'EXPIRED', true, false, false, true]);
    expect(settled(approvalRow({ id: 'apr_a', text: 'x' }), start)).toMatchObject({ id: 'apr_a', text: 'x' });
  });

  it('can’t be moved against its table: that is a mistake of ours, and says which', () => {
    const tx = {} as LedgerTransaction; // nothing of it is asked for
    expect(() => moveApproval(tx, approvalRow({ state: 'CONSUMED' }), 'approve', start - 1)).toThrow(
      /^An approval can't "approve": .+/,
    );
  });

  it('that lapses ends its operation, and the audit says so', async () => {
    const then = start + 600_000;
    const told = await waiting((tx, row, asked) => expire(tx, row, asked, then));
    expect(told).toEqual(['EXPIRED', then, 'EXPIRED', 'expired', true, { approval: told.at(-1) }, expect.anything()]);
  });

  it('that is superseded ends its operation, and the audit says so', async () => {
    const then = start + 5;
    const told = await waiting((tx, row, asked) => supersede(tx, row, asked, then));
    expect(told).toEqual([
      'EXPIRED',
      then,
      'EXPIRED',
      'superseded',
      true,
      { approval: told.at(-1) },
      expect.anything(),
    ]);
  });

  it('keeps what a decision adds to it', async () => {
    const it = await shop();
    await it.call('enroll_card', { card: 'card_ada' });
    const { approval } = await it.call('initiate_purchase', wish);
    const moved = await it.parts.ledger.transaction('default', async (tx) => {
      const asked = await tx.approvals.find(approval?.id ?? '');
      return asked && moveApproval(tx, asked, 'approve', start, { approver: 'clerk', decidedAt: start });
    });
    expect(moved).toMatchObject({ state: 'APPROVED', approver: 'clerk', decidedAt: start });
  });
});
