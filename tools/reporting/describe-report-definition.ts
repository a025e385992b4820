import { z } from 'zod';
import { limits } from '../../src/core/limits.ts';
import { once } from '../../src/core/once.ts';
import { definitionName } from '../../src/domains/reporting/definition-shapes.ts';
import { definitionNames } from '../../src/domains/reporting/definitions.ts';
import { groupNames, groupOf, reportFields } from '../../src/domains/reporting/field-groups.ts';
import { handleFor } from '../../src/engine/handles.ts';
import { untrusted } from '../../src/engine/render.ts';
import { countShown, digitsShown, textsShown } from '../../src/engine/shown.ts';
import type { Arg, ToolSpec } from '../../src/engine/tool.ts';
import { paged } from '../offset-pages.ts';
import { organizationArg } from './organization.ts';
import { theReportQueue } from './read-reports.ts';
import { theReportList } from './subscriptions.ts';

/** The name of a definition, which is in the path. */
const theDefinitionArg: Arg<never> = {
  schema: definitionName.describe('Such as TransactionRequestClass.'),
  fills: [],
  rule: 'RP-02',
};

// A field that isn't known is a text of the platform's.
const fieldShown = textsShown(reportFields.map(({ id }) => id));
const groupShown = once(() => z.looseObject({ group: textsShown(groupNames), fields: countShown }));

/** How many fields each group has, in the order of the groups. */
function groupsIn(ids: readonly string[]) {
  const byGroup = Object.groupBy(ids, groupOf);
  return Object.entries(byGroup).map(([group, its = []]) => ({ group: untrusted(group), fields: its.length }));
}

const from = (cursor: unknown): number => Number(cursor ?? 0);
const rows = (limit: unknown): number => Number(limit ?? limits.reportFieldRows);

export const describeReportDefinition: ToolSpec<'describeReportDefinition'> = {
  description: "See a definition's groups of fields, or the fields of one group.",
  input: {
    args: () => ({
      definition: theDefinitionArg,
      group: { schema: z.string().max(limits.textCharacters).optional().describe('Its fields.'), fills: [] },
      limit: {
        schema: z.int().min(1).max(limits.reportFieldRowsMost).optional().describe('Page size.'),
        fills: [],
      },
      organization: organizationArg('describeReportDefinition'),
      cursor: { schema: digitsShown.optional().describe('From `more`.'), fills: [] },
    }),
    reference: ({ args }) => String(args.definition),
  },
  observe: {
    observations: (_, { body }) => [
      {
        kind: 'reportDefinition',
        handle: handleFor('reportDefinition', body.reportDefintionName),
        owner: '',
        state: 'ACTIVE',
        body: {
          name: body.reportDefintionName,
          fields: body.attributes.map(({ id }) => id),
          reportList: theReportList,
          reportQueue: theReportQueue,
        },
      },
    ],
  },
  present: {
    messages: { done: 'These are its fields, as group.name.' },
    next: { '': { tools: ['describe_report_definition'], because: 'A group shows its fields.' } },
    outputSchema: () =>
      z.looseObject({
        definition: textsShown(definitionNames),
        groups: z.array(groupShown()).optional(),
        items: z.array(fieldShown).optional(),
        total: countShown,
        more: digitsShown.optional(),
      }),
    toOutput(_, facts, { body }) {
      const { group, cursor, limit } = facts.args;
      const ids = body.attributes.map(({ id }) => id);
      const definition = untrusted(body.reportDefintionName);
      if (group === undefined) return { definition, groups: groupsIn(ids), total: ids.length };
      const its = ids.filter((id) => groupOf(id) === group);
      const page = its.slice(from(cursor), from(cursor) + rows(limit)).map((id) => untrusted(id));
      return { definition, ...paged(facts, its.length, page) };
    },
  },
};
