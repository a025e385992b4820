import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { aiSdkTools } from '../../src/adapters/ai-sdk.ts';
import { createCatalogue } from '../../src/adapters/catalogue.ts';
import { langchainTools } from '../../src/adapters/langchain.ts';
import { openaiTools } from '../../src/adapters/openai.ts';
import { fromStrict, strictSchema, wholeSchema } from '../../src/adapters/schema.ts';
import type { Answer } from '../../src/engine/answer.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { listedInput } from '../../src/engine/schema.ts';
import { tools } from '../../tools/index.ts';
import { agent } from '../engine/support.ts';
import { argumentsOf, understood } from './fitting.ts';
import { strictly } from './strictly.ts';

// The schemas that models see, and what becomes of the arguments they write under them.

type Schema = { readonly [keyword: string]: unknown };

/** An engine that does nothing but hear what it is called with. */
function listening() {
  const heard: { readonly tool: string; readonly args: unknown }[] = [];
  const answer: Answer = { outcome: 'done', environment: 'sandbox', said: '', next: [] };
  const engine: Pick<Engine, 'tools' | 'environment' | 'call' | 'of'> = {
    tools,
    of: () => engine as Engine,
    environment: 'sandbox',
    call: async (tool, args) => {
      heard.push({ tool, args });
      return answer;
    },
  };
  return { engine: engine as Engine, heard }; // an adapter needs its other parts for approvals alone
}

const { engine } = listening();
const { chat, responses } = openaiTools(engine);
const strict = new Map(chat.map(({ function: { name, parameters } }) => [name, parameters as Schema]));

/** Every schema within a schema, itself first. */
function* within(schema: Schema): Generator<Schema> {
  yield schema;
  for (const child of Object.values((schema.properties ?? {}) as Record<string, Schema>)) yield* within(child);
  if (schema.items !== undefined) yield* within(schema.items as Schema);
}

// As the provider's guide to structured outputs lists them.
const supported = [
  ...['type', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'const', 'description'],
  ...['pattern', 'format', 'multipleOf', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'],
  ...['minItems', 'maxItems'],
];
const formats = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'];

describe('the strict schemas', () => {
  it('are those of every tool, in its words, the same in both forms of the API', () => {
    expect(chat.map(({ function: it }) => [it.name, it.description, it.strict])).toEqual(
      tools.map(({ name, description }) => [name, description, true]),
    );
    expect(responses).toEqual(chat.map(({ function: it }) => ({ type: 'function', ...it })));
  });

  it.each([...strict])('%s: every object is closed and requires all it has', (_, schema) => {
    expect(schema.type).toBe('object');
    const objects = [...within(schema)].filter(({ type }) => [type].flat().includes('object'));
    for (const { properties, required, additionalProperties } of objects)
      expect({ required, additionalProperties }).toEqual({
        required: Object.keys(properties as object),
        additionalProperties: false,
      });
  });

  it.each([...strict])('%s: only what a strict schema may say', (_, schema) => {
    const all = [...within(schema)];
    expect(all.flatMap((it) => Object.keys(it)).filter((keyword) => !supported.includes(keyword))).toEqual([]);
    expect(all.flatMap(({ format = [] }) => format).filter((format) => !formats.includes(String(format)))).toEqual([]);
    expect(all.filter(({ type }) => type === undefined)).toEqual([]);
  });

  it.each(tools.map((tool) => [tool.name, tool] as const))(
    '%s: what may be left out may be null, and nothing else',
    (name, { inputSchema }) => {
      const properties = strict.get(name)?.properties as Record<string, Schema>;
      const nullable = Object.entries(properties).filter(([, { type }]) => [type].flat().includes('null'));
      const optional = Object.entries(inputSchema.shape).filter(([, it]) => it.safeParse(undefined).success);
      expect(nullable.map(([key]) => key)).toEqual(optional.map(([key]) => key));
    },
  );

  it('keep what constrains an argument as far as they can say it', () => {
    const { properties } = strict.get('initiate_purchase') as { properties: Record<string, Schema> };
    expect(properties).toMatchObject({
      limit: { properties: { currency: { pattern: '^[A-Z]{3}$' } } },
      until: { type: 'string', format: 'date-time' },
      every: { type: ['string', 'null'], enum: ['week', 'month', 'year', null] },
      category_code: { type: ['string', 'null'], pattern: '^\\d{4}$' },
    });
    expect(strict.get('find_shopper')).toMatchObject({
      properties: { limit: { type: ['integer', 'null'], minimum: 1, maximum: 100 } },
    });
  });

  it('say free JSON as text', () => {
    expect(strict.get('preview_call')).toMatchObject({
      properties: { arguments: { type: 'string', description: 'Its arguments. As JSON text.' } },
    });
  });

  it.each([
    ['a union', z.union([z.string(), z.strictObject({ name: z.string() })])],
    ['anything', z.unknown()],
  ])('are not made of what they can not say: %s', (_, argument) => {
    expect(() => strictSchema(wholeSchema(z.strictObject({ argument })))).toThrow("a strict schema can't describe");
  });

  it('say a format that they have, a pattern where they have not, and a value that may be null', () => {
    const shape = z.strictObject({
      at: z.iso.datetime(),
      url: z.url().regex(/^https:/),
      kind: z.literal('A').optional(),
    });
    expect(strictSchema(wholeSchema(shape)).properties).toEqual({
      at: { type: 'string', format: 'date-time' },
      url: { type: 'string', pattern: '^https:' },
      kind: { type: ['string', 'null'], enum: ['A', null] },
    });
  });

  it('reach into arrays and objects', () => {
    const whole = wholeSchema(
      z.strictObject({ items: z.array(z.strictObject({ name: z.string(), note: z.string().optional() })).max(3) }),
    );
    expect(strictSchema(whole)).toMatchObject({
      properties: {
        items: {
          maxItems: 3,
          items: { required: ['name', 'note'], properties: { note: { type: ['string', 'null'] } } },
        },
      },
    });
    expect(fromStrict(whole, { items: [{ name: 'a', note: null }, { name: null }, 1] })).toEqual({
      items: [{ name: 'a', note: null }, { name: null }, 1],
    });
  });
});

describe("the schemas of LangChain's tools", () => {
  it('are those that MCP lists, in the same words', async () => {
    const listed = await langchainTools(engine, agent);
    expect(listed.map(({ name, description, schema }) => ({ name, description, schema }))).toEqual(
      tools.map(({ name, description, inputSchema }) => ({ name, description, schema: listedInput(inputSchema) })),
    );
  });

  it('are the strict ones where that is asked for', async () => {
    const listed = await langchainTools(engine, agent, { strict: true });
    expect(listed.map(({ name, schema }) => [name, schema])).toEqual([...strict]);
  });
});

describe("the schemas of the AI SDK's tools", () => {
  const listedBy = async (isStrict: boolean) => {
    const listed = await aiSdkTools(engine, agent, { strict: isStrict });
    return Object.entries(listed.tools).map(([name, { description, inputSchema, strict }]) => {
      const { jsonSchema } = inputSchema as unknown as { readonly jsonSchema: Schema }; // as `jsonSchema` of the SDK made it
      return { name, description, schema: jsonSchema, strict };
    });
  };

  it('are those that MCP lists, in the same words', async () => {
    expect(await listedBy(false)).toEqual(
      tools.map(({ name, description, inputSchema }) => ({
        name,
        description,
        schema: listedInput(inputSchema),
        strict: undefined,
      })),
    );
  });

  it('are the strict ones where that is asked for', async () => {
    expect((await listedBy(true)).map(({ name, schema, strict: isStrict }) => [name, schema, isStrict])).toEqual(
      [...strict].map(([name, schema]) => [name, schema, true]),
    );
  });
});

describe.each([...argumentsOf])('what a model writes for %s', (name, given) => {
  const schema = z.fromJSONSchema(strict.get(name) as Parameters<typeof z.fromJSONSchema>[0]);
  const { engine: hearing, heard } = listening();
  const { run } = openaiTools(hearing);

  it('under the strict schema reaches the engine as the arguments it means', async () => {
    await fc.assert(
      fc.asyncProperty(given, async (args) => {
        expect(tools.find((tool) => tool.name === name)?.inputSchema.safeParse(args).error).toBeUndefined();
        const written = strictly(name, args);
        expect(schema.safeParse(written).error).toBeUndefined();
        const call = { name, arguments: JSON.stringify(written) };
        await run({ id: 'call_1', type: 'function', function: call }, agent);
        await run({ call_id: 'call_1', type: 'function_call', ...call }, agent);
        const reached = heard.splice(0).map((it) => understood(it.tool, it.args));
        expect(reached).toStrictEqual(Array(2).fill(understood(name, args)));
      }),
      { numRuns: 25, seed: 1 },
    );
  });

  it('without a strict schema reaches the engine as it stands', async () => {
    const tool = (await langchainTools(hearing, agent)).find((it) => it.name === name);
    const { execute } = (await aiSdkTools(hearing, agent)).tools[name] ?? {};
    await fc.assert(
      fc.asyncProperty(given, async (args) => {
        await run({ id: 'call_1', type: 'function', function: { name, arguments: JSON.stringify(args) } }, agent);
        await tool?.invoke({ type: 'tool_call', id: 'call_1', name, args: { ...args } });
        await execute?.(args, { toolCallId: 'call_1', messages: [], context: {} });
        expect(heard.splice(0)).toStrictEqual(Array(3).fill({ tool: name, args }));
      }),
      { numRuns: 25, seed: 1 },
    );
  });
});

describe('what fits no schema', () => {
  it.each([
    ['a null that is required', { card: null }],
    ['a stranger that is null', { card: 'card_ada', cvv: null }],
    ['a prototype', JSON.parse('{"card":"card_ada","__proto__":{"tools":1}}')],
    ['a list', ['card_ada']],
    ['a number', 7],
  ])('is left for the engine to refuse: %s', (_, given) => {
    expect(createCatalogue(engine, {}).read('enroll_card', given)).toStrictEqual(given);
  });

  it.each([
    ['no JSON', 'card_ada', 'card_ada'],
    ['a list', '[1]', [1]],
    ['an object, as it is', { card: 'card_ada' }, { card: 'card_ada' }],
  ])("is left in a preview's arguments, too: %s", (_, given, expected) => {
    const args = { tool: 'enroll_card', arguments: given };
    expect(createCatalogue(engine, {}).read('preview_call', args)).toEqual({ ...args, arguments: expected });
  });

  it('has no depth that exhausts the stack', () => {
    const deep = (open: string, close: string) => JSON.parse(`${open.repeat(20_000)}1${close.repeat(20_000)}`);
    const { read } = createCatalogue(engine, {});
    for (const given of [deep('[', ']'), deep('{"tool":"preview_call","arguments":', '}')])
      expect(() => ['preview_call', 'find_shopper', 'no_tool'].map((name) => read(name, given))).not.toThrow();
  });
});
