import { operation } from '../../core/operation.ts';
import { definitionFilters, definitionList, definitionQuery, definitionWithFields } from './definition-shapes.ts';
import { reportingReadError } from './errors.ts';

/** Reporting: document 3, "Endpoints". */
export const reporting = {
  listReportDefinitions: operation({
    call: 'GET /reporting/v3/report-definitions',
    title: 'Summary of report definitions',
    about: 'Lists what reports can be made of.',
    effect: 'read',
    recovery: 'repeat',
    shape: 'RP-12',
    query: definitionFilters,
    output: { 200: definitionList },
    error: reportingReadError,
  }),

  describeReportDefinition: operation({
    call: 'GET /reporting/v3/report-definitions/{reportDefinitionName}',
    title: 'One report definition',
    about: 'Returns a definition with every field that its reports can have.',
    effect: 'read',
    recovery: 'repeat',
    shape: 'RP-02',
    path: { reportDefinitionName: 'reference' },
    query: definitionQuery,
    output: { 200: definitionWithFields },
    error: reportingReadError,
  }),
} as const;
