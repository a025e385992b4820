import type { UnknownCause } from '../../../src/core/outcome.ts';
import { iframeAddress, sandboxPasskey } from '../../../src/domains/passkey/settings.ts';
import { retryOnConflict } from '../../../src/engine/retry.ts';
import { isShapeless } from '../../../src/engine/shapeless.ts';
import { StaleRow } from '../../../src/ledger/errors.ts';
import { translate } from '../../../src/ledger/postgres-errors.ts';
import { retryTransient } from '../../../src/ledger/retry.ts';
import { responseWithoutEcho } from '../../../src/mcp/error-redaction.ts';
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
    const end = await retryTransient(step, { now: () => now, pause }).catch((error: Error) => error.message);
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

export const transportMechanisms: Mechanisms = {
  'addresses with parameters': addresses,
  'messages that a server refuses': refusedMessages,
  'steps of a database that are repeated': repeated,
  'a database that is away': away,
  'steps that conflict with those of others': conflicts,
  'answers that have not their shape': unshaped,
};
