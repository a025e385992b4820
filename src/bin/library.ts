/** What a program that embeds Purser needs: a running engine, and the tools in the form of its framework. */
export { langchainTools } from '../adapters/langchain.ts';
export { openaiTools } from '../adapters/openai.ts';
export type { Running } from './compose.ts';
export { BadConfiguration, type Configuration, loadConfiguration, readConfiguration } from './config.ts';
export { started as compose } from './started.ts';
export { version } from './version.ts';
