import { expect } from 'vitest';
import { type FaultDetail, type FaultKind, PlatformFault } from '../../src/client/errors.ts';
import { canary, keyText, printed } from './support.ts';

export const json = { 'content-type': 'application/json' };
export const short = {
  connectMilliseconds: 40,
  headersMilliseconds: 40,
  bodyMilliseconds: 40,
  fileIdleMilliseconds: 40,
};

/** An error equals the fault in every property, and shows no value and no key. */
export function expectFault(error: unknown, kind: FaultKind, detail: FaultDetail = {}) {
  expect(error).toStrictEqual(new PlatformFault(kind, detail));
  expectClean(error);
}

export function expectClean(error: unknown) {
  expect(error).not.toHaveProperty('cause');
  for (const told of [canary, keyText, 'keyid', 'test_merchant', 'order-1', '127.0.0.1'])
    expect(printed(error).replaceAll(/\(?file:.*|^ +at .*$/gm, '')).not.toContain(told);
}
