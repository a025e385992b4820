import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { onTestFinished } from 'vitest';
import { questionKey } from '../../src/engine/access-tokens.ts';
import type { Transport } from '../../src/engine/approval-channels.ts';
import { createHttpFace, type HttpFace } from '../../src/http/server.ts';
import { agent, type World } from '../engine/support.ts';
import { secrets } from '../faces/support.ts';
import { call2026, type Extra } from '../faces/wire.ts';
import { serveStdio } from '../support/serve-stdio.ts';

// Whoever has the agent's end of a connection and nothing else, as raw JSON-RPC.

// biome-ignore lint/suspicious/noExplicitAny: results are compared whole, not typed
type Result = any;

/** A connection on which the agent may write whatever it likes. */
export interface Wire {
  readonly transport: Transport;
  /** Calls a tool as a client of the 2026 revision; answers the result, or undefined where there is only an error. */
  call(tool: string, args: object, extra?: Extra): Promise<Result>;
}

export function faceOf({ running: { engine } }: World): HttpFace {
  const face = createHttpFace({ engine, tokens: secrets, tenant: agent.tenant, version: '0' });
  onTestFinished(() => face.close());
  return face;
}

const overHttp = (world: World): Wire => {
  const face = faceOf(world);
  return { transport: 'http', call: async (tool, args, extra) => (await call2026({ face }, tool, args, extra)).result };
};

/** What is served over stdio, with the key that HTTP has, and a client that answers every question of the server's own with a yes. */
function spoken({ running: { engine } }: World) {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const stdio = serveStdio({ engine, caller: agent, version: '0', stateKey: questionKey(secrets), stdin, stdout });
  onTestFinished(async () => {
    stdin.end();
    await stdio.closed;
  });
  const waiting = new Map<number, (message: Result) => void>();
  const write = (message: object) => stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  createInterface(stdout).on('line', (line) => {
    const message: Result = JSON.parse(line);
    if (message.method !== undefined && message.id !== undefined)
      write({ id: message.id, result: { action: 'accept', content: { approve: true } } });
    else waiting.get(message.id)?.(message);
  });
  let count = 0;
  const ask = (method: string, params: object): Promise<Result> => {
    count += 1;
    const id = count;
    return new Promise((answered) => {
      waiting.set(id, ({ result }) => answered(result));
      write({ id, method, params });
    });
  };
  return { ask, write };
}

function overStdio(world: World): Wire {
  const { ask } = spoken(world);
  return {
    transport: 'stdio',
    call: (name, args, { capabilities = { elicitation: { form: {} } }, ...more } = {}) =>
      ask('tools/call', {
        ...{ name, arguments: args, ...more },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'wire', version: '0' },
          'io.modelcontextprotocol/clientCapabilities': capabilities,
        },
      }),
  };
}

/** The same over stdio as a client of 2025, which is asked by a request of the server's. */
function overStdio2025(world: World): Wire {
  const { ask, write } = spoken(world);
  const ready = ask('initialize', {
    protocolVersion: '2025-11-25',
    clientInfo: { name: 'wire', version: '0' },
    capabilities: { elicitation: { form: {} } },
  }).then(() => write({ method: 'notifications/initialized' }));
  return {
    transport: 'stdio',
    call: async (name, args) => {
      await ready;
      return ask('tools/call', { name, arguments: args });
    },
  };
}

export const wires = {
  'HTTP, 2026': overHttp,
  'stdio, 2026': overStdio,
  'stdio, 2025': overStdio2025,
} as const;

const accepts = { action: 'accept', content: { approve: true } };
const reactions = [accepts, { action: 'accept' }, { action: 'accept', content: { approve: 'true' } }];
const declared = [{ form: {} }, { url: {} }, { form: {}, url: {} }, {}, undefined];

/**
 * Tries to have a call done by whatever the agent's end can say: every capability, a yes to every question, and every state
 * that came back, with each yes. Answers the last result.
 */
export async function insist({ call }: Wire, tool: string, args: object): Promise<Result> {
  let last: Result;
  for (const elicitation of declared) {
    const capabilities = elicitation === undefined ? {} : { elicitation };
    const first = await call(tool, args, { capabilities, inputResponses: { approval: accepts } });
    last = first;
    const { requestState } = first ?? {};
    for (const approval of requestState === undefined ? [] : reactions) {
      const again = await call(tool, args, { capabilities, requestState, inputResponses: { approval } });
      if (again?.structuredContent?.outcome === 'done') return again;
    }
    if (first?.structuredContent?.outcome === 'done') return first;
  }
  return last;
}
