import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { leaves } from '../../src/core/fields.ts';
import { limits } from '../../src/core/limits.ts';
import type { Operation } from '../../src/core/operation.ts';
import { device } from '../../src/domains/device/contract.ts';
import { keys } from '../../src/domains/device/keys.ts';
import { sdkSupport, usableReleases } from '../../src/domains/device/requirements.ts';
import { sdkConfiguration } from '../../src/domains/device/sdk-configuration.ts';
import { enrollmentStates } from '../../src/domains/device/statuses.ts';
import { type End, outcomeOfEnd } from '../../src/reader/ends.ts';
import { section, table } from './document.ts';

// Document 3, the contactless device, by its own tables.

const document = 'document-3-device.md';
const operations: readonly Operation[] = Object.values(device).filter(
  (it) => !Object.values(keys).includes(it as never),
);

/** `refundTransaction(withID:partiallyWithAmount:)` → its name and the labels of its parameters. */
const signature = (printed: string) => {
  const [, name = '', labels = ''] = /^(\w+)\(([\w:]*)\)$/.exec(printed) ?? [];
  return { name, labels: labels.split(':').filter((label) => label !== '') };
};

const [built, ...printed] = table(document, 'SDK operations');
const rows = printed.map(([operation = '', input = '', result = ''], at, all) => ({
  ...signature(operation),
  input,
  // `enroll(with:)` has the cases of the row above.
  cases: (result === 'same as above' ? (all[at - 1]?.[2] ?? '') : result).split(';')[0]?.split(', ') ?? [],
}));
const operationOf = (name: string): Operation => {
  const found = operations.find(({ call }) => call === `SDK ${name}`);
  if (found === undefined) throw new Error(`no operation for ${name}`);
  return found;
};

describe('the operations of the SDK', () => {
  it('are all there, and no other; the app itself builds its instance', () => {
    expect(built?.[0]).toContain('mposUiBuilder');
    expect(new Set(operations.map(({ call }) => call))).toEqual(new Set(rows.map(({ name }) => `SDK ${name}`)));
  });

  it.each(rows.filter(({ labels }) => labels.length > 0 && !labels.includes('with')))(
    '$name takes the parameters by their labels: $labels',
    ({ name, labels }) => {
      const { body = z.never() } = operationOf(name);
      const members = leaves(body).map(({ path }) => path.split('.')[0] ?? '');
      expect(new Set(members)).toEqual(new Set(labels));
    },
  );

  it.each([
    ['startChargeTransaction', 'ChargeParameters'],
    ['startStandaloneRefundTransaction', 'RefundParameters'],
  ])('%s takes %s: its fields, and which can be left out', (name, object) => {
    const { body = z.never() } = operationOf(name);
    const [, text = ''] = table(document, 'SDK objects').find(([it]) => it === object) ?? [];
    const expected = text
      .replaceAll(/ \([^)]*\)/g, '')
      .split(', ')
      .map((field) => [field.replace('optional ', ''), field.startsWith('optional ')] as const);
    const top = new Map(leaves(body).map(({ path, optional }) => [path.split('.')[0]?.replace('[]', ''), optional]));
    expect([...top]).toEqual(expected);
  });

  it('enroll takes a serial number, or nothing', () => {
    const { body = z.never() } = operationOf('enroll');
    expect(leaves(body).map(({ path, optional }) => [path, optional])).toEqual([['with', true]]);
    expect([{}, { with: 'SB-0001' }, undefined].map((given) => body.safeParse(given).success)).toEqual([
      true,
      true,
      true,
    ]);
  });
});

describe('the configuration of the SDK', () => {
  const text =
    section(document, 'SDK objects')
      .split('\n')
      .find((line) => line.startsWith('| Configuration |')) ?? '';
  const members = [...text.matchAll(/`([\w.]+)` \(([^)]*)\)/g)].map(([, path = '', said = '']) => {
    const values = [...said.matchAll(/`\.?(\w+)`/g)].map(([, value]) => value);
    return [path, values, /`\.?(\w+)` default/.exec(said)?.[1]] as const;
  });
  const given = (path: string, value: unknown) =>
    path
      .split('.')
      .reduceRight<unknown>((inner, name) => ({ [name]: inner }), path === 'summaryFeatures' ? [value] : value);
  const isTaken = (it: unknown): boolean => sdkConfiguration().safeParse(it).success;
  const at = (path: string): unknown =>
    path
      .split('.')
      .reduce((it: unknown, name) => (it as { [member: string]: unknown })[name], sdkConfiguration().parse({}));

  it('has the members of the document', () => {
    expect(members.map(([path, values]) => [path, values.length])).toEqual([
      ['summaryFeatures', 6],
      ['resultConfiguration', 2],
      ['signatureCapture', 3],
      ['enrollmentConfiguration.serialNumberInputMethod', 2],
      ['enrollmentConfiguration.confirmationScreenOption', 2],
    ]);
  });

  it.each(members)('%s takes %j, and nothing else', (path, values) => {
    expect(values.map((value) => isTaken(given(path, value)))).toEqual(values.map(() => true));
    expect(isTaken(given(path, 'another'))).toBe(false);
  });

  it.each(members.filter(([, , usual]) => usual !== undefined))('%s of %j is by default %s', (path, _, usual) => {
    expect(at(path)).toBe(usual);
  });
});

describe('a tip', () => {
  const { body = z.never() } = operationOf('startChargeTransaction');
  const charge = { amount: '10.00', currency: 'EUR', customIdentifier: 'order-1' };
  const isTaken = (tip: unknown): boolean => body.safeParse({ ...charge, tip }).success;

  it('is a list of percentages, or typed: the tip or the total', () => {
    const [, text = ''] = table(document, 'SDK objects').find(([it]) => it === 'Tipping values') ?? [];
    expect(text).toMatch(
      /^percentageChoice with a list of percentages, input\(\.tipAmount\(\)\).*input\(\.totalAmount\(\)\)/,
    );
    expect([
      ...[{ percentageChoice: [10, 15, 20] }, { input: 'tipAmount' }, { input: 'totalAmount' }].map(isTaken),
      ...[{ percentageChoice: [] }, { percentageChoice: ['10'] }, { input: 'none' }].map(isTaken),
    ]).toEqual([true, true, true, false, false, false]);
  });
});

describe('the result cases of the SDK', () => {
  /** What a case means for a caller. An error proves nothing: the transaction is looked up (DV-08). */
  const meaning: { readonly [printed: string]: string } = {
    cancelledByUser: 'declined',
    cancelByUser: 'declined',
    notFound: 'declined',
    failure: 'unknown',
    error: 'unknown',
    networkError: 'unknown',
    unexpected: 'unknown',
  };
  const transaction = { identifier: 't-1', status: 'Approved', amount: '10.00', currency: 'EUR' };
  const values: { readonly [printed: string]: unknown } = {
    'success(transaction)': transaction,
    'success(deviceId)': { deviceId: 'd-1' },
    success: undefined,
  };
  const cases = rows
    .filter(({ name }) => name !== 'enrollmentStatus')
    .flatMap(({ name, labels, cases: each }) => each.map((printed) => [name, labels.join(), printed] as const));

  it.each(cases)('%s(%s) ends with %s', (name, _, printed) => {
    const { kind } = outcomeOfEnd(
      operationOf(name),
      Object.hasOwn(values, printed)
        ? { case: 'success', value: values[printed] }
        : ({ case: printed.replace(/\(.*/, '') } as End),
      { forID: transaction.identifier },
    );
    expect(kind).toBe(Object.hasOwn(values, printed) ? 'succeeded' : meaning[printed.replace(/\(.*/, '')]);
  });

  it('have a value that is what the document says, or the outcome is unknown', () => {
    const { output } = operationOf('startChargeTransaction');
    expect(
      leaves(output.success ?? z.never())
        .filter(({ optional }) => !optional)
        .map(({ path }) => path),
    ).toEqual(expect.arrayContaining(['identifier', 'status']));
    const without = { ...transaction, identifier: undefined };
    expect(outcomeOfEnd(operationOf('startChargeTransaction'), { case: 'success', value: without }, {})).toMatchObject({
      kind: 'unknown',
    });
  });

  it('of the enrollment status are its states', () => {
    const [of] = rows.filter(({ name }) => name === 'enrollmentStatus');
    expect(of?.cases).toEqual([...enrollmentStates]);
    const [, listed = ''] =
      /enrollment status: (.*) Transitions/.exec(section(document, 'States and transitions')) ?? [];
    expect([...listed.matchAll(/`(\w+)`/g)].map(([, state]) => state)).toEqual([...enrollmentStates]);
  });
});

describe('the releases of the SDK', () => {
  const history = [...section(document, 'Versioning').matchAll(/\b(\d\.\d\.\d)\b/g)].map(([, version]) =>
    String(version),
  );

  it('are those of the document', () => {
    expect(history).toHaveLength(5);
    expect(history.map((version) => sdkSupport(version))).toEqual(history.map(() => 'latest'));
    expect(usableReleases()).toEqual(history);
    expect(sdkSupport('2.9.0')).toBe('unknown');
  });

  it('are usable as long as they are among the six latest', () => {
    expect(section(document, 'Limits')).toContain('the six latest versions stay available');
    const later = ['3.6.0', '3.7.0', '3.8.0'];
    expect([...history, ...later].map((version) => sdkSupport(version, later))).toEqual([
      ...['older', 'older'],
      ...Array.from({ length: 6 }, () => 'latest'),
    ]);
  });
});

it('asks for a handset of the XS generation and for a system of less than a year', () => {
  expect(section(document, 'Requirements')).toContain('XS generation or later');
  expect(section(document, 'Requirements')).toContain('less than one year old');
  // The XS has the hardware identifier 11,x.
  expect([limits.handsetGeneration, limits.osReleaseMonths]).toEqual([11, 12]);
});
