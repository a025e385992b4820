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

/** Connects a reader as its app does. `onWelcome`: Purser has taken it. */
export function connectApp(
  { url, token }: { readonly url: string; readonly token: string },
  reader: Reader,
  onWelcome: () => void,
): AppConnection {
  const socket = new WebSocket(url, subprotocol, {
    headers: { authorization: `Bearer ${token}` },
    perMessageDeflate: false,
  });
  const running = new Map<string, AbortController>();
  const say = (message: FromApp): void => {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
  };
  const make = async ({ id, call, input }: Extract<ToApp, { type: 'call' }>): Promise<void> => {
    const stop = new AbortController();
    running.set(id, stop);
    try {
      const watch = {
        signal: stop.signal,
        onProgress: ({ step, fraction }: { readonly step: string; readonly fraction?: number | undefined }) =>
          say({ type: 'progress', id, step, fraction }),
      };
      const end = await reader.send(call, input, watch);
      if (call === 'enrollmentStatus' && end.case === 'success') say({ type: 'report', reader: reportIn(end.value) });
      say({ type: 'end', id, ...wordOf(call, end) });
    } catch {
      // The reader was lost, and with it the connection: what became of the call is not known here.
      socket.terminate();
    } finally {
      running.delete(id);
    }
  };
  const take: { readonly [T in ToApp['type']]: (message: Extract<ToApp, { type: T }>) => void } = {
    welcome: onWelcome,
    call: (message) => void make(message),
    cancel: ({ id }) => running.get(id)?.abort(),
    pong: () => undefined,
  };
  socket.on('open', () => {
    look(reader).then(
      (report) => say({ type: 'hello', reader: report }),
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
      for (const stop of running.values()) stop.abort();
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
