import { setImmediate as turn } from 'node:timers/promises';
import { trackEngineCalls } from '../../../src/mcp/pending-calls.ts';
import type { Alter, TestHarness, World } from '../world/world.ts';
import { type Connection, connectHttp, connectStdio } from './connection.ts';
import type { Message } from './events.ts';
import { answerOf, type Reaction } from './reactions.ts';
import type { McpSession } from './session.ts';

// What a session is played on: its world, the connection of its host, and what the host hears.

/** A message that came, or what the user of the host did about one. */
export type Came =
  | { readonly kind: 'message'; readonly message: Message }
  | { readonly kind: 'answered'; readonly answer: object | undefined }
  | { readonly kind: 'failure'; readonly says: string };

/** What was heard of the server, and how the user reacts. */
export interface Ear {
  came: Came[];
  reactions: readonly Reaction[];
  /** Resolves when something with this text has come. */
  readonly heard: (text: string) => Promise<void>;
}

export interface Stage {
  readonly session: McpSession;
  readonly world: World;
  readonly connection: Connection;
  readonly captures: Map<string, unknown>;
  readonly ear: Ear;
  /** Resolves when nothing is under way any more. */
  readonly settled: () => Promise<void>;
  readonly nextId: () => number;
}

/** Turns of the event loop in which messages reach the other end of a stream. Own choice. */
const rounds = 6;

/** Opens the world of a session, and connects its host. */
export async function openStage(harness: TestHarness, session: McpSession): Promise<Stage> {
  const world = await harness.open(session.world, alterFor(session));
  const { engine, idle } = trackEngineCalls(world.engine);
  const { ear, hear } = createEar();
  const connection = (session.transport === 'http' ? connectHttp : connectStdio)({
    ...session,
    engine,
    hear: (message) => {
      hear({ kind: 'message', message });
      if (message.method !== undefined && message.id !== undefined) react(message.id);
    },
    fail: (failure) => hear({ kind: 'failure', says: failure instanceof Error ? failure.message : String(failure) }),
  });
  const react = (id: unknown): void => {
    const [reaction = 'ignores', ...rest] = ear.reactions;
    ear.reactions = rest;
    const answer = answerOf(reaction);
    hear({ kind: 'answered', answer });
    if (answer !== undefined) connection.write({ text: JSON.stringify({ jsonrpc: '2.0', id, ...answer }) });
  };
  let count = 0;
  return {
    ...{ session, world, connection, ear, captures: new Map() },
    settled: async () => {
      for (let round = 0; round < rounds; round++) {
        await turn();
        await idle();
      }
    },
    nextId: () => ++count,
  };
}

function createEar(): { readonly ear: Ear; readonly hear: (came: Came) => void } {
  const listeners = new Set<() => void>();
  const ear: Ear = {
    ...{ came: [], reactions: [] },
    heard: (text) =>
      new Promise((resolve) => {
        const look = () => {
          if (!ear.came.some((it) => it.kind === 'message' && JSON.stringify(it.message).includes(text))) return;
          listeners.delete(look);
          resolve();
        };
        listeners.add(look);
        look();
      }),
  };
  const hear = (came: Came) => {
    ear.came.push(came);
    for (const look of listeners) look();
  };
  return { ear, hear };
}

/** The parts of Purser that a session has otherwise: its card reader, and where people are told to decide. */
const alterFor =
  ({ readerWaits, readerTells, reach }: McpSession): Alter =>
  (parts) => ({
    ...parts,
    reader: parts.reader && {
      ...parts.reader,
      send: async (operation, input, watch) => {
        for (const progress of readerTells) watch.onProgress?.(progress);
        const outcome = await (parts.reader as Reader).send(operation, input, watch);
        if (outcome.kind !== 'inProgress') return outcome;
        return readerWaits ? outcome.end : { ...outcome, progress: readerTells.at(-1) ?? outcome.progress };
      },
    },
    settings: {
      ...parts.settings,
      ...(reach === undefined ? {} : { reach: reachOf(reach) }),
    },
  });

const reachOf = ({ page, command }: NonNullable<McpSession['reach']>) => ({
  page: () => page,
  ...(command === undefined ? {} : { command }),
});

type Reader = NonNullable<Parameters<Alter>[0]['reader']>;
