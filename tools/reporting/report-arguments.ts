import { z } from 'zod';
import { text } from '../../src/core/fields.ts';
import { type FileType, fileTypes } from '../../src/core/file-answer.ts';
import { limits } from '../../src/core/limits.ts';
import { once } from '../../src/core/once.ts';
import { fieldName, type frequencies } from '../../src/domains/reporting/subscription-shapes.ts';
import { quoted } from '../../src/engine/approval-text.ts';
import { handleFor } from '../../src/engine/handles.ts';
import { untrusted } from '../../src/engine/render.ts';
import { textsShown } from '../../src/engine/shown.ts';

// Arguments that a report subscription and a one-time report share.

/** The types of files by their words. */
export const formats: { readonly [word: string]: FileType } = { csv: fileTypes[0], xml: fileTypes[1] };

/** The word of a type in an answer, as the argument has it; any other type is a text of the platform's. */
export const formatShown = textsShown(Object.keys(formats));
export const showFormat = (type: string): string =>
  Object.keys(formats).find((word) => formats[word] === type) ?? untrusted(type);

/** The document's spelling of each frequency; `USER_DEFINED` is of public models (D-81). */
const spelling: { readonly [word: string]: (typeof frequencies)[number] } = {
  daily: 'Daily',
  weekly: 'Weekly',
  monthly: 'Monthly',
  user_defined: 'USER_DEFINED',
};
const frequencyWords = ['daily', 'weekly', 'monthly', 'user_defined'] as const;

export const frequencyArg = {
  schema: z.enum(frequencyWords).optional().describe('How often.'),
  fills: [{ path: 'reportFrequency', value: (given: unknown) => spelling[String(given)] }],
  rule: 'RP-04',
} as const;

/** The word of a frequency in an answer, whose spelling may be either. */
export const frequencyShown = textsShown(frequencyWords);
export const showFrequency = (frequency: string): string => untrusted(frequency.toLowerCase());

export const fieldsArg = {
  schema: z
    .array(fieldName)
    .min(1)
    .max(limits.reportFieldElements)
    .describe('From describe_report_definition, in order.'),
  fills: [{ path: 'reportFields[]', value: (given: unknown) => given }],
  rule: 'RP-02',
} as const;

export const formatArg = {
  schema: z.enum(['csv', 'xml']).optional().describe('Of the file.'),
  fills: [{ path: 'reportMimeType', value: (given: unknown) => formats[String(given)] }],
  rule: 'RP-04',
} as const;

/** A field, or one of the names that public models have for filters besides. */
const filterName = z
  .string()
  .max(limits.textCharacters)
  .regex(/^[A-Za-z][\w.-]*$/, 'must be a field such as "Application.Name"');

interface Filter {
  readonly field: string;
  readonly values: readonly string[];
}

/** A value in full: not what stands for one that was hidden or shortened (`…`, which arguments have as three dots). */
const filterValue = text.refine(
  (value) => !/^\*$|(?:…|\.{3})$/.test(value),
  'stands for a value that is not shown: give the real value, or leave the filter out, which removes it',
);

/** Filters as the platform takes them: values by field. */
const filtersOf = (given: unknown) =>
  given === undefined
    ? undefined
    : Object.fromEntries((given as readonly Filter[]).map(({ field, values }) => [field, values])); // by the argument's schema

const spokenFilters = (given: unknown): string =>
  (given as readonly Filter[]) // by the argument's schema
    .map(({ field, values }) =>
      values.length === 0 ? `${field} is anything` : `${field} is ${values.map((value) => quoted(value)).join(' or ')}`,
    )
    .join(', and ');

export const filtersArg = once(
  () =>
    ({
      schema: z
        .array(
          z.strictObject({
            field: filterName.describe('Such as Application.Name.'),
            values: z.array(filterValue).describe('Any of these.'),
          }),
        )
        .max(limits.arrayElements)
        .optional()
        .describe('Only rows with these values.'),
      fills: [{ path: 'reportFilters', value: filtersOf }],
      approvalText: spokenFilters,
      rule: 'RP-04',
    }) as const,
);

/** A definition that was described may be known; its fields are then held against it (RP-02). */
export const meetsDefinition = {
  mayMatch: { kind: 'reportDefinition', handle: (given: string) => handleFor('reportDefinition', given) },
} as const;
