import { describe, expect, it } from 'vitest';
import { aiSdkTools } from '../../src/adapters/ai-sdk.ts';
import { langchainApprovals, langchainTools } from '../../src/adapters/langchain.ts';
import { openaiTools } from '../../src/adapters/openai.ts';
import { compose } from '../../src/cli/compose.ts';
import { readConfiguration } from '../../src/cli/config.ts';
import { agent, order, world } from '../engine/support.ts';

// What a program that embeds Purser may write wrongly, in JavaScript or behind a cast, and that it hears of it.

it('is closed once, however often its program says so', async () => {
  const running = await compose(readConfiguration({ PURSER_DATA: ':memory:' }));
  await Promise.all([running.close(), running.close()]);
  await running.close();
});

// biome-ignore format: a table
const misspelled: readonly (readonly [string, object, RegExp])[] = [
  ['the list of tools', { tool: ['list_cards'] }, /no option tool .*tools/],
  ['the question to a person', { aprove: async () => 'approve' }, /no option aprove .*approve/],
  ['one that nothing is like', { sandbox: true }, /no option sandbox/],
  ['a tool in place of a list', { tools: 'list_cards' }, /`tools` must be a list/],
];

describe.each(misspelled)('a program that misspells %s', (_, options, says) => {
  it('is told, instead of getting every tool and no question', async () => {
    const { engine } = (await world()).running;
    const ways: readonly (() => unknown)[] = [
      () => openaiTools(engine, options),
      () => langchainTools(engine, agent, options),
      () => langchainApprovals(engine, agent, options),
      () => aiSdkTools(engine, agent, options),
    ];
    for (const way of ways) await expect((async () => way())()).rejects.toThrow(says);
  });
});

it('gives each adapter the options of its own', async () => {
  const { engine } = (await world()).running;
  const own = { tools: ['list_cards'], approve: undefined, onProgress: undefined, onFailure: undefined };
  const approvals = langchainApprovals(engine, agent, { tools: ['list_cards'], strict: true });
  expect(openaiTools(engine, own).chat).toHaveLength(1);
  expect(await langchainTools(engine, agent, { ...own, strict: true, approvals })).toHaveLength(1);
  expect(Object.keys((await aiSdkTools(engine, agent, { ...own, strict: true })).tools)).toEqual(['list_cards']);
  expect(() => openaiTools(engine, { ...own, strict: true } as object)).toThrow('no option strict');
});

it.each([true, 'yes', 'approve ', {}])(
  'a program whose person answers %o is told that this decides nothing',
  async (said) => {
    const { running, call, effects } = await world();
    await call('enroll_card', { card: 'card_ada' });
    const before = await effects();
    const failures: unknown[] = [];
    const approve = async () => said as 'approve'; // as a program in JavaScript answers
    const { run } = openaiTools(running.engine, { approve, onFailure: (failure) => void failures.push(failure) });
    const name = 'initiate_purchase';
    const asked = { id: 'a', type: 'function' as const, function: { name, arguments: JSON.stringify(order()) } };
    const { content } = await run(asked, agent);
    expect(JSON.parse(String(content))).toMatchObject({ outcome: 'needs_approval' });
    expect(failures).toEqual([expect.objectContaining({ message: expect.stringContaining("'approve' or 'deny'") })]);
    expect(await effects()).toEqual(before);
  },
);
