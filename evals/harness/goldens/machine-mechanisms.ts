import { type Entity, machine } from '../../../src/core/machine.ts';
import type { Mechanisms } from './lines.ts';

// What a machine allows, refuses and advises, in each state and under each condition.

/** A machine with every kind of row: by condition, by another actor, that leads nowhere, back, and to an end. */
const letter = machine('letter', {
  source: 'own',
  rows: [
    ['none', 'write', '', 'DRAFT', 'it is kept'],
    ['DRAFT', 'write', '', 'DRAFT', ''],
    ['DRAFT', 'send', 'it has an address', 'SENT', 'it is on its way'],
    ['DRAFT', 'burn', '', 'GONE', ''],
    ['SENT', 'deliver', '', 'DELIVERED', ''],
    ['SENT', 'expire', 'it is late', 'LOST', ''],
    ['SENT', 'burn', 'it has an address', 'LOST', ''],
    ['DELIVERED', 'answer', '', 'ANSWERED', ''],
    ['ANSWERED', 'answer', '', 'ANSWERED', ''],
  ],
  assumed: [['LOST', 'write', 'it is late', 'DRAFT', '']],
  conditions: {
    'it has an address': (it: Letter) => it.address,
    'it is late': (it: Letter) => it.late,
  },
  answered: ['it has an address'],
  breach: { send: 'EN-09', burn: 'EN-07', answer: 'EN-03' },
  final: { ANSWERED: 'EN-02' },
  actors: { deliver: 'platform', expire: 'clock' },
});
interface Letter extends Entity {
  readonly address: boolean;
  readonly late: boolean;
}

const moves: Mechanisms[string] = () =>
  letter.states.flatMap((state) => [
    [state, [letter.isOver(state) ? 'over' : 'goes on', state in letter.final ? 'final' : 'not final']] as const,
    ...[true, false].flatMap((address) =>
      [true, false].map((late) => {
        const it: Letter = { state, address, late };
        const told = letter.triggers.map((trigger) => {
          const move = letter.move(it, trigger);
          const ends = letter.outcomes(it, trigger).join(' or ') || 'nothing';
          const before = letter.before(it, trigger).join(' ');
          return `${trigger} ${move.ok ? `to ${move.to}` : `${move.rule ?? 'no rule'} ${move.because}`}, ends in ${ends}${before === '' ? '' : `, first ${before}`}`;
        });
        const can = `legal: ${letter.legal(it).join(' ')}; onward: ${letter.onward(it).join(' ')}; settles in ${letter.settle(it)}`;
        return [
          `${state}, ${address ? 'an address' : 'no address'}, ${late ? 'late' : 'in time'}`,
          [can, ...told],
        ] as const;
      }),
    ),
  ]);

export const machineMechanisms: Mechanisms = { 'a machine, by state, condition and actor': moves };
