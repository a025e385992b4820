import { describe, expect, it } from 'vitest';
import { machine } from '../../src/core/machine.ts';

interface Letter {
  readonly state: string;
  readonly stamped: boolean;
  readonly sealed: boolean;
}

/** Four steps in a row, a side road that leads nowhere, and a clock. */
const letter = machine('letter', {
  source: 'own',
  rows: [
    ['none', 'write', '', 'DRAFT', 'it lies on the table'],
    ['DRAFT', 'fold', '', 'FOLDED'],
    ['DRAFT', 'burn', '', 'ASHES'],
    ['DRAFT', 'fade', '', 'FOLDED'],
    ['FOLDED', 'close', '', 'CLOSED'],
    ['CLOSED', 'post', 'it is stamped', 'POSTED'],
    ['CLOSED', 'post', 'it is sealed', 'POSTED'],
    ['POSTED', 'open', '', 'OPEN'],
  ],
  assumed: [],
  conditions: {
    'it is stamped': (it: Letter) => it.stamped,
    'it is sealed': (it: Letter) => it.sealed,
  },
  breach: { open: 'AP-01' },
  actors: { fade: 'clock' },
});
const bare = { stamped: false, sealed: false };

describe('the way to a trigger that is not possible yet', () => {
  it('begins with the trigger of the present state, however many steps there are', () => {
    const first = (state: string) => letter.before({ ...bare, state }, 'open');
    expect(['none', 'DRAFT', 'FOLDED', 'CLOSED', 'POSTED', 'OPEN', 'ASHES'].map(first)).toEqual([
      ['write'],
      ['fold'],
      ['close'],
      ['post'],
      [],
      [],
      [],
    ]);
  });

  it('is told with the refusal', () => {
    expect(letter.move({ ...bare, state: 'FOLDED' }, 'open')).toEqual({
      ok: false,
      rule: 'AP-01',
      because: 'The letter is FOLDED; "open" is not possible in that state.',
      unmet: [],
      before: ['close'],
    });
  });
});

it('names every condition of which one would have to hold', () => {
  expect(letter.move({ ...bare, state: 'CLOSED' }, 'post')).toEqual({
    ok: false,
    rule: undefined,
    because: 'The letter is CLOSED; "post" needs: it is stamped, or: it is sealed.',
    unmet: ['it is stamped', 'it is sealed'],
    before: [],
  });
});

it('says what follows, or nothing where its row says nothing', () => {
  expect([letter.move({ ...bare, state: 'none' }, 'write'), letter.move({ ...bare, state: 'DRAFT' }, 'fold')]).toEqual([
    { ok: true, to: 'DRAFT', follows: 'it lies on the table' },
    { ok: true, to: 'FOLDED', follows: '' },
  ]);
});

it('lets the clock pull its own trigger and no other', () => {
  expect(['none', 'DRAFT', 'CLOSED'].map((state) => letter.settle({ ...bare, stamped: true, state }))).toEqual([
    'none',
    'FOLDED',
    'CLOSED',
  ]);
});

it('names one of its triggers for a contract entry', () => {
  expect(letter.on('post')).toEqual({ machine: letter, trigger: 'post' });
});
