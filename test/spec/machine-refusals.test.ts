import { describe, expect, it } from 'vitest';
import type { Facts } from '../../evals/spec/machine-grid.ts';
import type { Machine } from '../../src/core/machine.ts';
import { approval, operation } from '../../src/core/own-machines.ts';
import { invoice } from '../../src/domains/invoicing/machines.ts';
import { card, instruction } from '../../src/domains/purchase/machines.ts';

// What a refusal says of a real machine: rule, sentence, the conditions that could help, and the triggers that lead out.

const intent = { asks: false, waiting: '', processed: false, ended: false };
const all = { asks: true, waiting: 'cancel', processed: true, ended: true };
const call = { needsApproval: false, repeatable: false, happened: false };
const bill = { delivery: 'email', immediate: true, paid: false, settled: false, reviewed: false, expired: false };
// A machine takes entities of its own kind; the rows hand it exactly those.
const any = (machine: unknown): Machine => machine as Machine;
const [cards, instructions, operations] = [any(card), any(instruction), any(operation)];
const [approvals, invoices] = [any(approval), any(invoice)];

type Refusal = readonly [
  machine: Machine,
  entity: Facts & { readonly state: string },
  trigger: string,
  rule: string,
  why: string,
  before?: readonly string[] | undefined,
];

const gated = [
  ['update', 'AP-06'],
  ['cancel', 'AP-07'],
  ['retrieve', 'AP-08'],
  ['confirm', 'AP-10'],
] as const;
const absent = (what: string, trigger: string) => `There is no ${what} yet, so "${trigger}" is not possible.`;

const refusals: readonly Refusal[] = [
  [cards, { state: 'none', verified: false }, 'verify', 'AP-03', absent('card', 'verify'), ['enroll']],
  [cards, { state: 'PENDING', verified: false }, 'verify', 'AP-03', 'needs: verification succeeds'],
  [cards, { state: 'ACTIVE', verified: true }, 'verify', 'AP-03', 'is not possible in that state'],
  ...gated.flatMap(([trigger, rule]): Refusal[] => [
    [instructions, { ...intent, state: 'none' }, trigger, rule, absent('instruction', trigger), ['initiate']],
    [instructions, { ...all, state: 'CANCELLED' }, trigger, rule, 'is not possible in that state'],
  ]),
  ...['update', 'cancel', 'retrieve', 'confirm', 'initiate', 'expire'].map(
    (trigger): Refusal => [instructions, { ...all, state: 'COMPLETED' }, trigger, 'AP-11', 'final'],
  ),
  ...['ACTIVE', 'EXPIRED', 'PENDING'].map(
    (state): Refusal => [instructions, { ...intent, state }, 'confirm', 'AP-10', 'needs: merchant payment processed'],
  ),
  [instructions, { ...intent, state: 'EXPIRED' }, 'retrieve', 'AP-08', 'is not possible in that state'],
  [operations, { ...call, state: 'none', needsApproval: true }, 'send', 'EN-04', 'needs: it needs no approval'],
  [operations, { ...call, state: 'UNKNOWN' }, 'send', 'EN-04', 'needs: its class allows a repeat'],
  ...['SUCCEEDED', 'FAILED', 'EXPIRED', 'RESOLVED'].map(
    (state): Refusal => [operations, { ...call, needsApproval: true, state }, 'send', 'EN-03', 'final'],
  ),
  [approvals, { state: 'REQUESTED', late: true }, 'approve', 'EN-04', 'needs: in time'],
  [approvals, { state: 'REQUESTED', late: false }, 'consume', 'EN-04', 'is not possible in that state', ['approve']],
  [approvals, { state: 'CONSUMED', late: false }, 'consume', 'EN-04', 'final'],
];

it.each(
  refusals.map(
    ([machine, entity, trigger, ...more]) => [machine.name, entity.state, trigger, machine, entity, more] as const,
  ),
)(
  'a refused %s that is %s says of %s which rule and why, and what leads out',
  (name, state, trigger, machine, entity, more) => {
    const [rule, why, before = []] = more;
    const because = why.startsWith('There')
      ? why
      : why === 'final'
        ? `The ${name} is ${state}, which is final.`
        : `The ${name} is ${state}; "${trigger}" ${why}.`;
    const unmet = why.startsWith('needs: ') ? [why.slice(7)] : [];
    expect(machine.move(entity, trigger)).toEqual({ ok: false, rule, because, unmet, before });
  },
);

it('says what follows in the words of the document, or of a decision', () => {
  expect([
    card.move({ state: 'PENDING', verified: true }, 'verify'),
    instruction.move({ ...intent, state: 'ACTIVE' }, 'retrieve'),
  ]).toEqual([
    { ok: true, to: 'ACTIVE', follows: 'card can be used in purchases' },
    { ok: true, to: 'ACTIVE', follows: 'the release is remembered (D-03)' },
  ]);
});

describe('the way out', () => {
  // biome-ignore format: a table
  it.each([
    ['never cancels a purchase so that a payment can be confirmed', instructions, { ...intent, state: 'ACTIVE' }, 'confirm', []],
    ['is what takes it elsewhere, not what leaves it where it is', invoices, { ...bill, state: 'SENT' }, 'accept', ['pay']],
    ['is nothing that an agent can do while under review', invoices, { ...bill, state: 'PENDING' }, 'send', []],
    ['is nothing to where no row leads', invoices, { ...bill, state: 'SENT' }, 'publish', []],
  ] as const)('%s', (_, machine, entity, trigger, expected) => {
    expect(machine.before(entity, trigger)).toEqual(expected);
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

  it('pulls no trigger of the customer’s, and none of the engine’s', () => {
    expect(card.settle({ state: 'PENDING', verified: true })).toBe('PENDING');
    expect(operation.settle({ ...call, state: 'PROPOSED' })).toBe('PROPOSED');
  });
});
