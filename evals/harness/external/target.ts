import { redactor } from '../redaction/redact.ts';
import type { CallEntry } from '../replay/run.ts';
import type { OpenedTarget, Target } from '../replay/target.ts';
import type { Catalogue } from '../scenario/catalogue.ts';
import { badScenario } from '../scenario/faults.ts';
import type { Scenario, Value, Values } from '../scenario/schema.ts';
import type { ListedTool, Tools } from '../world/mcp.ts';
import type { Canary } from '../world/wire.ts';
import { connect, type Server, secretsOf } from './server.ts';

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
    if (kept.reset !== undefined) await demanded(tools, kept.reset, {}, secretsOf(server), '--reset-tool');
    return tools;
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
  try {
    const before = await observed(scenario, tools, secrets);
    return {
      context: { tools },
      complete: async (run) => ({
        ...run,
        secrets,
        entries: run.entries.map((entry) => (entry.kind === 'call' ? judged(scenario, entry) : entry)),
        ...(before === undefined
          ? {}
          : { observed: { before, after: (await observed(scenario, tools, secrets)) ?? {} } }),
      }),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
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

/** Reads the state as the scenario says; undefined where it says nothing. */
async function observed({ observe }: Scenario, tools: Tools, secrets: readonly Canary[]): Promise<Values | undefined> {
  if (observe === undefined) return undefined;
  const state: Record<string, Value> = {};
  for (const [name, { call, args }] of Object.entries(observe))
    state[name] = await demanded(tools, call, args, secrets, `observe.${name}`);
  return state;
}

/** The answer to a call that must succeed. */
async function demanded(
  tools: Tools,
  tool: string,
  args: Values,
  secrets: readonly Canary[],
  by: string,
): Promise<Value> {
  const { answer, isError, text } = await tools.callTool(tool, args);
  if (isError) throw badScenario('', [by], `${tool} answers with an error: ${redactor(secrets)(text)}`);
  return answer as Value; // it came over JSON
}

/** Tells by the words of an error which declared rule refused a call. */
function judged({ declares = {} }: Scenario, entry: CallEntry): CallEntry {
  if (!entry.isError) return entry;
  const rule = Object.keys(declares).find((id) => {
    const words = declares[id]?.refusal;
    return words !== undefined && entry.text.includes(words);
  });
  return rule === undefined ? entry : { ...entry, refusedBy: rule };
}
