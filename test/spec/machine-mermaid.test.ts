import { expect, it } from 'vitest';
import { expectations } from '../../evals/spec/machines.ts';
import { mermaid } from '../../src/core/machine.ts';
import { card } from '../../src/domains/purchase/machines.ts';

it('draws the card, assumed rows marked with an asterisk', () => {
  expect(mermaid(card)).toBe(
    [
      'stateDiagram-v2',
      '  [*] --> PENDING: enroll (request accepted, cardholder verification pending)',
      '  [*] --> ACTIVE: enroll (request accepted, response reports active)',
      '  PENDING --> ACTIVE: verify (verification succeeds)',
      '  PENDING --> PENDING: enroll * (request accepted, cardholder verification pending)',
      '  PENDING --> ACTIVE: enroll * (request accepted, response reports active)',
      '  ACTIVE --> ACTIVE: enroll *',
    ].join('\n'),
  );
});

it.each(expectations)('draws the $name with one line for every row, and a label that Mermaid reads', ({ machine }) => {
  const [head, ...lines] = mermaid(machine).split('\n');
  expect(head).toBe('stateDiagram-v2');
  expect(lines).toHaveLength(machine.rows.length + machine.assumed.length);
  // A second colon or a semicolon would end the label.
  expect(lines.filter((line) => !/^ {2}(\[\*\]|\w+) --> \w+: [^:;#]+$/.test(line))).toEqual([]);
});
