import type { Watch } from '../core/outcome.ts';
import type { Caller } from '../ledger/ledger.ts';
import type { VerifiedPosition } from '../ledger/verification.ts';
import { demandAnchored } from './anchor.ts';
import type { Answer } from './answer.ts';
import { auditLock } from './audit-lock.ts';
import { call } from './call.ts';
import { isCallableBy, toolsByRole } from './callers.ts';
import type { EngineParts } from './parts.ts';
import { createPlatformSlots } from './platform-slots.ts';
import { createRateLimiter } from './rate-limiter.ts';
import { recover } from './recover.ts';
import { redeemCredentials } from './redeem.ts';
import { createRefusalLog } from './refusal-log.ts';
import { retryOnConflict } from './retry.ts';
import type { EngineState } from './state.ts';
import type { Tool } from './tool.ts';
import { UnknownTenant } from './unknown-tenant.ts';

/** The one way of every call of every face. */
export interface Engine {
  /** The tenants it has credentials for. */
  readonly tenants: readonly string[];
  /** The engine of one of them. Throws UnknownTenant for any other. */
  of(tenant: string): Engine;
  readonly tools: readonly Tool[];
  readonly environment: string;
  /** Makes a call. Throws UnknownTenant, and for faults of Purser or its database; never for what an agent can cause. */
  call(tool: string, args: unknown, caller: Caller, watch?: Watch): Promise<Answer>;
  /**
   * Asks a person where the call would, and otherwise answers as the call would, but sends nothing: for hosts that show the
   * question themselves before they make the call.
   */
  propose(tool: string, args: unknown, caller: Caller): Promise<Answer>;
  /** Verifies the audit chain; calls are refused by what it finds. Throws where the ledger can't be read. */
  inspect(): Promise<void>;
  /** Ends what a crash or a fault left behind, in the same slots as calls. Answers how many were marked unknown. */
  recover(): Promise<number>;
  /** Releases the secret behind credentials, once; undefined where there is none. Throws Refused while frozen. */
  redeem(tenant: string, handle: string): Promise<unknown>;
  /** Records what is counted and not written yet. Call it before the ledger is closed. */
  settle(): Promise<void>;
  /** How far the audit chain is verified; undefined while it is broken or unverified. */
  verified(): VerifiedPosition | undefined;
  readonly parts: EngineParts;
}

/** Puts the engine of one tenant together. */
export function createEngine(parts: EngineParts): Engine {
  const { settings, ports } = parts;
  const offered = (parts.offered ?? parts.tools).filter((tool) => isCallableBy(tool, 'agent'));
  const state: EngineState = {
    parts,
    toolFor: toolsByRole(parts.tools, offered),
    offered: new Map(offered.map((tool) => [tool.name, tool])),
    tools: new Map(parts.tools.map((tool) => [tool.name, tool])),
    rateLimiter: createRateLimiter(settings.rates, ports.clock),
    slots: createPlatformSlots(settings.platformLimits, ports.clock),
    audit: auditLock(parts),
    refusals: createRefusalLog(parts),
    underWay: new Map(),
  };
  const { audit, refusals, slots } = state;
  const demandOwn = (tenant: string): void => {
    if (tenant !== parts.tenant) throw new UnknownTenant();
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
      demandOwn(caller.tenant);
      return call(state, tool, args, caller, 'call', watch);
    },
    propose: async (tool, args, caller) => {
      demandOwn(caller.tenant);
      return call(state, tool, args, caller, 'propose');
    },
    inspect: audit.inspect,
    verified: audit.verified,
    recover: async () => {
      await refusals.settle();
      return recover(parts, slots);
    },
    settle: () => refusals.settle(true),
    redeem: async (tenant, handle) => {
      demandOwn(tenant);
      return retryOnConflict(async () => {
        await audit.demandWhole();
        await demandAnchored(parts);
        return redeemCredentials(parts, tenant, handle, audit);
      });
    },
  };
  return engine;
}
