import { UnsafeFile } from '../files/check.ts';

/** A setting that keeps Purser from starting, as one line that says what to do. Exit code 2. */
export class BadConfiguration extends Error {
  override readonly name = 'BadConfiguration';
}

/** Runs `act`; a fault of a file becomes BadConfiguration. */
export function checkedFile<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof UnsafeFile) throw new BadConfiguration(error.message, { cause: error });
    throw error;
  }
}
