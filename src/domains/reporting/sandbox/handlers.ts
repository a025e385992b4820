import { PlatformError } from '../../../sandbox/answer.ts';
import type { Merchant } from '../../../sandbox/documents.ts';
import type { HandlersOf } from '../../../sandbox/domain.ts';
import type { reporting as operations } from '../contract.ts';
import { definitionNamed, definitions } from '../definitions.ts';
import { definitionRow, definitionView } from './definitions.ts';

/** The reporting operations of document 3. A rule marked P in the rule book is enforced here or by the shapes. */
export const handlers: HandlersOf<typeof operations> = {
  listReportDefinitions({ query, merchant }) {
    demandOwn(query.organizationId, merchant);
    return { status: 200, entity: '', body: { reportDefinitions: definitions.map(definitionRow) } };
  },

  describeReportDefinition({ path, query, merchant }) {
    demandOwn(query.organizationId, merchant);
    const found = definitionNamed(path.reportDefinitionName);
    if (found === undefined) throw new PlatformError(404, 'NOT_FOUND', 'There is no such report definition.');
    return { status: 200, entity: found.name, body: definitionView(found) };
  },
};

/** RP-12: the sandbox's merchants are no partners, so each may name itself alone. */
function demandOwn(organizationId: string | undefined, merchant: Merchant): void {
  if (organizationId !== undefined && organizationId !== merchant.id)
    throw new PlatformError(400, 'INVALID_DATA', 'The organization is not that of the credentials.', {
      source: 'organizationId',
    });
}
