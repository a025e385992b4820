import type { domains } from '../../src/domains/index.ts';
import { platformTools, type Tool } from '../../src/engine/tool.ts';
import { generateDeviceKey } from './generate-device-key.ts';

export const device: readonly Tool[] = platformTools<keyof typeof domains.device.contract>({ generateDeviceKey });
