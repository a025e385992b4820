import { offer } from '../../../src/domains/conversion/machines.ts';
import type { ActorStep } from '../scenario/schema.ts';
import { agentCaller, type World } from '../world/world.ts';
import { type Happened, made } from './authentications.ts';

/** The customer chooses a currency on the page of an offer. */
export async function choose(
  world: World,
  { chooses, currency, refused }: Extract<ActorStep, { chooses: string }>,
): Promise<Happened> {
  const [row] = await world.ledger.rows('select state from observations where handle = ?', [chooses]);
  const caller = { ...agentCaller, role: 'customer', conversation: `page of ${chooses}` } as const;
  const answer = await world.engine.call('choose_currency', { offer: chooses, currency }, caller);
  const happened = made(`The customer chooses ${currency}`, answer, refused);
  if (answer.outcome !== 'done') return happened;
  const to = String(answer.data?.state);
  return { ...happened, moved: [{ machine: offer.name, from: String(row?.state), trigger: 'choose', to }] };
}
