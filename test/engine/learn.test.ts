import { describe, expect, it } from 'vitest';
import { InvalidCall, PlatformFault, PlatformRefusal } from '../../src/client/errors.ts';
import { outcomeOf } from '../../src/client/outcome.ts';
import { contract } from '../../src/domains/index.ts';
import { finish, learn } from '../../src/engine/finish.ts';
import { gatherFacts } from '../../src/engine/gather-facts.ts';
import { IntegrityError } from '../../src/engine/integrity-error.ts';
import type { ObservationContext } from '../../src/engine/observation-context.ts';
import type { Observation, PlatformTool } from '../../src/engine/tool.ts';
import type { OperationRow } from '../../src/ledger/rows.ts';
import { type Parts, withParts } from '../support/tool-parts.ts';
import { agent, type Shop, shop, start, wish, withOther } from './shop.ts';

// What an answer teaches, and what a late one may still change.

const toolOf = ({ parts }: Shop, name: string): PlatformTool => {
  const tool = parts.tools.find((one) => one.name === name);
  if (tool?.kind !== 'platform') throw new Error(`There is no platform tool ${name}.`);
  return tool;
};
const known = ({ parts }: Shop, handle: string) =>
  parts.ledger.transaction('default', (tx) => tx.observations.find(handle));
const factsOf = ({ parts }: Shop, tool: PlatformTool, args: object) =>
  parts.ledger.transaction('default', (tx) => gatherFacts(tool, { ...args }, tx, parts.settings, parts.ports));
// An answer of enrollCard that names no call.
const active = { status: 200, body: { clientCorrelationId: ' ', status: 'ACTIVE' } } as const;

/** What an enrollment of Ada's card answers where its tool is another in this. */
async function enrolled(change: Parts, answer = active) {
  const it = await shop(withOther);
  const tool = withParts(toolOf(it, 'enroll_card'), change);
  const facts = await factsOf(it, tool, { card: 'card_ada' });
  await it.advance(7);
  const ended = await it.parts.ledger.transaction('default', (tx) =>
    learn(it.parts, tx, tool, { facts }, answer, agent),
  );
  return { it, ended };
}
/** The same, where it teaches this. */
const taught = (...learned: readonly Observation[]) => enrolled({ observe: { observations: () => learned } });

describe('an answer', () => {
  it('brings the thing of its call to the state that the machine says, and keeps what was known of it', async () => {
    const { it, ended } = await taught({ kind: 'card', body: { label: 'Blue', network: undefined } });
    const row = await known(it, 'card_ada');
    expect(row).toMatchObject({ state: 'ACTIVE', body: { label: 'Blue', lastFour: '1111' }, updatedAt: start + 7_000 });
    expect(row?.body).not.toHaveProperty('network');
    expect(ended).toMatchObject({ trigger: 'succeed', event: 'answered', isRetryable: false });
  });

  it('stores nothing over another thing of the platform whose handle is the same', async () => {
    const { it } = await taught({
      kind: 'plan',
      handle: 'plan_same',
      state: 'ACTIVE',
      body: { planId: '1', name: 'One' },
    });
    const tool = withParts(toolOf(it, 'enroll_card'), {
      observe: { observations: () => [{ kind: 'plan', handle: 'plan_same', body: { planId: '2' } }] },
    });
    const facts = await factsOf(it, tool, { card: 'card_ada' });
    await expect(
      it.parts.ledger.transaction('default', (tx) => learn(it.parts, tx, tool as never, { facts }, active, agent)),
    ).rejects.toMatchObject({ name: 'PlatformFault', kind: 'wrong-shape', effect: 'unknown' });
    expect((await known(it, 'plan_same'))?.body).toMatchObject({ planId: '1', name: 'One' });
  });

  it('forgets a member that it teaches as undefined', async () => {
    const { it } = await taught({ kind: 'card', body: { lastFour: undefined } });
    expect((await known(it, 'card_ada'))?.body).not.toHaveProperty('lastFour');
  });

  it('tells its state itself where its tool reads one from it, and the tool its sentence and what leads on', async () => {
    const { it, ended } = await enrolled({
      observe: {
        stateFromResponse: () => 'WAITING',
        observations: (_, __, { state }) => [{ kind: 'card', body: { seen: state } }],
      },
      present: {
        messages: { WAITING: 'Wait.', done: 'Never said.' },
        next: { WAITING: { tools: ['list_cards'], because: 'A test.' } },
      },
      reconcile: { retryableStates: ['WAITING'] },
    });
    expect(await known(it, 'card_ada')).toMatchObject({ state: 'WAITING', body: { seen: 'WAITING' } });
    expect([ended.body.said, ended.body.next, ended.isRetryable]).toEqual(['Wait.', ['list_cards'], true]);
  });

  it.each<[Parts, string]>([
    [{ present: { messages: { PENDING: 'Wait.', done: 'There it is.' } } }, 'There it is.'],
    [{ present: { messages: { PENDING: 'Wait.' } } }, 'Done.'],
  ])('of a state that has no sentence of its own is told in the general one: %j', async (change, said) => {
    expect((await enrolled(change)).ended.body.said).toBe(said);
  });

  it('leads on, where its tool does not say, by what the machine allows in the state that was reached', async () => {
    const rest = withParts(toolOf(await shop(), 'cancel_purchase'), { present: { next: undefined } });
    const [enrolling, it] = [await enrolled({ present: { next: {} } }), await shop()];
    const facts = await factsOf(it, rest, { instruction: await it.bought() });
    const answer = { status: 200, body: { status: 'CANCELLED' } } as never; // of cancelPurchase, as far as it is looked at
    const cancelled = await it.parts.ledger.transaction('default', (tx) =>
      learn(it.parts, tx, rest, { facts }, answer, agent),
    );
    expect([enrolling.ended.body.next, cancelled.body.next]).toEqual([['enroll_card'], []]);
  });

  it('of a tool that moves nothing reaches no state, and leads nowhere by itself', async () => {
    const still = withParts(toolOf(await shop(), 'get_subscription_code'), {
      observe: { moves: undefined },
      present: { next: undefined },
    });
    const it = await shop();
    const facts = await factsOf(it, still, {});
    const answer = { status: 200, body: { code: 'A1' } } as never; // an answer of getSubscriptionCode
    const states: string[] = [];
    const telling = withParts(still, {
      observe: {
        observations: (_facts, _answer, { state }) => {
          states.push(state);
          return [];
        },
      },
    });
    const { body } = await it.parts.ledger.transaction('default', (tx) =>
      learn(it.parts, tx, telling, { facts }, answer, agent),
    );
    expect(states).toEqual(['']);
    expect(body).toEqual({ outcome: 'done', said: 'This code comes next.', data: { code: 'A1' }, next: [] });
  });
});

describe('a new thing', () => {
  it('can be pointed to by the handle that was made for it', async () => {
    const { it } = await enrolled({
      observe: {
        observations: (_, __, { mint }) => {
          const receipt = mint('receipt');
          return [
            { kind: 'receipt', handle: receipt, body: {} },
            { kind: 'card', body: { receipt } },
          ];
        },
      },
    });
    const receipt = (await known(it, 'card_ada'))?.body.receipt;
    expect([receipt, (await known(it, String(receipt)))?.kind]).toEqual([
      expect.stringMatching(/^receipt_/),
      'receipt',
    ]);
  });

  it('belongs to the shopper of the call, gets a handle, and stands in no state of another kind', async () => {
    const { it } = await taught({ kind: 'receipt', handle: 'receipt_new', body: { amount: '1.00', note: undefined } });
    expect(await known(it, 'receipt_new')).toMatchObject({
      kind: 'receipt',
      owner: 'shopper_ada',
      state: '',
      body: { amount: '1.00' },
      createdAt: start + 7_000,
    });
  });

  it('belongs to whom the answer says, in the state that it says', async () => {
    const { it } = await taught({ kind: 'plan', handle: 'plan_new', owner: '', state: 'DRAFT', body: {} });
    expect(await known(it, 'plan_new')).toMatchObject({ owner: '', state: 'DRAFT' });
  });

  it('gets a fresh handle where the call knows none of its kind, and is shown by it', async () => {
    const { it, ended } = await enrolled({
      observe: { observations: () => [{ kind: 'receipt', body: { amount: '1.00' } }] },
      present: { toOutput: ({ receipt }) => ({ receipt: receipt?.handle, state: receipt?.state }) },
    });
    expect(ended.body.data).toEqual({ receipt: expect.stringMatching(/^receipt_/), state: '' });
    expect(await known(it, String(ended.body.data?.receipt))).toMatchObject({ kind: 'receipt' });
  });

  it('belongs to nobody where nobody shops', async () => {
    const it = await shop();
    const tool = toolOf(it, 'enroll_card');
    const whole = await factsOf(it, tool, { card: 'card_ada' });
    const { shopper: _, ...things } = whole.things;
    const teaching = withParts(tool, {
      observe: { observations: () => [{ kind: 'receipt', handle: 'receipt_new', body: {} }] },
    });
    await it.parts.ledger.transaction('default', (tx) =>
      learn(it.parts, tx, teaching, { facts: { ...whole, things } }, active, agent),
    );
    expect((await known(it, 'receipt_new'))?.owner).toBe('');
  });

  it('is not kept where only a known one would be', async () => {
    const { it } = await taught({ kind: 'plan', handle: 'plan_new', ifKnown: true, body: { assigned: true } });
    expect(await known(it, 'plan_new')).toBeUndefined();
    const again = await taught({ kind: 'card', handle: 'card_bo', ifKnown: true, body: { label: 'Blue' } });
    expect((await known(again.it, 'card_bo'))?.body).toMatchObject({ label: 'Blue' });
  });
});

it('leaves the state of another thing as it is', async () => {
  const { it } = await enrolled({
    observe: {
      observations: () => [
        { kind: 'plan', handle: 'plan_new', state: 'DRAFT', body: {} },
        { kind: 'plan', handle: 'plan_new', body: { assigned: true } },
      ],
    },
  });
  expect(await known(it, 'plan_new')).toMatchObject({ state: 'DRAFT', body: { assigned: true } });
});

it('puts a secret where only its own tenant finds it', async () => {
  let kept = '';
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const payload = { number: '4111110000001235', expirationMonth: '12', expirationYear: '2031', cryptogram: 'A' };
  const { it } = await enrolled(
    {
      definition: contract.retrieveCredentials,
      observe: {
        observations: (_: unknown, __: unknown, { sealed }: ObservationContext) => {
          kept = sealed?.kept?.reference ?? '';
          return [];
        },
      },
    } as unknown as Parameters<typeof enrolled>[0],
    { status: 200, body: { signedPayload: `${part({ alg: 'HS256' })}.${part(payload)}.c2lnbmVk` } } as never,
  );
  const redeem = async (tenant: string, now: number) =>
    (await it.parts.ledger.transaction(tenant, (tx) => it.parts.vault.redeem(tx.sealed, kept, tenant, now)))?.value;
  expect([await redeem('other', start), await redeem('default', start)]).toMatchObject([undefined, payload]);
});

/** An enrollment that was sent, and what is known of its call. */
async function sent(change: Partial<OperationRow> = {}) {
  const it = await shop();
  const tool = toolOf(it, 'enroll_card');
  await it.fault('enrollCard', 'timeout-after-commit');
  const { operation = '' } = await it.call('enroll_card', { card: 'card_ada' });
  const facts = await factsOf(it, tool, { card: 'card_ada' });
  const row = await it.parts.ledger.transaction('default', async (tx) => {
    const lost = await tx.operations.find(operation);
    if (lost === undefined) throw new Error('Nothing was sent.');
    return tx.operations.update(lost, { state: 'SENDING', ...change });
  });
  return { it, tool, row, facts, operation };
}
const no = outcomeOf(new PlatformRefusal({ status: 400, reason: 'BAD' }));

describe('an answer that comes late', () => {
  it('and is a no says nothing of a later sending that is under way', async () => {
    const { it, tool, row, facts, operation } = await sent({ attempt: 2 });
    const earlier = { kind: 'send', row: { ...row, attempt: 1 }, facts, warnings: [] } as const;
    await finish(it.parts, tool, earlier, no, agent);
    expect((await it.operation(operation))?.state).toBe('SENDING');
    const body = await finish(it.parts, tool, { ...earlier, row }, no, agent);
    expect([body.outcome, (await it.operation(operation))?.state]).toEqual(['unknown', 'UNKNOWN']);
  });

  it('and is a yes ends the call, whichever sending it belongs to', async () => {
    const { it, tool, row, facts, operation } = await sent({ attempt: 2 });
    const earlier = { kind: 'send', row: { ...row, attempt: 1 }, facts, warnings: [] } as const;
    await finish(it.parts, tool, earlier, { kind: 'succeeded', ...active }, agent);
    expect((await it.operation(operation))?.state).toBe('SUCCEEDED');
  });

  it('changes nothing of a call that has ended', async () => {
    const { it, tool, row, facts, operation } = await sent({ state: 'FAILED', result: { outcome: 'declined' } });
    await finish(it.parts, tool, { kind: 'send', row, facts, warnings: [] }, no, agent);
    expect(await it.operation(operation)).toMatchObject({ state: 'FAILED', result: { outcome: 'declined' } });
    expect((await it.audit()).at(-1)).toMatchObject({ event: 'declined', body: { code: 'DECLINED' } });
  });

  it.each([
    ['SUCCEEDED', 'no', no],
    ['RESOLVED', 'no', no],
    ['FAILED', 'done', { kind: 'succeeded', ...active }],
    ['EXPIRED', 'done', { kind: 'succeeded', ...active }],
  ] as const)('is not taken where the call has ended as %s and it says %s', async (state, _, reply) => {
    const { it, tool, row, facts, operation } = await sent({ state, result: { outcome: 'x' } });
    const late = finish(it.parts, tool, { kind: 'send', row, facts, warnings: [] }, reply, agent);
    await expect(late).rejects.toThrow(IntegrityError);
    expect(await it.operation(operation)).toMatchObject({ state, result: { outcome: 'x' } });
  });
});

it.each<[string, unknown, readonly string[]]>([
  ['to its thing where it was declined', new PlatformRefusal({ status: 400, reason: 'BAD' }), ['list_cards']],
  ['nowhere where it was not complete', new InvalidCall('enrollCard', ['a']), []],
  ['to the same call where it did not reach the platform', new PlatformFault('unreachable'), ['enroll_card']],
])('leads %s', async (_, error, next) => {
  const { it, tool, row, facts } = await sent();
  const body = await finish(it.parts, tool, { kind: 'send', row, facts, warnings: [] }, outcomeOf(error), agent);
  expect(body.next).toEqual(next);
});

describe('an answer that can not be read', () => {
  it('is one whose outcome is not known, and teaches nothing', async () => {
    const { it, tool, row, facts, operation } = await sent();
    const unreadable = withParts(tool, {
      observe: { observations: () => Promise.reject(new PlatformFault('wrong-shape')) },
    });
    const call = { kind: 'send', row, facts, warnings: [] } as const;
    const body = await finish(it.parts, unreadable, call, { kind: 'succeeded', ...active }, agent);
    expect([body.outcome, body.error?.rule]).toEqual(['unknown', 'EN-08']);
    expect([(await it.operation(operation))?.state, (await known(it, 'card_ada'))?.state]).toEqual(['UNKNOWN', 'none']);
  });

  it('by a mistake of ours throws, and nothing is written down', async () => {
    const { it, tool, row, facts, operation } = await sent();
    const broken = withParts(tool, { observe: { observations: () => Promise.reject(new Error('broken')) } });
    const call = { kind: 'send', row, facts, warnings: [] } as const;
    await expect(finish(it.parts, broken, call, { kind: 'succeeded', ...active }, agent)).rejects.toThrow('broken');
    expect((await it.operation(operation))?.state).toBe('SENDING');
  });
});

it('stands in the audit as what it was, where it did not come by itself', async () => {
  const { it, tool, row, facts } = await sent();
  const call = { kind: 'send', row, facts, warnings: [] } as const;
  await finish(it.parts, tool, call, { kind: 'succeeded', ...active }, agent, { event: 'read back' });
  expect((await it.audit()).at(-1)).toMatchObject({ event: 'read back', body: { outcome: 'done', code: null } });
});

describe('the budget of a call', () => {
  const budget = { name: 'all', tools: ['retrieve_credentials'], currency: 'EUR', per: [], total: '50.00' } as const;
  const out = (it: Shop) => it.parts.ledger.transaction('default', (tx) => tx.budgets.used('all', ''));
  const release = async (card: string) => {
    const it = await shop({ configure: { limits: [budget] } });
    await it.call('enroll_card', { card });
    const { data } = await it.approved('initiate_purchase', { ...wish, card });
    const said = await it.call('retrieve_credentials', {
      instruction: String(data?.instruction),
      ...{ amount: '39.90', currency: 'EUR' },
    });
    return { said, used: await out(it) };
  };

  it('is spent once it is done, and given back where the customer must first be asked', async () => {
    const [done, asked] = [await release('card_ada'), await release('card_dan')];
    expect([done.said.outcome, done.used]).toMatchObject(['done', { minor: 3_990 }]);
    expect([asked.said.outcome, asked.used]).toMatchObject(['done', { minor: 0 }]);
  });
});
