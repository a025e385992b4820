import { compose, type Running } from '../../src/cli/compose.ts';
import { readConfiguration } from '../../src/cli/config.ts';
import type { Answer } from '../../src/engine/answer.ts';
import { recordDecision } from '../../src/engine/approval-service.ts';
import { registerReceipt } from '../../src/engine/register.ts';
import { sandboxSeed } from '../../src/sandbox/seed.ts';
import { fenced } from './markdown.ts';

const tenant = 'default';
const frozenAt = Date.UTC(2026, 0, 15, 9);
const order = {
  card: 'card_bo',
  reference: 'order-1001',
  limit: { amount: '120.00', currency: 'GBP' },
  until: '2026-01-16T09:00:00Z',
  description: 'Headphones',
};

/** The first lines of a purchase: what is asked, what a person decides, and what is refused. */
export async function excerpt(): Promise<string> {
  const running = await fresh();
  const heard: string[] = [];
  const call = async (tool: string, args: object, shownArgs: string): Promise<Answer> => {
    const answer = await running.engine.call(tool, args, { tenant, principal: 'agent' });
    const rule = answer.error?.rule === undefined ? '' : ` by ${answer.error.rule}`;
    const [said] = answer.said.split(/(?<=\.) /);
    heard.push(`agent   ${tool} ${shownArgs}`, `purser  ${answer.outcome}${rule}: ${said}`);
    return answer;
  };
  const ordered = { ...order, card: 'card_ada' };
  const inShort = '{"card":"card_ada","limit":{"amount":"120.00","currency":"GBP"},"description":"Headphones",…}';
  try {
    await running.engine.call('enroll_card', { card: 'card_ada' }, { tenant, principal: 'agent' });
    const { approval } = await call('initiate_purchase', ordered, inShort);
    await recordDecision(running.engine.parts, approval?.id ?? '', 'approve', {
      tenant,
      approver: 'clerk',
      channel: 'cli',
    });
    heard.push(`person  purser approvals approve ${approval?.id}`);
    const { data } = await call('initiate_purchase', ordered, inShort);
    const instruction = String(data?.instruction);
    for (const amount of ['250.00', '99.50']) {
      const args = { instruction, amount, currency: 'GBP' };
      await call('retrieve_credentials', args, JSON.stringify(args));
    }
  } finally {
    await running.close();
  }
  return fenced('text', heard.join('\n'));
}

/** A purchase, as an agent, a customer, a person and a shop live it: every answer is the engine's own. */
export async function conversation(): Promise<string> {
  const running = await fresh();
  const heard: string[] = [];
  const call = async (tool: string, args: object): Promise<Answer> => {
    const answer = await running.engine.call(tool, args, { tenant, principal: 'agent' });
    heard.push(`agent     ${tool} ${JSON.stringify(args)}`, ...shown(answer), '');
    return answer;
  };
  const meanwhile = (who: string, what: string) => heard.push(`${who.padEnd(9)} ${what}`, '');
  try {
    await call('enroll_card', { card: order.card });
    await verify(running);
    meanwhile('customer', "verifies identity in the merchant's app");
    await call('enroll_card', { card: order.card });
    const { approval } = await call('initiate_purchase', order);
    await recordDecision(running.engine.parts, approval?.id ?? '', 'approve', {
      tenant,
      approver: 'clerk',
      channel: 'cli',
    });
    meanwhile('person', `purser approvals approve ${approval?.id}`);
    const { data } = await call('initiate_purchase', order);
    const instruction = String(data?.instruction);
    await call('retrieve_credentials', { instruction, amount: '250.00', currency: 'GBP' });
    await call('retrieve_credentials', { instruction, amount: '99.50', currency: 'GBP' });
    await call('confirm_transaction', { instruction });
    await registerReceipt(running.engine.parts, tenant, { instruction, ...receipt });
    meanwhile('shop', 'redeems the handle, takes the payment, and posts its receipt to Purser');
    await call('confirm_transaction', { instruction });
    await call('cancel_purchase', { instruction });
  } finally {
    await running.close();
  }
  return fenced('text', heard.join('\n').trimEnd());
}

const receipt = {
  transactionType: 'PURCHASE',
  transactionStatus: 'APPROVED',
  amount: '99.50',
  currency: 'GBP',
} as const;

/** A Purser in memory whose time stands still and whose handles are counted. */
function fresh(): Promise<Running> {
  const counted = new Map<string, number>();
  const next = (name: string): number => {
    const count = (counted.get(name) ?? 0) + 1;
    counted.set(name, count);
    return count;
  };
  const ids = {
    handle: (prefix: string) => `${prefix}_${next(prefix)}`,
    key: (prefix: string) => `${prefix}_${next(prefix)}`,
    uuid: () => `00000000-0000-4000-8000-${String(next('uuid')).padStart(12, '0')}`,
  };
  const configuration = readConfiguration({ PURSER_ENVIRONMENT: 'sandbox' }, { data: ':memory:' });
  const reach = { command: { variables: {}, words: ['purser'], options: [] } };
  return compose(configuration, { clock: { now: () => frozenAt }, frozenAt, ids, reach });
}

/** The customer does what the platform asked for. */
async function verify({ sandbox }: Running): Promise<void> {
  const [card] = sandboxSeed.shoppers.shopper_bo.cards;
  const url = `http://localhost/sandbox/cards/${card?.instrumentIdentifierId}/verify`;
  await sandbox?.handle(new Request(url, { method: 'POST' }));
}

/** An answer as a reader follows it: outcome, rule, sentence, data, what a person reads, and what is possible next. */
function shown({ outcome, error, said, data, approval, next }: Answer): readonly string[] {
  const rule = error?.rule === undefined ? '' : ` by ${error.rule}`;
  const indent = ' '.repeat(10);
  return [
    `purser    ${outcome}${rule}: ${said}`,
    ...(data === undefined ? [] : [`${indent}${JSON.stringify(data)}`]),
    ...(approval === undefined ? [] : approval.text.split('\n').map((line) => `${indent}| ${line}`)),
    ...(next.length === 0 ? [] : [`${indent}next: ${next.join(', ')}`]),
  ];
}
