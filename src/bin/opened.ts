import type { HttpPlatform } from '../client/platform.ts';
import { twofold } from '../contract/rules.ts';
import type { Ports } from '../engine/settings.ts';
import { makePrivate } from '../files/database.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Sandbox } from '../sandbox/handler.ts';
import { BadConfiguration, type Configuration, checkedFile } from './config.ts';
import { ledgerPlace, makeFolder, nowhere, sandboxFile } from './places.ts';

/** What Purser holds open while it runs. */
export interface Opened {
  readonly ledger: Ledger;
  readonly platform: HttpPlatform;
  /** The platform's time where it is the embedded sandbox, the shared database's where there is one, ours otherwise. */
  readonly clock: Ports['clock'];
  readonly sandbox: Sandbox | undefined;
}

/** Opens ledger and platform. What one of them alone needs is loaded here, because not every start needs it. */
export async function open(
  configuration: Configuration,
  baseUrl: string,
  wall: Ports['clock'],
  { clock, frozenAt }: { readonly clock?: Ports['clock']; readonly frozenAt?: number } = {},
): Promise<Opened> {
  const { openLedger } = await import('../ledger/store.ts');
  const ledger = await openLedger(ledgerPlace(configuration));
  try {
    // Replicas compare times among each other: where they share a database, its clock is everybody's.
    const ours = clock ?? ledger.clock ?? wall;
    return { ledger, ...(await openPlatform(configuration, baseUrl, { wall, ours }, frozenAt)) };
  } catch (error) {
    await ledger.close();
    throw error;
  }
}

async function openPlatform(
  configuration: Configuration,
  baseUrl: string,
  { wall, ours }: { readonly wall: Ports['clock']; readonly ours: Ports['clock'] },
  frozenAt: number | undefined,
): Promise<Omit<Opened, 'ledger'>> {
  if (configuration.environment === 'sandbox' && configuration.sandboxUrl === undefined) {
    const sandbox = await openSandbox(configuration, wall, frozenAt);
    const platform = Object.assign((request: Request) => sandbox.handle(request), { close: () => sandbox.close() });
    return { platform, sandbox, clock: { now: () => sandbox.world.now() } };
  }
  const { createHttpPlatform } = await import('../client/platform.ts');
  return { platform: createHttpPlatform({ baseUrl }), sandbox: undefined, clock: ours };
}

/** Opens the sandbox in the data folder. */
export async function openSandbox(
  configuration: Configuration,
  clock: Ports['clock'],
  frozenAt?: number,
): Promise<Sandbox> {
  const { createSandbox } = await import('../sandbox/handler.ts');
  makeFolder(configuration.data);
  const file = sandboxFile(configuration);
  if (file !== nowhere) checkedFile(() => makePrivate('world', file));
  try {
    return createSandbox({
      file,
      clock,
      noticeDays: configuration.noticeDays,
      requestHosts: configuration.requestHosts,
      published: twofold.filter((id) => configuration.levels[id] === 'published'),
      frozenAt,
    });
  } catch (error) {
    throw new BadConfiguration(
      `The sandbox can't use ${file}: give this user the right to write it, or delete it to have a new one made.`,
      { cause: error },
    );
  }
}
