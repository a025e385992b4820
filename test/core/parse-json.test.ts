import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, type Json } from '../../src/core/canonical-json.ts';
import { parseJson } from '../../src/core/parse-json.ts';

// A failure prints its seed and path, with which fast-check repeats it.
const fixed = { seed: 2611, numRuns: 500 };

describe('JSON from outside', () => {
  it('is what JSON.parse makes of it', () => {
    fc.assert(
      fc.property(fc.json({ noUnicodeString: false }), (text) => {
        expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
      fixed,
    );
  });

  it('ends a text that was cut within a character with U+FFFD, wherever it stands', () => {
    const cut = String.raw`{"name":"Zo\ud83d","of":[{"\uDE00x":"a\ud83d\ude00b"}],"quoted":"\\ud83d"}`;
    expect(parseJson(cut)).toEqual({
      name: 'Zo\ufffd',
      of: [{ '\ufffdx': 'a\u{1f600}b' }],
      quoted: String.raw`\ud83d`,
    });
  });

  it('can be stored and hashed, whatever its texts are', () => {
    const halves = fc.string({ unit: fc.integer({ min: 0xd7f0, max: 0xe010 }).map((it) => String.fromCharCode(it)) });
    fc.assert(
      fc.property(fc.dictionary(halves, fc.array(halves)), (value) => {
        expect(() => canonicalJson(parseJson(JSON.stringify(value)) as Json)).not.toThrow();
      }),
      fixed,
    );
  });

  it('is an error where it is none', () => {
    expect(() => parseJson('{"name":')).toThrow(SyntaxError);
  });
});
