import { contract } from '../../../src/domains/index.ts';
import { listedInput } from '../../../src/engine/schema.ts';
import type { Tool } from '../../../src/engine/tool.ts';
import { tools, toolsetOf } from '../../../tools/index.ts';
import type { Driver, RunSoFar } from '../replay/replay.ts';
import { answerOf, type CallEntry } from '../replay/run.ts';
import { look } from '../scenario/captures.ts';
import { haltingFaults, ownFaults, purserCatalogue, toolsByOperation } from '../scenario/catalogue.ts';
import { type CallStep, isCall, type Step, type Value, type Values } from '../scenario/schema.ts';
import type { World } from '../world/world.ts';
import type { Random } from './random.ts';

/** Steps of one fuzz run. Own choice: enough for two purchases to interfere. */
const stepsPerRun = 32;

/**
 * Generates random steps: calls, people, time and faults. It reads the tools' schemas, so a new tool is covered without
 * changes. Tools that are `sought` are called more often.
 */
export const fuzzRun = (world: World, random: Random, sought: ReadonlySet<string> = new Set()): Driver =>
  async function* (soFar) {
    const made: CallStep[] = [];
    const seeking = offers.filter((some) => some.some(({ name }) => sought.has(name)));
    const offered = random.pick(seeking.length > 0 ? seeking : offers);
    const asked = new Set<string>();
    let mayComeLate = false;
    for (let count = 0; count < stepsPerRun; count++) {
      const step =
        (await others(world, random, soFar, asked, mayComeLate)) ??
        callOf(random, { offered, sought }, soFar, made, count);
      if (isCall(step)) made.push(step);
      else asked.add(JSON.stringify(step));
      if ('fault' in step && step.fault.kind === 'late-apply') mayComeLate = true;
      yield step;
    }
  };

/** One step in three is not the agent's. */
async function others(
  world: World,
  random: Random,
  soFar: RunSoFar,
  asked: ReadonlySet<string>,
  mayComeLate: boolean,
): Promise<Step | undefined> {
  /** Who has answered is not asked the same again. */
  const once = (step: Step): Step | undefined => (asked.has(JSON.stringify(step)) ? undefined : step);
  const calls = soFar.entries.filter((it) => it.kind === 'call');
  const waiting = named(soFar, calls, (it) => answerOf(it).approval !== undefined && answerOf(it).outcome !== 'done');
  if (waiting.length > 0 && random.chance(35)) {
    const id = `$${waiting.at(-1)}.approval.id`;
    return once(
      random.chance(85)
        ? { actor: 'approver', approves: id, works: true }
        : { actor: 'approver', denies: id, works: true },
    );
  }
  const lost = named(soFar, calls, (it) => answerOf(it).outcome === 'unknown');
  // An operator settles after looking at the platform. An outcome that may still change can't be settled.
  if (lost.length > 0 && !mayComeLate && random.chance(20)) {
    const name = random.pick(lost);
    const happened = await tookEffect(world, String(look(soFar.captures.get(name), ['operation'])));
    return once({ actor: 'operator', settles: `$${name}.operation`, happened, works: true });
  }
  const released = named(soFar, calls, (it) => look(it.answer, ['credentials']) !== undefined);
  if (released.length > 0 && random.chance(25)) return paymentOf(random, random.pick(released), soFar);
  if (random.chance(6)) return { advance: random.pick(durations) };
  if (random.chance(8)) return faultOf(random);
  const cards = named(soFar, calls, (it) => look(it.answer, ['state']) === 'PENDING');
  if (cards.length > 0 && random.chance(30)) {
    const name = random.pick(cards);
    const kind = look(soFar.captures.get(name), ['instruction']) === undefined ? 'card' : 'instruction';
    return once({ actor: 'customer', verifies: `$${name}.${kind}`, succeeds: random.chance(80), works: true });
  }
  return undefined;
}

/** Names under which the calls were captured that fulfil a condition. */
const named = (soFar: RunSoFar, calls: readonly CallEntry[], is: (entry: CallEntry) => boolean): readonly string[] =>
  [...soFar.captures].filter(([, answer]) => calls.some((it) => it.answer === answer && is(it))).map(([name]) => name);

/** Whether the platform did what an operation asked for. */
async function tookEffect(world: World, id: string): Promise<boolean> {
  const { operations, platform } = await world.evidence();
  const request = String(operations.find((row) => row.id === id)?.request ?? '');
  return platform.effects.some(({ correlationId }) => correlationId !== '' && request.includes(correlationId));
}

function paymentOf(random: Random, name: string, soFar: RunSoFar): Step {
  const answer = soFar.captures.get(name);
  if (random.chance(30)) return { actor: 'payments', redeems: `$${name}.credentials`, works: true };
  const amount = random.chance(80) ? String(look(answer, ['amount'])) : random.pick(amounts);
  const posts: Values = {
    instruction: `$${name}.instruction`,
    transactionType: random.chance(90) ? 'PURCHASE' : 'REFUND',
    transactionStatus: random.chance(85) ? 'APPROVED' : 'DECLINED',
    amount,
    currency: random.chance(90) ? 'GBP' : 'EUR',
  };
  return { actor: 'payments', posts, works: true };
}

function faultOf(random: Random): Step {
  const asking = tools.filter((tool) => tool.kind === 'platform');
  // A fault that halts all writes would leave nothing to check.
  const kinds = [...purserCatalogue.faults].filter((kind) => !haltingFaults.includes(kind) && kind !== 'oversized');
  const kind = random.pick(kinds);
  const on = random.pick(asking).name;
  const isOwnFault = ownFaults.some((own) => own === kind);
  const isPending = kind === 'pending' && contract[toolsByOperation.operationOf(on)].moves === undefined;
  return { fault: { on, kind: isPending ? '5xx' : kind, ...(isOwnFault ? {} : { times: 1 + random.below(2) }) } };
}

/**
 * The next call: one that was made before, word for word, or a new one. More often than not it is one that an answer led to and
 * that has not been done yet.
 */
function callOf(
  random: Random,
  { offered, sought }: { readonly offered: readonly Tool[]; readonly sought: ReadonlySet<string> },
  soFar: RunSoFar,
  made: readonly CallStep[],
  count: number,
): CallStep {
  const callTo = (tool: Tool) => ({ call: tool.name, args: argsOf(tool, random, soFar), as: `call${count}` });
  const answered = (it: CallStep, member: string) => look(soFar.captures.get(it.as ?? ''), [member]);
  const ended = new Set(made.filter((it) => answered(it, 'outcome') === 'done').map(textOf));
  const pending = made.filter((it) => answered(it, 'approval') !== undefined && !ended.has(textOf(it)));
  if (pending.length > 0 && random.chance(35)) return { ...random.pick(pending), as: `call${count}` };
  if (made.length > 0 && random.chance(8)) return { ...random.pick(made), as: `call${count}` };
  const able = offered.filter((tool) => random.chance(2) || isAble(tool, soFar));
  const wanted = able.filter(({ name }) => sought.has(name));
  if (wanted.length > 0 && random.chance(50)) return callTo(random.pick(wanted));
  const next = soFar.entries.slice(-lately).flatMap((it) => (it.kind === 'call' ? (answerOf(it).next ?? []) : []));
  const leading = able.filter(({ name }) => next.includes(name));
  const undone = leading.filter(({ name }) => !made.some((it) => it.call === name && ended.has(textOf(it))));
  const led = undone.length > 0 && random.chance(50) ? undone : leading;
  const writes = able.filter((tool) => tool.kind === 'platform');
  return callTo(random.pick(led.length > 0 && random.chance(75) ? led : random.chance(80) ? writes : able));
}

/** What makes a call the same call. */
const textOf = ({ call, args }: CallStep): string => JSON.stringify([call, args]);

/** The tools of one run: those of one domain and the shared ones, or all of them. */
const offers: readonly (readonly Tool[])[] = [
  ...[...new Set(tools.map(toolsetOf))]
    .filter((toolset) => toolset !== undefined)
    .map((own) => tools.filter((tool) => [undefined, own].includes(toolsetOf(tool)))),
  tools,
];

/** Entries whose way out is still followed. */
const lately = 4;

/** Whether there is something to name wherever a tool demands a handle. */
const isAble = (tool: Tool, soFar: RunSoFar): boolean =>
  tool.kind === 'local' ||
  (schemaOf(tool).required ?? []).every((name) => tool.input.args[name]?.kind === undefined || isKnown(name, soFar));

const isKnown = (name: string, soFar: RunSoFar): boolean =>
  pools[name] !== undefined || learnedAs(name, soFar).length > 0;

/** References to values of earlier answers under a name. */
const learnedAs = (name: string, { captures }: RunSoFar): readonly string[] =>
  [...captures].flatMap(([capture, answer]) =>
    [[name], ['items', '0', name]]
      .filter((path) => typeof look(answer, path) === 'string')
      .map((path) => [`$${capture}`, ...path].join('.')),
  );

interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly Value[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

const schemas = new Map<string, Schema>();
function schemaOf(tool: Tool): Schema {
  const known = schemas.get(tool.name) ?? (listedInput(tool.inputSchema) as Schema); // a JSON Schema of an object
  schemas.set(tool.name, known);
  return known;
}

function argsOf(tool: Tool, random: Random, soFar: RunSoFar): Values {
  const { properties = {}, required = [] } = schemaOf(tool);
  const isHandle = (name: string) => tool.kind === 'platform' && tool.input.args[name]?.kind !== undefined;
  const likely = (name: string) => isHandle(name) && isKnown(name, soFar);
  // Of arguments that exclude each other usually one is given.
  const { names = [], exactly = false } = tool.kind === 'platform' ? (tool.input.oneOf ?? {}) : {};
  const able = names.filter((name) => !isHandle(name) || likely(name));
  const chosen = exactly && able.length > 0 ? random.pick(able) : undefined;
  const given = Object.entries(properties).filter(([name]) =>
    random.chance(required.includes(name) || name === chosen ? 99 : names.includes(name) ? 3 : likely(name) ? 60 : 6),
  );
  return Object.fromEntries(
    given.map(([name, schema]) => [
      name,
      random.chance(1) ? random.pick(hostile) : valueFor(name, schema, random, soFar),
    ]),
  );
}

/** A value for an argument, usually of the right kind, so that runs get past validation. */
function valueFor(name: string, schema: Schema, random: Random, soFar: RunSoFar): Value {
  if (schema.properties !== undefined) {
    const members = Object.entries(schema.properties).filter(
      ([it]) => schema.required?.includes(it) ?? random.chance(50),
    );
    return Object.fromEntries(members.map(([it, inner]) => [it, valueFor(it, inner, random, soFar)]));
  }
  if (schema.enum !== undefined) return random.pick(schema.enum);
  const pool = pools[name];
  const learned = learnedAs(name, soFar);
  if (learned.length > 0 && (pool === undefined || random.chance(40))) return random.pick(learned);
  if (pool !== undefined) return random.pick(pool);
  if (schema.type === 'integer' || schema.type === 'number') return 1 + random.below(20);
  if (schema.type === 'boolean') return random.chance(50);
  if (schema.type === 'object') return {};
  if (schema.type === 'array') return schema.items ? [valueFor(name, schema.items, random, soFar)] : [];
  const formatted = formats[schema.format ?? ''];
  if (formatted !== undefined) return random.pick(formatted);
  return random.pick(texts);
}

/** Values by the format of a text. */
const formats: Readonly<Record<string, readonly Value[]>> = {
  email: ['ada@shopper.example', 'bo@shopper.example'],
  date: ['2026-01-15', '2026-01-31', '2026-03-01', '2025-01-01'],
};
const oddAmounts = ['0.01', '40.00', '40.01', '0', '12.345', '4000.00'] as const;
const amounts = ['10.00', '10.00', '10.00', '25.00', '25.00', ...oddAmounts] as const;
/** Values by the name of an argument. */
const pools: Readonly<Record<string, readonly Value[]>> = {
  amount: amounts,
  total: amounts,
  currency: ['GBP', 'GBP', 'GBP', 'GBP', 'GBP', 'GBP', 'GBP', 'EUR', 'JPY'],
  until: [
    '2026-01-15T12:00:00Z',
    '2026-01-16T09:00:00Z',
    '2026-01-15T09:05:00Z',
    '2026-03-01T00:00:00Z',
    '2025-01-01T00:00:00Z',
  ],
  reference: ['order-1', 'order-2', 'order-3'],
  start: ['2026-01-15T09:00:00Z', '2026-01-15T09:00:00Z', '2026-01-20T09:00:00Z', '2025-01-01T00:00:00Z'],
  payment: ['earlier-payment-0001', 'earlier-payment-0002', 'no-payment'],
  description: ['Headphones', 'A cable'],
  option: ['option_1', 'option_2', 'option_4'],
  code: [1, 1, 2],
  card: ['card_ada', 'card_ada', 'card_bo', 'card_eve', 'card_eve_travel'],
  shopper: ['shopper_ada', 'shopper_bo', 'shopper_eve'],
  tool: tools.map(({ name }) => name),
};
const texts = ['Headphones', 'Harbour Audio', 'x'] as const;
const durations = ['PT1S', 'PT5M', 'PT11M', 'PT2H', 'P1D', 'P31D'] as const;
/** Invalid values. */
const hostile: readonly Value[] = [
  '4000 0000 0000 0002',
  'card_nobody',
  -1,
  null,
  { $ne: '' },
  'a\u200bb',
  '../../etc',
];
