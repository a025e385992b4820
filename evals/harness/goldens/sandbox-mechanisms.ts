import { contract } from '../../../src/domains/index.ts';
import { PlatformError } from '../../../src/sandbox/answer.ts';
import { keptBody } from '../../../src/sandbox/kept-body.ts';
import { router } from '../../../src/sandbox/routes.ts';
import { checkAccept, checkBody, checkQuery } from '../../../src/sandbox/shape.ts';
import type { Lines, Mechanisms } from './lines.ts';

// What the sandbox takes of a request by its shape alone, where it leads, and what it keeps of it.

const refusedBy = (work: () => unknown): unknown => {
  try {
    return work() ?? 'taken';
  } catch (error) {
    return error instanceof PlatformError ? `${error.status} ${error.reason} ${error.source}: ${error.message}` : error;
  }
};

const bodies = [
  '',
  ' ',
  '{',
  '[]',
  'null',
  '"text"',
  '{}',
  '{"__proto__":{}}',
  '{"encryptedRequest":"eyJ"}',
  '{"a":1}',
];

const shapes = (): Lines => {
  const [withBody, without] = [contract.createPlan, contract.activatePlan];
  return [
    ...bodies.map((body) => [`the body ${body}`, refusedBy(() => checkBody(withBody, {}, body))] as const),
    ...bodies.map((body) => [`${body} where none is`, refusedBy(() => checkBody(without, {}, body))] as const),
    ...['', 'limit=', 'limit=1', 'limit=1&limit=2', 'limit=x', 'limit=0', 'other=1'].map(
      (query) => [`the query ${query}`, refusedBy(() => checkQuery(contract.listPlans, query))] as const,
    ),
    ...['', '*/*', 'text/csv', 'Application/XML ; q=1', 'text/csv, application/xml', 'text/plain, text/csv'].flatMap(
      (accept) => [
        [`a report as ${accept}`, refusedBy(() => checkAccept(contract.getReport, accept))] as const,
        [`plans as ${accept}`, refusedBy(() => checkAccept(contract.listPlans, accept))] as const,
      ],
    ),
  ];
};

const routed = (): Lines => {
  const find = router([
    ['GET /plans/{id}', 'one'],
    ['PATCH /plans/{id}', 'change'],
    ['GET /plans/code', 'code'],
    ['PATCH /plans/{id}', 'another change'],
    ['GET /plans/{id}/{part}', 'part'],
    ['GET /plans/{id}/code', 'code of one'],
  ]);
  const asked = [
    ...['GET /plans/1', 'PATCH /plans/1', 'DELETE /plans/1', 'GET /plans/code', 'PATCH /plans/code', 'GET /plans'],
    ...[
      'GET /plans/',
      'GET /plans/1/2',
      'GET /plans/1/code',
      'GET /plans/code/code',
      'GET /plans/a%20b',
      'HEAD /plans/1',
    ],
  ];
  return asked.map((call) => {
    const [method = '', path = ''] = call.split(' ');
    return [call, find(method, path)] as const;
  });
};

/** Bodies with numbers that are those of cards, or look like them. */
const kept = (): Lines =>
  [
    '',
    'no JSON',
    '{"a":1}',
    '{"number":"4111111111111111"}',
    '{"number":"4111 1111 1111 1111"}',
    '{"number":4111111111111111}',
    '{"number":"123"}',
    '{"number":"4000001234567899"}',
    '{"card":{"number":"378282246310005","securityCode":"123"}}',
    '{"securityCode":123}',
    '{"securityCode":{"value":"123"}}',
    '{"fluidData":{"value":"eyJ"}}',
    '{"note":"4111111111111111"}',
    '{"note":"4111111111111112"}',
    '{"note":" 4111-1111-1111-1111 "}',
    '{"note":"Pay 4111111111111111"}',
    // Numbers of other lengths that have their check digit, and one more than it: of 12 digits, 13, 14, 15, 19 and 20.
    ...[
      '500000000009',
      '4222222222222',
      '30569309025904',
      '378282246310005',
      '6304000000000000000',
      '60000000000000000007',
    ]
      .flatMap((digits) => [digits, digits.slice(0, -1) + ((Number(digits.at(-1)) + 1) % 10)])
      .map((digits) => `{"note":"${digits}"}`),
    // By their first digit.
    ...['1000000000000008', '2223000048400011', '7000000000000005'].map((digits) => `{"note":"${digits}"}`),
    // With zeros behind its first eight digits it is a valid number by chance.
    '{"number":"4111111300000018"}',
    '{"number":"5555555555554444"}',
    '{"amounts":["4111111111111111",4111111111111111]}',
  ].map((body) => [body, keptBody(body)] as const);

export const sandboxMechanisms: Mechanisms = {
  'shapes of requests that the sandbox takes': shapes,
  'where a call leads in the sandbox': routed,
  'what the sandbox keeps of a body': kept,
};
