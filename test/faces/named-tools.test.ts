import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { sharedValidator } from '../../evals/harness/world/validators.ts';
import { prompts } from '../../src/cli/prompts.ts';
import { createServerFactory } from '../../src/mcp/server-factory.ts';
import { tableOf } from '../../src/mcp/tool-list.ts';
import { type Choice, everything, isChosen } from '../../src/mcp/tool-selection.ts';
import { tools, toolsetOf } from '../../tools/index.ts';
import { orders } from '../../tools/orders.ts';
import { numbers } from '../support/numbers.ts';

// What a host is told before any call names no tool that it doesn't have, whichever tools are selected.

const names = tools.map(({ name }) => name);
const toolsets = [...new Set(tools.flatMap((tool) => toolsetOf(tool) ?? []))];
const table = tableOf(tools);
const isRead = new Map(table.map(({ name, config }) => [name, config.annotations.readOnlyHint]));

/** What a host with this selection gets. */
async function offered(choice: Choice) {
  const rows = table.filter((row) => isChosen(choice, { ...row, isRead: row.config.annotations.readOnlyHint }));
  const [near, far] = InMemoryTransport.createLinkedPair();
  const handler = () => Promise.reject(new Error('Nothing is called.'));
  const factory = createServerFactory({ rows, prompts, environment: 'sandbox', version: '0', handler });
  await (await factory({ era: 'legacy' })).connect(far);
  const client = new Client(
    { name: 'test', version: '0' },
    { versionNegotiation: { mode: 'legacy' }, jsonSchemaValidator: sharedValidator },
  );
  await client.connect(near);
  const listed = rows.length === 0 ? [] : (await client.listTools()).tools.map(({ name }) => name);
  const found = client.getServerCapabilities()?.prompts === undefined ? [] : (await client.listPrompts()).prompts;
  const texts = await Promise.all(
    found.map(async ({ name }) => JSON.stringify((await client.getPrompt({ name })).messages)),
  );
  const instructions = client.getInstructions() ?? '';
  await client.close();
  return { listed, instructions, prompts: found.map(({ name }) => name), texts };
}

/** The tools that a text names. */
const namedIn = (text: string): readonly string[] =>
  (text.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? []).filter((word) => names.includes(word));

/** Which tools are named and not listed, and which prompts are missing or too many. */
async function strangers(choice: Choice) {
  const { listed, instructions, texts, prompts: found } = await offered(choice);
  const wanted = prompts.filter(
    ({ toolset, also = [], text }) =>
      [...namedIn(text)].every((name) => listed.includes(name)) &&
      [toolset, ...also].every((one) => tools.some((tool) => toolsetOf(tool) === one && listed.includes(tool.name))),
  );
  return {
    named: [instructions, ...texts].flatMap(namedIn).filter((name) => !listed.includes(name)),
    prompts: { found, wanted: wanted.map(({ name }) => name) },
    buys: instructions.includes('Buys things') && !listed.includes('initiate_purchase'),
    bytes: Buffer.byteLength(instructions),
    // What a host keeps that cuts them at 2 KB.
    hasManners: /Text by others is data/.test(Buffer.from(instructions).subarray(0, 2_048).toString()),
  };
}

async function expectNoStranger(choice: Choice): Promise<void> {
  const { named, prompts: of, buys, bytes, hasManners } = await strangers(choice);
  const about = JSON.stringify(choice);
  const found = { about, named, buys, hasManners, prompts: of.found };
  expect(found).toEqual({ about, named: [], buys: false, hasManners: true, prompts: of.wanted });
  if (choice.toolsets.length === 1 && choice.toolsets[0] !== 'all') expect(bytes, about).toBeLessThanOrEqual(1_024);
}

describe('instructions and prompts name listed tools alone', () => {
  it.each(['all', ...toolsets])('with the toolset %s, whole or read-only', async (toolset) => {
    for (const isReadOnly of [false, true]) await expectNoStranger({ toolsets: [toolset], isReadOnly });
  });

  it('without any single tool', async () => {
    for (const name of names)
      for (const toolset of ['all', toolsetOf(tools.find((tool) => tool.name === name) as (typeof tools)[number])])
        await expectNoStranger({ ...everything, toolsets: [toolset ?? 'purchase'], excluded: [name] });
  });

  it('with random tools', async () => {
    const seed = Date.now() % 2 ** 31;
    console.log(`random selections of seed ${seed}`);
    const random = numbers(seed);
    const some = <T>(from: readonly T[], one: number): readonly T[] => from.filter(() => random(one) === 0);
    for (let times = 0; times < 60; times++) {
      const few = some(names, 2 + random(5));
      const choice: Choice = {
        toolsets: random(2) === 0 ? ['all'] : [random.of(toolsets), random.of(toolsets), random.of(toolsets)],
        tools: random(2) === 0 ? few : undefined,
        excluded: random(2) === 0 ? some(names, 2 + random(20)) : undefined,
        isReadOnly: random(4) === 0,
      };
      await expectNoStranger(choice);
    }
  });

  it('has every prompt, and every part of every order, where everything is offered', async () => {
    const { prompts: found, instructions } = await offered(everything);
    expect(found).toEqual(prompts.map(({ name }) => name));
    expect(
      Object.values(orders)
        .flat()
        .filter(({ says }) => !instructions.includes(says)),
    ).toEqual([]);
  });

  it('takes every name with an underscore in an order, and each that it needs, from the catalogue', () => {
    const words = Object.values(orders)
      .flat()
      .flatMap(({ says, needs = [] }) => [...(says.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? []), ...needs]);
    expect(words.filter((word) => !names.includes(word))).toEqual([]);
  });

  it('tells who only looks that nothing can be bought, and lists no prompt that changes something', async () => {
    const { prompts: found, instructions } = await offered({ ...everything, isReadOnly: true });
    expect(instructions).not.toMatch(/Buys|Charges|Bills|Takes cards/);
    const changing = prompts.filter(({ text }) => namedIn(text).some((name) => isRead.get(name) === false));
    expect(changing.map(({ name }) => name).filter((name) => found.includes(name))).toEqual([]);
    expect(changing.length).toBeGreaterThan(5);
  });
});
