import { sandboxPasskey } from '../../../src/domains/passkey/settings.ts';
import { usualChannels } from '../../../src/engine/approval-channels.ts';
import { defaultPlatformLimits } from '../../../src/engine/platform-slots.ts';
import { unlimitedRates } from '../../../src/engine/rate-limiter.ts';
import type { EngineSettings } from '../../../src/engine/settings.ts';
import type { SpendingPolicy } from '../../../src/engine/spending-policy.ts';
import type { Caller } from '../../../src/ledger/ledger.ts';
import { sandboxSeed } from '../../../src/sandbox/index.ts';
import { noOwnNumbers } from '../../../src/screening/look-alikes.ts';
import type { Fixture, WorldSpec } from '../scenario/schema.ts';

// What a world is set up with: who calls, its fixture, and the operator's settings.

export const agentCaller: Caller = { tenant: 'default', principal: 'agent' };

const plainFixture: Fixture = {
  about: 'The people and cards of the sandbox.',
  shoppers: [],
  cards: [],
  plans: [],
  subscriptions: [],
};
export const plainSpec: WorldSpec = { fixture: 'plain', seed: 1, now: '2026-01-15T09:00:00Z' };

/** The fixture of a world. */
export const fixtureOf = (
  { fixture: name }: Pick<WorldSpec, 'fixture'> = plainSpec,
  fixture: (name: string) => Fixture,
): Fixture => (name === plainSpec.fixture ? plainFixture : fixture(name));

/** The operator's settings in a world. */
export function settingsOf(spec: WorldSpec = plainSpec, it: Fixture): EngineSettings {
  const { seed: _, now: __, fixture: ___, host: ____, ...own } = spec;
  const {
    limits = [],
    mandates = [],
    rules = {},
    bursts = {},
    passkey,
    sdkReleases = [],
    channels = usualChannels.sandbox,
    principals = 'separate',
  } = { ...it, ...own };
  return {
    environment: 'sandbox',
    merchant: { ...sandboxSeed.merchant, ...(it.merchant as EngineSettings['merchant'] | undefined) },
    domains: {
      device: { environment: 'test', owner: agentCaller.tenant, sdkReleases },
      ...(passkey === 'missing' ? {} : { passkey: sandboxPasskey }),
    },
    levels: rules,
    hasOperatorCalls: true,
    ownNumbers: noOwnNumbers,
    channels,
    reach: { command: { variables: {}, words: ['purser'], options: [] } },
    principals,
    limits: limits as readonly SpendingPolicy[], // the schema has checked the currency
    mandates: mandates as readonly SpendingPolicy[],
    rates: {
      ...unlimitedRates,
      conversation: {
        ...unlimitedRates.conversation,
        ...Object.fromEntries(
          Object.entries(bursts).map(([kind, burst]) => [kind, { burst, everyMilliseconds: 60_000 }]),
        ),
      },
    },
    platformLimits: defaultPlatformLimits,
  };
}
