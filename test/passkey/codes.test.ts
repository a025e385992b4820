import { describe, expect, it } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import { authentication, challenged } from '../engine/passkey.ts';
import { agent, type Said, type World, world } from '../engine/support.ts';

// A customer's code goes from the app straight to the platform, and no more often than the issuer allows.

const app = { tenant: 'default', principal: 'app', role: 'app' } as const;

async function sent(it: World): Promise<{ readonly handle: string; readonly right: string; readonly wrong: string }> {
  const handle = await challenged(it);
  await it.call('create_one_time_password', { authentication: handle, option: 'option_1', request_number: 1 });
  const { instrumentIdentifierId } = (await it.thing('card_bo')).body;
  const { code: right } = (await it.control('GET', `authentications/${instrumentIdentifierId}/code`)) as {
    readonly code: string;
  };
  return { handle, right, wrong: `${right.slice(0, -1)}${right.endsWith('0') ? 1 : 0}` };
}

describe('a code', () => {
  it('PK-07 is tried three times at most, by however many at once', async () => {
    const it = await world();
    const { handle, right, wrong } = await sent(it);
    const enter = (code: string) => it.call('validate_authentication_code', { authentication: handle, code }, app);
    const answers = [];
    for (let round = 0; round < 5; round++) answers.push(...(await Promise.all([enter(wrong), enter(wrong)])));
    expect(answers.filter(({ outcome }) => outcome === 'declined')).toHaveLength(3);
    expect(answers.filter(({ outcome }) => outcome === 'done')).toEqual([]);
    expect(await enter(right)).toMatchObject({ outcome: 'refused', error: { rule: 'PK-07' } });
    await it.call('create_one_time_password', { authentication: handle, option: 'option_1', request_number: 2 });
    expect(await it.effects('validateAuthenticationCode')).toEqual([]);
  });

  it('is sent for a card twelve times a day at most, however often the options are created again, and by whom', async () => {
    const it = await world();
    const { otpDailyRequests: most, otpRequests } = limits;
    const other = { ...agent, principal: 'other', conversation: 'other' };
    const answers: Said[] = [];
    for (let round = 0; round < 6; round++) {
      const caller = round % 2 === 0 ? agent : other;
      const begun = await it.call(
        'create_authentication_options',
        authentication({ card: 'card_bo', reference: `order-${round}` }),
        caller,
      );
      const [option] = begun.data.options;
      for (let code = 1; code <= otpRequests; code++)
        answers.push(
          await it.call(
            'create_one_time_password',
            { authentication: begun.data.authentication, option: option.option, request_number: code },
            caller,
          ),
        );
    }
    expect(answers.map(({ outcome }) => outcome)).toEqual(answers.map((_, at) => (at < most ? 'done' : 'refused')));
    expect(answers.at(-1)?.error).toMatchObject({ rule: 'PK-07' });
    expect(await it.effects('createOneTimePassword')).toHaveLength(most);
    await it.advance(86_400);
    const { data } = await it.call(
      'create_authentication_options',
      authentication({ card: 'card_bo', reference: 'next' }),
    );
    const { authentication: handle, options } = data;
    expect(
      (
        await it.call('create_one_time_password', {
          authentication: handle,
          option: options[0].option,
          request_number: 1,
        })
      ).outcome,
    ).toBe('done');
  });

  it('stands in no answer, no row and no audit, right or wrong', async () => {
    const it = await world();
    const { handle, right, wrong } = await sent(it);
    const said = [
      await it.call('validate_authentication_code', { authentication: handle, code: wrong }, app),
      await it.call('validate_authentication_code', { authentication: handle, code: right }, app),
      await it.call('get_authentication', { authentication: handle }),
    ];
    const rows = JSON.stringify([said, await it.operations(), await it.thing(handle)]);
    expect(said.map(({ outcome }) => outcome)).toEqual(['declined', 'done', 'done']);
    for (const code of [right, wrong]) expect(rows).not.toContain(code);
  });

  it('PK-07 that has expired keeps nobody from the code that the issuer gives in another way', async () => {
    const it = await world();
    const { handle, right } = await sent(it);
    const { instrumentIdentifierId } = (await it.thing('card_bo')).body;
    const { issuerCodes } = (await it.control('GET', `authentications/${instrumentIdentifierId}/code`)) as {
      readonly issuerCodes: { readonly [option: string]: string };
    };
    const { option } = (await it.thing(handle)).body;
    await it.advance(limits.otpMinutes * 60);
    const enter = (more: object) => it.call('validate_authentication_code', { authentication: handle, ...more }, app);
    expect(await enter({ code: right })).toMatchObject({ outcome: 'refused', error: { rule: 'PK-07', field: 'code' } });
    expect(await enter({ issuer_code: issuerCodes[String(option)] })).toMatchObject({ outcome: 'done' });
  });

  it('is nothing that an agent can enter', async () => {
    const it = await world();
    const { handle, right } = await sent(it);
    const mine = { authentication: handle, code: right };
    expect(await it.call('validate_authentication_code', mine, agent)).toMatchObject({
      error: { code: 'UNKNOWN_TOOL' },
    });
    expect(await it.call('create_payment_credentials', { authentication: handle }, agent)).toMatchObject({
      error: { code: 'UNKNOWN_TOOL' },
    });
  });
});

it('PK-11 refuses credentials whose eci and indicator contradict each other', async () => {
  const { paymentCredentials } = await import('../../src/domains/passkey/payment-shapes.ts');
  const body = (eci: string, commerceIndicator: string) => ({
    tokenizedCard: { number: '4', expirationMonth: '12', expirationYear: '2031', cryptogram: 'x', eci },
    processingInformation: { commerceIndicator },
  });
  const taken = [
    ['05', 'vbv'],
    ['07', 'internet'],
    ['05', 'internet'],
    ['07', 'vbv'],
    ['02', 'spa'],
  ] as const;
  expect(taken.map(([eci, indicator]) => paymentCredentials().safeParse(body(eci, indicator)).success)).toEqual([
    true,
    true,
    false,
    false,
    true,
  ]);
});
