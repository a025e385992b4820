/** What a program needs that has scenarios of its own: to write them in TypeScript, and to run them as ordinary tests. */
export { BadScenario } from './scenario/load.ts';
export { defineScenario, type Scenario, type ScenarioInput } from './scenario/schema.ts';
export { type Runner, toVitest } from './vitest.ts';
