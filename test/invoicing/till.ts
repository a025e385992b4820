import { expect } from 'vitest';
import type { Replacements } from '../../src/cli/compose.ts';
import type { Configuration } from '../../src/cli/configuration.ts';
import type { Level } from '../../src/core/rules.ts';
import type { SpendingPolicy } from '../../src/engine/spending-policy.ts';
import { bill as plainBill } from '../engine/invoicing.ts';
import { type Agent, type Called, connect, inProcess } from '../faces/agents.ts';
import { sandboxOf, type World, world } from '../faces/support.ts';
import { host, signed, start } from '../sandbox/support.ts';

// What tests of invoicing through MCP share: an agent that bills, its merchant, and a customer who pays.

/** A plain bill of 40.00 USD, by its argument `how` a draft. */
export const bill = (more: object = {}) => plainBill({ how: 'draft', ...more });

/** Two lines that come to 40.00. */
export const lines = [
  { sku: 'C-1', name: 'Cone', quantity: 2, price: '15.00', total: '30.00' },
  { sku: 'C-2', name: 'Cable', quantity: 1, price: '10.00', total: '10.00' },
] as const;

export interface Till {
  readonly here: World;
  readonly agent: Agent;
  call(tool: string, args?: object): Promise<Called['answer']>;
  /** A call that must succeed; a person approves where one is asked. */
  does(tool: string, args?: object): Promise<Called['answer']>;
  /** The handle of a new invoice. */
  billed(more?: object): Promise<string>;
  /** What the agent sees of an invoice. */
  // biome-ignore lint/suspicious/noExplicitAny: data are compared whole, not typed
  read(invoice: string): Promise<any>;
  /** The customer pays. */
  pay(invoice: string, body?: object): Promise<number>;
  /** Somebody opens a link; the merchant signs. */
  visit(link: string, signs?: boolean): Promise<number>;
  /** The merchant's own system calls the platform. */
  merchant(method: string, path: string, body?: object): Promise<{ readonly status: number; readonly body: Told }>;
  at(now: number | string): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: bodies are compared whole, not typed
type Told = any;

/** A Purser whose clock stands still, and an agent at it. */
export async function till(
  levels: { readonly [rule: string]: Level } = {},
  replace: Replacements = {},
  limits: readonly SpendingPolicy[] = [],
  merchant?: Configuration['merchant'],
): Promise<Till> {
  const here = await world({
    replace: { clock: { now: () => start }, frozenAt: start, ...replace },
    configuration: { levels, limits, merchant },
  });
  const agent = await connect(inProcess(here), { pin: '2026-07-28' });
  const handle = (request: Request) => sandboxOf(here.running).handle(request);

  const call = async (tool: string, args: object = {}) => (await agent.call(tool, args)).answer;
  const does = async (tool: string, args: object = {}): Promise<Called['answer']> => {
    const answer = await call(tool, args);
    if (answer.approval === undefined) {
      expect(answer, tool).toMatchObject({ outcome: 'done' });
      return answer;
    }
    await here.http('POST', `/approvals/${answer.approval.id}`, 'person', { decision: 'approve' });
    return does(tool, args);
  };
  const billed = async (more: object = {}) => (await does('create_invoice', bill(more))).data.invoice;
  const read = async (invoice: string) => (await does('get_invoice', { invoice })).data;
  const pay = async (invoice: string, body: object = {}) => {
    const { link } = await read(invoice);
    return (await handle(new Request(link, { method: 'POST', body: JSON.stringify(body) }))).status;
  };
  const visit = async (link: string, signs = false) => {
    const { origin, pathname } = new URL(link);
    return (await handle(signs ? signed(origin, 'GET', pathname, undefined) : new Request(link))).status;
  };
  const asMerchant: Till['merchant'] = async (method, path, body) => {
    const sent = body === undefined ? undefined : JSON.stringify(body);
    const answer = await handle(signed(`https://${host}`, method, path, sent));
    return { status: answer.status, body: await answer.json() };
  };
  const at = async (now: number | string) => {
    expect((await here.http('POST', '/sandbox/clock', undefined, { now })).status).toBe(200);
  };
  return { here, agent, call, does, billed, read, pay, visit, merchant: asMerchant, at };
}
