import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import { aiSdkTools } from '../../src/adapters/ai-sdk.ts';
import type { AdapterOptions } from '../../src/adapters/catalogue.ts';
import { langchainTools } from '../../src/adapters/langchain.ts';
import { openaiTools } from '../../src/adapters/openai.ts';
import type { Answer } from '../../src/engine/answer.ts';
import { channels } from '../../src/engine/approval-channels.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { createHttpFace } from '../../src/http/server.ts';
import { agent, countingIds, type World, world } from '../engine/support.ts';
import { connect, says, type User } from './agents.ts';
import { strictly } from './strictly.ts';
import { secrets, tokens } from './support.ts';

// Every way of a call to the engine. What comes back is checked to be the same in every form the way has.

export type Call = (tool: string, args: object) => Promise<Answer>;
type Approve = AdapterOptions['approve'];

/** Outcomes that no framework may take for an error. */
const normal: readonly string[] = ['done', 'needs_approval'];

export interface Face {
  readonly name: string;
  readonly open: (engine: Engine, approve?: Approve) => Promise<Call> | Call;
}

const chat: Face = {
  name: 'OpenAI Chat Completions',
  open: (engine, approve) => {
    const { run } = openaiTools(engine, { approve });
    return async (tool, args) => {
      const call = { name: tool, arguments: JSON.stringify(args) };
      const message = await run({ id: 'call_1', type: 'function', function: call }, agent);
      return read(message, { role: 'tool', tool_call_id: 'call_1' }, message.content);
    };
  },
};

const responses: Face = {
  name: 'OpenAI Responses, strict',
  open: (engine, approve) => {
    const { run } = openaiTools(engine, { approve });
    return async (tool, args) => {
      const call = { name: tool, arguments: JSON.stringify(strictly(tool, args)) };
      const item = await run({ call_id: 'call_1', type: 'function_call', ...call }, agent);
      return read(item, { type: 'function_call_output', call_id: 'call_1' }, item.output);
    };
  },
};

/** The answer in a message that has nothing beside it but what names the call. */
function read(message: object, names: object, content: unknown): Answer {
  const [key] = Object.entries(message).find(([, value]) => value === content) ?? [];
  same({ ...message, [String(key)]: '' }, { ...names, [String(key)]: '' });
  return JSON.parse(String(content));
}

const langchain = (strict: boolean): Face => ({
  name: `LangChain${strict ? ', strict' : ''}`,
  open: async (engine, approve) => {
    const tools = await langchainTools(engine, agent, { approve, strict });
    return async (name, given) => {
      const tool = tools.find((it) => it.name === name);
      if (tool === undefined) throw new Error(`LangChain has no tool ${name}.`);
      const args: Record<string, unknown> = { ...(strict ? strictly(name, given) : given) };
      const message = await tool.invoke({ type: 'tool_call', id: 'call_1', name, args });
      const { status, tool_call_id, content, artifact } = message;
      same(
        { status, tool_call_id },
        { status: normal.includes(artifact.outcome) ? 'success' : 'error', tool_call_id: 'call_1' },
      );
      same(JSON.parse(String(content)), artifact);
      return artifact;
    };
  },
});

const aiSdk = (strict: boolean): Face => ({
  name: `AI SDK${strict ? ', strict' : ''}`,
  open: async (engine, approve) => {
    const { tools } = await aiSdkTools(engine, agent, { approve, strict });
    return async (name, given) => {
      const { execute, toModelOutput } = tools[name] ?? {};
      if (execute === undefined || toModelOutput === undefined) throw new Error(`The AI SDK has no tool ${name}.`);
      const [toolCallId, input] = ['call_1', strict ? strictly(name, given) : given];
      const answer: Answer = await execute(input, { toolCallId, messages: [], context: {} });
      const { type, ...rest } = await toModelOutput({ toolCallId, input, output: answer });
      same({ type, ...rest }, { type: normal.includes(answer.outcome) ? 'json' : 'error-json', value: answer });
      return answer;
    };
  },
});

const mcp: Face = {
  name: 'MCP',
  open: async (engine, approve) => {
    // A client asks its user at once, so it is told beforehand what the user will say.
    const verdict = await approve?.({ id: '', text: '', expires: '' });
    const users: Readonly<Record<string, User>> = { approve: says.yes, deny: says.no };
    const face = createHttpFace({ engine, tokens: secrets, tenant: agent.tenant, version: '0' });
    onTestFinished(() => face.close());
    const transport = new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), {
      requestInit: { headers: { authorization: `Bearer ${tokens.agent}` } },
      fetch: (url, init) => face.fetch(new Request(url, init)),
    });
    const client = await connect(transport, { pin: '2026-07-28' }, verdict && users[verdict]);
    return async (tool, args) => {
      const { answer, text, isError } = await client.call(tool, args);
      same(JSON.parse(text), answer);
      same(isError, !normal.includes(answer.outcome));
      return answer;
    };
  },
};

/** The engine itself, and every face in front of it. */
export const engineItself: Face = {
  name: 'the engine',
  open: (engine) => (tool, args) => engine.call(tool, args, agent),
};
export const faces: readonly Face[] = [
  chat,
  responses,
  langchain(false),
  langchain(true),
  aiSdk(false),
  aiSdk(true),
  mcp,
];

/** A fresh world with a face in front of it, brought to where a call is made. */
export async function behind(face: Face, given: (it: World) => Promise<string>, approve?: Approve) {
  const it = await world({ replace: { ids: alike() }, configure: { channels } });
  const call = await face.open(it.running.engine, approve);
  return { it, call, handle: await given(it) };
}

/** Ids that count, but not the keys that MCP alone needs: so handles agree behind every face. */
function alike() {
  const ids = countingIds();
  return { ...ids, key: (prefix: string) => (prefix === 'key' ? 'key_that_is_no_secret' : ids.key(prefix)) };
}

function same(one: unknown, other: unknown): void {
  const [left, right] = [one, other].map((it) => JSON.stringify(it));
  if (left !== right) throw new Error(`A face contradicts itself: ${left} and ${right}`);
}
