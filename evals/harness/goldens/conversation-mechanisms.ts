import type { ServerContext } from '@modelcontextprotocol/server';
import { limits } from '../../../src/core/limits.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { wordsOf } from '../../../src/engine/listed-words.ts';
import { isReadOnly } from '../../../src/engine/tool.ts';
import { createConversation } from '../../../src/mcp/approval.ts';
import { callerInSession, callerOfProcess } from '../../../src/mcp/conversation.ts';
import { instructionsOf } from '../../../src/mcp/instructions.ts';
import { trackCalls, trackEngineCalls } from '../../../src/mcp/pending-calls.ts';
import type { Choosable } from '../../../src/mcp/tool-selection.ts';
import { tools, toolsetOf } from '../../../tools/index.ts';
import { endOf } from './ledger-steps.ts';
import type { Lines, Mechanisms } from './lines.ts';

// Conversations over MCP: whose they are, what a model is told of the tools in it, and to whom a question belongs.

const caller = { tenant: 'shop', principal: 'agent' };
const parts = { ports: { ids: { handle: (kind: string) => `${kind}_new`, key: () => 'words' } } };
const engine = { parts, environment: 'sandbox' } as unknown as Engine; // all that it looks at

/** The state of a question, as others bring it back. */
async function states(): Promise<Lines> {
  const conversation = (
    of: object,
    transport: 'stdio' | 'http' = 'stdio',
    stateKey = 'a key of thirty-two characters !',
  ) => createConversation(engine, { ...caller, ...of }, { transport, stateKey });
  const context = (method: string) => ({ mcpReq: { method } }) as unknown as ServerContext;
  const call = context('tools/call');
  const approval = { id: 'approval_one', text: 'Pay', expires: 'soon' };
  const asked = await conversation({}).ask({ by: 'form' }, approval, 'create_plan', { name: 'Tea' }, call);
  const { requestState = '' } = asked as { readonly requestState?: string };
  const others: readonly (readonly [what: string, it: ReturnType<typeof conversation>, ctx?: ServerContext])[] = [
    ['whom it asked', conversation({})],
    ['another principal', conversation({ principal: 'other' })],
    ['another tenant', conversation({ tenant: 'other' })],
    ['another transport', conversation({}, 'http')],
    ['another method', conversation({}), context('prompts/get')],
    ['another key', conversation({}, 'stdio', 'a key of thirty-two characters ?')],
  ];
  const lines: [string, unknown][] = [];
  for (const [what, it, ctx = call] of others) {
    const read = await endOf(async () => {
      const { args, ...state } = (await it.verify(requestState, ctx)) as { readonly args?: string };
      return { ...state, args: args === undefined ? 'none' : 'theirs' };
    });
    lines.push([what, read]);
  }
  return lines;
}

/** For how long the state of a question counts, to the second, whatever the time that making it took. */
async function lasting(): Promise<Lines> {
  const approval = { id: 'approval_one', text: 'Pay', expires: 'soon' };
  const context = { mcpReq: { method: 'tools/call' } } as unknown as ServerContext; // all that is asked of it
  const own = createConversation(engine, caller, { transport: 'stdio', stateKey: 'a key of thirty-two characters !' });
  const before = Math.floor(Date.now() / 1_000);
  const asked = await own.ask({ by: 'form' }, approval, 'create_plan', { name: 'Tea' }, context);
  const { requestState = '' } = asked as { readonly requestState?: string };
  const after = Math.ceil(Date.now() / 1_000);
  const [, signed = ''] = /^[^.]*\.([^.]+)\./.exec(requestState) ?? [];
  const { exp } = JSON.parse(Buffer.from(signed, 'base64url').toString()) as { readonly exp: number };
  const made = exp - limits.approvalMinutes * 60;
  const isRight = before <= made && made <= after;
  return [['minutes', isRight ? limits.approvalMinutes : (exp - before) / 60]];
}

/** What is said of a tool that isn't offered, where it is the only one, one of several, or all are. */
const otherWords: Mechanisms[string] = () => {
  const look = tools.find(({ name }) => name === 'get_purchase');
  if (look === undefined) return [];
  const described = {
    ...look,
    description: 'Look with list_purchases, then list_cards. `list_purchases_of` is none.',
  };
  const shape = {
    description: described.description,
    properties: { purchase: { description: 'From list_purchases.' } },
  };
  return [[], ['list_purchases'], ['list_purchases', 'list_cards']].map((missing) => {
    const words = wordsOf(
      tools.filter(({ name }) => !missing.includes(name)),
      tools,
    )(described);
    return [
      `without ${missing.join(' and ') || 'none'}`,
      [words.description, words.input(() => shape as never)],
    ] as const;
  });
};

/** For whom an engine works whose calls are counted. */
const servedFor = (): Lines => {
  const one = {
    call: () => Promise.reject(new Error('It makes none.')),
    of: (tenant: string) => {
      if (tenant !== caller.tenant) throw new Error('It has no such tenant.');
    },
  } as unknown as Engine; // all that is asked of it
  const { engine: it } = trackEngineCalls(one);
  return [caller.tenant, 'other'].map((tenant) => {
    try {
      return [tenant, it.of(tenant) === it ? 'itself' : 'another'];
    } catch (error) {
      return [tenant, String(error)];
    }
  });
};

/** When calls that are under way are over. */
async function idling(): Promise<Lines> {
  const ends: (() => void)[] = [];
  const { call, idle } = trackCalls((fails: boolean) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    ends.push(() => (fails ? reject(new Error('It failed.')) : resolve()));
    return promise;
  });
  await idle();
  const lines: [string, unknown][] = [['no call', 'idle']];
  for (const fails of [false, true]) void call(fails).catch(() => undefined);
  let isIdle = false;
  const waits = idle().then(() => (isIdle = true));
  for (const [at, end] of ends.entries()) {
    lines.push([`${ends.length - at} under way`, isIdle ? 'idle' : 'waits']);
    end();
    for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate); // what has just arrived is waited for
  }
  lines.push(['all ended', isIdle ? 'idle' : 'waits']);
  await waits;
  return [...lines, ...(await idlingLater())];
}

/** The same, with calls that begin while others end: each as its last one does, or in a turn after it. */
async function idlingLater(): Promise<Lines> {
  const lines: [string, unknown][] = [];
  for (const later of [false, true]) {
    const { call, idle } = trackCalls(async (work: () => Promise<unknown>) => work());
    const { promise, resolve } = Promise.withResolvers<void>();
    let ended = 0;
    const chain = (left: number): Promise<unknown> =>
      call(async () => {
        await promise;
        if (later) await new Promise(setImmediate);
        ended += 1;
        if (left > 1) void chain(left - 1);
      });
    void chain(3);
    const waits = idle();
    resolve();
    await waits;
    lines.push([`each begins the next one${later ? ', a turn later' : ''}`, `idle after ${ended}`]);
  }
  return lines;
}

const listed: readonly Choosable[] = tools.map((tool) => ({
  name: tool.name,
  toolset: toolsetOf(tool),
  isRead: isReadOnly(tool),
}));

export const conversationMechanisms: Mechanisms = {
  'whose conversation a call is': () => [
    ['of no session', callerInSession(caller, {})],
    ['of a session', callerInSession(caller, { sessionId: 'one' })],
    ['of a session, beside another', callerInSession({ ...caller, conversation: 'first' }, { sessionId: 'one' })],
    ['alone', callerOfProcess(engine, caller)],
    ['alone, by a name', callerOfProcess(engine, { ...caller, conversation: 'first' })],
  ],
  'the state of a question, brought back': states,
  'how long the state of a question counts': lasting,
  'words for a tool where another one is not offered': otherWords,
  'for whom an engine works whose calls are counted': servedFor,
  'when a client’s calls are over': idling,
  'what a model is told, by the tools that are offered': () =>
    (
      [
        ['those that list', (name) => name.startsWith('list_')],
        ['one that looks', (name) => name === 'get_operation'],
        ['one that lists', (name) => name === 'list_approvals'],
        ['those of plans', (name) => name.endsWith('_plan')],
        ['all but one', (name) => name !== 'list_cards'],
        ['none', () => false],
      ] satisfies readonly (readonly [what: string, isOffered: (name: string) => boolean])[]
    ).map(([what, isOffered]) => [what, instructionsOf(listed.filter(({ name }) => isOffered(name))).split('\n')]),
};
