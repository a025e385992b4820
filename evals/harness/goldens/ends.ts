import { z } from 'zod';
import { outcomeOf } from '../../../src/client/outcome.ts';
import { refusal } from '../../../src/client/refusal.ts';
import type { ErrorFormat } from '../../../src/core/error-format.ts';
import { leaves } from '../../../src/core/fields.ts';
import { once } from '../../../src/core/once.ts';
import type { Operation } from '../../../src/core/operation.ts';
import type { Outcome } from '../../../src/core/outcome.ts';
import { otherErrorPaths } from '../../../src/domains/errors.ts';
import { contract } from '../../../src/domains/index.ts';
import { eventsIn } from '../../../src/domains/webhooks/delivered.ts';
import { knownEventTypes, subjectOf } from '../../../src/domains/webhooks/subjects.ts';
import { declined } from '../../../src/engine/declined.ts';
import { operationOf, type PlatformTool } from '../../../src/engine/tool.ts';
import { type End, outcomeOfEnd } from '../../../src/reader/ends.ts';
import { endCases } from '../../../src/reader/protocol.ts';
import { everyTool } from '../../../tools/index.ts';
import { anotherThan, type Variation, variationsWith } from '../replay/variations.ts';

// What becomes of what stories rarely hear: refusals of the platform, ends of a reader's calls, and deliveries, each as it is and with
// one field missing or wrong. No world is needed for it: these are decided by what came and by tables.

/** Every such end, as text for people. Made once: nothing that it depends on changes while a process runs. */
export const endsText: () => string = once(() => {
  const parts = [
    ...formats().map(([names, format]) => [`refusals as ${names.join(', ')} have them:`, ...linesOfFormat(format)]),
    ['refusals of a shape that no operation has, by where they say why:', ...linesOfOtherShapes()],
    ...platformTools
      .filter((tool) => operationOf(tool).transport === 'http')
      .map((tool) => [`refused ${tool.name}:`, ...linesOfRefused(tool)]),
    ...readerTools.map((tool) => [`ended ${tool.name}:`, ...linesOfEnds(tool)]),
    ['deliveries:', ...linesOfDeliveries()],
  ];
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`;
});

const platformTools = everyTool.filter((tool): tool is PlatformTool => tool.kind === 'platform');
const readerTools = platformTools.filter((tool) => operationOf(tool).transport === 'reader');
const clock = { now: () => Date.UTC(2026, 0, 15, 9) };

/** What ends alike is on one line. */
function grouped(ends: readonly (readonly [what: string, end: string])[]): readonly string[] {
  const by = Map.groupBy(ends, ([, end]) => end);
  return [...by].map(([end, whats]) => `  ${whats.map(([what]) => what).join(', ')}: ${end}`);
}

/** The same for variations of something, without those that end as it does. */
function groupedOthers(
  asIs: string,
  others: readonly Variation[],
  endOf: (body: unknown) => string,
): readonly string[] {
  const ends = others.map(({ what, body }) => [what, endOf(body)] as const);
  return grouped(ends.filter(([, end]) => end !== asIs));
}

/** Each error format, with the operations that have it. */
function formats(): readonly (readonly [names: readonly string[], format: ErrorFormat])[] {
  const all: readonly (readonly [string, Operation])[] = Object.entries(contract);
  return [...Map.groupBy(all, ([, { error }]) => error)].map(([error, its]) => [its.map(([name]) => name), error]);
}

const reported = (reason: string, field = 'orderInformation.amountDetails.currency') => ({
  ...{ status: 400, reason, message: 'Something is wrong.', field, at: '2026-01-15T09:00:00Z' },
  details: [{ field, reason }],
});

function refused(format: ErrorFormat, status: number, body: unknown, headers: Record<string, string> = {}): Outcome {
  return outcomeOf(refusal(format, new Response(null, { status, headers }), body, clock));
}

/** What is read of a body with one field missing or wrong. */
function linesOfFormat(format: ErrorFormat): readonly string[] {
  const body = format.toBody(reported('INVALID_DATA'));
  // The other places are read only where the body doesn't have the shape of its format.
  const end = (it: unknown): string => sayOf(refused(format, 400, isTree(it) ? { ...elsewhere, ...it } : it));
  const others = ['', 'a text', null, [], {}].map((it) => ({ what: JSON.stringify(it), body: it }));
  return [
    ...grouped([['as it is', end(body)]]),
    ...groupedOthers(end(body), [...others, ...variationsWith(body, wrongTexts)], end),
  ];
}

type Tree = Readonly<Record<string, unknown>>;
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);
const elsewhere = {
  error: { reason: 'OTHER', message: 'It stands elsewhere.', detail: { source: 'elsewhere' } },
};

/** A body with a text at the end of each of these paths. */
const bodyWith = (texts: Readonly<Record<string, string>>): Tree =>
  Object.assign({}, ...Object.entries(texts).map(([path, text]) => pathTo(path.split('.'), text)));

function pathTo([step = '', ...rest]: readonly string[], text: string): Tree {
  const value = rest.length === 0 ? text : pathTo(rest, text);
  return step.endsWith('[]') ? { [step.slice(0, -2)]: [value] } : { [step]: value };
}

/** What is read of a refusal that only says why at one place, or at two of them that say otherwise. */
function linesOfOtherShapes(): readonly string[] {
  const [[, format] = []] = formats();
  if (format === undefined) return [];
  const shapeless = { ...format, schema: z.never() };
  const end = (body: Tree): string => sayOf(refused(shapeless, 400, body));
  return grouped(
    [otherErrorPaths.reason, otherErrorPaths.field, otherErrorPaths.message].flatMap((paths) =>
      paths.flatMap((path, at) => {
        const next = paths[at + 1];
        const alone = [path, end(bodyWith({ [path]: 'one' }))] as const;
        return next === undefined
          ? [alone]
          : [alone, [`${path} before ${next}`, end(bodyWith({ [path]: 'one', [next]: 'two' }))] as const];
      }),
    ),
  );
}

const wrongTexts = (value: unknown): readonly (readonly [name: string, value: unknown])[] =>
  typeof value === 'string'
    ? [
        ['empty', ''],
        ['another', 'Another'],
        ['inherited', 'constructor'],
        ['with a long number', 'A 41111111 b'],
        ['a list', [value]],
      ]
    : [];

/** An outcome without what is undefined in it. */
function sayOf(outcome: Outcome): string {
  const { body: _, end: __, ...rest } = { body: undefined, end: undefined, ...outcome };
  return Object.values(rest)
    .filter((value) => value !== undefined)
    .map(String)
    .join(' ');
}

const statuses = [400, 401, 403, 404, 409, 422, 429, 499, 500, 503, 599];

function linesOfRefused(tool: PlatformTool): readonly string[] {
  const { error, body, query, path = {} } = operationOf(tool);
  const end = (status: number, field?: string) =>
    told(tool, refused(error, status, error.toBody({ ...reported('INVALID_DATA'), field, details: [] })));
  const fields = [body, query].flatMap((schema) =>
    schema === undefined ? [] : leaves(schema).map(({ path: it }) => it),
  );
  const named = (field: string) => blamed(tool, refused(error, 400, error.toBody(reported('INVALID_DATA', field))));
  return [
    ...grouped([
      ...statuses.map((status) => [String(status), end(status)] as const),
      ['INVALID_STATE', told(tool, refused(error, 400, error.toBody({ ...reported('INVALID_STATE'), details: [] })))],
      ['429 with a wait', told(tool, refused(error, 429, undefined, { 'retry-after': '7' }))],
    ]),
    ...grouped([...new Set([...fields, ...Object.keys(path)])].map((field) => [field, named(field)])),
  ];
}

/** What the agent hears of an outcome, or what it is where that depends on more. */
function told(tool: PlatformTool, outcome: Outcome): string {
  if (outcome.kind !== 'declined') return sayOf(outcome);
  const { said, next, error } = declined(outcome, tool);
  const { code, retry, wait, field, untrusted } = error ?? {};
  const words = [code, retry, wait, field && `at ${field}`, untrusted && `untrusted: ${untrusted}`];
  return `${words.filter((it) => it !== undefined).join(' ')}; ${said}${next.length === 0 ? '' : ` Next: ${next.join(', ')}.`}`;
}

/** What the agent hears besides where one field is at fault. */
function blamed(tool: PlatformTool, outcome: Outcome): string {
  if (outcome.kind !== 'declined') return sayOf(outcome);
  const { said, next, error } = declined(outcome, tool);
  const nobodys = said.split('Nothing was changed.').at(-1)?.trim() ?? '';
  const words = [error?.retry, ...(nobodys === '' ? [`at ${error?.field}`] : [nobodys]), `next ${next.join(', ')}`];
  return words.join('; ');
}

/** What a reader's app answers, by the operation; its transactions all have one shape. */
const transaction = {
  ...{ identifier: 'tx-1', status: 'Approved', type: 'charge', customIdentifier: 'sale-1', currency: 'GBP' },
  ...{ amount: '44.00', tipAmount: '4.00', autocapture: true, capturedAmount: '44.00', refundedAmount: '0.00' },
  ...{ expirationDate: '2026-01-22T09:00:00Z', receiptText: 'Thank you' },
};
const values: { readonly [template: string]: unknown } = {
  enroll: { deviceId: 'device-1' },
  enrollmentStatus: {
    status: 'enrolled',
    reader: {
      ...{ environment: 'test', serialNumber: 'AB-1', handsetGeneration: 12, osVersion: '17.1' },
      ...{ osReleasedOn: '2025-10-25', sdkVersion: '2.0.0', educationShown: true },
    },
  },
  sendEmailReceipt: undefined,
};

function linesOfEnds(tool: PlatformTool): readonly string[] {
  const operation = operationOf(tool);
  const { template } = operation;
  const value = Object.hasOwn(values, template) ? values[template] : transaction;
  const end = (it: End): string => told(tool, outcomeOfEnd(operation, it, { forID: transaction.identifier }));
  const succeeded = (it: unknown): string => end({ case: 'success', value: it });
  const failures = endCases.flatMap((it) => (it === 'success' || isStatus(it) ? [] : [it]));
  const others: readonly Variation[] = [
    { what: 'nothing', body: undefined },
    ...variationsWith(value, (it) => [...anotherThan(it), ['as null', null], ['as a list', [it]]]),
  ];
  return [
    ...grouped(failures.map((it) => [it, end({ case: it })])),
    ...grouped([['success', succeeded(value)]]),
    ...groupedOthers(succeeded(value), others, succeeded),
  ];
}

const isStatus = (it: (typeof endCases)[number]): it is 'enrolled' | 'enrolling' | 'notEnrolled' =>
  it === 'enrolled' || it === 'enrolling' || it === 'notEnrolled';

function linesOfDeliveries(): readonly string[] {
  const told = {
    ...{ eventType: knownEventTypes[0], eventDate: '2026-01-15T09:00:00Z', transactionTraceId: 'trace-1' },
    ...{ notificationId: 'notice-1', payload: { data: { id: 'thing-1' } } },
  };
  const known = eventsIn(JSON.stringify(told))?.[0]?.id;
  const end = (body: unknown): string =>
    eventsIn(JSON.stringify(body) ?? '')
      ?.map(({ id, about, happenedAt }) =>
        [
          id === known ? 'the same event' : 'another event',
          about === undefined ? 'about nothing' : `about ${about.kind} ${about.platformId}`,
          happenedAt === null ? 'at no time' : new Date(happenedAt).toISOString(),
        ].join(' '),
      )
      .join('; ') ?? 'unreadable';
  const others = variationsWith(told, (it) => [
    ...anotherThan(it),
    ['inherited', 'constructor'],
    ['long', 'x'.repeat(300)],
    ['as null', null],
    ['as a list', [it, it]],
    ['as a number', 1],
  ]);
  const { payload, ...rest } = told;
  return [
    ...grouped(knownEventTypes.map((type) => [type, `about ${JSON.stringify(subjectOf(type)).replaceAll('"', '')}`])),
    ...grouped([
      ['as it is', end(told)],
      ['with payloads', end({ ...rest, payloads: [payload, { data: { id: 'thing-2' } }] })],
    ]),
    ...groupedOthers(end(told), others, end),
  ];
}
