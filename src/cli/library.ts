/// <reference types="node" preserve="true" />
/**
 * The entry for programs that embed Purser: a running engine. Tools in a framework's form have entries of their own
 * (`purser/openai`, `purser/langchain`, `purser/ai-sdk`), so this one compiles without any framework.
 */

export type { Answer, AnswerApproval, AnswerError, AnswerFile, ErrorCode, Outcome, Retry } from '../engine/answer.ts';
export { InvalidCaller } from '../engine/demand-caller.ts';
export type { ApprovalsPage } from '../engine/engine.ts';
export type { DecisionResult, Person } from '../engine/person.ts';
export type { ApprovalView, ListPage } from '../engine/person-views.ts';
export { UnknownTenant } from '../engine/unknown-tenant.ts';
export type { Caller } from '../ledger/ledger.ts';
export { BadConfiguration } from './bad-configuration.ts';
export type { Running } from './compose.ts';
export { loadConfiguration, readConfiguration } from './config.ts';
export type { Configuration } from './configuration.ts';
export { started as compose } from './start.ts';
export { version } from './version.ts';
