import { describe, expect, it } from 'vitest';
import { aiSdkTools } from '../../src/adapters/ai-sdk.ts';
import type { AdapterOptions } from '../../src/adapters/catalogue.ts';
import { langchainTools } from '../../src/adapters/langchain.ts';
import { openaiTools } from '../../src/adapters/openai.ts';
import type { Answer } from '../../src/engine/answer.ts';
import { recordDecision } from '../../src/engine/approval-service.ts';
import { agent, order, person, type World, world } from '../engine/support.ts';
import { files, read } from '../house/files.ts';
import { playRowsOneIn } from '../support/drawn.ts';
import type { Line } from '../support/openai-server.ts';
import { type Host, hosts, scripted } from './hosts.ts';
import { strictly } from './strictly.ts';

playRowsOneIn(3);

// What models, their servers and hosts do wrong, and that none of it is answered by doing something twice, or unasked.

const openaiHosts = hosts.filter(({ name }) => name.startsWith('OpenAI'));
const done = 'All is said.';
const wrote = (host: Host, tool: string, args: object) => ({
  name: tool,
  arguments: host.strict ? strictly(tool, args) : args,
});

/** Plays a script to a host on a fresh world. */
async function stage(host: Host, script: readonly Line[], options: AdapterOptions = {}, maxRetries = 0) {
  const it = await world();
  const model = await scripted(script);
  const answers: Answer[] = [];
  const talk = () => host.talk({ it, model, options, maxRetries, heard: async (answer) => void answers.push(answer) });
  return { it, model, answers, talk };
}

const untouched = async (here: World): Promise<void> => {
  expect([await here.effects(), await here.operations()]).toEqual([[], []]);
};

const wrongArguments = {
  outcome: 'refused',
  environment: 'sandbox',
  said: 'The arguments must be an object.',
  next: [],
  error: { code: 'INVALID_ARGUMENT', retry: 'changed_call', field: 'arguments', rule: 'EN-01' },
};
const noSuchTool = {
  outcome: 'refused',
  environment: 'sandbox',
  said: 'There is no such tool.',
  next: [],
  error: { code: 'UNKNOWN_TOOL', retry: 'never', rule: 'EN-01' },
};

const twice: Line = { calls: [{ name: 'enroll_card', arguments: '{"card": "card_bo", "card": "card_ada"}' }] };
const broken: Line = { calls: [{ name: 'enroll_card', arguments: '{"card": "card_ada"' }] };

describe.each(openaiHosts.filter(({ name }) => !name.endsWith('streaming')))('a model: $name', (host) => {
  it('hears that its arguments are no JSON, may mend them, and nothing happened meanwhile', async () => {
    const {
      it: here,
      answers,
      talk,
    } = await stage(host, [broken, { calls: [wrote(host, 'enroll_card', { card: 'card_ada' })] }, { text: done }]);
    expect(await talk()).toBe(done);
    expect(answers).toEqual([wrongArguments, expect.objectContaining({ outcome: 'done' })]);
    expect(await here.effects()).toMatchObject([{ operation: 'enrollCard' }]);
  });
});

it('a model that gives an argument twice is refused: a host may have shown the other one', async () => {
  const { it: here, answers, talk } = await stage(openaiHosts[0] as Host, [twice, { text: done }]);
  expect(await talk()).toBe(done);
  expect(answers).toEqual([wrongArguments]);
  await untouched(here);
});

describe.each(openaiHosts.filter(({ name }) => name.endsWith('streaming')))('a model: $name', (host) => {
  it("whose arguments are no JSON is stopped by the SDK's own helper, and nothing happened", async () => {
    const { it: here, answers, talk } = await stage(host, [broken]);
    await expect(talk()).rejects.toThrow('invalid structured output JSON');
    expect(answers).toEqual([]);
    await untouched(here);
  });
});

describe.each(openaiHosts)('a model: $name', (host) => {
  it('hears that there is no such tool', async () => {
    const {
      it: here,
      answers,
      talk,
    } = await stage(host, [{ calls: [{ name: 'give_money', arguments: {} }] }, { text: done }]);
    expect(await talk()).toBe(done);
    expect(answers).toEqual([noSuchTool]);
    await untouched(here);
  });
});

describe.each(hosts)('a model: $name', (host) => {
  it('that makes the same purchase twice at once makes one, and its person is asked once', async () => {
    let asked = 0;
    const buy = wrote(host, 'initiate_purchase', order());
    const {
      it: here,
      answers,
      talk,
    } = await stage(
      host,
      [
        { calls: [wrote(host, 'find_shopper', {}), wrote(host, 'enroll_card', { card: 'card_ada' })] },
        { calls: [buy, buy] },
        { text: done },
      ],
      {
        approve: async () => {
          asked += 1;
          return 'approve';
        },
      },
    );
    expect(await talk()).toBe(done);
    const [, , first, second] = answers;
    expect(first).toMatchObject({ outcome: 'done', data: { state: 'ACTIVE' } });
    expect([first?.replayed, second?.replayed].filter((replayed) => replayed)).toEqual([true]);
    expect({ ...second, replayed: true }).toEqual({ ...first, replayed: true });
    expect(asked).toBe(1);
    expect((await here.effects()).map(({ operation }) => operation)).toEqual(['enrollCard', 'initiatePurchase']);
  });

  it('that refuses changes nothing', async () => {
    const { it: here, talk } = await stage(host, [{ refusal: 'I would rather not.' }]);
    expect(['I would rather not.', '']).toContain(await talk()); // LangChain keeps it to itself over Chat Completions
    await untouched(here);
  });

  it.each<[string, Line]>([
    ['too many requests', { status: 429, retryAfter: 0 }],
    ['a connection cut before the answer', { cut: 'unanswered', of: { text: done } }],
    [
      'a connection cut within a call',
      { cut: 'midway', of: { calls: [wrote(host, 'enroll_card', { card: 'card_ada' })] } },
    ],
  ])('whose server fails has changed nothing, and goes on when asked again: %s', async (_, failure) => {
    const enroll = { calls: [wrote(host, 'enroll_card', { card: 'card_ada' })] };
    const { it: here, model, talk } = await stage(host, [failure, enroll, { text: done }]);
    await expect(talk()).rejects.toThrow();
    await untouched(here);
    expect(await talk()).toBe(done);
    expect(model.left()).toBe(0);
    expect(await here.effects()).toHaveLength(1);
  });
});

it('OpenAI functions answer arguments that are no text', async () => {
  const here = await world();
  const { run } = openaiTools(here.running.engine);
  const made = async (given: unknown) => {
    const asked = { type: 'function_call', call_id: 'c', name: 'get_limits', arguments: given } as never; // what no type allows
    return JSON.parse(((await run(asked, agent)) as unknown as { readonly output: string }).output) as Answer;
  };
  const outcomes = [];
  for (const given of [undefined, null, {}, { limit: 'x' }, 5, [], true]) outcomes.push((await made(given)).outcome);
  expect(outcomes).toEqual(['done', 'done', 'done', 'refused', 'refused', 'refused', 'refused']);
});

describe.each(openaiHosts)('a client that tries again: $name', (host) => {
  it('after 429 waits as it is told and goes on', async () => {
    const script: Line[] = [{ status: 429, retryAfter: 0 }, { text: done }];
    const { it: here, model, talk } = await stage(host, script, {}, 1);
    expect(await talk()).toBe(done);
    expect(model.asked.length).toBe(2);
    await untouched(here);
  });
});

describe('arguments as text', () => {
  const run = async (text: string, tool = 'enroll_card') => {
    const here = await world();
    const tools = openaiTools(here.running.engine);
    const call = { name: tool, arguments: text };
    const { content } = await tools.run({ id: 'call_1', type: 'function', function: call }, agent);
    await untouched(here);
    return JSON.parse(String(content));
  };

  it.each([
    '{',
    '{"card":"card_ada"',
    '{\n  "card": card_ada\n}',
    'card_ada',
    '"card_ada"',
    '[]',
    '7',
    '{"card":"card_ada"}}',
  ])('that are no object are refused: %j', async (text) => {
    expect(await run(text)).toEqual(wrongArguments);
  });

  it.each(['', '  ', '{}', 'null'])('that are nothing are none: %j', async (text) => {
    expect(await run(text, 'get_limits')).toMatchObject({ outcome: 'done' });
    expect(await run(text)).toMatchObject({ outcome: 'refused', error: { rule: 'EN-01', field: 'card' } });
  });

  it('that are broken and hold a card number are told so, and it is repeated nowhere', async () => {
    const answer = await run('{"card": "4111 1111 1111 1111"');
    expect(answer).toMatchObject({ outcome: 'refused', error: { rule: 'EN-05' } });
    expect(JSON.stringify(answer)).not.toContain('4111');
  });

  it('of a custom tool are refused, as Purser has none', async () => {
    const here = await world();
    const { run: call } = openaiTools(here.running.engine);
    const custom = { id: 'call_1', type: 'custom', custom: { name: 'shell', input: 'rm -r .' } } as const;
    expect(JSON.parse(String((await call(custom, agent)).content))).toEqual(noSuchTool);
  });
});

describe('tools that are chosen', () => {
  const chosen = ['list_operations', 'find_shopper'];

  it('are listed alone, in the order of the catalogue', async () => {
    const { running } = await world();
    const { chat, responses } = openaiTools(running.engine, { tools: chosen });
    const names = ['find_shopper', 'list_operations'];
    expect(chat.map((tool) => tool.function.name)).toEqual(names);
    expect(responses.map(({ name }) => name)).toEqual(names);
    expect((await langchainTools(running.engine, agent, { tools: chosen })).map(({ name }) => name)).toEqual(names);
    expect(Object.keys((await aiSdkTools(running.engine, agent, { tools: chosen })).tools)).toEqual(names);
    expect(openaiTools(running.engine, { tools: [] }).chat).toEqual([]);
  });

  it('are called alone: any other is as unknown as one that never was', async () => {
    const here = await world();
    const { run } = openaiTools(here.running.engine, { tools: chosen });
    const call = { name: 'enroll_card', arguments: '{"card":"card_ada"}' };
    const { output } = await run({ call_id: 'call_1', type: 'function_call', ...call }, agent);
    expect(JSON.parse(String(output))).toEqual(noSuchTool);
    await untouched(here);
  });

  it('must exist', async () => {
    const { running } = await world();
    const tools = ['find_shopper', 'find_shoper'];
    expect(() => openaiTools(running.engine, { tools })).toThrow('There is no tool find_shoper');
    await expect(langchainTools(running.engine, agent, { tools })).rejects.toThrow('There is no tool find_shoper');
    await expect(aiSdkTools(running.engine, agent, { tools })).rejects.toThrow('There is no tool find_shoper');
  });
});

describe('a person whom the host asks', () => {
  type Approve = NonNullable<AdapterOptions['approve']>;

  /** Asks for a purchase and hears what comes of it. */
  const ask = async (approve: (here: World) => Approve) => {
    const here = await world();
    await here.call('enroll_card', { card: 'card_ada' });
    const heard: unknown[] = [];
    const { run } = openaiTools(here.running.engine, { approve: approve(here), onFailure: (it) => heard.push(it) });
    const buy = async (): Promise<Answer> => {
      const call = { name: 'initiate_purchase', arguments: JSON.stringify(order()) };
      return JSON.parse(String((await run({ id: 'call_1', type: 'function', function: call }, agent)).content));
    };
    const made = async () => (await here.effects('initiatePurchase')).length;
    return { here, buy, heard, made };
  };
  const waits = { outcome: 'needs_approval', error: { code: 'APPROVAL_REQUIRED', rule: 'EN-04' } };

  it('may leave it open: then it waits for people elsewhere', async () => {
    const { here, buy, made } = await ask(() => async () => undefined);
    const answer = await buy();
    expect(answer).toMatchObject(waits);
    expect(await made()).toBe(0);
    await recordDecision(here.running.engine.parts, String(answer.approval?.id), 'approve', person);
    expect(await buy()).toMatchObject({ outcome: 'done' });
  });

  it('may say no: nothing is sent, and the same call asks anew', async () => {
    const verdicts = ['deny', 'approve'] as const;
    let asked = 0;
    const { buy, made } = await ask(() => async () => verdicts[asked++]);
    expect(await buy()).toMatchObject({ outcome: 'refused', error: { code: 'APPROVAL_DENIED' } });
    expect(await made()).toBe(0);
    expect(await buy()).toMatchObject({ outcome: 'done' });
    expect([asked, await made()]).toEqual([2, 1]);
  });

  it('is asked once by calls at once, and their no is for both', async () => {
    let asked = 0;
    const { buy, made } = await ask(() => async () => {
      asked += 1;
      return 'deny';
    });
    const answers = await Promise.all([buy(), buy()]);
    expect(answers.map(({ error }) => error?.code)).toEqual(['APPROVAL_DENIED', 'APPROVAL_DENIED']);
    expect([asked, await made()]).toEqual([1, 0]);
  });

  it('is asked once for each call: a yes that came too late asks for another', async () => {
    let asked = 0;
    const { here, buy, made } = await ask((it) => async () => {
      asked += 1;
      await it.advance(11 * 60);
      return 'approve';
    });
    const answer = await buy();
    expect(answer).toMatchObject(waits);
    expect([asked, await made()]).toEqual([1, 0]);
    const states = await here.call('list_approvals');
    expect(states.data.items.map(({ state }: { state: string }) => state)).toEqual(['REQUESTED', 'EXPIRED']);
  });

  it('can not overrule who was faster', async () => {
    const { buy, made } = await ask((it) => async ({ id }) => {
      await recordDecision(it.running.engine.parts, id, 'deny', person);
      return 'approve';
    });
    expect(await buy()).toMatchObject({ outcome: 'refused', error: { code: 'APPROVAL_DENIED' } });
    expect(await made()).toBe(0);
  });

  it('has said neither yes nor no where the host fails or says something else, and the host hears of its failure', async () => {
    const failure = new Error('The window was closed.');
    const strange: readonly (() => unknown)[] = [
      async () => Promise.reject(failure),
      () => {
        throw failure;
      },
      async () => true,
      async () => 'yes',
      () => null,
    ];
    const told = await Promise.all(
      strange.map(async (approve) => {
        const { buy, heard, made } = await ask(() => approve as Approve); // what hosts in JavaScript may do
        return { answer: await buy(), heard, made: await made() };
      }),
    );
    expect(told.map(({ heard }) => heard)).toEqual([
      [failure],
      [failure],
      [expect.any(Error)],
      [expect.any(Error)],
      [],
    ]);
    for (const { answer, made } of told) expect([answer, made]).toMatchObject([waits, 0]);
  });
});

describe("LangChain's tools", () => {
  const find = async (here: World, name: string) => {
    const tool = (await langchainTools(here.running.engine, agent)).find((it) => it.name === name);
    if (tool === undefined) throw new Error(`There is no tool ${name}.`);
    return tool;
  };

  it.each([[{}], [{ card: 7 }], [{ card: 'card_ada', more: 1 }], ['card_ada'], [[]]])(
    'answer wrong arguments and do not throw: %j',
    async (args) => {
      const here = await world();
      const said = await (await find(here, 'enroll_card')).invoke(args);
      expect(JSON.parse(said)).toMatchObject({ outcome: 'refused', error: { rule: 'EN-01' } });
      await untouched(here);
    },
  );

  it('answer a call without id with content alone', async () => {
    const here = await world();
    const said = await (await find(here, 'list_cards')).invoke({ shopper: 'shopper_ada' });
    expect(JSON.parse(said)).toEqual(await here.call('list_cards', { shopper: 'shopper_ada' }));
  });

  it('show callbacks what they were given', async () => {
    const here = await world();
    const heard: unknown[] = [];
    const callbacks = [{ handleToolStart: (_: unknown, input: string) => heard.push(input) }];
    await (await find(here, 'list_cards')).invoke({ shopper: 'shopper_ada' }, { callbacks });
    expect(heard).toEqual([JSON.stringify({ shopper: 'shopper_ada' })]);
  });
});

it('needs no package of a framework to be loaded: types alone are imported, and the rest when it is called for', () => {
  const sources = files(['src/adapters'], ['.ts']).map(read);
  expect(sources.length).toBeGreaterThan(0);
  expect(sources.filter((text) => /^import (?!type\b)[^;]*'(openai|@langchain|ai'|@ai-sdk)/m.test(text))).toEqual([]);
});
