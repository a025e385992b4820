import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { limits } from '../core/limits.ts';
import { type Connection, type ConnectionOptions, connect } from './connection.ts';
import { type End, ReaderGone } from './ends.ts';
import { closings, type ReaderReport, subprotocol } from './protocol.ts';
import type { Reader } from './transport.ts';

/** The bridge to the app that embeds the SDK of a merchant's card reader. */
export interface ReaderBridge {
  readonly reader: Reader;
  /** What the connected app reported last; undefined while none is connected. */
  readonly connected: () => ReaderReport | undefined;
  /** Takes over a connection that was authenticated. False if too many have not said hello; the caller then refuses it. */
  readonly accept: (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;
  /** Ends every connection. Calls under way are lost, and later ones don't reach a reader. */
  readonly close: () => void;
}

interface BridgeOptions extends Omit<ConnectionOptions, 'onReady' | 'onLateEnd'> {
  /** An app has connected: it can be asked what became of calls that were lost. */
  readonly onConnected?: () => void;
  /** A call has ended that nobody waited for any more: `reader.lateEnds` has its end. */
  readonly onLateEnd?: () => void;
}

/**
 * Opens a bridge. One app is connected at a time, so that two never answer a call: the newest, because an app that lost its
 * network comes back long before its old connection is known to be dead.
 */
export function openBridge({
  onConnected = () => undefined,
  onLateEnd = () => undefined,
  ...options
}: BridgeOptions): ReaderBridge {
  const server = new WebSocketServer({
    ...{ noServer: true, clientTracking: false, perMessageDeflate: false },
    maxPayload: limits.readerMessageBytes,
    handleProtocols: (offered) => (offered.has(subprotocol) ? subprotocol : false),
  });
  const open = new Set<Connection>();
  let current: Connection | undefined;
  let isClosed = false;
  const late = new Map<string, End>();
  const keep = (callId: string, end: End): void => {
    // The platform is asked what became of it, too: an end that there is no room for is no loss.
    if (late.size >= limits.readerEndedElements) return;
    late.set(callId, end);
    onLateEnd();
  };
  const onReady = (it: Connection): void => {
    current?.close(closings.replaced);
    current = it;
    onConnected();
  };
  return {
    reader: {
      isConnected: () => current?.report() !== undefined,
      serialNumbers: () => current?.report()?.serialNumbers ?? [],
      callState: (callId) => (late.has(callId) ? 'running' : (current?.callState(callId) ?? 'unsaid')),
      lateEnds: () => late,
      forget: (callId) => void late.delete(callId),
      send: (...call) => (current === undefined ? Promise.reject(new ReaderGone()) : current.send(...call)),
    },
    connected: () => current?.report(),
    accept: (request, socket, head) => {
      const strangers = [...open].filter((it) => it.report() === undefined);
      if (isClosed || strangers.length >= limits.readerHelloConnections) return false;
      server.handleUpgrade(request, socket, head, (made) => {
        const it = connect(made, { ...options, onReady, onLateEnd: keep });
        open.add(it);
        made.once('close', () => {
          open.delete(it);
          if (current === it) current = undefined;
        });
      });
      return true;
    },
    close: () => {
      isClosed = true;
      for (const it of open) it.close(closings.stopped);
    },
  };
}
