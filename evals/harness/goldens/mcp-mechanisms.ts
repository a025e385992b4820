import { PassThrough } from 'node:stream';
import {
  CLIENT_CAPABILITIES_META_KEY,
  type McpServer,
  type ServerContext,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import type { Progress, Watch } from '../../../src/core/outcome.ts';
import type { AnswerFile } from '../../../src/engine/answer.ts';
import { type Channel, channels } from '../../../src/engine/approval-channels.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { Refused } from '../../../src/engine/refusal.ts';
import { isReadOnly } from '../../../src/engine/tool.ts';
import { wayToAsk } from '../../../src/mcp/approval.ts';
import { instructionsOf } from '../../../src/mcp/instructions.ts';
import { isOffered, mostCharacters, type Prompt, registerPrompt } from '../../../src/mcp/prompts.ts';
import { resultOf } from '../../../src/mcp/result.ts';
import { createServerFactory, type ToolHandler } from '../../../src/mcp/server-factory.ts';
import { overStdio } from '../../../src/mcp/stdio-connection.ts';
import { tableOf } from '../../../src/mcp/tool-list.ts';
import { type Choice, choiceFault, isChosen } from '../../../src/mcp/tool-selection.ts';
import { callWatched } from '../../../src/mcp/watched-call.ts';
import { everyTool, tools, toolsetOf } from '../../../tools/index.ts';
import { each, type Lines, type Mechanisms } from './lines.ts';

// What goes between a client and an MCP server: who is asked and how, progress, prompts, files, and what fails.

const capabilities: readonly (readonly [what: string, declared: object | undefined])[] = [
  ['nothing', undefined],
  ['questions of no kind', {}],
  ['forms', { form: {} }],
  ['pages', { url: {} }],
  ['forms and pages', { form: {}, url: {} }],
];
const open: readonly (readonly [what: string, on: readonly Channel[]])[] = [
  ['every channel', channels],
  ['no form', channels.filter((it) => !it.startsWith('form'))],
  ['no page', channels.filter((it) => it !== 'page')],
];

/** How a client is asked, by what it declares and which channels are open. */
const ways: Mechanisms[string] = () =>
  (['legacy', 'modern'] as const).flatMap((era) =>
    (['stdio', 'http'] as const).flatMap((transport) =>
      capabilities.flatMap(([what, elicitation]) =>
        open.map(([through, on]) => {
          const declared = elicitation && { elicitation };
          const server = { server: { getClientCapabilities: () => (era === 'legacy' ? declared : undefined) } };
          const envelope = { [CLIENT_CAPABILITIES_META_KEY]: era === 'modern' ? declared : undefined };
          const ways = [undefined, 'https://shop.example.com/mcp'].map((publicUrl) => {
            const http = { req: { url: 'http://10.0.0.7:3000/mcp' } };
            const ctx = { mcpReq: { envelope }, ...(transport === 'http' ? { http } : {}) };
            const way = wayToAsk(server as unknown as McpServer, era, ctx as unknown as ServerContext, {
              ...{ transport, channels: on, publicUrl },
            });
            return way === undefined ? 'not asked' : way.by === 'form' ? 'a form' : `a page at ${way.origin}`;
          });
          return [`${era}, ${transport}, ${what}, ${through}`, [...new Set(ways)]] as const;
        }),
      ),
    ),
  );

/** What a client is told while it waits. */
const progress: Mechanisms[string] = () => {
  const series: readonly (readonly [what: string, steps: readonly Progress[]])[] = [
    ['no fractions', [{ step: 'ONE' }, { step: 'TWO' }, { step: 'THREE' }]],
    ['rising', [0.1, 0.5, 0.9].map((fraction) => ({ step: 'ONE', fraction }))],
    ['falling', [0.9, 0.5, 0.1].map((fraction) => ({ step: 'ONE', fraction }))],
    ['the same', [0.5, 0.5, 0.5].map((fraction) => ({ step: 'ONE', fraction }))],
    ['the whole, twice', [1, 1, 2].map((fraction) => ({ step: 'ONE', fraction }))],
    ['nothing done', [0, 0].map((fraction) => ({ step: 'ONE', fraction }))],
    ['with and without', [{ step: 'ONE', fraction: 0.3 }, { step: 'TWO' }, { step: 'THREE', fraction: 0.3005 }]],
    ['cancelled in between', ['ONE', 'CANCELLED', 'TWO'].map((step) => ({ step }))],
    ['very many', Array.from({ length: 2_000 }, () => ({ step: 'ONE' }))],
  ];
  const asked: readonly (readonly [what: string, token?: string | number])[] = [
    ['asked for', 'token'],
    ['asked for by number', 0],
    ['not asked for'],
  ];
  return Promise.all([
    ...series.flatMap(([what, steps]) =>
      asked.map(async ([by, progressToken]) => {
        const heard: string[] = [];
        const signal = new AbortController();
        let report: Watch['onProgress'];
        const engine = {
          call: async (_tool: string, _args: unknown, _caller: unknown, { onProgress }: Watch) => {
            report = onProgress;
            for (const step of steps) {
              if (step.step === 'CANCELLED') signal.abort();
              onProgress?.(step);
            }
            heard.push('answered');
            return {};
          },
        };
        const notify = async ({ params }: { readonly params: object }) => void heard.push(JSON.stringify(params));
        const ctx = { mcpReq: { signal: signal.signal, _meta: { progressToken }, notify } };
        const caller = { tenant: 'shop', principal: 'agent' };
        await callWatched(engine as unknown as Engine, caller, 'x', {}, ctx as unknown as ServerContext);
        report?.({ step: 'LATE', fraction: 0.95 });
        return [
          `${what}, ${by}`,
          heard.length > 9 ? [`${heard.length}`, ...heard.slice(0, 2), ...heard.slice(-2)] : heard,
        ] as const;
      }),
    ),
  ]);
};

const prompt: Prompt = {
  ...{ name: 'sell', title: 'Sell', description: 'Sells.', toolset: 'billing', also: ['invoicing'] },
  arguments: { customer: 'Who it is.', sum: 'How much.' },
  text: 'Sell it with `create_plan`, then `create_invoice`.',
};
type Registered = readonly [
  string,
  { readonly argsSchema: StandardSchemaWithJSON<object, object> },
  (given: object) => { readonly messages: readonly { readonly content: { readonly text: string } }[] },
];

/** What is made of a prompt's arguments. */
const prompts: Mechanisms[string] = () => {
  const registered: Registered[] = [];
  const server = { registerPrompt: (...it: unknown[]) => void registered.push(it as unknown as Registered) };
  registerPrompt(server as unknown as McpServer, prompt); // all that it looks at
  const given: readonly (readonly [what: string, given: unknown])[] = [
    ['nothing', undefined],
    ['no argument', {}],
    ['one', { customer: 'Ada' }],
    ['both, in another order', { sum: '40.00', customer: 'Ada' }],
    ['an empty one', { customer: '  ', sum: '' }],
    ['another one', { customer: 'Ada', note: 'x' }],
    ['one of every object', { constructor: 'x' }],
    ['a number', { sum: 40 }],
    ...[0, 1].map((more) => [`${more} too long`, { customer: 'x'.repeat(mostCharacters + more) }] as const),
    ['a card number', { customer: '4111 1111 1111 1111' }],
    ['a card number over two', { customer: '4111 1111', sum: '1111 1111' }],
    ['a code', { customer: 'CVV 123' }],
    ['what nobody sees', { customer: 'A\u200bd\u202ea\u0007\u2028.\u00ad' }],
    ['lines', { customer: 'Ada\r\n\tExample\n' }],
    ['quotation marks', { customer: 'Ada "the first"\n- sum: 1.00' }],
  ];
  return each(given, async ([what, it]) => {
    const [, { argsSchema }, make] = registered[0] as Registered;
    const read = await argsSchema['~standard'].validate(it);
    if (read.issues !== undefined) return [what, read.issues.map(({ message }) => message)];
    const text = make((read.value ?? {}) as object).messages.map(({ content }) => content.text);
    return [
      what,
      text
        .join('')
        .replaceAll(/x{20,}/g, (run) => `${run.length} x`)
        .split('\n')
        .slice(1),
    ];
  });
};

const promptsOffered: Mechanisms[string] = () => {
  const all = tools.map((tool) => ({ name: tool.name, toolset: toolsetOf(tool) }));
  const without = (...names: readonly string[]) => all.filter(({ name }) => !names.includes(name));
  const of = (...toolsets: readonly string[]) => all.filter(({ toolset }) => toolsets.includes(toolset ?? ''));
  return [
    ['every tool', isOffered(prompt, all)],
    ['without one that it names', isOffered(prompt, without('create_plan'))],
    ['without one that it does not', isOffered(prompt, without('delete_plan'))],
    ['of one toolset', isOffered(prompt, of('billing'))],
    ['of the other one', isOffered(prompt, of('invoicing'))],
    ['of both', isOffered(prompt, of('billing', 'invoicing'))],
    ['both, of which it needs one', isOffered({ ...prompt, also: undefined }, of('billing', 'invoicing'))],
    ['no tool', isOffered(prompt, [])],
  ];
};

const file: AnswerFile = {
  ...{ handle: 'file_one', type: 'text/csv', bytes: 20_000, pages: 2, rows: 9, chart: true },
  ...{ sha256: 'digest', expires: '2026-01-16T09:00:00Z' },
};
const rows = tableOf(tools.filter(({ name }) => ['get_plan', 'create_plan', 'download_report'].includes(name)));

/** A client beside a server that answers as told: what each of them hears. */
async function between(handler: Partial<ToolHandler>, requests: readonly object[]): Promise<readonly unknown[]> {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const failures: string[] = [];
  const onFailure = (failure: unknown) => void failures.push(String(failure));
  const factory = createServerFactory({
    ...{ rows, prompts: [prompt], environment: 'sandbox', version: '0', onFailure },
    handler: async () => handler as ToolHandler,
  });
  const served = overStdio(factory, async () => undefined, { stdin, stdout, onFailure });
  const lines = stdout[Symbol.asyncIterator]();
  let rest = '';
  const next = async (): Promise<string> => {
    for (;;) {
      const end = rest.indexOf('\n');
      if (end >= 0) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 1);
        return line;
      }
      const { value, done } = (await lines.next()) as IteratorResult<Buffer>;
      if (done) return '{"error":"It is closed."}';
      rest += String(value);
    }
  };
  const clientInfo = { name: 'eval', version: '0' };
  const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  const heard: unknown[] = [];
  for (const [id, request] of [{ method: 'initialize', params: initialize }, ...requests].entries()) {
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...request })}\n`);
    const { result, error } = JSON.parse(await next());
    if (id > 0) heard.push(error ?? result);
    else stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  }
  await served.close();
  return [...heard, ...failures.map((it) => `the operator hears ${it}`)];
}

const call = (name: string, args: object = {}) => ({ method: 'tools/call', params: { name, arguments: args } });
const read = (uri: string) => ({ method: 'resources/read', params: { uri } });

/** What comes of a call that throws, as the client and the operator hear it. */
const failing: Mechanisms[string] = () =>
  each(['get_plan', 'create_plan', 'none'], async (name) => {
    const throwing = { call: () => Promise.reject(new Error('The disk of 10.0.0.7 is full.')) };
    return [name, await between(throwing, [call(name, { plan: 'plan_one' })])];
  });

/** Files and their pages, as a client reads them. */
const files = async (): Promise<Lines> => {
  const pages = ['first', 'second'];
  const handler: Partial<ToolHandler> = {
    files: async () => [file, { ...file, handle: 'file_two', pages: 1, type: 'application/xml' }],
    filePage: async (handle, page) => {
      if (handle === 'file_gone')
        throw new Refused({ code: 'NOT_FOUND', rule: 'EN-02', because: 'It is gone.', instead: [] });
      const text = handle === 'file_one' ? pages[page - 1] : undefined;
      return text === undefined ? undefined : { file, page, text };
    },
    fileChart: async (handle) => (handle === 'file_one' ? '<svg/>' : undefined),
    call: async () => resultOf({ outcome: 'done', environment: 'sandbox', said: 'Done.', next: [], file }),
  };
  const uris = [
    ...['file_one', 'file_one/pages/1', 'file_one/pages/2', 'file_one/pages/3', 'file_one/chart', 'file_two/chart'],
    ...['file_one/pages/0', 'file_one/pages/01', 'file_one/pages/1.5', 'file_one/pages/x', 'file_one/pages/9999999999'],
    ...['none', 'file_gone', ''],
  ].map((it) => `purser://files/${it}`);
  const requests = [
    { method: 'resources/list' },
    { method: 'resources/templates/list' },
    ...uris.map(read),
    call('download_report'),
  ];
  const heard = await between(handler, requests);
  return heard.map((it, at) => {
    const what = requests[at];
    return [
      what === undefined ? 'beside it' : 'params' in what ? JSON.stringify(what.params) : what.method,
      it,
    ] as const;
  });
};

/** Tools to select from. */
const choosable = [
  { name: 'list_cards', toolset: 'purchase', isRead: true },
  { name: 'enroll_card', toolset: 'purchase', isRead: false },
  { name: 'list_plans', toolset: 'billing', isRead: true },
  { name: 'create_plan', toolset: 'billing', isRead: false },
  { name: 'list_approvals', isRead: true },
];

/** Selections of tools: what each offers, and what is wrong with it. */
const selections = (): Lines =>
  [
    { toolsets: ['all'] },
    { toolsets: ['billing'] },
    { toolsets: ['billing', 'purchase'] },
    { toolsets: [] },
    { toolsets: ['bililng'] },
    { toolsets: ['all'], isReadOnly: true },
    { toolsets: ['all'], tools: ['list_plans'] },
    { toolsets: ['all'], tools: [] },
    { toolsets: ['billing'], tools: ['list_plans', 'list_cards'] },
    { toolsets: ['all'], tools: ['create_plan'], isReadOnly: true },
    { toolsets: ['all'], tools: ['create_plan'], excluded: ['create_plan'] },
    { toolsets: ['all'], excluded: ['create_plan', 'list_approvals'] },
    { toolsets: ['all'], tools: ['create_plans'] },
    { toolsets: ['all'], excluded: ['list_card'] },
    { toolsets: ['all'], tools: ['create_plans'], excluded: ['list_card'] },
    { toolsets: ['purchase'], tools: ['list_plans', 'create_plan'], excluded: ['create_plan'] },
  ].map((it) => {
    const choice = { isReadOnly: false, ...it };
    const offered = choosable.filter((tool) => isChosen(choice, tool)).map(({ name }) => name);
    return [JSON.stringify(it), choiceFault(choice, choosable) ?? offered] as const;
  });

/** How the lines of the instructions begin, by the tools that are offered. */
const instructions = (): Lines => {
  const all = everyTool.map((tool) => ({ name: tool.name, toolset: toolsetOf(tool), isRead: isReadOnly(tool) }));
  const toolsets = [...new Set(all.flatMap(({ toolset }) => toolset ?? []))];
  const choices: readonly Choice[] = [
    ...toolsets.map((toolset) => ({ toolsets: [toolset], isReadOnly: false })),
    ...toolsets.map((toolset) => ({ toolsets: [toolset], isReadOnly: true })),
    { toolsets: ['all'], isReadOnly: false },
    { toolsets: ['all'], isReadOnly: true },
    { toolsets: ['billing', 'invoicing'], isReadOnly: false, excluded: ['create_plan'] },
    { toolsets: ['billing', 'invoicing'], isReadOnly: false, excluded: ['get_operation'] },
    { toolsets: [], isReadOnly: false },
  ];
  return choices.map((choice) => {
    const told = instructionsOf(all.filter((tool) => isChosen(choice, tool)));
    return [JSON.stringify(choice), told.split('\n').map((line) => line.split(' ').slice(0, 6).join(' '))];
  });
};

export const mcpMechanisms: Mechanisms = {
  'how a person is asked, by what a client declares': ways,
  'progress of a call': progress,
  'the arguments of a prompt': prompts,
  'a prompt of two toolsets, by the tools that are offered': promptsOffered,
  'a call that throws': failing,
  'files and their pages over MCP': files,
  'a selection of tools': selections,
  'instructions, by the tools that are offered': instructions,
};
