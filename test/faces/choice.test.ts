import { describe, expect, it } from 'vitest';
import { BadConfiguration } from '../../src/cli/bad-configuration.ts';
import { compose } from '../../src/cli/compose.ts';
import { loadConfiguration, readConfiguration } from '../../src/cli/config.ts';
import { effectOf } from '../../src/engine/tool.ts';
import { type Choice, choiceFault, everything, isChosen } from '../../src/mcp/tool-selection.ts';
import { tools, toolsetOf } from '../../tools/index.ts';
import { connect, inProcess } from './agents.ts';
import { fileWith, run, start } from './cli.ts';
import { tokens, world } from './support.ts';

// Which tools there are: the operator chooses, a path narrows. Every way to say it, over every transport.

const names = (choice: (tool: (typeof tools)[number]) => boolean): readonly string[] =>
  tools.filter(choice).map(({ name }) => name);
/** By hand: it changes nothing, and opens a screen at the counter. */
const shown = 'show_device_summary';
const isRead = (tool: (typeof tools)[number]): boolean => effectOf(tool) === 'read' && tool.name !== shown;
const ofAll = names((tool) => toolsetOf(tool) === undefined);
const ofPurchase = names((tool) => [undefined, 'purchase'].includes(toolsetOf(tool)));
const reading = names(isRead);

const offered = async (env: NodeJS.ProcessEnv, options = {}): Promise<readonly string[]> => {
  const running = await compose(readConfiguration({ PURSER_DATA: ':memory:', ...env }, options));
  await running.close();
  return running.engine.tools.map(({ name }) => name);
};

describe('a choice', () => {
  const buy = { name: 'buy', toolset: 'shop', isRead: false };
  const look = { name: 'look', toolset: 'shop', isRead: true };
  const help = { name: 'help', isRead: true };
  const all = [buy, look, help];

  it.each<[string, Partial<Choice>, readonly string[]]>([
    ['everything', {}, ['buy', 'look', 'help']],
    ['a toolset', { toolsets: ['shop'] }, ['buy', 'look', 'help']],
    ['another toolset', { toolsets: ['elsewhere'] }, ['help']],
    ['one tool', { tools: ['buy'] }, ['buy', 'help']],
    ['a tool of a toolset that is not there', { toolsets: ['elsewhere'], tools: ['buy'] }, ['help']],
    ['all but one', { excluded: ['buy'] }, ['look', 'help']],
    ['all but one that goes with every toolset', { excluded: ['help'] }, ['buy', 'look']],
    ['what only reads', { isReadOnly: true }, ['look', 'help']],
    ['one tool, and only what reads', { tools: ['buy'], isReadOnly: true }, ['help']],
  ])('%s', (_, choice, expected) => {
    expect(all.filter((one) => isChosen({ ...everything, ...choice }, one)).map(({ name }) => name)).toEqual(expected);
  });

  it('names what nothing has', () => {
    expect(choiceFault({ ...everything, toolsets: ['shop'], tools: ['buy'], excluded: ['help'] }, all)).toBeUndefined();
    expect(choiceFault({ ...everything, toolsets: ['shop', 'shops'] }, all)).toBe(
      'There is no toolset shops (did you mean shop?): correct `toolsets`; known are shop, all.',
    );
    for (const choice of [{ tools: ['bye'] }, { excluded: ['bye'] }])
      expect(choiceFault({ ...everything, ...choice }, all)).toMatch(/^There is no tool bye: /);
  });

  it('names a tool whose toolset is not offered', () => {
    const elsewhere = { name: 'bill', toolset: 'office', isRead: false };
    const fault = (choice: Partial<Choice>) => choiceFault({ ...everything, ...choice }, [...all, elsewhere]);
    expect(fault({ toolsets: ['shop'], tools: ['buy', 'bill'] })).toMatch(
      /^bill is in toolset office, which is not offered: /,
    );
    expect(fault({ toolsets: ['shop', 'office'], tools: ['buy', 'bill'] })).toBeUndefined();
    expect(fault({ toolsets: ['all'], tools: ['bill'] })).toBeUndefined();
    expect(fault({ toolsets: ['shop'], tools: ['help'] })).toBeUndefined();
    expect(fault({ toolsets: ['shop'], excluded: ['bill'] })).toBeUndefined();
  });
});

describe('the operator', () => {
  // biome-ignore format: a table
  it.each<[string, NodeJS.ProcessEnv, object, readonly string[]]>([
    ['says nothing', {}, {}, ofPurchase],
    ['says all', { PURSER_TOOLSETS: 'all' }, {}, names(() => true)],
    ['says all by an option', {}, { toolsets: 'all' }, names(() => true)],
    ['names a toolset', { PURSER_TOOLSETS: ' purchase ,' }, {}, ofPurchase],
    ['names tools', { PURSER_TOOLS: 'enroll_card' }, {},
      names((tool) => ['enroll_card', ...ofAll].includes(tool.name))],
    ['excludes tools', { PURSER_EXCLUDE_TOOLS: 'enroll_card' }, {},
      ofPurchase.filter((name) => name !== 'enroll_card')],
    ['lets agents read', { PURSER_PROFILE: 'read-only', PURSER_TOOLSETS: 'all' }, {}, reading],
    ['lets agents read, by an option', { PURSER_TOOLSETS: 'all' }, { readOnly: true }, reading],
    ['can not be outvoted by an option', { PURSER_PROFILE: 'read-only', PURSER_TOOLSETS: 'all' }, { readOnly: false },
      reading],
  ])('%s', async (_, env, options, expected) => {
    expect(await offered(env, options)).toEqual(expected);
  });

  it('says it in the file, below environment and options', async () => {
    const env = { PURSER_CONFIG: fileWith('toolsets: [all]\ntools: [enroll_card]\nexcludeTools: [find_shopper]') };
    const { choice } = await loadConfiguration(
      { ...env, PURSER_TOOLS: 'cancel_purchase' },
      { excludeTools: 'get_limits' },
    );
    expect(choice).toEqual({
      toolsets: ['all'],
      tools: ['cancel_purchase'],
      excluded: ['get_limits'],
      isReadOnly: false,
    });
  });

  it.each(['PURSER_TOOLSETS', 'PURSER_TOOLS', 'PURSER_EXCLUDE_TOOLS'])(
    'is told of a wrong name in %s',
    async (name) => {
      await expect(offered({ [name]: 'perchase' })).rejects.toThrow(BadConfiguration);
    },
  );

  it.each([
    ['mcp', ['--tools', 'create_plan'], {}],
    ['mcp', [], { PURSER_TOOLS: 'create_plan' }],
    ['serve', ['--port', '0', '--tools', 'enroll_card,create_plan'], {}],
  ])('is told by `purser %s %j` of a tool whose toolset is not offered: %j', async (command, options, env) => {
    expect(await run([command, '--data', ':memory:', ...options], { env })).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringMatching(/^purser: create_plan is in toolset billing, which is not offered: [^\n]*\n$/),
    });
    if (command === 'mcp' && options.length === 0)
      expect(await run(['doctor', '--data', ':memory:', '--json'], { env })).toMatchObject({
        code: 1,
        out: expect.stringContaining('create_plan is in toolset billing'),
      });
  });

  it.each([
    [
      'a tool that changes something, and only those that change nothing',
      ['--tools', 'initiate_purchase', '--read-only'],
      {},
    ],
    ['the same by the profile', ['--tools', 'get_purchase,initiate_purchase'], { PURSER_PROFILE: 'read-only' }],
    ['a tool that is left out, too', ['--tools', 'initiate_purchase', '--exclude-tools', 'initiate_purchase'], {}],
  ])('is told that it contradicts itself: %s', async (_, options, env) => {
    expect(await run(['mcp', '--data', ':memory:', ...options], { env })).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringMatching(/^purser: initiate_purchase is in [^\n]*\n$/),
    });
  });

  it('is told which tool a misspelled name probably means', async () => {
    const { err } = await run(['mcp', '--data', ':memory:', '--tools', 'initiate_purchas']);
    expect(err).toContain('initiate_purchase');
  });

  it('is told so by `purser mcp` before it serves', async () => {
    expect(await run(['mcp', '--data', ':memory:', '--toolsets', 'perchase'])).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringMatching(/^purser: There is no toolset perchase \(did you mean purchase\?\): [^\n]*\n$/),
    });
  });
});

it('is what an agent finds over stdio, and can call', async () => {
  const { child, line } = start(['mcp', '--data', ':memory:', '--read-only', '--exclude-tools', 'get_limits']);
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'test', version: '0' };
  send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
  await line();
  send({ method: 'notifications/initialized' });
  send({ id: 2, method: 'tools/list', params: {} });
  const { result } = JSON.parse(await line());
  expect(result.tools.map(({ name }: { name: string }) => name)).toEqual(
    ofPurchase.filter((name) => reading.includes(name) && name !== 'get_limits'),
  );
  send({ id: 3, method: 'tools/call', params: { name: 'enroll_card', arguments: { card: 'card_ada' } } });
  expect(JSON.parse(await line())).toMatchObject({ id: 3, error: { code: -32602 } });
});

describe('a path', () => {
  it.each([
    ['/mcp', names(() => true)],
    ['/mcp/readonly', reading],
    ['/mcp/x/purchase', ofPurchase],
    ['/mcp/x/purchase/readonly', ofPurchase.filter((name) => reading.includes(name))],
  ])('%s has fewer tools', async (path, expected) => {
    const agent = await connect(inProcess(await world(), tokens.agent, path), { pin: '2026-07-28' });
    expect((await agent.tools()).map(({ name }) => name)).toEqual(expected);
  });

  it.each(['/mcp/x/perchase', '/mcp/x', '/mcp/readonly/x', '/mcp/', '/mcp/x/all'])('%s is none', async (path) => {
    const { http } = await world();
    expect(await http('POST', path, 'agent', {})).toMatchObject({ status: 404 });
  });

  it('keeps a tool that it has not got from being called', async () => {
    const agent = await connect(inProcess(await world(), tokens.agent, '/mcp/readonly'), { pin: '2026-07-28' });
    await expect(agent.call('enroll_card', { card: 'card_ada' })).rejects.toMatchObject({ code: -32602 });
  });
});

it('points an agent to tools that it has', async () => {
  const running = await compose(readConfiguration({ PURSER_DATA: ':memory:' }, { readOnly: true }));
  const answer = await running.engine.call(
    'list_cards',
    { shopper: 'shopper_ada' },
    { tenant: 'default', principal: 'agent' },
  );
  await running.close();
  expect(answer).toMatchObject({ outcome: 'done', next: [] });
});
