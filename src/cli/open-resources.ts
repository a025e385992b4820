import type { HttpPlatform } from '../client/platform.ts';
import { twofold } from '../core/rules.ts';
import type { Ports } from '../engine/settings.ts';
import { makePrivate } from '../files/database.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { LedgerPlace } from '../ledger/store.ts';
import type { Sandbox } from '../sandbox/handler.ts';
import { BadConfiguration, checkedFile } from './bad-configuration.ts';
import type { Configuration } from './configuration.ts';
import { makeFolder } from './data-folder.ts';
import { nowhere } from './folders.ts';
import { failed } from './output.ts';
import { delivering, sendNear } from './sandbox-deliveries.ts';
import { ledgerPlace, sandboxFile } from './storage-paths.ts';
import type { Account } from './tenants.ts';

/** The open resources of one tenant. */
export interface Reached {
  readonly platform: HttpPlatform;
  /** The embedded sandbox's clock, else the shared database's, else ours. */
  readonly clock: Ports['clock'];
  readonly sandbox: Sandbox | undefined;
}

/** The open resources of a running Purser. */
export interface Opened {
  readonly ledger: Ledger;
  /** The client and clock of each tenant. */
  readonly reached: ReadonlyMap<string, Reached>;
}

/** What stands in for the real time, and for what opens the ledger. */
export interface OpenReplacements {
  readonly clock?: Ports['clock'];
  readonly frozenAt?: number;
  readonly ledger?: (place: LedgerPlace) => Promise<Ledger>;
}

/** Opens the ledger, and each tenant's client. Modules that only some configurations need are loaded on demand. */
export async function open(
  configuration: Configuration,
  accounts: readonly Account[],
  baseUrl: string,
  wall: Ports['clock'],
  { clock, frozenAt, ledger: opening }: OpenReplacements = {},
): Promise<Opened> {
  const openLedger = opening ?? (await import('../ledger/store.ts')).openLedger;
  const ledger = await openLedger(ledgerPlace(configuration));
  const reached = new Map<string, Reached>();
  try {
    // Replicas compare each other's times, so those that share a database use its clock.
    const ours = clock ?? ledger.clock ?? wall;
    for (const account of accounts)
      reached.set(
        account.tenant,
        await reach(configuration, account, baseUrl, { wall, ours, delivers: clock === undefined }, frozenAt),
      );
    return { ledger, reached };
  } catch (error) {
    await ledger.close();
    await Promise.all([...reached.values()].map(({ platform }) => platform.close()));
    throw error;
  }
}

async function reach(
  configuration: Configuration,
  account: Account,
  baseUrl: string,
  {
    wall,
    ours,
    delivers,
  }: { readonly wall: Ports['clock']; readonly ours: Ports['clock']; readonly delivers: boolean },
  frozenAt: number | undefined,
): Promise<Reached> {
  if (configuration.environment === 'sandbox' && configuration.sandboxUrl === undefined) {
    const opened = await openSandbox(configuration, wall, frozenAt, account);
    // With a clock of its own a program says itself when anything is sent.
    const sandbox = delivers ? delivering(opened, failed) : opened;
    const platform = Object.assign((request: Request) => sandbox.handle(request), { close: () => sandbox.close() });
    return { platform, sandbox, clock: { now: () => sandbox.world.now() } };
  }
  const { createHttpPlatform } = await import('../client/platform.ts');
  return { platform: createHttpPlatform({ baseUrl }), sandbox: undefined, clock: ours };
}

/** The merchant of a tenant's sandbox, and the seed of its ids. No two tenants share them. */
const worldOf = ({ seed: merchant, world }: Pick<Account, 'seed' | 'world'>) => ({ merchant, seed: world });

/** Opens a tenant's sandbox in the data folder. */
export async function openSandbox(
  configuration: Configuration,
  clock: Ports['clock'],
  frozenAt?: number,
  account?: Account,
): Promise<Sandbox> {
  const { createSandbox } = await import('../sandbox/index.ts');
  makeFolder(configuration.data);
  const file = sandboxFile(configuration, account?.tenant);
  if (file !== nowhere) checkedFile(() => makePrivate('world', file));
  try {
    return createSandbox({
      file,
      clock,
      noticeDays: configuration.noticeDays,
      rateLimit: configuration.rateLimit,
      requestHosts: configuration.requestHosts,
      published: twofold.filter((id) => configuration.levels[id] === 'published'),
      frozenAt,
      send: sendNear,
      ...(account === undefined ? {} : worldOf(account)),
    });
  } catch (error) {
    throw new BadConfiguration(
      `The sandbox can't use ${file}: give this user write permission, or delete it to start with a new sandbox.`,
      { cause: error },
    );
  }
}
