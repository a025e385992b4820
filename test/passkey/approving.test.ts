import { describe, expect, it } from 'vitest';
import { recordDecision } from '../../src/engine/approval-service.ts';
import { approveByPasskey, authentication, prove } from '../engine/passkey.ts';
import {
  agent,
  bought,
  change,
  deny,
  order,
  payment,
  person,
  type Said,
  type World,
  world,
} from '../engine/support.ts';
import { everyPiece, replaced, valuesFor } from '../support/every-call.ts';

// A customer's passkey approves the start of a purchase (D-36): exactly what its approval says, once, and while that is fresh.

const { card, limit } = order();

/** A purchase that waits for an approval. */
async function asked(more: Parameters<typeof world>[0] = {}): Promise<{ readonly it: World; readonly said: Said }> {
  const it = await world(more);
  await it.call('enroll_card', { card });
  const said = await it.call('initiate_purchase', order());
  expect(said.outcome).toBe('needs_approval');
  return { it, said };
}

const options = (it: World, more: object) =>
  it.call('create_authentication_options', authentication({ card, payment: limit, ...more }));
const started = (it: World) => it.effects('initiatePurchase');

describe('a passkey for a purchase that waits', () => {
  it('approves it: the same call starts it, and the credentials of the passkey are kept by nobody', async () => {
    const { it, said } = await asked();
    const proven = await approveByPasskey(it, said);
    expect(proven).toMatchObject({ outcome: 'done', data: { approves: said.operation } });
    expect(Object.keys(proven.data)).toEqual(['authentication', 'approves']);
    expect(await started(it)).toEqual([]);
    expect(await it.call('initiate_purchase', order())).toMatchObject({ outcome: 'done', data: { state: 'ACTIVE' } });
    expect(await started(it)).toHaveLength(1);
    const trail = (await it.audit()).filter(({ operationId }) => operationId === said.operation);
    expect(trail.map(({ event }) => event)).toEqual(['proposed', 'approved', 'sent', 'answered']);
    expect(trail[1]?.body).toMatchObject({ approval: said.approval?.id, approver: 'shopper_ada', channel: 'customer' });
    const { data } = await it.call('get_authentication', { authentication: proven.data.authentication });
    expect([data.state, data.credentials, data.eci]).toEqual(['AUTHENTICATED', undefined, '05']);
  });

  it('approves one release of credentials with it, and no second one', async () => {
    const { it, said } = await asked();
    await approveByPasskey(it, said);
    const { data } = await it.call('initiate_purchase', order());
    expect((await it.call('retrieve_credentials', payment(data.instruction))).outcome).toBe('done');
    const second = payment(data.instruction, { reference: 'second' });
    expect((await it.call('retrieve_credentials', second)).outcome).toBe('needs_approval');
  });

  it('shows the customer the text of the approval, word for word, in the app and on the page', async () => {
    const { it, said } = await asked();
    const { data } = await options(it, { approves: said.operation });
    const { body } = await it.thing(data.authentication);
    expect(body.approves).toEqual({
      ...{ operation: said.operation, approval: said.approval?.id, text: said.approval?.text },
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });
});

describe('it approves nothing else', () => {
  const pieces = everyPiece.filter(({ tool }) => tool.name === 'initiate_purchase');

  it('neither any other term, nor another purchase with the same', async () => {
    const { it, said } = await asked();
    await approveByPasskey(it, said);
    const base = order() as Readonly<Record<string, unknown>>;
    let tried = 0;
    for (const { name, arg, piece } of pieces)
      for (const value of valuesFor(piece.schema)) {
        const whole = replaced(base[name], piece.steps, value);
        const args = { ...base, [name]: whole };
        const isSame = JSON.stringify(whole) === JSON.stringify(base[name]);
        if (isSame || !arg.schema.safeParse(whole).success) continue;
        for (const reference of [args.reference, `other-${tried}`]) {
          tried += 1;
          const { outcome } = await it.call('initiate_purchase', { ...args, reference });
          expect([name, value, outcome]).not.toEqual([name, value, 'done']);
        }
      }
    expect((await it.call('initiate_purchase', order({ card: 'card_cleo' }))).outcome).not.toBe('done');
    expect([tried > 30, await started(it)]).toEqual([true, []]);
    expect(new Set(pieces.map(({ name }) => name))).toEqual(
      new Set([
        'reference',
        'limit',
        'until',
        'description',
        'merchant',
        'category',
        'category_code',
        'quantity',
        'every',
        'prompt',
        'recurring',
      ]),
    );
    expect((await it.call('initiate_purchase', order())).outcome).toBe('done');
    expect((await it.call('initiate_purchase', order({ reference: 'order-2' }))).outcome).toBe('needs_approval');
    expect(await started(it)).toHaveLength(1);
  });

  it('nor what the merchant has changed since', async () => {
    const { it, said } = await asked();
    await approveByPasskey(it, said);
    Object.assign(it.parts.settings, { merchant: { ...it.parts.settings.merchant, name: 'Another shop' } });
    expect((await it.call('initiate_purchase', order())).outcome).toBe('needs_approval');
    expect(await started(it)).toEqual([]);
  });

  it('nor anything once its time is over', async () => {
    const { it, said } = await asked();
    await approveByPasskey(it, said);
    await it.advance(601);
    expect((await it.call('initiate_purchase', order())).outcome).toBe('needs_approval');
    expect(await started(it)).toEqual([]);
  });

  it('nor what another principal asked for', async () => {
    const { it, said } = await asked();
    const other = { ...agent, principal: 'another' };
    const begun = await it.call(
      'create_authentication_options',
      authentication({ card, payment: limit, approves: said.operation }),
      other,
    );
    expect(begun).toMatchObject({ outcome: 'refused', error: { rule: 'EN-04', field: 'approves' } });
  });
});

describe('it is begun only', () => {
  it.each([
    ['for its card', 'card', { card: 'card_bo' }],
    ['over its limit', 'payment', { payment: { amount: '99.99', currency: 'GBP' } }],
    ['in its currency', 'payment', { payment: { amount: '100.00', currency: 'EUR' } }],
    ['for a purchase that waits', 'approves', { approves: 'op_nothing' }],
  ])('%s', async (_, field, more) => {
    const { it, said } = await asked();
    const begun = await options(it, { approves: said.operation, ...more });
    expect(begun).toMatchObject({ outcome: 'refused', error: { rule: 'EN-04', field } });
  });

  it('at the shop that it names, even where AP-09 only warns of another one', async () => {
    const it = await world({ configure: { levels: { 'AP-09': 'warn' } } });
    await it.call('enroll_card', { card });
    const { operation } = await it.call('initiate_purchase', order({ merchant: 'Lucky Casino' }));
    expect(await options(it, { approves: operation })).toMatchObject({ error: { rule: 'EN-04', field: 'approves' } });
  });

  it('where a customer can approve', async () => {
    const { it, said } = await asked({ configure: { channels: ['cli'] } });
    expect(await options(it, { approves: said.operation })).toMatchObject({ error: { rule: 'EN-04' } });
  });

  it('for the start of a purchase, and no other call', async () => {
    const it = await world();
    const more = { amount: '150.00', currency: 'GBP' };
    const { operation, outcome } = await it.call('update_purchase', change(await bought(it), { limit: more }));
    expect(outcome).toBe('needs_approval');
    expect(await options(it, { payment: more, approves: operation })).toMatchObject({
      outcome: 'refused',
      error: { rule: 'EN-04', field: 'approves' },
    });
  });
});

describe('what is posted as its proof', () => {
  it('must name the approval that was shown: a passkey for a payment approves nothing', async () => {
    const { it, said } = await asked();
    const begun = await options(it, {});
    const forged = await prove(it, begun.data.authentication, { approval: said.approval?.id });
    expect(forged).toMatchObject({ outcome: 'refused', error: { rule: 'EN-04', field: 'approval' } });
    const honest = await options(it, { approves: said.operation });
    expect(await prove(it, honest.data.authentication)).toMatchObject({
      outcome: 'refused',
      error: { rule: 'EN-04', field: 'approval' },
    });
    expect((await it.call('initiate_purchase', order())).outcome).toBe('needs_approval');
    expect(await it.effects('createPaymentCredentials')).toEqual([]);
  });

  it('counts only where the platform has taken it', async () => {
    const { it, said } = await asked();
    const { data } = await options(it, { approves: said.operation });
    const app = { ...agent, principal: 'app', role: 'app' } as const;
    const invented = { data: 'invented', id: 'x', relying_party: 'eA', provider: 'PAYMENT_PASSKEY' };
    const args = { authentication: data.authentication, ...invented, approval: said.approval?.id };
    expect((await it.call('create_payment_credentials', args, app)).outcome).toBe('declined');
    // What the platform said of it is text from outside, and reaches no agent.
    await it.fault('createPaymentCredentials', 'timeout-after-commit');
    expect((await prove(it, data.authentication, { approval: said.approval?.id })).outcome).toBe('unknown');
    expect((await it.call('initiate_purchase', order())).outcome).toBe('needs_approval');
    expect(await started(it)).toEqual([]);
  });

  it('comes too late for what was denied, approved or forgotten', async () => {
    for (const [what, before] of [
      ['denied', async (it: World, said: Said) => void (await deny(it, said))],
      [
        'approved',
        async (it: World, said: Said) =>
          void (await recordDecision(it.parts, said.approval?.id ?? '', 'approve', person)),
      ],
      ['forgotten', async (it: World) => it.advance(601)],
    ] as const) {
      const { it, said } = await asked();
      const { data } = await options(it, { approves: said.operation });
      await before(it, said);
      const late = await prove(it, data.authentication, { approval: said.approval?.id });
      expect([what, late.outcome, late.error?.rule]).toEqual([what, 'refused', 'EN-04']);
      expect(await it.effects('createPaymentCredentials')).toEqual([]);
    }
  });
});
