import type { Readable, Writable } from 'node:stream';
import {
  deserializeMessage,
  type JSONRPCMessage,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/server';
import { hasDuplicateKeys } from '../core/duplicate-keys.ts';
import { limits } from '../core/limits.ts';
import { faultOf, withoutEcho } from './error-redaction.ts';
import { createMessageScanner } from './message-scanner.ts';

/** The streams of a stdio connection. */
export interface Ends {
  readonly stdin: Readable;
  /** Carries only MCP. */
  readonly stdout: Writable;
  /** Receives internal failures; the caller reports them on stderr. */
  readonly onFailure?: ((failure: unknown) => void) | undefined;
}

const newline = 0x0a;

/**
 * MCP over two streams, one message per line. An invalid line gets an error response, and the connection continues.
 * Reading pauses while the client doesn't read responses, and while the maximum of requests is in progress. So only one
 * line, one chunk and the responses to those requests are buffered. Once the client has closed stdin, what is under way is
 * answered, for `lastAnswers` milliseconds at most.
 */
export function createStdioWire(
  { stdin, stdout }: Pick<Ends, 'stdin' | 'stdout'>,
  lastAnswers: number = limits.lastAnswersMilliseconds,
): Transport {
  let waiting: Buffer[] = [];
  let line: Buffer[] = [];
  let length = 0;
  let scanner = createMessageScanner();
  let isClosed = false;
  /** Closes the connection in the end, once the client has closed stdin. */
  let closing: NodeJS.Timeout | undefined;
  /** The client's unanswered requests by id, and ours to the client, each with the request that it is about. */
  const underWay = new Set<string | number>();
  const asked = new Map<string | number, string | number | undefined>();

  const settle = (id: string | number | undefined): void => void (id !== undefined && underWay.delete(id));
  const isBusy = (): boolean => {
    // A request that waits for the client's user doesn't count: its answer arrives over this stream.
    const waiting = new Set([...asked.values()].filter((id) => id !== undefined && underWay.has(id)));
    return stdout.writableNeedDrain || underWay.size - waiting.size >= limits.connectionRequests;
  };

  const write = (message: JSONRPCMessage): boolean => stdout.write(serializeMessage(withoutEcho(message)));
  const refuse = (code: number, id: string | number | undefined): void =>
    void stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error: faultOf(code) })}\n`);

  const deliver = (message: JSONRPCMessage): void => {
    if ('method' in message && 'id' in message) underWay.add(message.id);
    else if ('method' in message) settle(cancelledBy(message));
    else if ('id' in message && message.id !== undefined) asked.delete(message.id);
    wire.onmessage?.(message);
  };
  /** Whether a request has the id of one under way: nobody could tell their answers apart, nor an error under that id. */
  const isSecond = (message: JSONRPCMessage): boolean =>
    'method' in message && 'id' in message && underWay.has(message.id);
  const endLine = (): void => {
    const { id, levels } = scanner.scanned();
    const bytes = Buffer.concat(line);
    const isTooLong = length > limits.requestBytes;
    line = [];
    length = 0;
    scanner = createMessageScanner();
    const parsed = isTooLong || levels > limits.messageLevels ? -32600 : parse(bytes);
    if (typeof parsed === 'number') refuse(parsed, id);
    else if (parsed !== undefined && isSecond(parsed)) refuse(-32600, undefined);
    else if (parsed !== undefined) deliver(parsed);
  };
  const take = (bytes: Buffer): void => {
    scanner.read(bytes);
    length += bytes.length;
    // The rest of a line that is too long is only scanned for its id.
    if (length > limits.requestBytes) line = [];
    else line.push(bytes);
  };
  const pump = (isLast = false): void => {
    for (let chunk = waiting.shift(); chunk !== undefined; chunk = waiting.shift()) {
      const end = chunk.indexOf(newline);
      take(end < 0 ? chunk : chunk.subarray(0, end));
      if (end < 0) continue;
      if (end + 1 < chunk.length) waiting.unshift(chunk.subarray(end + 1));
      endLine();
      if (!isLast && isBusy()) break;
    }
    if (isClosed) return;
    if (waiting.length > 0 || isBusy()) stdin.pause();
    else stdin.resume();
  };
  /** Continues when the client has read, or a response has made room. */
  const goOn = (): void => void (isClosed || isBusy() || setImmediate(pump));

  const onData = (chunk: Buffer | string): void => {
    waiting.push(Buffer.from(chunk));
    if (!isBusy()) pump();
    else stdin.pause();
  };
  /** The client has sent all that it will send. What is under way is answered first, and nobody answers our questions any more. */
  const onEnd = (): void => {
    if (closing !== undefined) return;
    closing = setTimeout(() => void wire.close(), lastAnswers);
    pump(true);
    for (const id of asked.keys()) failQuestion(id);
    closeOnceAnswered();
  };
  const failQuestion = (id: string | number): void => {
    asked.delete(id);
    wire.onmessage?.({ jsonrpc: '2.0', id, error: faultOf(-32603) });
  };
  const closeOnceAnswered = (): void => void (closing !== undefined && underWay.size === 0 && wire.close());
  const onError = (error: Error): void => wire.onerror?.(error);
  const onBroken = (error: Error): void => {
    if (isClosed) return; // the listener stays, so a late write doesn't crash
    wire.onerror?.(error);
    void wire.close();
  };

  const wire: Transport = {
    start: async () => {
      stdout.on('error', onBroken);
      stdout.on('drain', goOn);
      stdin.on('error', onError);
      stdin.on('end', onEnd);
      stdin.on('close', onEnd);
      stdin.on('data', onData);
      if (stdin.readableEnded || stdin.destroyed) setImmediate(onEnd);
    },
    send: async (message, options) => {
      if (isClosed) throw new Error('The connection is closed.');
      if ('method' in message && 'id' in message) {
        if (closing !== undefined) return void setImmediate(failQuestion, message.id);
        asked.set(message.id, options?.relatedRequestId);
      } else if ('method' in message) asked.delete(cancelledBy(message) ?? '');
      else settle(message.id);
      write(message);
      closeOnceAnswered();
      goOn();
    },
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      clearTimeout(closing);
      waiting = [];
      line = [];
      stdin.off('data', onData);
      stdin.off('error', onError);
      stdin.off('end', onEnd);
      stdin.off('close', onEnd);
      stdout.off('drain', goOn);
      if (stdin.listenerCount('data') === 0) stdin.pause();
      wire.onclose?.();
    },
  };
  return wire;
}

/** The request that a cancellation names; undefined for any other message. */
const cancelledBy = (message: JSONRPCMessage): string | number | undefined =>
  'method' in message && message.method === 'notifications/cancelled'
    ? (message.params?.requestId as string | number | undefined) // any other type names no request
    : undefined;

/** The message of a line; undefined for an empty line, or an error code. */
function parse(bytes: Buffer): JSONRPCMessage | number | undefined {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).trim();
    if (text === '') return undefined;
    JSON.parse(text);
  } catch {
    return -32700;
  }
  try {
    const message = deserializeMessage(text);
    return hasDuplicateKeys(text) ? unambiguous(message) : message;
  } catch {
    return -32600;
  }
}

/**
 * A message with a property twice is refused. An answer to one of our questions counts as a failed one, because whoever waits for it would
 * wait for long.
 */
const unambiguous = (message: JSONRPCMessage): JSONRPCMessage | number =>
  'method' in message || message.id === undefined ? -32600 : { jsonrpc: '2.0', id: message.id, error: faultOf(-32600) };
