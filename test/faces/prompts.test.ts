import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { promptIn, prompts } from '../../src/cli/prompts.ts';
import { limits } from '../../src/core/limits.ts';
import { tools, toolsetOf } from '../../tools/index.ts';
import { connect, inProcess } from './agents.ts';
import { start } from './cli.ts';
import { tokens, world } from './support.ts';

// The briefs: each names tools that there are, is short, and reaches a host over every transport.

const file = (text: string, more = ''): string =>
  `---\nname: try_it\ntitle: Try\ndescription: Tries.\ntoolset: purchase\n${more}---\n${text}\n`;
const client = async (path = '/mcp') =>
  (await connect(inProcess(await world({ face: { prompts } }), tokens.agent, path), { pin: '2026-07-28' })).client;

describe('a prompt', () => {
  it('is filled in from the code', () => {
    expect(promptIn(file('Wait {{limits.approvalMinutes}} minutes.\n')).text).toBe(
      `Wait ${limits.approvalMinutes} minutes.`,
    );
    expect(promptIn(file('{{machines.instruction}}\n{{machines.card}}')).text).toContain('- ACTIVE: ');
  });

  it.each([
    ['a number that there is not', file('{{limits.years}}')],
    ['a machine that there is not', file('{{machines.toaster}}')],
    ['another kind of thing', file('{{secrets.key}}')],
    ['no front matter', 'Do it.'],
    ['a member that nobody knows', file('Do it.', 'colour: red\n')],
  ])('is refused for %s', (_, text) => {
    expect(() => promptIn(text)).toThrow();
  });
});

describe.each(prompts)('$name', ({ text, toolset, also = [], arguments: known }) => {
  it('names tools of its toolset alone', () => {
    const there = tools
      .filter((tool) => [toolset, ...also, undefined].includes(toolsetOf(tool)))
      .map(({ name }) => name);
    const named = [...text.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(([, name]) => name);
    expect(there.length).toBeGreaterThan(0);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !there.includes(String(name)))).toEqual([]);
  });

  it('is short, and leaves nothing to fill in', () => {
    expect(countTokens(text)).toBeLessThanOrEqual(1_000);
    expect(text).not.toMatch(/\{\{|\}\}/);
    expect(Object.keys(known).length).toBeGreaterThan(0);
  });
});

describe('a host', () => {
  it('finds them, with their arguments, and gets the text with what its user has said', async () => {
    const host = await client();
    const listed = (await host.listPrompts()).prompts;
    expect(listed.map(({ name }) => name)).toEqual(prompts.map(({ name }) => name));
    expect(listed.find(({ name }) => name === 'buy_for_a_shopper')?.arguments).toEqual([
      { name: 'shopper', description: expect.any(String), required: false },
      { name: 'wish', description: expect.any(String), required: false },
    ]);
    const { messages } = await host.getPrompt({
      name: 'buy_for_a_shopper',
      arguments: { wish: 'A "lamp"\nfor 40 GBP' },
    });
    const [{ content } = { content: undefined }] = messages;
    expect(content).toMatchObject({ type: 'text' });
    const text = content?.type === 'text' ? content.text : '';
    expect(text.startsWith(prompts.find(({ name }) => name === 'buy_for_a_shopper')?.text ?? '?')).toBe(true);
    expect(text.endsWith('What is known already:\n\n- wish: "A \\"lamp\\"\\nfor 40 GBP"')).toBe(true);
  });

  it('gets the text alone where its user has said nothing', async () => {
    const { messages } = await (await client()).getPrompt({ name: 'buy_for_a_shopper' });
    expect(messages).toMatchObject([{ role: 'user', content: { text: expect.not.stringContaining('known already') } }]);
  });

  it.each([{ colour: 'red' }, { wish: 'x'.repeat(256) }])('is told of an argument that is none', async (given) => {
    const asked = (await client()).getPrompt({ name: 'buy_for_a_shopper', arguments: given });
    await expect(asked).rejects.toThrow('Known arguments are shopper, wish');
  });

  it('is offered none of a toolset that is not there', async () => {
    const { face } = await world({ face: { prompts: [{ ...promptIn(file('Do it.')), toolset: 'elsewhere' }] } });
    const here = await connect(inProcess({ face } as never), { pin: '2026-07-28' });
    expect(here.client.getServerCapabilities()).not.toHaveProperty('prompts');
  });

  it('finds the same over stdio', async () => {
    const { child, line } = start(['mcp', '--data', ':memory:', '--toolsets', 'all']);
    const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const clientInfo = { name: 'test', version: '0' };
    send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
    await line();
    send({ method: 'notifications/initialized' });
    send({ id: 2, method: 'prompts/list', params: {} });
    expect(JSON.parse(await line()).result.prompts.map(({ name }: { name: string }) => name)).toEqual(
      prompts.map(({ name }) => name),
    );
  });
});
