import type { SandboxDomain } from '../sandbox/domain.ts';
import { billing } from './billing/sandbox/index.ts';
import type { DomainName, domains } from './index.ts';
import { invoicing } from './invoicing/sandbox/index.ts';
import { purchase } from './purchase/sandbox/index.ts';

/** How the sandbox simulates each domain. */
export const sandboxes = { purchase, billing, invoicing } satisfies {
  readonly [D in DomainName]: SandboxDomain<(typeof domains)[D]['contract']>;
};
