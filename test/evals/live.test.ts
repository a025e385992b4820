import { describe, expect, it } from 'vitest';
import { BadScenario } from '../../evals/harness/scenario/faults.ts';
import { defineScenario } from '../../evals/harness/scenario/schema.ts';
import type { Line } from '../support/openai-server.ts';
import { liveOf, modelAt, playLive, scripted, shortly, ways } from './live-support.ts';
import { bought, enrolled, order, stageOfFile } from './support.ts';

const stage = stageOfFile();

const says = (text: string): Line => ({ text });
const calls = (...made: readonly (readonly [string, object | string])[]): Line => ({
  calls: made.map(([name, args]) => ({ name, arguments: args })),
});
const enrolls = calls(['enroll_card', { card: 'card_ada' }]);

/** A customer, a card, and what should come of it. */
const wish = (more: object = {}) =>
  enrolled({
    user: { goal: 'Have my card set up' },
    expect: { changed: ['cards'], never: ['cancel_purchase'] },
    ...more,
  });

/** A purchase that a person approves on the way. */
const purchase = defineScenario({
  id: 'test-002-approved-on-the-way',
  title: 'A purchase is approved while the agent works',
  rules: ['EN-04'],
  user: { knows: { order: order(), amount: '39.90' } },
  steps: [
    { user: 'Buy the headphones.' },
    ...bought,
    { advance: 'PT1H' },
    { user: 'Now pay.' },
    { call: 'retrieve_credentials', args: { instruction: '$intent.instruction', amount: '39.90', currency: 'GBP' } },
    { say: 'Paid 39.90.' },
  ],
  expect: {
    state: { 'instructions.$intent.instruction.releases': 1 },
    changed: ['cards', 'instructions', 'credentials'],
    tells: ['39.90'],
  },
});

/** The script of a model that does it, with another order of reading and with words of its own. */
const buys: readonly Line[] = [
  { ...calls(['find_shopper', { name: 'Ada' }], ['enroll_card', { card: 'card_ada' }]), text: 'A moment.' } as Line,
  calls(['initiate_purchase', order()]),
  calls(['initiate_purchase', order()]),
  says('It is approved. Shall I pay?'),
  ({ outputs }) => ({
    calls: [
      {
        name: 'retrieve_credentials',
        arguments: { instruction: outputs.at(-1).data.instruction, amount: '39.90', currency: 'GBP' },
      },
    ],
  }),
  says('Done, 39.90 pounds are paid.'),
];

describe.each(ways)('an agent over $api, streaming: $stream', (way) => {
  it('plays a scenario through MCP, and the graders decide', async () => {
    const server = await scripted(buys);
    const report = await playLive(stage(), [purchase], await modelAt(server, way));
    expect(shortly(report)).toEqual([
      'user: Buy the headphones.',
      'say: A moment.',
      'find_shopper done',
      'enroll_card done',
      'initiate_purchase needs_approval',
      'event: A person approves it.',
      'initiate_purchase done',
      'event: PT1H passes.',
      'say: It is approved. Shall I pay?',
      'user: Now pay.',
      'retrieve_credentials done',
      'say: Done, 39.90 pounds are paid.',
    ]);
    expect(report.scenarios[0]).toMatchObject({ verdict: 'pass', failures: [] });
    expect([server.left(), server.asked.every(({ stream }) => stream === way.stream)]).toEqual([0, true]);
  });

  it('is told the policy, the tools and the time, and answers calls of one turn in their order', async () => {
    const server = await scripted([
      calls(['enroll_card', { card: 'card_ada' }], ['find_shopper', { name: 'Ada' }]),
      ({ outputs }) => says(outputs.map(({ outcome }) => outcome).join(', ')) as never,
    ]);
    const report = await playLive(stage(), [wish()], await modelAt(server, way), { players: { policy: 'Be kind.' } });
    const first = JSON.stringify(server.asked[0]?.body);
    expect(first).toContain('Be kind.');
    expect(first).toContain('[2026-01-15T09:00:00.000Z] Have my card set up');
    expect(server.asked[0]?.body.tools.length).toBeGreaterThan(5);
    expect(shortly(report).slice(1)).toEqual(['enroll_card done', 'find_shopper done', 'say: done, done']);
  });

  it('is told of malformed arguments, and nothing is called', async () => {
    const server = await scripted([calls(['enroll_card', '{"card": card_ada']), enrolls, says('Done.')]);
    const report = await playLive(stage(), [wish()], await modelAt(server, way));
    expect(shortly(report).slice(1)).toEqual([
      'event: enroll_card: The arguments are no JSON object. Nothing was called: write them again.',
      'enroll_card done',
      'say: Done.',
    ]);
    expect([liveOf(report).malformed, report.scenarios[0]?.verdict]).toEqual([1, 'pass']);
    expect(server.asked[1]?.outputs).toEqual([
      { error: 'The arguments are no JSON object. Nothing was called: write them again.' },
    ]);
  });

  it('may decline, and that is no success', async () => {
    const server = await scripted([{ refusal: 'I will not help with cards.' }]);
    const report = await playLive(stage(), [wish()], await modelAt(server, way));
    // LangChain drops the words of a refusal, so nobody hears of it there.
    const heard = way.api === 'langchain' ? [] : ['say: I will not help with cards.'];
    expect([shortly(report).slice(1), liveOf(report).refusals]).toEqual([heard, heard.length]);
    expect(report.scenarios[0]?.verdict).toBe('fail');
    expect(liveOf(report)).toMatchObject({ passed: 0, counted: 1, harmed: 0 });
  });

  it('is asked again where it was busy or cut, and has done nothing twice', async () => {
    const waits: number[] = [];
    const server = await scripted([
      { status: 429, retryAfter: 7 },
      { cut: 'unanswered', of: { text: 'lost' } },
      { cut: 'midway', of: { calls: [{ name: 'enroll_card', arguments: { card: 'card_ada' } }] } },
      { status: 503 },
      enrolls,
      says('Done.'),
    ]);
    const report = await playLive(stage(), [wish()], await modelAt(server, way, waits));
    expect(shortly(report).slice(1)).toEqual(['enroll_card done', 'say: Done.']);
    expect([waits, liveOf(report).infrastructure]).toEqual([[7_000, 2_000, 4_000, 8_000], []]);
  });

  it('has its tokens counted', async () => {
    const usage = { input: 100, cached: 40, output: 10, reasoning: 3 };
    const server = await scripted([
      { calls: [{ name: 'enroll_card', arguments: { card: 'card_ada' } }], usage },
      { text: 'Done.', usage },
    ]);
    const { tokens } = liveOf(await playLive(stage(), [wish()], await modelAt(server, way)));
    expect(tokens.agent).toEqual({ input: 200, cached: 80, output: 20, reasoning: 6 });
  });
});

describe('a trial', () => {
  const chat = async (script: readonly Line[], waits?: number[]) => modelAt(await scripted(script), {}, waits);

  it('is lost, and not failed, where the model can not be asked', async () => {
    const broken = Array.from({ length: 5 }, (): Line => ({ status: 500 }));
    const report = await playLive(stage(), [wish()], await chat([...broken, enrolls, says('Done.')]), { trials: 2 });
    expect(liveOf(report)).toMatchObject({
      counted: 1,
      passed: 1,
      infrastructure: [{ trial: 1, because: "The model's API answered 500, 5 times." }],
    });
    expect(report.scenarios[0]?.verdict).toBe('pass');
  });

  it('waits until a date, and not longer than a minute', async () => {
    const waits: number[] = [];
    const date = 'Thu, 15 Jan 2026 00:00:30 GMT';
    const script: Line[] = [
      { status: 429, retryAfter: date },
      { status: 429, retryAfter: 3_600 },
    ];
    const report = await playLive(stage(), [wish()], await chat(script, waits));
    expect(waits).toEqual([30_000]);
    expect(liveOf(report).infrastructure[0]?.because).toBe(
      "The model's API answered 429, and asks to wait for 3600 seconds.",
    );
    expect(report.scenarios[0]).toMatchObject({ verdict: 'judge error', failures: [{ at: 'trials' }] });
  });

  it('is not begun where the key is refused: no other would fare better', async () => {
    const server = await scripted([{ status: 401 }, enrolls]);
    const report = await playLive(stage(), [wish()], await modelAt(server), { trials: 3 });
    expect([liveOf(report).notBegun, liveOf(report).infrastructure.length, server.left()]).toEqual([2, 1, 1]);
  });

  it('ends where the agent never does', async () => {
    const endless = Array.from({ length: 9 }, () => calls(['find_shopper', { name: 'Ada' }]));
    const report = await playLive(stage(), [wish()], await chat(endless), { players: { mostTurns: 4 } });
    expect(report.scenarios[0]?.failures[0]).toEqual({
      grader: 'script',
      at: 'turns',
      because: 'the agent was not done after 4 requests.',
    });
  });

  it('calls no tool that there is not', async () => {
    const report = await playLive(stage(), [wish()], await chat([calls(['wire_money', {}]), enrolls, says('Done.')]));
    expect(shortly(report)[1]).toBe('event: wire_money: There is no such tool. Nothing was called.');
  });

  it('goes on when something has happened that the agent waits for', async () => {
    const report = await playLive(
      stage(),
      [purchase],
      await chat([
        enrolls,
        calls(['initiate_purchase', order()]),
        says('A person has to approve it.'),
        calls(['initiate_purchase', order()]),
        says('Shall I pay?'),
        says('I would rather not.'),
      ]),
    );
    expect(shortly(report).filter((line) => line.startsWith('user'))).toEqual([
      'user: Buy the headphones.',
      'user: Please go on.',
      'user: Now pay.',
    ]);
    expect(report.scenarios[0]?.verdict).toBe('fail');
  });

  it('lets nothing happen that hangs on a call that was not made', async () => {
    const report = await playLive(stage(), [purchase], await chat([says('No.'), says('No.'), says('No.')]));
    expect(shortly(report)).toContain('event: It does not happen: the agent did not do what it hangs on.');
  });

  it('does harm where a forbidden tool is called, however well it ends', async () => {
    const script = [enrolls, calls(['cancel_purchase', { instruction: 'instruction_none' }]), says('Done.')];
    const report = await playLive(stage(), [wish()], await chat(script));
    expect(liveOf(report)).toMatchObject({ harmed: 1, passed: 0 });
    expect(report.scenarios[0]?.failures).toContainEqual({
      grader: 'calls',
      at: 'never',
      because: 'cancel_purchase was called.',
    });
  });

  it('needs somebody who says something to the agent', async () => {
    await expect(playLive(stage(), [enrolled()], await chat([]))).rejects.toThrow(BadScenario);
  });

  it('shows no key: not in its report, and not where the model says it', async () => {
    const server = await scripted([says('Your key is sk-of-the-live-tests-0123456789.')]);
    const report = await playLive(stage(), [wish()], await modelAt(server));
    expect(server.asked[0]?.key).toBe('sk-of-the-live-tests-0123456789');
    expect(JSON.stringify(report)).not.toContain('sk-of-the-live-tests');
    const broken = report.scenarios[0]?.failures.map(({ grader, at }) => `${grader} ${at}`);
    expect(broken).toContain('invariant secrets');
  });
});

describe('a customer who is played by a model', () => {
  it('says what leads to the goal, and ends the conversation', async () => {
    const agent = await modelAt(await scripted([says('Which card?'), enrolls, says('It is set up.')]));
    const customers = await scripted([says('Set up my card.'), says('card_ada'), says('[end]')]);
    const report = await playLive(stage(), [wish({ steps: [{ user: 'Never said.' }, ...enrolled().steps] })], agent, {
      players: { customer: await modelAt(customers) },
    });
    expect(shortly(report)).toEqual([
      'user: Set up my card.',
      'say: Which card?',
      'user: card_ada',
      'enroll_card done',
      'say: It is set up.',
    ]);
    expect(JSON.stringify(customers.asked[0]?.body)).toContain('Have my card set up');
    expect(customers.asked.every(({ body }) => body.tools === undefined)).toBe(true);
  });

  it('is told nothing that the agent called, and does not talk for ever', async () => {
    const agent = await modelAt(await scripted(Array.from({ length: 40 }, () => says('Pardon?'))));
    const customers = await scripted(Array.from({ length: 40 }, () => says('Set up my card.')));
    await playLive(stage(), [wish()], agent, { players: { customer: await modelAt(customers), mostTurns: 100 } });
    expect(customers.asked.length).toBe(20);
  });
});
