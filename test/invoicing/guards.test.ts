import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Facts } from '../../src/domains/facts.ts';
import { personalIn } from '../../src/domains/invoicing/personal-data.ts';
import { asked, dropped, facets, kept, misnamed, places, resulting } from '../../src/domains/invoicing/replacement.ts';

describe('a custom field (IN-15)', () => {
  it.each([
    ['ask ada@example.com', 'an e-mail address'],
    ['call +44 7700 900001', 'a telephone number'],
    ['0207 946 0001', 'a telephone number'],
    ['(555) 555-0100', 'a telephone number'],
    ['123-45-6789', 'a social security number'],
    ['GB33 BUKB 2020 1555 5555 55', 'a bank account number'],
    ['DOB 1 May', 'a date of birth'],
    ['for ada EXAMPLE', "the customer's name or address"],
  ])('gives somebody away: %s', (text, says) => {
    expect(personalIn(text, ['Ada Example'])).toBe(says);
  });

  it.each(['north', 'PO 4500-123456', '2026-01-15', '12.50', 'B-7/3', '1234567890', 'v1.2.3', 'adage', ''])(
    'gives nobody away: %s',
    (text) => {
      expect(personalIn(text, ['Ada Example', ''])).toBeNull();
    },
  );
});

// An update is a full replacement (IN-06): whatever stands on an invoice, whatever is given, whatever is to be removed, what the
// request leaves out is what somebody named, or it is told.

const word = fc.stringMatching(/^[A-Z][a-z-]{0,6}$/);
const lineOf = fc.record(
  {
    productSku: fc.constantFrom('C-1', 'C-2', 'C.3'),
    productName: word,
    quantity: fc.integer({ min: 1, max: 9 }),
    unitPrice: fc.constant('1.00'),
    totalAmount: fc.constant('1.00'),
    discountAmount: fc.constant('0.10'),
    taxRate: fc.constant('5'),
  },
  { requiredKeys: ['productSku', 'productName', 'quantity', 'unitPrice', 'totalAmount'] },
);
const fieldOf = fc.record({ definitionId: fc.integer({ min: 1, max: 4 }), value: word });
const termsOf = fc.record(
  {
    [places.due]: fc.constant('2026-03-01'),
    [places.description]: word,
    [places.customer_email]: fc.constant('ada@example.com'),
    [places.discount]: fc.constant('1.00'),
    [places.partial_payments]: fc.boolean(),
    [places.lines]: fc.array(lineOf, { minLength: 1, maxLength: 4 }),
    [places.fields]: fc.array(fieldOf, { minLength: 1, maxLength: 3 }),
  },
  { requiredKeys: [places.due] },
);
const given = fc.record(
  {
    description: word,
    discount: fc.constant('2.00'),
    lines: fc.array(
      fc.record({
        ...{ sku: fc.constantFrom('C-1', 'C-2', 'C.3'), name: word, quantity: fc.integer({ min: 1, max: 9 }) },
        ...{ price: fc.constant('1.00'), total: fc.constant('1.00') },
      }),
      { minLength: 1, maxLength: 3 },
    ),
    remove: fc.array(
      fc.constantFrom(
        ...['description', 'discount', 'customer_email', 'lines', 'lines.C-1', 'lines.C-2#2', 'lines.C.3'],
        ...['lines.C-1.discount', 'fields', 'fields.2', 'expires'],
      ),
      { maxLength: 3 },
    ),
  },
  { requiredKeys: [] },
);

const factsOf = (terms: object, args: object): Facts =>
  ({ args, things: { invoice: { body: { terms, strange: [] } } } }) as unknown as Facts; // all that is looked at

describe('an update (IN-06)', () => {
  it('leaves out what was named, tells what it would leave out besides, and nothing else goes', () => {
    fc.assert(
      fc.property(termsOf, given, (terms, args) => {
        const facts = factsOf(terms, args);
        const before = [...facets(terms).keys()];
        const after = facets(resulting(facts));
        const named = args.remove ?? [];
        const told = dropped(facts);
        const covers = (names: readonly string[], name: string) =>
          names.some((one) => name === one || name.startsWith(`${one}.`));
        for (const name of before)
          if (!after.has(name)) expect(covers(named, name) || covers(told, name), name).toBe(true);
        for (const name of told) expect(before.some((one) => covers([name], one) && !after.has(one))).toBe(true);
      }),
      { seed: 20_260_115, numRuns: 500 },
    );
  });

  it('keeps, value for value, whatever is neither given nor named', () => {
    fc.assert(
      fc.property(termsOf, given, (terms, args) => {
        const facts = factsOf(terms, { ...args, remove: [] });
        const after = resulting(facts);
        const anew = asked(facts);
        for (const [path, value] of Object.entries(terms)) if (!(path in anew)) expect(after[path]).toEqual(value);
        expect(kept(facts)).toEqual(terms);
        expect(misnamed(facts)).toEqual([]);
      }),
      { seed: 20_260_116, numRuns: 200 },
    );
  });
});
