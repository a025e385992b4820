import { z } from 'zod';
import { isFileAnswer } from '../../src/core/file-answer.ts';
import { momentText } from '../../src/engine/render.ts';
import { momentShown } from '../../src/engine/shown.ts';
import type { ToolSpec } from '../../src/engine/tool.ts';
import { listState, none } from '../offset-pages.ts';
import { fileFormatArg, fileOutput, rangeArgs, showFile, shownAs } from './on-demand-arguments.ts';
import { organizationArg } from './organization.ts';

const words = z.string().optional();

export const getConversionDetails: ToolSpec<'getConversionDetails'> = {
  description: 'List orders held for review and their decisions. Not currency conversion.',
  input: {
    args: () => ({
      ...rangeArgs('getConversionDetails'),
      format: fileFormatArg,
      organization: organizationArg('getConversionDetails'),
    }),
  },
  observe: {
    observations: () => [],
    stateFromResponse: ({ body }) => (isFileAnswer(body) ? '' : listState(body.conversionDetails.length)),
  },
  present: {
    messages: {
      done: 'These are the decisions.',
      [none]: 'No reviewed order was decided in this range.',
    },
    next: {
      '': { tools: [], because: 'Decisions are an answer by themselves.' },
      [none]: { tools: [], because: 'Another range may have some.' },
    },
    empty: { conversionDetails: [] },
    outputSchema: () =>
      z.looseObject({
        items: z
          .array(
            z.looseObject({
              ...{ reference: words, at: momentShown.optional(), was: words, is: words, reviewer: words },
              ...{ comments: words, notes: z.array(z.string()).optional() },
            }),
          )
          .optional(),
        ...fileOutput(),
      }),
    toOutput: (_, __, { body }) =>
      isFileAnswer(body)
        ? showFile(body)
        : {
            items: body.conversionDetails.map((it) => ({
              ...shownAs('reference', it.merchantReferenceNumber),
              ...(it.conversionTime === undefined ? {} : { at: momentText(it.conversionTime) }),
              ...{ ...shownAs('was', it.originalDecision), ...shownAs('is', it.newDecision) },
              ...{ ...shownAs('reviewer', it.reviewer), ...shownAs('comments', it.reviewerComments) },
              notes: (it.notes ?? []).flatMap(({ comments }) => shownAs('note', comments).note ?? []),
            })),
          },
  },
};
