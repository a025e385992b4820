import { describe, expect, it } from 'vitest';
import { contract } from '../../src/domains/index.ts';

// A filter is text that the platform reads as a condition, so it says what it may say and nothing more (A54).

const takes = (filters: string): boolean => contract.listPlans.query?.safeParse({ filters }).success === true;

describe('a filter', () => {
  it.each(['name:Gold', 'status:ACTIVE AND code:P-4', 'name:Gold and Silver AND code:P4 AND status:DRAFT'])(
    'has terms of three fields: %s',
    (filters) => {
      expect(takes(filters)).toBe(true);
    },
  );

  it.each([
    '',
    'Gold',
    ':Gold',
    'name:',
    'price:9',
    'merchantId:other',
    'NAME:Gold',
    ' name:Gold',
    'name:Gold OR code:P4',
    'name:Gold OR merchantId:other',
    'name:Gold AND price:9',
    'name:Gold AND merchantId:other',
    'name:Gold AND name:a:b',
    'name:Gold\nmerchantId:other',
    `name:${'x'.repeat(255)}`,
  ])('has no other field, join or second colon: %j', (filters) => {
    expect(takes(filters)).toBe(false);
  });
});
