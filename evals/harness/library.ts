/** For programs with their own scenarios: writing them in TypeScript and running them as tests. */
export { BadScenario } from './scenario/faults.ts';
export { defineScenario, type Scenario, type ScenarioInput } from './scenario/schema.ts';
export { type Runner, toVitest } from './vitest.ts';
