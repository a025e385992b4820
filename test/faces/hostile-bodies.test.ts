import { expect, it } from 'vitest';
import { variationsWith } from '../../evals/harness/replay/variations.ts';
import { customerRoutes } from '../../src/http/customer-routes.ts';
import { merchantRoutes } from '../../src/http/merchant-routes.ts';
import { peopleRoutes } from '../../src/http/person-routes.ts';
import { sandboxSeed } from '../../src/sandbox/index.ts';
import { bought, order, payment, world } from '../engine/support.ts';
import { nested } from '../support/nested.ts';

// No body that the merchant's systems, people or customers post ends in an exception, whatever one of its fields is.

const hostile: readonly (readonly [name: string, value: unknown])[] = [
  ['half', JSON.parse(String.raw`"Zo\ud83d"`)],
  ['named by half', JSON.parse(String.raw`{"Zo\ud83d":"Ada"}`)],
  ['beyond all numbers', JSON.parse('1e400')],
  ['very deep', nested(50_000)],
  ['null', null],
  ['a list', []],
  ['a prototype', JSON.parse('{"__proto__":{"displayName":"Eve"}}')],
  ['inherited', 'constructor'],
];

it('every route that takes a body answers it', async () => {
  const here = await world();
  const instruction = await bought(here);
  const { approval } = await here.call('initiate_purchase', order({ reference: 'order-2' }));
  await here.fault('retrieveCredentials', 'timeout-after-commit');
  const { operation: lost = '' } = await here.call('retrieve_credentials', payment(instruction));
  const receipt = { transactionType: 'PURCHASE', transactionStatus: 'APPROVED', amount: '40.00', currency: 'GBP' };
  const bodies: { readonly [call: string]: { readonly id?: string; readonly body: object } } = {
    'POST /shoppers': { body: { handle: 'shopper_hostile', ...sandboxSeed.shoppers.shopper_ada } },
    'POST /receipts': { body: { instruction, ...receipt } },
    'POST /calls/:id': { id: 'enroll_card', body: { card: 'card_ada' } },
    'POST /approvals/:id': { id: approval?.id ?? '', body: { decision: 'deny' } },
    'POST /approve/:id': { id: approval?.id ?? '', body: { decision: 'deny' } },
    'POST /operations/:id': { id: lost, body: { happened: true, note: 'looked it up' } },
    'POST /act': { body: { link: 'link' } },
    'POST /act/take': { body: { link: 'link', values: { code: '123456' } } },
  };
  const { engine } = here.running;
  const routes = [...merchantRoutes(engine, 'default'), ...peopleRoutes(engine, 'default')];
  const open = customerRoutes(engine, 'default').map(({ call, serve }) => ({
    call,
    serve: ({ body }: { readonly body: unknown }) => serve(body),
  }));
  const posting = [...routes, ...open].filter(({ call }) => call.startsWith('POST '));
  const bodiless = ['POST /things/:id/link', 'POST /credentials/:id/redeem'];
  const calls = posting.map(({ call }) => call).filter((call) => !bodiless.includes(call));
  expect(calls.toSorted()).toEqual(Object.keys(bodies).toSorted());
  for (const { call, serve } of posting) {
    const { id = '', body = {} } = bodies[call] ?? {};
    for (const { what, body: other } of variationsWith(body, () => hostile)) {
      const answered = serve({ id, query: {}, body: other }).then(
        ({ status }) => status,
        (error: Error) => error.message,
      );
      expect([call, what, await answered]).toEqual([call, what, expect.toSatisfy((it) => it >= 200 && it < 500)]);
    }
  }
  expect((await here.parts.ledger.verify()).ok).toBe(true);
});
