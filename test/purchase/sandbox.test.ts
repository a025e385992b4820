import { decodeJwt } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { sandboxSeed } from '../../src/sandbox/index.ts';
import { Bench, cardOf, enrollment, mandate, seconds, tokens } from '../sandbox/support.ts';

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});

const pendingEvents = ['PENDING_CARDHOLDER_AUTHENTICATION'];
const no = (status: number, reason: string, source?: string) => ({
  status,
  body: {
    error: {
      status: status === 404 ? 'NOT_FOUND' : 'INVALID_REQUEST',
      reason,
      message: expect.any(String),
      ...(source === undefined ? {} : { detail: { reason, source, sourceType: 'FIELD', message: expect.any(String) } }),
    },
  },
});

const without = (body: object, path: string): object => {
  const copy = structuredClone(body);
  const steps = path.split('.');
  const last = steps.pop() ?? '';
  // The path is one of the body's own.
  const parent = steps.reduce((at, step) => at[step] as Record<string, unknown>, copy as Record<string, unknown>);
  delete parent[last];
  return copy;
};

const required = [
  'clientCorrelationId',
  'billTo.country',
  'billTo.countryCallingCode',
  'billTo.phoneNumber',
  'consumerIdentity.identityType',
  'consumerIdentity.identityValue',
  'deviceInformation.applicationName',
  'deviceInformation.deviceData.brand',
  'deviceInformation.deviceData.type',
  'deviceInformation.fingerprintSessionId',
  'deviceInformation.ipAddress',
  'paymentInformation.customer.id',
  'paymentInformation.instrumentIdentifier.id',
  'paymentInformation.paymentInstrument.id',
];

describe('enrolling a card', () => {
  it.each(required)('AP-01 needs %s', async (path) => {
    const body = without({ ...enrollment('shopper_ada'), clientCorrelationId: bench.correlation() }, path);
    expect(await bench.call('POST', '/acp/v1/tokens', body)).toEqual(no(400, 'MISSING_FIELD', path));
    expect(await bench.effects()).toEqual([]);
  });

  it('AP-01 echoes the correlation id, which is a UUID', async () => {
    const clientCorrelationId = '6f1f0f9e-9a52-4f9e-8f53-0a4f0d6b6a11';
    expect(await bench.enroll('shopper_ada', { clientCorrelationId })).toEqual({
      status: 200,
      body: { clientCorrelationId, status: 'ACTIVE' },
    });
    expect(await bench.enroll('shopper_ada', { clientCorrelationId: 'mine' })).toEqual(
      no(400, 'INVALID_DATA', 'clientCorrelationId'),
    );
    const ofNoVersion = '11111111-1111-1111-1111-111111111111';
    expect((await bench.enroll('shopper_ada', { clientCorrelationId: ofNoVersion })).body).toMatchObject({
      clientCorrelationId: ofNoVersion,
    });
  });

  it.each([
    { assuranceData: [{}] },
    { assuranceData: [{ additionalData: 'eyJ9' }] },
    { assuranceData: [{ authenticatedIdentities: { provider: 'EXAMPLE' } }] },
    { assuranceData: [{ verificationResults: '01' }] },
    { consentData: [{ type: 'PERSONALIZATION' }] },
    { consentData: [{ id: 'consent-1' }] },
    { enrollmentReferenceData: { enrollmentReferenceProvider: 'EXAMPLE' } },
  ])('takes any optional field by itself: %j', async (more) => {
    const { assuranceData: _, consentData: __, ...bare } = enrollment('shopper_bo') as Record<string, unknown>;
    const body = { ...bare, clientCorrelationId: bench.correlation(), ...more };
    expect(await bench.call('POST', '/acp/v1/tokens', body)).toMatchObject({ status: 202, body: { pendingEvents } });
  });

  it('AP-02 takes timestamps only as text holding epoch seconds', async () => {
    const [consent] = sandboxSeed.shoppers.shopper_ada.consentData;
    const late = { consentData: [{ ...consent, acceptedTime: '2026-01-15T09:00:00Z' }] };
    expect(await bench.enroll('shopper_ada', late)).toEqual(no(400, 'INVALID_DATA', 'consentData[0].acceptedTime'));
    const [assurance] = sandboxSeed.shoppers.shopper_ada.assuranceData;
    const number = { assuranceData: [{ ...assurance, verificationTimestamp: 1767225600 }] };
    expect(await bench.enroll('shopper_ada', number)).toEqual(
      no(400, 'INVALID_DATA', 'assuranceData[0].verificationTimestamp'),
    );
  });

  it('AP-03 answers PENDING until the customer has verified, and reads back after it', async () => {
    const { instrumentIdentifierId: id } = cardOf('shopper_bo');
    const pending = {
      status: 202,
      body: { clientCorrelationId: expect.any(String), status: 'PENDING', pendingEvents },
    };
    expect(await bench.enroll('shopper_bo')).toEqual(pending);
    expect(await bench.enroll('shopper_bo')).toEqual(pending);
    expect(await bench.control('POST', `cards/${id}/verify`, { succeeds: false })).toEqual({
      status: 200,
      body: { instrumentIdentifierId: id, status: 'PENDING' },
    });
    expect((await bench.control('POST', `cards/${id}/verify`)).body).toEqual({
      instrumentIdentifierId: id,
      status: 'ACTIVE',
    });
    expect((await bench.enroll('shopper_bo')).status).toBe(200);
  });

  it('D-04 is active at once where the cardholder was verified for the enrollment', async () => {
    const [assurance] = sandboxSeed.shoppers.shopper_bo.assuranceData;
    const proven = { assuranceData: [{ ...assurance, verificationEvents: ['02'] }] };
    const failed = { assuranceData: [{ ...assurance, verificationEvents: ['02'], verificationResults: '02' }] };
    expect((await bench.enroll('shopper_bo', failed)).status).toBe(202);
    expect((await bench.enroll('shopper_bo', proven)).status).toBe(200);
  });

  it('takes a card that no fixture describes, and unknown members', async () => {
    const paymentInformation = {
      instrumentIdentifier: { id: 'X1' },
      customer: { id: 'X2' },
      paymentInstrument: { id: 'X3' },
    };
    const partner = { clientReferenceInformation: { partner: { solutionId: 'P' } } };
    expect((await bench.enroll('shopper_ada', { paymentInformation, ...partner })).status).toBe(202);
    const stolen = { paymentInformation: { ...paymentInformation, customer: { id: 'Y' } } };
    expect(await bench.enroll('shopper_ada', stolen)).toEqual(
      no(400, 'INVALID_DATA', 'paymentInformation.customer.id'),
    );
  });
});

describe('initiating a purchase', () => {
  it('AP-04 needs an enrolled card that is ACTIVE', async () => {
    const refused = no(400, 'INVALID_DATA', 'paymentInformation.instrumentIdentifier.id');
    expect(await bench.initiate('shopper_bo')).toEqual(refused);
    await bench.enroll('shopper_bo');
    expect(await bench.initiate('shopper_bo')).toEqual(refused);
    await bench.control('POST', `cards/${cardOf('shopper_bo').instrumentIdentifierId}/verify`);
    expect(await bench.initiate('shopper_bo')).toEqual({
      status: 200,
      body: {
        clientCorrelationId: expect.any(String),
        instructionId: expect.stringMatching(/^[0-9a-f]{8}-/),
        status: 'ACTIVE',
      },
    });
  });

  it('refuses a card of another customer', async () => {
    await bench.enroll('shopper_ada');
    const paymentInformation = { ...tokens('shopper_ada'), customer: tokens('shopper_bo').customer };
    expect(await bench.initiate('shopper_ada', { paymentInformation })).toEqual(
      no(400, 'INVALID_DATA', 'paymentInformation.customer.id'),
    );
  });

  // biome-ignore format: a table
  it.each([
    ['an end that has passed', [mandate({ effectiveUntilTime: seconds(0) })], 'mandates[0].effectiveUntilTime'],
    ['a mandate id twice', [mandate(), mandate()], 'mandates[1].mandateId'],
    ['more decimals than the currency has', [mandate({ declineThreshold: { amount: '40.5', currencyCode: 'JPY' } })],
      'mandates[0].declineThreshold.amount'],
    ['a currency that is none', [mandate({ declineThreshold: { amount: '40', currencyCode: 'XXQ' } })],
      'mandates[0].declineThreshold.currencyCode'],
    ['no mandate', [], 'mandates'],
  ])('refuses %s', async (_, mandates, source) => {
    await bench.enroll('shopper_ada');
    expect(await bench.initiate('shopper_ada', { mandates })).toEqual(no(400, 'INVALID_DATA', source));
  });
});

describe('updating and cancelling', () => {
  it('AP-06 replaces the mandates of an open instruction, under new ids', async () => {
    const id = await bench.bought();
    expect((await bench.update(id)).body.status).toBe('ACTIVE');
    expect((await bench.retrieve(id, { mandateId: 'mandate-1' })).status).toBe(400);
    expect((await bench.retrieve(id, { mandateId: 'mandate-2' })).status).toBe(200);
    expect(await bench.update(id, { mandates: [mandate()] })).toEqual(no(400, 'INVALID_DATA', 'mandates[0].mandateId'));
  });

  it('AP-06 takes the very same update again', async () => {
    const id = await bench.bought();
    await bench.update(id);
    expect((await bench.update(id)).status).toBe(200);
    const widened = [mandate({ mandateId: 'mandate-2', declineThreshold: { amount: '41.00', currencyCode: 'EUR' } })];
    expect((await bench.update(id, { mandates: widened })).status).toBe(400);
  });

  it('AP-06 AP-07 refuse a cancelled instruction', async () => {
    const id = await bench.bought();
    expect(await bench.cancel(id)).toEqual({
      status: 200,
      body: { clientCorrelationId: expect.any(String), instructionId: id, status: 'CANCELLED' },
    });
    const before = await bench.sandbox.world.snapshot();
    for (const again of [bench.update(id), bench.cancel(id), bench.retrieve(id), bench.confirm(id)])
      expect(await again).toEqual(no(400, 'INVALID_STATE'));
    expect(await bench.sandbox.world.snapshot()).toEqual(before);
  });

  it('knows no instruction of another id', async () => {
    for (const call of [bench.update('x'), bench.cancel('x'), bench.retrieve('x'), bench.confirm('x')])
      expect(await call).toEqual(no(404, 'NOT_FOUND', 'instructionID'));
  });

  it('does not know an instruction of another merchant', async () => {
    const id = await bench.bought();
    const snapshot = await bench.sandbox.world.snapshot();
    await bench.sandbox.world.restore({
      ...snapshot,
      documents: snapshot.documents.map(({ kind, body }) => ({
        kind,
        body: kind === 'instruction' ? { ...body, merchantId: 'somebody_else' } : body,
      })),
    });
    expect(await bench.cancel(id)).toEqual(no(404, 'NOT_FOUND', 'instructionID'));
  });
});

describe('retrieving credentials', () => {
  it('releases signed credentials within a mandate, and the instruction stays open (D-03)', async () => {
    const id = await bench.bought();
    const { status, body } = await bench.retrieve(id);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        clientCorrelationId: expect.any(String),
        instructionId: id,
        status: 'COMPLETED',
        signedPayload: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      },
    });
    expect(decodeJwt(body.signedPayload)).toEqual({
      number: expect.stringMatching(/^400000\d{10}$/),
      expirationMonth: '12',
      expirationYear: '2031',
      type: '001',
      cryptogram: expect.stringMatching(/^[A-Za-z0-9+/]{27}=$/),
      eci: '05',
      amount: '39.90',
      currency: 'EUR',
      merchant: 'Harbour Audio',
      mandateId: 'mandate-1',
      instructionId: id,
    });
    expect(luhn(String(decodeJwt(body.signedPayload).number))).toBe(true);
    expect(await bench.stateOf('instruction', id)).toBe('ACTIVE');
  });

  it('gives every release another cryptogram of the same card', async () => {
    const id = await bench.bought();
    const [one, other] = [await bench.retrieve(id), await bench.retrieve(id)].map(({ body }) =>
      decodeJwt(body.signedPayload),
    );
    expect(one?.number).toBe(other?.number);
    expect(one?.cryptogram).not.toBe(other?.cryptogram);
  });

  it('keeps nothing of the credentials in the world', async () => {
    const id = await bench.bought();
    const { number, cryptogram } = decodeJwt((await bench.retrieve(id)).body.signedPayload);
    const world = JSON.stringify(await bench.sandbox.world.snapshot());
    expect([world.includes(String(number)), world.includes(String(cryptogram))]).toEqual([false, false]);
  });

  it('AP-08 needs an ACTIVE card of the same customer', async () => {
    const id = await bench.bought('shopper_cleo');
    const source = 'paymentInformation.instrumentIdentifier.id';
    expect(await bench.retrieve(id, {}, 'shopper_cleo', 1)).toEqual(no(400, 'INVALID_DATA', source));
    await bench.enroll('shopper_ada');
    expect(await bench.retrieve(id, {}, 'shopper_ada')).toEqual(
      no(400, 'INVALID_DATA', 'paymentInformation.customer.id'),
    );
    expect((await bench.retrieve(id, {}, 'shopper_cleo')).status).toBe(200);
  });

  const at = (field: string) => `transactionData[0].${field}`;
  it.each([
    ['an amount above the threshold', { amount: '40.01' }, at('orderInformation.amountDetail.totalAmount')],
    ['another currency', { currency: 'USD' }, at('orderInformation.amountDetail.currency')],
    ['a mandate that is unknown', { mandateId: 'mandate-9' }, at('mandateReferenceData[0].mandateId')],
    ['another merchant', { merchantName: 'Elsewhere' }, at('merchantInformation.merchantName')],
    ['too many decimals', { amount: '39.901' }, at('orderInformation.amountDetail.totalAmount')],
  ])('AP-09 refuses %s', async (_, change, source) => {
    const id = await bench.bought('shopper_ada', { mandates: [mandate({ preferredMerchantName: 'Harbour Audio' })] });
    expect(await bench.retrieve(id, change)).toEqual(no(400, 'INVALID_DATA', source));
    expect(await bench.effects()).toEqual(['enrollCard 200', 'initiatePurchase 200']);
  });

  it.each([{ amount: '40' }, { amount: '0.01', mandateId: 'mandate-1' }, { merchantName: 'harbour audio' }])(
    'AP-09 allows %o',
    async (change) => {
      const id = await bench.bought('shopper_ada', { mandates: [mandate({ preferredMerchantName: 'Harbour Audio' })] });
      expect((await bench.retrieve(id, change)).status).toBe(200);
    },
  );

  it('AP-09 refuses a mandate that has ended while another is open', async () => {
    const mandates = [mandate(), mandate({ mandateId: 'longer', effectiveUntilTime: seconds(7200) })];
    const id = await bench.bought('shopper_ada', { mandates });
    await bench.control('POST', 'clock', { advance: 'PT1H' });
    expect(await bench.retrieve(id, { mandateId: 'mandate-1' })).toEqual(
      no(400, 'INVALID_DATA', at('mandateReferenceData[0].mandateId')),
    );
    expect((await bench.retrieve(id)).status).toBe(200);
  });

  it('AP-08 refuses an instruction whose mandates have all ended', async () => {
    const id = await bench.bought();
    await bench.control('POST', 'clock', { advance: 'PT59M59S' });
    expect((await bench.retrieve(id)).status).toBe(200);
    await bench.control('POST', 'clock', { advance: 1000 });
    expect(await bench.stateOf('instruction', id)).toBe('EXPIRED');
    expect(await bench.retrieve(id)).toEqual(no(400, 'INVALID_STATE'));
    expect((await bench.confirm(id)).body.status).toBe('COMPLETED');
  });

  it('releases for one transaction at a time', async () => {
    const id = await bench.bought();
    const body = {
      clientCorrelationId: bench.correlation(),
      paymentInformation: tokens('shopper_ada'),
      transactionData: Array(2).fill({
        clientReferenceInformation: { code: 'c' },
        orderInformation: { amountDetail: { totalAmount: '1', currency: 'EUR' } },
        merchantInformation: { merchantName: 'M', merchantDescriptor: { country: 'GB', url: 'https://m.example.com' } },
      }),
    };
    expect(await bench.call('POST', `/acp/v1/instructions/${id}/credentials`, body)).toEqual(
      no(400, 'INVALID_DATA', 'transactionData'),
    );
  });

  it('declines for the card that declines', async () => {
    await bench.enroll('shopper_cleo', {}, 1);
    const id = (await bench.initiate('shopper_cleo', { paymentInformation: tokens('shopper_cleo', 1) })).body
      .instructionId;
    expect((await bench.retrieve(id, {}, 'shopper_cleo', 1)).body.error.reason).toBe('DECLINED');
    expect(await bench.stateOf('instruction', id)).toBe('ACTIVE');
  });

  it('asks the customer first for the card that asks, once', async () => {
    const id = await bench.bought('shopper_dan');
    const pending = {
      status: 202,
      body: { clientCorrelationId: expect.any(String), instructionId: id, status: 'PENDING', pendingEvents },
    };
    expect(await bench.retrieve(id, {}, 'shopper_dan')).toEqual(pending);
    expect(await bench.retrieve(id, {}, 'shopper_dan')).toEqual(pending);
    expect((await bench.control('POST', `instructions/${id}/verify`)).body).toEqual({
      instructionId: id,
      status: 'ACTIVE',
    });
    expect((await bench.retrieve(id, {}, 'shopper_dan')).status).toBe(200);
  });
});

describe('confirming', () => {
  it('AP-10 needs credentials that were retrieved', async () => {
    const id = await bench.bought();
    expect(await bench.confirm(id)).toEqual(no(400, 'INVALID_STATE'));
    expect(await bench.confirm(id, { transactionStatus: 'DECLINED' })).toEqual(no(400, 'INVALID_STATE'));
  });

  it.each(['DECLINED', 'PENDING', 'ERROR', 'CANCELLED'])(
    'AP-10 takes note of %s and completes nothing',
    async (transactionStatus) => {
      const id = await bench.bought();
      await bench.retrieve(id);
      expect(await bench.confirm(id, { transactionStatus })).toEqual({
        status: 202,
        body: { clientCorrelationId: expect.any(String) },
      });
      expect(await bench.stateOf('instruction', id)).toBe('ACTIVE');
      expect((await bench.confirm(id)).body.status).toBe('COMPLETED');
    },
  );

  it('AP-10 does not take an approved refund for a payment', async () => {
    const id = await bench.bought();
    await bench.retrieve(id);
    expect((await bench.confirm(id, { transactionType: 'REFUND' })).body.status).toBeUndefined();
  });

  it('AP-11 is final', async () => {
    const id = await bench.bought();
    await bench.retrieve(id);
    expect(await bench.confirm(id)).toEqual({
      status: 202,
      body: { clientCorrelationId: expect.any(String), status: 'COMPLETED' },
    });
    for (const again of [bench.confirm(id), bench.update(id), bench.cancel(id), bench.retrieve(id)])
      expect(await again).toEqual(no(400, 'INVALID_STATE'));
    expect((await bench.effects()).filter((effect) => effect.startsWith('confirm'))).toHaveLength(1);
  });

  it('takes the other form of the body', async () => {
    const id = await bench.bought();
    await bench.retrieve(id);
    const amountDetail = { totalAmount: '39.90', currency: 'EUR' };
    const transactionData = [
      {
        clientReferenceInformation: { code: 'order-1' },
        // Public models: the address is text.
        merchantInformation: { merchantName: 'M', merchantDescriptor: { country: 'GB', url: 'm.example.com' } },
        orderInformation: { amountDetail },
      },
    ];
    const path = `/acp/v1/instructions/${id}/confirmations`;
    const clientCorrelationId = bench.correlation();
    const wrong = [{ ...transactionData[0], orderInformation: { amountDetail: { currency: 'EUR' } } }];
    expect(await bench.call('POST', path, { clientCorrelationId, transactionData: wrong })).toEqual(
      no(400, 'MISSING_FIELD', 'transactionData[0].orderInformation.amountDetail.totalAmount'),
    );
    for (const type of ['purchase', 'NONE'])
      expect(
        await bench.call('POST', path, { clientCorrelationId, transactionData: [{ ...transactionData[0], type }] }),
      ).toEqual(no(400, 'INVALID_DATA', 'transactionData[0].type'));
    expect((await bench.call('POST', path, { clientCorrelationId, transactionData })).body.status).toBe('COMPLETED');
  });
});

describe('what the customer is asked to verify', () => {
  const ask = (on: string) => bench.control('POST', 'faults', { on, kind: 'pending' });

  it('waits with an intent, an update and a cancellation until it is done', async () => {
    await bench.enroll('shopper_ada');
    await ask('initiatePurchase');
    const initiated = await bench.initiate('shopper_ada');
    const id = initiated.body.instructionId;
    expect([initiated.status, initiated.body.pendingEvents]).toEqual([202, pendingEvents]);
    expect((await bench.retrieve(id)).status).toBe(202);
    await bench.control('POST', `instructions/${id}/verify`);

    await ask('updatePurchase');
    expect((await bench.update(id)).status).toBe(202);
    await bench.control('POST', `instructions/${id}/verify`);
    expect((await bench.retrieve(id, { mandateId: 'mandate-2' })).status).toBe(200);

    await ask('cancelPurchase');
    expect((await bench.cancel(id)).status).toBe(202);
    expect((await bench.control('POST', `instructions/${id}/verify`)).body.status).toBe('CANCELLED');
  });

  it('enrolls as PENDING a card that would be active', async () => {
    await ask('enrollCard');
    expect((await bench.enroll('shopper_ada')).status).toBe(202);
    expect((await bench.enroll('shopper_ada')).status).toBe(202);
    await bench.control('POST', `cards/${cardOf('shopper_ada').instrumentIdentifierId}/verify`);
    expect((await bench.enroll('shopper_ada')).status).toBe(200);
  });
});

it('serves both prefixes as one world', async () => {
  const body = { ...enrollment('shopper_ada'), clientCorrelationId: bench.correlation() };
  expect((await bench.call('POST', '/icc/v1/tokens', body)).status).toBe(200);
  const id = (await bench.call('POST', '/icc/v1/instructions', bench.intent('shopper_ada'))).body.instructionId;
  expect((await bench.retrieve(id)).status).toBe(200);
  const { mandates: _, ...rest } = bench.intent('shopper_ada');
  expect((await bench.call('PUT', `/icc/v1/instructions/${id}/cancel`, rest)).body.status).toBe('CANCELLED');
});

const luhn = (number: string): boolean =>
  [...number].reverse().reduce((sum, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return sum + (value > 9 ? value - 9 : value);
  }, 0) %
    10 ===
  0;
