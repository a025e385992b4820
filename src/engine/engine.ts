import { limits } from '../core/limits.ts';
import type { Watch } from '../core/outcome.ts';
import { approval as approvals } from '../core/own-machines.ts';
import type { Redeemer } from '../core/thing.ts';
import type { Caller } from '../ledger/ledger.ts';
import type { VerifiedPosition } from '../ledger/verification.ts';
import type { Answer, AnswerFile } from './answer.ts';
import { listApprovals, recordDecision } from './approval-service.ts';
import { auditLock } from './audit-lock.ts';
import { call } from './call.ts';
import { isCallableBy, toolsByRole } from './callers.ts';
import { demandCaller, demandDecision } from './demand-caller.ts';
import { createEventWorker } from './event-worker.ts';
import { type DeliveryResult, receiveDelivery } from './events.ts';
import { type FilePage, listFiles, type OpenedFile, openFile, readFileChart, readFilePage } from './files.ts';
import type { EngineParts } from './parts.ts';
import type { DecisionResult, Person } from './person.ts';
import { type ApprovalView, approvalView, type ListPage, listPage } from './person-views.ts';
import { createPlatformSlots } from './platform-slots.ts';
import { createRateLimiter } from './rate-limiter.ts';
import { recover, recoverReader } from './recover.ts';
import { redeemSecret } from './redeem.ts';
import { createRefusalLog } from './refusal-log.ts';
import { retryOnConflict } from './retry.ts';
import type { EngineState } from './state.ts';
import type { Tool } from './tool.ts';
import { UnknownTenant } from './unknown-tenant.ts';

/** The engine: every call of every transport. */
export interface Engine {
  /** The tenants with credentials. */
  readonly tenants: readonly string[];
  /** The engine of one tenant. Throws UnknownTenant for any other. */
  of(tenant: string): Engine;
  readonly tools: readonly Tool[];
  readonly environment: string;
  /** Makes a call. Throws UnknownTenant and InvalidCaller, and for faults of Purser or its database; never for an agent's mistakes. */
  call(tool: string, args: unknown, caller: Caller, watch?: Watch): Promise<Answer>;
  /**
   * Requests the approval that a call would need, or answers like the call, but never sends. For hosts that show the
   * question themselves before they make the call.
   */
  propose(tool: string, args: unknown, caller: Caller): Promise<Answer>;
  /** A tenant's approvals, or those in one state, newest first. By default 20. Throws UnknownTenant, and RangeError for a state or limit that there isn't. */
  approvals(tenant: string, page?: ApprovalsPage): Promise<ListPage<ApprovalView>>;
  /**
   * Records what a person decided about an approval: once, before it expires, through a channel that counts. Sends
   * nothing: an approved call is made when its agent makes it again. Throws UnknownTenant, InvalidCaller for an approver
   * without a name, and TypeError for a decision or channel that there isn't.
   */
  decide(
    approval: string,
    verdict: 'approve' | 'deny',
    by: Person,
  ): Promise<DecisionResult<{ readonly approval: ApprovalView }>>;
  /** Verifies the audit chain; a fault refuses later calls. Throws if the ledger can't be read. */
  inspect(): Promise<void>;
  /** Ends what a crash or a fault left behind, in the same slots as calls. Answers how many operations were marked unknown. */
  recover(): Promise<number>;
  /** A tenant's card reader has connected: asks it at once what became of the calls that were lost. */
  askReader(tenant: string): Promise<void>;
  /** Returns the secret behind a handle, once, to whom it is for (by default the merchant's app); undefined if there is none. Throws Refused while frozen. */
  redeem(tenant: string, handle: string, by?: Redeemer): Promise<unknown>;
  /** Stores the events of a delivery whose signature was checked: its body. They are worked on by `workEvents`. */
  receiveDelivery(tenant: string, body: string): Promise<DeliveryResult>;
  /** Reads what stored events are about. The events themselves are never believed. Resolves once none is due. */
  workEvents(): Promise<void>;
  /** A page of a file from one of this caller's calls; undefined if there is none. Throws Refused. */
  filePage(caller: Caller, handle: string, page: number): Promise<FilePage | undefined>;
  /** The sums by day of a file from one of this caller's calls, as a chart in SVG; undefined if there is none. Throws Refused. */
  fileChart(caller: Caller, handle: string): Promise<string | undefined>;
  /** A caller's files that have not expired, newest first. */
  files(caller: Caller): Promise<readonly AnswerFile[]>;
  /** A whole file of a tenant, for the merchant's own systems; undefined if there is none. */
  openFile(tenant: string, handle: string): Promise<OpenedFile | undefined>;
  /** Writes pending counts to the audit. Call it before closing the ledger. */
  settle(): Promise<void>;
  /** The verified position of the audit chain; undefined while it is broken or unverified. */
  verified(): VerifiedPosition | undefined;
  readonly parts: EngineParts;
}

export interface ApprovalsPage {
  readonly state?: string | undefined;
  readonly limit?: number | undefined;
  /** `more` of the page before. */
  readonly cursor?: string | undefined;
}

/** Throws for a state that no approval has: the list would be empty, and nobody would see what waits. */
function demandPage(state: string | undefined, limit: number): void {
  if (state !== undefined && !approvals.existing.includes(state))
    throw new RangeError(`No approval is in the state ${state}; there are ${approvals.existing.join(', ')}.`);
  if (!Number.isInteger(limit) || limit < 1 || limit > limits.pageRowsMost)
    throw new RangeError(`\`limit\` must be from 1 to ${limits.pageRowsMost}.`);
}

/** Creates the engine of one tenant. */
export function createEngine(parts: EngineParts): Engine {
  const { settings, ports } = parts;
  const offered = (parts.offered ?? parts.tools).filter((tool) => isCallableBy(tool, 'agent'));
  const state: EngineState = {
    parts,
    toolFor: toolsByRole(parts.tools, offered, settings.hasOperatorCalls === true),
    offered: new Map(offered.map((tool) => [tool.name, tool])),
    tools: new Map(parts.tools.map((tool) => [tool.name, tool])),
    rateLimiter: createRateLimiter(settings.rates, ports.clock),
    slots: createPlatformSlots(settings.platformLimits, ports.clock),
    audit: auditLock(parts),
    refusals: createRefusalLog(parts),
    ownTexts: new Set(),
    underWay: new Map(),
    inFlight: new Set(),
    progress: new Map(),
  };
  const { audit, refusals, slots, inFlight } = state;
  const events = createEventWorker(state);
  const demandOwn = (tenant: string): void => {
    if (tenant !== parts.tenant) throw new UnknownTenant();
  };
  const demandKnown = (caller: Caller): void => {
    demandCaller(caller);
    demandOwn(caller.tenant);
  };
  const engine: Engine = {
    tools: offered,
    environment: settings.environment,
    parts,
    tenants: [parts.tenant],
    of: (tenant) => {
      demandOwn(tenant);
      return engine;
    },
    call: async (tool, args, caller, watch) => {
      demandKnown(caller);
      return call(state, tool, args, caller, 'call', watch);
    },
    propose: async (tool, args, caller) => {
      demandKnown(caller);
      return call(state, tool, args, caller, 'propose');
    },
    approvals: async (tenant, { state: only, limit = limits.pageRows, cursor } = {}) => {
      demandOwn(tenant);
      demandPage(only, limit);
      return listPage(await listApprovals(parts, tenant, { limit, cursor }, only), approvalView);
    },
    decide: async (id, verdict, by) => {
      demandDecision(verdict, by);
      demandOwn(by.tenant);
      const decided = await recordDecision(parts, id, verdict, by);
      return decided.ok ? { ...decided, approval: approvalView(decided.approval) } : decided;
    },
    inspect: audit.inspect,
    verified: audit.verified,
    recover: async () => {
      await refusals.settle();
      const lost = await recover(parts, slots, inFlight);
      await events.work();
      return lost;
    },
    askReader: async (tenant) => {
      demandOwn(tenant);
      await recoverReader(parts, slots, inFlight);
    },
    settle: async () => {
      await events.pause();
      await refusals.settle(true);
    },
    receiveDelivery: async (tenant, body) => {
      demandOwn(tenant);
      return receiveDelivery(state, body);
    },
    workEvents: events.work,
    filePage: async (caller, handle, page) => {
      demandKnown(caller);
      return readFilePage(state, caller, handle, page);
    },
    fileChart: async (caller, handle) => {
      demandKnown(caller);
      return readFileChart(state, caller, handle);
    },
    files: async (caller) => {
      demandKnown(caller);
      return listFiles(state, caller);
    },
    openFile: async (tenant, handle) => {
      demandOwn(tenant);
      return openFile(parts, handle);
    },
    redeem: async (tenant, handle, by = 'app') => {
      demandOwn(tenant);
      return retryOnConflict(async () => {
        await audit.demandWhole();
        return redeemSecret(parts, tenant, handle, by, audit);
      });
    },
  };
  return engine;
}
