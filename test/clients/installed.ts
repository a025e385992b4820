import { existsSync } from 'node:fs';

/** Whether the project in this folder is installed. */
export const isInstalled = existsSync(new URL('node_modules/.package-lock.json', import.meta.url));
