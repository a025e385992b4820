import { describe, expect, it } from 'vitest';
import { refusal } from '../../src/client/refusal.ts';
import { contract, isReason } from '../../src/domains/index.ts';

const clock = { now: () => 0 };
const field = 'orderInformation.amountDetails.currency';
const report = {
  status: 400,
  reason: 'MISSING_FIELD',
  message: 'It is missing.',
  field,
  details: [{ field, reason: 'MISSING_FIELD' }],
  at: '2026-01-15T09:00:00.000Z',
};

describe.each(Object.entries(contract))('the error body of %s', (_, { error }) => {
  it('matches its schema, and the client reads back what was written', () => {
    const body = error.toBody(report);
    expect(error.schema.safeParse(body).success).toBe(true);
    const read = refusal(error, new Response(null, { status: 400 }), body, clock);
    expect({ field: read.field, said: read.untrustedMessage }).toEqual({ field, said: report.message });
    expect(isReason(read.reason)).toBe(true);
  });

  it.each(['NOT_FOUND', 'INVALID_STATE', 'INVALID_DATA', 'DECLINED', 'SYSTEM_ERROR'])(
    'has a word of the documents for %s',
    (reason) => {
      const body = error.toBody({ ...report, reason, field: undefined, details: [] });
      const read = refusal(error, new Response(null, { status: 400 }), body, clock);
      expect({ known: isReason(read.reason), field: read.field }).toEqual({ known: true, field: undefined });
    },
  );

  it('is read where it does not match its schema', () => {
    const other = { errors: [{ type: 'notFound', message: 'Not found', details: [{ name: 'id' }] }] };
    const { reason, field: named } = refusal(error, new Response(null, { status: 404 }), other, clock);
    expect({ reason, named }).toEqual({ reason: 'NOTFOUND', named: 'id' });
  });
});
