import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { everyTool } from '../../tools/index.ts';
import { createClient } from '../client/client.ts';
import type { Platform } from '../client/platform.ts';
import { createHttpSignature, createJwt, type Signer } from '../client/signing.ts';
import { type Watched, watchSkew } from '../client/skew.ts';
import { once } from '../core/once.ts';
import type { ReaderTransport } from '../core/reader.ts';
import { simulatedReader } from '../domains/device/sandbox/reader.ts';
import { sandboxPasskey } from '../domains/passkey/settings.ts';
import { endUnused } from '../engine/after-restore.ts';
import { createEngine, type Engine } from '../engine/engine.ts';
import type { EngineParts } from '../engine/parts.ts';
import { defaultPlatformLimits } from '../engine/platform-slots.ts';
import { unlimitedRates } from '../engine/rate-limiter.ts';
import { markOverdueUnknown } from '../engine/recover.ts';
import type { EngineSettings, Ports } from '../engine/settings.ts';
import { ledgerOf, serveTenants } from '../engine/tenants.ts';
import { CorruptRow } from '../ledger/errors.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { memorySecretStore, sealedSecretStore } from '../ledger/secret-store.ts';
import { readerTransport } from '../reader/transport.ts';
import type { Sandbox } from '../sandbox/handler.ts';
import { sandboxSeed } from '../sandbox/seed.ts';
import { ownNumbers } from '../screening/look-alikes.ts';
import { openAnchor } from './anchor.ts';
import { inBackground } from './background.ts';
import { BadConfiguration } from './bad-configuration.ts';
import type { Configuration } from './configuration.ts';
import { makeFolder } from './data-folder.ts';
import { openFileStores } from './file-stores.ts';
import { realIds } from './ids.ts';
import { demandAccount } from './ledger-account.ts';
import { type Opened, type OpenReplacements, open, type Reached } from './open-resources.ts';
import { reachOf } from './operator-command.ts';
import { failed } from './output.ts';
import { refuseInapplicable, refuseUnknownNames, toolsOf } from './selected-tools.ts';
import { type Account, accountsOf } from './tenants.ts';
import { fileState, readPosition, writePosition } from './verified-position.ts';
import { version } from './version.ts';

/** A running Purser: its engine, and its embedded sandbox if it has one. */
export interface Running {
  /** Serves every configured tenant; `parts` belong to the tenant that this process serves. */
  readonly engine: Engine;
  /** The whole ledger, of every tenant, for the operator's commands. */
  readonly ledger: Ledger;
  /** The embedded sandbox of the tenant that this process serves. */
  readonly sandbox: Sandbox | undefined;
  /** The embedded sandbox of each tenant. */
  readonly sandboxes: ReadonlyMap<string, Sandbox>;
  close(): Promise<void>;
}

/** Replacements for real parts, in tests and in commands with special needs. */
export interface Replacements extends OpenReplacements {
  readonly ids?: Ports['ids'];
  readonly failpoint?: Ports['failpoint'];
  readonly pause?: Ports['pause'];
  readonly onFault?: Ports['onFault'];
  readonly platform?: (real: Platform, tenant: string) => Platform;
  /** The tenants that get the sandbox's shoppers; by default all. */
  readonly seeded?: readonly string[];
  /** A tenant's card reader: the bridge to its SDK. `simulated`: that of its embedded sandbox. */
  readonly reader?: (tenant: string, simulated: ReaderTransport | undefined) => ReaderTransport | undefined;
  readonly rates?: EngineSettings['rates'];
  readonly reach?: EngineSettings['reach'];
}

/** The composition root: the only place, with the files beside it, that creates real resources. */
export async function compose(configuration: Configuration, replace: Replacements = {}): Promise<Running> {
  const given = checked(configuration, replace);
  makeFolder(configuration.data);
  const before = fileState(configuration);
  const opened = await open(configuration, given.accounts, given.baseUrl, given.wall, replace);
  const anchor = await admitted(configuration, given, opened).catch(async (error: unknown) => {
    await opened.ledger.close();
    await Promise.all([...opened.reached.values()].map(({ platform }) => platform.close()));
    throw error;
  });
  const verifiedBefore = await readPosition(configuration, before, opened.ledger);
  const files = openFileStores(configuration, given.wall);
  const engines = new Map(
    given.accounts.map((account) => [
      account.tenant,
      createEngine({
        ...partsOf(configuration, replace, given, account, opened),
        ...{ anchor, verifiedBefore, files: files.of(account.tenant) },
      }),
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
    // A host may close it at a signal and again at its end.
    close: once(async () => {
      stop();
      await inBackground(engine.settle(), replace.onFault ?? failed);
      const verified = engine.verified();
      await closed(anchor, opened);
      files.close();
      writePosition(configuration, verified);
    }),
  };
}

/** Validates the configuration before anything is opened. */
function checked(configuration: Configuration, replace: Replacements) {
  const wall = replace.clock ?? wallClock;
  const ids = replace.ids ?? realIds;
  refuseUnknownNames(configuration);
  refuseInapplicable(configuration);
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

/** Requires the ledger's anchor, and that each tenant's rows are of its account. Returns the anchor. */
async function admitted(
  configuration: Configuration,
  { accounts }: ReturnType<typeof checked>,
  { ledger, reached }: Opened,
) {
  const anchor = await openAnchor(configuration, ledger);
  for (const account of accounts) {
    const { clock } = hereOf(reached, account.tenant);
    await unlessDamaged(demandAccount(configuration, account, ledger, clock.now()));
  }
  return anchor;
}

/** The parts of one tenant's engine. The account is the tenant's own; the ledger is shared and bound to the tenant. */
function partsOf(
  configuration: Configuration,
  replace: Replacements,
  { wall, ids, vault, baseUrl }: ReturnType<typeof checked>,
  account: ReturnType<typeof checked>['accounts'][number],
  { ledger, reached }: Opened,
): EngineParts {
  const { tenant, signer } = account;
  const here = hereOf(reached, tenant);
  const { platform, clock } = here;
  const stopwatch = clock === wallClock ? performance : clock; // a clock of another kind moves as it is told
  const watched = watchSkew(replace.platform?.(platform, tenant) ?? platform, clock, baseUrl, stopwatch);
  return {
    tenant,
    tools: everyTool,
    offered: toolsOf(configuration),
    client: createClient({
      platform: watched.platform,
      baseUrl,
      signer,
      agentPrefix: configuration.agentPrefix,
      clock: wall,
      version,
    }),
    reader: readerOf(replace, tenant, sandboxReader(here.sandbox)),
    ledger: ledgerOf(ledger, tenant, [...reached.keys()]),
    vault,
    settings: {
      environment: configuration.environment,
      merchant: account.merchant,
      domains: { passkey: passkeyOf(configuration, account), device: deviceOf(configuration, tenant) },
      levels: configuration.levels,
      hasOperatorCalls: configuration.hasOperatorCalls,
      ownNumbers: ownNumbers(configuration.ownNumbers),
      principals: configuration.principals,
      channels: configuration.channels,
      reach: replace.reach ?? reachOf(configuration, process.env),
      limits: configuration.limits,
      mandates: configuration.mandates,
      rates:
        replace.rates ??
        (replace.clock === undefined && replace.frozenAt === undefined ? configuration.rates : unlimitedRates),
      platformLimits: defaultPlatformLimits,
    },
    ports: {
      clock,
      ids,
      ...clocksOf(configuration, watched),
      pause: replace.pause ?? pause,
      onFault: replace.onFault ?? failed,
      failpoint: replace.failpoint ?? (() => {}),
    },
  };
}

function hereOf(reached: Opened['reached'], tenant: string): Reached {
  const here = reached.get(tenant);
  if (here === undefined) throw new Error('The platform was opened for every account.');
  return here;
}

const pause: Ports['pause'] = (milliseconds, signal) =>
  sleep(milliseconds, undefined, { ref: false, ...(signal === undefined ? {} : { signal }) }).catch(() => undefined);

/** What the account manager gave a merchant; the sandbox has an iframe of its own, beside the page or where the sandbox is. */
function passkeyOf({ environment, sandboxUrl }: Configuration, { passkey }: Pick<Account, 'passkey'>) {
  if (environment !== 'sandbox') return passkey;
  const { iframe } = sandboxPasskey;
  return { ...sandboxPasskey, ...passkey, iframe: { ...iframe, url: `${sandboxUrl ?? ''}${iframe.url}` } };
}

const readerOf = ({ reader }: Replacements, tenant: string, simulated: ReaderTransport | undefined) =>
  reader === undefined ? simulated : reader(tenant, simulated);

/** The simulated reader of an embedded sandbox. A real one is connected over the bridge. */
const sandboxReader = (sandbox: Sandbox | undefined): ReaderTransport | undefined =>
  sandbox && readerTransport(simulatedReader(sandbox));

/** The environment in which the platform processes what a reader charges, and the releases of its SDK. */
const deviceOf = ({ environment, sdkReleases }: Configuration, owner: string) =>
  ({ environment: environment === 'live' ? 'live' : 'test', owner, sdkReleases }) as const;

/**
 * How the platform's clock compares with ours. The embedded sandbox shares our clock. The clock of a separate sandbox
 * process may be set forward on purpose, so it is not compared.
 */
function clocksOf({ environment, sandboxUrl }: Configuration, { skew, askTime }: Watched) {
  if (environment !== 'sandbox') return { skew, askTime };
  return { skew: () => (sandboxUrl === undefined ? (skew() ?? 0) : 0), askTime: async () => true };
}

/** Prepares the ledger before the first call. Returns a function that stops the background work. */
async function prepare(engine: Engine, configuration: Configuration, replace: Replacements): Promise<() => void> {
  for (const tenant of engine.tenants) {
    const { parts } = engine.of(tenant);
    if (configuration.environment === 'sandbox' && replace.seeded?.includes(tenant) !== false)
      await unlessDamaged(seedShoppers(parts, tenant));
    if (configuration.initAnchor === true) await unlessDamaged(endUnused(parts));
    await unlessDamaged(markOverdueUnknown(parts));
  }
  if (replace.clock !== undefined) return () => undefined;
  const run = (work: Promise<unknown>): void => void inBackground(work, replace.onFault ?? failed);
  const timers = [
    setInterval(() => run(engine.recover()), recoverMilliseconds).unref(),
    setInterval(() => run(engine.inspect()), inspectMilliseconds).unref(),
    setTimeout(() => run(engine.inspect()), firstInspectMilliseconds).unref(),
    setTimeout(() => run(engine.workEvents()), firstWorkMilliseconds).unref(),
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

/** A start continues with a damaged ledger: reads are answered, and changes are refused. */
async function unlessDamaged(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof CorruptRow)) throw error;
  }
}

/** How often calls left behind by a crash are recovered. */
const recoverMilliseconds = 15_000;
/** How often the whole audit chain is verified. Own choice: it reads every row. */
const inspectMilliseconds = 900_000;
/** When it is first verified: a start continues from the position verified last. Own choice. */
const firstInspectMilliseconds = 30_000;

/** When events are worked on first that were stored before: a start itself doesn't wait for it. Own choice. */
const firstWorkMilliseconds = 500;

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
    // The message names the fault without repeating a value.
    throw new BadConfiguration(`${error instanceof Error ? error.message : ''} Correct the credentials.`);
  }
}

/** Adds the sandbox's shoppers to a fresh sandbox ledger, once, so later observations of them are kept. */
async function seedShoppers(parts: EngineParts, tenant: string): Promise<void> {
  const unknown = await parts.ledger.transaction(tenant, async (tx) => {
    const known = await Promise.all(Object.keys(sandboxSeed.shoppers).map((handle) => tx.observations.find(handle)));
    return Object.entries(sandboxSeed.shoppers).filter((_, at) => known[at] === undefined);
  });
  if (unknown.length === 0) return;
  const { registerShopper } = await import('../engine/register.ts'); // only the first start needs it
  for (const [handle, session] of unknown) await registerShopper(parts, tenant, { handle, ...session });
}
