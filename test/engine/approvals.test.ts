import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/core/canonical-json.ts';
import { recordDecision } from '../../src/engine/approval-service.ts';
import { rulesHash } from '../../src/engine/digest.ts';
import { createEngine } from '../../src/engine/engine.ts';
import { recover } from '../../src/engine/recover.ts';
import { approvalLines } from '../support/approval-lines.ts';
import {
  agent,
  begins,
  bought,
  change,
  deny,
  order,
  person,
  type Said,
  type World,
  withOther,
  world,
} from './support.ts';

/** Puts something else into what the ledger knows of a thing, as an insider or a bug might. */
async function tamper(it: World, handle: string, change: JsonObject): Promise<void> {
  await it.parts.ledger.transaction('default', async (tx) => {
    const row = await tx.observations.find(handle);
    if (row !== undefined) await tx.observations.update(row, { body: { ...row.body, ...change } }, begins);
  });
}

async function asked(it: World, args = order()): Promise<Said> {
  await it.call('enroll_card', { card: args.card });
  return it.call('initiate_purchase', args);
}

const approvalOf = async (it: World, { operation = '' }: Said) =>
  it.parts.ledger.transaction('default', (tx) => tx.approvals.ofOperation(operation));

describe('an approval', () => {
  it('lets exactly one call be sent', async () => {
    const it = await world();
    const waiting = await asked(it);
    expect(await it.call('initiate_purchase', order())).toEqual(waiting);
    await it.approve(waiting);
    expect(await it.call('initiate_purchase', order())).toMatchObject({
      outcome: 'done',
      operation: waiting.operation,
    });
    expect(await approvalOf(it, waiting)).toMatchObject({ state: 'CONSUMED', approver: 'ann', channel: 'cli' });
    expect(await it.call('initiate_purchase', order())).toMatchObject({ replayed: true });
    expect(await deny(it, waiting)).toMatchObject({ ok: false, because: 'It is already CONSUMED.' });
    expect(await it.effects('initiatePurchase')).toHaveLength(1);
  });

  it('that another process took through a channel that does not count here is asked for again', async () => {
    const it = await world();
    const { parts } = it;
    const strict = createEngine({ ...parts, settings: { ...parts.settings, channels: ['page'] } });
    const call = async () => (await strict.call('initiate_purchase', order(), agent)) as Said;
    const waiting = await asked(it);
    await it.approve(waiting);
    expect(await approvalOf(it, waiting)).toMatchObject({ state: 'APPROVED', channel: 'cli' });
    const anew = await call();
    expect(anew).toMatchObject({ outcome: 'needs_approval' });
    expect(anew.approval?.id).not.toBe(waiting.approval?.id);
    expect([(await approvalOf(it, waiting))?.state, await it.effects('initiatePurchase')]).toEqual(['EXPIRED', []]);
    await recordDecision(strict.parts, anew.approval?.id ?? '', 'approve', { ...person, channel: 'page' });
    expect(await call()).toMatchObject({ outcome: 'done', operation: anew.operation });
    expect(await it.effects('initiatePurchase')).toHaveLength(1);
  });

  it('is used up by a call that the platform declined', async () => {
    const it = await world();
    const waiting = await asked(it);
    await it.approve(waiting);
    await it.fault('initiatePurchase', 'decline');
    expect(await it.call('initiate_purchase', order())).toMatchObject({ outcome: 'declined' });
    const anew = await it.call('initiate_purchase', order());
    expect(anew).toMatchObject({ outcome: 'needs_approval' });
    expect(anew.approval?.id).not.toBe(waiting.approval?.id);
    expect(await it.effects('initiatePurchase')).toEqual([]);
  });

  it('is given once, and not by another tenant', async () => {
    const it = await world(withOther);
    const waiting = await asked(it);
    const { parts } = it;
    const id = waiting.approval?.id ?? '';
    expect(await recordDecision(parts, id, 'approve', { ...person, tenant: 'other' })).toEqual({
      ok: false,
      because: 'There is no approval with this id.',
      missing: true,
    });
    expect(await recordDecision(parts, id, 'approve', person)).toMatchObject({ ok: true, state: 'APPROVED' });
    expect(await recordDecision(parts, id, 'approve', person)).toEqual({
      ok: false,
      because: 'It is already APPROVED.',
    });
  });

  it('that is denied ends its call; the same call tells so once, and then asks anew', async () => {
    const it = await world();
    const waiting = await asked(it);
    expect(await deny(it, waiting)).toMatchObject({ ok: true, state: 'DENIED' });
    expect((await it.operation(waiting.operation)).state).toBe('FAILED');
    const refused = {
      outcome: 'refused',
      said: 'A person denied this, and nothing was sent. If the customer still wants it, make the same call again to ask again.',
      operation: waiting.operation,
      error: { code: 'APPROVAL_DENIED', retry: 'same_call', rule: 'EN-04' },
    };
    expect(await it.call('get_operation', { operation: waiting.operation })).toMatchObject({
      said: 'A person denied it; nothing was sent. If the customer still wants it, make the same call again to ask again.',
    });
    expect(await it.call('preview_call', { tool: 'initiate_purchase', arguments: order() })).toMatchObject({
      data: { verdict: refused },
    });
    expect(await it.call('initiate_purchase', order())).toMatchObject(refused);
    expect((await it.operation(waiting.operation)).result).toMatchObject(refused);
    expect((await it.audit()).at(-1)).toMatchObject({
      ...{ event: 'refused', operationId: waiting.operation },
      body: { tool: 'initiate_purchase', rule: 'EN-04', code: 'APPROVAL_DENIED' },
    });
    const anew = await it.call('initiate_purchase', order());
    expect([anew.outcome, anew.operation === waiting.operation]).toEqual(['needs_approval', false]);
    expect(await it.effects('initiatePurchase')).toEqual([]);
  });

  it('that is withdrawn before it is used lets nothing be sent', async () => {
    const it = await world();
    const waiting = await asked(it);
    await it.approve(waiting);
    expect(await deny(it, waiting)).toMatchObject({ ok: true, state: 'DENIED' });
    expect(await it.call('initiate_purchase', order())).toMatchObject({ error: { code: 'APPROVAL_DENIED' } });
    expect(await it.call('initiate_purchase', order())).toMatchObject({ outcome: 'needs_approval' });
    expect(await it.effects('initiatePurchase')).toEqual([]);
  });

  it.each([
    ['a moment before its end', 599, 'done'],
    ['at its end', 600, 'needs_approval'],
    ['long after', 100_000, 'needs_approval'],
  ])('is used within ten minutes: %s', async (_, seconds, outcome) => {
    const it = await world();
    const waiting = await asked(it);
    await it.approve(waiting);
    await it.advance(seconds);
    const said = await it.call('initiate_purchase', order());
    expect(said.outcome).toBe(outcome);
    if (outcome === 'needs_approval') expect(said.said).toMatch(/^The earlier approval has expired\./);
    expect(await it.effects('initiatePurchase')).toHaveLength(outcome === 'done' ? 1 : 0);
    expect((await approvalOf(it, waiting))?.state).toBe(outcome === 'done' ? 'CONSUMED' : 'EXPIRED');
  });

  it.each(['approve', 'deny'] as const)('can not be decided once its time is over: %s', async (verdict) => {
    const it = await world();
    const waiting = await asked(it);
    await it.advance(600);
    const decided = () => recordDecision(it.parts, waiting.approval?.id ?? '', verdict, person);
    expect([await decided(), await decided()]).toEqual([
      { ok: false, because: 'The approval has expired. The same call asks for a new one.' },
      { ok: false, because: 'It is already EXPIRED.' },
    ]);
    expect((await it.operation(waiting.operation)).state).toBe('EXPIRED');
  });

  it.each(['form', 'program'] as const)(
    'that is denied while its call waits is answered so: the next call asks again (%s)',
    async (channel) => {
      const it = await world();
      const { approval } = await asked(it);
      await recordDecision(it.parts, approval?.id ?? '', 'deny', { ...person, channel, isAwaited: true });
      expect((await it.call('initiate_purchase', order())).outcome).toBe('needs_approval');
    },
  );

  it('names the rules that it was asked under, and points out words that look like others, behind their line', async () => {
    const it = await world({ configure: { levels: { 'AP-09': 'off' } } });
    const { approval, operation } = await asked(it, order({ description: 'Shoes of сосо', merchant: 'Hаrbour Audio' }));
    expect((await it.operation(operation)).rulesHash).toBe(rulesHash);
    expect(rulesHash).toMatch(/^[0-9a-f]{64}$/);
    expect(approvalLines(approval?.text ?? '').slice(4, 8)).toEqual([
      'Description: "Shoes of сосо"',
      'Look closely: "сосо" looks Latin but has Cyrillic letters.',
      'Merchant: "Hаrbour Audio"',
      'Look closely: "Hаrbour" mixes letters of different alphabets.',
    ]);
  });

  it('survives a look for what a crash left behind', async () => {
    const it = await world();
    const waiting = await asked(it);
    await it.approve(waiting);
    await it.advance(300);
    await recover(it.parts);
    expect(await it.call('initiate_purchase', order())).toMatchObject({ outcome: 'done' });
  });
});

/** Demands that a person is asked once more, and that the earlier question and its answer are worth nothing any more. */
async function asksAnew(it: World, earlier: Said, said: Pick<Said, 'outcome' | 'error' | 'approval'>): Promise<void> {
  expect(said).toMatchObject({ outcome: 'needs_approval', error: { rule: 'EN-04' } });
  expect(said.approval?.id).not.toBe(earlier.approval?.id);
  expect((await approvalOf(it, earlier))?.state).toBe('EXPIRED');
  expect((await it.operation(earlier.operation)).state).toBe('EXPIRED');
}

describe('what differs from what was approved is never sent', () => {
  it.each<[string, object]>([
    ['a higher limit', { limit: { amount: '100.01', currency: 'GBP' } }],
    ['a lower limit', { limit: { amount: '99.99', currency: 'GBP' } }],
    ['the same number written otherwise', { limit: { amount: '100.0', currency: 'GBP' } }],
    ['another currency', { limit: { amount: '100.00', currency: 'EUR' } }],
    ['a later end', { until: '2026-02-02T00:00:00Z' }],
    ['the same end written otherwise', { until: '2026-02-01T00:00:00.000Z' }],
    ['another description', { description: 'Headphones.' }],
    ['another payee', { merchant: 'Other Audio' }],
    ['another card', { card: 'card_cleo' }],
    ['a category', { category: 'electronics' }],
    ['a category code', { category_code: '5732' }],
    ['a quantity', { quantity: 2 }],
    ['a repetition', { every: 'month' }],
    ['recurring', { recurring: true }],
    ['words of the customer', { prompt: 'Buy me headphones' }],
  ])('an argument: %s', async (_, other) => {
    const it = await world();
    await it.call('enroll_card', { card: 'card_cleo' });
    await it.approve(await asked(it));
    expect((await it.call('initiate_purchase', order(other))).outcome).toBe('refused');
    expect(await it.effects('initiatePurchase')).toEqual([]);
    expect((await it.call('initiate_purchase', order())).outcome).toBe('done');
  });

  it.each<[string, string, JsonObject]>([
    ['the instrument behind the card', 'card_ada', { instrumentIdentifierId: 'FACE00000000000000000000000D0003' }],
    ['its customer', 'card_ada', { customerId: 'FACE00000000000000000000000C0003' }],
    ['its payment instrument', 'card_ada', { paymentInstrumentId: 'FACE00000000000000000000000E0003' }],
    ['its last four digits', 'card_ada', { lastFour: '9999' }],
    ['the name of the shopper', 'shopper_ada', { displayName: 'Eve Example' }],
    [
      'the device of the shopper',
      'shopper_ada',
      {
        deviceInformation: {
          applicationName: 'Harbour Audio',
          fingerprintSessionId: 'another-session',
          deviceData: { type: 'Mobile', brand: 'Other' },
          ipAddress: '198.51.100.99',
          userAgent: 'TW96aWxsYQ',
        },
      },
    ],
  ])('a thing: %s', async (_, handle, other) => {
    const it = await world();
    const waiting = await asked(it);
    await it.approve(waiting);
    await tamper(it, handle, other);
    await asksAnew(it, waiting, await it.call('initiate_purchase', order()));
    expect(await it.effects('initiatePurchase')).toEqual([]);
  });

  it('a thing: what the platform calls the purchase', async () => {
    const it = await world();
    const instruction = await bought(it);
    const wider = change(instruction, { limit: { amount: '200.00', currency: 'GBP' } });
    const waiting = await it.call('update_purchase', wider);
    await it.approve(waiting);
    await tamper(it, instruction, { instructionId: '00000000-0000-4000-8000-000000000bad' });
    await asksAnew(it, waiting, await it.call('update_purchase', wider));
    expect(await it.effects('updatePurchase')).toEqual([]);
  });

  it.each([
    ['its name', { name: 'Other Audio' }],
    ['its address', { url: 'https://other.example.com' }],
    ['its id', { id: 'other_audio' }],
  ])('the merchant: %s', async (_, other) => {
    const merchant = {
      id: 'harbour_audio_test',
      name: 'Harbour Audio',
      country: 'GB',
      url: 'https://shop.example.com',
    };
    const it = await world({ configure: { merchant } });
    const waiting = await asked(it);
    await it.approve(waiting);
    const { parts } = it;
    const { createEngine } = await import('../../src/engine/engine.ts');
    const changed = createEngine({ ...parts, settings: { ...parts.settings, merchant: { ...merchant, ...other } } });
    const said = await changed.call('initiate_purchase', order(), { tenant: 'default', principal: 'agent' });
    await asksAnew(it, waiting, said);
    expect(await it.effects('initiatePurchase')).toEqual([]);
  });

  it('not even when a person has not answered yet: what is asked is what would be sent', async () => {
    const it = await world();
    const waiting = await asked(it);
    await tamper(it, 'shopper_ada', { displayName: 'Eve Example' });
    const anew = await it.call('initiate_purchase', order());
    await asksAnew(it, waiting, anew);
    expect([waiting.approval?.text, anew.approval?.text].map((text) => text?.includes('Eve'))).toEqual([false, true]);
    expect(await recordDecision(it.parts, waiting.approval?.id ?? '', 'approve', person)).toMatchObject({
      ok: false,
    });
    await it.approve(anew);
    expect(await it.call('initiate_purchase', order())).toMatchObject({ outcome: 'done' });
  });

  it('the stored digest itself', async () => {
    const it = await world();
    const waiting = await asked(it);
    await it.approve(waiting);
    const other = await it.call('initiate_purchase', order({ reference: 'order-2' }));
    await it.approve(other);
    expect((await approvalOf(it, waiting))?.digest).not.toBe((await approvalOf(it, other))?.digest);
  });
});
