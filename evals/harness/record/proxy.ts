import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { answerIn, argsIn, isObject, type Recorded } from './session.ts';

/** Two ends of a conversation, and the clock that it is noted by. */
export interface Ends {
  /** Where the host's client is connected. */
  readonly host: Transport;
  /** Where the server is connected. */
  readonly upstream: Transport;
  readonly now: () => number;
}

/**
 * A transparent proxy between a host and a server that records tool calls. Versions, capabilities and elicitations pass through
 * unchanged. Resolves with the recording when either side closes.
 */
export async function recordBetween({ host, upstream, now }: Ends): Promise<readonly Recorded[]> {
  const notes = notebook(now);
  const ended = new Promise<void>((resolve, reject) => {
    host.onclose = resolve;
    upstream.onclose = resolve;
    host.onerror = ignoreParsing;
    upstream.onerror = ignoreParsing;
    host.onmessage = (message) => {
      notes.fromHost(message);
      upstream.send(message).catch(reject);
    };
    upstream.onmessage = (message) => {
      notes.fromServer(message);
      host.send(message).catch(reject);
    };
  });
  await upstream.start();
  await host.start();
  try {
    await ended;
  } finally {
    await Promise.all([host.close(), upstream.close()]);
  }
  return notes.recorded();
}

/** A line that is no message is lost on either side without us, too. */
const ignoreParsing = (): void => undefined;

interface Pending {
  readonly tool: string;
  readonly args: NonNullable<ReturnType<typeof argsIn>>;
  readonly at: number;
  decided?: 'approve' | 'deny';
}

type Message = Readonly<Record<string, unknown>>;

function notebook(now: () => number) {
  const calls: Recorded[] = [];
  const pending = new Map<unknown, Pending>();
  /** Questions to the host's person, and the call that was under way when they were asked. */
  const questions = new Map<unknown, Pending>();
  return {
    fromHost: (message: JSONRPCMessage): void => {
      const { id, method, params, result } = message as Message;
      if (method === 'tools/call' && isObject(params)) {
        const args = argsIn(params.arguments);
        if (typeof params.name !== 'string' || args === undefined) return;
        pending.set(id, { tool: params.name, args, at: now(), ...verdictIn(params.inputResponses) });
      } else if (method === undefined && questions.has(id)) {
        Object.assign(questions.get(id) ?? {}, verdictIn({ question: result }));
        questions.delete(id);
      }
    },
    fromServer: (message: JSONRPCMessage): void => {
      const { id, method, result, error } = message as Message;
      const last = [...pending.values()].at(-1);
      if (method === 'elicitation/create' && last !== undefined) questions.set(id, last);
      const call = method === undefined ? pending.get(id) : undefined;
      if (call === undefined) return;
      pending.delete(id);
      // A question in the place of a result: the same call comes again with the answer to it.
      if (isObject(result) && 'inputRequests' in result) return;
      const failed = isObject(error)
        ? { content: [{ type: 'text', text: String(error.message) }], isError: true }
        : result;
      calls.push({ kind: 'call', ...call, ...answerIn(failed) });
    },
    recorded: (): readonly Recorded[] => calls,
  };
}

/** The decision in an elicitation's answer, if there is one. */
function verdictIn(responses: unknown): { decided?: 'approve' | 'deny' } {
  const [answer] = isObject(responses) ? Object.values(responses).filter(isObject) : [];
  if (answer?.action === 'decline') return { decided: 'deny' };
  const { approve } = isObject(answer?.content) ? answer.content : {};
  return approve === true ? { decided: 'approve' } : approve === false ? { decided: 'deny' } : {};
}
