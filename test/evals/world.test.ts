import { describe, expect, it, onTestFinished } from 'vitest';
import { compose } from '../../src/cli/compose.ts';
import { readConfiguration } from '../../src/cli/config.ts';
import { unlimitedRates } from '../../src/engine/rate-limiter.ts';
import { tools } from '../../tools/index.ts';
import { enrolled, order, playOn, stageOfFile } from './support.ts';

const stage = stageOfFile();

describe('a world', () => {
  it('has nothing of the one before it', async () => {
    const first = await (await stage().open(undefined)).evidence();
    await playOn(stage(), enrolled());
    expect(await (await stage().open(undefined)).evidence()).toEqual(first);
  });

  it('gives the same story the same answers to the letter', async () => {
    const [one, other] = [await playOn(stage(), enrolled()), await playOn(stage(), enrolled())];
    expect(one).toEqual(other);
  });

  it('is another one with another seed, and at another time', async () => {
    const at = async (seed: number, now: string) =>
      (await (await stage().open({ fixture: 'plain', seed, now })).evidence()).platform.documents
        .filter(({ kind }) => kind === 'origin' || kind === 'clock')
        .map(({ body }) => body);
    expect(await at(7, '2027-03-01T00:00:00Z')).toEqual([
      { id: 'clock', runs: false, at: Date.UTC(2027, 2, 1) },
      { id: 'origin', seed: 7, frozenAt: Date.UTC(2027, 2, 1) },
    ]);
  });

  it('is reached as an agent reaches it: over MCP', async () => {
    const world = await stage().open(undefined);
    expect((await world.tools.listTools()).map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
    const { answer, isError, text } = await world.tools.callTool('initiate_purchase', order());
    expect([isError, JSON.parse(text)]).toEqual([true, answer]);
  });

  it('is made of the same parts as the product', async () => {
    const running = await compose(readConfiguration({ PURSER_DATA: ':memory:' }));
    onTestFinished(() => running.close());
    const world = await stage().open(undefined);
    const { settings } = running.engine.parts;
    expect(world.engine.parts.settings).toEqual({
      ...settings,
      hasOperatorCalls: true, // an operator can act in a scenario
      rates: unlimitedRates,
      reach: world.engine.parts.settings.reach,
    });
    expect(world.engine.parts.tools).toEqual(running.engine.parts.tools);
    expect(Object.keys(world.engine.parts).toSorted()).toEqual(
      Object.keys(running.engine.parts)
        .filter((name) => !['offered', 'verifiedBefore'].includes(name))
        .toSorted(),
    );
  });
});
