import type { keys as operations } from '../../src/domains/device/keys.ts';
import { platformTools, type Tool } from '../../src/engine/tool.ts';
import { changes } from './changes.ts';
import { charges } from './charges.ts';
import { enrollment } from './enrollment.ts';
import { generateDeviceKey } from './generate-device-key.ts';
import { list, lookup } from './lookups.ts';

const keys = platformTools<keyof typeof operations>({ generateDeviceKey });

/** The card reader, and the keys of devices. */
export const device: readonly Tool[] = [...enrollment, ...charges, ...changes, lookup, list, ...keys];
