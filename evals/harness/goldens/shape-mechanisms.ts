import { z } from 'zod';
import { canonicalJson, type Json } from '../../../src/core/canonical-json.ts';
import { currencies } from '../../../src/core/currencies.ts';
import {
  amount,
  blob,
  country,
  currency,
  digits,
  epochSeconds,
  leaves,
  secret,
  text,
  url,
  uuid,
  word,
} from '../../../src/core/fields.ts';
import { limits } from '../../../src/core/limits.ts';
import { added, isTooLarge, money, moneyFault, sameMoney, subtracted, sumOf, within } from '../../../src/core/money.ts';
import { fillPath, namesAnother, parseCall } from '../../../src/core/operation.ts';
import { parseJson } from '../../../src/core/parse-json.ts';
import { createRowCounter } from '../../../src/core/row-counter.ts';
import { addMonths, cycleDate, dayOf, paymentsWithin } from '../../../src/core/schedule.ts';
import { holds, isSame, keyFor, Secret } from '../../../src/core/secret.ts';
import { placedSecrets, secretsIn, withPlaced } from '../../../src/core/secret-leaves.ts';
import type { Mechanisms } from './lines.ts';

// The plain parts of which domains are made: fields, money, paths, files and secrets, at and beyond their bounds.

/** What a function gives, or what it says where it refuses. */
function of(make: () => unknown): unknown {
  try {
    return make();
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : 'throws';
  }
}

const many = (count: number): string => 'x'.repeat(count);
/** Kinds of fields, and values at the bounds of each. */
const fields: readonly (readonly [kind: string, schema: z.ZodType, values: readonly unknown[]])[] = [
  ['text', text, ['', 'x', many(limits.textCharacters), many(limits.textCharacters + 1), 7]],
  ['word', word, ['SENT', 'sent', '', 'constructor', 'toString', 'hasOwnProperty', '__proto__', 'valueOf', 'then']],
  ['blob', blob, ['', 'x', many(limits.blobCharacters), many(limits.blobCharacters + 1)]],
  [
    'amount',
    amount,
    [
      '0',
      '40',
      '40.',
      '40.0',
      '40.00',
      '40.000',
      '40.0000',
      '.5',
      '-1',
      '1e3',
      '1,00',
      '',
      ' 1',
      '040.00',
      '999999999999',
      '9999999999999',
    ],
  ],
  ['currency', currency, ['GBP', 'gbp', 'GB', 'GBPX', 'XXX', 'XAU', 'HRK', '826', '']],
  [
    'epochSeconds',
    epochSeconds,
    ['12345678', '123456789', '1768467600', '12345678901', '123456789012', '1768467600.5', '-1768467600', ''],
  ],
  [
    'uuid',
    uuid,
    [
      '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
      '3F2504E0-4F89-41D3-9A0C-0305E82C3301',
      '3f2504e04f8941d39a0c0305e82c3301',
      '',
    ],
  ],
  ['country', country, ['GB', 'gb', 'G', 'GBR', '']],
  [
    'url',
    url,
    [
      'https://a.example/x',
      'http://a.example',
      'ftp://a.example',
      'javascript:x',
      'a.example',
      `https://a.example/${many(limits.textCharacters)}`,
    ],
  ],
  ['digits', digits, ['0', '123456789', '1234567890', '1.0', '-1', '١', '']],
];
const short = (value: unknown): string => String(value).replace(/x{20,}/g, (run) => `${run.length} x`);

const kindsOfFields: Mechanisms[string] = () =>
  fields.flatMap(([kind, schema, values]) =>
    values.map((value) => {
      const { error } = schema.safeParse(value);
      return [
        `${kind} "${short(value)}"`,
        error === undefined ? 'taken' : error.issues.map(({ message }) => message),
      ] as const;
    }),
  );

const decimals: Mechanisms[string] = () => {
  const by = Map.groupBy(currencies, ({ code }) =>
    [0, 1, 2, 3, 4]
      .filter((it) => {
        const amountOf = it === 0 ? '1' : `1.${'1'.repeat(it)}`;
        return moneyFault(amountOf, code) === null;
      })
      .join(' '),
  );
  return [
    ...[...by].map(([decimals, its]) => [`${decimals} decimals`, its.map(({ code }) => code).join(' ')] as const),
    ['numbers', currencies.map(({ code, numeric }) => `${code} ${numeric}`).join(', ')],
  ];
};

const sums: Mechanisms[string] = () => {
  const pairs = [
    ['10.00', '0.01'],
    ['0.01', '10.00'],
    ['10', '10.00'],
    ['0', '0.00'],
    ['999999999999.99', '0.01'],
  ] as const;
  return [
    ...pairs.flatMap(([one, other]) => [
      [`${one} and ${other} GBP`, of(() => added(one, other, 'GBP'))] as const,
      [`${one} less ${other} GBP`, of(() => subtracted(one, other, 'GBP'))] as const,
      ...(['GBP', 'JPY', 'KWD'] as const).map(
        (currency) =>
          [
            `${one} GBP beside ${other} ${currency}`,
            of(() => {
              const [it, limit] = [money(one, 'GBP'), money(other, currency)];
              return [within(it, limit) ? 'within it' : 'beyond it', sameMoney(it, limit) ? 'the same' : 'another'];
            }),
          ] as const,
      ),
    ]),
    ...[[], ['1.00'], ['1.00', '2.50'], ['1.00', 'x'], ['1.001']].map(
      (amounts) => [`the sum of ${amounts.join(' ') || 'nothing'}`, sumOf(amounts, 'GBP') ?? 'none'] as const,
    ),
    ['the sum in no currency', sumOf(['1.00'], 'XXX') ?? 'none'],
    ...[11, 12, 13].flatMap((length) =>
      ['', '.', '.5'].map((rest) => [`${length} digits and "${rest}"`, isTooLarge('9'.repeat(length) + rest)] as const),
    ),
  ];
};

const paths: Mechanisms[string] = () => {
  const names = [
    'one',
    'a.b',
    '.',
    '..',
    '...',
    '',
    'a/b',
    'a b',
    'a%2fb',
    'a?b',
    'é',
    many(128),
    many(129),
    many(255),
    many(256),
    'a\nb',
    'a\u2028b',
    'a\ud83d',
    '~-._',
  ];
  return [
    ...names.flatMap((id) =>
      [undefined, ['id']].map(
        (worded) =>
          [
            `"${short(JSON.stringify(id).slice(1, -1))}"${worded ? ' in words' : ''}`,
            short(of(() => fillPath({ template: '/things/{id}/end', worded }, { id }))),
          ] as const,
      ),
    ),
    ['no name', of(() => fillPath({ template: '/things/{id}' }, {}))],
    ['a name of every object', of(() => fillPath({ template: '/things/{constructor}' }, {}))],
    ...['GET /x', 'SDK charge', 'SDK Charge', 'SDK a b', 'GET x', 'HEAD /x', 'GET', 'GET /x y', 'get /x'].map(
      (call) => [call, of(() => parseCall(call))] as const,
    ),
  ];
};

const named: Mechanisms[string] = () => {
  const asksFor = { by: 'id', namedAs: ['id', 'number'] };
  const answers = [
    {},
    { id: 'one' },
    { id: 'two' },
    { id: 'one', number: 'two' },
    { id: 'two', number: 'one' },
    { id: 'two', number: 'three' },
    { number: 'two' },
    null,
    'one',
  ];
  return [
    ...answers.map(
      (answer) =>
        [JSON.stringify(answer), namesAnother({ asksFor }, { id: 'one' }, answer) ?? 'it is the one'] as const,
    ),
    ['by one name, another', namesAnother({ asksFor: { by: 'id', namedAs: ['id'] } }, { id: 'one' }, { id: 'two' })],
    [
      'by one name, none',
      namesAnother({ asksFor: { by: 'id', namedAs: ['id'] } }, { id: 'one' }, {}) ?? 'it is the one',
    ],
    ['what asks for nothing', namesAnother({}, { id: 'one' }, { id: 'two' }) ?? 'it is the one'],
  ];
};

/** Texts of files, and how many rows are counted in them, whole and byte by byte. */
const counted: Mechanisms[string] = () => {
  const csv = [
    '',
    'a',
    'a\n',
    'a\nb',
    'a\nb\n',
    'a\r\nb\r\n',
    'a\n\nb\n\n',
    '\n\na\nb',
    '"a\nb"\nc',
    '"a""\nb"\nc',
    'a"\nb\nc',
    'a,"b\n",c\nd',
    'a\n"b',
  ];
  const xml = [
    '',
    '<r/>',
    '<r></r><r a="1"/>',
    '<rs><r/></rs>',
    '<!--<r/>--><r/>',
    '<!-- -- <r/> --><r/>',
    '<![CDATA[<r/>]]><r/>',
    '<r',
    '</r>',
    '<r>\n<r>',
    '<R/>',
    '<!----><r/>',
  ];
  const rows = (type: 'text/csv' | 'application/xml', text: string, headerLines: number) => {
    const counts = [text.length || 1, 1].map((size) => {
      const counter = createRowCounter(type, { types: [type], element: 'r', headerLines });
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; at += size) counter.add(bytes.subarray(at, at + size));
      return counter.rows();
    });
    return [...new Set(counts)].join(' or ');
  };
  return [
    ...csv.map((it) => [JSON.stringify(it), [0, 1, 2].map((head) => rows('text/csv', it, head)).join(' ')] as const),
    ...xml.map((it) => [JSON.stringify(it), rows('application/xml', it, 1)] as const),
    ['rows of no element', createRowCounter('application/xml', { types: ['application/xml'] }).rows()],
  ];
};

const dates: Mechanisms[string] = () => {
  const days = ['2024-01-31', '2024-02-29', '2025-12-31', '2026-01-01', '2026-08-31', '2026-03-30'];
  const day = (at: number): string => new Date(at).toISOString().replace('T00:00:00.000Z', '');
  return [
    ...days.map(
      (it) =>
        [
          `${it} and months`,
          [-1, 0, 1, 2, 11, 12, 13].map((more) => day(addMonths(Date.parse(it), more))).join(' '),
        ] as const,
    ),
    ...(['D', 'W', 'M', 'Y'] as const).flatMap((unit) =>
      [1, 2, 3].flatMap((length) =>
        [1, 12].map((months) => {
          const anchor = Date.parse('2026-01-31');
          const period = { length, unit };
          const payments = paymentsWithin(anchor, period, months);
          return [
            `every ${length} ${unit} within ${months} months`,
            `${payments}, the last on ${day(cycleDate(anchor, period, payments))}, the next on ${day(cycleDate(anchor, period, payments + 1))}`,
          ] as const;
        }),
      ),
    ),
    ...[-1, 0, 1].map(
      (more) => [`the day ${more} ms after midnight`, day(dayOf(Date.parse('2026-01-15') + more))] as const,
    ),
  ];
};

const secrets: Mechanisms[string] = () => {
  const shape = z.object({
    code: secret(text),
    cards: z.array(z.object({ number: secret(text), name: text })).optional(),
    note: text.nullable(),
    time: secret(text, { stored: false }).optional(),
  });
  const body = {
    code: 'one',
    cards: [
      { number: 'two', name: 'Ada' },
      { number: 'three', name: 'Bo' },
    ],
    note: null,
    more: { code: 'four' },
  };
  const [one, other] = [new Secret('word'), new Secret('words')];
  const placed = withPlaced(body, [
    { path: ['code'], value: one },
    { path: ['cards', '1', 'number'], value: other },
  ]);
  return [
    [
      'fields',
      leaves(shape).map(
        ({ path, optional, field }) =>
          `${path}${optional ? ', optional' : ''}${field.secret ? ', secret' : ''}${field.stored === false ? ', never stored' : ''}`,
      ),
    ],
    ['found by the shape', secretsIn(shape, body)],
    ['found in a list', secretsIn(z.array(shape), [body, { code: 'five' }])],
    ['found in nothing', [...secretsIn(shape, null), ...secretsIn(undefined, body), ...secretsIn(shape, 7)]],
    ['placed', placedSecrets(placed).map(({ path }) => path.join('.'))],
    ['as JSON, as text, in a template', [JSON.stringify(placed), String(one), `${other}`]],
    [
      'spread, listed and cloned',
      [Object.keys(one), JSON.stringify({ ...one }), of(() => JSON.stringify(structuredClone(one)))],
    ],
    [
      'held',
      [holds(one, 'word'), holds(one, 'words'), holds(one, ''), isSame(one, new Secret('word')), isSame(one, other)],
    ],
    [
      'keys for two purposes, and of two secrets',
      [keyFor(one, 'a'), keyFor(one, 'b'), keyFor(other, 'a')].map((it) => it.slice(0, 8)),
    ],
  ];
};

const texts: Mechanisms[string] = () => [
  ...(
    [
      '{"a":1}',
      '["\\ud83d"]',
      '{"\\ud83d":1}',
      '{"a":{"b\\ud83d":["\\udc00",{"c\\ud83d":2}]}}',
      '{"\\ud83d\\ude00":"\\ud83d\\ude00"}',
      '"\\\\ud83d"',
    ] as const
  ).map((it) => [it, canonicalJson(parseJson(it) as Json)] as const),
  ...(
    [
      { b: 1, a: 2 },
      { aa: 1, a: { d: 1, c: [3, { f: 1, e: 2 }] } },
      { é: 1, z: 2, Z: 3, '10': 4, '9': 5 },
      [],
      {},
      [undefined, null],
      -0,
      1e21,
      0.1,
    ] as const
  ).map((it) => [JSON.stringify(it), of(() => canonicalJson(it as Json))] as const),
  ...(
    [
      ['no number', Number.NaN],
      ['more than all numbers', Number.POSITIVE_INFINITY],
      ['half a character', '\ud83d'],
      ['a date', new Date(0)],
      ['a map', new Map()],
      ['a secret', new Secret('x')],
    ] as const
  ).map(([what, it]) => [what, of(() => canonicalJson(it as unknown as Json))] as const),
];

export const shapeMechanisms: Mechanisms = {
  'what each kind of field takes': kindsOfFields,
  'decimals and numbers of every currency': decimals,
  'sums, differences and limits': sums,
  'names in a path, and how calls are written': paths,
  'answers that name what was asked for': named,
  'rows of files': counted,
  'months, and payments within them': dates,
  'secrets in a body': secrets,
  'texts of JSON, as they are read and remembered': texts,
};
