import { describe, expect, it } from 'vitest';
import type { Client } from '../../src/client/client.ts';
import { PlatformFault, PlatformRefusal } from '../../src/client/errors.ts';
import { outcomeOf } from '../../src/client/outcome.ts';
import { answered, send } from '../../src/engine/send.ts';
import type { PlatformTool } from '../../src/engine/tool.ts';
import { tools } from '../../tools/index.ts';
import { countingIds } from './support.ts';

const tool = tools.find(({ name }) => name === 'list_subscription_payments') as PlatformTool; // a tool of the contract
const request = { names: { id: 'subscription-1' }, query: { limit: '20' }, body: undefined };
const client = (call: (...given: unknown[]) => Promise<unknown>) => ({
  client: { listSubscriptionPayments: call } as unknown as Client,
  ports: { ids: countingIds() },
}); // the one method that is called

describe('sending', () => {
  it('hands the names of the path, query and body to the operation, once, under the id of the call', async () => {
    const calls: unknown[] = [];
    const answer = { status: 200, body: { totalCount: 0 } };
    const reply = await send(
      client(async (...given) => {
        calls.push(given);
        return answer;
      }),
      tool,
      request,
      'request-1',
    );
    expect(calls).toEqual([
      [{ id: 'subscription-1', query: { limit: '20' }, body: undefined }, { requestId: 'request-1' }],
    ]);
    expect(reply).toEqual({ kind: 'succeeded', ...answer });
  });

  it.each([new PlatformFault('no-answer'), new PlatformRefusal({ status: 400, reason: 'BAD' }), new Error('no'), 'no'])(
    'never throws: what went wrong is the reply (%s)',
    async (error) => {
      const refusing = client(() => Promise.reject(error));
      expect(await send(refusing, tool, request, 'request-1')).toEqual(outcomeOf(error));
    },
  );
});

describe('whether the platform is there', () => {
  it.each<[string, Parameters<typeof answered>[0]['reply'], boolean | undefined]>([
    ['it was not asked', undefined, undefined],
    ['it answered', { kind: 'succeeded', status: 202, body: {} }, true],
    ['it was not reached', outcomeOf(new PlatformFault('unreachable')), false],
    ['it did not answer', outcomeOf(new PlatformFault('no-answer')), false],
    ['it answered with something else', outcomeOf(new PlatformFault('not-json')), true],
    ['it broke off', outcomeOf(new PlatformFault('truncated')), true],
    ['it said no', outcomeOf(new PlatformRefusal({ status: 400, reason: 'BAD' })), true],
    ['it failed', outcomeOf(new PlatformRefusal({ status: 500, reason: 'BAD' })), true],
    ['something of ours failed', outcomeOf(new Error('no')), true],
  ])('is known after a call where %s', (_, reply, there) => {
    expect(answered(reply === undefined ? {} : { reply })).toBe(there);
  });
});
