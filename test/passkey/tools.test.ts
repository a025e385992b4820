import { describe, expect, it } from 'vitest';
import { approvedBinding, authentication, challenged, prove } from '../engine/passkey.ts';
import { world } from '../engine/support.ts';

const options = 'create_authentication_options';

describe('authentication options', () => {
  it('are answered with the action that applies, and what must happen next', async () => {
    const it = await world();
    expect(await it.call(options, authentication())).toMatchObject({
      outcome: 'done',
      data: { state: 'AUTHENTICATE', payment: { amount: '40.00', currency: 'GBP' } },
      next: ['get_authentication'],
    });
    expect(await it.call(options, authentication({ card: 'card_bo' }))).toMatchObject({
      data: {
        state: 'STEP_UP_AUTHENTICATE',
        options: ['OTP_SMS', 'OTP_EMAIL', 'OTP_ONLINE_BANKING', 'APP_TO_APP', 'CUSTOMER_SERVICE', 'OUTBOUND_CALL'].map(
          (method, index) => ({ option: `option_${index + 1}`, method, text: expect.any(String) }),
        ),
      },
      next: ['create_one_time_password'],
    });
    expect(await it.call(options, authentication({ card: 'card_cleo' }))).toMatchObject({
      data: { state: 'AUTHENTICATION_REGISTRATION' },
      next: ['create_authentication_registration'],
    });
  });

  it('PK-02 send the numeric currency and the merchant in Base64, from plain arguments', async () => {
    const it = await world();
    const said = await it.call('preview_call', { tool: options, arguments: authentication() });
    expect(said.data.request.body).toMatchObject({
      authenticatorRenderMethod: 'IFRAME',
      orderInformation: { amountDetails: { totalAmount: '40.00', currency: '826' } },
    });
    expect((await it.call(options, authentication({ payment: { amount: '40', currency: 'JPY' } }))).outcome).toBe(
      'done',
    );
  });
});

it('released credentials show their amount with the decimals of its currency', async () => {
  const it = await world();
  const { data } = await it.call(options, authentication({ payment: { amount: '40', currency: 'GBP' } }));
  expect(await prove(it, data.authentication)).toMatchObject({ data: { amount: '40.00', currency: 'GBP' } });
});

describe('one-time codes', () => {
  it('PK-03 PK-04 PK-05 PK-07 are sent by an offered option, and no more often than allowed', async () => {
    const it = await world();
    const handle = await challenged(it);
    const send = (option: string, code = 1) =>
      it.call('create_one_time_password', { authentication: handle, option, request_number: code });
    expect(await send('option_9')).toMatchObject({ outcome: 'refused', error: { rule: 'PK-04', field: 'option' } });
    expect(await send('option_4')).toMatchObject({ outcome: 'refused', error: { rule: 'PK-05', field: 'option' } });
    for (const requestsLeft of [2, 1, 0])
      expect(await send('option_1', 3 - requestsLeft)).toMatchObject({
        outcome: 'done',
        data: { code: { expires: '2026-01-15T09:10:00.000Z', requests_left: requestsLeft } },
        next: ['get_authentication'],
      });
    expect(await send('option_1', 3)).toMatchObject({ outcome: 'done', replayed: true });
    expect(await send('option_2', 3)).toMatchObject({
      outcome: 'refused',
      error: { code: 'CONFLICT', rule: 'EN-03', field: 'request_number' },
    });
    expect(await send('option_1', 4)).toMatchObject({ outcome: 'refused', error: { rule: 'PK-07' } });
    expect(await it.effects('createOneTimePassword')).toHaveLength(3);
    const { data } = await it.call(options, authentication());
    expect(
      await it.call('create_one_time_password', {
        authentication: data.authentication,
        option: 'option_1',
        request_number: 1,
      }),
    ).toMatchObject({ outcome: 'refused', error: { rule: 'PK-03' } });
  });
});

describe('a registration', () => {
  it('PK-08 is created once the issuer has approved, and not before', async () => {
    const it = await world();
    const registration = 'create_authentication_registration';
    expect(await it.call(registration, { authentication: await approvedBinding(it) })).toMatchObject({
      outcome: 'done',
      data: { state: 'REGISTRATION_CREATED', waiting_for: { who: 'app', tool: 'create_payment_credentials' } },
    });
    const handle = await challenged(it);
    expect(await it.call(registration, { authentication: handle })).toMatchObject({
      outcome: 'refused',
      error: { rule: 'PK-08' },
    });
    const { instrumentIdentifierId } = (await it.thing('card_bo')).body;
    await it.control('POST', `authentications/${instrumentIdentifierId}/approve`, {});
    expect(await challenged(it)).toBe(handle);
    expect((await it.call(registration, { authentication: handle })).outcome).toBe('done');
  });
});
