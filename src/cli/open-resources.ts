import type { HttpPlatform } from '../client/platform.ts';
import { twofold } from '../core/rules.ts';
import type { Ports } from '../engine/settings.ts';
import { makePrivate } from '../files/database.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Sandbox } from '../sandbox/handler.ts';
import { BadConfiguration, type Configuration, checkedFile } from './config.ts';
import { nowhere } from './folders.ts';
import { ledgerPlace, makeFolder, sandboxFile } from './storage-paths.ts';
import type { Account } from './tenants.ts';

/** What Purser holds open for one tenant. */
export interface Reached {
  readonly platform: HttpPlatform;
  /** The platform's time where it is the embedded sandbox, the shared database's where there is one, ours otherwise. */
  readonly clock: Ports['clock'];
  readonly sandbox: Sandbox | undefined;
}

/** What Purser holds open while it runs. */
export interface Opened {
  readonly ledger: Ledger;
  /** The platform as each tenant reaches it. */
  readonly reached: ReadonlyMap<string, Reached>;
}

/** Opens the ledger, and the platform for each tenant. What one of them alone needs is loaded here, because not every start needs it. */
export async function open(
  configuration: Configuration,
  accounts: readonly Account[],
  baseUrl: string,
  wall: Ports['clock'],
  { clock, frozenAt }: { readonly clock?: Ports['clock']; readonly frozenAt?: number } = {},
): Promise<Opened> {
  const { openLedger } = await import('../ledger/store.ts');
  const ledger = await openLedger(ledgerPlace(configuration));
  const reached = new Map<string, Reached>();
  try {
    // Replicas compare times among each other: where they share a database, its clock is everybody's.
    const ours = clock ?? ledger.clock ?? wall;
    for (const account of accounts)
      reached.set(account.tenant, await reach(configuration, account, baseUrl, { wall, ours }, frozenAt));
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
  { wall, ours }: { readonly wall: Ports['clock']; readonly ours: Ports['clock'] },
  frozenAt: number | undefined,
): Promise<Reached> {
  if (configuration.environment === 'sandbox' && configuration.sandboxUrl === undefined) {
    const sandbox = await openSandbox(configuration, wall, frozenAt, account);
    const platform = Object.assign((request: Request) => sandbox.handle(request), { close: () => sandbox.close() });
    return { platform, sandbox, clock: { now: () => sandbox.world.now() } };
  }
  const { createHttpPlatform } = await import('../client/platform.ts');
  return { platform: createHttpPlatform({ baseUrl }), sandbox: undefined, clock: ours };
}

/** The merchant of a tenant's sandbox, and what its ids are derived from: no two tenants have the same. */
const worldOf = ({ seed: merchant, world }: Pick<Account, 'seed' | 'world'>) => ({ merchant, seed: world });

/** Opens the sandbox of a tenant in the data folder. */
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
      requestHosts: configuration.requestHosts,
      published: twofold.filter((id) => configuration.levels[id] === 'published'),
      frozenAt,
      ...(account === undefined ? {} : worldOf(account)),
    });
  } catch (error) {
    throw new BadConfiguration(
      `The sandbox can't use ${file}: give this user the right to write it, or delete it to have a new one made.`,
      { cause: error },
    );
  }
}
