import { randomBytes } from 'node:crypto';
import { type Client, createClient } from '../../../src/client/client.ts';
import type { Platform } from '../../../src/client/platform.ts';
import { createHttpSignature } from '../../../src/client/signing.ts';
import { watchSkew } from '../../../src/client/skew.ts';
import { type RuleId, twofold } from '../../../src/core/rules.ts';
import { Secret } from '../../../src/core/secret.ts';
import { createEngine, type Engine } from '../../../src/engine/engine.ts';
import type { EngineParts } from '../../../src/engine/parts.ts';
import { unlimitedRates } from '../../../src/engine/rate-limiter.ts';
import { type registerReceipt, registerShopper } from '../../../src/engine/register.ts';
import type { EngineSettings, FailPoint } from '../../../src/engine/settings.ts';
import { createFileStore } from '../../../src/files/store.ts';
import { removeFolder, temporaryPath } from '../../../src/files/write.ts';
import { memorySecretStore } from '../../../src/ledger/secret-store.ts';
import { createSandbox, type Snapshot, sandboxSeed } from '../../../src/sandbox/index.ts';
import { tools as agentTools, everyTool } from '../../../tools/index.ts';
import type { Answered, Argued, Paged, Proven, Varied } from '../replay/run.ts';
import type { Variation } from '../replay/variations.ts';
import type { Fixture, Values, WorldSpec } from '../scenario/schema.ts';
import type { Aside } from './aside.ts';
import { countingIds } from './ids.ts';
import { openRewindableLedger, type RewindableLedger, recorded } from './ledger.ts';
import { connectInMemory, type Reaction, type Tools } from './mcp.ts';
import { answeredAside } from './other-answers.ts';
import { askedAside, pagedAside, registeredAside } from './other-arguments.ts';
import { answersAt, type Instead } from './other-requests.ts';
import { createEvents, type PlatformEvents } from './platform-events.ts';
import { type AnchorInMemory, anchorInMemory, editedIn, provenIn } from './proofs.ts';
import { createReader } from './reader.ts';
import { agentCaller, fixtureOf, plainSpec, settingsOf } from './settings.ts';
import { type Evidence, gatherEvidence } from './state.ts';
import { type FillableStorage, fillable } from './storage.ts';
import { createWire, type Wire } from './wire.ts';

// The world of a scenario: a whole Purser in memory, with its sandbox, on a clock that only the scenario moves.

const baseUrl = 'https://sandbox.purser.test';

/** Replaces parts of Purser for a run. Mutants are made with it. */
export type Alter = (parts: EngineParts) => EngineParts;

/** A fresh Purser with its sandbox and ledger, set up from a fixture. */
export interface World {
  readonly engine: Engine;
  /** Purser over MCP, as the agent sees it. */
  readonly tools: Tools;
  readonly wire: Wire;
  readonly ledger: RewindableLedger;
  readonly anchor: AnchorInMemory;
  readonly files: FillableStorage;
  /** Puts the ledger back to what it was before the first step, as a backup does. */
  restoreLedger(): Promise<void>;
  /** Calls the sandbox's control API, which the agent can't. */
  control(method: string, path: string, body?: unknown): Promise<unknown>;
  /** The same for what is done at the card reader; resolves when the calls that waited for it are recorded. */
  atReader(path: string, body: object): Promise<void>;
  /** Posts a payment to a payment link, as a customer's browser does. Returns the HTTP status. */
  pay(link: string, body: object): Promise<number>;
  /** Delivers events to Purser, as the platform does or as somebody who has no key. */
  readonly events: PlatformEvents;
  /** Changes the operator's settings from now on. */
  reconfigure(change: (settings: EngineSettings) => EngineSettings): void;
  /** Sets how the host's user reacts to the next elicitation. Returns false if the host can't ask its user. */
  react(reaction: Reaction): boolean;
  /** Makes the next call of an operation (`*`: of any) end as if the process died at this point. */
  crash(point: FailPoint, operation: string): void;
  /** The operator's settings from the scenario and its fixture, without later changes. */
  readonly configured: EngineSettings;
  /** The evidence before the first step. */
  readonly beginning: Evidence;
  evidence(): Promise<Evidence>;
  /** The platform as it is. */
  snapshot(): Promise<Snapshot>;
  /** What the platform would have said to other requests, each at an earlier moment. Nothing of it stays. */
  asIf(then: Snapshot, requests: readonly Instead[]): Promise<readonly Varied[]>;
  /** What Purser would say now to calls with other arguments. Nothing of it stays. */
  asked(tool: string, argued: readonly Variation[]): Promise<readonly Argued[]>;
  /** What Purser would make of this call now if the platform answered it otherwise. Nothing of it stays. */
  answered(tool: string, args: Values): Promise<readonly Answered[]>;
  /** What would become of other registrations now. Nothing of it stays. */
  registered(
    register: typeof registerShopper | typeof registerReceipt,
    bodies: readonly Variation[],
  ): Promise<readonly Varied[]>;
  /** A list in one page, and in pages of one row. Nothing of it stays. */
  paged(tool: string, args: Values): Promise<Paged>;
  /** What the ledger says of itself, and with a number, what it says to edits of some of its rows, which are taken back. */
  proven(edits?: number): Promise<Proven>;
}

/** Simulates the death of the process. */
class Crash extends Error {
  override readonly name = 'Crash';
}

/** Opens worlds one after another; opening the next one ends the previous one. */
export interface TestHarness {
  open(spec: WorldSpec | undefined, alter?: Alter): Promise<World>;
  close(): Promise<void>;
}

export interface TestHarnessOptions {
  readonly fixture: (name: string) => Fixture;
  readonly version: string;
}

/** Opens one ledger, one sandbox and one MCP connection and reuses them, so that a new world only resets rows. */
export async function openTestHarness({ fixture, version }: TestHarnessOptions): Promise<TestHarness> {
  const rewindable = await openRewindableLedger();
  let wall = Date.parse(plainSpec.now);
  const clock = { now: () => wall };
  /** Rules that the sandbox of the open world enforces in their published variant. */
  const published: RuleId[] = [];
  const events = createEvents(clock);
  const sandbox = createSandbox({ file: ':memory:', clock, frozenAt: wall, published, send: events.send });
  const pristine = await sandbox.world.snapshot();
  const reader = createReader(sandbox);
  const { ids, count, restart } = countingIds();
  const wire = createWire((request) => sandbox.handle(request), sandboxSeed.credentials.secret);
  const folder = temporaryPath(`purser-eval-files-${randomBytes(nameBytes).toString('hex')}`);
  const files = fillable(createFileStore({ folder, clock }));
  const anchor = anchorInMemory();
  const watch = () => watchSkew(wire.platform, { now: () => sandbox.world.now() }, baseUrl);
  let watched = watch();
  const signer = createHttpSignature({
    credentials: { ...sandboxSeed.credentials, sharedSecret: new Secret(sandboxSeed.credentials.secret) },
    clock,
  });
  const clientOf = (platform: Platform): Client =>
    createClient({ platform, baseUrl, signer, agentPrefix: '/acp/v1', clock, version });
  const client = clientOf((request) => watched.platform(request));
  let engine: Engine | undefined;
  const present = (): Engine => {
    if (engine === undefined) throw new Error('A world is open before anybody calls.');
    return engine;
  };
  // MCP server and client are reused: building the tool list costs more than a scenario.
  const facade: Engine = {
    tools: agentTools,
    environment: 'sandbox',
    tenants: [agentCaller.tenant],
    of: (tenant) => {
      present().of(tenant);
      return facade;
    },
    get parts() {
      return present().parts;
    },
    call: (...call) => present().call(...call),
    propose: (...call) => present().propose(...call),
    approvals: (...it) => present().approvals(...it),
    decide: (...it) => present().decide(...it),
    inspect: () => present().inspect(),
    recover: () => present().recover(),
    askReader: (...it) => present().askReader(...it),
    redeem: (...it) => present().redeem(...it),
    receiveDelivery: (...it) => present().receiveDelivery(...it),
    workEvents: () => present().workEvents(),
    settle: () => present().settle(),
    fileChart: (...it) => present().fileChart(...it),
    filePage: (...it) => present().filePage(...it),
    files: (...it) => present().files(...it),
    openFile: (...it) => present().openFile(...it),
    verified: () => present().verified(),
  };

  const control: World['control'] = async (method, path, body) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await sandbox.handle(new Request(`${baseUrl}/sandbox/${path}`, { method, ...sent }));
    const said: unknown = await answer.json();
    if (!answer.ok) throw new Error(`The sandbox refused ${path}: ${JSON.stringify(said)}`);
    return said;
  };
  const pay: World['pay'] = async (link, body) =>
    (await sandbox.handle(new Request(link, { method: 'POST', body: JSON.stringify(body) }))).status;
  let crashes: { readonly point: FailPoint; readonly operation: string }[] = [];
  const failpoint = (point: FailPoint, operation: string): void => {
    const due = crashes.find((it) => it.point === point && (it.operation === operation || it.operation === '*'));
    if (due === undefined) return;
    crashes = crashes.filter((it) => it !== due);
    throw new Crash(`The process dies at ${point}.`);
  };
  const partsOf = (spec: WorldSpec, it: Fixture): EngineParts => ({
    tenant: agentCaller.tenant,
    tools: everyTool,
    client,
    reader: wire.reader(reader.transport),
    files,
    ledger: rewindable.ledger,
    anchor,
    vault: memorySecretStore({ ids }),
    settings: settingsOf(spec, it),
    ports: {
      clock: { now: () => sandbox.world.now() },
      ids,
      skew: () => watched.skew() ?? 0,
      askTime: async () => true,
      // The clock of a story stands still, so nothing is to be waited for.
      pause: async () => undefined,
      failpoint,
    },
  });

  /** Creates what the merchant made outside Purser. It doesn't count as an effect of Purser. */
  const byMerchant = async ({ plans, subscriptions }: Fixture): Promise<void> => {
    if (plans.length + subscriptions.length === 0) return;
    const ids: string[] = [];
    // The client rejects an invalid body.
    for (const body of plans) ids.push((await client.createPlan({ body: body as BodyOf<'createPlan'> })).body.id);
    for (const body of subscriptions) await client.createSubscription({ body: subscribing(body, ids) });
    await sandbox.world.restore({ ...(await sandbox.world.snapshot()), effects: [] });
  };

  /** Marks of the ledger with the evidence at that moment. */
  const marks = new Map<string, { readonly name: string; readonly evidence: Evidence }>();
  /** That of the world that is open. */
  let marked = '';
  const begin = async (spec: WorldSpec, it: Fixture): Promise<Evidence> => {
    const key = JSON.stringify([spec.fixture, spec.seed, spec.now]);
    const known = marks.get(key);
    if (known !== undefined) {
      marked = known.name;
      await rewindable.rewind(known.name);
      await sandbox.world.restore(known.evidence.platform);
      return known.evidence;
    }
    if (marks.size > 0) await rewindable.rewind('empty');
    else await rewindable.mark('empty');
    await sandbox.world.restore(beginning(pristine, spec));
    await control('POST', 'fixtures', { cards: it.cards });
    const parts = partsOf(spec, it);
    for (const [handle, session] of Object.entries(sandboxSeed.shoppers))
      await demand(registerShopper(parts, agentCaller.tenant, { handle, ...session }));
    for (const shopper of it.shoppers) await demand(registerShopper(parts, agentCaller.tenant, shopper));
    await byMerchant(it);
    const name = `mark${marks.size}`;
    await rewindable.mark(name);
    marked = name;
    const evidence = await gatherEvidence(rewindable, await sandbox.world.snapshot());
    marks.set(key, { name, evidence });
    return evidence;
  };

  /** Fixtures that were read; each file is read once. */
  const fixtures = new Map<string, Fixture>();
  const readOnce = (spec: WorldSpec): Fixture => {
    const it = fixtures.get(spec.fixture) ?? fixtureOf(spec, fixture);
    fixtures.set(spec.fixture, it);
    return it;
  };

  let reactions: Reaction[] = [];
  const connections = new Map<boolean, Tools>();
  /** The MCP connection, with or without elicitation. */
  const connected = async (asks: boolean): Promise<Tools> => {
    const user = asks ? () => reactions.shift() ?? 'close' : undefined;
    const tools = connections.get(asks) ?? (await connectInMemory(facade, agentCaller, version, user));
    connections.set(asks, tools);
    return tools;
  };
  return {
    open: async (spec = plainSpec, alter = (parts) => parts) => {
      const it = readOnce(spec);
      wall = Date.parse(spec.now);
      const beginning = await begin(spec, it);
      anchor.reset(await rewindable.ledger.head());
      removeFolder(folder);
      files.reset();
      wire.restart();
      watched = watch();
      crashes = [];
      let parts = alter(partsOf(spec, it));
      const { levels } = parts.settings;
      published.splice(0, published.length, ...twofold.filter((id) => levels[id] === 'published'));
      engine = createEngine(parts);
      reactions = [];
      const tools = await connected(spec.host === 'asks');
      restart(); // connecting uses up ids, and each story starts with the first
      /** Another Purser, whose requests are not those of the story. */
      const aside = (): Aside => ({
        parts: {
          ...parts,
          reader: reader.transport,
          anchor: undefined,
          settings: { ...parts.settings, rates: unlimitedRates },
        },
        ids: () => countingIds(count()).ids,
        ...{ clientOf, caller: agentCaller, rewindable, sandbox },
      });
      return {
        engine: facade,
        tools,
        wire,
        ledger: rewindable,
        anchor,
        files,
        restoreLedger: () => rewindable.rewind(marked),
        control,
        atReader: async (path, body) => {
          await control('POST', path, body);
          await reader.wake();
          await recorded(rewindable);
        },
        pay,
        events: events.between(sandbox, facade),
        reconfigure: (change) => {
          parts = { ...parts, settings: change(parts.settings) };
          engine = createEngine(parts);
        },
        react: (reaction) => spec.host === 'asks' && reactions.push(reaction) > 0,
        crash: (point, operation) => void crashes.push({ point, operation }),
        configured: settingsOf(spec, it),
        beginning,
        evidence: async () => gatherEvidence(rewindable, await sandbox.world.snapshot()),
        snapshot: () => sandbox.world.snapshot(),
        asIf: (then, requests) => answersAt(sandbox, then, requests, signer),
        asked: (tool, argued) => askedAside(aside(), tool, argued),
        answered: (tool, args) => answeredAside(aside(), tool, args),
        registered: (register, bodies) => registeredAside(aside(), register, bodies),
        paged: (tool, args) => pagedAside(aside(), tool, args),
        proven: async (edits) => ({
          ...(await provenIn(rewindable, anchor)),
          edits: edits === undefined ? [] : await editedIn(rewindable, anchor, edits),
        }),
      };
    },
    close: async () => {
      for (const tools of connections.values()) await tools.close();
      await rewindable.ledger.close();
      await sandbox.close();
      removeFolder(folder);
    },
  };
}

/** Bytes of a name that nobody guesses. Own choice. */
const nameBytes = 16;

type BodyOf<N extends 'createPlan' | 'createSubscription'> = Parameters<Client[N]>[0]['body'];

/** A fixture's subscription with the plan's index replaced by its id. */
function subscribing(body: Values, ids: readonly string[]): BodyOf<'createSubscription'> {
  const it = body as BodyOf<'createSubscription'>; // the client rejects an invalid one
  const { planId, ...information } = it.subscriptionInformation;
  return {
    ...it,
    subscriptionInformation: { ...information, ...(planId === undefined ? {} : { planId: ids[Number(planId)] }) },
  };
}

/** A fresh sandbox's documents with this seed and clock. */
function beginning(pristine: Snapshot, { seed, now }: WorldSpec): Snapshot {
  const at = Date.parse(now);
  const changes: Readonly<Record<string, Values>> = {
    origin: { seed, frozenAt: at },
    clock: { runs: false, at },
  };
  return {
    ...pristine,
    documents: pristine.documents.map(({ kind, body }) => ({ kind, body: { ...body, ...changes[kind] } })),
  };
}

async function demand(registered: ReturnType<typeof registerShopper>): Promise<void> {
  const it = await registered;
  if (!it.ok) throw new Error(`A fixture has an invalid shopper: ${JSON.stringify(it.faults)}`);
}
