import { setImmediate as turn } from 'node:timers/promises'; // real ones
import { describe, expect, it, vi } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import { channels } from '../../src/engine/approval-channels.ts';
import { createOpenQuestions } from '../../src/mcp/open-questions.ts';
import { seconds, withFakeTimers } from '../support/minute-reader.ts';
import { type HttpClient, httpClients, overPipes, says, type User } from './agents.ts';
import { nextWeek, type World, world } from './support.ts';

// A person takes longer to answer a form than the host waits for its call: the answer is not lost, and nothing is done without it.

withFakeTimers();

const [modern, ...older] = httpClients;
const hosts = [...older, { name: '2025 over stdio', open: overPipes }];

/** A user who answers each form when the test says so. */
function user() {
  const forms: ((reaction: ReturnType<User>) => void)[] = [];
  const asks: User = () => new Promise((resolve) => void forms.push(resolve));
  return { asks, forms };
}

async function asked(open: (here: World, user: User) => Promise<HttpClient>) {
  const here = await world({ configuration: { channels } });
  const { asks, forms } = user();
  const host = await open(here, asks);
  const { call } = host;
  await call('enroll_card', { card: 'card_ada' });
  const until = await nextWeek(here);
  const limit = { amount: '40.00', currency: 'GBP' };
  const args = { card: 'card_ada', reference: 'order-1', limit, until, description: 'A cable' };
  const told: object[] = [];
  const order = (timeout = 60_000, signal = new AbortController().signal) =>
    call('initiate_purchase', args, {
      ...{ timeout, signal, resetTimeoutOnProgress: true, onprogress: (it: object) => void told.push(it) },
    }).then(
      (result) => (result as { structuredContent: object }).structuredContent,
      (error: Error) => error,
    );
  /** The states of the approvals, newest first, each with the way it was decided, where it was. */
  const approvals = async () =>
    (await here.http('GET', '/approvals', 'person')).body.items.map(({ state, channel }: Record<string, string>) =>
      channel === undefined || channel === null ? state : `${state} ${channel.replace('-over-http', '')}`,
    );
  const effects = async () => (await here.http('GET', '/sandbox/effects')).body.effects.length - 1; // but the enrollment
  return { here, host, forms, told, order, approvals, effects };
}

const waits = { outcome: 'needs_approval', error: { code: 'APPROVAL_REQUIRED', rule: 'EN-04' } };
const heardNo = { outcome: 'refused', error: { code: 'APPROVAL_DENIED' } };
const waiting = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ progress: at + 1, message: "Waiting for a person's answer." }));

describe.each(hosts)('$name', ({ open }) => {
  /** A call that its client gives up after two seconds, while its form is open. */
  async function givenUp() {
    const scene = await asked(open);
    const made = scene.order(2_000);
    await expect.poll(() => scene.forms.length).toBe(1);
    await seconds(2);
    expect(await made).toMatchObject({ message: expect.stringContaining('timed out') });
    return scene;
  }

  it('gives up before the yes: it is recorded, nothing is sent by it, and the same call goes on with it', async () => {
    const { forms, order, approvals, effects } = await givenUp();
    await seconds(2);
    expect(await approvals()).toEqual(['REQUESTED']);
    forms[0]?.(says.yes());
    await expect.poll(approvals).toEqual(['APPROVED form']);
    expect(await effects()).toBe(0);
    expect(await order()).toMatchObject({ outcome: 'done' });
    expect(await approvals()).toEqual(['CONSUMED form']);
    expect([forms.length, await effects()]).toEqual([1, 1]);
  });

  it.each(['no', 'decline'] as const)('gives up before the no (%s): the next call hears it', async (reaction) => {
    const { forms, order, approvals, effects } = await givenUp();
    forms[0]?.(says[reaction]());
    await expect.poll(approvals).toEqual(['DENIED form']);
    expect(await order()).toMatchObject(heardNo);
    expect([forms.length, await effects()]).toEqual([1, 0]);
  });

  it('gives up, and makes the call again: it is asked again, and the first form still counts', async () => {
    const { forms, order, approvals, effects } = await givenUp();
    const again = order();
    await expect.poll(() => forms.length).toBe(2);
    forms[0]?.(says.yes());
    await expect.poll(approvals).toEqual(['APPROVED form']);
    forms[1]?.(says.cancel());
    expect(await again).toMatchObject({ outcome: 'done' });
    expect(await effects()).toBe(1);
  });

  it.each([
    ['a yes that comes after a no elsewhere, and changes nothing', 'deny', 'yes', undefined],
    ['a no that comes after a yes elsewhere, and takes it back', 'approve', 'no', 'DENIED form'],
  ] as const)('gives up before %s', async (_, decision, late, after) => {
    const { here, forms, approvals, effects } = await givenUp();
    const { items } = (await here.http('GET', '/approvals', 'person')).body;
    await here.http('POST', `/approvals/${items[0].approval}`, 'person', { decision });
    const [state] = await approvals();
    forms[0]?.(says[late]());
    await seconds(1);
    await vi.waitFor(async () => expect(await approvals()).toEqual([after ?? state]));
    expect([await effects(), here.failures]).toEqual([0, []]);
  });

  it('gives up before a yes that comes after the approval expired, and counts no more', async () => {
    const { forms, order, approvals, effects } = await givenUp();
    const real = Date.now();
    const clock = vi.spyOn(Date, 'now').mockReturnValue(real + limits.approvalMinutes * 60_000 + 2_000);
    forms[0]?.(says.yes());
    await expect.poll(approvals).toEqual(['EXPIRED']);
    const again = order();
    await expect.poll(() => forms.length).toBe(2);
    forms[1]?.(says.cancel());
    expect(await again).toMatchObject(waits);
    clock.mockRestore();
    expect(await effects()).toBe(0);
  });

  it('hears every ten seconds that the question is open, gets the answer without it, and a late yes counts', async () => {
    const { forms, told, order, approvals, effects } = await asked(open);
    const made = order(15_000);
    await expect.poll(() => told.length).toBe(1);
    for (const count of [2, 3, 4, 5]) {
      await seconds(10);
      await expect.poll(() => told.length).toBe(count);
    }
    await seconds(5);
    expect(await made).toMatchObject(waits);
    expect(told).toEqual(waiting(5));
    forms[0]?.(says.yes());
    await expect.poll(approvals).toEqual(['APPROVED form']);
    expect(await effects()).toBe(0);
    expect(await order()).toMatchObject({ outcome: 'done' });
    expect(await effects()).toBe(1);
  });

  it('leaves while its form is open: the call ends at once, nothing is changed, and its late yes counts no more', async () => {
    const { here, host, forms, order, approvals, effects } = await asked(open);
    const made = order().catch(() => undefined);
    await expect.poll(() => forms.length).toBe(1);
    const { client, leave } = host as HttpClient & { readonly leave?: () => Promise<void> };
    const { transport } = client as { transport?: { terminateSession?: () => Promise<void> } };
    await (leave ?? (() => transport?.terminateSession?.()))();
    forms[0]?.(says.yes());
    await client.close();
    await made;
    await seconds(1);
    expect([await approvals(), await effects(), here.failures]).toEqual([['REQUESTED'], 0, []]);
  });

  it('waits no longer than the person does', async () => {
    const { forms, told, order, effects } = await asked(open);
    const made = order();
    await expect.poll(() => told.length).toBe(1);
    await seconds(limits.questionWaitMilliseconds / 1_000 - 1);
    forms[0]?.(says.yes());
    expect(await made).toMatchObject({ outcome: 'done' });
    expect([told.length, await effects()]).toEqual([5, 1]);
  });
});

it('a client of 2026 asks on its own time: no call waits, and the yes comes with the next one', async () => {
  const { forms, order, approvals, effects } = await asked((modern ?? fail()).open);
  const made = order(2_000);
  await expect.poll(() => forms.length).toBe(1);
  await seconds(50);
  forms[0]?.(says.yes());
  expect(await made).toMatchObject({ outcome: 'done' });
  expect([await approvals(), await effects()]).toEqual([['CONSUMED form'], 1]);
});

it('a reaction that could not be recorded fails its call, or is told to the operator where none waits', async () => {
  const failure = new Error('The disk is full.');
  const record = () => Promise.reject(failure);
  const told: unknown[] = [];
  const make = (signal: AbortSignal, ask = async () => 'yes') =>
    createOpenQuestions()(
      { approval: 'apr_one', ask, record },
      // All that is asked of the request.
      { ctx: { mcpReq: { signal } } as never, tell: () => undefined, onFailure: (it) => told.push(it) },
    );
  await expect(make(new AbortController().signal)).rejects.toBe(failure);
  expect(told).toEqual([]);
  const stopped = new AbortController();
  const stops = async () => {
    stopped.abort();
    return 'yes';
  };
  expect(await make(stopped.signal, stops)).toBeUndefined();
  await expect.poll(() => told).toEqual([failure]);
});

it("a client that leaves after its user's late answer is followed by the end of its connection only once that is recorded", async () => {
  const { promise: recorded, resolve: finish } = Promise.withResolvers<void>();
  const here = await world({ configuration: { channels } });
  const { engine } = here.running;
  const slow: typeof engine = {
    ...engine,
    decide: async (...given) => {
      await recorded;
      return engine.decide(...given);
    },
    of: () => slow,
  };
  const { asks, forms } = user();
  const { call, leave } = await overPipes({ ...here, running: { ...here.running, engine: slow } }, asks);
  await call('enroll_card', { card: 'card_ada' });
  const order = { card: 'card_ada', reference: 'order-1', limit: { amount: '40.00', currency: 'GBP' } };
  const made = call(
    'initiate_purchase',
    { ...order, until: await nextWeek(here), description: 'A cable' },
    { timeout: 2_000 },
  );
  made.catch(() => undefined);
  await expect.poll(() => forms.length).toBe(1);
  await seconds(2);
  forms[0]?.(says.yes());
  await seconds(1);
  let isOver = false;
  const over = leave().then(() => {
    isOver = true;
  });
  for (let turns = 0; turns < 100; turns++) await turn();
  expect(isOver).toBe(false);
  finish();
  await over;
  expect((await engine.approvals('default')).items).toMatchObject([{ state: 'APPROVED', channel: 'form' }]);
});

it('a call that is cancelled already asks nobody', async () => {
  const ask = vi.fn(async () => 'yes');
  const question = { approval: 'apr_one', ask, record: async () => undefined };
  const ctx = { mcpReq: { signal: AbortSignal.abort() } } as never; // all that is asked of the request
  const asked = { ctx, tell: () => undefined, onFailure: () => undefined };
  expect(await createOpenQuestions()(question, asked)).toBeUndefined();
  expect(ask).not.toHaveBeenCalled();
});

const fail = (): never => {
  throw new Error('There is a client of 2026.');
};
