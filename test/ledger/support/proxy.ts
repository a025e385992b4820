import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { reveal, Secret } from '../../../src/core/secret.ts';

/** A wire to PostgreSQL that a test can cut. */
export interface Wire {
  readonly url: Secret<string>;
  /** Cuts the connection that says this next, before or after the server did it; its answer is not heard. */
  cutAt(words: string, when: 'before' | 'after'): void;
  /** The same, after the server did it, and from then on nobody gets through. */
  breakOffAt(words: string): void;
  /** Keeps back the answer to the connection that says this next; `reached` resolves once the server has answered. */
  holdAnswerTo(words: string): { readonly reached: Promise<void>; release(): void };
  /** Lets nobody through until `mend`. */
  breakOff(): void;
  mend(): void;
}

interface Hold {
  readonly words: string;
  readonly reach: () => void;
  readonly released: Promise<void>;
}

/** Puts a wire before a PostgreSQL; it speaks as the server does, byte by byte. */
export async function wireTo(url: Secret<string>): Promise<Wire> {
  const target = new URL(reveal(url));
  const open = new Set<Socket>();
  let cut: { readonly words: string; readonly when: 'before' | 'after'; readonly forGood?: true } | undefined;
  let hold: Hold | undefined;
  let broken = false;
  const server = createServer((client) => {
    if (broken) return void client.destroy();
    const upstream = connect(Number(target.port), target.hostname);
    let deaf = false;
    let held: Hold | undefined;
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        open.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on('data', (bytes) => {
      const hit = cut !== undefined && bytes.includes(cut.words) ? cut : undefined;
      if (hit !== undefined) cut = undefined;
      if (hit?.when === 'before') return void client.destroy();
      deaf ||= hit !== undefined;
      broken ||= hit?.forGood === true;
      if (hold !== undefined && bytes.includes(hold.words)) {
        held = hold;
        hold = undefined;
      }
      upstream.write(bytes);
    });
    // The answer arrives at the wire, so what was asked has happened; it goes no further.
    upstream.on('data', (bytes) => {
      if (deaf) return void client.destroy();
      if (held === undefined) return void client.write(bytes);
      held.reach();
      void held.released.then(() => client.write(bytes));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null)
    throw new Error('A listening server has an address with a port.');
  const close = () => {
    for (const socket of open) socket.destroy();
  };
  onTestFinished(() => {
    server.close();
    close();
  });
  const own = new URL(target);
  own.port = String(address.port);
  return {
    url: new Secret(own.href),
    cutAt: (words, when) => {
      cut = { words, when };
    },
    breakOffAt: (words) => {
      cut = { words, when: 'after', forGood: true };
    },
    holdAnswerTo: (words) => {
      const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      hold = { words, reach: reached.resolve, released: released.promise };
      return { reached: reached.promise, release: released.resolve };
    },
    breakOff: () => {
      broken = true;
      close();
    },
    mend: () => {
      broken = false;
    },
  };
}
