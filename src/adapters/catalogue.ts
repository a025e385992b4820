import type { Answer, AnswerApproval } from '../engine/answer.ts';
import { switchedOff } from '../engine/approval-channels.ts';
import { recordDecision } from '../engine/approval-service.ts';
import type { Engine } from '../engine/engine.ts';
import type { DecisionResult } from '../engine/person.ts';
import { listedInput } from '../engine/schema.ts';
import { denied, failed } from '../engine/terminal-answers.ts';
import type { Tool } from '../engine/tool.ts';
import type { Caller } from '../ledger/ledger.ts';
import type { Question } from './approval-question.ts';
import { fromStrict, type JsonSchema, strictSchema, wholeSchema } from './schema.ts';

/** What every adapter takes. */
export interface AdapterOptions {
  /** Only these tools, in the catalogue's order; every tool where nothing is said. A name that no tool has throws. */
  readonly tools?: readonly string[] | undefined;
  /**
   * Shows a person of the host application what waits for approval and answers what that person said; `undefined` where
   * nobody decided. Without it the answer is `needs_approval`, and people decide elsewhere.
   */
  readonly approve?: ((approval: AnswerApproval) => Promise<'approve' | 'deny' | undefined>) | undefined;
  /** Hears what went wrong inside; the model is told only that the outcome is unknown. */
  readonly onFailure?: ((failure: unknown) => void) | undefined;
}

/** A tool as frameworks list it. */
export interface Entry {
  readonly name: string;
  readonly description: string;
  readonly listed: JsonSchema;
  readonly strict: JsonSchema;
}

/** The tools of an engine as a host application offers them. */
export interface Catalogue {
  readonly entries: readonly Entry[];
  /**
   * Makes a call; a tool that is not offered is as unknown as one that never was. Where a person has read and approved a question
   * of the ledger already (`approved`), a call that waits for that very question is approved. Throws UnknownTenant for a tenant
   * that nobody serves, and nothing else.
   */
  call(tool: string, args: unknown, caller: Caller, approved?: Question): Promise<Answer>;
  /** The engine's arguments behind those of a tool's strict schema. */
  read(tool: string, given: unknown): unknown;
}

export function createCatalogue(engine: Engine, options: AdapterOptions): Catalogue {
  const { onFailure = () => undefined } = options;
  const offered = offeredOf(engine, options.tools).map((tool) => ({ ...tool, schema: wholeSchema(tool.inputSchema) }));
  const schemas = new Map<unknown, JsonSchema>(offered.map(({ name, schema }) => [name, schema]));
  demandCounted(engine, options.approve);
  const ask = createQuestion(engine, options.approve, onFailure);

  const call = async (name: string, args: unknown, caller: Caller, approved?: Question): Promise<Answer> => {
    const tool = schemas.has(name) ? name : notOffered;
    const answer = await engine.call(tool, args, caller);
    if (answer.outcome !== 'needs_approval' || answer.approval === undefined) return answer;
    const asked = await ask(answer.approval, caller, approved);
    if (asked === undefined) return answer;
    // What was decided elsewhere meanwhile stands as it was decided: the call itself finds out.
    return asked.verdict === 'deny' ? denied(engine.environment, asked.decided) : engine.call(tool, args, caller);
  };

  const behind = (name: unknown, given: unknown): unknown => {
    const schema = schemas.get(name);
    return schema === undefined ? given : fromStrict(schema, given);
  };
  const read = (name: string, given: unknown): unknown => {
    const args = behind(name, given);
    // The arguments of a call that is previewed are that tool's own.
    return name === 'preview_call' && isCall(args) ? { ...args, arguments: behind(args.tool, args.arguments) } : args;
  };

  return {
    entries: offered.map(({ name, description, inputSchema, schema }) => ({
      ...{ name, description },
      ...{ listed: listedInput(inputSchema), strict: strictSchema(schema) },
    })),
    call: async (name, args, caller, approved) => {
      engine.of(caller.tenant); // a caller of a tenant that nobody serves is the host's mistake, and no answer for a model
      return call(name, args, caller, approved).catch((failure: unknown) => {
        onFailure(failure);
        return failed(engine.environment);
      });
    },
    read,
  };
}

/** No tool has this name. */
const notOffered = '';

function offeredOf({ tools }: Engine, names: readonly string[] | undefined): readonly Tool[] {
  const stranger = names?.find((name) => !tools.some((tool) => tool.name === name));
  if (stranger !== undefined) throw new Error(`There is no tool ${stranger}: correct \`tools\`.`);
  return names === undefined ? tools : tools.filter(({ name }) => names.includes(name));
}

/** Throws where a program asks its user, and the operator has switched such decisions off: nobody would be heard. */
function demandCounted({ parts }: Engine, approve: AdapterOptions['approve']): void {
  if (approve === undefined) return;
  const { channels } = parts.settings;
  if (!channels.includes('program')) throw new Error(switchedOff('program', channels));
}

interface Asked {
  readonly verdict: 'approve' | 'deny';
  readonly decided: DecisionResult;
}

/** Asks the host's person and writes down what they said, once for all calls that wait for the same approval. */
function createQuestion(engine: Engine, approve: AdapterOptions['approve'], onFailure: (failure: unknown) => void) {
  const open = new Map<string, Promise<Asked | undefined>>();

  const put = async (
    approval: AnswerApproval,
    { tenant, principal }: Caller,
    approved: Question | undefined,
  ): Promise<Asked | undefined> => {
    const isRead = approval.id === approved?.id && approval.text === approved.text;
    const hear = async () => (isRead ? 'approve' : approve?.(approval));
    const verdict = await hear().catch(onFailure); // nobody decided, so nothing was sent
    if (verdict !== 'approve' && verdict !== 'deny') return undefined;
    const by = { tenant, approver: `user of ${principal}`, channel: 'program', isAwaited: true } as const;
    return { verdict, decided: await recordDecision(engine.of(tenant).parts, approval.id, verdict, by) };
  };

  return (approval: AnswerApproval, caller: Caller, approved?: Question): Promise<Asked | undefined> => {
    const asked = open.get(approval.id) ?? put(approval, caller, approved).finally(() => open.delete(approval.id));
    open.set(approval.id, asked);
    return asked;
  };
}

const isCall = (args: unknown): args is { readonly tool: unknown; readonly arguments: unknown } =>
  typeof args === 'object' && args !== null && 'tool' in args && 'arguments' in args;
