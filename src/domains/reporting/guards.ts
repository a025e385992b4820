import type { Facts } from '../facts.ts';
import { type Guard, guardOn } from '../guard.ts';
import type { reporting } from './contract.ts';

const guard = guardOn<keyof typeof reporting>();

/** The guards of reporting. What a shape already states is not said again here. */
export const guards: readonly Guard[] = [
  guard('RP-12', {
    on: ['listReportDefinitions', 'describeReportDefinition'],
    holds: ({ args, merchant }) => args.organization === undefined || reportedOn(merchant).includes(args.organization),
    sees: () => 'The organization is not one whose reports the operator lets Purser ask for.',
    field: 'organization',
    instead: [],
  }),
];

/** The organizations whose reports a partner may ask for. Others have none to name. */
const reportedOn = ({ reportsFor = '' }: Facts['merchant']): readonly unknown[] =>
  reportsFor.split(',').map((id) => id.trim());
