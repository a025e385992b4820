import { dirname, resolve } from 'node:path';
import { isThere } from '../files/check.ts';
import { makeOwnFolder, requireName, requireWritable } from '../files/database.ts';
import { BadConfiguration, checkedFile } from './bad-configuration.ts';
import { nowhere } from './folders.ts';

/** Creates the data folder and missing parents, accessible to its owner only. */
export function makeFolder(data: string): void {
  if (data === nowhere || isThere(data)) return;
  makeFolder(dirname(resolve(data))); // one by one: Node's recursive mkdir never returns where a parent can't be created
  try {
    makeOwnFolder(data);
  } catch (error) {
    if (isThere(data)) return; // another process created it first
    throw cannotCreate(data, error);
  }
}

/** Throws what a start in a missing data folder would, without creating anything. Answers the nearest folder that exists. */
export function demandFolder(data: string): string {
  if (isThere(data)) return data;
  const above = dirname(resolve(data));
  const existing = demandFolder(above);
  try {
    if (existing === above) requireWritable(above);
  } catch (error) {
    throw cannotCreate(data, error);
  }
  checkedFile(() => requireName(data, existing));
  return existing;
}

const cannotCreate = (data: string, cause: unknown): BadConfiguration =>
  new BadConfiguration(
    `The data folder ${data} can't be created: choose another one with --data DIR, or fix the permissions of its parent.`,
    { cause },
  );
