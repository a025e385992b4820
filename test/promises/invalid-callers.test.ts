import { describe, expect, it } from 'vitest';
import { aiSdkTools } from '../../src/adapters/ai-sdk.ts';
import { langchainApprovals, langchainTools } from '../../src/adapters/langchain.ts';
import { openaiTools } from '../../src/adapters/openai.ts';
import { InvalidCaller } from '../../src/engine/demand-caller.ts';
import type { Caller } from '../../src/ledger/ledger.ts';
import { createMcpFactory } from '../../src/mcp/server.ts';
import { agent, order, world } from '../engine/support.ts';

// A program says who calls. A number for a user's id, or nothing at all, is its mistake: nothing is stored or sent under such a name.

// biome-ignore format: a table
const wrong: readonly (readonly [string, unknown])[] = [
  ['a number', { ...agent, principal: 7 }],
  ['a boolean', { ...agent, principal: true }],
  ['an object', { ...agent, principal: {} }],
  ['null', { ...agent, principal: null }],
  ['nothing', { tenant: agent.tenant }],
  ['empty text', { ...agent, principal: '' }],
  ['text with a control character', { ...agent, principal: 'a\u0000b' }],
  ['half a character', { ...agent, principal: '\ud800' }],
  ['more text than any field', { ...agent, principal: 'x'.repeat(256) }],
  ['a number as its session', { ...agent, session: 7 }],
  ['an object as its conversation', { ...agent, conversation: {} }],
];

describe.each(wrong)('a caller named by %s', (_, named) => {
  const caller = named as Caller; // as a program in JavaScript passes it

  it('is an error of the program on every way in, and leaves the ledger as it was', async () => {
    const { running, sent, call, effects } = await world();
    const { engine } = running;
    await call('enroll_card', { card: 'card_ada' });
    const before = JSON.stringify([sent.length, await effects(), await running.ledger.verify()]);
    const { run } = openaiTools(engine);
    const asked = {
      id: 'call_1',
      type: 'function' as const,
      function: { name: 'initiate_purchase', arguments: JSON.stringify(order()) },
    };
    const ways: readonly (() => unknown)[] = [
      () => engine.call('initiate_purchase', order(), caller),
      () => engine.propose('initiate_purchase', order(), caller),
      () => engine.call('list_purchases', {}, caller),
      () => engine.files(caller),
      () => engine.filePage(caller, 'file_x', 1),
      () => engine.fileChart(caller, 'file_x'),
      () => run(asked, caller),
      () => langchainTools(engine, caller),
      () => langchainApprovals(engine, caller),
      () => aiSdkTools(engine, caller),
      () => createMcpFactory({ engine, caller, version: '0', transport: 'stdio' }),
    ];
    for (const way of ways) await expect((async () => way())()).rejects.toBeInstanceOf(InvalidCaller);
    expect(JSON.stringify([sent.length, await effects(), await running.ledger.verify()])).toBe(before);
    expect(await call('list_purchases', {})).toMatchObject({ outcome: 'done', data: { total: 0 } });
  });
});

it('a name of 255 characters is taken, and its own purchase is listed once', async () => {
  const { through, call } = await world();
  const caller = { ...agent, principal: 'x'.repeat(255), session: 'one', conversation: 'two' };
  await through('enroll_card', { card: 'card_ada' }, caller);
  expect(await through('initiate_purchase', order(), caller)).toMatchObject({ outcome: 'done' });
  expect(await call('list_purchases', {}, caller)).toMatchObject({ data: { total: 1 } });
});
