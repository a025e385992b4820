/// <reference types="node" preserve="true" />
/**
 * What a program that embeds Purser needs: a running engine. The tools in the form of a framework are entries of their own
 * (`purser/openai`, `purser/langchain`, `purser/ai-sdk`), so that this one compiles without any framework.
 */
export type { Running } from './compose.ts';
export { BadConfiguration, type Configuration, loadConfiguration, readConfiguration } from './config.ts';
export { started as compose } from './start.ts';
export { version } from './version.ts';
