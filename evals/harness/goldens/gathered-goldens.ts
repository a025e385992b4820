import { dirname, join, sep } from 'node:path';
import { isThere } from '../../../src/files/check.ts';
import { readText } from '../../../src/files/read.ts';
import type { Run } from '../replay/run.ts';
import type { Loaded } from '../scenario/load.ts';
import type { Gathered, Strange } from './gathered.ts';
import { platformAnswers } from './platform-answers.ts';
import { sentences } from './sentences.ts';

// Goldens that are gathered from all stories. They stand beside the folder of the scenarios; where one isn't there, no story is held against it.

const all: readonly Gathered[] = [platformAnswers, sentences];

/** Each such golden that stands beside the scenarios, with its path. */
export function gatheredFor({ file }: Pick<Loaded, 'file'>): readonly (Gathered & { readonly path: string })[] {
  const steps = dirname(file).split(sep);
  const at = steps.lastIndexOf('scenarios');
  if (at < 0) return [];
  return all
    .map((one) => ({ ...one, path: join(steps.slice(0, at).join(sep), one.file) }))
    .filter(({ path }) => isThere(path));
}

const read = new Map<string, string>();

/** The text of a golden, read once by this process. */
export function goldenAt(path: string): string {
  const text = read.get(path) ?? readText('golden', path);
  read.set(path, text);
  return text;
}

/** What is strange in a run by all of them. */
export const strangeIn = (loaded: Loaded, run: Run): readonly Strange[] =>
  gatheredFor(loaded).flatMap((one) => one.strangeIn(goldenAt(one.path), run));
