import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { issueText } from '../../src/engine/schema-issues.ts';

const said = (schema: z.ZodType, value: unknown) => issueText(schema.safeParse(value).error?.issues[0]);

describe('a bound that a value does not keep', () => {
  it.each([
    [z.number().min(1), 0, 'must be at least 1'],
    [z.number().positive(), 0, 'must be more than 0'],
    [z.number().max(9), 10, 'must be at most 9'],
    [z.number().lt(9), 9, 'must be less than 9'],
    [z.array(z.string()).min(1), [], 'must have at least 1 item'],
    [z.string().max(2), 'abc', 'must have at most 2 characters'],
  ])('is said as it is: %#', (schema, value, sentence) => {
    expect(said(schema, value)).toBe(sentence);
  });
});
