import { describe, expect, it } from 'vitest';
import { PlatformFault, PlatformRefusal } from '../../src/client/errors.ts';
import { createPlatformSlots, defaultPlatformLimits } from '../../src/engine/platform-slots.ts';
import { readPlatform } from '../../src/engine/read-platform.ts';
import { refresh } from '../../src/engine/refresh.ts';
import { isTainted } from '../../src/engine/taint.ts';
import type { PlatformTool } from '../../src/engine/tool.ts';
import { everything } from '../../src/mcp/tool-selection.ts';
import { rewrite } from '../support/portal.ts';
import { agent, type Shop, shop, start } from './shop.ts';

// What only asks: it leaves no operation behind, and what went wrong changes nothing.

/** This process waits for no call. */
const inFlight = new Set<string>();

const toolOf = ({ parts }: Shop, name: string): PlatformTool => {
  const tool = parts.tools.find((one) => one.name === name);
  if (tool?.kind !== 'platform') throw new Error(`There is no platform tool ${name}.`);
  return tool;
};
const within = ({ parts }: Shop) =>
  parts.ledger.transaction('default', (tx) => isTainted(tx, agent, parts.ports.clock.now()));
const known = ({ parts }: Shop, handle: string) =>
  parts.ledger.transaction('default', (tx) => tx.observations.find(handle));

/** A shop with a stored plan that the platform has since changed the state of, where Purser does not know it. */
async function planned() {
  const it = await shop({ configure: { choice: everything } });
  const { data } = await it.call('create_plan', {
    name: 'Gold',
    reference: 'plan-1',
    every: 1,
    unit: 'month',
    amount: '9.99',
    currency: 'GBP',
  });
  const plan = String(data?.plan);
  await it.parts.ledger.transaction('default', async (tx) => {
    const row = await tx.observations.find(plan);
    if (row === undefined) throw new Error('The plan is not stored.');
    await tx.observations.update(row, { state: 'DRAFT' }, start);
  });
  return { it, plan };
}

/** The answer to a look at a plan where the client fails so. */
async function looked(error: unknown) {
  const { it, plan } = await planned();
  const before = { audit: (await it.audit()).length, operations: (await it.operations()).length };
  const client = { ...it.parts.client, getPlan: () => Promise.reject(error) };
  const slots = createPlatformSlots(defaultPlatformLimits, it.parts.ports.clock);
  const answer = await readPlatform(
    { parts: { ...it.parts, client }, slots, inFlight },
    toolOf(it, 'get_plan'),
    { plan },
    agent,
  );
  const after = { audit: (await it.audit()).length, operations: (await it.operations()).length };
  expect([after, (await known(it, plan))?.state]).toEqual([before, 'DRAFT']);
  return { answer };
}

describe('a look', () => {
  it('answers what the platform has, remembers it, and leaves no operation behind', async () => {
    const { it, plan } = await planned();
    const before = await it.operations();
    const answer = await it.call('get_plan', { plan });
    expect(answer).toMatchObject({ outcome: 'done', said: 'This is the plan.', data: { plan, state: 'ACTIVE' } });
    expect([answer.operation, await it.operations(), (await known(it, plan))?.state]).toEqual([
      undefined,
      before,
      'ACTIVE',
    ]);
  });

  it.each([
    ['get_plan', 'Somebody’s plan', true],
    ['get_plan', 'Gold', false],
    ['get_plan_code', 'Somebody’s plan', false],
  ])(
    'marks the conversation where it shows text of others, and only there: %s of %s',
    async (name, called, tainted) => {
      const { it, plan } = await planned();
      await rewrite(it.sandbox, 'Gold', called);
      const answer = await it.call(name, name === 'get_plan' ? { plan } : {});
      expect([answer.outcome, await within(it)]).toEqual(['done', tainted]);
    },
  );

  it('names itself to the platform, afresh each time', async () => {
    const { it, plan } = await planned();
    const ids: unknown[] = [];
    const client = {
      ...it.parts.client,
      getPlan: (...[input, more]: Parameters<typeof it.parts.client.getPlan>) => {
        ids.push(more?.requestId);
        return it.parts.client.getPlan(input, more);
      },
    };
    const slots = createPlatformSlots(defaultPlatformLimits, it.parts.ports.clock);
    for (const _ of [1, 2])
      await readPlatform({ parts: { ...it.parts, client }, slots, inFlight }, toolOf(it, 'get_plan'), { plan }, agent);
    expect(ids).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    expect(new Set(ids).size).toBe(2);
  });

  it('at what nobody knows is refused, and nothing is sent', async () => {
    const it = await shop({ configure: { choice: everything } });
    expect(await it.call('get_plan', { plan: 'plan_none' })).toMatchObject({
      outcome: 'refused',
      error: { code: 'NOT_FOUND', rule: 'EN-02', field: 'plan' },
    });
    expect(it.sent).toEqual([]);
  });

  it('is held back while the platform is gone, and not for an answer that is none', async () => {
    const { it, plan } = await planned();
    const slots = createPlatformSlots({ ...defaultPlatformLimits, failures: 1 }, it.parts.ports.clock);
    const look = (error: unknown) => {
      const client = { ...it.parts.client, getPlan: () => Promise.reject(error) };
      return readPlatform({ parts: { ...it.parts, client }, slots, inFlight }, toolOf(it, 'get_plan'), { plan }, agent);
    };
    for (const kind of ['not-json', 'no-answer'] as const)
      expect((await look(new PlatformFault(kind))).outcome).toBe('refused');
    await expect(look(new PlatformFault('not-json'))).rejects.toMatchObject({
      refusal: { code: 'UNREACHABLE', rule: 'EN-12', retry: 'after' },
    });
  });
});

describe('a look without a usable answer', () => {
  it.each<[unknown, string | undefined]>([
    [new PlatformFault('unreachable'), undefined],
    [new PlatformFault('no-answer'), undefined],
    [new PlatformRefusal({ status: 500, reason: 'BROKEN', untrustedMessage: 'Pay me' }), undefined],
    [new PlatformFault('not-json'), 'EN-08'],
    [new PlatformFault('truncated'), 'EN-08'],
    [new PlatformFault('wrong-shape'), 'EN-08'],
  ])('may be asked again, and changes nothing: %s', async (error, rule) => {
    expect(await looked(error)).toEqual({
      answer: {
        outcome: 'refused',
        said: expect.any(String),
        next: ['get_plan'],
        error: { code: 'UNREACHABLE', retry: 'same_call', ...(rule === undefined ? {} : { rule }) },
      },
    });
  });

  it('is a no where the platform says no', async () => {
    expect(await looked(new PlatformRefusal({ status: 404, reason: 'NOT_FOUND' }))).toEqual({
      answer: {
        outcome: 'declined',
        said: 'The platform has no such thing. Nothing was changed.',
        next: ['list_plans'],
        error: { code: 'NOT_FOUND', retry: 'never' },
      },
    });
  });

  it('keeps apart what the no brings of others', async () => {
    const { answer } = await looked(
      new PlatformRefusal({ status: 400, reason: 'DECLINED', untrustedMessage: 'Pay me' }),
    );
    expect(answer.error?.untrusted).toBe('Pay me');
  });

  it('is a failure of ours where it is nothing of the platform', async () => {
    await expect(looked(new Error('broken'))).rejects.toThrow('broken');
  });
});

describe('what is asked first', () => {
  const ask = (it: Shop, tool: PlatformTool, args: object, client: object = {}) => {
    const slots = createPlatformSlots(defaultPlatformLimits, it.parts.ports.clock);
    const parts = { ...it.parts, client: { ...it.parts.client, ...client } };
    return refresh({ parts, slots, inFlight }, tool, { ...args }, agent);
  };

  it('brings what is known up to date, and nobody has read its text', async () => {
    const { it, plan } = await planned();
    expect(await ask(it, toolOf(it, 'deactivate_plan'), { plan })).toBeUndefined();
    expect([(await known(it, plan))?.state, await within(it)]).toEqual(['ACTIVE', false]);
    expect(it.sent.at(-1)).toMatchObject({ method: 'GET' });
  });

  it('is nothing for a call that needs nothing, or that names nothing to ask for', async () => {
    const { it } = await planned();
    const before = it.sent.length;
    expect([
      await ask(it, toolOf(it, 'enroll_card'), { card: 'card_ada' }),
      await ask(it, toolOf(it, 'create_subscription'), { card: 'card_ada' }),
    ]).toEqual([undefined, undefined]);
    expect(it.sent.length).toBe(before);
  });

  it.each([
    [new PlatformFault('no-answer'), 'UNREACHABLE'],
    [new PlatformRefusal({ status: 404, reason: 'x' }), 'NOT_FOUND'],
  ])('leaves what was known as it was where no answer comes, and gives back what came: %s', async (error, code) => {
    const { it, plan } = await planned();
    const refusing = { getPlan: () => Promise.reject(error) };
    const unasked = await ask(it, toolOf(it, 'deactivate_plan'), { plan }, refusing);
    expect([unasked?.error?.code, (await known(it, plan))?.state]).toEqual([code, 'DRAFT']);
  });

  it('gives back the refusal of a handle that names nothing', async () => {
    const { it } = await planned();
    expect(await ask(it, toolOf(it, 'deactivate_plan'), { plan: 'plan_none' })).toMatchObject({
      outcome: 'refused',
      error: { code: 'NOT_FOUND', rule: 'EN-02', field: 'plan' },
    });
  });

  it('is all asked, and the first that was not answered is given back', async () => {
    const { it, plan } = await planned();
    const looks = toolOf(it, 'deactivate_plan').refresh ?? [];
    const tool = { ...toolOf(it, 'deactivate_plan'), refresh: [...looks, ...looks, ...looks] };
    const errors = [new PlatformRefusal({ status: 404, reason: 'x' }), new PlatformFault('no-answer')];
    const getPlan: typeof it.parts.client.getPlan = (input, more) => {
      const error = errors.shift();
      return error === undefined ? it.parts.client.getPlan(input, more) : Promise.reject(error);
    };
    const unasked = await ask(it, tool, { plan }, { getPlan });
    expect([unasked?.error?.code, errors, (await known(it, plan))?.state]).toEqual(['NOT_FOUND', [], 'ACTIVE']);
  });

  it('hides no failure of ours', async () => {
    const { it, plan } = await planned();
    const broken = { getPlan: () => Promise.reject(new Error('broken')) };
    await expect(ask(it, toolOf(it, 'deactivate_plan'), { plan }, broken)).rejects.toThrow('broken');
  });
});
