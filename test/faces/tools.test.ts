import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { loadConfiguration } from '../../src/cli/config.ts';
import { toolsOf } from '../../src/cli/selected-tools.ts';
import { contract } from '../../src/domains/index.ts';
import { isReadOnly, toolName } from '../../src/engine/tool.ts';
import { instructionsOf } from '../../src/mcp/instructions.ts';
import { tools, toolsetOf } from '../../tools/index.ts';
import { compact } from '../support/compact.ts';
import { playRowsOneIn } from '../support/drawn.ts';
import { connect, inProcess, type Listed, ways } from './agents.ts';
import { root, world } from './support.ts';

playRowsOneIn(3);

// The list of tools as hosts get it. Each tool has a file in test/snapshots/tools, and a missing, different or extra one
// fails. `UPDATE=1 vitest run test/faces/tools.test.ts` writes the files; review the diff.

const folder = `${root}test/snapshots/tools/`;
const mostTokensEach = 150;
const mostTokens = 11_000;
const mostTokensOfDefault = 4_000;
/** Tokens of the whole list, output schemas and all; a toolset that came later has a bound of its own. */
const mostTokensListed = 12_200;
const mostTokensListedOf: { readonly [toolset: string]: number | undefined } = {
  passkey: 4 * 275,
  conversion: 14 * 240,
  webhooks: 2 * 235,
  reporting: 15 * 268,
  device: 10 * 268,
};
const mostToolsEach = 25;
const toolsets = new Set(tools.flatMap((tool) => toolsetOf(tool) ?? []));
const choosable = tools.map((tool) => ({ name: tool.name, toolset: toolsetOf(tool), isRead: isReadOnly(tool) }));

/** The list as an agent gets it, asked for once. */
const list = (): Promise<readonly Listed[]> => {
  listed ??= world()
    .then((here) => connect(inProcess(here), { pin: '2026-07-28' }))
    .then((agent) => agent.tools());
  return listed;
};
let listed: Promise<readonly Listed[]> | undefined;

/** What every tool answers besides its own data. */
const envelope = {
  type: 'object',
  properties: { outcome: {}, said: {}, next: { type: 'array' } },
  required: ['outcome', 'said', 'next'],
};

/** A tool's own part of the list: its annotations are a table below, and the envelope of its answers is the same for all. */
function ownPart({ title, description, inputSchema, outputSchema }: Listed) {
  const { data, ...properties } = ((outputSchema as { readonly properties?: object } | undefined)?.properties ??
    {}) as Readonly<Record<string, unknown>>;
  expect({ ...outputSchema, properties }).toEqual(envelope);
  return { title, description, input: argumentsOf(inputSchema), data: outlineOf(data) };
}

/** An object as its properties, ` *` after the name of a required one; a list as its item; what else either says comes last. */
function argumentsOf(schema: unknown): unknown {
  const { type, properties, required = [], items, additionalProperties: _, ...more } = schema as InputSchema;
  const rest = Object.keys(more).length === 0 ? [] : [more];
  if (items !== undefined) return [argumentsOf(items), ...rest];
  if (properties === undefined) return schema;
  expect(type).toBe('object');
  const named = Object.entries(properties).map(([name, child]) => [
    required.includes(name) ? `${name} *` : name,
    argumentsOf(child),
  ]);
  return Object.fromEntries([...named, ...rest.map((it) => ['', it])]);
}
interface InputSchema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
  readonly items?: unknown;
  readonly additionalProperties?: unknown;
}

/** A schema as its names: `name`, `name: type`, `{ name: [names] }`, `{ "name[]": [names] }`. Anything else is kept whole. */
function outlineOf(schema: unknown): unknown {
  const { type, properties, items, ...more } = (schema ?? {}) as Readonly<Record<string, unknown>>;
  if (Object.keys(more).length > 0) return schema;
  if (type !== 'object' || items !== undefined)
    return properties === undefined && items === undefined ? (type ?? 'any') : schema;
  return Object.entries(properties ?? {}).map(([name, child]) => {
    const { type: kind, items: item, ...others } = child as Readonly<Record<string, unknown>>;
    const isList = kind === 'array' && item !== undefined && Object.keys(others).length === 0;
    const outline = outlineOf(isList ? item : child);
    if (isList) return { [`${name}[]`]: outline };
    return outline === 'any' ? name : typeof outline === 'string' ? `${name}: ${outline}` : { [name]: outline };
  });
}

/** Every schema within a schema, itself first. */
function* within(schema: unknown): Generator<Readonly<Record<string, unknown>>> {
  if (typeof schema !== 'object' || schema === null) return;
  if (!Array.isArray(schema)) yield schema as Readonly<Record<string, unknown>>;
  for (const child of Object.values(schema)) yield* within(child);
}

/** The tool whose words a description refers to: "as in create_invoice". */
const asIn = (description: string): string | undefined => /\bas in ([a-z_]+)/.exec(description)?.[1];

/** Every leaf of an input: what is neither an object nor a list of objects. */
function* leavesOf(schema: unknown, path = ''): Generator<readonly [string, Readonly<Record<string, unknown>>]> {
  const { properties, items } = (schema ?? {}) as { readonly properties?: object; readonly items?: object };
  if (properties !== undefined)
    for (const [name, child] of Object.entries(properties))
      yield* leavesOf(child, path === '' ? name : `${path}.${name}`);
  else if (items !== undefined && 'properties' in items) yield* leavesOf(items, `${path}[]`);
  else if (path !== '') yield [path, schema as Readonly<Record<string, unknown>>];
}

describe('the snapshots', () => {
  it('are one for each tool and no other', async () => {
    const listed = await list();
    if (process.env.UPDATE === '1') {
      mkdirSync(folder, { recursive: true });
      for (const tool of listed) writeFileSync(`${folder}${tool.name}.json`, `${compact(ownPart(tool))}\n`);
    }
    expect(readdirSync(folder).toSorted(), '`UPDATE=1 npx vitest run test/faces/tools.test.ts` writes them').toEqual(
      listed.map(({ name }) => `${name}.json`).toSorted(),
    );
  });

  it.each(tools.map(({ name }) => [name]))('of %s is what hosts get', async (name) => {
    const tool = (await list()).find((it) => it.name === name);
    expect(tool && ownPart(tool)).toEqual(JSON.parse(readFileSync(`${folder}${name}.json`, 'utf8')));
  });
});

describe('the list', () => {
  it.each(ways)('is the same for everybody: $name', async ({ open }) => {
    const plain = (found: readonly Listed[]) =>
      found.map(({ name, annotations, ...tool }) => ({ name, annotations, ...ownPart({ name, ...tool }) }));
    const { agent } = await open();
    expect(plain(await agent.tools())).toEqual(plain(await list()));
  });

  it('has every tool once, in the order of the catalogue', async () => {
    const names = (await list()).map(({ name }) => name);
    expect(names).toEqual(tools.map(({ name }) => name));
    expect(names.filter((name) => !/^[a-z]+(_[a-z]+)+$/.test(name) || name.length > 40)).toEqual([]);
    expect(
      Object.entries(contract)
        .filter(([, { callers }]) => callers.includes('agent'))
        .map(([operation]) => toolName(operation))
        .filter((name) => !names.includes(name)),
    ).toEqual([]);
  });

  it(`costs at most ${mostTokensEach} tokens a tool on average, ${mostTokens} in all, and no description above 60`, async () => {
    const costs = (await list()).map(({ name, description = '', inputSchema }) => ({
      tool: name,
      tokens: encode(JSON.stringify({ name, description, inputSchema })).length,
      description: encode(description).length,
    }));
    const total = costs.reduce((sum, { tokens }) => sum + tokens, 0);
    console.table([
      ...costs,
      { tool: `all ${costs.length}`, tokens: total, description: Math.round(total / costs.length) },
    ]);
    expect(total / costs.length).toBeLessThanOrEqual(mostTokensEach);
    expect(total).toBeLessThanOrEqual(mostTokens);
    expect(costs.filter(({ description }) => description === 0 || description > 60)).toEqual([]);
  });

  it(`comes in toolsets of at most ${mostToolsEach} tools, each as cheap with what is common to all`, async () => {
    const costs = new Map(
      (await list()).map(({ name, description, inputSchema }) => [
        name,
        encode(JSON.stringify({ name, description, inputSchema })).length,
      ]),
    );
    const common = tools.filter((tool) => toolsetOf(tool) === undefined);
    for (const toolset of toolsets) {
      const own = tools.filter((tool) => toolsetOf(tool) === toolset);
      const offered = [...common, ...own].map(({ name }) => costs.get(name) ?? Number.NaN);
      const average = offered.reduce((sum, tokens) => sum + tokens, 0) / offered.length;
      console.log(`${toolset}: ${own.length} tools and ${common.length}, ${Math.round(average)} tokens on average`);
      expect(own.length, toolset).toBeLessThanOrEqual(mostToolsEach);
      expect(average, toolset).toBeLessThanOrEqual(mostTokensEach);
    }
  });

  it(`gives a host that chooses nothing at most ${mostToolsEach} tools and ${mostTokensOfDefault} tokens`, async () => {
    const chosen = new Set(toolsOf(await loadConfiguration({ PURSER_DATA: ':memory:' })).map(({ name }) => name));
    const offered = (await list()).filter(({ name }) => chosen.has(name));
    const costs = offered.map(({ name, description, inputSchema }) =>
      encode(JSON.stringify({ name, description, inputSchema })),
    );
    const total = costs.reduce((sum, tokens) => sum + tokens.length, 0);
    console.log(`by default: ${offered.length} tools, ${total} tokens`);
    expect(offered.length).toBeGreaterThan(0);
    expect(offered.length).toBeLessThanOrEqual(mostToolsEach);
    expect(total).toBeLessThanOrEqual(mostTokensOfDefault);
  });

  it(`lists all tools in at most ${mostTokensListed} tokens, output schemas and all`, async () => {
    const bounded = (toolset: string | undefined): toolset is string => mostTokensListedOf[toolset ?? ''] !== undefined;
    const all = (await list()).map((tool) => {
      const found = tools.find(({ name }) => name === tool.name);
      return { tool, toolset: found && toolsetOf(found) };
    });
    const groups = Object.groupBy(all, ({ toolset }) => (bounded(toolset) ? toolset : ''));
    for (const [toolset, its = []] of Object.entries(groups)) {
      const listed = encode(JSON.stringify(its.map(({ tool }) => tool))).length;
      console.log(`tools/list${toolset === '' ? '' : ` of ${toolset}`}: ${listed} tokens, ${its.length} tools`);
      expect(
        listed,
        `${toolset}: raise \`mostTokensListed\`, or give the toolset a bound, with a reason`,
      ).toBeLessThanOrEqual(mostTokensListedOf[toolset] ?? mostTokensListed);
    }
  });

  it('states inputs that every host can read, in keywords that a model uses', async () => {
    const keywords = ['type', 'properties', 'required', 'items', 'enum', 'const', 'format', 'description'];
    for (const { name, inputSchema } of await list()) {
      const { additionalProperties, ...rest } = inputSchema as InputSchema;
      const isEmpty = Object.keys(rest.properties ?? {}).length === 0;
      expect([name, additionalProperties]).toEqual([name, isEmpty ? false : undefined]);
      const others = [...within(rest)].flatMap((it) =>
        Object.keys(it).filter((keyword) => !keywords.includes(keyword)),
      );
      const names = new Set([...within(rest)].flatMap(({ properties }) => Object.keys(properties ?? {})));
      expect(others.filter((keyword) => !names.has(keyword))).toEqual([]);
      expect(inputSchema).toMatchObject({ type: 'object', properties: expect.any(Object) });
    }
  });

  it('forbids what nobody knows on every level, though it does not say so in each', () => {
    for (const { name, inputSchema } of tools) {
      const all = [...within(z.toJSONSchema(inputSchema, { io: 'input' }))];
      const free = name === 'preview_call' ? 2 : 0; // the arguments of the previewed call, and JSON within them
      const objects = all.filter(({ type }) => type === 'object');
      expect(objects.filter((it) => it.additionalProperties !== false).length, name).toBe(free);
    }
  });

  it('says in words what a pattern asks for: no pattern is listed', () => {
    const forms: { readonly [pattern: string]: RegExp | undefined } = {
      '^[\\w.:/-]+$': /number|One per plan/,
      '^[A-Z]{3}$': /such as [A-Z]{3}\b/i,
      '^\\d{4}$': /four-digit/,
      '^option_\\d{1,4}$': /option_1/,
      '^[A-Za-z0-9.-]{1,10}$': /10 letters or digits|^(The whole|New) code/,
      '^[\\w-]{1,64}$': /id of the payment/,
      '^\\w[\\w-]*$': /such as recurringBilling/i,
      '^[A-Za-z][\\w-]*(\\.[\\w-]+)+$': /such as tms\.token\.created/i,
      '^[A-Za-z][\\w-]*\\.[\\w-]+$': /describe_report_definition/,
      '^[A-Za-z][\\w.-]*$': /such as Application\.Name/i,
      '^P(?=.*[1-9])(\\d{1,3}Y)?(\\d{1,3}M)?(\\d{1,3}W)?(\\d{1,3}D)?(T(?=\\d)(\\d{1,4}H)?(\\d{1,4}M)?)?$':
        /ISO 8601, such as PT6H/,
      '^[A-Za-z0-9-]{4,32}$': /4 to 32 letters, digits or hyphens/,
      '^([01]\\d|2[0-3])[0-5]\\d$': /HHMM/,
    };
    const amounts = /^\^\\d\{1,\d+\}\(/; // decimal text, which every model writes
    const silent: string[] = [];
    for (const { name, description, inputSchema } of tools)
      for (const [path, { pattern, format, description: words, items }] of leavesOf(
        z.toJSONSchema(inputSchema, { io: 'input' }),
      )) {
        const asked = pattern ?? (items as { readonly pattern?: unknown } | undefined)?.pattern;
        if (typeof asked !== 'string' || format !== undefined || amounts.test(asked)) continue;
        if (words === undefined && asIn(description) !== undefined) continue;
        if (forms[asked]?.test(String(words)) !== true) silent.push(`${name}: ${path} ${asked}`);
      }
    expect(silent, 'say the form in the description of the argument, and list in `forms` what says it').toEqual([]);
  });

  it('describes every argument, at any depth, in at most twelve words', async () => {
    const listed = await list();
    const argumentsOf = (name: string) => {
      const found = listed.find((tool) => tool.name === name);
      return new Map([...leavesOf(found?.inputSchema)].map(([path, schema]) => [path, schema] as const));
    };
    const silent = new Set<string>();
    for (const { name, description = '' } of listed)
      for (const [path, { description: words, ...shape }] of argumentsOf(name)) {
        if (typeof words === 'string') {
          expect(words.split(' ').length, `${name}: ${path}`).toBeLessThanOrEqual(12);
          expect(words, `${name}: ${path}`).not.toBe('');
          continue;
        }
        const elsewhere = argumentsOf(asIn(description) ?? '').get(path);
        const { description: told, ...same } = elsewhere ?? {};
        if (told === undefined || JSON.stringify(same) !== JSON.stringify(shape)) silent.add(`${name}: ${path}`);
      }
    expect([...silent]).toEqual([]);
  });

  it('states answers without forbidding what a later version may add', async () => {
    for (const { outputSchema } of await list()) {
      const all = [...within(outputSchema)];
      expect(all.filter((it) => '$schema' in it || it.additionalProperties === false)).toEqual([]);
      expect(outputSchema).toMatchObject({ type: 'object', required: ['outcome', 'said', 'next'] });
    }
  });

  it('gives all four hints of every tool; destructive are charges, e-mails, ends, and what replaces or deletes', async () => {
    const memory = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
    const once = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true };
    const again = { ...once, idempotentHint: false }; // no reference, so a second one is sent
    const change = { ...again, destructiveHint: false }; // another call takes it back
    const changeOnce = { ...once, destructiveHint: false };
    const look = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true };
    expect(
      Object.fromEntries((await list()).map(({ name, annotations }) => [name, annotations])),
      'the hints of every tool are listed here',
    ).toEqual({
      find_shopper: memory,
      list_cards: memory,
      enroll_card: change,
      initiate_purchase: once,
      update_purchase: again,
      cancel_purchase: again,
      retrieve_credentials: once,
      confirm_transaction: once,
      get_purchase: memory,
      list_purchases: memory,
      create_authentication_options: changeOnce,
      create_one_time_password: once,
      create_authentication_registration: change,
      get_authentication: memory,
      offer_conversion: look,
      choose_currency: again,
      get_conversion_offer: memory,
      authorize_payment: once,
      get_payment: look,
      reverse_payment: again,
      capture_payment: once,
      get_capture: look,
      void_capture: again,
      refund_capture: once,
      get_refund: look,
      void_refund: again,
      list_payments: memory,
      get_payment_receipt: memory,
      list_plans: look,
      get_plan: look,
      get_plan_code: look,
      create_plan: changeOnce,
      amend_plan: again,
      activate_plan: change,
      deactivate_plan: change,
      delete_plan: again,
      list_subscriptions: look,
      get_subscription: look,
      get_subscription_code: look,
      list_subscription_payments: look,
      get_follow_on: look,
      create_subscription: once,
      create_follow_on_subscription: once,
      list_invoices: look,
      get_invoice: look,
      create_invoice: once,
      update_invoice: again,
      send_invoice: again,
      cancel_invoice: again,
      publish_invoice: change,
      get_invoice_settings: look,
      list_webhook_subscriptions: look,
      list_report_definitions: look,
      describe_report_definition: look,
      list_report_subscriptions: look,
      get_report_subscription: look,
      save_report_subscription: again,
      delete_report_subscription: again,
      request_report: changeOnce,
      list_reports: look,
      get_report: look,
      download_report: look,
      get_conversion_details: look,
      get_notification_of_changes: look,
      get_purchase_refund_details: look,
      get_net_fundings: look,
      get_payment_batch_summaries: look,
      update_invoice_settings: again,
      device_status: look,
      enroll_device: change,
      charge_device: once,
      increment_preauthorization: once,
      capture_preauthorization: once,
      refund_device_transaction: once,
      show_device_summary: change,
      send_device_receipt: again,
      lookup_device_transaction: look,
      list_device_transactions: memory,
      update_subscription: again,
      cancel_subscription: again,
      suspend_subscription: change,
      reactivate_subscription: again,
      skip_subscription_payments: again,
      list_events: memory,
      list_operations: memory,
      get_operation: memory,
      list_approvals: memory,
      withdraw_operation: { ...memory, readOnlyHint: false },
      get_limits: memory,
      preview_call: look, // what the previewed call depends on is read
    });
  });

  it('names no tool in its words that is not there', async () => {
    const listed = await list();
    const words = [
      instructionsOf(choosable),
      ...listed.flatMap((tool) => [JSON.stringify(tool.description), JSON.stringify(tool.inputSchema)]),
    ];
    const mentioned = words.flatMap(
      (text) =>
        text.match(
          /\b(?:find|list|enroll|initiate|update|cancel|retrieve|confirm|get|preview|create|amend|activate|deactivate|delete|suspend|reactivate|skip)_[a-z_]+/g,
        ) ?? [],
    );
    expect(mentioned.filter((name) => !listed.some((tool) => tool.name === name))).toEqual([]);
  });
});

it.each(ways)('introduces itself in at most 1 KB, with its version: $name', async ({ open }) => {
  const { agent } = await open();
  expect(agent.server).toMatchObject({ name: 'purser', version: '0.0.0' });
  expect(agent.instructions).toBe(instructionsOf(choosable));
  for (const one of toolsets) {
    const listed = choosable.filter(({ toolset = one }) => toolset === one);
    expect(Buffer.byteLength(instructionsOf(listed))).toBeLessThanOrEqual(1_024);
  }
});
