import { startOf } from './clock.ts';
import type { CardFixture, OriginDocument } from './documents.ts';
import type { SandboxDomains } from './domain.ts';
import { type SeedCredentials, sandboxSeed } from './seed.ts';
import { shoppers } from './shoppers.ts';
import type { World } from './world.ts';

/** Adds the documents of a new world: its origin, clock, merchant, shoppers and cards, and those of each domain. */
export function begin(
  world: World,
  domains: SandboxDomains,
  origin: Omit<OriginDocument, 'id'>,
  { merchantId: id, keyId, secret }: SeedCredentials = sandboxSeed.credentials,
): void {
  const each = Object.values(domains);
  world.put('origin', { id: 'origin', ...origin });
  world.put('clock', startOf(origin.frozenAt));
  world.put('merchant', { id, name: sandboxSeed.merchant.name, keyId, secret });
  for (const [id, { cards, ...session }] of Object.entries(shoppers)) {
    world.put('shopper', { id, session: { ...session, cards } });
    for (const { handle, instrumentIdentifierId, label, ...saved } of cards) {
      const behavior = Object.assign({}, ...each.map(({ cards }) => cards?.seeded[handle]));
      const card: CardFixture = { id: instrumentIdentifierId, ...saved, ...behavior };
      world.put('cardFixture', card);
    }
  }
  for (const { seed } of each) seed?.(world);
}
