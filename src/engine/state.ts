import type { CallerRole } from '../core/operation.ts';
import type { Progress } from '../core/outcome.ts';
import type { AuditLock } from './audit-lock.ts';
import type { OwnTexts } from './own-texts.ts';
import type { EngineParts } from './parts.ts';
import type { PlatformSlots } from './platform-slots.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { RefusalLog } from './refusal-log.ts';
import type { Body } from './render.ts';
import type { SharedWatch } from './shared-watch.ts';
import type { Tool } from './tool.ts';

interface UnderWay {
  readonly body: Promise<Body>;
  readonly shared: SharedWatch;
}

/** What the calls of one engine share. */
export interface EngineState {
  readonly parts: EngineParts;
  /** The tool with this name that callers with a role may call. */
  readonly toolFor: (name: string, role?: CallerRole) => Tool | undefined;
  /** The agents' tools, and all tools, by name. */
  readonly offered: ReadonlyMap<string, Tool>;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly rateLimiter: RateLimiter;
  readonly slots: PlatformSlots;
  readonly audit: AuditLock;
  readonly refusals: RefusalLog;
  readonly ownTexts: OwnTexts;
  /** Platform calls in progress by tenant, principal, tool and arguments. An identical call joins them. */
  readonly underWay: Map<string, UnderWay>;
  /** The operations that this process has sent and not recorded yet. */
  readonly inFlight: Set<string>;
  /** The progress of this process's operations, by handle. */
  readonly progress: Map<string, Progress>;
}
