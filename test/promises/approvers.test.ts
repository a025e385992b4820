import { describe, expect, it } from 'vitest';
import { openaiTools } from '../../src/adapters/openai.ts';
import { type Channel, channels } from '../../src/engine/approval-channels.ts';
import { recordDecision } from '../../src/engine/approval-service.ts';
import type { ApprovalRow } from '../../src/ledger/rows.ts';
import { approveByPasskey } from '../engine/passkey.ts';
import { agent, order, type Said, type World } from '../engine/support.ts';
import { tokens } from '../faces/support.ts';
import { playRowsOneIn } from '../support/drawn.ts';
import { faceOf, insist, type Wire, wires } from './agents.ts';
import { asking, furnished, waiting } from './asking.ts';
import { environments, worldIn } from './environments.ts';

playRowsOneIn(3);

// Who can approve: over every transport, in each environment, for every tool of the catalogue that needs an approval.

const approvals = ({ running }: World): Promise<readonly ApprovalRow[]> =>
  running.engine.parts.ledger.transaction(
    agent.tenant,
    async (tx) => (await tx.approvals.list({}, { limit: 1_000 })).rows,
  );

/** What became of the approvals that were asked for since. */
async function since(world: World, before: readonly ApprovalRow[]) {
  const known = new Set(before.map(({ id }) => id));
  return (await approvals(world)).filter(({ id }) => !known.has(id));
}

it('every tool that can need an approval has a call here', () => {
  expect(Object.keys(waiting).toSorted()).toEqual([...asking].toSorted());
});

/** Where a form of the agent's host counts unless the operator says otherwise. */
const byForm: { readonly [T in Wire['transport']]: readonly string[] } = { stdio: ['sandbox', 'test'], http: [] };

describe.each(environments)('with the end of the agent of a connection alone, in %s', (environment) => {
  it.each(Object.keys(wires) as (keyof typeof wires)[])('%s', { timeout: 60_000 }, async (name) => {
    const world = await worldIn(environment);
    const own = await furnished(world);
    const wire = wires[name](world);
    await wire.call('get_invoice', { invoice: own.invoice });
    const counts = byForm[wire.transport].includes(environment);
    for (const [tool, args] of Object.entries(waiting)) {
      const [before, effects] = [await approvals(world), await world.effects()];
      const { structuredContent } = await insist(wire, tool, args(own));
      const asked = await since(world, before);
      expect([tool, asked.map(({ state, channel }) => [state, channel])]).toEqual([
        tool,
        [counts ? ['CONSUMED', 'form'] : ['REQUESTED', null]],
      ]);
      if (!counts) expect([tool, await world.effects()]).toEqual([tool, effects]);
      if (!counts) expect([tool, structuredContent?.outcome ?? 'asked']).not.toEqual([tool, 'done']);
    }
  });

  it('over HTTP, by the routes of people', async () => {
    const world = await worldIn(environment);
    const { approval } = await ask(world);
    const face = faceOf(world);
    for (const [role, token] of Object.entries(tokens).filter(([it]) => it !== 'person'))
      for (const path of ['approvals', 'approve'])
        expect([role, path, await post(face, `/${path}/${approval}`, token)]).toEqual([role, path, 401]);
    expect(await approvals(world)).toMatchObject([{ state: 'REQUESTED' }]);
  });
});

/** A purchase that waits for a person. */
async function ask(world: World) {
  await world.call('enroll_card', { card: 'card_ada' });
  const said = await world.call('initiate_purchase', order());
  return { approval: said.approval?.id ?? '', args: order() };
}

const post = async (face: ReturnType<typeof faceOf>, path: string, token: string): Promise<number> =>
  (
    await face.fetch(
      new Request(`http://localhost${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ decision: 'approve' }),
      }),
    )
  ).status;

/** How each channel says yes; answers what the channel itself says of it. */
const says: { readonly [C in Channel]: (world: World, approval: string, args: object) => Promise<unknown> } = {
  form: (world, _, args) => insist(wires['stdio, 2026'](world), 'initiate_purchase', args),
  'form-over-http': (world, _, args) => insist(wires['HTTP, 2026'](world), 'initiate_purchase', args),
  page: (world, id) => post(faceOf(world), `/approve/${id}`, tokens.person),
  http: (world, id) => post(faceOf(world), `/approvals/${id}`, tokens.person),
  cli: ({ running }, id) =>
    recordDecision(running.engine.parts, id, 'approve', { tenant: agent.tenant, approver: 'ann', channel: 'cli' }),
  customer: async (world, approval) => {
    const [row] = await world.operations();
    const asked = { operation: row?.id, approval: { id: approval } } as Said;
    return approveByPasskey(world, asked);
  },
  program: async ({ running }, _, args) => {
    const { run } = openaiTools(running.engine, { approve: async () => 'approve' });
    const call = { call_id: 'c', type: 'function_call', name: 'initiate_purchase' } as const;
    return run({ ...call, arguments: JSON.stringify(args) }, agent);
  },
};

describe.each(environments)('a channel, in %s', (environment) => {
  it.each(channels)('%s alone decides where it alone is switched on, and is written down', async (channel) => {
    const world = await worldIn(environment, { approvals: { channels: [channel] } });
    const { approval, args } = await ask(world);
    for (const other of channels.filter((it) => it !== channel)) {
      await says[other](world, approval, args).catch(() => undefined);
      expect([other, (await approvals(world)).map(({ state }) => state)]).toEqual([other, ['REQUESTED']]);
    }
    await says[channel](world, approval, args);
    expect(await approvals(world)).toMatchObject([{ channel }]);
    expect((await world.call('initiate_purchase', args)).outcome).toBe('done');
  });

  it.each(channels)('%s refuses where it is switched off, and names the setting', async (channel) => {
    const world = await worldIn(environment, { approvals: { channels: channels.filter((it) => it !== channel) } });
    const { approval } = await ask(world);
    const by = { tenant: agent.tenant, approver: 'ann', channel };
    for (const verdict of ['approve', 'deny'] as const)
      expect(await recordDecision(world.parts, approval, verdict, by)).toMatchObject({
        ok: false,
        isOff: true,
        because: expect.stringContaining('`approvals.channels`'),
      });
    expect(await approvals(world)).toMatchObject([{ state: 'REQUESTED', channel: null }]);
  });
});

describe('a state of a question', () => {
  const asked = async (wire: Wire, elicitation: object) => {
    const args = order();
    const first = await wire.call('initiate_purchase', args, { capabilities: { elicitation } });
    return { args, requestState: String(first.requestState) };
  };
  const yes = { approval: { action: 'accept', content: { approve: true } } };

  it('of a page is never answered as a form, though forms count', async () => {
    const world = await worldIn('sandbox', { approvals: { channels } });
    await world.call('enroll_card', { card: 'card_ada' });
    const wire = wires['HTTP, 2026'](world);
    const { args, requestState } = await asked(wire, { url: {} });
    for (const elicitation of [{ url: {} }, { form: {} }, { form: {}, url: {} }]) {
      const extra = { capabilities: { elicitation }, requestState, inputResponses: yes };
      expect(await wire.call('initiate_purchase', args, extra)).toMatchObject({
        structuredContent: { outcome: 'needs_approval' },
      });
    }
    expect(await approvals(world)).toMatchObject([{ state: 'REQUESTED', channel: null }]);
  });

  it('of a form is not answered as a page: an accept without content is no yes', async () => {
    const world = await worldIn('sandbox', { approvals: { channels } });
    await world.call('enroll_card', { card: 'card_ada' });
    const wire = wires['HTTP, 2026'](world);
    const { args, requestState } = await asked(wire, { form: {} });
    const extra = {
      capabilities: { elicitation: { url: {} } },
      requestState,
      inputResponses: { approval: { action: 'accept' } },
    };
    await wire.call('initiate_purchase', args, extra);
    expect(await approvals(world)).toMatchObject([{ state: 'REQUESTED', channel: null }]);
  });

  it('that was issued over one transport is void over the other, though both have the same key', async () => {
    const world = await worldIn('sandbox', { approvals: { channels } });
    await world.call('enroll_card', { card: 'card_ada' });
    const [stdio, http] = [wires['stdio, 2026'](world), wires['HTTP, 2026'](world)];
    for (const [one, other] of [
      [stdio, http],
      [http, stdio],
    ] as const) {
      const { args, requestState } = await asked(one, { form: {} });
      const answer = await other.call('initiate_purchase', args, { requestState, inputResponses: yes });
      expect([one.transport, answer]).toEqual([one.transport, undefined]);
    }
    expect(await approvals(world)).toMatchObject([{ state: 'REQUESTED', channel: null }]);
  });

  it('counts for nothing once the operator has switched its channel off', async () => {
    const world = await worldIn('sandbox');
    await world.call('enroll_card', { card: 'card_ada' });
    const wire = wires['stdio, 2026'](world);
    const { args, requestState } = await asked(wire, { form: {} });
    Object.assign(world.parts.settings, { channels: ['cli'] });
    expect(await wire.call('initiate_purchase', args, { requestState, inputResponses: yes })).toMatchObject({
      structuredContent: {
        outcome: 'refused',
        said: expect.stringContaining('`approvals.channels`'),
        error: { code: 'APPROVAL_REQUIRED', rule: 'EN-04' },
      },
    });
    expect(await approvals(world)).toMatchObject([{ state: 'REQUESTED', channel: null }]);
  });
});
