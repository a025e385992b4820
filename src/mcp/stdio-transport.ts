import type { Readable, Writable } from 'node:stream';
import {
  deserializeMessage,
  type JSONRPCMessage,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/server';
import { elementsOf, hasDuplicateKeys } from '../core/duplicate-keys.ts';
import { limits } from '../core/limits.ts';
import { faultOf, withoutEcho } from './error-redaction.ts';
import { createMessageScanner, type ScannedMessage } from './message-scanner.ts';

/** The streams of a stdio connection. */
export interface Ends {
  readonly stdin: Readable;
  /** Carries only MCP. */
  readonly stdout: Writable;
  /** Receives internal failures; the caller reports them on stderr. */
  readonly onFailure?: ((failure: unknown) => void) | undefined;
}

const newline = 0x0a;
/** The only revision with messages of several, which whoever agrees on it must take. */
const batchRevision = '2025-03-26';

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
  /** The messages of a batch that are not read yet. */
  let batch: Message[] = [];
  let initializing: string | number | undefined;
  let takesBatches = false;
  let line: Buffer[] = [];
  let length = 0;
  let scanner = createMessageScanner();
  let isClosed = false;
  /** Closes the connection in the end, once the client has closed stdin. */
  let closing: NodeJS.Timeout | undefined;
  /** The client's unanswered requests by id, and ours to the client, each with the request that it is about. */
  const underWay = new Set<string | number>();
  const asked = new Map<string | number, string | number | undefined>();
  /** The id of the question that an answer is to. Ours are numbers, which some clients send back as text; the SDK reads these alike. */
  const questionOf = (id: string | number): string | number => (asked.has(id) ? id : Number(id));

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
    if ('method' in message && 'id' in message) {
      underWay.add(message.id);
      if (message.method === 'initialize') initializing = message.id;
    } else if ('method' in message) settle(cancelledBy(message));
    else if ('id' in message && message.id !== undefined) asked.delete(questionOf(message.id));
    wire.onmessage?.(message);
  };
  /** Whether a request has the id of one under way: nobody could tell their answers apart, nor an error under that id. */
  const isSecond = (message: JSONRPCMessage): boolean =>
    'method' in message && 'id' in message && underWay.has(message.id);
  const read = ({ message, id, hasMethod }: Message): void => {
    if (typeof message === 'number') {
      // Whoever waits for the answer would wait for long.
      if (id !== undefined && !hasMethod && asked.has(questionOf(id))) failQuestion(questionOf(id), message);
      else refuse(message, id);
    } else if (isSecond(message)) refuse(-32600, undefined);
    else deliver(message);
  };
  const endLine = (): void => {
    const scanned = scanner.scanned();
    const bytes = Buffer.concat(line);
    const isTooLong = length > limits.requestBytes;
    line = [];
    length = 0;
    scanner = createMessageScanner();
    const text = isTooLong || scanned.levels > limits.messageLevels ? -32600 : parse(bytes);
    if (text === '') return;
    const several = takesBatches && typeof text === 'string' ? messagesIn(text) : [];
    if (several.length > 0) batch = [...several];
    else read({ ...scanned, message: typeof text === 'string' ? messageIn(text, hasDuplicateKeys(text)) : text });
  };
  const take = (bytes: Buffer): void => {
    scanner.read(bytes);
    length += bytes.length;
    // The rest of a line that is too long is only scanned for its id.
    if (length > limits.requestBytes) line = [];
    else line.push(bytes);
  };
  /** Takes the next chunk, as far as its line goes. */
  const takeChunk = (): void => {
    const chunk = waiting.shift() ?? Buffer.of();
    const end = chunk.indexOf(newline);
    take(end < 0 ? chunk : chunk.subarray(0, end));
    if (end < 0) return;
    if (end + 1 < chunk.length) waiting.unshift(chunk.subarray(end + 1));
    endLine();
  };
  const pump = (isLast = false): void => {
    const isMore = (): boolean => batch.length > 0 || waiting.length > 0;
    while (isMore() && (isLast || !isBusy())) {
      const one = batch.shift();
      if (one === undefined) takeChunk();
      else read(one);
    }
    if (isClosed) return;
    if (isMore() || isBusy()) stdin.pause();
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
  const failQuestion = (id: string | number, code = -32603): void => {
    asked.delete(id);
    wire.onmessage?.({ jsonrpc: '2.0', id, error: faultOf(code) });
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
      else {
        if (message.id === initializing && 'result' in message)
          takesBatches = message.result.protocolVersion === batchRevision;
        settle(message.id);
      }
      write(message);
      closeOnceAnswered();
      goOn();
    },
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      clearTimeout(closing);
      waiting = [];
      batch = [];
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

/** A message, or the code of what is wrong with it, and what is known of that one. */
interface Message extends Pick<ScannedMessage, 'id' | 'hasMethod'> {
  readonly message: JSONRPCMessage | number;
}

/** The JSON of a line; empty for an empty line, or an error code. */
function parse(bytes: Buffer): string | number {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).trim();
    if (text !== '') JSON.parse(text);
    return text;
  } catch {
    return -32700;
  }
}

function messageIn(text: string, isAmbiguous: boolean): JSONRPCMessage | number {
  try {
    const message = deserializeMessage(text);
    return isAmbiguous ? unambiguous(message) : message;
  } catch {
    return -32600;
  }
}

/** The messages of a batch; none of any other JSON. Each is answered by itself, and what is wrong with one is wrong with none of the others. */
function messagesIn(text: string): readonly Message[] {
  const texts = elementsOf(text);
  if (texts.length > limits.batchMessages) return [{ message: -32600, id: undefined, hasMethod: false }];
  return texts.map((one) => {
    const { id, method } = (JSON.parse(one) ?? {}) as { readonly id?: unknown; readonly method?: unknown };
    return {
      message: messageIn(one, hasDuplicateKeys(one)),
      id: typeof id === 'string' || typeof id === 'number' ? id : undefined,
      hasMethod: method !== undefined,
    };
  });
}

/**
 * A message with a property twice is refused. An answer to one of our questions counts as a failed one, because whoever waits for it would
 * wait for long.
 */
const unambiguous = (message: JSONRPCMessage): JSONRPCMessage | number =>
  'method' in message || message.id === undefined ? -32600 : { jsonrpc: '2.0', id: message.id, error: faultOf(-32600) };
