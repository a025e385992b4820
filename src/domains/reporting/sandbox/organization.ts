import { PlatformError } from '../../../sandbox/answer.ts';
import type { Merchant } from '../../../sandbox/documents.ts';

/** RP-12: the sandbox's merchants are no partners, so each may name itself alone. */
export function demandOwn(organizationId: string | undefined, merchant: Merchant): void {
  if (organizationId !== undefined && organizationId !== merchant.id)
    throw new PlatformError(400, 'INVALID_DATA', 'The organization is not that of the credentials.', {
      source: 'organizationId',
    });
}
