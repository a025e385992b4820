import { setTimeout as sleep } from 'node:timers/promises';
import { ReaderGone } from '../../../reader/ends.ts';
import type { Reader } from '../../../reader/transport.ts';
import type { Sandbox } from '../../../sandbox/handler.ts';
import type { World } from '../../../sandbox/world.ts';
import type { AskedTap, Step, Tap } from './documents.ts';
import { cancelledStatus, newReader, readerOf, takeTap } from './state.ts';

/** How a simulated reader waits. */
export interface ReaderPorts {
  /** Waits until somebody may have done something at the reader, or until the signal. */
  readonly pause: (signal: AbortSignal) => Promise<unknown>;
}

/** Milliseconds between two looks at whether somebody has tapped. Own choice. */
const pauseMilliseconds = 100;
const realPorts: ReaderPorts = {
  pause: (signal) => sleep(pauseMilliseconds, undefined, { signal, ref: false }).catch(() => undefined),
};

/**
 * The SDK of a simulated card reader, as the bridge reaches it. It keeps its books in the sandbox's world, so a transaction
 * outlives a lost connection.
 */
export const simulatedReader = (
  { world, perform, readerCalls }: Pick<Sandbox, 'world' | 'perform' | 'readerCalls'>,
  { pause }: ReaderPorts = realPorts,
): Reader => ({
  // Of every simulated reader: they keep one book.
  serialNumbers: () => [newReader.serialNumber],
  send: async (call, input, { signal, onProgress, requestId }) => {
    const { operation, failing, asks, taps, cancelled } = callNamed(readerCalls, call);
    onProgress({ step: 'STARTED' });
    const watch = { signal, onProgress, pause, call, input };
    const lostAt = asks ? await prepare(world, taps, watch) : undefined;
    const answer = await perform(operation, input, requestId);
    if (answer === 'dropped' || lostAt !== undefined) throw new ConnectionLost();
    const { status, text } = answer;
    const value: unknown = text === '' ? undefined : JSON.parse(text);
    if (status === succeeded) return { case: 'success', value };
    if (status === cancelledStatus) return { case: cancelled ?? 'cancelledByUser' };
    return { case: failing[status] ?? failing.else };
  },
});

/** Thrown if the connection is lost while a call is under way: what became of it is not known. */
class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

const succeeded = 200;

function callNamed(calls: Sandbox['readerCalls'], name: string) {
  const found = calls.get(name);
  if (found === undefined) throw new Error(`The SDK has no call ${name}.`);
  return found;
}

type Waiting = Parameters<Reader['send']>[2] &
  ReaderPorts & {
    readonly call: string;
    readonly input: unknown;
  };

/**
 * Waits for the person, and for the moment at which the connection is lost, if it is. Answers the step after which it is
 * lost with the call still to be made. Throws where it is lost before that.
 */
async function prepare(world: Sandbox['world'], taps: boolean, watch: Waiting): Promise<Step | undefined> {
  const tap = await waitForPerson(world, taps, watch);
  const lost: { readonly [S in Step]: () => Promise<Step> } = {
    CONNECTING: async () => {
      await world.transaction(takeTap);
      throw new ReaderGone();
    },
    STARTED: async () => {
      await world.transaction(takeTap);
      throw new ConnectionLost();
    },
    WAITING_FOR_CARD: () => turned(world, { ...tap, does: 'begin' }),
    PROCESSING: () => turned(world, { ...tap, does: 'process' }),
    FINISHED: async () => 'FINISHED',
  };
  if (taps) watch.onProgress({ step: 'PROCESSING' });
  return tap.lostAt === undefined ? undefined : lost[tap.lostAt]();
}

/** Replaces what happens in this call: its connection is lost before its end. */
async function turned(world: Sandbox['world'], tap: Tap): Promise<Step> {
  await world.transaction((now) => {
    takeTap(now);
    putFirst(now, tap);
  });
  return tap.lostAt ?? 'FINISHED';
}

const putFirst = (world: World, tap: Tap): void => {
  const it = readerOf(world);
  world.put('reader', { ...it, next: [tap, ...it.next] });
};

/** What happens next at the reader: what is queued, a card that is tapped by itself, or what a person does. */
async function waitForPerson(
  world: Sandbox['world'],
  needsTap: boolean,
  { signal, onProgress, pause, call, input }: Waiting,
): Promise<Tap> {
  const look = () =>
    world.transaction((now): Tap | undefined => {
      const { next, taps } = readerOf(now);
      return next[0] ?? (taps === 'auto' || !needsTap ? { does: 'approve' } : undefined);
    });
  let tap = await look();
  if (tap !== undefined) return tap;
  await world.transaction((now) => putScreen(now, askedBy(now, call, input)));
  onProgress({ step: 'WAITING_FOR_CARD' });
  while (tap === undefined) {
    await pause(signal);
    tap = await look();
    if (tap === undefined && signal.aborted) {
      tap = { does: 'abort' };
      await world.transaction((now) => putFirst(now, { does: 'abort' }));
    }
  }
  await world.transaction((now) => putScreen(now, undefined));
  return tap;
}

const putScreen = (world: World, asked: AskedTap | undefined): void => {
  world.put('reader', { ...readerOf(world), asked });
};

/** What the screen shows of a call. */
function askedBy(world: World, call: string, input: unknown): AskedTap {
  const { amount, currency, tip } = input as Pick<AskedTap, 'amount' | 'currency' | 'tip'>; // by the contract
  const credits = call === 'startStandaloneRefundTransaction';
  return { id: world.uuid('asked tap'), credits, amount, currency, tip };
}
