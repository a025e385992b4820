import { describe, expect, it } from 'vitest';
import { approval, operation } from '../../src/core/own-machines.ts';
import { invoice } from '../../src/domains/invoicing/machines.ts';
import { card, instruction } from '../../src/domains/purchase/machines.ts';

const intent = { asks: false, waiting: '', processed: false, ended: false };
/** A trigger that stands in no row of the state: no condition could have helped. */
const refused = { ok: false, unmet: [] };
const call = { needsApproval: false, repeatable: false, happened: false };

describe('a card', () => {
  it('that is not enrolled can’t be verified, and enrolling leads there', () => {
    expect(card.move({ state: 'none', verified: false }, 'verify')).toEqual({
      ...refused,
      rule: 'AP-03',
      because: 'There is no card yet, so "verify" is not possible.',
      before: ['enroll'],
    });
  });

  it('stays pending until the verification succeeds', () => {
    expect(card.move({ state: 'PENDING', verified: false }, 'verify')).toEqual({
      ...refused,
      rule: 'AP-03',
      because: 'The card is PENDING; "verify" needs: verification succeeds.',
      unmet: ['verification succeeds'],
      before: [],
    });
  });

  it('that is active has nothing left to verify', () => {
    expect(card.move({ state: 'ACTIVE', verified: true }, 'verify')).toEqual({
      ...refused,
      rule: 'AP-03',
      because: 'The card is ACTIVE; "verify" is not possible in that state.',
      before: [],
    });
  });

  it('becomes active with the words of the document', () => {
    expect(card.move({ state: 'PENDING', verified: true }, 'verify')).toEqual({
      ok: true,
      to: 'ACTIVE',
      follows: 'card can be used in purchases',
    });
  });
});

describe('an instruction', () => {
  it.each([
    ['update', 'AP-06'],
    ['cancel', 'AP-07'],
    ['retrieve', 'AP-08'],
    ['confirm', 'AP-10'],
  ] as const)('that was never initiated takes no %s, and initiating leads there', (trigger, rule) => {
    const move = instruction.move({ ...intent, state: 'none' }, trigger);
    const because = `There is no instruction yet, so "${trigger}" is not possible.`;
    expect(move).toEqual({ ...refused, rule, because, before: ['initiate'] });
  });

  it.each([
    ['update', 'AP-06'],
    ['cancel', 'AP-07'],
    ['retrieve', 'AP-08'],
    ['confirm', 'AP-10'],
  ] as const)('that was cancelled takes no %s, and nothing leads out', (trigger, rule) => {
    const move = instruction.move({ ...intent, state: 'CANCELLED', processed: true }, trigger);
    const because = `The instruction is CANCELLED; "${trigger}" is not possible in that state.`;
    expect(move).toEqual({ ...refused, rule, because, before: [] });
  });

  it.each(['update', 'cancel', 'retrieve', 'confirm', 'initiate', 'expire'] as const)(
    'that is completed takes no %s',
    (trigger) => {
      const move = instruction.move(
        { state: 'COMPLETED', asks: true, waiting: 'cancel', processed: true, ended: true },
        trigger,
      );
      const because = 'The instruction is COMPLETED, which is final.';
      expect(move).toEqual({ ...refused, rule: 'AP-11', because, before: [] });
    },
  );

  it.each(['ACTIVE', 'EXPIRED'])('that is %s is confirmed only once the payment was processed', (state) => {
    expect(instruction.move({ ...intent, state }, 'confirm')).toMatchObject({
      ok: false,
      rule: 'AP-10',
      because: `The instruction is ${state}; "confirm" needs: merchant payment processed.`,
    });
  });

  it('that has expired releases nothing and leads nowhere', () => {
    expect(instruction.move({ ...intent, state: 'EXPIRED' }, 'retrieve')).toEqual({
      ...refused,
      rule: 'AP-08',
      because: 'The instruction is EXPIRED; "retrieve" is not possible in that state.',
      before: [],
    });
  });

  it('that waits for the customer is confirmed only once the payment was processed', () => {
    const waiting = { ...intent, state: 'PENDING' };
    expect(instruction.move(waiting, 'confirm')).toMatchObject({ ok: false, rule: 'AP-10', before: [] });
    expect(instruction.move({ ...waiting, processed: true }, 'confirm')).toMatchObject({ ok: true, to: 'COMPLETED' });
  });

  it('never tells to cancel it so that a payment can be confirmed', () => {
    expect(instruction.before({ ...intent, state: 'ACTIVE' }, 'confirm')).not.toContain('cancel');
  });

  it('stays active when its credentials were released', () => {
    const released = { ok: true, to: 'ACTIVE', follows: 'the release is remembered (D-03)' };
    expect(instruction.move({ ...intent, state: 'ACTIVE' }, 'retrieve')).toEqual(released);
  });
});

describe('an operation', () => {
  it('that needs a person is not sent without one', () => {
    expect(operation.move({ ...call, state: 'none', needsApproval: true }, 'send')).toEqual({
      ...refused,
      rule: 'EN-04',
      because: 'The operation is none; "send" needs: nobody need approve it.',
      unmet: ['nobody need approve it'],
      before: [],
    });
  });

  it('whose outcome is unknown is not sent again unless its class allows it', () => {
    expect(operation.move({ ...call, state: 'UNKNOWN' }, 'send')).toEqual({
      ...refused,
      rule: 'EN-04',
      because: 'The operation is UNKNOWN; "send" needs: its class allows a repeat.',
      unmet: ['its class allows a repeat'],
      before: [],
    });
  });

  it.each(['SUCCEEDED', 'FAILED', 'EXPIRED', 'RESOLVED'])('that is %s is over', (state) => {
    expect(operation.move({ needsApproval: true, repeatable: true, happened: true, state }, 'send')).toEqual({
      ...refused,
      rule: 'EN-03',
      because: `The operation is ${state}, which is final.`,
      before: [],
    });
  });

  it('is lapsed by the engine, not by the clock alone', () => {
    expect(operation.settle({ ...call, state: 'PROPOSED' })).toBe('PROPOSED');
  });
});

describe('an approval', () => {
  it('is not given out of time', () => {
    expect(approval.move({ state: 'REQUESTED', late: true }, 'approve')).toEqual({
      ...refused,
      rule: 'EN-04',
      because: 'The approval is REQUESTED; "approve" needs: in time.',
      unmet: ['in time'],
      before: [],
    });
  });

  it('is not used before a person gave it', () => {
    expect(approval.move({ state: 'REQUESTED', late: false }, 'consume')).toEqual({
      ...refused,
      rule: 'EN-04',
      because: 'The approval is REQUESTED; "consume" is not possible in that state.',
      before: ['approve'],
    });
  });

  it('is not used twice', () => {
    expect(approval.move({ state: 'CONSUMED', late: false }, 'consume')).toEqual({
      ...refused,
      rule: 'EN-04',
      because: 'The approval is CONSUMED, which is final.',
      before: [],
    });
  });
});

describe('the clock', () => {
  it('ends what has run out, and only that', () => {
    const states = ['none', 'ACTIVE', 'PENDING', 'CANCELLED', 'COMPLETED', 'EXPIRED'];
    const settled = (ended: boolean) => states.map((state) => instruction.settle({ ...intent, state, ended }));
    expect(settled(true)).toEqual(['none', 'EXPIRED', 'EXPIRED', 'CANCELLED', 'COMPLETED', 'EXPIRED']);
    expect(settled(false)).toEqual(states);
  });

  it('ends an approval that nobody gave or used in time', () => {
    const states = ['none', 'REQUESTED', 'APPROVED', 'DENIED', 'EXPIRED', 'CONSUMED'];
    const settled = (late: boolean) => states.map((state) => approval.settle({ state, late }));
    expect(settled(true)).toEqual(['none', 'EXPIRED', 'EXPIRED', 'DENIED', 'EXPIRED', 'CONSUMED']);
    expect(settled(false)).toEqual(states);
  });

  it('pulls no trigger of the customer’s', () => {
    expect(card.settle({ state: 'PENDING', verified: true })).toBe('PENDING');
  });
});

describe('an invoice', () => {
  const bill = {
    delivery: 'email',
    immediate: true,
    paid: false,
    settled: false,
    reviewed: false,
    expired: false,
  } as const;
  const ways = (state: string, trigger: Parameters<typeof invoice.before>[1]) =>
    invoice.before({ ...bill, state }, trigger);

  it('is led on by what takes it elsewhere, not by what leaves it where it is', () => {
    expect(ways('SENT', 'accept')).toEqual(['pay']);
  });

  it('that is under review is led on by nothing that an agent can do', () => {
    expect(ways('PENDING', 'send')).toEqual([]);
  });

  it('is led by nothing to where no row leads', () => {
    expect(ways('SENT', 'publish')).toEqual([]);
  });
});
