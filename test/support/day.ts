import type { TestProject } from 'vitest/node';

const dayMilliseconds = 24 * 60 * 60 * 1_000;

/** `npm test` alone plays the rows of a day (`playRowsOneIn`): of today, or of the one that `DAY` counts since 1970. */
export function setup({ provide }: TestProject): void {
  if (process.env.npm_lifecycle_event !== 'test') return;
  const day = Number(process.env.DAY ?? Math.floor(Date.now() / dayMilliseconds));
  if (!Number.isInteger(day))
    throw new Error(`DAY is ${process.env.DAY}: give the number of a day since 1970, such as 20786.`);
  provide('day', day);
  console.info(`Of long tables, the rows of day ${day} are played (DAY=${day}). Every row: npx vitest run`);
}
