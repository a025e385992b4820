import { basename, extname, join } from 'node:path';
import type { z } from 'zod';
import { filesUnder } from '../../../src/files/read.ts';
import { loadYaml } from '../scenario/load.ts';
import { packagedPath } from '../scenario/packaged.ts';

/** Bodies of a session that come again. Own choice: more than a story has steps. */
const mostAliases = 100;

/** The names of the sessions in a folder; none without the folder, because sessions come with a checkout only. */
export function sessionNames(folder: string): readonly string[] {
  const files = filesUnder(packagedPath(folder));
  if (files === undefined || files === 'file') return [];
  return files
    .filter((file) => extname(file) === '.yaml')
    .toSorted()
    .map((file) => basename(file, '.yaml'));
}

/** A session of a folder. */
export const sessionIn = <S extends z.ZodType<object>>(
  schema: S,
  folder: string,
  name: string,
): z.output<S> & { readonly name: string } => ({
  ...loadYaml(schema, join(packagedPath(folder), `${name}.yaml`), mostAliases),
  name,
});
