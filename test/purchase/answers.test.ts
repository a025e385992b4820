import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import type { Platform } from '../../src/client/platform.ts';
import { redeemSecret } from '../../src/engine/redeem.ts';
import { registerShopper } from '../../src/engine/register.ts';
import { sandboxSeed } from '../../src/sandbox/index.ts';
import { bought, order, payment, settle, type World, world } from '../engine/support.ts';

// Answers of the platform that are not about what was asked for: they prove nothing, and nothing of them is kept.

interface Body {
  clientCorrelationId: string;
  signedPayload: string;
}

/** A world whose platform answers the calls whose path ends so with another body. */
const altered = (end: string, alter: (body: Body) => void): Promise<World> =>
  world({
    replace: {
      platform:
        (real: Platform): Platform =>
        async (request) => {
          const answer = await real(request);
          if (!request.url.endsWith(end)) return answer;
          const body = (await answer.json()) as Body;
          alter(body);
          return Response.json(body, { status: answer.status });
        },
    },
  });

/** A payload that says something else besides. */
function saying(signedPayload: string, more: object): string {
  const [head, , signature] = signedPayload.split('.');
  const said = JSON.stringify({ ...decodeJwt(signedPayload), ...more });
  return [head, Buffer.from(said).toString('base64url'), signature].join('.');
}

/** How many credentials the ledger and the audit know. */
const kept = ({ parts }: World) =>
  parts.ledger.transaction('default', async (tx) => {
    const { rows } = await tx.observations.list({ kind: 'credentials' }, { limit: 10 });
    return rows.length;
  });

describe('released credentials that are not of the payment that was asked for', () => {
  it.each<[string, unknown]>([
    ['amount', '4000.00'],
    ['amount', '39.99'],
    ['amount', { value: '40.00' }],
    ['currency', 'EUR'],
    ['merchant', 'Evil Audio'],
    ['merchantName', 'Evil Audio'],
    ['mandateId', '00000000-dead-4000-8000-000000000000'],
    ['instructionId', 'another'],
  ])('are an unknown outcome, and are not kept: %s %j', async (claim, value) => {
    const here = await altered('/credentials', (body) => {
      body.signedPayload = saying(body.signedPayload, { [claim]: value });
    });
    const instruction = await bought(here);
    const said = await here.call('retrieve_credentials', payment(instruction));
    expect(said).toMatchObject({ outcome: 'unknown', error: { rule: 'EN-08' } });
    expect([said.data, await kept(here)]).toEqual([undefined, 0]);
    expect(JSON.stringify([said, await here.operations(), await here.audit()])).not.toMatch(/4000\.00|39\.99|Evil/);
  });

  it.each<[string, object]>([
    ['the shortest spelling', { amount: '40' }],
    ['a number', { amount: 40 }],
    ['another case', { merchant: 'HARBOUR AUDIO ', currency: 'gbp' }],
    [
      'nothing of it',
      { amount: undefined, currency: null, merchant: undefined, mandateId: undefined, instructionId: undefined },
    ],
    ['further claims', { issued: 1, note: 'Evil Audio' }],
  ])('unless they say the same otherwise: %s', async (_, more) => {
    const here = await altered('/credentials', (body) => {
      body.signedPayload = saying(body.signedPayload, more);
    });
    const said = await here.call('retrieve_credentials', payment(await bought(here)));
    expect(said.outcome).toBe('done');
    expect(await redeemSecret(here.parts, 'default', said.data.credentials, 'app')).toBeDefined();
  });

  it.each([true, false])('are those of the release before: under its own correlation id %s', async (isOwn) => {
    let first: Body | undefined;
    const here = await altered('/credentials', (body) => {
      first ??= { ...body };
      Object.assign(body, first, isOwn ? { clientCorrelationId: body.clientCorrelationId } : {});
    });
    const instruction = await bought(here);
    await here.call('retrieve_credentials', payment(instruction, { amount: '90.00' }));
    const second = payment(instruction, { amount: '10.00', reference: 'second' });
    expect((await here.through('retrieve_credentials', second)).outcome).toBe('unknown');
    expect(await kept(here)).toBe(1);
  });
});

describe('the answer to another call of a purchase (D-182)', () => {
  const another = (body: Body) => {
    body.clientCorrelationId = '00000000-dead-4000-8000-000000000000';
  };

  it.each([
    ['retrieve_credentials', '/credentials', { amount: '40.00', currency: 'GBP' }],
    ['cancel_purchase', '/cancel', {}],
  ])('proves nothing: %s', async (tool, end, more) => {
    const here = await altered(end, another);
    const instruction = await bought(here);
    const said = await here.call(tool, { instruction, ...more });
    expect(said).toMatchObject({ outcome: 'unknown', error: { rule: 'EN-08' } });
    expect((await here.thing(instruction)).state).toBe('ACTIVE');
    expect(await kept(here)).toBe(0);
  });

  it('proves no enrollment, where it is one of another card', async () => {
    const here = await altered('/tokens', another);
    expect(await here.call('enroll_card', { card: 'card_ada' })).toMatchObject({
      ...{ outcome: 'unknown', error: { rule: 'EN-08' } },
    });
    expect((await here.thing('card_ada')).state).toBe('none');
  });

  it('proves no confirmation', async () => {
    const here = await altered('/confirmations', another);
    const instruction = await bought(here);
    await here.call('retrieve_credentials', payment(instruction));
    await here.receipt(instruction);
    expect((await here.call('confirm_transaction', { instruction })).outcome).toBe('unknown');
    expect((await here.thing(instruction)).state).toBe('ACTIVE');
  });

  it('proves no change', async () => {
    let isChanging = false;
    const here = await altered('', (body) => {
      if (isChanging) another(body);
    });
    const instruction = await bought(here);
    isChanging = true;
    const lower = { instruction, limit: { amount: '10.00', currency: 'GBP' } };
    expect((await here.call('update_purchase', lower)).outcome).toBe('unknown');
    expect((await here.thing(instruction)).body.limit).toBe('100.00');
  });
});

it('a purchase to which the platform gives no id, by which alone each step names it, is an unknown outcome', async () => {
  const here = await world({
    replace: {
      platform: (real) => async (request) => {
        const answer = await real(request);
        if (!request.url.endsWith('/instructions')) return answer;
        const { clientCorrelationId } = (await answer.json()) as Body;
        return Response.json({ clientCorrelationId, status: 'PENDING', pendingEvents: [] }, { status: 202 });
      },
    },
  });
  await here.call('enroll_card', { card: 'card_ada' });
  const said = await here.through('initiate_purchase', order());
  expect(said).toMatchObject({ outcome: 'unknown', error: { rule: 'EN-08' } });
  expect([said.data, said.next]).toEqual([undefined, expect.arrayContaining(['get_operation'])]);
  expect((await here.call('list_purchases')).data.total).toBe(0);
});

describe('another card that gets the handle of one meanwhile', () => {
  /** A world in which the app gives the handle to another card, before the platform has answered the call whose path ends so. */
  async function swapping(end: string): Promise<World> {
    const { shopper_ada: ada, shopper_cleo: cleo } = sandboxSeed.shoppers;
    const [card] = cleo.cards;
    const here: World = await world({
      replace: {
        platform: (real) => async (request) => {
          const answer = await real(request);
          if (request.url.endsWith(end)) {
            const other = { ...card, handle: 'card_ada' };
            const told = await registerShopper(here.parts, 'default', {
              ...ada,
              handle: 'shopper_ada',
              cards: [other],
            });
            expect(told.ok).toBe(true);
          }
          return answer;
        },
      },
    });
    return here;
  }

  it.each([true, false])('is not enrolled by that, whatever a person finds out: %s', async (happened) => {
    const here = await swapping('/tokens');
    const said = await here.call('enroll_card', { card: 'card_ada' });
    expect(said).toMatchObject({ outcome: 'unknown', error: { rule: 'EN-08' } });
    await here.advance(700);
    expect(await settle(here, said.operation, happened)).toMatchObject({ ok: true });
    expect(await here.thing('card_ada')).toMatchObject({
      state: 'none',
      body: { lastFour: sandboxSeed.shoppers.shopper_cleo.cards[0]?.lastFour },
    });
  });

  it('pays nothing that was approved with the one before', async () => {
    const here = await swapping('/instructions');
    await here.call('enroll_card', { card: 'card_ada' });
    await here.advance(1);
    const { instruction } = (await here.through('initiate_purchase', order())).data;
    await here.advance(1);
    await here.call('enroll_card', { card: 'card_ada' });
    expect((await here.call('retrieve_credentials', payment(instruction))).outcome).toBe('needs_approval');
  });
});
