import { tools as allTools } from '../../tools/index.ts';
import type { Progress } from '../core/outcome.ts';
import type { Answer, AnswerApproval } from '../engine/answer.ts';
import { switchedOff } from '../engine/approval-channels.ts';
import { didYouMean } from '../engine/closest-name.ts';
import { engineOf } from '../engine/demand-caller.ts';
import type { Engine } from '../engine/engine.ts';
import { wordsOf } from '../engine/listed-words.ts';
import type { DecisionResult } from '../engine/person.ts';
import { listedInput } from '../engine/schema.ts';
import { denied, failed } from '../engine/terminal-answers.ts';
import { isReadOnly, type Tool } from '../engine/tool.ts';
import type { Caller } from '../ledger/ledger.ts';
import { type Question, userOf } from './approval-question.ts';
import { fromStrict, type JsonSchema, strictSchema, wholeSchema } from './schema.ts';

/** Options of every adapter. */
export interface AdapterOptions {
  /** Only these tools, in the catalogue's order; by default all. An unknown name throws. */
  readonly tools?: readonly string[] | undefined;
  /**
   * Shows a waiting approval to a person of the host application and returns their decision; `undefined` if there is
   * none. Without this option the result is `needs_approval`, and people decide elsewhere.
   */
  readonly approve?: ((approval: AnswerApproval) => Promise<'approve' | 'deny' | undefined>) | undefined;
  /** Receives the progress of calls that wait for a person, with the tool's name. */
  readonly onProgress?: ((progress: Progress, tool: string) => void) | undefined;
  /** Receives internal failures; the model learns only that there was one. */
  readonly onFailure?: ((failure: unknown) => void) | undefined;
}

/** Options of one call. */
export interface CallOptions {
  /** A question that a person has already approved: a call that waits for this question is approved. */
  readonly approved?: Question | undefined;
  /** Cancels the call if possible: before it is sent, and afterwards if its transport can cancel. */
  readonly signal?: AbortSignal | undefined;
}

/** A tool in a framework's list. */
export interface Entry {
  readonly name: string;
  readonly description: string;
  readonly listed: JsonSchema;
  readonly strict: JsonSchema;
}

/** The engine's tools as a host application offers them. */
export interface Catalogue {
  readonly entries: readonly Entry[];
  /** Makes a call. A tool that is not offered is unknown. Throws only UnknownTenant and InvalidCaller. */
  call(tool: string, args: unknown, caller: Caller, more?: CallOptions): Promise<Answer>;
  /** Converts arguments from a tool's strict schema to the engine's. */
  read(tool: string, given: unknown): unknown;
}

/** The engine's tools as one adapter offers them; `more` are the names of options that it has besides those of all. */
export function createCatalogue(engine: Engine, options: AdapterOptions, more: readonly string[] = []): Catalogue {
  demandKnown(options, more);
  const { onFailure = () => undefined, onProgress } = options;
  const offered = offeredOf(engine, options.tools);
  const schemas = new Map<unknown, JsonSchema>(offered.map((tool) => [tool.name, schemasOf(tool).whole]));
  const words = wordsOf(offered, allTools);
  const reads = new Set(offered.filter(isReadOnly).map(({ name }) => name));
  demandCounted(engine, options.approve);
  const ask = createQuestion(engine, options.approve, onFailure);
  // An exception in the host's callback must not end a call that was sent.
  const report = (progress: Progress, tool: string): void => {
    try {
      onProgress?.(progress, tool);
    } catch (failure) {
      onFailure(failure);
    }
  };

  const call = async (
    name: string,
    args: unknown,
    caller: Caller,
    { approved, signal }: CallOptions,
  ): Promise<Answer> => {
    const tool = schemas.has(name) ? name : notOffered;
    const watch = { signal, onProgress: (progress: Progress) => report(progress, name) };
    const answer = await engine.call(tool, args, caller, watch);
    if (answer.outcome !== 'needs_approval' || answer.approval === undefined) return answer;
    const asked = await ask(answer.approval, caller, approved);
    if (asked === undefined) return answer;
    // If it was decided elsewhere, that decision counts: the call itself finds out.
    return asked.verdict === 'deny'
      ? denied(engine.environment, asked.decided)
      : engine.call(tool, args, caller, watch);
  };

  const behind = (name: unknown, given: unknown): unknown => {
    const schema = schemas.get(name);
    return schema === undefined ? given : fromStrict(schema, given);
  };
  const read = (name: string, given: unknown): unknown => {
    const args = behind(name, given);
    // The previewed call's arguments follow its own tool's schema.
    return name === 'preview_call' && isCall(args) ? { ...args, arguments: behind(args.tool, args.arguments) } : args;
  };

  return {
    entries: offered.map((tool) => {
      const { description, input } = words(tool);
      return {
        ...{ name: tool.name, description },
        ...{
          listed: input(({ inputSchema }) => listedInput(inputSchema)),
          strict: input((it) => schemasOf(it).strict),
        },
      };
    }),
    call: async (name, args, caller, more = {}) => {
      engineOf(engine, caller); // an unknown tenant or a nameless principal is the host's mistake, not a result for the model
      return call(name, args, caller, more).catch((failure: unknown) => {
        onFailure(failure);
        return failed(engine.environment, reads.has(name));
      });
    },
    read,
  };
}

/** Worked out once: a host that makes its tools for each caller asks for the same ones again. */
const known = new WeakMap<Tool['inputSchema'], { readonly whole: JsonSchema; readonly strict: JsonSchema }>();

function schemasOf({ inputSchema }: Tool) {
  const found = known.get(inputSchema);
  if (found !== undefined) return found;
  const whole = wholeSchema(inputSchema);
  const made = { whole, strict: strictSchema(whole) };
  known.set(inputSchema, made);
  return made;
}

/** Throws for an option that no adapter has: a misspelled one would offer every tool, or ask nobody. */
function demandKnown(options: AdapterOptions, more: readonly string[]): void {
  const known: readonly string[] = [...ofAll, ...more];
  const stranger = Object.keys(options).find((name) => !known.includes(name));
  if (stranger !== undefined)
    throw new Error(`There is no option ${stranger}${didYouMean(stranger, known)}; there are ${known.join(', ')}.`);
}

const ofAll = ['tools', 'approve', 'onProgress', 'onFailure'] as const satisfies readonly (keyof AdapterOptions)[];

/** A name that no tool has. */
const notOffered = '';

function offeredOf({ tools }: Engine, names: readonly string[] | undefined): readonly Tool[] {
  if (names !== undefined && !Array.isArray(names)) throw new Error('`tools` must be a list of names.');
  const stranger = names?.find((name) => !tools.some((tool) => tool.name === name));
  if (stranger !== undefined) throw new Error(`There is no tool ${stranger}: correct \`tools\`.`);
  return names === undefined ? tools : tools.filter(({ name }) => names.includes(name));
}

/** Throws if a program asks its user but the operator has switched such decisions off: none would count. */
function demandCounted({ parts }: Engine, approve: AdapterOptions['approve']): void {
  if (approve === undefined) return;
  const { channels } = parts.settings;
  if (!channels.includes('program')) throw new Error(switchedOff('program', channels));
}

interface Asked {
  readonly verdict: 'approve' | 'deny';
  readonly decided: DecisionResult;
}

const undecided = "`approve` must answer 'approve' or 'deny', or undefined if nobody decides: this decides nothing.";

/** Asks the host's person and records the decision, once for all calls that wait for the same approval. */
function createQuestion(engine: Engine, approve: AdapterOptions['approve'], onFailure: (failure: unknown) => void) {
  const open = new Map<string, Promise<Asked | undefined>>();

  const put = async (
    approval: AnswerApproval,
    caller: Caller,
    approved: Question | undefined,
  ): Promise<Asked | undefined> => {
    const isRead = approval.id === approved?.id && approval.text === approved.text;
    const hear = async () => (isRead ? 'approve' : approve?.(approval));
    const verdict = await hear().catch((failure: unknown) => void onFailure(failure)); // no decision, so nothing was sent
    if (verdict !== 'approve' && verdict !== 'deny') {
      if (verdict !== undefined && verdict !== null) onFailure(new Error(undecided));
      return undefined;
    }
    return { verdict, decided: await engine.decide(approval.id, verdict, userOf(caller)) };
  };

  return (approval: AnswerApproval, caller: Caller, approved?: Question): Promise<Asked | undefined> => {
    const asked = open.get(approval.id) ?? put(approval, caller, approved).finally(() => open.delete(approval.id));
    open.set(approval.id, asked);
    return asked;
  };
}

const isCall = (args: unknown): args is { readonly tool: unknown; readonly arguments: unknown } =>
  typeof args === 'object' && args !== null && 'tool' in args && 'arguments' in args;
