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
import { makePrivate } from '../ledger/private-file.ts';
import { memorySafe, sealedSafe } from '../ledger/safe.ts';
import { openLedger } from '../ledger/store.ts';
import { Secret } from '../ledger/vault.ts';
import { createSandbox, type Sandbox } from '../sandbox/handler.ts';
import { sandboxSeed } from '../sandbox/seed.ts';
import { readAnchor, writeAnchor } from './anchor.ts';
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
  const wall = replace.clock ?? wallClock;
  const ids = replace.ids ?? realIds;
  const base = baseUrlOf(configuration);
  const isSandbox = configuration.environment === 'sandbox';
  const signer = signerOf(configuration, wall, ids);
  refuseStrangers(configuration);
  makeFolder(configuration.data);
  const ledger = await openLedger({ file: ledgerFile(configuration) });
  const vault =
    configuration.vaultKey === undefined
      ? memorySafe({ ids })
      : sealedSafe({ ids, key: configuration.vaultKey, random: randomBytes });
  const sandbox =
    isSandbox && configuration.sandboxUrl === undefined
      ? openSandbox(configuration, wall, replace.frozenAt)
      : undefined;
  const real =
    sandbox === undefined
      ? (await import('../client/platform.ts')).createHttpPlatform({ baseUrl: base })
      : Object.assign((request: Request) => sandbox.handle(request), { close: async () => {} });
  const clock = sandbox === undefined ? wall : { now: () => sandbox.world.now() };
  const client = createClient({
    platform: replace.platform?.(real) ?? real,
    baseUrl: base,
    signer,
    agentPrefix: configuration.agentPrefix,
    clock: wall,
    version,
  });
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
    anchor: readAnchor(configuration.auditAnchorFile),
    ports: { clock, ids, failpoint: replace.failpoint ?? (() => {}) },
  };
  if (isSandbox) await seedShoppers(parts, configuration.tenant);
  await recover(parts);
  const recovering =
    replace.clock === undefined
      ? setInterval(() => void recoverQuietly(parts), recoverMilliseconds).unref()
      : undefined;
  return {
    engine: createEngine(parts),
    sandbox,
    close: async () => {
      clearInterval(recovering);
      await writeAnchor(configuration.auditAnchorFile, ledger);
      await ledger.close();
      await real.close();
      await sandbox?.close();
    },
  };
}

/** How often calls that a crash left behind are looked after. */
const recoverMilliseconds = 15_000;

/** Recovery that fails now is tried again soon; a ledger that is gone is told by every call that needs it. */
const recoverQuietly = (parts: EngineParts): Promise<unknown> => recover(parts).catch(() => undefined);

/** A limit on a tool that does not exist would bound nothing, and nobody would notice. */
function refuseStrangers({ limits, mandates }: Configuration): void {
  const known = new Set(tools.map(({ name }) => name));
  const stranger = [...limits, ...mandates].flatMap((terms) => terms.tools).find((name) => !known.has(name));
  if (stranger !== undefined)
    throw new BadConfiguration(
      `There is no tool ${stranger}: correct \`limits\` or \`mandates\`; the README lists every tool.`,
    );
}

export const wallClock = { now: () => Date.now() };

/** The ledger of each environment is its own: nothing that was learned in one is believed in another. */
export const ledgerFile = ({ data, environment }: Configuration): string => placed(data, `${environment}.sqlite`);

/** The world of the embedded sandbox, which is the platform's memory and no part of the ledger. */
export const sandboxFile = ({ data }: Configuration): string => placed(data, 'sandbox-world.sqlite');

/** Opens the embedded sandbox in the data folder. */
export function openSandbox(configuration: Configuration, clock: Ports['clock'], frozenAt?: number): Sandbox {
  makeFolder(configuration.data);
  const file = sandboxFile(configuration);
  if (file !== nowhere) makePrivate(file);
  try {
    return createSandbox({ file, clock, ...(frozenAt === undefined ? {} : { frozenAt }) });
  } catch (error) {
    throw new BadConfiguration(
      `The sandbox can't use ${file}: give this user the right to write it, or delete it to have a new one made.`,
      { cause: error },
    );
  }
}

const nowhere = ':memory:';
const placed = (data: string, file: string): string => (data === nowhere ? nowhere : join(data, file));

/** Makes the data folder, for its owner alone. */
export function makeFolder(data: string): void {
  if (data === nowhere) return;
  try {
    mkdirSync(data, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new BadConfiguration(
      `The data folder ${data} can't be made: choose another with --data DIR, or change the rights above it.`,
      { cause: error },
    );
  }
}

function baseUrlOf({ environment, baseUrl, sandboxUrl }: Configuration): string {
  const url = environment === 'sandbox' ? (sandboxUrl ?? 'https://sandbox.purser.test') : baseUrl;
  if (url === undefined) throw new BadConfiguration(`The environment "${environment}" needs PURSER_BASE_URL.`);
  return url;
}

function signerOf({ environment, signing, credentials }: Configuration, clock: Ports['clock'], ids: Ports['ids']) {
  // The sandbox knows its own merchant alone, and real keys are none of its business.
  const own = environment === 'sandbox' || credentials === undefined ? sandboxCredentials : credentials;
  try {
    return signing === 'jwt'
      ? createJwt({ credentials: own, clock, ids })
      : createHttpSignature({ credentials: own, clock });
  } catch (error) {
    // Its messages name what is wrong and repeat nothing of it.
    throw new BadConfiguration(`${error instanceof Error ? error.message : ''} Correct the credentials.`);
  }
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
