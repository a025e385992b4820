import { call, play, type ReplayContext } from '../replay/replay.ts';
import type { CallEntry, Entry, Failure } from '../replay/run.ts';
import { isCall, type Scenario, type Values } from '../scenario/schema.ts';
import type { ListedTool } from '../world/mcp.ts';
import type { Sent } from '../world/wire.ts';
import type { Customer } from './customer.ts';
import { type Conversation, type ModelCall, noTokens, plus, type Tokens, type Turn } from './model.ts';
import { follow, isPossible, type OtherStep, type Script } from './script.ts';

/** Who takes part in a conversation. */
export interface Talkers {
  readonly agent: Conversation;
  /** A model that simulates the customer; by default the script's lines are used. */
  readonly customer: Customer | undefined;
  /** The tools that the agent was given. */
  readonly tools: readonly ListedTool[];
  /** Requests to the agent's model, after which the conversation ends. */
  readonly mostTurns: number;
}

/** The result of a conversation. */
export interface Talk {
  readonly entries: readonly Entry[];
  /** The requests that reached the platform during each entry. */
  readonly requests: readonly (readonly Sent[])[];
  readonly captures: ReadonlyMap<string, unknown>;
  readonly failures: readonly Failure[];
  readonly turns: number;
  /** How often the model declined to go on. */
  readonly refusals: number;
  /** Calls with invalid arguments or of an unknown tool. They reach no server. */
  readonly malformed: number;
  readonly tokens: Tokens;
}

/** What the customer says where the script has no line: someone approved meanwhile, or time passed. */
const goOn = 'Please go on.';

/** A conversation under way. */
interface Room extends Talkers {
  readonly scenario: Scenario;
  readonly scene: ReplayContext;
  readonly script: Script;
  readonly entries: Entry[];
  readonly requests: (readonly Sent[])[];
  readonly captures: Map<string, unknown>;
  readonly counts: { turns: number; refusals: number; malformed: number; tokens: Tokens };
  /** Whether something has happened that the agent was not spoken to since. */
  isNew: boolean;
}

/** Lets a model play a scenario: it speaks and calls, and around it happens what the script says. */
export async function talk(scenario: Scenario, scene: ReplayContext, talkers: Talkers): Promise<Talk> {
  const counts = { turns: 0, refusals: 0, malformed: 0, tokens: noTokens };
  const begun = { entries: [], requests: [], captures: new Map<string, unknown>(), counts, isNew: false };
  const room: Room = { ...talkers, ...begun, scenario, scene, script: follow(scenario) };
  const failures: Failure[] = [];
  let line = await opening(room);
  while (line !== undefined) {
    note(room, { kind: 'user', step: -1, text: line });
    const isFirst = talkers.customer === undefined && room.entries.filter(({ kind }) => kind === 'user').length === 1;
    room.agent.addUserMessage(`${timed(line, scene)}${isFirst ? known(scenario) : ''}`);
    // What follows the line in the script happens before the agent does anything.
    await happen(room, false);
    room.isNew = false;
    const said = await act(room);
    if (said === undefined) {
      const because = `the agent was not done after ${talkers.mostTurns} requests.`;
      failures.push({ grader: 'script', at: 'turns', because });
      break;
    }
    line = await reply(room, said);
  }
  return { entries: room.entries, requests: room.requests, captures: room.captures, failures, ...counts };
}

/** The first line of the customer. */
async function opening(room: Room): Promise<string | undefined> {
  const line = await happen(room, true);
  return room.customer === undefined
    ? (line ?? room.scenario.user?.goal ?? (await reply(room, '')))
    : room.customer.answer(undefined);
}

/** What the customer says to what the agent said; undefined where the conversation is over. */
async function reply(room: Room, said: string): Promise<string | undefined> {
  const { script, customer } = room;
  // Who was interrupted by what has happened is asked to go on, before time and others go on without its call.
  const isInterrupted = room.isNew && script.isWaiting();
  if (!isInterrupted) script.giveUp();
  const line = isInterrupted ? goOn : await happen(room, true);
  if (customer !== undefined) return customer.answer(said);
  return line ?? (room.isNew && script.isUnfinished() ? goOn : undefined);
}

/** The agent acts until it speaks without calling anything. Answers what it said; undefined where it never ends. */
async function act(room: Room): Promise<string | undefined> {
  const { agent, counts } = room;
  while (counts.turns < room.mostTurns) {
    counts.turns += 1;
    const turn: Turn = await agent.next();
    counts.tokens = plus(counts.tokens, turn.tokens);
    if (turn.refused) counts.refusals += 1;
    if (turn.text !== '') note(room, { kind: 'say', step: -1, text: turn.text });
    if (turn.calls.length === 0) return turn.text;
    const results: { readonly id: string; readonly text: string }[] = [];
    // Those of one turn are made one after the other, as the model wrote them, so that a trial can be read again.
    for (const asked of turn.calls) {
      results.push({ id: asked.id, text: await made(room, asked) });
      await happen(room, false);
    }
    agent.addToolResults(results);
  }
  return undefined;
}

/** Makes a call, and answers what the model reads of it. */
async function made(room: Room, asked: ModelCall): Promise<string> {
  const args = argsOf(asked, room.tools);
  if (typeof args === 'string') {
    room.counts.malformed += 1;
    note(room, { kind: 'event', step: -1, what: 'malformed call', text: `${asked.name}: ${args}` });
    return JSON.stringify({ error: args });
  }
  if (room.script.reach(asked.name)) await happen(room, false);
  const entry: CallEntry = await call(room.scene, asked.name, args);
  await room.scene.world?.events.due();
  const step = room.script.made(entry);
  note(room, { ...entry, step });
  const scripted = room.scenario.steps[step];
  if (scripted !== undefined && isCall(scripted) && scripted.as !== undefined)
    room.captures.set(scripted.as, entry.answer);
  return entry.text;
}

/** The arguments of a call, or what is wrong with it. The text of a model is quoted nowhere: it may hold anything. */
function argsOf({ name, text }: ModelCall, tools: readonly ListedTool[]): Values | string {
  if (!tools.some((tool) => tool.name === name)) return 'There is no such tool. Nothing was called.';
  const wrong = 'The arguments are no JSON object. Nothing was called: write them again.';
  try {
    const args: unknown = JSON.parse(text.trim() === '' ? '{}' : text);
    const isObject = typeof args === 'object' && args !== null && !Array.isArray(args);
    return isObject ? (args as Values) : wrong; // it came out of JSON
  } catch {
    return wrong;
  }
}

/** Lets happen what is due. Answers the next line of the script's customer, while the agent listens. */
async function happen(room: Room, listening: boolean): Promise<string | undefined> {
  const simulated = room.customer !== undefined;
  for (;;) {
    const due = room.script.take(listening || simulated);
    if (due === undefined) return undefined;
    const { step, index } = due;
    if (!('user' in step)) {
      note(room, await happened(room, step, index));
      room.isNew = true;
    } else if (!simulated) return step.user;
  }
}

/** Lets one thing happen. What hangs on a call that the agent did not make can't, and the graders see what became of it. */
async function happened({ scene, captures }: Room, step: OtherStep, index: number): Promise<Entry> {
  if (isPossible(step, captures)) {
    const { entry } = await play(scene, step, index, captures);
    await scene.world?.events.due();
    return entry;
  }
  const what = Object.keys(step)[0] ?? '';
  return { kind: 'event', step: index, what, text: 'It does not happen: the agent did not do what it hangs on.' };
}

/** What the customer can tell and the script's lines don't: an agent that asks would hear it. */
const known = ({ user }: Scenario): string =>
  user?.knows === undefined ? '' : `\n(The customer can tell: ${JSON.stringify(user.knows)})`;

/** Writes down what happened, with the requests that reached the platform meanwhile. */
function note({ entries, requests, scene }: Room, entry: Entry): void {
  entries.push(entry);
  requests.push((scene.world?.wire.requests() ?? []).slice(requests.flat().length));
}

/** A line with the time, as hosts give it: an agent has no clock, and rules have ends. */
const timed = (line: string, { world }: ReplayContext): string =>
  world === undefined ? line : `[${new Date(world.engine.parts.ports.clock.now()).toISOString()}] ${line}`;
