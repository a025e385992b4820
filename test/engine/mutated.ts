import type { Json, JsonObject } from '../../src/core/canonical-json.ts';
import { canonicalJson } from '../../src/core/canonical-json.ts';
import type { Facts } from '../../src/domains/facts.ts';
import type { Answer } from '../../src/engine/answer.ts';
import { recordDecision } from '../../src/engine/approval-service.ts';
import { createEngine, type Engine } from '../../src/engine/engine.ts';
import { evaluate } from '../../src/engine/evaluate.ts';
import { gatherFacts } from '../../src/engine/gather-facts.ts';
import { UnknownTenant } from '../../src/engine/unknown-tenant.ts';
import type { Caller } from '../../src/ledger/ledger.ts';
import type { ObservationRow } from '../../src/ledger/rows.ts';
import { type Found, tally } from '../support/found.ts';
import { type Numbers, numbers } from '../support/numbers.ts';
import { agent, begins, change, openWorld, order, payment, person, type Said, type World } from './support.ts';

// Commits that are not what a person approved (P5): between the yes and the sending one thing is changed at random. What
// then goes out, if anything does, is held against what went out for the same approval when nothing was changed.

/** A call that is proposed. */
interface Proposal {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A call that a person has said yes to, and the request that goes out for it. */
interface Approved extends Proposal {
  readonly asked: Said;
  readonly wanted: string;
}

interface Stage {
  readonly world: World;
  /** Requests that went out since the last look, without what each sending makes afresh. */
  readonly sent: string[];
  readonly caller: Caller;
  /** While it is true the platform is not there: what would go out is looked at alone. */
  dry: boolean;
  /** A purchase that is open, with its one release used up. */
  readonly instruction: string;
  next: number;
}

const kinds = ['arguments', 'thing', 'merchant', 'principal', 'tenant', 'expiry', 'proposal', 'nothing'] as const;
type Kind = (typeof kinds)[number];

/** Most commits have other arguments, in which there is most to change; the others end an approval sooner or later. */
const often: readonly Kind[] = [...kinds, ...kinds, ...Array<Kind>(24).fill('arguments')];

/** Kinds of changes after which nothing at all may go out. */
const neverSent: readonly Kind[] = ['arguments', 'principal', 'tenant', 'expiry'];
const commitsPerWorld = 200;

/** Tries so many commits. A finding is a request that went out and was not approved, or an approval that no longer holds. */
export async function mutated(commits: number, seed: number): Promise<Found> {
  const it = tally();
  const random = numbers(seed);
  for (let made = 0; made < commits; ) {
    const stage = await open(made);
    for (const last = Math.min(commits, made + commitsPerWorld); made < last; ) {
      const approved = await approve(stage, random);
      if (approved === undefined) continue; // a wider mandate has allowed this release already
      // A commit that is refused uses nothing up: one approval is tried again and again for as long as it holds.
      for (let tries = 1; made < last; tries++) {
        const kind = made === 0 ? 'nothing' : random.of(often);
        const ended = await commit(stage, approved, kind, random);
        made++;
        if (ended === undefined) break;
        const { outcome, sent, what } = ended;
        const says = `${approved.tool}, ${kind} ${what} (seed ${seed}, commit ${made}, try ${tries}): ${outcome}`;
        it.count('commits');
        it.count(`${kind}: ${sent.length === 0 ? 'nothing sent' : 'sent as approved'}`);
        if (sent.length > 1) it.find(`${says}, sent ${sent.length} times.`);
        if (sent.length > 0 && neverSent.includes(kind)) it.find(`${says}, and was sent.`);
        if (sent.some((one) => one !== approved.wanted))
          it.find(`${says}, sent ${apart(sent[0] ?? '', approved.wanted)}`);
        if (kind === 'nothing' && sent.length !== 1) it.find(`${says}, though nothing was changed.`);
        if (!ended.holds || kind === 'expiry') break;
      }
      await withdraw(stage, approved);
    }
    await stage.world.running.close();
  }
  return it.found();
}

async function open(number: number): Promise<Stage> {
  const sent: string[] = [];
  const look = { dry: false };
  const world = await openWorld({
    replace: {
      platform: (real) => async (request) => {
        sent.push(`${request.method} ${new URL(request.url).pathname} ${lasting(await request.clone().text())}`);
        return look.dry ? new Response(null, { status: 503 }) : real(request);
      },
    },
  });
  await world.call('enroll_card', { card: 'card_ada' });
  const args = order({ reference: `first-${number}` });
  const { instruction } = (await world.through('initiate_purchase', args)).data;
  await world.call('retrieve_credentials', payment(instruction));
  return Object.assign(look, { world, sent, caller: agent, instruction, next: 0 });
}

/** A request's body in canonical form, without the identifiers that every sending has of its own. */
function lasting(body: string): string {
  if (body === '') return '';
  const { clientCorrelationId, ...rest } = JSON.parse(body) as JsonObject; // as every request of the platform
  return canonicalJson({ ...rest, made: typeof clientCorrelationId }).replace(
    /"mandateId":"[^"]*"/g,
    '"mandateId":"made"',
  );
}

function proposal(stage: Stage, random: Numbers): Proposal {
  const number = stage.next++;
  const pence = 1_000 + random(9_000);
  const amount = `${Math.floor(pence / 100)}.${String(pence % 100).padStart(2, '0')}`;
  const { instruction } = stage;
  return random.of<() => Proposal>([
    () => ({
      tool: 'initiate_purchase',
      args: order({ reference: `order-${number}`, limit: { amount, currency: 'GBP' }, description: `Thing ${number}` }),
    }),
    () => ({
      tool: 'update_purchase',
      args: change(instruction, {
        limit: { amount: `${500 + number}.00`, currency: 'GBP' },
        description: `Thing ${number}`,
      }),
    }),
    () => ({
      tool: 'retrieve_credentials',
      args: payment(instruction, { reference: `payment-${number}`, amount: '10.00', shipping: '1.00' }),
    }),
  ])();
}

/** Where two requests part, and a little of each. */
function apart(sent: string, wanted: string): string {
  const at = [...sent].findIndex((letter, index) => letter !== wanted[index]);
  const some = (text: string) => text.slice(Math.max(0, at - 30), at + 40);
  return `…${some(sent)}… in the place of …${some(wanted)}…`;
}

/** Proposes a call and has a person approve it; undefined if nobody need be asked. */
async function approve(stage: Stage, random: Numbers): Promise<Approved | undefined> {
  const { engine } = stage.world.running;
  const { tool, args } = proposal(stage, random);
  const asked = (await engine.call(tool, args, stage.caller)) as Said;
  if (asked.approval === undefined) return undefined;
  await recordDecision(engine.parts, asked.approval.id, 'approve', person);
  return { tool, args, asked, wanted: await approvedRequest(stage, tool, args) };
}

/** Whether the yes is still there to be used: neither used up nor replaced by a question that was asked anew. */
const holds = ({ world }: Stage, { asked }: Approved): Promise<boolean> =>
  world.parts.ledger.transaction(
    agent.tenant,
    async (tx) => (await tx.approvals.find(asked.approval?.id ?? ''))?.state === 'APPROVED',
  );

/** Takes back what is left of a yes. */
const withdraw = ({ world }: Stage, { asked }: Approved) =>
  recordDecision(world.parts, asked.approval?.id ?? '', 'deny', person);

/** Changes something, makes the call again, and changes it back. */
async function commit(stage: Stage, approved: Approved, kind: Kind, random: Numbers) {
  stage.sent.length = 0;
  const undo: (() => Promise<unknown>)[] = [];
  const { call, what } = await changed(stage, approved, kind, random, undo);
  // Where a person was asked only because text from outside was read, and that is long ago by now, nobody is asked any more.
  if (kind === 'expiry' && (await judged(stage, approved.tool, approved.args)).approval === undefined) return undefined;
  const outcome = await call().then(
    (answer) => (answer as Said).outcome,
    (error: unknown) => (error instanceof Error ? error.name : 'threw'),
  );
  const sent = [...stage.sent];
  for (const one of undo.toReversed()) await one();
  return { outcome, sent, what, holds: await holds(stage, approved) };
}

/** How the engine judges a call now. Changes nothing. */
async function judged(stage: Stage, name: string, args: object) {
  const { parts } = stage.world.running.engine;
  const tool = parts.tools.find((it) => it.name === name);
  if (tool?.kind !== 'platform') throw new Error(`${name} is a tool of the platform.`);
  return parts.ledger.transaction(stage.caller.tenant, async (tx) => {
    const facts = await gatherFacts(tool, args as Facts['args'], tx, parts.settings, parts.ports);
    return { ...(await evaluate(parts, tx, tool, facts, stage.caller)), operation: tool.operation };
  });
}

/** What goes out if nothing is changed: the request of the same judgement, put on a wire that leads nowhere. */
async function approvedRequest(stage: Stage, name: string, args: object): Promise<string> {
  const { request, operation } = await judged(stage, name, args);
  stage.dry = true;
  stage.sent.length = 0;
  const call = stage.world.parts.client[operation] as (input: object) => Promise<unknown>; // its input is the judged one
  await call({ ...request.names, body: request.body }).catch(() => undefined);
  stage.dry = false;
  return stage.sent.pop() ?? 'nothing';
}

/** A tenant that nobody serves is refused before anything is looked up. */
const refusedUnread = (call: Promise<Answer>): Promise<Answer> =>
  call.catch((error: unknown) => {
    if (!(error instanceof UnknownTenant)) throw error;
    return { outcome: 'refused', environment: 'sandbox', said: error.message, next: [] };
  });

type Change = { readonly call: () => Promise<unknown>; readonly what: string };

async function changed(
  stage: Stage,
  { tool, args, asked }: Approved,
  kind: Kind,
  random: Numbers,
  undo: (() => Promise<unknown>)[],
): Promise<Change> {
  const { world, caller } = stage;
  const { engine } = world.running;
  const plain = () => engine.call(tool, args, caller);
  const as = (other: Caller, what: string): Change => ({ call: () => engine.call(tool, args, other), what });
  switch (kind) {
    case 'nothing':
      return { call: plain, what: '' };
    case 'arguments': {
      const { value, what } = mutate(args as JsonObject, random);
      return { call: () => engine.call(tool, value, caller), what };
    }
    case 'principal':
      return as({ ...caller, principal: random.of(['agent2', 'Agent', 'agent ', '', 'ann', 'default']) }, '');
    case 'tenant':
      return {
        call: async () => {
          const tenant = random.of(['other', 'Default', 'default ', 'shop']);
          return refusedUnread(engine.call(tool, args, { ...caller, tenant }));
        },
        what: '',
      };
    case 'expiry': {
      const seconds = random.of([600, 601, 3_600]);
      await world.advance(seconds);
      return { call: plain, what: `${seconds} s` };
    }
    case 'merchant': {
      const { settings } = engine.parts;
      const { value, what } = mutate(settings.merchant as unknown as JsonObject, random);
      const other: Engine = createEngine({
        ...engine.parts,
        settings: { ...settings, merchant: value as unknown as typeof settings.merchant },
      });
      return { call: () => other.call(tool, args, caller), what };
    }
    case 'proposal': {
      const what = await tamperProposal(stage, asked, random);
      return { call: plain, what };
    }
    case 'thing': {
      const handle = random.of(['shopper_ada', 'card_ada', stage.instruction]);
      const was = await world.thing(handle);
      const { value, what } = mutate(was.body, random);
      await put(world, handle, value as JsonObject);
      undo.push(() => put(world, handle, was.body));
      return { call: plain, what: `${handle} ${what}` };
    }
  }
}

async function put(world: World, handle: string, body: JsonObject): Promise<ObservationRow | undefined> {
  return world.parts.ledger.transaction('default', async (tx) => {
    const row = await tx.observations.find(handle);
    return row && tx.observations.update(row, { body }, begins);
  });
}

/** Columns of what was proposed and approved that the ledger must not let anybody change. */
async function tamperProposal({ world }: Stage, asked: Said, random: Numbers): Promise<string> {
  const column = random.of(['args', 'argsDigest', 'principal', 'digest', 'text', 'expiresAt'] as const);
  await world.parts.ledger
    .transaction('default', async (tx) => {
      const row = await tx.operations.find(asked.operation ?? '');
      const approval = await tx.approvals.find(asked.approval?.id ?? '');
      if (row === undefined || approval === undefined) throw new Error('What was proposed is there.');
      const value = column === 'expiresAt' ? approval.expiresAt + 600_000 : 'other';
      if (column === 'args' || column === 'argsDigest' || column === 'principal')
        await tx.operations.update(row, { [column]: value });
      else await tx.approvals.update(approval, { [column]: value });
    })
    .then(
      () => Promise.reject(new Error(`The ledger let ${column} of what was approved be changed.`)),
      (error: unknown) => {
        if (error instanceof Error && error.message.startsWith('The ledger let')) throw error;
      },
    );
  return column;
}

/** The same JSON with one member changed, removed or added somewhere. */
export function mutate(value: JsonObject, random: Numbers): { readonly value: Json; readonly what: string } {
  const copy = structuredClone(value) as Record<string, Json>; // JSON
  let at: Record<string, Json> = copy;
  const path: string[] = [];
  for (;;) {
    const names = Object.keys(at);
    if (names.length === 0 || random(12) === 0) {
      at[`more${random(9)}`] = 'x';
      return { value: copy, what: [...path, 'a new member'].join('.') };
    }
    const name = random.of(names);
    path.push(name);
    const member = at[name];
    if (typeof member === 'object' && member !== null && random(8) !== 0) {
      at = member as Record<string, Json>; // arrays have members, too
      continue;
    }
    const other = random(10) === 0 ? undefined : changedLeaf(member, random);
    if (other !== undefined) at[name] = other;
    else if (Array.isArray(at)) at.splice(Number(name), 1);
    else delete at[name];
    return {
      value: copy,
      what: `${path.join('.')}: ${JSON.stringify(member)?.slice(0, 40)} to ${JSON.stringify(other)?.slice(0, 40)}`,
    };
  }
}

function changedLeaf(value: Json | undefined, random: Numbers): Json {
  if (typeof value === 'number') return value + random.of([-1, 1, 0.5, 1_000]);
  if (typeof value === 'boolean') return !value;
  if (typeof value !== 'string') return random.of<Json>(['x', 0, false]);
  const place = random(value.length + 1);
  const letter = random.of([...'0159aZ .-_/éА\u0435']);
  return random.of([
    () => value.slice(0, place) + letter + value.slice(place),
    () => (value === '' ? 'x' : value.slice(0, -1)),
    () => `${value} `,
    () => (value.toUpperCase() === value ? `${value}x` : value.toUpperCase()),
    () => (value.includes('1') ? value.replace('1', '9') : `${value}9`),
    () => (value.endsWith('.00') ? value.slice(0, -1) : `x${value}`),
  ])();
}
