import type { ServerContext } from '@modelcontextprotocol/server';
import { createConversation } from '../../../src/mcp/approval.ts';
import { agentCaller } from '../world/settings.ts';
import type { TestHarness } from '../world/world.ts';
import type { Lines, Mechanisms } from './lines.ts';
import { asAgent, inWorlds, onPlain, plain } from './prepared-worlds.ts';

// What comes of the answer to a question whether a call may be made, by what the client says and for which call.

const payment = { price: { amount: '10.00', currency: 'GBP' }, card: 'card_ada', reference: 'order-1' };
const stateKey = 'a key of thirty-two characters !';

const reactions: readonly (readonly [what: string, response: unknown])[] = [
  ['no answer', undefined],
  ['yes', { action: 'accept', content: { approve: true } }],
  ['no', { action: 'accept', content: { approve: false } }],
  ['"true"', { action: 'accept', content: { approve: 'true' } }],
  ['an empty form', { action: 'accept', content: {} }],
  ['no form', { action: 'accept' }],
  ['declined', { action: 'decline' }],
  ['declined, with a form that says yes', { action: 'decline', content: { approve: true } }],
  ['cancelled', { action: 'cancel' }],
  ['cancelled, with a form that says yes', { action: 'cancel', content: { approve: true } }],
  ['an answer to another question', { role: 'user', content: { type: 'text', text: 'yes' } }],
];
const others: readonly (readonly [what: string, tool: string, args: object])[] = [
  ['another tool', 'sell_in_person', payment],
  ['another amount', 'authorize_payment', { ...payment, price: { amount: '10.01', currency: 'GBP' } }],
  ['a member more', 'authorize_payment', { ...payment, note: 'x' }],
  ['the members in another order', 'authorize_payment', Object.fromEntries(Object.entries(payment).toReversed())],
];

const settled = (harness: TestHarness): Promise<Lines> =>
  onPlain(harness, async (again) => {
    const lines: [string, unknown][] = [];
    const settle = async (
      what: string,
      by: 'form' | 'page',
      response: unknown,
      { tool = 'authorize_payment', args = payment, transport = 'stdio' as 'stdio' | 'http', minutes = 0 } = {},
    ) =>
      void lines.push([
        `${what}, by ${by === 'page' ? 'a page' : 'a form'}`,
        await again(plain, async (engine, passes) => {
          const { approval } = await asAgent(engine, 'authorize_payment', payment);
          if (approval === undefined) return 'no question';
          const way = by === 'page' ? { by, origin: 'https://shop.example.com' } : { by };
          const mcpReq = { method: 'tools/call', inputResponses: { approval: response }, signal: undefined };
          const ctx = { mcpReq } as unknown as ServerContext; // all that it looks at
          const conversation = createConversation(engine, agentCaller, { transport, stateKey });
          const asked = await conversation.ask(way, approval, 'authorize_payment', payment, ctx);
          const { requestState = '' } = asked as { readonly requestState?: string };
          passes(minutes * 60);
          const answer = await conversation.settle(await conversation.verify(requestState, ctx), tool, args, ctx);
          const left = await asAgent(engine, 'list_approvals', { limit: 9 });
          const [first] = (left.data?.items ?? []) as readonly { readonly state?: string }[]; // by the tool's shape
          const { outcome, error, next, approval: more } = answer;
          return [outcome, error?.code, error?.rule, error?.retry, next, more && 'asks', first?.state ?? 'none'];
        }),
      ]);
    for (const [what, response] of reactions)
      for (const by of ['form', 'page'] as const) await settle(what, by, response);
    const yes = { action: 'accept', content: { approve: true } };
    for (const [what, tool, args] of others)
      await settle(`yes, for ${what}`, 'form', yes, { tool, args: args as typeof payment });
    await settle('yes, over HTTP', 'form', yes, { transport: 'http' });
    for (const minutes of [9, 10, 11]) await settle(`yes, after ${minutes} min`, 'form', yes, { minutes });
    return lines;
  });

export const questionMechanisms: Mechanisms = inWorlds({
  'the answer to a question, by what it is and for which call': settled,
});
