import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { tools } from '../../tools/index.ts';
import { createClient } from '../client/client.ts';
import type { Platform } from '../client/platform.ts';
import { createHttpSignature, createJwt } from '../client/signing.ts';
import { createEngine, type Engine, type EngineParts } from '../engine/engine.ts';
import { defaultPressure, defaultRates, unhurried } from '../engine/gates.ts';
import { recover } from '../engine/people.ts';
import { registerShopper } from '../engine/register.ts';
import type { EngineSettings, Ports } from '../engine/settings.ts';
import { openLedger } from '../ledger/store.ts';
import { createVault, Secret } from '../ledger/vault.ts';
import { createSandbox, type Sandbox, sandboxSeed } from '../sandbox/index.ts';
import { BadConfiguration, type Configuration } from './config.ts';
import { version } from './version.ts';

/** A running Purser: its engine, and the sandbox where it has one of its own. */
export interface Running {
  readonly engine: Engine;
  readonly sandbox: Sandbox | undefined;
  close(): Promise<void>;
}

/** What a test may put in place of the real thing. */
export interface Replacements {
  readonly clock?: Ports['clock'];
  readonly ids?: Ports['ids'];
  readonly failpoint?: Ports['failpoint'];
  readonly platform?: (real: Platform) => Platform;
  readonly frozenAt?: number;
  readonly rates?: EngineSettings['rates'];
}

/** The composition root: everything real is made here, and nowhere else. */
export async function compose(configuration: Configuration, replace: Replacements = {}): Promise<Running> {
  const wall = replace.clock ?? { now: () => Date.now() };
  const ids = replace.ids ?? realIds;
  const place = placeOf(configuration.data);
  const sandbox = embedded(configuration)
    ? createSandbox({
        file: place('sandbox.sqlite'),
        clock: wall,
        ...(replace.frozenAt === undefined ? {} : { frozenAt: replace.frozenAt }),
      })
    : undefined;
  const ledger = await openLedger({ file: place(`${configuration.environment}.sqlite`) });
  const vault = createVault<unknown>({ ids });
  const base = baseUrlOf(configuration);
  const real =
    sandbox === undefined
      ? (await import('../client/platform.ts')).createHttpPlatform({ baseUrl: base })
      : Object.assign((request: Request) => sandbox.handle(request), { close: async () => {} });
  const credentials = configuration.credentials ?? sandboxCredentials;
  const clock = sandbox === undefined ? wall : { now: () => sandbox.world.now() };
  const client = createClient({
    platform: replace.platform?.(real) ?? real,
    baseUrl: base,
    signer:
      configuration.signing === 'jwt'
        ? createJwt({ credentials, clock: wall, ids })
        : createHttpSignature({ credentials, clock: wall }),
    agentPrefix: configuration.agentPrefix,
    clock: wall,
    version,
  });
  const isSandbox = configuration.environment === 'sandbox';
  const parts: EngineParts = {
    tools,
    client,
    ledger,
    vault,
    settings: {
      environment: configuration.environment,
      merchant: merchantOf(configuration),
      passkey: configuration.passkey ?? (isSandbox ? { ...sandboxSeed } : undefined),
      levels: configuration.levels,
      limits: configuration.limits,
      mandates: configuration.mandates,
      rates:
        replace.rates ?? (replace.clock === undefined && replace.frozenAt === undefined ? defaultRates : unhurried),
      pressure: defaultPressure,
    },
    ports: { clock, ids, failpoint: replace.failpoint ?? (() => {}) },
  };
  if (isSandbox) await seedShoppers(parts, configuration.tenant);
  await recover(parts);
  return {
    engine: createEngine(parts),
    sandbox,
    close: async () => {
      await ledger.close();
      await real.close();
      await sandbox?.close();
    },
  };
}

const embedded = ({ environment, sandboxUrl }: Configuration): boolean =>
  environment === 'sandbox' && sandboxUrl === undefined;

/** Where files go: into the data folder, or nowhere. */
function placeOf(data: string): (file: string) => string {
  if (data === ':memory:') return () => ':memory:';
  try {
    mkdirSync(data, { recursive: true, mode: 0o700 });
  } catch {
    throw new BadConfiguration(`The data folder ${data} can't be made: choose another with --data DIR.`);
  }
  return (file) => join(data, file);
}

function baseUrlOf({ environment, baseUrl, sandboxUrl }: Configuration): string {
  const url = environment === 'sandbox' ? (sandboxUrl ?? 'https://sandbox.purser.test') : baseUrl;
  if (url === undefined) throw new BadConfiguration(`The environment "${environment}" needs PURSER_BASE_URL.`);
  return url;
}

const sandboxCredentials = {
  merchantId: sandboxSeed.credentials.merchantId,
  keyId: sandboxSeed.credentials.keyId,
  sharedSecret: new Secret(sandboxSeed.credentials.secret),
};

const merchantOf = ({ merchant, credentials }: Configuration) =>
  merchant === undefined
    ? sandboxSeed.merchant
    : { ...merchant, id: merchant.id ?? credentials?.merchantId ?? sandboxSeed.merchant.id };

/** Gives a fresh sandbox ledger the sandbox's shoppers, once: what was learned of them since is kept. */
async function seedShoppers(parts: EngineParts, tenant: string): Promise<void> {
  for (const [handle, session] of Object.entries(sandboxSeed.shoppers)) {
    const known = await parts.ledger.transaction(tenant, (tx) => tx.observations.find(handle));
    if (known === undefined) await registerShopper(parts, tenant, { handle, ...session });
  }
}

const letters = 'abcdefghijklmnopqrstuvwxyz';
/** 28 letters of 26: 131 random bits. Letters alone, so that no handle looks like a card number. */
const handleLetters = 28;

const realIds: Ports['ids'] = {
  handle: (prefix) => `${prefix}_${randomLetters(handleLetters)}`,
  uuid: () => randomUUID(),
};

/** Letters drawn evenly: bytes that would favour the first letters are thrown away. */
function randomLetters(count: number): string {
  let drawn = '';
  while (drawn.length < count)
    for (const byte of randomBytes(count))
      if (byte < 234 && drawn.length < count) drawn += letters[byte % letters.length];
  return drawn;
}
