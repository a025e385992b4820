import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import type { Platform } from '../../src/client/platform.ts';
import { redeemSecret } from '../../src/engine/redeem.ts';
import { bought, payment, type World, world } from '../engine/support.ts';

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
