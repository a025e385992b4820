import type { Mutant } from './mutants.ts';

/** A seeded bug: its id and title; its file and the test that catches it; what stands in the file, and the bug in its place. */
export type Row = readonly [id: string, title: string, file: string, caughtBy: string, find: string, replace: string];

/** Seeded bugs, written as rows. */
export const bugs = (rows: readonly Row[]): readonly Mutant[] =>
  rows.map(([id, title, file, caughtBy, find, replace]) => ({ id, title, file, find, replace, caughtBy }));
