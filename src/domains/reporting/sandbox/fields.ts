import { invalid } from '../../../sandbox/answer.ts';
import { fieldsOf } from './definitions.ts';

/** RP-02: the fields of a report belong to its definition. Throws the platform's 400. */
export function demandFields(terms: {
  readonly reportDefinitionName: string;
  readonly reportFields: readonly string[];
}): void {
  const known = fieldsOf(terms.reportDefinitionName);
  const strange = terms.reportFields.findIndex((field) => !known.includes(field));
  if (strange >= 0) throw invalid(`reportFields[${strange}]`, 'The definition has no such field.');
}
