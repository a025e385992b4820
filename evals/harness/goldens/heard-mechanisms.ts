import { redact } from '../../../src/client/redact.ts';
import { refusal } from '../../../src/client/refusal.ts';
import { limits } from '../../../src/core/limits.ts';
import { contract } from '../../../src/domains/index.ts';
import type { Mechanisms } from './lines.ts';
import { valueFor } from './schema-values.ts';
import { start } from './thing-bodies.ts';

// What is heard of the platform's words in a refusal, and what a preview shows of each request.

const number = '4111111111111111';
const many = (count: number): string => 'x'.repeat(count);
const short = (text: unknown): unknown =>
  typeof text === 'string' ? text.replace(/[xX]{20,}/g, (run) => `${run.length} ${run[0]}`) : (text ?? 'nothing');

const reasons = [
  ...[
    'INVALID_DATA',
    'invalid data',
    'A',
    '1',
    '',
    'A.B:C-D E',
    'A/B',
    'A\nB',
    `CARD ${number}`,
    'CODE 1234',
    'CODE 123',
    'CVV 123',
  ],
  ...[80, 81, 500].map((count) => many(count)),
  ...['OTP 482913', 'É', 7, null, ['A'], { a: 1 }],
];
const named = [
  ...['amount', 'a.b[0].c', 'a-b', 'a b', '1a', '', 'a/b', `card.${number}`, 'order.1234', 'order.123', 'a\n'],
  ...[120, 121].map((count) => many(count)),
];
const messages = [
  ...[
    'Not found.',
    '',
    ' ',
    `Card ${number} is bad.`,
    'Card 4111-1111 1111.1111 is bad.',
    'CVV 123',
    'My OTP is 482913.',
    'a\u202e\u0007\r\n\tb',
  ],
  ...[limits.untrustedCharacters, limits.untrustedCharacters + 1].map((count) => 'word '.repeat(count).slice(0, count)),
  ...['😀'.repeat(limits.untrustedCharacters + 1), 'EAunvgMyM/vtFALxczEZzKDuyug=', 'Order 1234 of 2026-01-15.'],
];

const words: Mechanisms[string] = () => {
  const clock = { now: () => start };
  const heard = (body: unknown, status = 400) => {
    const it = refusal(contract.createPlan.error, new Response(null, { status }), body, clock);
    return [it.reason, it.field, it.untrustedMessage].map(short);
  };
  return [
    ...reasons.map((reason) => [`the reason ${JSON.stringify(short(reason))}`, heard({ reason })] as const),
    ...named.map((field) => [`the field ${JSON.stringify(short(field))}`, heard({ details: [{ field }] })] as const),
    ...messages.map((message) => [`the message ${JSON.stringify(short(message))}`, heard({ message })] as const),
    ...[undefined, null, 'text', [], { response: { rmsg: 'Denied.' } }, { errors: [{ type: 'x', message: 'y' }] }].map(
      (body) => [`the body ${JSON.stringify(body) ?? 'of nothing'}`, heard(body, 503)] as const,
    ),
  ];
};

/** The paths of what is hidden or shown in a value. */
function pathsOf(value: unknown, isWanted: (it: unknown) => boolean, path = ''): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((it) => pathsOf(it, isWanted, `${path}[]`));
  if (typeof value !== 'object' || value === null) return isWanted(value) ? [path] : [];
  return Object.entries(value).flatMap(([name, it]) => pathsOf(it, isWanted, path === '' ? name : `${path}.${name}`));
}

const isHidden = (it: unknown): boolean => it === '[hidden]';

const previews: Mechanisms[string] = () =>
  Object.entries(contract).flatMap(([name, { body }]) => {
    if (body === undefined) return [];
    const shown = redact(valueFor(body, 'all'), body);
    const all = [isHidden, (it: unknown) => !isHidden(it)].map(
      (is) => [...new Set(pathsOf(shown, is))].join(' ') || 'nothing',
    );
    return [[name, `hides ${all[0]}; shows ${all[1]}`] as const];
  });

export const heardMechanisms: Mechanisms = {
  'the words of a refusal': words,
  'what a preview shows of each request': previews,
  'what a preview shows of what is not in the shape': () => [
    ['nothing', redact(undefined, undefined)],
    ['a value without a shape', redact({ a: 'x', b: ['y', 1], c: null }, undefined)],
    ['a member more', redact({ constructor: 'x', more: { a: 'y' } }, contract.createPlan.body)],
  ],
};
