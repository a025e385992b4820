import type { TestProject } from 'vitest/node';

const dayMilliseconds = 24 * 60 * 60 * 1_000;

/** `npm test` alone plays the rows of a day (`playRowsOneIn`): of today, or of the one that `DAY` counts since 1970. */
export function setup({ provide }: TestProject): void {
  if (process.env.npm_lifecycle_event !== 'test') return;
  const day = Number(process.env.DAY ?? Math.floor(Date.now() / dayMilliseconds));
  provide('day', day);
  console.info(`Of long tables, the rows of day ${day} are played (DAY=${day}). Every row: npx vitest run`);
}
