import { keys } from './keys.ts';

/** Contactless devices: document 3. */
export const device = { ...keys } as const;
