import { z } from 'zod';
import { limits } from '../core/limits.ts';

// The messages between Purser and the app that embeds the reader's SDK: docs/reader.md. Each is one JSON text over a WebSocket.

/** The WebSocket subprotocol; a change that an app would notice gets another number. */
export const subprotocol = 'purser-reader.v1';

const word = z.string().min(1).max(limits.textCharacters);

/** What an app reports of itself: the handset, its operating system, the SDK and the device. */
const report = z.strictObject({
  environment: z.enum(['test', 'live']),
  sdkVersion: word,
  handsetModel: word.optional(),
  handsetGeneration: z.int().nonnegative().optional(),
  osVersion: word.optional(),
  osReleasedOn: z.iso.date().optional(),
  /** Of the devices enrolled on it, the one in use first. */
  serialNumbers: z.array(word).max(limits.arrayElements).default([]),
  /** Whether the education screens were shown since the last enrollment. */
  educationShown: z.boolean().optional(),
});

export type ReaderReport = z.output<typeof report>;

/** The result cases of the SDK, as document 3 spells them. `success` has the value. */
export const endCases = [
  ...(['success', 'cancelledByUser', 'cancelByUser', 'notFound', 'failure', 'error'] as const),
  ...(['networkError', 'unexpected', 'enrolled', 'enrolling', 'notEnrolled'] as const),
] as const;

const id = z
  .string()
  .min(1)
  .max(limits.keyCharacters * 2);

/** What an app sends. Anything else ends the connection. */
export const fromApp = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('hello'),
    reader: report,
    /** Calls of earlier connections whose end Purser has not heard. An app that leaves it out does not say. */
    running: z.array(id).max(limits.arrayElements).optional(),
  }),
  z.strictObject({ type: z.literal('report'), reader: report }),
  z.strictObject({
    type: z.literal('progress'),
    id,
    step: z.string().regex(/^[A-Z][A-Z_]{0,39}$/, 'must be a word in capitals'),
    fraction: z.number().min(0).max(1).optional(),
  }),
  z.strictObject({
    type: z.literal('end'),
    id,
    case: z.enum(endCases),
    value: z.unknown().optional(),
    /** For the developers of the app. Purser neither keeps nor shows it. */
    developerInfo: z.unknown().optional(),
  }),
  z.strictObject({ type: z.literal('ping') }),
]);

export type FromApp = z.output<typeof fromApp>;
export type EndMessage = Extract<FromApp, { type: 'end' }>;

/** What Purser sends. */
export type ToApp =
  | {
      readonly type: 'welcome';
      readonly purser: string;
      readonly heartbeatSeconds: number;
      readonly configuration: object;
    }
  | { readonly type: 'call'; readonly id: string; readonly call: string; readonly input?: unknown }
  | { readonly type: 'cancel'; readonly id: string }
  | { readonly type: 'pong' };

/** Why Purser ends a connection: a close code with its reason. */
export const closings = {
  stopped: { code: 1001, reason: 'Purser is stopping: connect again later.' },
  binary: { code: 1003, reason: 'Messages are JSON texts.' },
  malformed: { code: 4400, reason: 'The message is not of this protocol.' },
  order: { code: 4401, reason: 'The first message must be hello, and only the first.' },
  silent: { code: 4408, reason: 'Nothing was heard in time.' },
  replaced: { code: 4409, reason: 'Another app of this merchant has connected: do not connect again by itself.' },
  crowded: { code: 4429, reason: 'Too many messages.' },
} as const satisfies { readonly [name: string]: { readonly code: number; readonly reason: string } };

export type Closing = (typeof closings)[keyof typeof closings];
