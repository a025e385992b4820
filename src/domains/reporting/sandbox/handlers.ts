import { PlatformError } from '../../../sandbox/answer.ts';
import type { HandlersOf } from '../../../sandbox/domain.ts';
import type { reporting as operations } from '../contract.ts';
import { definitionNamed, definitions } from '../definitions.ts';
import { definitionRow, definitionView } from './definitions.ts';
import { onDemandHandlers } from './on-demand.ts';
import { demandOwn } from './organization.ts';
import { reportHandlers } from './reports.ts';
import { subscriptionHandlers } from './subscriptions.ts';

/** The reporting operations of document 3. A rule marked P in the rule book is enforced here or by the shapes. */
export const handlers: HandlersOf<typeof operations> = {
  ...subscriptionHandlers,
  ...reportHandlers,
  ...onDemandHandlers,

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
