import { offer } from '../../../src/domains/conversion/machines.ts';
import type { ActorStep } from '../scenario/schema.ts';
import type { World } from '../world/world.ts';
import { type Happened, made } from './authentications.ts';
import { customerOf, pageRead } from './pages.ts';

/** The customer chooses a currency on the page of an offer. */
export async function choose(
  world: World,
  { chooses, currency, refused }: Extract<ActorStep, { chooses: string }>,
): Promise<Happened> {
  const [row] = await world.ledger.rows('select state from observations where handle = ?', [chooses]);
  const page = await pageRead(world, 'choose_currency', ['offer', chooses]);
  const answer = await world.engine.call('choose_currency', { offer: chooses, currency }, customerOf(chooses));
  const happened = { ...made(`The customer chooses ${currency}`, answer, refused), page };
  if (answer.outcome !== 'done') return happened;
  const to = String(answer.data?.state);
  return { ...happened, moved: [{ machine: offer.name, from: String(row?.state), trigger: 'choose', to }] };
}
