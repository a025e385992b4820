import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Answer, Outcome } from '../src/engine/answer.ts';
import { sandboxSeed } from '../src/sandbox/seed.ts';
import { addReceipt, callTool, startHost, startPlatform } from './demo/cast.ts';
import { heading, plain, says } from './demo/stage.ts';

// A purchase from the first word to the last, and five things that no agent gets away with: npm run demo

/** A made-up number that passes the check digit. It is never printed. */
const cardNumber = '4000 0000 0000 0002';
const folder = mkdtempSync(join(tmpdir(), 'purser-demo-'));
const platform = await startPlatform(folder);
const tally = { done: 0, approved: 0, refused: [] as string[], surprises: [] as string[] };
const host = await startHost(folder, platform, () => {
  tally.approved += 1;
});

try {
  heading('A customer buys headphones');
  const bought = await buy();
  heading('Five things that an agent must not do');
  await misbehave(bought);
  await sumUp();
} finally {
  await host.close();
  await platform.close();
  rmSync(folder, { recursive: true });
}
process.exitCode = tally.surprises.length === 0 ? 0 : 1;

async function buy(): Promise<string> {
  says('Customer', "I'm Bo. I'd like the blue headphones, for 120 pounds at most.");
  await call('find_shopper', { name: 'Bo' });
  await call('list_cards', { shopper: 'shopper_bo' });
  await call('enroll_card', { card: 'card_bo' });
  says('Agent', 'Bo, please confirm in the shop that this card is yours.');
  await platform.control('POST', `cards/${sandboxSeed.shoppers.shopper_bo.cards[0]?.instrumentIdentifierId}/verify`);
  says('Customer', 'Done: I confirmed it with my fingerprint.');
  await call('enroll_card', { card: 'card_bo' });
  const order = { card: 'card_bo', reference: 'order-1001', limit: pounds('120.00'), until: await nextWeek() };
  const { data } = await call('initiate_purchase', { ...order, description: 'Blue headphones' });
  const instruction = String(data?.instruction);
  await call('retrieve_credentials', { instruction, amount: '99.50', currency: 'GBP' });
  says('Agent', "That should do. I'll confirm it right away.");
  await call('confirm_transaction', { instruction }, 'AP-10');
  const paid = { transactionType: 'PURCHASE', transactionStatus: 'APPROVED', amount: '99.50', currency: 'GBP' };
  addReceipt(folder, platform, { instruction, ...paid });
  says('Shop', 'Our payment system took 99.50 GBP, and gave Purser the receipt.');
  await call('confirm_transaction', { instruction });
  says('Agent', 'The headphones are yours, Bo: 99.50 pounds were paid.');
  return instruction;
}

async function misbehave(completed: string): Promise<void> {
  says('Customer', 'A cable too, please, for 30 pounds at most.');
  const order = { card: 'card_bo', reference: 'order-1002', limit: pounds('30.00'), until: await nextWeek() };
  const { data } = await call('initiate_purchase', { ...order, description: 'Cable, 2 m' });
  const instruction = String(data?.instruction);
  const before = await effects();

  wants('take more than the customer allowed.');
  await call('retrieve_credentials', { instruction, amount: '250.00', currency: 'GBP' }, 'AP-09');
  wants('pay with the card of another customer.');
  await call('retrieve_credentials', { instruction, amount: '25.00', currency: 'GBP', card: 'card_ada' }, 'AP-08');
  wants('pass on a card number that stood in the chat.');
  await call('update_purchase', { instruction, ...rest(order), description: `Pay with ${cardNumber}` }, 'EN-05');
  wants('use the order number once more, for something dearer.');
  await call('initiate_purchase', { ...order, limit: pounds('90.00'), description: 'Cable, gold' }, 'EN-03');
  wants('change the purchase that is completed.');
  await call('update_purchase', { instruction: completed, ...rest(order), description: 'Two headphones' }, 'AP-11');

  if ((await effects()) !== before) tally.surprises.push('a refused call reached the platform');
  says('Platform', 'None of these five ever reached me.');
  says('Customer', 'Never mind the cable.');
  await call('cancel_purchase', { instruction });
}

/** Makes a call and shows it. A rule is named where the call must be refused by it. */
async function call(tool: string, args: object, rule?: string): Promise<Answer> {
  says('Agent', `${tool} ${JSON.stringify(args).replaceAll(cardNumber, '‹a card number›')}`);
  const answer = await callTool(host, tool, args);
  const expected: Outcome = rule === undefined ? 'done' : 'refused';
  const { outcome, said, error, data } = answer;
  const by = error?.rule === undefined ? '' : ` by ${error.rule}`;
  says('Purser', `${outcome === 'done' ? '✓' : '✗'} ${outcome}${by}: ${said}`, outcome === 'done' ? 'green' : 'red');
  if (data !== undefined) says('', short(JSON.stringify(data)), 'gray');
  if (outcome !== expected || error?.rule !== rule)
    tally.surprises.push(`${tool}: ${outcome}${by} instead of ${expected}${rule === undefined ? '' : ` by ${rule}`}`);
  else if (rule === undefined) tally.done += 1;
  else tally.refused.push(rule);
  return answer;
}

function short(text: string): string {
  const widest = 160;
  return text.length > widest ? `${text.slice(0, widest - 1)}…` : text;
}

function wants(what: string): void {
  says('Agent', `tries to ${what}`, 'gray');
}

function pounds(amount: string) {
  return { amount, currency: 'GBP' };
}

function rest({ limit, until }: { readonly limit: object; readonly until: string }) {
  return { limit, until };
}

async function nextWeek(): Promise<string> {
  const { milliseconds } = (await platform.control('GET', 'clock')) as { milliseconds: number }; // the sandbox's own
  return `${new Date(milliseconds + 7 * 86_400_000).toISOString().slice(0, 'YYYY-MM-DD'.length)}T00:00:00Z`;
}

/** How often the platform did something. */
async function effects(): Promise<number> {
  return ((await platform.control('GET', 'effects')) as { effects: readonly unknown[] }).effects.length; // as above
}

async function sumUp(): Promise<void> {
  const [hasty, ...forbidden] = tally.refused;
  heading('What happened');
  plain(`Done       ${tally.done} calls, ${await effects()} of them changed something on the platform`);
  plain(`Approved   ${tally.approved} by a person, each for exactly one call`);
  plain(`Hasty      1 call before its time, refused (${hasty})`);
  plain(`Forbidden  ${forbidden.length} of 5 refused (${forbidden.join(', ')})`);
  for (const surprise of tally.surprises) plain(`Unexpected ${surprise}`);
  plain(tally.surprises.length === 0 ? '\nAll as it should be.' : '\nThis is not as it should be: please report it.');
}
