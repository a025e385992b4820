import { describe, expect, it } from 'vitest';
import { machine } from '../../src/core/machine.ts';
import { card, instruction } from '../../src/domains/purchase/machines.ts';

// `tsc` checks this file: a line marked with @ts-expect-error that compiles after all is an error of its own. What
// happens at run time is asserted too, because a caller in JavaScript gets no compiler.

interface Lamp {
  readonly state: string;
  readonly wired: boolean;
}

describe('a table', () => {
  it('does not compile without a predicate for one of its conditions; such a row is never taken', () => {
    const lamp = machine('lamp', {
      source: 'own',
      rows: [
        ['off', 'press', 'it is wired', 'on'],
        ['on', 'press', 'it has a fuse', 'off'],
      ],
      assumed: [],
      // @ts-expect-error: the condition "it has a fuse" stands in a row and has no predicate
      conditions: { 'it is wired': (it: Lamp) => it.wired },
      breach: {},
    });
    expect(lamp.legal({ state: 'on', wired: true } as never)).toEqual([]);
  });

  it('does not compile without a predicate for a condition of an assumed row', () => {
    const lamp = machine('lamp', {
      source: 'own',
      rows: [['off', 'press', 'it is wired', 'on']],
      assumed: [['on', 'press', 'it has a fuse', 'off']],
      // @ts-expect-error: the condition "it has a fuse" stands in an assumed row and has no predicate
      conditions: { 'it is wired': (it: Lamp) => it.wired },
      breach: {},
    });
    expect(lamp.legal({ state: 'on', wired: true } as never)).toEqual([]);
  });

  it('does not compile with a condition that is misspelt in the row', () => {
    const lamp = machine('lamp', {
      source: 'own',
      rows: [['off', 'press', 'it is wierd', 'on']],
      assumed: [],
      // @ts-expect-error: the row says "it is wierd"; "it is wired" is a predicate that no row names
      conditions: { 'it is wired': (it: Lamp) => it.wired },
      breach: {},
    });
    expect(lamp.legal({ state: 'off', wired: true } as never)).toEqual([]);
  });

  it('does not compile with a predicate that no row names', () => {
    const lamp = machine('lamp', {
      source: 'own',
      rows: [['off', 'press', 'it is wired', 'on']],
      assumed: [],
      conditions: {
        'it is wired': (it: Lamp) => it.wired,
        // @ts-expect-error: "it has a fuse" is a predicate that no row names
        'it has a fuse': (it: Lamp) => it.wired,
      },
      breach: {},
    });
    expect(lamp.legal({ state: 'off', wired: true } as never)).toEqual(['press']);
  });

  it('does not compile with a rule for a trigger that it does not have', () => {
    const lamp = machine('lamp', {
      source: 'own',
      rows: [['off', 'press', '', 'on']],
      assumed: [],
      conditions: {},
      // @ts-expect-error: "pull" is no trigger of the table
      breach: { pull: 'EN-01' },
    });
    expect(lamp.triggers).toEqual(['press']);
  });

  it('does not compile with a final state that it does not have', () => {
    const lamp = machine('lamp', {
      source: 'own',
      rows: [['off', 'press', '', 'on']],
      assumed: [],
      conditions: {},
      breach: {},
      // @ts-expect-error: "broken" is no state of the table
      final: { broken: 'EN-01' },
    });
    expect(lamp.states).toEqual(['off', 'on']);
  });

  it('does not compile with an actor that there is not', () => {
    const lamp = machine('lamp', {
      source: 'own',
      rows: [['off', 'press', '', 'on']],
      assumed: [],
      conditions: {},
      breach: {},
      // @ts-expect-error: a ghost pulls no trigger
      actors: { press: 'ghost' },
    });
    expect(lamp.actors).toEqual({ press: 'ghost' });
  });
});

describe('a machine', () => {
  const pending = { state: 'PENDING', verified: true };

  it('does not compile when asked for a trigger that it does not have; it refuses it', () => {
    // @ts-expect-error: "cancel" is no trigger of the card
    expect(card.move(pending, 'cancel').ok).toBe(false);
    // @ts-expect-error: "refund" is no trigger of the instruction, and a contract entry can't name it
    expect(instruction.on('refund').trigger).toBe('refund');
  });

  it('does not compile with an entity of another kind', () => {
    // @ts-expect-error: an instruction's facts are missing
    expect(instruction.move({ state: 'ACTIVE' }, 'confirm').ok).toBe(false);
    // @ts-expect-error: `verified` is a boolean, not a text; only true counts as verified
    expect(card.move({ state: 'PENDING', verified: 'yes' }, 'verify').ok).toBe(false);
  });

  it('does not compile when its table is written to', () => {
    const write = () => {
      // @ts-expect-error: rows are read-only
      card.rows[0] = ['none', 'enroll', '', 'ACTIVE'];
    };
    expect(write).toBeTypeOf('function');
  });
});

describe('what a trigger may lead to before the response', () => {
  const purchase = (state: string, more: object = {}) => ({
    ...{ state, asks: false, waiting: '', processed: false, ended: false },
    ...more,
  });

  it('is every state that the response decides between, up to the first that is sure', () => {
    expect([
      card.outcomes({ state: 'none', verified: false }, 'enroll'),
      card.outcomes({ state: 'none', verified: true }, 'enroll'),
      card.outcomes({ state: 'ACTIVE', verified: true }, 'enroll'),
      instruction.outcomes(purchase('none'), 'initiate'),
      instruction.outcomes(purchase('ACTIVE'), 'cancel'),
    ]).toEqual([
      ['PENDING', 'ACTIVE'],
      ['PENDING', 'ACTIVE'],
      ['ACTIVE'],
      ['PENDING', 'ACTIVE'],
      ['PENDING', 'CANCELLED'],
    ]);
  });

  it('leaves out what facts forbid, and is nothing where no row applies', () => {
    expect([
      instruction.outcomes(purchase('ACTIVE'), 'confirm'),
      instruction.outcomes(purchase('ACTIVE', { processed: true }), 'confirm'),
      instruction.outcomes(purchase('CANCELLED'), 'update'),
    ]).toEqual([[], ['COMPLETED'], []]);
  });
});
