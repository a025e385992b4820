import { redactor } from '../redaction/redact.ts';
import type { CallEntry, Failure } from '../replay/run.ts';
import type { OpenedTarget, Target } from '../replay/target.ts';
import type { Catalogue } from '../scenario/catalogue.ts';
import { isMeanwhile, type Scenario, type Value, type Values } from '../scenario/schema.ts';
import { type ListedTool, ServerLost, type Tools } from '../world/mcp.ts';
import type { Canary } from '../world/wire.ts';
import { connect, type Server, secretsOf } from './server.ts';
import { marked } from './varying.ts';

/** How one process of a server plays scenario after scenario. */
export interface Kept {
  /** The tool that empties its state before each scenario. Without one, a scenario begins with what the last one left. */
  readonly reset?: string | undefined;
}

/**
 * Instances of an external server: a new one for each scenario, or the same for all. The scenario file declares the rules and how
 * to read the state.
 */
export function serverPlace(server: Server, kept?: Kept): Target {
  let running: Promise<Tools> | undefined;
  const connected = async (): Promise<Tools> => {
    if (kept === undefined) return connect(server);
    running ??= connect(server).then(watched);
    const tools = await running.catch(async (error: unknown) => {
      await forgotten();
      throw error;
    });
    if (kept.reset !== undefined) await emptied(tools, kept.reset, secretsOf(server));
    return kept.reset === undefined ? tools : without(tools, kept.reset);
  };
  const watched = (tools: Tools): Tools => ({
    ...tools,
    callTool: (name, args) =>
      tools.callTool(name, args).catch(async (error: unknown) => {
        await forgotten();
        throw error;
      }),
  });
  /** A kept process that is lost is not asked again: the next scenario has another. */
  const forgotten = async (): Promise<void> => {
    const lost = running;
    running = undefined;
    await lost?.then((tools) => tools.close()).catch(() => undefined); // it may never have begun
  };
  return {
    open: async (scenario) => {
      const tools = await connected();
      return opened(scenario, tools, server, async () => {
        if (kept === undefined) await tools.close();
      });
    },
    close: async () => (await running)?.close(),
  };
}

async function opened(
  scenario: Scenario,
  tools: Tools,
  server: Server,
  close: () => Promise<void>,
): Promise<OpenedTarget> {
  const secrets = secretsOf(server);
  const look = () => observed(scenario, tools, secrets);
  let first: ReturnType<typeof look> | undefined;
  const atFirst = () => {
    first ??= look();
    return first;
  };
  const stages = stagesOf(scenario);
  let made = 0;
  const callTool: Tools['callTool'] = async (name, args) => {
    if (made >= stages) await atFirst();
    made += 1;
    return tools.callTool(name, args);
  };
  try {
    if (stages === 0) await atFirst();
    return {
      context: { tools: { ...tools, callTool } },
      complete: async (run) => {
        const entries = run.entries.map((entry) => (entry.kind === 'call' ? judged(scenario, entry) : entry));
        const before = await atFirst();
        if (before === undefined) return { ...run, secrets, entries };
        const after = (await look()) ?? before;
        const failures = before.failures.length > 0 ? before.failures : after.failures;
        return {
          ...{ ...run, secrets, entries, observed: { before: before.state, after: after.state } },
          failures: [...run.failures, ...failures],
        };
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** How many calls set the stage: what happens by the server's own tools before anybody says or does anything. */
function stagesOf({ steps }: Scenario): number {
  const first = steps.findIndex((step) => !isMeanwhile(step));
  return first === -1 ? steps.length : first;
}

/** What scenarios about a server may name: its tools, and the rules that each file declares. */
export const catalogueOf = async (server: Server): Promise<Catalogue> => catalogueWith(await listedBy(server));

export const catalogueWith = (listed: readonly ListedTool[]): Catalogue => ({
  rules: 'declared',
  tools: new Set(listed.map(({ name }) => name)),
  faults: new Set(),
});

/** The tools that a server lists. */
export async function listedBy(server: Server): Promise<readonly ListedTool[]> {
  const tools = await connect(server);
  try {
    return await tools.listTools();
  } finally {
    await tools.close();
  }
}

interface Observed {
  readonly state: Values;
  /** Collections that could not be read. */
  readonly failures: readonly Failure[];
}

/** Reads the state as the scenario says; undefined where it says nothing. */
async function observed(
  { observe }: Scenario,
  tools: Tools,
  secrets: readonly Canary[],
): Promise<Observed | undefined> {
  if (observe === undefined) return undefined;
  const state: Record<string, Value> = {};
  const failures: Failure[] = [];
  for (const [name, { call, args, varies = [] }] of Object.entries(observe)) {
    const { answer, isError, text } = await tools.callTool(call, args);
    state[name] = isError ? null : (marked(answer, varies) as Value); // it came over JSON
    if (isError) failures.push({ grader: 'state', at: `observe.${name}`, because: failing(call, text, secrets) });
  }
  return { state, failures };
}

/** A tool that is no tool of the agent: a model is not offered it. */
const without = (tools: Tools, tool: string): Tools => ({
  ...tools,
  listTools: async () => (await tools.listTools()).filter(({ name }) => name !== tool),
});

/** Empties the state of a server. Throws ServerLost where that does not work: nothing can be said of it then. */
async function emptied(tools: Tools, tool: string, secrets: readonly Canary[]): Promise<void> {
  const { isError, text } = await tools.callTool(tool, {});
  if (isError) throw new ServerLost(`--reset-tool: ${failing(tool, text, secrets)}`);
}

const failing = (tool: string, text: string, secrets: readonly Canary[]): string =>
  `${tool} answers with an error: ${redactor(secrets)(text)}`;

/** Tells by the words of an error which declared rule refused a call. */
function judged({ declares = {} }: Scenario, entry: CallEntry): CallEntry {
  if (!entry.isError) return entry;
  const rule = Object.keys(declares).find((id) => {
    const words = declares[id]?.refusal;
    return words !== undefined && entry.text.includes(words);
  });
  return rule === undefined ? entry : { ...entry, refusedBy: rule };
}
