import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { unitWords } from '../../src/core/schedule.ts';
import { plan, subscription } from '../engine/billing.ts';
import { bill } from '../engine/invoicing.ts';
import { until, world } from '../engine/support.ts';
import { formGiven, formShown, given, type Leaf, nameOf, placeOf, shown, takes } from './forms.ts';

// An amount, a count, a unit and a date have one form each, in arguments and in answers, so that an agent can give to one tool
// what another has shown. The fields come from the tools' shapes: a new one is looked at, too. test/evals/suite.test.ts looks
// at every answer of the scenarios.

describe('arguments', () => {
  it('take counts as numbers alone', () => {
    const counts = given.filter((leaf) => formGiven(leaf) === 'count');
    expect(counts.length).toBeGreaterThan(20);
    expect(counts.filter(({ schema }) => takes(schema, '1')).map(placeOf)).toEqual([]);
    const textual = given.filter(
      ({ schema }) => takes(schema, '7') && !takes(schema, '7.00') && !takes(schema, 'seven'),
    );
    // Where a list goes on is text, in and out.
    expect(textual.filter(({ path, schema }) => path !== 'cursor' && !takes(schema, 7)).map(placeOf)).toEqual([]);
  });

  it('take amounts as decimal text, with or without decimals, and never as numbers', () => {
    const amounts = given.filter((leaf) => formGiven(leaf) === 'amount');
    expect(amounts.length).toBeGreaterThan(30);
    const wrong = amounts.filter(
      ({ schema }) =>
        !takes(schema, '45') ||
        !takes(schema, '45.00') ||
        takes(schema, 45) ||
        takes(schema, '45,00') ||
        takes(schema, '-1'),
    );
    expect(wrong.map(placeOf)).toEqual([]);
  });

  it('take units by their words alone', () => {
    const units = given.filter((leaf) => formGiven(leaf) === 'unit');
    expect(units.length).toBeGreaterThanOrEqual(6);
    const words = (leaf: Leaf) => (leaf.schema as z.ZodEnum).options.map(String);
    expect(units.filter((leaf) => !words(leaf).every((word) => word in unitWords)).map(placeOf)).toEqual([]);
    const letters = given.filter(
      ({ schema }) => schema instanceof z.ZodEnum && /^([DWMY]|\w+LY)$/.test(String(schema.options[0])),
    );
    expect(letters.map(placeOf)).toEqual([]);
  });

  it('take dates in ISO 8601 alone', () => {
    const [day, moment] = ['2031-04-05', '2031-04-05T00:00:00Z'];
    const dates = given.filter((leaf) => ['day', 'moment'].includes(String(formGiven(leaf))));
    expect(dates.length).toBeGreaterThanOrEqual(9);
    const wrong = dates.filter(
      (leaf) => !takes(leaf.schema, formGiven(leaf) === 'day' ? day : moment) || takes(leaf.schema, '05-04-2031'),
    );
    expect(wrong.map(placeOf)).toEqual([]);
  });
});

describe('a field that is shown', () => {
  it('has the form of the argument of its name, in every domain', () => {
    const pairs = given.flatMap((argument) =>
      shown
        .filter((field) => field.domain === argument.domain && nameOf(field.path) === nameOf(argument.path))
        // How many a list has is no total of an invoice.
        .filter(({ path }) => path !== 'total')
        .map((field) => ({ argument, field })),
    );
    const told = pairs.filter(({ argument }) => formGiven(argument) !== undefined);
    expect(told.length).toBeGreaterThan(100);
    expect(
      told
        .filter(({ argument, field }) => formGiven(argument) !== formShown(field))
        .map(({ argument, field }) => `${placeOf(argument)} | ${placeOf(field)}`),
    ).toEqual([]);
  });
});

it('holds where an agent leaves the decimals out, and what was shown is taken again', async () => {
  const it = await world();
  const terms = { amount: '45', setup_fee: '5', currency: 'GBP', every: 2, unit: 'week', payments: 6 };
  const made = await it.call('create_plan', plan(terms));
  const { amount, setup_fee, currency, every, unit, payments } = made.data;
  expect({ amount, setup_fee, currency, every, unit, payments }).toEqual({
    ...{ amount: '45.00', setup_fee: '5.00', currency: 'GBP', every: 2, unit: 'week', payments: 6 },
  });
  const again = { amount, setup_fee, currency, every, unit, payments };
  expect(await it.call('create_plan', plan(again))).toMatchObject({
    outcome: 'done',
    data: { amount: '45.00', every: 2 },
  });
  const yen = { amount: '800', surcharge: '30', surcharge_label: 'Post', currency: 'JPY', every: 1, unit: 'month' };
  const subscribed = await it.through('create_subscription', subscription(yen));
  expect(subscribed.data).toMatchObject({ amount: '800', surcharge: '30', every: 1, unit: 'month' });
  const order = { card: 'card_ada', reference: 'order-1', limit: { amount: '45', currency: 'GBP' }, until };
  await it.call('enroll_card', { card: 'card_ada' });
  const bought = await it.through('initiate_purchase', {
    ...order,
    description: 'Headphones',
    quantity: 2,
    every: 'month',
  });
  expect(bought.data).toMatchObject({ limit: { amount: '45.00', currency: 'GBP' } });
  const billed = await it.through('create_invoice', bill({ total: '40', discount: '2', subtotal: '42' }));
  expect(billed.data).toMatchObject({ total: '40.00', discount: '2.00', subtotal: '42.00' });
});
