import { z } from 'zod';
import { once } from '../../src/core/once.ts';
import { definitionNames } from '../../src/domains/reporting/definitions.ts';
import { untrusted } from '../../src/engine/render.ts';
import { countShown, textsShown } from '../../src/engine/shown.ts';
import type { ToolSpec } from '../../src/engine/tool.ts';
import { listState, none } from '../offset-pages.ts';
import { organizationArg } from './organization.ts';

// A definition that isn't known, and every description, is a text of the platform's.
const shown = once(() =>
  z.looseObject({
    definition: textsShown(definitionNames),
    id: countShown.optional(),
    about: z.string().optional(),
  }),
);

interface Listed {
  readonly reportDefintionName: string;
  readonly reportDefinitionId?: number | undefined;
  readonly description?: string | undefined;
}

const showDefinition = ({ reportDefintionName, reportDefinitionId, description }: Listed) => ({
  definition: untrusted(reportDefintionName),
  ...(reportDefinitionId === undefined ? {} : { id: reportDefinitionId }),
  ...(description === undefined ? {} : { about: untrusted(description) }),
});

export const listReportDefinitions: ToolSpec<'listReportDefinitions'> = {
  description: 'List what reports can be about.',
  input: { args: () => ({ organization: organizationArg('listReportDefinitions') }) },
  observe: {
    observations: () => [],
    stateFromResponse: ({ body }) => listState(body.reportDefinitions.length),
  },
  present: {
    messages: { done: 'These are the report definitions.', [none]: 'There are no report definitions.' },
    next: {
      '': { tools: ['describe_report_definition'], because: 'A report names the fields that it shows.' },
      [none]: { tools: [], because: 'The platform offers this merchant no reports.' },
    },
    empty: { reportDefinitions: [] },
    outputSchema: () => z.looseObject({ items: z.array(shown()) }),
    toOutput: (_, __, { body }) => ({ items: body.reportDefinitions.map(showDefinition) }),
  },
};
