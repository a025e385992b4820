import { expect, it } from 'vitest';
import { untrusted } from '../../src/engine/render.ts';

it.each([
  ['a cryptogram', 'cryptogram AgAAAAAAABk4DWZ4C28yUQAAAAA= here', 'cryptogram * here'],
  ['a cryptogram without a digit', 'cryptogram EAunvgMyM/vtFALxczEZzKDuyug= here', 'cryptogram * here'],
  ['every one-time code', 'otp 123456, and verification code 654321', 'otp ******, and verification code ******'],
])('text from outside is shown without %s', (_, text, shown) => {
  expect(untrusted(text)).toBe(shown);
});
