import type { SandboxDomain } from '../../../sandbox/domain.ts';
import { device as contract } from '../contract.ts';
import { keyControl, keyHandlers } from './keys.ts';

/** How the sandbox simulates devices. */
export const device: SandboxDomain<typeof contract> = {
  contract,
  handlers: { ...keyHandlers },
  control: [keyControl],
};
