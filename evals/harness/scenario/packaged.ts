import { dirname, isAbsolute, join, normalize, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isThere } from '../../../src/files/check.ts';

/**
 * Where a scenario, fixture or policy is: in the working directory; where it isn't there, the package's own copy, so that
 * `purser eval` runs in an empty folder. The copy holds `evals/` alone, so no other path has one.
 */
export function packagedPath(path: string): string {
  if (isAbsolute(path) || isThere(path) || normalize(path).split(sep)[0] !== 'evals') return path;
  const copy = join(packageFolder, path);
  return isThere(copy) ? copy : path;
}

/** The nearest folder with a package.json: of the source as of a build. */
const packageFolder = rootOf(dirname(fileURLToPath(import.meta.url)));

function rootOf(folder: string): string {
  const parent = dirname(folder);
  return parent === folder || isThere(join(folder, 'package.json')) ? folder : rootOf(parent);
}
