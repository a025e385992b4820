import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Answer } from '../../src/engine/answer.ts';
import { createEngine } from '../../src/engine/engine.ts';
import { holdsCardDataIn, redactedAnswer, screenAnswer } from '../../src/engine/output-screening.ts';
import type { Body } from '../../src/engine/render.ts';
import type { EngineState } from '../../src/engine/state.ts';
import type { LocalTool } from '../../src/engine/tool.ts';
import { LedgerUnavailable } from '../../src/ledger/errors.ts';
import { agent, shop, start, wish } from './shop.ts';

const number = '4929421234600821';
const said =
  "The outcome is as stated, but its details are withheld because they seem to contain card data. Tell the operator, and don't try to get them another way.";

/** A tool with a fault: it says what it should not. */
const careless = (told: object): LocalTool => ({
  kind: 'local',
  effect: 'read',
  name: 'careless',
  title: 'Careless',
  description: 'Says it all.',
  inputSchema: z.strictObject({}),
  outputSchema: z.looseObject({}),
  run: async () => ({ said: 'Done.', data: {}, ...told }),
});

async function answered(told: object) {
  const it = await shop();
  const engine = createEngine({ ...it.parts, offered: [careless(told), ...it.parts.tools] });
  return { it, answer: await engine.call('careless', {}, agent) };
}

describe('an answer', () => {
  it.each<[string, object]>([
    ['its words', { said: `Pay with ${number}.` }],
    ['its data', { data: { items: [{ note: '4929 / 4212 / 3460 / 0821' }] } }],
    ['the members of a list', { data: { notes: ['4929', '4212', '3460', '0821'] } }],
    ['a number of its data', { data: { card: Number(number) } }],
    ['a name in its data', { data: { [number]: true } }],
    ['a code in its data', { data: { note: 'the CVV on the back is 123' } }],
    ['an encoded text', { data: { note: Buffer.from(`card ${number}`).toString('base64') } }],
  ])('that holds card data in %s is held back, and that stands in the audit without it', async (_, told) => {
    const { it, answer } = await answered({ ...told, next: ['list_cards'] });
    expect(answer).toEqual({ outcome: 'done', environment: 'sandbox', said, next: ['list_cards'] });
    const last = (await it.audit()).at(-1);
    expect(last).toMatchObject({
      event: 'held back',
      body: { tool: 'careless', outcome: 'done', principal: 'agent' },
      at: start,
    });
    expect(JSON.stringify(await it.audit())).not.toMatch(/4929|123 *$/);
  });

  it('that holds none goes out as it is, and is no event', async () => {
    const { it, answer } = await answered({ data: { at: '2026-01-15T09:00:00.000Z', count: 7, of: null, is: [true] } });
    expect(answer).toMatchObject({ said: 'Done.', data: { count: 7 } });
    expect(await it.audit()).not.toContainEqual(expect.objectContaining({ event: 'held back' }));
  });

  it('of a row that somebody put into the ledger is held back, too', async () => {
    const it = await shop();
    await it.parts.ledger.transaction('default', (tx) =>
      tx.observations.insert(
        { handle: 'card_eve', kind: 'card', owner: 'shopper_ada', state: 'none', body: { lastFour: number } },
        start,
      ),
    );
    const told = await it.call('list_cards', { shopper: 'shopper_ada' });
    expect(told).toEqual({ outcome: 'done', environment: 'sandbox', said, next: expect.any(Array) });
  });

  it('keeps how the call ended: the operation, the code and the way out, and nothing that was worded', () => {
    const answer: Answer = {
      outcome: 'unknown',
      environment: 'sandbox',
      said: number,
      operation: 'op_a',
      replayed: true,
      next: ['get_operation'],
      warnings: [number],
      approval: { id: 'apr_a', text: number, expires: '2026-01-15T09:00:00.000Z' },
      error: { code: 'OUTCOME_UNKNOWN', retry: 'after', wait: 7, rule: 'EN-06', field: number, untrusted: number },
    };
    const kept = redactedAnswer(answer);
    expect(kept).toEqual({
      ...{ outcome: 'unknown', environment: 'sandbox', said, operation: 'op_a', replayed: true },
      next: ['get_operation'],
      error: { code: 'OUTCOME_UNKNOWN', retry: 'after', wait: 7, rule: 'EN-06' },
    });
    expect([
      holdsCardDataIn(answer),
      holdsCardDataIn(kept),
      redactedAnswer({ ...answer, operation: number }).operation,
    ]).toEqual([true, false, undefined]);
  });

  it.each([
    ['keeps the outcome of a call that was sent', 'op_a', { outcome: 'done', operation: 'op_a' }],
    ['of a call that was not sent', undefined, { outcome: 'refused', error: { code: 'INTERNAL_HALT' } }],
  ])('whose texts the ledger can not record is shown without them: %s', async (_, operation, expected) => {
    const { parts } = await shop();
    const gone = new LedgerUnavailable('gone');
    const faults: unknown[] = [];
    const ports = { ...parts.ports, onFault: (fault: unknown) => faults.push(fault) };
    const state = { parts: { ...parts, ports }, offered: new Set() } as unknown as EngineState; // all that it looks at
    const body: Body = { outcome: 'done', said: 'Done.', next: [], data: { note: 'by others' } };
    const told = await screenAnswer(
      state,
      undefined,
      agent,
      { ...body, ...(operation === undefined ? {} : { operation }) },
      () => Promise.reject(gone),
    );
    expect(told).toMatchObject(expected);
    expect(JSON.stringify(told)).not.toMatch(/by others|gone/);
    expect(faults).toEqual([gone]);
  });

  it('of an ordinary purchase goes out whole', async () => {
    const it = await shop();
    await it.call('enroll_card', { card: 'card_ada' });
    const told = await it.approved('initiate_purchase', wish);
    expect(told).toMatchObject({ outcome: 'done', data: { state: 'ACTIVE', reference: 'order-1' } });
  });
});
