import { basename, extname, join } from 'node:path';
import type { z } from 'zod';
import { filesUnder } from '../../../src/files/read.ts';
import { loadYaml } from '../scenario/load.ts';
import { packagedPath } from '../scenario/packaged.ts';

/** Bodies of a session that come again. Own choice: more than a story has steps. */
const mostAliases = 100;

/** Every session of a folder, by name; none without the folder, because sessions come with a checkout only. */
export function sessionsIn<S extends z.ZodType<object>>(
  schema: S,
  path: string,
): readonly (z.output<S> & { readonly name: string })[] {
  const folder = packagedPath(path);
  const files = filesUnder(folder);
  if (files === undefined || files === 'file') return [];
  return files
    .filter((file) => extname(file) === '.yaml')
    .toSorted()
    .map((file) => ({ ...loadYaml(schema, join(folder, file), mostAliases), name: basename(file, '.yaml') }));
}
