import { isInstalled } from './installed.ts';

/** Says once, before any test, that the tests of clients are skipped, and what would run them. */
export function setup(): void {
  if (!isInstalled)
    console.info(
      'test/clients is skipped, because `npm install --prefix test/clients --ignore-scripts` has not been run.',
    );
}
