import { invalid } from '../../../sandbox/answer.ts';
import { reportFields } from '../field-groups.ts';
import { fieldsOf } from './definitions.ts';
import type { ReportTerms } from './documents.ts';

/** RP-02: the fields of a report belong to its definition, and it is filtered by fields. Throws the platform's 400. */
export function demandFields(
  terms: Pick<ReportTerms, 'reportDefinitionName' | 'reportFields' | 'reportFilters'>,
): void {
  const known = fieldsOf(terms.reportDefinitionName);
  const strange = terms.reportFields.findIndex((field) => !known.includes(field));
  if (strange >= 0) throw invalid(`reportFields[${strange}]`, 'The definition has no such field.');
  const isField = (id: string): boolean => reportFields.some((field) => field.id === id);
  if (!Object.keys(terms.reportFilters ?? {}).every((filter) => isField(filteredBy(filter))))
    throw invalid('reportFilters', 'One of the filters is no field.');
}

/** The field of a filter: its name, but for those that public models call otherwise. */
export const filteredBy = (filter: string): string => filtered[filter] ?? filter;

const filtered: { readonly [filter: string]: string | undefined } = {
  firstName: 'BillTo.FirstName',
  lastName: 'BillTo.LastName',
  email: 'BillTo.Email',
};
