import { expect, it } from 'vitest';
import type { Platform } from '../../src/client/platform.ts';
import type { Answer } from '../../src/engine/answer.ts';
import { sandboxSeed } from '../../src/sandbox/index.ts';
import { authentication } from '../engine/passkey.ts';
import { connect, inProcess } from '../faces/agents.ts';
import { footprint, instrumentOf, world } from '../faces/support.ts';

// Every rule of tokenized card authentication, kept and broken: by an agent through MCP where a tool of its meets the rule, and by
// the merchant's app over HTTP where none does. What is refused leaves nothing behind, here or at the platform.

const usually = Date.UTC(2026, 0, 15, 9);

/** A world that begins at a moment; with an indicator, the platform says that of all credentials. */
async function storyOf(now: number, indicator?: string) {
  const platform =
    (real: Platform): Platform =>
    async (request) => {
      const response = await real(request);
      if (indicator === undefined || !request.url.endsWith('/payment-credentials')) return response;
      const text = (await response.text()).replace(/"commerceIndicator":"\w+"/, `"commerceIndicator":"${indicator}"`);
      const { status, headers } = response;
      return new Response(text, { status, headers: [...headers].filter(([name]) => name !== 'content-length') });
    };
  const here = await world({ replace: { clock: { now: () => now }, frozenAt: now, platform } });
  const mcp = await connect(inProcess(here), { pin: '2026-07-28' });
  const agent = async (tool: string, args: object): Promise<Answered> => (await mcp.call(tool, args)).answer;
  const app = async (tool: string, args: object): Promise<Answered> =>
    (await here.http('POST', `/calls/${tool}`, 'app', args)).body;
  const control = async (card: string, path: string) =>
    (await here.http('POST', `/sandbox/authentications/${instrumentOf(card)}/${path}`, undefined, {})).body;
  const options = (card: string, more: object = {}) =>
    agent('create_authentication_options', authentication({ card, ...more }));
  const begun = async (card: string): Promise<string> => (await options(card)).data.authentication;
  const send = (handle: string, code = 1, option = 'option_1') =>
    agent('create_one_time_password', { authentication: handle, option, request_number: code });
  const validate = (handle: string, more: object) =>
    app('validate_authentication_code', { authentication: handle, ...more });
  const codeOf = async (card: string): Promise<string> =>
    (await here.http('GET', `/sandbox/authentications/${instrumentOf(card)}/code`)).body.code;
  const prove = async (handle: string, card: string, more: object = {}) => {
    const { fidoResponse: it = {} } = await control(card, 'ceremony');
    const proven = { data: it.fidoBlob, id: it.identifier, relying_party: it.rpID, provider: 'PAYMENT_PASSKEY' };
    return app('create_payment_credentials', { authentication: handle, ...proven, ...more });
  };
  const register = (handle: string) => agent('create_authentication_registration', { authentication: handle });
  const advance = (duration: string) => here.http('POST', '/sandbox/clock', undefined, { advance: duration });
  const session = async (more: object) => {
    const { status, body } = await here.http('POST', '/shoppers', 'app', { handle: 'shopper_ada', ...ada, ...more });
    return { outcome: status === 201 ? 'done' : 'refused', error: body.error } as Answered;
  };
  return { here, agent, options, begun, send, validate, codeOf, prove, register, control, advance, session };
}
type Story = Awaited<ReturnType<typeof storyOf>>;
// biome-ignore lint/suspicious/noExplicitAny: answers are compared whole, not typed
type Answered = Omit<Answer, 'data'> & { readonly data?: any };

const { shopper_ada: ada } = sandboxSeed.shoppers;
/** The message of the iframe that has made a session. */
const iframe = {
  platformType: 'WEB',
  browserData: {
    ...{ browserHeader: 'text/html', browserColorDepth: '24', browserJavaEnabled: false },
    ...{ browserJavascriptEnabled: true, browserLanguage: 'en-GB', browserScreenHeight: '900' },
    ...{ browserScreenWidth: '1440', browserTimeZone: '0', ipAddress: '203.0.113.11', userAgent: 'Mozilla/5.0' },
  },
  sessionContext: { secureToken: 'another-session' },
};
const { deviceInformation: _, sessionInformation: __, ...elsewhere } = ada as Readonly<Record<string, unknown>>;

interface Case {
  readonly rule: string;
  readonly when: string;
  readonly field?: string | undefined;
  readonly now?: number;
  /** What stands before the call; the call itself; and that it is let pass. */
  readonly broken: (it: Story) => Promise<() => Promise<Answered>>;
  readonly kept: (it: Story) => Promise<Answered>;
}

/** A code that was sent for Bo's card. */
const sent = async (it: Story): Promise<string> => {
  const handle = await it.begun('card_bo');
  await it.send(handle);
  return handle;
};
const right = async (it: Story, handle: string) => it.validate(handle, { code: await it.codeOf('card_bo') });

// biome-ignore format: a table
const cases: readonly Case[] = [
  { rule: 'PK-01', when: 'no browser has a session', field: 'card',
    broken: async (it) => { await it.session({ sessionInformation: undefined }); return () => it.options('card_ada'); },
    kept: (it) => it.options('card_ada') },
  { rule: 'PK-01', when: 'the sum has decimals that its currency lacks', field: 'payment',
    broken: async (it) => () => it.options('card_ada', { payment: { amount: '40.5', currency: 'JPY' } }),
    kept: (it) => it.options('card_ada', { payment: { amount: '40', currency: 'JPY' } }) },
  { rule: 'EN-01', when: 'PK-02: the currency is numeric', field: 'payment.currency',
    broken: async (it) => () => it.options('card_ada', { payment: { amount: '40.00', currency: '826' } }),
    kept: (it) => it.options('card_ada') },
  { rule: 'PK-03', when: 'no code is asked for', field: 'authentication',
    broken: async (it) => { const handle = await it.begun('card_ada'); return () => it.send(handle); },
    kept: async (it) => it.send(await it.begun('card_bo')) },
  { rule: 'PK-03', when: 'the code was right already', field: 'authentication',
    broken: async (it) => { const handle = await sent(it); await right(it, handle); return () => it.validate(handle, { code: '123456' }); },
    kept: async (it) => right(it, await sent(it)) },
  { rule: 'PK-04', when: 'the option was not offered', field: 'option',
    broken: async (it) => { const handle = await it.begun('card_bo'); return () => it.send(handle, 1, 'option_9'); },
    kept: async (it) => it.send(await it.begun('card_bo'), 1, 'option_3') },
  { rule: 'PK-04', when: 'no code was requested', field: 'authentication',
    broken: async (it) => { const handle = await it.begun('card_bo'); return () => it.validate(handle, { code: '123456' }); },
    kept: async (it) => right(it, await sent(it)) },
  ...['option_4', 'option_5', 'option_6'].map((option): Case => ({
    rule: 'PK-05', when: `${option} sends no code`, field: 'option',
    broken: async (it) => { const handle = await it.begun('card_bo'); return () => it.send(handle, 1, option); },
    kept: async (it) => { await it.begun('card_bo'); await it.control('card_bo', 'approve'); return it.options('card_bo'); } })),
  { rule: 'PK-06', when: 'no code is given', field: 'code',
    broken: async (it) => { const handle = await sent(it); return () => it.validate(handle, {}); },
    kept: async (it) => right(it, await sent(it)) },
  { rule: 'PK-07', when: 'a fourth code is requested', 
    broken: async (it) => { const handle = await sent(it); await it.send(handle, 2); await it.send(handle, 3); return () => it.send(handle, 4); },
    kept: async (it) => { const handle = await sent(it); await it.send(handle, 2); return it.send(handle, 3); } },
  { rule: 'PK-07', when: 'the code has expired', field: 'code',
    broken: async (it) => { const handle = await sent(it); await it.advance('PT10M'); return () => right(it, handle); },
    kept: async (it) => { const handle = await sent(it); await it.advance('PT9M59S'); return right(it, handle); } },
  { rule: 'PK-08', when: 'the issuer has not approved', field: 'authentication',
    broken: async (it) => { const handle = await it.begun('card_bo'); return () => it.register(handle); },
    kept: async (it) => it.register(await it.begun('card_cleo')) },
  { rule: 'PK-09', when: 'nothing was there to prove', field: 'authentication',
    broken: async (it) => { const handle = await it.begun('card_bo'); return () => it.prove(handle, 'card_bo', { data: 'eA', id: 'x', relying_party: 'eA' }); },
    kept: async (it) => it.prove(await it.begun('card_ada'), 'card_ada') },
  { rule: 'PK-09', when: 'the relying party is not Base64URL', field: 'relying_party',
    broken: async (it) => { const handle = await it.begun('card_ada'); return () => it.prove(handle, 'card_ada', { relying_party: 'not base64url!' }); },
    kept: async (it) => it.prove(await it.begun('card_ada'), 'card_ada') },
  { rule: 'PK-12', when: 'the session of the iframe lacks a field', field: 'deviceInformation.userAgentBrowserValue',
    broken: async (it) => { const { userAgent: _, ...browserData } = iframe.browserData; return () => it.session({ ...elsewhere, deviceInformation: undefined, sessionInformation: undefined, iframe: { ...iframe, browserData } }); },
    kept: (it) => it.session({ deviceInformation: undefined, sessionInformation: undefined, iframe }) },
  { rule: 'PK-12', when: 'neither the session nor its iframe has the type of the platform', field: 'deviceInformation.platformType',
    broken: async (it) => { const { platformType: _, ...released } = iframe; return () => it.session({ ...elsewhere, deviceInformation: undefined, sessionInformation: undefined, iframe: released }); },
    kept: (it) => { const { platformType, ...released } = iframe; return it.session({ deviceInformation: { platformType }, sessionInformation: undefined, iframe: released }); } },
  { rule: 'PK-13', when: 'the keys have expired', now: Date.UTC(2027, 9, 1),
    broken: async (it) => () => it.options('card_ada'),
    kept: async (it) => it.options('card_ada') },
];

it.each(cases)('$rule refuses it where $when', async ({ rule, field, now = usually, broken }) => {
  const story = await storyOf(now);
  const call = await broken(story);
  const before = await footprint(story.here);
  expect(await call()).toMatchObject({
    outcome: 'refused',
    error: { rule, ...(field === undefined ? {} : { field }) },
  });
  expect(await footprint(story.here)).toEqual(before);
  expect(story.here.failures).toEqual([]);
});

it.each(cases)('$rule lets pass what is otherwise: $when', async ({ now = usually, kept }) => {
  const story = await storyOf(now - 1_000);
  expect(await kept(story)).toMatchObject({ outcome: 'done' });
  expect(story.here.failures).toEqual([]);
});

it('PK-13 warns from ninety days before', async () => {
  const from = Date.UTC(2027, 8, 1) - 90 * 86_400_000;
  const warnings = async (now: number) => (await (await storyOf(now)).options('card_ada')).warnings ?? [];
  expect(await warnings(from - 1_000)).toEqual([]);
  expect(await warnings(from)).toEqual([expect.stringMatching(/^PK-13/)]);
});

it('no case is missing: what the platform alone refuses is refused there, and ends as its no or as nothing known', async () => {
  const covered = new Set(cases.flatMap(({ rule, when }) => [rule, ...(when.match(/PK-\d\d/g) ?? [])]));
  const all = Array.from({ length: 13 }, (_, index) => `PK-${String(index + 1).padStart(2, '0')}`);
  expect(all.filter((rule) => !covered.has(rule))).toEqual(['PK-10', 'PK-11']);
});

it('PK-10 is the no of the platform where a country has addresses, and none where it has not', async () => {
  const billed = async (billTo: object): Promise<Answered> => {
    const it = await storyOf(usually);
    await it.session({ billTo: { ...(ada.billTo as object), locality: undefined, ...billTo } });
    return it.prove(await it.begun('card_ada'), 'card_ada');
  };
  expect(await billed({})).toMatchObject({ outcome: 'declined', error: { code: 'DECLINED' } });
  expect((await billed({ country: 'HK' })).outcome).toBe('done');
});

it('PK-11 credentials that contradict themselves are no answer that can be trusted', async () => {
  const contradicted = { '05': 'internet', '07': 'vbv' } as const;
  for (const [card, eci] of [
    ['card_ada', '05'],
    ['card_cleo_declines', '07'],
  ] as const) {
    const fine = await storyOf(usually);
    expect(await fine.prove(await fine.begun(card), card)).toMatchObject({ outcome: 'done', data: { eci } });
    const it = await storyOf(usually, contradicted[eci]);
    expect((await it.prove(await it.begun(card), card)).outcome).toBe('unknown');
  }
});
