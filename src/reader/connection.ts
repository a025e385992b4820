import type { RawData, WebSocket } from 'ws';
import { limits } from '../core/limits.ts';
import type { Progress } from '../core/outcome.ts';
import { parseJson } from '../core/parse-json.ts';
import type { CallState } from '../core/reader.ts';
import { type End, ReaderGone } from './ends.ts';
import {
  type Closing,
  closings,
  type EndMessage,
  type FromApp,
  fromApp,
  type ReaderReport,
  type ToApp,
} from './protocol.ts';
import { createRunningCalls } from './running-calls.ts';
import type { Reader } from './transport.ts';

/** What a connection needs from outside. */
export interface ConnectionOptions {
  /** Shown to the app. */
  readonly version: string;
  /** What the app builds the SDK with. */
  readonly configuration: object;
  /** Names calls. No two calls of a merchant share one, on whatever connection. */
  readonly newId: () => string;
  /** A call ended that nobody waits for on this connection. */
  readonly onLateEnd?: (callId: string, end: End) => void;
  /** Milliseconds until the hello, between two pings, and until a closed connection is cut. */
  readonly times?: ConnectionTimes;
  /** The app has said hello. */
  readonly onReady: (it: Connection) => void;
}

export interface ConnectionTimes {
  readonly helloMilliseconds: number;
  readonly heartbeatMilliseconds: number;
  readonly closeMilliseconds: number;
}

const usualTimes: ConnectionTimes = {
  helloMilliseconds: limits.readerHelloMilliseconds,
  heartbeatMilliseconds: limits.readerHeartbeatSeconds * 1_000,
  closeMilliseconds: limits.readerCloseMilliseconds,
};

/** The connection of one app. */
export interface Connection {
  readonly send: Reader['send'];
  /** What the app reported last; undefined before its hello and after its end. */
  readonly report: () => ReaderReport | undefined;
  readonly callState: (callId: string) => CallState;
  readonly close: (why: Closing) => void;
}

interface Waiting {
  readonly call: string;
  readonly onProgress: (progress: Progress) => void;
  readonly end: (end: End) => void;
  readonly lose: () => void;
}

/** Thrown if the connection ended before the call did: what became of it is not known. */
class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

/** Speaks the protocol with one app, from its hello until either side ends the connection. */
export function connect(socket: WebSocket, options: ConnectionOptions): Connection {
  const { times = usualTimes } = options;
  const calls = new Map<string, Waiting>();
  const running = createRunningCalls();
  let report: ReaderReport | undefined;
  let heard = true;
  let allowance: number = limits.readerBurstMessages;

  const say = (message: ToApp): void => socket.send(JSON.stringify(message), () => undefined);
  const end = (): void => {
    report = undefined;
    clearTimeout(hello);
    clearInterval(beat);
    clearInterval(refill);
    for (const waiting of calls.values()) waiting.lose();
    calls.clear();
  };
  const close = ({ code, reason }: Closing): void => {
    end();
    socket.close(code, reason);
    // An app that doesn't answer is not waited for.
    setTimeout(() => socket.terminate(), times.closeMilliseconds).unref();
  };

  const hello = setTimeout(() => close(closings.silent), times.helloMilliseconds).unref();
  const beat = setInterval(() => {
    if (!heard) return close(closings.silent);
    heard = false;
    socket.ping(undefined, undefined, () => undefined);
  }, times.heartbeatMilliseconds).unref();
  const refill = setInterval(() => {
    allowance = Math.min(limits.readerBurstMessages, allowance + limits.readerSteadyMessages);
  }, 1_000).unref();

  const take: { readonly [T in FromApp['type']]: (message: Extract<FromApp, { type: T }>) => void } = {
    hello: ({ reader, running: earlier }) => {
      if (report !== undefined) return close(closings.order);
      clearTimeout(hello);
      report = reader;
      say({
        ...{ type: 'welcome', purser: options.version, heartbeatSeconds: limits.readerHeartbeatSeconds },
        configuration: options.configuration,
      });
      running.hear(earlier);
      options.onReady(it);
      // Whoever made them was told that their outcome is unknown, and no card may be charged behind their back.
      for (const id of earlier ?? []) say({ type: 'cancel', id });
    },
    report: ({ reader }) => {
      report = reader;
    },
    progress: ({ id, step, fraction }) => calls.get(id)?.onProgress({ step, fraction }),
    end: (message) => {
      const waiting = calls.get(message.id);
      if (!running.end(message.id)) return;
      calls.delete(message.id);
      if (waiting === undefined) options.onLateEnd?.(message.id, endOf('', message, report));
      else waiting.end(endOf(waiting.call, message, report));
    },
    ping: () => say({ type: 'pong' }),
  };

  /** Counts what arrives; false once there is too much of it. */
  const counts = (): boolean => {
    heard = true;
    allowance -= 1;
    if (allowance < 0) close(closings.crowded);
    return allowance >= 0;
  };
  socket.on('message', (data, isBinary) => {
    if (socket.readyState !== socket.OPEN || !counts()) return;
    if (isBinary) return close(closings.binary);
    const message = parsed(data);
    if (message === undefined) return close(closings.malformed);
    if (report === undefined && message.type !== 'hello') return close(closings.order);
    // The type has chosen the function for itself.
    (take[message.type] as (message: FromApp) => void)(message);
  });
  socket.on('ping', counts);
  socket.on('pong', counts);
  socket.on('close', end);
  // What breaks a rule of WebSocket, or is too long: the connection ends by itself. The cause would quote what was sent.
  socket.on('error', end);

  const send: Reader['send'] = (call, input, { signal, onProgress, callId }) => {
    const isReady = report !== undefined && socket.readyState === socket.OPEN && !signal.aborted;
    if (!isReady || calls.size >= limits.readerCallElements) return Promise.reject(new ReaderGone());
    if (socket.bufferedAmount > limits.readerUnreadBytes) {
      close(closings.silent); // it reads nothing, so the call would not reach it
      return Promise.reject(new ReaderGone());
    }
    const id = callId ?? options.newId();
    return new Promise<End>((resolve, reject) => {
      const cancel = () => {
        say({ type: 'cancel', id });
        // The caller waits no longer than that, and its place is needed.
        setTimeout(() => calls.delete(id), limits.readerCancelMilliseconds).unref();
      };
      const over = <T>(settle: (value: T) => void) => {
        return (value: T) => {
          signal.removeEventListener('abort', cancel);
          settle(value);
        };
      };
      calls.set(id, { call, onProgress, end: over(resolve), lose: () => over(reject)(new ConnectionLost()) });
      signal.addEventListener('abort', cancel, { once: true });
      running.begin(id);
      say({ type: 'call', id, call, ...(input === undefined ? {} : { input }) });
    });
  };

  const it: Connection = { send, report: () => report, callState: running.stateOf, close };
  return it;
}

/** A message of the protocol; undefined for anything else. */
function parsed(data: RawData): FromApp | undefined {
  try {
    return fromApp.safeParse(parseJson(data.toString())).data;
  } catch {
    return undefined; // the parser's message would quote the text
  }
}

/** How a call ended. The three cases of the enrollment's status are its value, with what the app reports of itself. */
function endOf(call: string, { case: ended, value }: EndMessage, report: ReaderReport | undefined): End {
  const isStatus = call === 'enrollmentStatus';
  if (ended === 'enrolled' || ended === 'enrolling' || ended === 'notEnrolled')
    return isStatus ? { case: 'success', value: { status: ended, reader: shown(report) } } : { case: 'unexpected' };
  if (ended === 'success') return isStatus ? { case: 'unexpected' } : { case: 'success', value };
  return { case: ended };
}

/** A report as the contract has it: the device in use is the first. */
const shown = ({ serialNumbers = [], ...report }: Partial<ReaderReport> = {}) => ({
  ...report,
  ...(serialNumbers[0] === undefined ? {} : { serialNumber: serialNumbers[0] }),
});
