import { WebSocket } from 'ws';
import type { End } from './ends.ts';
import { type EndMessage, type FromApp, type ReaderReport, subprotocol, type ToApp } from './protocol.ts';
import type { Reader } from './transport.ts';

/** An app's side of a connection to `purser serve`, in front of any reader. */
export interface AppConnection {
  /** Resolves when it is over. */
  readonly closed: Promise<Closed>;
  readonly close: () => void;
}

/** How a connection ended: with a close code, refused with an HTTP status, or, where it broke off or was never made, with neither. */
export interface Closed {
  readonly code?: number;
  readonly refused?: number;
}

/** What an app keeps from one connection to the next. */
export interface AppCalls {
  /** The calls that the reader has not ended. */
  readonly running: Map<string, AbortController>;
  /** The ends that Purser has not heard. */
  readonly unheard: Map<string, EndMessage>;
  /** Over the connection that Purser has taken last; false if it is over. */
  say: (message: FromApp) => boolean;
}

export const noCalls = (): AppCalls => ({ running: new Map(), unheard: new Map(), say: () => false });

/** Connects a reader as its app does. `onWelcome`: Purser has taken it. */
export function connectApp(
  { url, token }: { readonly url: string; readonly token: string },
  reader: Reader,
  onWelcome: () => void,
  calls: AppCalls = noCalls(),
): AppConnection {
  const socket = new WebSocket(url, subprotocol, {
    headers: { authorization: `Bearer ${token}` },
    perMessageDeflate: false,
  });
  const { running, unheard } = calls;
  const own = new Set<AbortController>();
  const say = (message: FromApp): boolean => {
    const isOpen = socket.readyState === socket.OPEN;
    if (isOpen) socket.send(JSON.stringify(message));
    return isOpen;
  };
  const make = async ({ id, call, input }: Extract<ToApp, { type: 'call' }>): Promise<void> => {
    const stop = new AbortController();
    running.set(id, stop);
    own.add(stop);
    try {
      const watch = {
        signal: stop.signal,
        onProgress: ({ step, fraction }: { readonly step: string; readonly fraction?: number | undefined }) =>
          say({ type: 'progress', id, step, fraction }),
      };
      const end = await reader.send(call, input, watch);
      if (call === 'enrollmentStatus' && end.case === 'success') say({ type: 'report', reader: reportIn(end.value) });
      const ended: EndMessage = { type: 'end', id, ...wordOf(call, end) };
      if (!calls.say(ended)) unheard.set(id, ended);
    } catch {
      // The reader was lost, and with it the connection: what became of the call is not known here.
      socket.terminate();
    } finally {
      running.delete(id);
      own.delete(stop);
    }
  };
  const take: { readonly [T in ToApp['type']]: (message: Extract<ToApp, { type: T }>) => void } = {
    welcome: () => {
      calls.say = say;
      for (const [id, ended] of unheard) if (say(ended)) unheard.delete(id);
      onWelcome();
    },
    call: (message) => void make(message),
    cancel: ({ id }) => running.get(id)?.abort(),
    pong: () => undefined,
  };
  socket.on('open', () => {
    look(reader).then(
      (report) => say({ type: 'hello', reader: report, running: [...running.keys(), ...unheard.keys()] }),
      () => socket.terminate(),
    );
  });
  socket.on('message', (data) => {
    const message = JSON.parse(data.toString()) as ToApp; // Purser's own words
    (take[message.type] as (message: ToApp) => void)(message); // the type has chosen the function for itself
  });
  // It was refused, or the network failed: it is closed without a code of Purser's.
  socket.on('error', () => undefined);
  let refused: number | undefined;
  socket.once('unexpected-response', (_, { statusCode }) => {
    refused = statusCode;
    socket.terminate();
  });
  const closed = new Promise<Closed>((resolve) =>
    socket.once('close', (code) => {
      for (const stop of own) stop.abort();
      if (refused !== undefined) resolve({ refused });
      else resolve(code === lostCode ? {} : { code });
    }),
  );
  return { closed, close: () => socket.close() };
}

/** The code with which the library closes what was never open, or broke off. */
const lostCode = 1006;

/** What a reader reports of itself. */
async function look(reader: Reader): Promise<ReaderReport> {
  const end = await reader.send('enrollmentStatus', undefined, {
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
  return reportIn(end.case === 'success' ? end.value : undefined);
}

/** The report in the status of an enrollment, as the protocol has it. */
function reportIn(value: unknown): ReaderReport {
  const { reader } = value as { readonly reader: ReaderReport & { readonly serialNumber?: string } }; // by the contract
  const { serialNumber, ...report } = reader;
  return { ...report, serialNumbers: serialNumber === undefined ? [] : [serialNumber] };
}

/** An end in the words of the SDK: the status of an enrollment is three cases. */
function wordOf(call: string, end: End): Pick<EndMessage, 'case' | 'value'> {
  if (call !== 'enrollmentStatus' || end.case !== 'success') return end;
  const { status } = end.value as { readonly status: EndMessage['case'] }; // by the contract
  return { case: status };
}
