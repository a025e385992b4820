import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { authentication } from '../../src/domains/passkey/machines.ts';
import { Bench, host, signed, type Told } from '../sandbox/support.ts';

// What the token service itself refuses, whatever Purser's guards say: a client of the merchant's own calls it.

const tokenOf = { ada: 1, bo: 2, cleo: 3 } as const;
type Who = keyof typeof tokenOf;
const idOf = (who: Who) => `FACE00000000000000000000000D000${tokenOf[who]}`;

const deviceInformation = {
  httpAcceptContent: 'text/html',
  httpBrowserColorDepth: '24',
  httpBrowserJavaEnabled: false,
  httpBrowserJavaScriptEnabled: true,
  httpBrowserLanguage: 'en-GB',
  httpBrowserScreenHeight: '900',
  httpBrowserScreenWidth: '1440',
  httpBrowserTimeDifference: '0',
  ipAddress: '203.0.113.12',
  platformType: 'WEB',
  userAgentBrowserValue: 'Mozilla/5.0 (example)',
};
const base64 = (text: string) => Buffer.from(text).toString('base64');
const [name, url] = ['Harbour Audio', 'https://shop.harbour-audio.example.com'];
const correlation = { clientCorrelationId: '00000000-0000-4000-8000-000000000001' };
const session = (who: Who) => ({
  ...{ authenticatorRenderMethod: 'IFRAME', deviceInformation },
  merchantInformation: { merchantDescriptor: { name: base64(name), url: base64(url) } },
  sessionInformation: { secureToken: `browser-session-000${tokenOf[who]}` },
});
const billTo = {
  ...{ firstName: 'Ada', lastName: 'Example', email: 'ada@example.com', address1: '1 Example Quay' },
  ...{ administrativeArea: 'Exampleshire', country: 'GB', locality: 'Exampleton', postalCode: 'EX1 1EX' },
};

interface Release {
  readonly identity?: object;
  readonly identities?: readonly object[];
  readonly amounts?: object;
  readonly billTo?: object;
  readonly more?: object;
}

/** The calls of one card, with whatever a test puts in. */
function of(bench: Bench, who: Who) {
  const id = idOf(who);
  const options = `/tms/v2/tokenized-cards/${id}/authentication-options`;
  const post = (path: string, body: object): Promise<Told> => bench.call('POST', path, { ...correlation, ...body });
  const control = async (path: string, body?: object) =>
    bench.control(body === undefined ? 'GET' : 'POST', `authentications/${id}/${path}`, body);
  const offered = async (index: number): Promise<string> => {
    const { documents } = await bench.sandbox.world.snapshot();
    const found = documents.find(({ kind, body }) => kind === 'authentication' && body.id === id)?.body;
    const { stepUpOptions = [] } = (found ?? {}) as { stepUpOptions?: readonly { id: string }[] };
    return stepUpOptions[index]?.id ?? 'step-up-of-nobody';
  };
  const it = {
    options: (amounts: object = {}, more: object = {}) =>
      post(options, {
        ...session(who),
        orderInformation: { amountDetails: { totalAmount: '40.00', currency: '826', ...amounts } },
        ...more,
      }),
    send: async (index = 0) => post(`${options}/one-time-passwords`, { stepUpOption: { id: await offered(index) } }),
    validate: async (code: object, index = 0) =>
      post(`${options}/validate`, { stepUpOption: { id: await offered(index) }, ...code }),
    code: async (): Promise<string> => (await control('code')).body.code,
    approve: () => control('approve', {}),
    register: () =>
      post(`/tms/v2/tokenized-cards/${id}/authentication-registrations`, {
        ...session(who),
        buyerInformation: { language: 'en_GB' },
        orderInformation: {
          amountDetails: { totalAmount: '40.00', currency: '826' },
          billTo: { email: 'ada@example.com' },
        },
      }),
    /** What the customer's passkey proves, where there is a ceremony for it. */
    identity: async (more: object = {}) => {
      const {
        fidoBlob: data = 'eA',
        identifier = 'nobody',
        rpID = 'eA',
      } = (await control('ceremony', {})).body.fidoResponse ?? {};
      return { data, id: identifier, relyingPartyId: rpID, provider: 'PAYMENT_PASSKEY', ...more };
    },
    releasing: (authenticatedIdentities: readonly object[], amounts: object = {}, address: object = {}) => ({
      ...{ ...correlation, transactionType: 'ECOM', deviceInformation },
      merchantInformation: { merchantDescriptor: { name, url } },
      authenticatedIdentities,
      orderInformation: {
        amountDetails: { totalAmount: '40.00', currency: 'GBP', ...amounts },
        billTo: { ...billTo, ...address },
      },
    }),
    release: async ({ identity, identities, amounts, billTo: address, more }: Release = {}) =>
      post(`/tms/v2/tokens/${id}/payment-credentials`, {
        ...it.releasing(identities ?? [identity ?? (await it.identity())], amounts, address),
        ...more,
      }),
    state: () => bench.stateOf('authentication', id),
  };
  return it;
}
type Card = ReturnType<typeof of>;

/** What came back: the status, and the type and the field of the document's error. */
const said = ({ status, body }: Told) => [
  status,
  ...(body.errors ?? []).flatMap(({ type, details = [] }: { type: string; details?: { name: string }[] }) => [
    type,
    ...details.map((it) => it.name),
  ]),
];

/** How each state comes to be, with which card. */
const reached: { readonly [state: string]: { readonly who: Who; readonly by: (it: Card) => Promise<unknown> } } = {
  none: { who: 'bo', by: async () => undefined },
  AUTHENTICATE: { who: 'ada', by: (it) => it.options() },
  STEP_UP_AUTHENTICATE: { who: 'bo', by: (it) => it.options() },
  AUTHENTICATION_REGISTRATION: { who: 'cleo', by: (it) => it.options() },
  REGISTRATION_CREATED: { who: 'cleo', by: (it) => it.options().then(it.register) },
  AUTHENTICATED: { who: 'ada', by: (it) => it.options().then(() => it.release()) },
};

const triggers = {
  options: (it: Card) => it.options(),
  send: (it: Card) => it.send(),
  validate: async (it: Card) => {
    await it.send();
    return it.validate({ otp: (await it.state()) === 'STEP_UP_AUTHENTICATE' ? await it.code() : '000000' });
  },
  approve: (it: Card) => it.approve(),
  register: (it: Card) => it.register(),
  release: (it: Card) => it.release(),
} as const;
type Trigger = keyof typeof triggers;

it('tells with 403 that it declined, as public models of the token service do', async () => {
  const bench = new Bench();
  await bench.control('POST', 'faults', { on: 'createAuthenticationOptions', kind: 'decline' });
  expect(said(await of(bench, 'ada').options())).toEqual([403, 'declined']);
});

// By hand, from the document's table of actions and its errors: the state afterwards, or the platform's no.
const never = [404, 'notFound', 'tokenId'];
// Public models of the token service: a conflict is a 409.
const over = [409, 'conflict'];
// The issuer approves through the control API, which has errors of its own.
const unapproved = [400];
const strange = [400, 'invalidFields', 'stepUpOption.id'];
const unproven = [400, 'invalidFields', 'authenticatedIdentities[0].data'];
const cells: { readonly [state: string]: { readonly [T in Trigger]: string | readonly (number | string)[] } } = {
  none: {
    ...{ options: 'STEP_UP_AUTHENTICATE', send: never, validate: never },
    ...{ approve: [404], register: never, release: never },
  },
  AUTHENTICATE: {
    ...{ options: 'AUTHENTICATE', send: strange, validate: strange },
    ...{ approve: unapproved, register: over, release: 'AUTHENTICATED' },
  },
  STEP_UP_AUTHENTICATE: {
    ...{ options: 'STEP_UP_AUTHENTICATE', send: 'STEP_UP_AUTHENTICATE', validate: 'AUTHENTICATION_REGISTRATION' },
    ...{ approve: 'AUTHENTICATION_REGISTRATION', register: over, release: unproven },
  },
  AUTHENTICATION_REGISTRATION: {
    ...{ options: 'AUTHENTICATION_REGISTRATION', send: strange, validate: strange },
    ...{ approve: unapproved, register: 'REGISTRATION_CREATED', release: unproven },
  },
  REGISTRATION_CREATED: {
    ...{ options: 'AUTHENTICATION_REGISTRATION', send: strange, validate: strange },
    ...{ approve: unapproved, register: 'REGISTRATION_CREATED', release: 'AUTHENTICATED' },
  },
  AUTHENTICATED: {
    ...{ options: 'AUTHENTICATE', send: strange, validate: strange },
    ...{ approve: unapproved, register: over, release: over },
  },
};

describe('every cell of the machine, through the platform', () => {
  it('is listed', () => {
    expect(Object.keys(cells).toSorted()).toEqual(authentication.states.toSorted());
    expect(Object.keys(triggers).toSorted()).toEqual(authentication.triggers.toSorted());
  });

  const all = Object.entries(cells).flatMap(([state, row]) =>
    Object.entries(row).map(([trigger, end]) => ({ state, trigger: trigger as Trigger, end })),
  );
  it.each(all)('$state, $trigger', async ({ state, trigger, end }) => {
    const { who, by } = reached[state] ?? reached.none ?? expect.unreachable();
    const card = of(new Bench(), who);
    await by(card);
    const before = await card.state();
    expect(before ?? 'none').toBe(state);
    const told = await triggers[trigger](card);
    expect(typeof end === 'string' ? [said(told), await card.state()] : said(told)).toEqual(
      typeof end === 'string' ? [[200], end] : end,
    );
    if (typeof end !== 'string') expect(await card.state()).toBe(before);
  });
});

describe('what the platform refuses by itself', () => {
  it('PK-01 options and registrations that lack a field', async () => {
    const bench = new Bench();
    const path = `/tms/v2/tokenized-cards/${idOf('ada')}/authentication-options`;
    const { sessionInformation: _, ...without } = session('ada');
    const orderInformation = { amountDetails: { totalAmount: '40.00', currency: '826' } };
    const whole = { ...correlation, ...session('ada'), orderInformation };
    expect(said(await bench.call('POST', path, { ...correlation, ...without, orderInformation }))[1]).toBe(
      'missingFields',
    );
    for (const field of Object.keys(deviceInformation)) {
      const { [field]: __, ...less } = deviceInformation as Record<string, unknown>;
      const told = await bench.call('POST', path, { ...whole, deviceInformation: less });
      expect(said(told)).toEqual([400, 'missingFields', `deviceInformation.${field}`]);
    }
    expect((await bench.call('POST', path, whole)).status).toBe(200);
  });

  it('PK-02 an alphabetic currency, and a shop that is not in Base64', async () => {
    const bench = new Bench();
    const it = of(bench, 'ada');
    const field = 'orderInformation.amountDetails';
    expect(said(await it.options({ currency: 'GBP' }))).toEqual([400, 'invalidFields', `${field}.currency`]);
    expect(said(await it.options({ totalAmount: '40.005' }))).toEqual([400, 'invalidFields', `${field}.totalAmount`]);
    expect(said(await it.options({ totalAmount: '40', currency: '392' }))).toEqual([200]);
  });

  it('PK-04 PK-05 PK-06 a code by another way, and no code at all', async () => {
    const it = of(new Bench(), 'bo');
    await it.options();
    expect(said(await it.send(9))).toEqual(strange);
    for (const index of [3, 4, 5]) expect(said(await it.send(index))).toEqual(strange);
    for (const index of [0, 1, 2]) expect(said(await it.send(index))).toEqual([200]);
    expect(said(await it.validate({ otp: await it.code() }, 0))).toEqual(strange);
    expect(said(await it.validate({}, 2))[0]).toBe(400);
    expect(said(await it.validate({ otp: await it.code() }, 2))).toEqual([200]);
  });

  it('PK-07 a fourth code, a fourth attempt and a code whose ten minutes are over, not a second before', async () => {
    const it = of(new Bench(), 'bo');
    await it.options();
    for (const round of [1, 2, 3]) expect([round, ...said(await it.send())]).toEqual([round, 200]);
    expect(said(await it.send())).toEqual([403, 'declined', 'stepUpOption.id']);
    const right = await it.code();
    const wrong = right === '000000' ? '000001' : '000000';
    for (const round of [1, 2, 3])
      expect([round, ...said(await it.validate({ otp: wrong }))]).toEqual([round, 400, 'invalidFields', 'otp']);
    expect(said(await it.validate({ otp: right }))).toEqual([403, 'declined', 'otp']);

    for (const [seconds, end] of [
      [599, [200]],
      [600, [410, 'notAvailable', 'otp']],
    ] as const) {
      const bench = new Bench();
      const late = of(bench, 'bo');
      await late.options();
      await late.send();
      const otp = await late.code();
      await bench.control('POST', 'clock', { advance: `PT${seconds}S` });
      expect([seconds, said(await late.validate({ otp }))]).toEqual([seconds, end]);
    }
  });

  it('PK-07 a code in the very second that it was told to expire in, wherever in a second it was sent', async () => {
    const bench = new Bench();
    const it = of(bench, 'bo');
    await bench.control('POST', 'clock', { advance: 700 });
    await it.options();
    const { codeExpiration } = (await it.send()).body;
    const otp = await it.code();
    await bench.control('POST', 'clock', { now: new Date(codeExpiration * 1000).toISOString() });
    expect(said(await it.validate({ otp }))).toEqual([410, 'notAvailable', 'otp']);
  });

  it('PK-09 an identity of another ceremony, card or form, and one for another amount', async () => {
    const bench = new Bench();
    const it = of(bench, 'ada');
    await it.options();
    const at = 'authenticatedIdentities[0]';
    const identity = await it.identity();
    const forged = async (more: object) => said(await it.release({ identity: { ...identity, ...more } }));
    expect(await forged({ data: 'invented' })).toEqual(unproven);
    expect(await forged({ id: 'another' })).toEqual([400, 'invalidFields', `${at}.id`]);
    expect(await forged({ relyingPartyId: 'eA' })).toEqual([400, 'invalidFields', `${at}.relyingPartyId`]);
    expect(await forged({ relyingPartyId: 'not base64url!' })).toEqual([400, 'invalidFields', `${at}.relyingPartyId`]);
    const details = 'orderInformation.amountDetails.totalAmount';
    expect(said(await it.release({ identity, amounts: { totalAmount: '40.01' } }))).toEqual([
      ...[400, 'invalidFields', details],
    ]);
    const other = of(bench, 'cleo');
    await other.options();
    await other.register();
    expect(said(await other.release({ identity }))).toEqual(unproven);
    expect(said(await it.release({ identity }))).toEqual([200]);
  });

  it('PK-09 takes several identities, each of them proven, and Base64URL with its padding', async () => {
    const bench = new Bench();
    const it = of(bench, 'ada');
    await it.options();
    const identity = await it.identity();
    const forged = { ...identity, data: 'invented' };
    expect(said(await it.release({ identities: [identity, forged] }))).toEqual([
      ...[400, 'invalidFields', 'authenticatedIdentities[1].data'],
    ]);
    const padded = { ...identity, relyingPartyId: `${identity.relyingPartyId}==` };
    expect(said(await it.release({ identities: [padded, identity] }))).toEqual([200]);
  });

  it('PK-02 takes the address of the shop as any text, and any correlation id', async () => {
    const it = of(new Bench(), 'ada');
    expect(said(await it.options({}, { clientCorrelationId: 'order-1' }))).toEqual([200]);
    const merchantInformation = { merchantDescriptor: { name, url: 'shop.harbour-audio.example.com' } };
    expect(said(await it.release({ more: { merchantInformation } }))).toEqual([200]);
  });

  it('answers released credentials signed where application/jose is asked for', async () => {
    const bench = new Bench();
    const it = of(bench, 'ada');
    await it.options();
    const body = JSON.stringify(it.releasing([await it.identity()]));
    const path = `/tms/v2/tokens/${idOf('ada')}/payment-credentials`;
    const headers = (all: Record<string, string>) => {
      all.accept = 'application/jose;charset=utf-8';
    };
    const answer = await bench.sandbox.handle(signed(`http://${host}`, 'POST', path, body, { headers }));
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/jose']);
    expect(decodeJwt(await answer.text())).toMatchObject({ tokenizedCard: { state: 'ACTIVE', eci: '05' } });
  });

  it('PK-10 an address without its place, where the country has them', async () => {
    const it = of(new Bench(), 'ada');
    await it.options();
    const { locality: _, ...nowhere } = billTo;
    const without = (country: string) => ({ billTo: { ...nowhere, country, locality: undefined } });
    expect(said(await it.release(without('GB')))).toEqual([
      ...[400, 'missingFields', 'orderInformation.billTo.locality'],
    ]);
    expect(said(await it.release(without('HK')))).toEqual([200]);
  });

  it('PK-11 releases credentials whose eci and indicator agree', async () => {
    const it = of(new Bench(), 'ada');
    await it.options();
    expect((await it.release()).body).toMatchObject({
      tokenizedCard: { eci: '05' },
      processingInformation: { commerceIndicator: 'vbv' },
    });
  });

  it('a card that waited for its holder is active after a ceremony, and its token is told of', async () => {
    const bench = new Bench();
    await bench.enroll('shopper_bo');
    const it = of(bench, 'bo');
    for (const step of [it.options, it.approve, it.register, it.identity]) await step();
    const { documents } = await bench.sandbox.world.snapshot();
    const tokens = documents.filter(({ kind, body }) => kind === 'event' && String(body.id).includes('/token/'));
    expect(tokens.map(({ body }) => (body as unknown as { eventType: string }).eventType).toSorted()).toEqual([
      ...['tms.networktoken.provisioned', 'tms.token.created', 'tms.token.updated'],
    ]);
    expect(await bench.stateOf('card', idOf('bo'))).toBe('ACTIVE');
  });

  it('a card of nobody', async () => {
    const bench = new Bench();
    const path = '/tms/v2/tokenized-cards/FACE00000000000000000000000D9999/authentication-options';
    const orderInformation = { amountDetails: { totalAmount: '40.00', currency: '826' } };
    const told = await bench.call('POST', path, { ...correlation, ...session('ada'), orderInformation });
    expect(said(told)).toEqual([404, 'notFound', 'tokenId']);
  });
});
