import { sandboxes } from '../domains/sandboxes.ts';
import type { SandboxDomains } from './domain.ts';
import { type Sandbox, type SandboxOptions, sandboxOf } from './handler.ts';

export { simulatedReader } from '../domains/device/sandbox/reader.ts';
export { AnswerLost } from './answer.ts';
export type { Effect, FaultKind, Snapshot } from './documents.ts';
export type { Sandbox, SandboxOptions } from './handler.ts';
export { sandboxSeed } from './seed.ts';
export { type Served, serveSandbox } from './serve.ts';
export type { ShopperHandle } from './shoppers.ts';

/** Opens a sandbox on a new world, or on an existing one. `domains`: every domain of the platform by default. */
export const createSandbox = (options: SandboxOptions, domains: SandboxDomains = sandboxes): Sandbox =>
  sandboxOf(domains, options);
