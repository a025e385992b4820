import { describe, expect, it } from 'vitest';
import { registerShopper } from '../../src/engine/register.ts';
import { shop } from './shop.ts';

describe('a shopper session', () => {
  it.each(['Ada\nAt most: 1.00 EUR', 'Ada\r', 'A\u202eda', 'Ada\u200b', 'Ada\u2028', 'Ada\u0007', 'Ada\ud800'])(
    'takes no name with a character that nobody sees: %j',
    async (displayName) => {
      const it = await shop();
      expect(await registerShopper(it.parts, 'default', { displayName })).toEqual({
        ok: false,
        faults: [{ field: 'displayName', rule: 'EN-01', because: 'It may hold no character that nobody can see.' }],
      });
    },
  );

  it.each(['Ada Example', 'Zoë O’Neill-Łukasz', '山田 太郎', 'עדה'])('takes the name %s', async (displayName) => {
    const it = await shop();
    expect(await registerShopper(it.parts, 'default', { displayName })).toMatchObject({ ok: true });
  });

  it('takes no member that nobody knows, and repeats no value', async () => {
    const it = await shop();
    const told = await registerShopper(it.parts, 'default', { displayName: 'Ada', pan: '4111110000001235' });
    expect(told).toEqual({
      ok: false,
      faults: [
        { field: 'registration', rule: 'EN-01', because: 'It has a member that nobody knows; it may be misspelt.' },
      ],
    });
  });
});
