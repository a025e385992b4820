import type { CallerRole } from '../core/operation.ts';
import type { AuditLock } from './audit-lock.ts';
import type { EngineParts } from './parts.ts';
import type { PlatformSlots } from './platform-slots.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { RefusalLog } from './refusal-log.ts';
import type { Body } from './render.ts';
import type { Tool } from './tool.ts';

/** What the calls of one engine share. */
export interface EngineState {
  readonly parts: EngineParts;
  /** The tool of this name that callers of a role may call. */
  readonly toolFor: (name: string, role?: CallerRole) => Tool | undefined;
  /** The tools that agents have, and all tools, by name. */
  readonly offered: ReadonlyMap<string, Tool>;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly rateLimiter: RateLimiter;
  readonly slots: PlatformSlots;
  readonly audit: AuditLock;
  readonly refusals: RefusalLog;
  /** Platform calls under way by tenant, principal, tool and arguments: an identical call joins them. */
  readonly underWay: Map<string, Promise<Body>>;
}
