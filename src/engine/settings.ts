import type { Level, RuleId } from '../core/rules.ts';
import type { DomainSettings, Merchant } from '../domains/facts.ts';
import type { Guard } from '../domains/guard.ts';
import type { OwnNumbers } from '../screening/look-alikes.ts';
import type { Channel } from './approval-channels.ts';
import type { Reach } from './approval-links.ts';
import type { PlatformLimits } from './platform-slots.ts';
import type { RateLimits } from './rate-limiter.ts';
import type { SpendingPolicy } from './spending-policy.ts';

/** What the engine needs to know of the configuration. */
export interface EngineSettings {
  readonly environment: 'sandbox' | 'test' | 'live';
  readonly merchant: Merchant;
  /** What is configured for each domain. */
  readonly domains: DomainSettings;
  /** Levels that differ from `refuse`. */
  readonly levels: { readonly [R in RuleId]?: Level };
  /** In the place of all guards: how an eval finds out whether anything notices that one is wrong. */
  readonly guards?: readonly Guard[];
  /** Whether the calls of operators can be made, such as generating keys (D-32). They can't by default. */
  readonly hasOperatorCalls?: boolean;
  /** What calls must stay within. */
  readonly limits: readonly SpendingPolicy[];
  /** What is approved beforehand. */
  readonly mandates: readonly SpendingPolicy[];
  /** Whether each principal has its own purchases, operations and approvals, or all of a tenant share them. */
  readonly principals: 'separate' | 'together';
  /** The channels on which a person's decision counts. */
  readonly channels: readonly Channel[];
  /** How a person who decides reaches this Purser; an answer says it. */
  readonly reach?: Reach | undefined;
  /** How often a caller may call, by what the call does. */
  readonly rates: RateLimits;
  /** Numbers of the shop's own that are not taken for card numbers; none where it is left out. */
  readonly ownNumbers?: OwnNumbers;
  /** How calls to the platform are held back. */
  readonly platformLimits: PlatformLimits;
}

/** Everything impure, given by the composition root. */
export interface Ports {
  readonly clock: { now(): number };
  readonly ids: Ids;
  /** How far the platform's clock is ahead of ours, in milliseconds; undefined where it has not said so lately. */
  readonly skew: () => number | undefined;
  /** Asks the platform what time it is; from then on `skew` knows. Never throws: answers whether the platform is there. */
  readonly askTime: () => Promise<boolean>;
  /** Resolves after so many milliseconds, or once the caller cancels. Never rejects. */
  readonly pause: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** Hears why the outcome of a sent call could not be recorded: its caller may be gone. */
  readonly onFault?: (fault: unknown) => void;
  /** Called at the named points of a call; a test kills the process there. Does nothing in the product. */
  readonly failpoint: (point: FailPoint, operation: string) => void;
}

export interface Ids {
  /** The name of a thing within its tenant, where every use of it is checked: the prefix, an underscore, at least 60 random bits. */
  handle(prefix: string): string;
  /** What opens something for whoever has it: the prefix, an underscore, at least 128 random bits. No answer shows one. */
  key(prefix: string): string;
  uuid(): string;
}

/**
 * The moments of a call between which a crash means something else: before and after the intent is inserted (F0, F1),
 * after it is on disk (F2), while sending (F3), after the platform acted (F4), after the answer was read (F5), after it
 * was recorded (F6), after the caller has it (F7), after what follows (F8).
 */
export type FailPoint = 'F0' | 'F1' | 'F2' | 'F3' | 'F4' | 'F5' | 'F6' | 'F7' | 'F8';
