import { randomBytes } from 'node:crypto';
import { tools } from '../../tools/index.ts';
import { createClient } from '../client/client.ts';
import type { Platform } from '../client/platform.ts';
import { createHttpSignature, createJwt, type Signer } from '../client/signing.ts';
import { type Watched, watchSkew } from '../client/skew.ts';
import { createEngine, type Engine } from '../engine/engine.ts';
import type { EngineParts } from '../engine/parts.ts';
import { defaultPlatformLimits } from '../engine/platform-slots.ts';
import { defaultRates, unlimitedRates } from '../engine/rate-limiter.ts';
import { giveUpOverdue } from '../engine/recover.ts';
import type { EngineSettings, Ports } from '../engine/settings.ts';
import { ledgerOf, serveTenants } from '../engine/tenants.ts';
import { CorruptRow } from '../ledger/errors.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { memorySecretStore, sealedSecretStore } from '../ledger/secret-store.ts';
import type { Sandbox } from '../sandbox/handler.ts';
import { sandboxSeed } from '../sandbox/seed.ts';
import { ownNumbers } from '../screening/look-alikes.ts';
import { openAnchor } from './anchor.ts';
import { BadConfiguration, type Configuration } from './config.ts';
import { realIds } from './ids.ts';
import { type Opened, open } from './open-resources.ts';
import { reachOf } from './operator-command.ts';
import { refuseStrangers, refuseUnfit, toolsOf } from './selected-tools.ts';
import { makeFolder } from './storage-paths.ts';
import { type Account, accountsOf } from './tenants.ts';
import { fileState, readPosition, writePosition } from './verified-position.ts';
import { version } from './version.ts';

/** A running Purser: its engine, and the sandbox where it has one of its own. */
export interface Running {
  /** Serves every configured tenant; `parts` are those of the tenant that this process serves. */
  readonly engine: Engine;
  /** The whole ledger, of every tenant: for what an operator looks at. */
  readonly ledger: Ledger;
  /** The embedded sandbox of the tenant that this process serves. */
  readonly sandbox: Sandbox | undefined;
  /** The embedded sandbox of each tenant. */
  readonly sandboxes: ReadonlyMap<string, Sandbox>;
  close(): Promise<void>;
}

/** What a test, or a command that knows more, may put in place of the usual thing. */
export interface Replacements {
  readonly clock?: Ports['clock'];
  readonly ids?: Ports['ids'];
  readonly failpoint?: Ports['failpoint'];
  readonly platform?: (real: Platform, tenant: string) => Platform;
  readonly frozenAt?: number;
  /** The tenants that get the sandbox's shoppers; all where nothing is said. */
  readonly seeded?: readonly string[];
  readonly rates?: EngineSettings['rates'];
  readonly reach?: EngineSettings['reach'];
}

/** The composition root: everything real is made here and in the files beside it, and nowhere else. */
export async function compose(configuration: Configuration, replace: Replacements = {}): Promise<Running> {
  const given = checked(configuration, replace);
  makeFolder(configuration.data);
  const before = fileState(configuration);
  const opened = await open(configuration, given.accounts, given.baseUrl, given.wall, replace);
  const anchor = await openAnchor(configuration, opened.ledger).catch(async (error: unknown) => {
    await opened.ledger.close();
    await Promise.all([...opened.reached.values()].map(({ platform }) => platform.close()));
    throw error;
  });
  const verifiedBefore = await readPosition(configuration, before, opened.ledger);
  const engines = new Map(
    given.accounts.map((account) => [
      account.tenant,
      createEngine({ ...partsOf(configuration, replace, given, account, opened), anchor, verifiedBefore }),
    ]),
  );
  const engine = serveTenants(engines, configuration.tenant);
  const stop = await prepare(engine, configuration, replace);
  const sandboxes = [...opened.reached].flatMap(([tenant, { sandbox }]) =>
    sandbox === undefined ? [] : [[tenant, sandbox] as const],
  );
  return {
    engine,
    ledger: opened.ledger,
    sandbox: opened.reached.get(configuration.tenant)?.sandbox,
    sandboxes: new Map(sandboxes),
    close: async () => {
      stop();
      // A ledger that can't be written any more has said so to whoever called.
      await quietly(engine.settle());
      const verified = engine.verified();
      await closed(anchor, opened);
      writePosition(configuration, verified);
    },
  };
}

/** What the configuration makes of a start, before anything is opened. */
function checked(configuration: Configuration, replace: Replacements) {
  const wall = replace.clock ?? wallClock;
  const ids = replace.ids ?? realIds;
  refuseStrangers(configuration);
  refuseUnfit(configuration);
  const vault =
    configuration.vaultKey === undefined
      ? memorySecretStore({ ids })
      : sealedSecretStore({ ids, key: configuration.vaultKey, random: randomBytes });
  const accounts = accountsOf(configuration).map((account) => ({
    ...account,
    signer: signerOf(configuration, account, wall, ids),
  }));
  return { wall, ids, vault, baseUrl: baseUrlOf(configuration), accounts };
}

/** What the engine of one tenant is made of: its account is its own, the ledger is shared and bound to it. */
function partsOf(
  configuration: Configuration,
  replace: Replacements,
  { wall, ids, vault, baseUrl }: ReturnType<typeof checked>,
  account: ReturnType<typeof checked>['accounts'][number],
  { ledger, reached }: Opened,
): EngineParts {
  const { tenant, signer, passkey } = account;
  const here = reached.get(tenant);
  if (here === undefined) throw new Error('The platform was opened for every account.');
  const { platform, clock } = here;
  const isSandbox = configuration.environment === 'sandbox';
  const watched = watchSkew(replace.platform?.(platform, tenant) ?? platform, clock, baseUrl);
  return {
    tenant,
    tools,
    offered: toolsOf(configuration),
    client: createClient({
      platform: watched.platform,
      baseUrl,
      signer,
      agentPrefix: configuration.agentPrefix,
      clock: wall,
      version,
    }),
    ledger: ledgerOf(ledger, tenant, [...reached.keys()]),
    vault,
    settings: {
      environment: configuration.environment,
      merchant: account.merchant,
      passkey: passkey ?? (isSandbox ? { ...sandboxSeed } : undefined),
      levels: configuration.levels,
      ownNumbers: ownNumbers(configuration.ownNumbers),
      principals: configuration.principals,
      channels: configuration.channels,
      reach: replace.reach ?? reachOf(configuration, process.env),
      limits: configuration.limits,
      mandates: configuration.mandates,
      rates:
        replace.rates ??
        (replace.clock === undefined && replace.frozenAt === undefined ? defaultRates : unlimitedRates),
      platformLimits: defaultPlatformLimits,
    },
    ports: {
      clock,
      ids,
      ...clocksOf(configuration, watched),
      failpoint: replace.failpoint ?? (() => {}),
    },
  };
}

/**
 * How the platform's clock and ours compare. The embedded sandbox has the same clock, so there is nothing to ask; one of its
 * own process may have its clock set forward: that is what it is for.
 */
function clocksOf({ environment, sandboxUrl }: Configuration, { skew, askTime }: Watched) {
  if (environment !== 'sandbox') return { skew, askTime };
  return { skew: () => (sandboxUrl === undefined ? (skew() ?? 0) : 0), askTime: async () => true };
}

/** What a start does in the ledger before the first call; answers how to stop what goes on from then on. */
async function prepare(engine: Engine, configuration: Configuration, replace: Replacements): Promise<() => void> {
  for (const tenant of engine.tenants) {
    const { parts } = engine.of(tenant);
    if (configuration.environment === 'sandbox' && replace.seeded?.includes(tenant) !== false)
      await unlessDamaged(seedShoppers(parts, tenant));
    await unlessDamaged(giveUpOverdue(parts));
  }
  if (replace.clock !== undefined) return () => undefined;
  const timers = [
    setInterval(() => void quietly(engine.recover()), recoverMilliseconds).unref(),
    setInterval(() => void quietly(engine.inspect()), inspectMilliseconds).unref(),
    setTimeout(() => void quietly(engine.inspect()), firstInspectMilliseconds).unref(),
  ];
  return () => timers.forEach(clearTimeout);
}

async function closed(anchor: EngineParts['anchor'], { ledger, reached }: Opened): Promise<void> {
  try {
    if (anchor !== undefined) await ledger.advanceAnchor(anchor);
  } finally {
    await ledger.close();
    await Promise.all([...reached.values()].map(({ platform }) => platform.close()));
  }
}

/** A start goes on with a ledger that is damaged: what looks is answered, and what changes something is refused. */
async function unlessDamaged(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof CorruptRow)) throw error;
  }
}

/** How often calls that a crash left behind are looked after. */
const recoverMilliseconds = 15_000;
/** How often the whole audit chain is verified while Purser runs. Own choice: it reads every row. */
const inspectMilliseconds = 900_000;
/** When that is done first: a start itself goes on from where the last one has stopped. Own choice. */
const firstInspectMilliseconds = 30_000;

/** What fails now is tried again soon; a ledger that is gone is told by every call that needs it. */
const quietly = (work: Promise<unknown>): Promise<unknown> => work.catch(() => undefined);

export const wallClock = { now: () => Date.now() };

function baseUrlOf({ environment, baseUrl, sandboxUrl }: Configuration): string {
  const url = environment === 'sandbox' ? (sandboxUrl ?? 'https://sandbox.purser.test') : baseUrl;
  if (url === undefined) throw new BadConfiguration(`The environment "${environment}" needs PURSER_BASE_URL.`);
  return url;
}

function signerOf(
  { signing }: Configuration,
  { credentials }: Account,
  clock: Ports['clock'],
  ids: Ports['ids'],
): Signer {
  try {
    return signing === 'jwt' ? createJwt({ credentials, clock, ids }) : createHttpSignature({ credentials, clock });
  } catch (error) {
    // Its messages name what is wrong and repeat nothing of it.
    throw new BadConfiguration(`${error instanceof Error ? error.message : ''} Correct the credentials.`);
  }
}

/** Gives a fresh sandbox ledger the sandbox's shoppers, once: what was learned of them since is kept. */
async function seedShoppers(parts: EngineParts, tenant: string): Promise<void> {
  const unknown = await parts.ledger.transaction(tenant, async (tx) => {
    const known = await Promise.all(Object.keys(sandboxSeed.shoppers).map((handle) => tx.observations.find(handle)));
    return Object.entries(sandboxSeed.shoppers).filter((_, at) => known[at] === undefined);
  });
  if (unknown.length === 0) return;
  const { registerShopper } = await import('../engine/register.ts'); // the first start alone has a use for it
  for (const [handle, session] of unknown) await registerShopper(parts, tenant, { handle, ...session });
}
