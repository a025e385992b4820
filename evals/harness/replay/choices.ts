import { offer } from '../../../src/domains/conversion/machines.ts';
import { readPage } from '../../../src/engine/customer-steps.ts';
import { pageOf } from '../../../src/engine/page-tools.ts';
import type { Caller } from '../../../src/ledger/ledger.ts';
import type { ActorStep } from '../scenario/schema.ts';
import { agentCaller } from '../world/settings.ts';
import type { World } from '../world/world.ts';
import { type Happened, made } from './authentications.ts';

/** The customer chooses a currency on the page of an offer. */
export async function choose(
  world: World,
  { chooses, currency, refused }: Extract<ActorStep, { chooses: string }>,
): Promise<Happened> {
  const [row] = await world.ledger.rows('select state from observations where handle = ?', [chooses]);
  const caller = { ...agentCaller, role: 'customer', conversation: `page of ${chooses}` } as const;
  const page = await pageFor(world, chooses, caller);
  const answer = await world.engine.call('choose_currency', { offer: chooses, currency }, caller);
  const happened = { ...made(`The customer chooses ${currency}`, answer, refused), page };
  if (answer.outcome !== 'done') return happened;
  const to = String(answer.data?.state);
  return { ...happened, moved: [{ machine: offer.name, from: String(row?.state), trigger: 'choose', to }] };
}

/** What the customer reads on that page, line by line: everything before the choice, and the choice itself. */
async function pageFor(world: World, handle: string, caller: Caller): Promise<readonly string[]> {
  const { parts } = world.engine;
  const tool = pageOf(parts.tools, 'choose_currency');
  if (tool === undefined) return [];
  const { title, text, table, submit } = await parts.ledger.transaction(caller.tenant, (tx) =>
    readPage(parts, tx, tool, { offer: handle }, caller),
  );
  const rows = (table ?? []).map(([label, value]) => `${label}: ${value}`);
  const buttons = typeof submit === 'string' ? [submit] : submit.options.map(({ label }) => label);
  return [title, ...text, ...rows, ...buttons.map((label) => `[${label}]`)];
}
