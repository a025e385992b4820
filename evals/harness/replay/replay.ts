import { sha256 } from '../../../src/core/canonical-json.ts';
import { contract } from '../../../src/domains/index.ts';
import { registerReceipt, registerShopper } from '../../../src/engine/register.ts';
import { settledState } from '../coverage/transitions.ts';
import { agentSecretsIn } from '../redaction/agent-secrets.ts';
import { filled, filledPath, filledText, member, NoCapture } from '../scenario/captures.ts';
import { argumentsOf, effectOf, platformToolOf } from '../scenario/catalogue.ts';
import {
  type ActorStep,
  isActor,
  isCall,
  isMeanwhile,
  isPoison,
  type MeanwhileStep,
  type Scenario,
  type Step,
  type Value,
  type Values,
} from '../scenario/schema.ts';
import { ServerLost, type Tools } from '../world/mcp.ts';
import type { Instead } from '../world/other-requests.ts';
import type { State } from '../world/state.ts';
import type { Sent } from '../world/wire.ts';
import type { World } from '../world/world.ts';
import { act, advance, fault, poison, type StepResult } from './actors.ts';
import { answerOf, type CallEntry, type Entry, type Failure, type Run, type Varied } from './run.ts';
import type { Stopwatch } from './stopwatch.ts';
import { allowedBy, spoiledOf, variationsOf } from './variations.ts';

/** What a story is played against: tools, and the world behind them if the server is Purser. */
export interface ReplayContext {
  readonly tools: Tools;
  readonly world?: World | undefined;
  readonly stopwatch?: Stopwatch | undefined;
  /** Whether steps that say so send their requests otherwise, too, which only a golden asks for. */
  readonly varies?: boolean;
}

/** A run so far. */
export interface RunSoFar {
  readonly entries: readonly Entry[];
  readonly captures: ReadonlyMap<string, unknown>;
}

/** Generates steps one at a time, each after the previous one is done. */
export type Driver = (soFar: RunSoFar) => Iterable<Step> | AsyncIterable<Step>;

/**
 * Plays a script, or the steps of a driver. A step that can't be done ends the story as a failure, never only as a log line.
 */
export async function replay(
  scenario: Scenario,
  { tools, world, stopwatch: watch, varies = false }: ReplayContext,
  driver?: Driver,
): Promise<Run> {
  const entries: Entry[] = [];
  const failures: Failure[] = [];
  const captures = new Map<string, unknown>();
  const requests: (readonly Sent[])[] = [];
  let noted = 0;
  let index = -1;
  for await (const step of driver?.({ entries, captures }) ?? scenario.steps) {
    index += 1;
    try {
      const { entry, failure } = await play({ tools, world, stopwatch: watch, varies }, step, index, captures);
      entries.push(entry);
      await world?.events.due();
      const sent = world?.wire.requests() ?? [];
      requests.push(sent.slice(noted));
      noted = sent.length;
      if (failure !== undefined) failures.push({ grader: 'script', at: `steps[${index}]`, because: failure });
      if (entry.kind === 'call' && isCall(step) && step.as !== undefined) captures.set(step.as, entry.answer);
    } catch (error) {
      if (error instanceof ServerLost) throw error;
      const because = error instanceof Error ? error.message : String(error);
      failures.push({ grader: 'script', at: `steps[${index}]`, because });
      break;
    }
  }
  const isVaried = entries.some((it) => it.kind === 'call' && it.varied);
  const again = world && isVaried ? await sentAgain(world) : undefined;
  const after = await world?.evidence();
  const proven = await world?.proven(isVaried ? numberOf(scenario.id) : undefined);
  const retried = world && (await retry({ tools, world }, entries));
  return {
    scenario,
    entries,
    captures,
    before: world?.beginning,
    after,
    retried,
    requests,
    again,
    proven,
    canaries: [...(world?.wire.canaries() ?? []), ...agentSecretsIn(scenario)],
    configured: world?.configured,
    failures,
  };
}

interface Played {
  readonly entry: Entry;
  readonly failure?: string | undefined;
}

/** Plays one step. Throws if it can't be done. */
export async function play(
  scene: ReplayContext,
  step: Step,
  index: number,
  captures: ReadonlyMap<string, unknown>,
): Promise<Played> {
  if ('user' in step) return { entry: { kind: 'user', step: index, text: step.user } };
  if ('say' in step) return { entry: { kind: 'say', step: index, text: step.say } };
  // Resolved values come from YAML or an answer, and both are JSON.
  const { world } = scene;
  if (isCall(step)) {
    const args = filled(step.args, captures) as Values;
    const make = () => call(scene, step.call, args, index);
    if (scene.varies !== true || world === undefined) return { entry: await make() };
    const entry = step.vary === true ? await varied(world, step.call, args, make) : await make();
    return { entry: await paged(world, entry) };
  }
  if (isMeanwhile(step)) return meanwhile(scene, step, index, captures);
  if (world === undefined) throw new NoCapture('Time, faults, actors and poison are for worlds of Purser.');
  const otherwise = scene.varies === true ? await registeredOtherwise(world, step, captures) : undefined;
  const { what, happened } = await playEvent(world, step, captures);
  const expected = !isActor(step) || step.works;
  const { text, moved, answer, page, shown } = happened;
  return {
    entry: { kind: 'event', step: index, what, text, moved, answer, page, shown, varied: otherwise },
    failure: happened.worked === expected ? undefined : `it ${expected ? 'does not work' : 'works'}: ${happened.text}`,
  };
}

/** A call of somebody else than the agent. It must succeed. */
async function meanwhile(
  { tools }: ReplayContext,
  step: MeanwhileStep,
  index: number,
  captures: ReadonlyMap<string, unknown>,
): Promise<Played> {
  const args = filled(step.args, captures) as Values; // values that are filled in are values
  const { isError, text } = await tools.callTool(step.meanwhile, args);
  return {
    entry: {
      kind: 'event',
      step: index,
      what: 'meanwhile',
      text: `Meanwhile, ${step.meanwhile} ${JSON.stringify(args)}.`,
    },
    failure: isError ? `it does not work: ${text}` : undefined,
  };
}

/** Calls a tool and records the observed states before and after. */
export async function call(
  { tools, world, stopwatch: watch }: ReplayContext,
  tool: string,
  args: Values,
  step = -1,
): Promise<CallEntry> {
  const look = async (): Promise<ReadonlyMap<string, string>> => {
    if (world === undefined || effectOf(tool) === 'read') return new Map();
    // A tool that sends nothing changes only what Purser itself recorded.
    const isOwn = platformToolOf(tool) === undefined;
    const rows = await world.ledger.rows(
      isOwn ? 'select id as handle, state from operations' : 'select handle, kind, state, body from observations',
    );
    const now = world.engine.parts.ports.clock.now();
    return new Map(rows.map((row) => [String(row.handle), settledState(row, now)]));
  };
  const before = await look();
  const began = watch?.now();
  const { answer, text, isError } = await tools.callTool(tool, args);
  const took = watch && began !== undefined ? { began, milliseconds: watch.now() - began } : undefined;
  return { kind: 'call', step, tool, args, answer, text, isError, took, before, after: await look() };
}

/**
 * A call, with what Purser says to it with one argument missing or wrong, what it makes of other answers of the platform, and what the
 * platform says to its requests with one field missing or wrong: nothing of that happens in the story.
 */
async function varied(world: World, tool: string, args: Values, make: () => Promise<CallEntry>): Promise<CallEntry> {
  const now = world.engine.parts.ports.clock.now();
  const others = [{ what: 'as it is', body: args }, ...variationsOf(args, now), ...allowedBy(argumentsOf(tool), args)];
  const argued = await world.asked(tool, others);
  const answered = await world.answered(tool, args);
  const [snapshot, first] = [await world.snapshot(), world.wire.sent()];
  const entry = await make();
  const requests = world.wire.requests().slice(first);
  const isKept = platformToolOf(tool)?.input.reference !== undefined && effectOf(tool) !== 'read';
  const repeated = isKept && answerOf(entry).outcome === 'done' ? await world.asked(tool, others) : undefined;
  return {
    ...entry,
    argued,
    answered,
    repeated,
    varied: await world.asIf(
      snapshot,
      requests.flatMap((sent) => variedRequests(sent, now)),
    ),
  };
}

/** What becomes of what the app or the payment system registers with one field missing, wrong or spoiled. */
async function registeredOtherwise(
  world: World,
  step: Step,
  captures: ReadonlyMap<string, unknown>,
): Promise<readonly Varied[] | undefined> {
  if (!('vary' in step) || step.vary !== true || isCall(step)) return undefined;
  const isSession = 'registers' in step;
  const body = filled(isSession ? step.registers : step.posts, captures);
  const others = [...variationsOf(body), ...spoiledOf(body)];
  return world.registered(isSession ? registerShopper : registerReceipt, others);
}

/** A list that has more than one row, with what its pages are. */
async function paged(world: World, entry: CallEntry): Promise<CallEntry> {
  const { properties = {} } = argumentsOf(entry.tool) as { readonly properties?: object };
  const { items } = (answerOf(entry).data ?? {}) as { readonly items?: readonly unknown[] };
  if (!('limit' in properties && 'cursor' in properties) || (items?.length ?? 0) < 2) return entry;
  return { ...entry, paged: await world.paged(entry.tool, entry.args) };
}

/** What the platform says to every change of the story when it is sent again: most things are in another state by then. Nothing of it stays. */
async function sentAgain(world: World): Promise<readonly Varied[]> {
  const changes = world.wire.requests().filter(({ method, path }) => method !== 'GET' && path.startsWith('/'));
  const each = new Map(changes.map((sent) => [`${sent.method} ${sent.path} ${sent.body}`, sent]));
  const requests = [...each.values()].map((sent) => ({
    ...{ sent, what: 'again' },
    body: sent.body === '' ? undefined : JSON.parse(sent.body),
  }));
  return world.asIf(await world.snapshot(), requests);
}

/** A number that is another one for most stories, and always the same for one. */
const numberOf = (id: string): number => Number.parseInt(sha256(id).slice(0, 8), 16);

/** A request's variations: of its body, or where it has none, of its query. */
function variedRequests(sent: Sent, now: number): readonly Instead[] {
  if (!sent.path.startsWith('/')) return []; // a call of the reader's SDK
  if (sent.body !== '') return variationsOf(JSON.parse(sent.body), now).map((variation) => ({ sent, ...variation }));
  const { pathname, search } = new URL(sent.path, 'https://any.test');
  return variationsOf(Object.fromEntries(new URLSearchParams(search)), now).map(({ what, body }) => {
    const query = new URLSearchParams(body as Record<string, string>).toString(); // of texts, as it was
    return { what, body: undefined, sent: { ...sent, asked: query === '' ? pathname : `${pathname}?${query}` } };
  });
}

async function playEvent(
  world: World,
  step: Step,
  captures: ReadonlyMap<string, unknown>,
): Promise<{ readonly what: string; readonly happened: StepResult }> {
  if ('advance' in step) return { what: 'advance', happened: await advance(world, step.advance) };
  if ('fault' in step) return { what: `fault ${step.fault.kind}`, happened: await fault(world, step.fault) };
  if (isPoison(step))
    return {
      what: 'poison',
      happened: await poison(world, filledPath(step.poison, captures), filledText(step.text, captures)),
    };
  const actor = filled(step as unknown as Value, captures) as unknown as ActorStep; // the kind of step that is left
  return { what: `actor ${actor.actor}`, happened: await act(world, actor) };
}

/**
 * Repeats every completed call with a reference, and the last completed call. Returns the state afterwards, which must not differ.
 */
export async function retry(
  scene: ReplayContext & { readonly world: World },
  entries: readonly Entry[],
): Promise<State> {
  const done = entries.filter(
    (entry) => entry.kind === 'call' && effectOf(entry.tool) !== 'read' && answerOf(entry).outcome === 'done',
  ) as readonly CallEntry[]; // the condition says so
  const { world } = scene;
  const rows = await world.ledger.rows("select id from operations where reference <> ''");
  const referenced = new Set(rows.map(({ id }) => String(id)));
  const last = done.at(-1);
  const isSettled = last !== undefined && !isToBeRepeated(last) && !beginsAnew(last);
  const settled = isSettled ? last : undefined;
  for (const entry of done)
    if (entry === settled || referenced.has(answerOf(entry).operation ?? ''))
      await scene.tools.callTool(entry.tool, entry.args);
  return (await world.evidence()).state;
}

/** Whether a call ended in a state that may change without Purser: the same call, made again, asks the platform again. */
const isToBeRepeated = (entry: CallEntry): boolean =>
  platformToolOf(entry.tool)?.reconcile.retryableStates?.includes(String(member(answerOf(entry).data, 'state'))) ??
  false;

/** Whether a call creates a thing without a reference: repeating it creates another one, as its MCP annotation says. */
function beginsAnew({ tool: name }: CallEntry): boolean {
  const tool = platformToolOf(name);
  const trigger = tool === undefined ? undefined : contract[tool.operation].moves?.trigger;
  return tool?.input.reference === undefined && trigger === 'create';
}
