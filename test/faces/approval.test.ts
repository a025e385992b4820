import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Secret } from '../../src/core/secret.ts';
import { channels } from '../../src/engine/approval-channels.ts';
import { createHttpFace, type HttpOptions } from '../../src/http/server.ts';
import { playRowsOneIn } from '../support/drawn.ts';
import { connect, inProcess, says, type User, ways } from './agents.ts';
import { footprint, nextWeek, type Others, secrets, type World, world } from './support.ts';
import { call2026, type Extra } from './wire.ts';

playRowsOneIn(3);

// A person's yes and no within the conversation: who is asked, what each reaction does, and what no client can forge.

/** Forms over HTTP are not usual: the operator has to allow them. */
const withForms = { configuration: { channels } };

const order = async (others: Others, reference: string) => ({
  card: 'card_ada',
  reference,
  limit: { amount: '40.00', currency: 'GBP' },
  until: await nextWeek(others),
  description: 'A cable',
});

const denied = {
  isError: true,
  answer: {
    outcome: 'refused',
    said: expect.stringContaining('to ask again'),
    next: ['list_approvals'],
    error: { code: 'APPROVAL_DENIED', retry: 'same_call', rule: 'EN-04' },
  },
};
const waits = {
  isError: false,
  answer: { outcome: 'needs_approval', error: { code: 'APPROVAL_REQUIRED', rule: 'EN-04' } },
};
const begun = { isError: false, answer: { outcome: 'done', data: { state: 'ACTIVE' } } };

describe.each(ways.filter(({ asks }) => asks))('a person who is asked: $name', ({ name, open }) => {
  const channel = name.includes('stdio') ? 'form' : 'form-over-http';

  it('decides by yes and no alone; closing the question decides nothing, and a no can be asked anew', async () => {
    const reactions: User[] = [says.cancel, says.decline, says.no, says.yes];
    const { agent, others } = await open((message) => reactions.shift()?.(message) ?? says.cancel());
    await agent.call('enroll_card', { card: 'card_ada' });
    const args = await order(others, 'order-1');
    expect(await agent.call('initiate_purchase', args)).toMatchObject(waits);
    expect(await agent.call('initiate_purchase', args)).toMatchObject(denied);
    expect(await agent.call('initiate_purchase', args)).toMatchObject(denied);
    expect((await others.http('GET', '/sandbox/effects')).body.effects).toMatchObject([{ operation: 'enrollCard' }]);
    expect(await agent.call('initiate_purchase', args)).toMatchObject(begun);
    expect(reactions).toEqual([]);
    const { body } = await others.http('GET', '/approvals', 'person');
    expect(body.items.map(({ state, channel }: Record<string, string>) => [state, channel])).toEqual([
      ['CONSUMED', channel],
      ['DENIED', channel],
      ['DENIED', channel],
    ]);
  });
});

describe.each(ways.filter(({ asks, name }) => asks && !name.startsWith('2026')))('a question: $name', ({ open }) => {
  it('that the client fails to ask is as one that was closed: it waits, and the words of the client go nowhere', async () => {
    const failing: User = () => {
      throw new Error('no form for 4111111111111111');
    };
    const reactions: User[] = [failing, () => ({ action: 'maybe' }) as never, says.yes];
    const { agent, others } = await open((message) => reactions.shift()?.(message) ?? says.cancel());
    await agent.call('enroll_card', { card: 'card_ada' });
    const args = await order(others, 'order-1');
    for (let failures = 1; failures <= 2; failures++) {
      const { text, ...rest } = await agent.call('initiate_purchase', args);
      expect([rest, text]).toMatchObject([waits, expect.not.stringContaining('4111')]);
    }
    expect(await agent.call('initiate_purchase', args)).toMatchObject(begun);
  });
});

describe('who is asked', () => {
  const asked = async (capabilities: object) => {
    const here = await world(withForms);
    const agent = await connect(inProcess(here), { pin: '2026-07-28' }, undefined, capabilities);
    await agent.call('enroll_card', { card: 'card_ada' });
    return call2026(here, 'initiate_purchase', await order(here, 'order-1'), { capabilities });
  };

  it.each([{ elicitation: {} }, { elicitation: { form: {} } }, { elicitation: { form: {}, url: {} } }])(
    'a client that has forms: %j',
    async (capabilities) => {
      expect(await asked(capabilities)).toMatchObject({ result: { resultType: 'input_required' } });
    },
  );

  it('a client that opens pages: it gets the address of one, where nobody sees anything without a token', async () => {
    const { result } = await asked({ elicitation: { url: {} } });
    const { approval: question } = result.inputRequests;
    expect([result.resultType, question.method, question.params.mode]).toEqual([
      'input_required',
      'elicitation/create',
      'url',
    ]);
    expect(question.params.url).toMatch(/^http:\/\/localhost\/approve\/apr_[a-z]+$/);
    expect(question.params.message).toContain('At most: "40.00 GBP"');
  });

  it('behind a proxy: the page stands at the public address, whatever headers say', async () => {
    const here = await world({ ...withForms, face: { publicUrl: 'https://purser.example.com' } });
    await call2026(here, 'enroll_card', { card: 'card_ada' });
    const pages = { capabilities: { elicitation: { url: {} } } };
    const { result } = await call2026(here, 'initiate_purchase', await order(here, 'order-1'), pages);
    expect(result.inputRequests.approval.params.url).toMatch(/^https:\/\/purser\.example\.com\/approve\/apr_[a-z]+$/);
  });

  it.each([
    { 'x-forwarded-host': 'evil.example.com', 'x-forwarded-proto': 'https' },
    { forwarded: 'host=evil.example.com;proto=https' },
    { 'x-original-host': 'evil.example.com', 'x-forwarded-port': '444' },
  ])('at no address that a header names: %j', async (headers) => {
    for (const [face, origin] of [
      [{}, 'http://localhost'],
      [{ publicUrl: 'https://purser.example.com' }, 'https://purser.example.com'],
    ] as const) {
      const here = await world({ ...withForms, face });
      const forwarded = {
        ...here,
        face: { ...here.face, fetch: (it: Request) => here.face.fetch(withHeaders(it, headers)) },
      };
      await call2026(here, 'enroll_card', { card: 'card_ada' });
      const pages = { capabilities: { elicitation: { url: {} } } };
      const { result } = await call2026(forwarded, 'initiate_purchase', await order(here, 'order-1'), pages);
      expect(result.inputRequests.approval.params.url.startsWith(`${origin}/approve/apr_`)).toBe(true);
    }
  });

  it.each([{}, { sampling: {} }])(
    'not a client that has none: %j; it gets an answer and no protocol error',
    async (capabilities) => {
      const { result } = await asked(capabilities);
      expect(result).toMatchObject({ isError: false, structuredContent: waits.answer });
    },
  );
});

function withHeaders(request: Request, headers: { readonly [name: string]: string }): Request {
  const dressed = new Request(request);
  for (const [name, value] of Object.entries(headers)) dressed.headers.set(name, value);
  return dressed;
}

/** A world in which a question about an order was asked, with what a client needs to answer it. */
async function question(reference = 'order-1', face: Partial<HttpOptions> = {}) {
  const here = await world({ ...withForms, face });
  await call2026(here, 'enroll_card', { card: 'card_ada' });
  const args = await order(here, reference);
  const { result } = await call2026(here, 'initiate_purchase', args);
  return { here, args, state: String(result.requestState), result };
}

const yes = { inputResponses: { approval: { action: 'accept', content: { approve: true } } } };
const effectsOf = async ({ http }: World) => (await http('GET', '/sandbox/effects')).body.effects;

describe('a question', () => {
  it('shows what is stored, not what the model says of it, and a form with one yes or no', async () => {
    const { result } = await question();
    expect(result.inputRequests.approval).toMatchObject({
      method: 'elicitation/create',
      params: {
        message: expect.stringMatching(
          /^Allow the agent to buy\nOrder: "order-1"\nAt most: "40\.00 GBP"\n[\s\S]*\nAsked until: .*Z$/,
        ),
        requestedSchema: { properties: { approve: { type: 'boolean' } }, required: ['approve'] },
      },
    });
  });

  it('is answered once: the same yes again, even twenty times at once, sends nothing more', async () => {
    const { here, args, state } = await question();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => call2026(here, 'initiate_purchase', args, { ...yes, requestState: state })),
    );
    expect(answers.filter(({ result }) => result.structuredContent.outcome !== 'done')).toEqual([]);
    expect(new Set(answers.map(({ result }) => result.structuredContent.data.instruction)).size).toBe(1);
    expect(await effectsOf(here)).toMatchObject([{ operation: 'enrollCard' }, { operation: 'initiatePurchase' }]);
  });

  it('counts a yes without its state as nothing, and asks', async () => {
    const { here, args } = await question();
    expect(await call2026(here, 'initiate_purchase', args, yes)).toMatchObject({
      result: { resultType: 'input_required' },
    });
    expect(await effectsOf(here)).toHaveLength(1);
  });

  it.each<[string, Extra['inputResponses']]>([
    ['nothing', {}],
    ['another key', { other: { action: 'accept', content: { approve: true } } }],
    ['no content', { approval: { action: 'accept' } }],
    ['a text in place of yes', { approval: { action: 'accept', content: { approve: 'true' } } }],
    ['something else', { approval: { action: 'agree', content: { approve: true } } }],
    ['a closed form', { approval: { action: 'cancel' } }],
  ])('takes %s for no decision', async (_, inputResponses = {}) => {
    const { here, args, state } = await question();
    const { result } = await call2026(here, 'initiate_purchase', args, { inputResponses, requestState: state });
    expect(result).toMatchObject({ isError: false, structuredContent: waits.answer });
    expect((await here.http('GET', '/approvals', 'person')).body.items).toMatchObject([{ state: 'REQUESTED' }]);
  });

  it('approves no other call: not with another argument, not for another tool', async () => {
    const { here, args, state } = await question();
    const before = await footprint(here);
    const extra = { ...yes, requestState: state };
    const dearer = { ...args, limit: { amount: '4000.00', currency: 'GBP' } };
    const other = {
      structuredContent: { outcome: 'refused', error: { code: 'CONFLICT', rule: 'EN-04' } },
      isError: true,
    };
    expect((await call2026(here, 'initiate_purchase', dearer, extra)).result).toMatchObject(other);
    expect((await call2026(here, 'enroll_card', { card: 'card_ada' }, extra)).result).toMatchObject(other);
    const broken = { ...args, description: 'half a character: \ud800' };
    expect((await call2026(here, 'initiate_purchase', broken, extra)).result).toMatchObject(other);
    expect(await footprint(here)).toEqual(before);
    expect((await here.http('GET', '/approvals', 'person')).body.items).toMatchObject([{ state: 'REQUESTED' }]);
  });

  it('refuses a state that was changed in any place, or made by a service with other tokens', async () => {
    const { here, args, state } = await question();
    const before = await footprint(here);
    const strange = await question('order-1', {
      tokens: { ...secrets, person: new Secret<string>('another-person-0004') },
    });
    const at = [3, 10, Math.floor(state.length / 2), state.lastIndexOf('.') + 2];
    const forged = at.map(
      (place) => `${state.slice(0, place)}${state[place] === 'A' ? 'B' : 'A'}${state.slice(place + 1)}`,
    );
    for (const requestState of [...forged, 'v1..', '', 'x', strange.state]) {
      const { error } = await call2026(here, 'initiate_purchase', args, { ...yes, requestState });
      expect(error).toMatchObject({ code: -32602, message: 'Invalid or expired requestState' });
    }
    expect(await footprint(here)).toEqual(before);
  });

  it('may be answered to another replica of the same service', async () => {
    const { here, args, state } = await question();
    const replica = createHttpFace({
      engine: here.running.engine,
      tokens: secrets,
      tenant: 'default',
      version: '0.0.0',
    });
    onTestFinished(() => replica.close());
    const there = { ...here, face: replica };
    const { result } = await call2026(there, 'initiate_purchase', args, { ...yes, requestState: state });
    expect(result.structuredContent).toMatchObject({ outcome: 'done', data: { state: 'ACTIVE' } });
  });

  it.each([
    ['accept', 'approve', { outcome: 'done' }],
    ['accept', 'deny', { outcome: 'refused', error: { code: 'APPROVAL_DENIED' } }], // the same call tells so
    ['accept', undefined, { outcome: 'needs_approval' }],
    ['cancel', undefined, { outcome: 'needs_approval' }],
    ['cancel', 'approve', { outcome: 'done' }],
    ['decline', undefined, { outcome: 'refused', error: { code: 'APPROVAL_DENIED' } }],
    ['decline', 'approve', { outcome: 'refused', error: { code: 'APPROVAL_DENIED' } }],
  ])('on a page is decided there alone: %s, and on the page %s', async (action, decision, outcome) => {
    const here = await world(withForms);
    await call2026(here, 'enroll_card', { card: 'card_ada' });
    const args = await order(here, 'order-1');
    const pages = { capabilities: { elicitation: { url: {} } } };
    const { result } = await call2026(here, 'initiate_purchase', args, pages);
    const id = String(result.inputRequests.approval.params.url).split('/').at(-1);
    if (decision !== undefined)
      expect((await here.http('POST', `/approvals/${id}`, 'person', { decision })).status).toBe(200);
    const back = { ...pages, inputResponses: { approval: { action } }, requestState: String(result.requestState) };
    const said = await call2026(here, 'initiate_purchase', args, back);
    expect(said.result.structuredContent).toMatchObject(outcome);
    expect(await effectsOf(here)).toHaveLength(outcome.outcome === 'done' ? 2 : 1);
  });

  it('is over after ten minutes, and the answer says that it can be asked anew', async () => {
    const { here, args, state } = await question();
    const real = Date.now();
    const clock = vi.spyOn(Date, 'now').mockReturnValue(real + 10 * 60_000 + 2_000);
    const { result } = await call2026(here, 'initiate_purchase', args, { ...yes, requestState: state });
    expect(result.structuredContent).toMatchObject({
      outcome: 'refused',
      error: { code: 'APPROVAL_REQUIRED', rule: 'EN-04' },
    });
    clock.mockRestore();
    expect(await effectsOf(here)).toHaveLength(1);
  });

  it('bows to what was decided elsewhere meanwhile', async () => {
    const { here, args, state } = await question();
    const { body } = await here.http('GET', '/approvals', 'person');
    await here.http('POST', `/approvals/${body.items[0].approval}`, 'person', { decision: 'deny' });
    const { result } = await call2026(here, 'initiate_purchase', args, { ...yes, requestState: state });
    expect(result.structuredContent).toMatchObject({ outcome: 'refused', error: { code: 'APPROVAL_DENIED' } });
    const anew = await call2026(here, 'initiate_purchase', args);
    expect(anew.result.resultType).toBe('input_required');
    expect(await effectsOf(here)).toHaveLength(1);
  });

  it('tells a no that came too late, and what to look at', async () => {
    const { here, args, state } = await question();
    await call2026(here, 'initiate_purchase', args, { ...yes, requestState: state });
    const no = { inputResponses: { approval: { action: 'decline' } }, requestState: state };
    const { result } = await call2026(here, 'initiate_purchase', args, no);
    expect(result.structuredContent).toMatchObject({
      outcome: 'refused',
      said: expect.stringMatching(/too late.*CONSUMED/),
      error: { code: 'APPROVAL_DENIED' },
    });
    expect(await effectsOf(here)).toHaveLength(2);
  });
});
