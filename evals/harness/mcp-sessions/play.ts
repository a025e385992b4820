import { limits } from '../../../src/core/limits.ts';
import { member } from '../scenario/captures.ts';
import type { Sent } from '../world/wire.ts';
import type { TestHarness, World } from '../world/world.ts';
import { aside, type Done } from './asides.ts';
import type { Head, Written } from './connection.ts';
import { type Kept, keptIn, turnsIn } from './ledger.ts';
import { reactionsIn } from './reactions.ts';
import { callOf, greetings, isModern, messageOf, notification, requestOf } from './requests.ts';
import { type McpSession, type McpStep, methodOf, type RequestStep } from './session.ts';
import { type Came, openStage, type Stage } from './stage.ts';

// Plays a session with the MCP server of a world of its own.

/** A step and what came of it. */
export interface Played {
  readonly title: string;
  readonly head?: Head | undefined;
  readonly came: readonly Came[];
  /** What somebody else was told. */
  readonly note?: string | undefined;
  readonly sent: readonly Sent[];
  /** What changed in the ledger. */
  readonly turns: readonly string[];
}

/** What came of the steps of a session, up to one that can't be played. */
export interface Playing {
  readonly played: readonly Played[];
  /** Which step, and why. */
  readonly fault?: string | undefined;
}

/** Milliseconds after which a step counts as one that never ends. Own choice: every step takes a few, on a busy machine a hundred times as many. */
const stepMilliseconds = 60_000;

/** Plays every step of a session. */
export async function playMcpSession(harness: TestHarness, session: McpSession): Promise<Playing> {
  const stage = await openStage(harness, session);
  try {
    if (session.greets && !isModern(session)) await greet(stage);
    return await playAll(stage);
  } finally {
    await within(stage.connection.close());
  }
}

async function playAll(stage: Stage): Promise<Playing> {
  const { session, world, ear } = stage;
  const played: Played[] = [];
  let before = await keptIn(world);
  for (const [index, step] of session.steps.entries()) {
    ear.came = [];
    try {
      const made = await within(madeOf(stage, step));
      await within(stage.settled());
      const after = await keptIn(world);
      const brought = 'calls' in step ? { sent: [], turns: [] } : broughtBy(world, before, after);
      played.push({ ...made, came: ear.came, ...brought });
      before = after;
    } catch (error) {
      return { played, fault: `step ${index + 1}: ${error instanceof Error ? error.message : String(error)}` };
    }
  }
  return { played };
}

const broughtBy = ({ wire }: World, before: Kept, after: Kept): Pick<Played, 'sent' | 'turns'> => ({
  sent: wire.requests().slice(before.sent),
  turns: turnsIn(before, after),
});

/**
 * The result of work. Only a step that hangs meets the limit, because somebody is waited for who does nothing. Unlike that of
 * `AbortSignal.timeout`, this timer keeps the process until then.
 */
async function within<Result>(work: Promise<Result>): Promise<Result> {
  const over = Promise.withResolvers<never>();
  const timer = setInterval(() => over.reject(new Error('It never ends.')), stepMilliseconds);
  try {
    return await Promise.race([work, over.promise]);
  } finally {
    clearInterval(timer);
  }
}

async function greet(stage: Stage): Promise<void> {
  const [hello, ready] = greetings(stage.session);
  const id = stage.nextId();
  await stage.connection.write({ id, text: JSON.stringify(messageOf('initialize', hello, id)) }).over;
  await stage.connection.write(notification(stage.session, ready, {})).over;
  await stage.settled();
}

type Made = Done & Pick<Played, 'head'>;

async function madeOf(stage: Stage, step: McpStep): Promise<Made> {
  const { connection, session } = stage;
  if ('call' in step || 'send' in step) return requested(stage, step);
  if ('calls' in step) return repeated(stage, step);
  if ('notify' in step)
    return posted(`notify ${step.notify}`, connection.write(notification(session, step.notify, step.params)));
  if ('write' in step) return posted('write', connection.write({ text: strained(step), headers: step.headers }));
  if ('http' in step) return posted(step.http, connection.write({ text: '', call: step.http, headers: step.headers }));
  return aside(stage.world, step);
}

/** The text of a step, as often as it is written, with what is too long or too deep in the place of its name. */
const strained = ({ write, times }: Extract<McpStep, { write: string }>): string =>
  Array.from({ length: times }, (_, index) => write.replaceAll('{n}', String(index + 1)))
    .join('\n')
    .replace('{long}', () => 'x'.repeat(limits.requestBytes))
    .replace('{deep}', () => '['.repeat(limits.messageLevels) + ']'.repeat(limits.messageLevels));

async function posted(title: string, { head, over }: Written): Promise<Made> {
  await over;
  return { title, head: await head };
}

async function requested(stage: Stage, step: RequestStep): Promise<Made> {
  const { connection, session, captures, ear } = stage;
  const id = stage.nextId();
  ear.reactions = reactionsIn(step.answers === undefined ? step.user : undefined);
  const written = connection.write(requestOf(session, step, captures, id));
  if (step.once !== undefined) await heardBefore(step.once, stage, written);
  for (const one of step.meanwhile) {
    if ('cancel' in one) await cancel(stage, id, written);
    else await aside(stage.world, one);
  }
  await written.over;
  const result = resultIn(ear.came, id);
  if (step.as !== undefined) captures.set(step.as, { ...result, ...(member(result, 'structuredContent') as object) });
  return { title: 'call' in step ? `call ${step.call || 'no name'}` : methodOf(step), head: await written.head };
}

/** Resolves when something with this text has come, and throws where everything else has come without it. */
async function heardBefore(text: string, { ear }: Stage, { over }: Written): Promise<void> {
  const isHeard = await Promise.race([ear.heard(text).then(() => true), over.then(() => false)]);
  if (!isHeard) throw new Error(`Nothing came with ${text}.`);
}

/** A call that is made many times: how often it had which outcome. */
async function repeated(stage: Stage, { calls, args, times }: Extract<McpStep, { calls: string }>): Promise<Made> {
  const { connection, session, captures, ear } = stage;
  const outcomes = new Map<string, number>();
  for (let n = 1; n <= times; n++) {
    const id = stage.nextId();
    const numbered = JSON.parse(JSON.stringify(args).replaceAll('{n}', String(n))) as typeof args;
    await connection.write(requestOf(session, callOf(calls, numbered), captures, id)).over;
    const outcome = String(member(member(resultIn(ear.came, id), 'structuredContent'), 'outcome'));
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  ear.came = [];
  return { title: `calls ${calls}`, note: [...outcomes].map(([outcome, count]) => `${count} ${outcome}`).join(', ') };
}

/** The result of a request; without one, an empty one. */
function resultIn(came: readonly Came[], id: number): object {
  const found = came.flatMap((it) => (it.kind === 'message' && it.message.id === id ? [it.message] : []));
  return (found.find(({ result }) => result !== undefined)?.result ?? {}) as object;
}

/** Nobody waits for the request any more. Over HTTP, a host of the 2026 revision hangs up. */
async function cancel({ session, connection, settled }: Stage, id: number, written: Written): Promise<void> {
  const hangsUp = session.transport === 'http' && isModern(session);
  if (!hangsUp) await connection.write(notification(session, 'notifications/cancelled', { requestId: id })).over;
  else written.leave();
  await settled();
  written.leave();
}
