import { redactor } from '../redaction/redact.ts';
import type { CallEntry } from '../replay/run.ts';
import type { Target } from '../replay/target.ts';
import type { Catalogue } from '../scenario/catalogue.ts';
import { BadScenario } from '../scenario/load.ts';
import type { Scenario, Value, Values } from '../scenario/schema.ts';
import type { ListedTool, Tools } from '../world/mcp.ts';
import type { Canary } from '../world/wire.ts';
import { connect, type Server, secretsOf } from './server.ts';

/** Instances of an external server. The scenario file declares the rules and how to read the state. */
export const serverPlace = (server: Server): Target => ({
  open: async (scenario) => {
    const tools = await connect(server);
    const secrets = secretsOf(server);
    const close = () => tools.close();
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
  },
  close: async () => undefined,
});

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
  for (const [name, { call, args }] of Object.entries(observe)) {
    const { answer, isError, text } = await tools.callTool(call, args);
    if (isError)
      throw new BadScenario('', `observe.${name}`, `${call} answers with an error: ${redactor(secrets)(text)}`);
    state[name] = answer as Value; // it came over JSON
  }
  return state;
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
