import type { SandboxDomain } from '../sandbox/domain.ts';
import { billing } from './billing/sandbox/index.ts';
import { conversion } from './conversion/sandbox/index.ts';
import { device } from './device/sandbox/index.ts';
import type { DomainName, domains } from './index.ts';
import { invoicing } from './invoicing/sandbox/index.ts';
import { passkey } from './passkey/sandbox/index.ts';
import { purchase } from './purchase/sandbox/index.ts';
import { reporting } from './reporting/sandbox/index.ts';
import { webhooks } from './webhooks/sandbox/index.ts';

/** The sandbox of each domain. */
export const sandboxes = { purchase, passkey, conversion, billing, invoicing, webhooks, reporting, device } satisfies {
  readonly [D in DomainName]: SandboxDomain<(typeof domains)[D]['contract']>;
};
