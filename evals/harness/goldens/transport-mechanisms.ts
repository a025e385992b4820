import type { ServerContext } from '@modelcontextprotocol/server';
import type { UnknownCause } from '../../../src/core/outcome.ts';
import { iframeAddress, sandboxPasskey } from '../../../src/domains/passkey/settings.ts';
import { moveAnchor, NotAnchored } from '../../../src/engine/anchor.ts';
import type { EngineParts } from '../../../src/engine/parts.ts';
import { cancelled } from '../../../src/engine/render.ts';
import { retryOnConflict } from '../../../src/engine/retry.ts';
import { answered, type Reply } from '../../../src/engine/send.ts';
import { isShapeless } from '../../../src/engine/shapeless.ts';
import { StaleRow } from '../../../src/ledger/errors.ts';
import { translate } from '../../../src/ledger/postgres-errors.ts';
import { retryTransient } from '../../../src/ledger/retry.ts';
import { responseWithoutEcho } from '../../../src/mcp/error-redaction.ts';
import { createOpenQuestions } from '../../../src/mcp/open-questions.ts';
import { hrefOf } from '../../../src/sandbox/answer.ts';
import { each, type Mechanisms } from './lines.ts';

// What goes over connections: addresses, the words of refused messages, and steps of a database that are repeated.

const addresses: Mechanisms[string] = () => [
  ...['https://shop.example.com', 'http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000'].map(
    (origin) => [`the iframe of a page at ${origin}`, iframeAddress(sandboxPasskey.iframe, origin)] as const,
  ),
  ...[{}, { page: 2, size: undefined, of: 'a b&c' }, { since: null, all: false }].map(
    (query) => [`a list with ${JSON.stringify(query)}`, hrefOf('/plans', query)] as const,
  ),
];

/** Responses of an MCP server that repeat what was sent. */
const messages: readonly (readonly [what: string, status: number, type: string, code: number])[] = [
  ['a refused request', 400, 'application/json', -32_000],
  ['a request with a wrong session', 404, 'application/json; charset=utf-8', -32_001],
  ['a request that can’t be read', 400, 'application/json', -32_700],
  ['a request of another kind', 405, 'application/json', -32_000],
  ...[406, 409, 415, 418].map(
    (status) => [`a request refused with ${status}`, status, 'application/json', -32_000] as const,
  ),
  ['an accepted request', 200, 'application/json', -32_000],
  ['a refusal in plain text', 400, 'text/plain', -32_000],
];

const refusedMessages: Mechanisms[string] = () =>
  each(messages, async ([what, status, type, code]) => {
    const sent = JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code, message: 'You sent 4111 1111 1111 1111.' } });
    const headers = { 'content-type': type, 'content-length': `${sent.length}`, allow: 'POST' };
    const heard = await responseWithoutEcho(new Response(sent, { status, headers }));
    return [what, [heard.status, Object.fromEntries(heard.headers), await heard.text()]];
  });

/** Without the machine's clock: while other works are busy, its ten seconds may pass between two attempts. */
const atOnce = { now: () => 0, pause: async () => undefined };

/** Errors of PostgreSQL, and whether its step is repeated after each. */
const repeated: Mechanisms[string] = () =>
  each(
    ['57P03', '57P04', '53300', '53100', '08006', '40001', '23505', 'ECONNREFUSED', 'ENOTFOUND', 'none'],
    async (code): Promise<readonly [string, unknown]> => {
      let times = 0;
      const step = async (): Promise<string> => {
        times += 1;
        if (times <= 3) throw translate(Object.assign(new Error('It failed.'), { code }), 'here');
        return 'done';
      };
      const end = await retryTransient(step, atOnce).catch((error: Error) => error.message);
      return [`a step that fails three times with ${code}`, [end, times]];
    },
  );

/** What a process's clock says when it all begins. */
const booted = 1_000_000;

/** A database that is away for so many milliseconds, where each attempt takes 40. */
const away: Mechanisms[string] = () =>
  each([0, 1, 500, 5_000, 9_900, 10_200, 60_000], async (milliseconds): Promise<readonly [string, unknown]> => {
    let now = 0;
    const pauses: number[] = [];
    const step = async (): Promise<string> => {
      now += 40;
      if (now <= milliseconds) throw translate(Object.assign(new Error('It failed.'), { code: '57P03' }), 'here');
      return 'done';
    };
    const pause = async (pauseMilliseconds: number): Promise<void> => {
      now += pauseMilliseconds;
      pauses.push(pauseMilliseconds);
    };
    const end = await retryTransient(step, { now: () => booted + now, pause }).catch((error: Error) => error.message);
    return [
      `away for ${milliseconds} ms`,
      [end, `after ${now} ms`, `${pauses.length} pauses, the longest of ${Math.max(0, ...pauses)} ms`],
    ];
  });

/** A step that another writer is always faster than, and one that is only so often. */
const conflicts: Mechanisms[string] = () =>
  each([1, 19, 20, 21], async (conflicting): Promise<readonly [string, unknown]> => {
    let times = 0;
    const step = async (): Promise<string> => {
      times += 1;
      if (times <= conflicting) throw new StaleRow('plan');
      return 'done';
    };
    const end = await retryOnConflict(step).catch((error: Error) => error.name);
    return [`${conflicting} conflicts`, [end, times]];
  });

const causes: readonly UnknownCause[] = [
  'no-answer',
  'not-json',
  'truncated',
  'oversized',
  'wrong-shape',
  'redirected',
  'not-stored',
  'failed',
];

const unshaped: Mechanisms[string] = () =>
  causes.map((because) => [because, isShapeless({ kind: 'unknown', because }) ? 'not of its shape' : 'none'] as const);

/** Whether the circuit breaker of the other side counts an end as an answer. */
const counting: Mechanisms[string] = () => {
  const ends: readonly (readonly [what: string, reply?: Reply])[] = [
    ['nothing was sent'],
    ...(['cancelled', 'unreachable', 'incomplete'] as const).map(
      (because) => [`no effect, ${because}`, { kind: 'noEffect', because }] as const,
    ),
    ...causes.map((because) => [`unknown, ${because}`, { kind: 'unknown', because }] as const),
    ['a refusal', { kind: 'declined', code: 'DECLINED', reason: 'failure' }],
  ];
  return ends.map(([what, reply]) => [what, String(answered({ reply }))] as const);
};

/** What comes of a question to a client's user, by how the client answers it. */
const questions: Mechanisms[string] = () =>
  each(
    [
      ['answered', () => Promise.resolve('yes'), new AbortController().signal],
      ['not asked', () => Promise.reject(new Error('It failed.')), new AbortController().signal],
      ['answered after the call was cancelled', () => Promise.resolve('yes'), AbortSignal.abort()],
    ] as const,
    async ([what, ask, signal]): Promise<readonly [string, unknown]> => {
      const heard: unknown[] = [];
      const ctx = { mcpReq: { signal } } as unknown as ServerContext; // all that it looks at
      const record = async (...given: readonly unknown[]) => void heard.push(given);
      const wait = createOpenQuestions();
      const tell = (text: string) => void heard.push(text);
      await wait({ approval: 'approval_one', ask, record }, { ctx, tell, onFailure: () => undefined });
      return [what, heard];
    },
  );

/** An anchor before a request is sent. */
const anchors: Mechanisms[string] = () => {
  const moves: readonly (readonly [what: string, move?: () => Promise<boolean>])[] = [
    ['moves', async () => true],
    ['is of another ledger', async () => false],
    ['can’t be written', () => Promise.reject(new Error('It is full.'))],
    ['is not kept'],
  ];
  return each(moves, async ([what, advanceAnchor]): Promise<readonly [string, unknown]> => {
    const parts = { ledger: { advanceAnchor }, anchor: advanceAnchor && {} } as unknown as EngineParts; // all that it looks at
    const end = await moveAnchor(parts).catch((error: unknown) => error);
    return [what, end instanceof NotAnchored ? end.refusal.because : 'it is sent'];
  });
};

export const transportMechanisms: Mechanisms = {
  'addresses with parameters': addresses,
  'messages that a server refuses': refusedMessages,
  'steps of a database that are repeated': repeated,
  'a database that is away': away,
  'steps that conflict with those of others': conflicts,
  'answers that have not their shape': unshaped,
  'ends that a circuit breaker counts': counting,
  'questions that are open in a client': questions,
  'an anchor before a request': anchors,
  'a call that is cancelled before it is sent': () => [['its answer', cancelled('create_plan')]],
};
