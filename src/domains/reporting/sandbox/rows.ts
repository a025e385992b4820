import type { World } from '../../../sandbox/world.ts';
import type {} from '../../conversion/sandbox/documents.ts'; // its kinds of documents
import type { ReportDocument } from './documents.ts';

/** Whether anything happened in a report's range: an authorization, a capture or a refund of its merchant. */
export const hasRows = (world: World, { merchantId, from, to }: ReportDocument): boolean =>
  [...world.list('charge'), ...world.list('capture'), ...world.list('refund')].some(
    (it) => it.merchantId === merchantId && it.createdAt >= from && it.createdAt < to,
  );
