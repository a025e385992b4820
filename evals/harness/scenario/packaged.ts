import { dirname, isAbsolute, join, normalize, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isThere } from '../../../src/files/check.ts';

/**
 * Resolves the path of a scenario, fixture or policy: in the working directory, or else in the package, so that `purser eval`
 * runs in an empty folder. The package has a copy of `evals/` only.
 */
export function packagedPath(path: string): string {
  if (isAbsolute(path) || isThere(path) || normalize(path).split(sep)[0] !== 'evals') return path;
  const copy = join(packageFolder, path);
  return isThere(copy) ? copy : path;
}

const suite = 'evals/scenarios';

/** Whether a whole suite is played, and not scenarios that somebody names. */
export const isSuite = (paths: readonly string[]): boolean => paths.map(packagedPath).includes(packagedPath(suite));

/** Whether that suite is Purser's own, beside which stands what is recorded of a build. */
export const isPursersSuite = (paths: readonly string[]): boolean =>
  isSuite(paths) && dirname(packagedPath(suite)) === dirname(packagedPath('evals/catalogue.golden'));

/** The nearest folder with a package.json: of the source as of a build. */
export const packageFolder = rootOf(dirname(fileURLToPath(import.meta.url)));

function rootOf(folder: string): string {
  const parent = dirname(folder);
  return parent === folder || isThere(join(folder, 'package.json')) ? folder : rootOf(parent);
}
