import type { Outgoing, OutgoingRequest, SandboxDomains } from './domain.ts';
import type { WorldFile } from './file.ts';
import type { World } from './world.ts';

/** Sends a request of the platform's own. Answers the status, or null where nobody answered. */
export type Sender = (request: OutgoingRequest) => Promise<number | null>;

/** Sends what is due, one request after the other. */
export interface Deliveries {
  /** Resolves once nothing is due any more. */
  run(): Promise<void>;
  /** Sends nothing more, and resolves once the last answer is recorded. */
  stop(): Promise<void>;
}

/** The deliveries of a sandbox. Without a sender everything stays due. */
export function deliveriesOf(
  domains: SandboxDomains,
  world: WorldFile,
  settle: (world: World) => Promise<void>,
  send: Sender | undefined,
): Deliveries {
  const all = Object.values(domains).flatMap(({ outgoing }) => outgoing ?? []);
  let running: Promise<void> | undefined;
  let isAsked = false;
  let isStopped = false;

  /** Sends one request; false if nothing is due. */
  const one = async (to: Sender): Promise<boolean> => {
    const found = await world.transaction(async (now) => {
      await settle(now);
      return nextOf(all, now);
    });
    if (found === undefined) return false;
    const status = await to(found.request);
    await world.transaction((now) => found.by.answered(now, found.request, status));
    return true;
  };

  const loop = async (to: Sender): Promise<void> => {
    do {
      isAsked = false;
      while (!isStopped && (await one(to)));
    } while (isAsked && !isStopped);
  };

  return {
    run: () => {
      if (send === undefined || isStopped) return Promise.resolve();
      isAsked = true; // what fell due since the running one looked
      running ??= loop(send).finally(() => {
        running = undefined;
      });
      return running;
    },
    stop: async () => {
      isStopped = true;
      await running;
    },
  };
}

/** The next request that is due, and who sends it. */
function nextOf(all: readonly Outgoing[], now: World) {
  for (const by of all) {
    const request = by.next(now);
    if (request !== undefined) return { by, request };
  }
  return undefined;
}
