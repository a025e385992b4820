import { canonicalJson, type JsonObject } from '../../../core/canonical-json.ts';
import { limits } from '../../../core/limits.ts';
import { type BodyOf, invalid, PlatformError } from '../../../sandbox/answer.ts';
import type { Merchant } from '../../../sandbox/documents.ts';
import type { HandlersOf } from '../../../sandbox/domain.ts';
import type { World } from '../../../sandbox/world.ts';
import type { reporting as operations } from '../contract.ts';
import { definitionNamed } from '../definitions.ts';
import { scheduleFault } from '../schedule-faults.ts';
import { defaults } from './definitions.ts';
import type { ReportSubscriptionDocument, SubscriptionTerms as Terms } from './documents.ts';
import { demandFields } from './fields.ts';
import { demandOwn } from './organization.ts';
import { scheduled } from './recurring.ts';

type Handlers = HandlersOf<typeof operations>;

/** The operations on report subscriptions. RP-01 to RP-04 are enforced here and by the shapes. */
export const subscriptionHandlers: Pick<
  Handlers,
  'listReportSubscriptions' | 'getReportSubscription' | 'saveReportSubscription' | 'deleteReportSubscription'
> = {
  listReportSubscriptions({ query, merchant }, world) {
    demandOwn(query.organizationId, merchant);
    return { status: 200, entity: '', body: { subscriptions: allOf(world, merchant).map(subscriptionView) } };
  },

  getReportSubscription({ path, query, merchant }, world) {
    demandOwn(query.organizationId, merchant);
    return { status: 200, entity: path.reportName, body: subscriptionView(own(world, merchant, path.reportName)) };
  },

  saveReportSubscription({ body, merchant }, world) {
    demandOwn(body.organizationId, merchant);
    const terms = termsOf(body);
    const before = world.get('reportSubscription', keyOf(merchant, terms.reportName));
    demandTerms(terms, before);
    if (before === undefined && allOf(world, merchant).length >= limits.reportSubscriptionElements)
      throw invalid('reportName', `There are ${limits.reportSubscriptionElements} report subscriptions already.`);
    // D-27: nothing to change.
    if (before !== undefined && isSame(before.terms, terms)) return { status: 304, entity: '', body: undefined };
    const seq = before?.seq ?? world.count('reportSubscription');
    const saved = { id: keyOf(merchant, terms.reportName), merchantId: merchant.id, seq, terms, from: world.now };
    const counted = terms.reportInterval === undefined ? saved : { ...saved, since: world.now };
    world.put('reportSubscription', scheduled(counted, world.now));
    return { status: 200, entity: terms.reportName, body: undefined };
  },

  deleteReportSubscription({ path, query, merchant }, world) {
    demandOwn(query.organizationId, merchant);
    world.remove('reportSubscription', own(world, merchant, path.reportName).id);
    return { status: 200, entity: path.reportName, body: undefined };
  },
};

/** The terms of a request, in the platform's spelling. */
const termsOf = (body: BodyOf<typeof operations.saveReportSubscription>): Terms => ({
  ...body,
  reportMimeType: body.reportMimeType ?? defaults.reportMimeType,
  // Of the spellings that the shape takes, the one in capitals.
  reportFrequency: (body.reportFrequency ?? defaults.reportFrequency).toUpperCase() as Terms['reportFrequency'],
  startTime: body.startTime ?? defaults.startTime,
});

const keyOf = (merchant: Merchant, name: string): string => `${merchant.id}/${name}`;

const allOf = (world: World, merchant: Merchant): readonly ReportSubscriptionDocument[] =>
  world.listUnder('reportSubscription', keyOf(merchant, '')).toSorted((one, other) => one.seq - other.seq);

function own(world: World, merchant: Merchant, name: string): ReportSubscriptionDocument {
  const found = world.get('reportSubscription', keyOf(merchant, name));
  if (found === undefined)
    throw new PlatformError(404, 'NOT_FOUND', 'There is no report subscription of this name.', {
      source: 'reportName',
    });
  return found;
}

/** Throws the platform's 400 for what a shape can't say. */
function demandTerms(terms: Terms, before: ReportSubscriptionDocument | undefined): void {
  if (before !== undefined && before.terms.reportDefinitionName !== terms.reportDefinitionName)
    throw invalid('reportDefinitionName', 'The definition of a report subscription cannot be changed.');
  demandFields(terms);
  const fault = scheduleFault({
    frequency: terms.reportFrequency,
    startDay: terms.startDay,
    interval: terms.reportInterval,
  });
  if (fault !== undefined) throw invalid(fault.field, fault.says);
}

const isSame = (one: Terms, other: Terms): boolean => plain(one) === plain(other);
const plain = (terms: Terms): string => canonicalJson(JSON.parse(JSON.stringify(terms)) as JsonObject); // JSON, as it came

/** A report subscription in responses. */
function subscriptionView({ merchantId, terms }: ReportSubscriptionDocument) {
  const { groupName: _, ...shown } = terms;
  const id = definitionNamed(terms.reportDefinitionName)?.id;
  return {
    ...shown,
    organizationId: merchantId,
    ...(typeof id === 'number' ? { reportDefinitionId: String(id) } : {}),
  };
}
