import { z } from 'zod';
import { fixed, model, platform, text, under } from '../../core/fields.ts';
import { once } from '../../core/once.ts';
import { definitionNames } from './definitions.ts';

// The shapes of report definitions: document 3, completed from public models of the platform's clients.

/** Only a partner names an organization; for everybody else the credentials determine it (RP-12). */
export const organizationId = under('RP-12', model(text)).optional();

export const definitionFilters = once(() => z.looseObject({ organizationId }));

/** The documents request one definition with `download=true`. */
export const definitionQuery = once(() => z.looseObject({ organizationId, download: fixed('true').optional() }));

/** One of the 18 definitions. */
export const definitionName = under(
  'RP-02',
  model(
    z.string().refine((name) => definitionNames.some((one) => one === name), 'must be the name of a report definition'),
  ),
);

const valuesByField = z.record(z.string(), z.array(z.string()));

/** An array of filters as one; what is none stays as it is. */
export function filtersInOne(given: unknown): unknown {
  const all = z.array(valuesByField).safeParse(given);
  if (!all.success) return given;
  const byField = Map.groupBy(all.data.flatMap(Object.entries<string[]>), ([field]) => field);
  return Object.fromEntries([...byField].map(([field, its]) => [field, its.flatMap(([, values]) => values)]));
}

/** The filters in a response, as an array, too (D-131). */
export const filtersShown = platform(z.preprocess(filtersInOne, valuesByField));

const shownPreferences = once(() =>
  z.looseObject({
    signedAmounts: platform(z.boolean()).optional(),
    fieldNameConvention: platform(text).optional(),
  }),
);

const defaultSettings = once(() =>
  z.looseObject({
    reportMimeType: platform(text).optional(),
    reportFrequency: platform(text).optional(),
    reportName: platform(z.string()).optional(),
    timezone: platform(text).optional(),
    startTime: platform(text).optional(),
    startDay: platform(z.number()).optional(),
    reportFilters: filtersShown.optional(),
    reportPreferences: shownPreferences().optional(),
  }),
);

const definition = once(
  () =>
    ({
      type: platform(text).optional(),
      reportDefinitionId: platform(z.number()).optional(),
      /** Public models spell it so. */
      reportDefintionName: platform(text),
      supportedFormats: z.array(platform(text)).optional(),
      description: platform(z.string()).optional(),
      defaultSettings: defaultSettings().optional(),
      subscriptionType: platform(text).optional(),
    }) as const,
);

export const definitionList = once(() => z.looseObject({ reportDefinitions: z.array(z.looseObject(definition())) }));

export const definitionWithFields = once(() =>
  z.looseObject({
    ...definition(),
    attributes: z.array(
      z.looseObject({
        id: platform(text),
        name: platform(text).optional(),
        description: platform(z.string()).optional(),
        filterType: platform(text).optional(),
        default: platform(z.boolean()).optional(),
        required: platform(z.boolean()).optional(),
        supportedType: platform(text).optional(),
      }),
    ),
  }),
);
