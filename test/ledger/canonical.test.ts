import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/core/canonical-json.ts';
import { canonicalJson, sha256 } from '../../src/core/canonical-json.ts';
import { Secret } from '../../src/core/secret.ts';

describe('canonical JSON', () => {
  it('prints the example of RFC 8785', () => {
    const example = {
      // biome-ignore lint/correctness/noPrecisionLoss: the example's own digits
      numbers: [333333333.33333329, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '€$\u000f\nA\'B"\\\\"/',
      literals: [null, true, false],
    };
    expect(canonicalJson(example)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it('orders keys by UTF-16 units, as RFC 8785 does', () => {
    const keys = { '€': 1, '\r': 2, '\ufb33': 3, '1': 4, '😀': 5, '\u0080': 6, ö: 7 };
    expect(
      canonicalJson(keys)
        .match(/(?<=:)\d/g)
        ?.join(''),
    ).toBe('2467153');
  });

  it('gives equal values one text, and parsing it gives the value back', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary', maxDepth: 2 }), (value) => {
        // fast-check's JSON values are ours, but for lone surrogates.
        const text = canonicalJson(value as Json);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
    );
    expect(canonicalJson({ b: 1, a: [{ d: 1, c: -0 }] })).toBe('{"a":[{"c":0,"d":1}],"b":1}');
  });

  it('leaves undefined keys out', () => {
    expect(canonicalJson({ a: undefined, b: null })).toBe('{"b":null}');
  });

  it.each([
    ['NaN', Number.NaN],
    ['an infinity', [Number.POSITIVE_INFINITY]],
    ['a lone surrogate', { a: '4111\ud800' }],
    ['a lone surrogate in a key', { '4111\udc00': 1 }],
    ['a date', { at: new Date(4111) as unknown as Json }],
    ['a secret', { number: new Secret('4111') as unknown as Json }],
    ['a hole in a list', [undefined as unknown as Json]],
    ['a bigint', 4111n as unknown as Json],
  ])('refuses %s, and does not quote it', (_what, value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError);
    expect(() => canonicalJson(value)).not.toThrow(/4111/);
  });

  it('hashes with SHA-256 over UTF-8', () => {
    expect(sha256('€')).toBe('c4cc90ed3d26f12d4b08a75140970a7904035c31cbb4515a83f19b9003c00d1d');
  });
});
