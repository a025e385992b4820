import { describe, expect, it } from 'vitest';
import { money } from '../../src/core/money.ts';
import {
  invalidPolicy,
  policyFault,
  type Spend,
  type SpendingPolicy,
  scopeOf,
  totalOf,
} from '../../src/engine/spending-policy.ts';

const now = Date.parse('2026-01-15T09:00:00Z');
const terms: SpendingPolicy = { name: 'small', tools: ['retrieve_credentials'], currency: 'EUR', per: [] };
const outlay: Spend = {
  adds: 0,
  amount: money('40.00', 'EUR'),
  payee: 'Harbour Audio',
  instrument: 'card_ada',
  scope: { shopper: 'shopper_ada', instruction: 'instruction_a', session: 's', day: '2026-01-15' },
};

describe('terms', () => {
  it.each<[string, Partial<SpendingPolicy>, string | null]>([
    ['without bounds allow everything in their currency', {}, null],
    ['in another currency allow nothing', { currency: 'USD' }, '"small" is in USD, the call in EUR.'],
    ['allow a call of exactly their most', { perCall: '40.00' }, null],
    ['allow no cent more', { perCall: '39.99' }, '40.00 EUR is above the 39.99 EUR that "small" allows for one call.'],
    ['allow a payee they name', { payees: ['Harbour Audio'] }, null],
    ['allow no other payee', { payees: ['Other'] }, '"small" does not allow this payee.'],
    ['allow a card they name', { instruments: ['card_ada'] }, null],
    ['allow no other card', { instruments: [] }, '"small" does not allow this card.'],
    ['allow until their end', { until: '2026-01-15T09:00:00.001Z' }, null],
    ['allow nothing from their end on', { until: '2026-01-15T09:00:00Z' }, '"small" has ended.'],
  ])('%s', (_, given, because) => {
    expect(policyFault({ ...terms, ...given }, outlay, now)).toBe(because);
  });

  it('count by the scopes they name, together', () => {
    expect(scopeOf({ ...terms, per: ['shopper', 'day'] }, outlay)).toBe('shopper=shopper_ada day=2026-01-15');
    expect(scopeOf(terms, outlay)).toBe('');
  });

  it('keep totals in whole minor units of their currency', () => {
    expect(totalOf({ ...terms, total: '60' })).toBe(6_000);
    expect(totalOf({ ...terms, currency: 'JPY', total: '60' })).toBe(60);
    expect(totalOf(terms)).toBeUndefined();
  });

  it('are refused where an amount is none of their currency', () => {
    expect(invalidPolicy({ ...terms, total: '60.001' })).toBe('EUR has 2 decimals; the amount has 3.');
    expect(invalidPolicy({ ...terms, perCall: '-1' })).toBe('The amount is not decimal text such as "40.00".');
    expect(invalidPolicy({ ...terms, perCall: '1.50', total: '60' })).toBeNull();
    expect(invalidPolicy({ ...terms, currency: 'XXX' as 'EUR' })).toBe('XXX is not an ISO 4217 currency.');
  });
});
