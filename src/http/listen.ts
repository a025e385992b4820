import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { limits } from '../core/limits.ts';
import { type Bounds, boundConnections, type Entry, type Held } from '../listener/connections.ts';
import { type Opened, open, type Patience, type Port, patience } from '../listener/port.ts';
import { isReaderUpgrade, readerUpgrade } from './reader-upgrade.ts';
import type { HttpFace } from './server.ts';

export interface Listening extends Opened {
  /** Connections and requests that the server holds now. */
  readonly held: () => Held;
  close(): Promise<void>;
}

/** Serves on a port. Throws an Error with one sentence if the port is in use or not allowed. */
export async function listen(
  face: Pick<HttpFace, 'fetch' | 'idle' | 'close' | 'reader'>,
  at: Port,
  serverOptions: Patience = patience,
  bounds?: Bounds,
): Promise<Listening> {
  const { reader } = face;
  // Other upgrades are ignored: their requests are served as they are.
  const server = createServer({ ...serverOptions, shouldUpgradeCallback: isReaderUpgrade });
  const entries = new WeakMap<object, Entry>();
  const listener = getRequestListener(
    (request, { incoming }) => face.fetch(request, { incoming, admit: entries.get(incoming)?.admit }),
    { overrideGlobalObjects: false },
  );
  const { held, adopt, answered } = boundConnections(
    server,
    (incoming, outgoing, entry) => {
      entries.set(incoming, entry);
      return listener(incoming, outgoing);
    },
    bounds,
  );
  if (reader !== undefined) server.on('upgrade', readerUpgrade(reader.door, reader.refuse, adopt));
  return {
    ...(await open(server, 'Purser', at)),
    held,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await face.idle();
      await answered(limits.answerMilliseconds); // of the calls that have just ended, too
      await face.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
