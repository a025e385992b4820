import { describe, expect, it } from 'vitest';
import { watchSkew } from '../../src/client/skew.ts';
import { contract } from '../../src/domains/index.ts';
import { createEngine } from '../../src/engine/engine.ts';
import { toolName } from '../../src/engine/tool.ts';
import { changing } from '../engine/changing.ts';
import { agent, begins, order, type Said, world } from '../engine/support.ts';
import { prepared } from '../support/prepared.ts';

// Money moves only while Purser's clock and the platform's are known to agree, from the first call of a process on.

const hour = 3_600_000;
const url = 'https://platform.example';

/** A platform that says it is so many milliseconds ahead, or does not answer at all; and how often it was asked. */
function clockOf(ahead: () => number | 'gone' | 'silent', now: () => number) {
  let asked = 0;
  const { skew, askTime } = watchSkew(
    async () => {
      asked += 1;
      const found = ahead();
      if (found === 'gone') throw new Error('Nobody is there.');
      if (found === 'silent') return new Response('');
      return new Response('', { headers: { date: new Date(now() + found).toUTCString() } });
    },
    { now },
    url,
  );
  return { ports: { skew, askTime }, asked: () => asked };
}

/** Every operation that moves money, as the contract has it. */
const moving = (Object.keys(changing) as (keyof typeof changing)[]).filter((name) => contract[name].effect === 'money');

describe.each(moving)('the first call of a process: %s', (name) => {
  const opened = prepared<object>((it) => changing[name](it));

  it.each([
    ['an hour ahead', hour, 'never'],
    ['an hour behind', -hour, 'never'],
    ['not there', 'gone', 'same_call'],
    ['without a date', 'silent', 'same_call'],
  ] as const)('sends nothing to a platform that is %s', async (_, ahead, retry) => {
    const { it, made: args } = await opened();
    const { parts } = it;
    const clock = clockOf(() => ahead, parts.ports.clock.now);
    const engine = createEngine({ ...parts, ports: { ...parts.ports, ...clock.ports } });
    const before = await it.effects();
    const said = (await engine.call(toolName(name), args, agent)) as Said;
    expect(said).toMatchObject({ outcome: 'refused', error: { rule: 'EN-15', retry } });
    expect([clock.asked(), await it.effects()]).toEqual([1, before]);
  });

  it('goes on where the platform was asked and agrees', async () => {
    const { it, made: args } = await opened();
    const { parts } = it;
    const clock = clockOf(() => 0, parts.ports.clock.now);
    const engine = createEngine({ ...parts, ports: { ...parts.ports, ...clock.ports } });
    const said = (await engine.call(toolName(name), args, agent)) as Said;
    expect([said.error?.rule, clock.asked()]).not.toContain('EN-15');
    expect(clock.asked()).toBe(1);
  });
});

describe('the platform is asked for the time', () => {
  it('once in a while, and again when our own clock was set', async () => {
    const it = await world();
    const { parts } = it;
    let now = begins;
    const clock = clockOf(
      () => 0,
      () => now,
    );
    const engine = createEngine({ ...parts, ports: { ...parts.ports, ...clock.ports } });
    const asked: number[] = [];
    for (const [index, minutes] of [0, 1, 14, 16, 17, -60].entries()) {
      now = begins + minutes * 60_000;
      await engine.call('initiate_purchase', order({ reference: `order-${index}` }), agent);
      asked.push(clock.asked());
    }
    expect(asked).toEqual([1, 1, 1, 2, 2, 3]);
  });

  it('at each call while the clocks differ, so that money moves as soon as they agree', async () => {
    const { parts } = await world();
    let ahead = hour;
    const clock = clockOf(() => ahead, parts.ports.clock.now);
    const engine = createEngine({ ...parts, ports: { ...parts.ports, ...clock.ports } });
    const rules: (string | undefined)[] = [];
    for (const next of [hour, hour, 0, 0]) {
      ahead = next;
      const said = await engine.call('initiate_purchase', order({ reference: `order-${rules.length}` }), agent);
      rules.push((said as Said).error?.rule === 'EN-15' ? 'EN-15' : undefined);
    }
    expect([rules, clock.asked()]).toEqual([['EN-15', 'EN-15', undefined, undefined], 3]);
  });

  it('not for what moves no money', async () => {
    const it = await world();
    const { parts } = it;
    const clock = clockOf(() => hour, parts.ports.clock.now);
    const engine = createEngine({ ...parts, ports: { ...parts.ports, ...clock.ports } });
    expect((await engine.call('enroll_card', { card: 'card_ada' }, agent)).outcome).toBe('done');
    expect(clock.asked()).toBe(0);
  });
});
