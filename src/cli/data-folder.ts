import { dirname, resolve } from 'node:path';
import { isThere } from '../files/check.ts';
import { makeOwnFolder, requireName, requireWritable } from '../files/database.ts';
import { BadConfiguration, checkedFile } from './bad-configuration.ts';
import { nowhere } from './folders.ts';

/** The folders that Purser creates, and how to choose another one. */
const chosenBy = { data: '--data DIR', state: 'PURSER_STATE' };
type Role = keyof typeof chosenBy;

/** Creates a folder and missing parents, accessible to its owner only. */
export function makeFolder(folder: string, role: Role = 'data'): void {
  if (folder === nowhere || isThere(folder)) return;
  makeFolder(dirname(resolve(folder)), role); // one by one: Node's recursive mkdir never returns where a parent can't be created
  try {
    makeOwnFolder(folder);
  } catch (error) {
    if (isThere(folder)) return; // another process created it first
    throw cannotCreate(folder, role, error);
  }
}

/** Throws what a start with a missing folder would, without creating anything. Answers the nearest folder that exists. */
export function demandFolder(folder: string, role: Role = 'data'): string {
  if (isThere(folder)) return folder;
  const above = dirname(resolve(folder));
  const existing = demandFolder(above, role);
  try {
    if (existing === above) requireWritable(above);
  } catch (error) {
    throw cannotCreate(folder, role, error);
  }
  checkedFile(() => requireName(folder, existing));
  return existing;
}

const cannotCreate = (folder: string, role: Role, cause: unknown): BadConfiguration =>
  new BadConfiguration(
    `The ${role} folder ${folder} can't be created: choose another one with ${chosenBy[role]}, or fix the permissions of its parent.`,
    { cause },
  );
