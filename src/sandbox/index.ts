export { AnswerLost } from './answer.ts';
export type { Effect, FaultDocument, FaultKind, Snapshot } from './documents.ts';
export { createSandbox, type Sandbox, type SandboxOptions } from './handler.ts';
export { type SeedCard, type ShopperHandle, type ShopperSession, sandboxSeed } from './seed.ts';
export { type Served, type ServeOptions, serveSandbox } from './serve.ts';
