import { FileNotStored, type FileType, isFileAnswer } from '../../../src/core/file-answer.ts';
import { limits } from '../../../src/core/limits.ts';
import { screenedPage } from '../../../src/engine/screened-page.ts';
import { each, type Mechanisms } from './lines.ts';
import { breaking, clientOf, endOf, start, whole } from './told-platform.ts';

// What comes of files: by what is stated of them, how they are stored, and their sums.

/** What is stored of a file, and what is heard of it. */
function receiver(stored: 'whole' | 'full' = 'whole') {
  const heard: string[] = [];
  const openFile = async () => ({
    write: async (chunk: Uint8Array) => {
      if (stored === 'full') throw new FileNotStored('full');
      heard.push(`${chunk.length} written`);
    },
    end: async () => ({ name: 'file', bytes: 0, digest: 'digest' }),
    abort: async () => void heard.push('aborted'),
  });
  const onProgress = ({ step, fraction }: { readonly step: string; readonly fraction?: number | undefined }) =>
    void heard.push(`${step} ${fraction}`);
  return { heard, openFile, onProgress };
}

const csv = 'Amount,Currency,At\n1.50,GBP,2026-01-15T09:00:00Z\n2.25,GBP,2026-01-15T10:00:00Z\n';
const inPieces = (text: string, pieces: number): ReadableStream<Uint8Array> => {
  const bytes = new TextEncoder().encode(text);
  const size = Math.ceil(bytes.length / pieces);
  return ReadableStream.from(Array.from({ length: pieces }, (_, at) => bytes.slice(at * size, (at + 1) * size)));
};

type Body = ConstructorParameters<typeof Response>[0];

/** Files, by what is stated of them. */
const files: readonly (readonly [what: string, headers: Record<string, string>, body: () => Body])[] = [
  ['a file', { 'content-type': 'text/csv ; charset=utf-8' }, () => csv],
  ['a file in pieces', { 'content-type': 'Text/CSV', 'content-length': `${csv.length}` }, () => inPieces(csv, 4)],
  ['a file of no bytes', { 'content-type': 'text/csv', 'content-length': '0' }, () => ''],
  ['a file without a body', { 'content-type': 'text/csv' }, () => null],
  ['a file of another type', { 'content-type': 'application/xml' }, () => '<Rows/>'],
  ['a file of no type', {}, () => new TextEncoder().encode(csv)],
  ['a compressed file', { 'content-type': 'text/csv', 'content-encoding': 'gzip' }, () => csv],
  ['a file that breaks off', { 'content-type': 'text/csv' }, breaking],
  ['a byte less than stated', { 'content-type': 'text/csv', 'content-length': `${csv.length + 1}` }, () => csv],
  ['the most bytes, stated', { 'content-type': 'text/csv', 'content-length': `${limits.fileBytes}` }, () => csv],
  ['a byte more, stated', { 'content-type': 'text/csv', 'content-length': `${limits.fileBytes + 1}` }, () => csv],
];

const sale = (amount: string, currency = 'GBP', at = '2026-01-15T09:00:00Z'): string => `${amount},${currency},${at}\n`;
const headed = (rows: string): string => `A title\nAmount,Currency,At\n${rows}`;
const row = (amount: string, rest = '<Currency>GBP</Currency><At>2026-01-15</At>'): string =>
  `<Row><Part><Amount>${amount}</Amount></Part>${rest}</Row>`;
const days = (count: number): string =>
  Array.from({ length: count }, (_, day) => sale('1.00', 'GBP', new Date(start + day * 86_400_000).toISOString())).join(
    '',
  );

/** Files with sums. */
const summed: readonly (readonly [what: string, type: FileType, text: string])[] = [
  [
    'two days and two currencies',
    'text/csv',
    headed(sale('1.50') + sale('-0.25') + sale('7', 'JPY') + sale('2.00', 'GBP', '2026-01-14')),
  ],
  ['three decimals', 'text/csv', headed(sale('1.125', 'KWD') + sale('0.005', 'KWD'))],
  [
    'no such day, currency and amount',
    'text/csv',
    headed(sale('1.00', 'GBP', '2026-02-30') + sale('1.00', 'XXY') + sale('one')),
  ],
  ['a column with its other name', 'text/csv', `A title\namount,Currency,At\n${sale('1.50')}`],
  ['a column too few', 'text/csv', 'A title\nAmount,At\n1.50,2026-01-15\n'],
  ['a value too few', 'text/csv', headed('1.50,GBP\n1.50\n')],
  ['quotes', 'text/csv', headed('"1.50","GBP","2026-01-15, at nine"\n')],
  ['a quote that never ends', 'text/csv', headed('"1.50,GBP\n')],
  ['the longest record', 'text/csv', headed(`1.50,GBP,${'x'.repeat(limits.fileRecordBytes - 20)}\n`)],
  ['too long a record', 'text/csv', headed(`1.50,GBP,${'x'.repeat(limits.fileRecordBytes + 1)}\n`)],
  ['the most days', 'text/csv', headed(days(limits.fileSumRows))],
  ['a day more', 'text/csv', headed(days(limits.fileSumRows + 1))],
  ['rows', 'application/xml', `<Rows>\n${row('1.50')}\n${row('2.25')}\n</Rows>`],
  [
    'rows with an amount outside',
    'application/xml',
    `<Rows><Amount>9.00</Amount>${row('1.50')}<Currency>USD</Currency></Rows>`,
  ],
  ['an amount in two parts', 'application/xml', `<Rows>${row('1<!-- and -->.50')}</Rows>`],
  ['a longer amount', 'application/xml', `<Rows>${row(`${'0'.repeat(63)}1`)}${row(`${'0'.repeat(64)}1`)}</Rows>`],
  ['a row without an amount', 'application/xml', '<Rows><Row><Currency>GBP</Currency></Row></Rows>'],
  ['no rows', 'application/xml', '<Rows/>'],
  ['half a row', 'application/xml', '<Rows><Row><Amount>1.50'],
  [
    'the most levels',
    'application/xml',
    `${'<a>'.repeat(limits.fileLevels - 3)}${row('1.50')}${'</a>'.repeat(limits.fileLevels - 3)}`,
  ],
  [
    'a level more',
    'application/xml',
    `${'<a>'.repeat(limits.fileLevels - 2)}${row('1.50')}${'</a>'.repeat(limits.fileLevels - 2)}`,
  ],
  ['too long a text', 'application/xml', `<Rows>${row('1.50')}${'x'.repeat(2 * limits.fileRecordBytes)}</Rows>`],
];

const card = '4111111111111111';
/** What an edge has room for beside so many characters and a blank. */
const rest = (of: number): string => 'x'.repeat(limits.fileEdgeBytes - of - 1);
const long = (end: string): string => `${'x'.repeat(limits.fileEdgeBytes - 15)} ${end}`;

/** Pages of a file, with what stands before and after each. */
const pieces: readonly (readonly [what: string, piece: Parameters<typeof screenedPage>[0]])[] = [
  ['nothing around it', { before: '', text: 'Amount\n17.00', after: '' }],
  ['a card number on it', { before: '', text: `Amount,${card}\n17.00`, after: '' }],
  ['a card number over its first edge', { before: 'Amount\n41111111', text: '11111111,17.00\n18.00', after: '' }],
  ['half of one in the line before the last', { before: '41111111\nAmount,', text: '11111111,17.00', after: '' }],
  ['a card number over its last edge', { before: '', text: '17.00\n18.00,41111111', after: '11111111\nAmount' }],
  ['half of one in the second line after it', { before: '', text: '18.00,41111111', after: ',17.00\n11111111' }],
  ['a code over its first edge', { before: 'Amount\nCVV', text: ': 123\n18.00', after: '' }],
  ['a code in the line before the last', { before: 'CVV\nAmount', text: ': 123\n18.00', after: '' }],
  ['a code over its last edge', { before: '', text: '17.00\nCVV:', after: ' 123\nAmount' }],
  ['a code in the second line after it', { before: '', text: '17.00\nCVV:', after: 'Amount\n 123' }],
  ['a long first line, cut into a number', { before: '', text: long(`${card}7\n1`), after: '' }],
  [
    'a long last line, cut into a number',
    { before: '', text: `1\n7${card}${'x'.repeat(limits.fileEdgeBytes - 16)}`, after: '' },
  ],
  // Digits too many for a code: only a part of them, cut off at the edge, looks like one.
  ['a long first line, cut into a code', { before: '', text: `${rest(8)} PIN 1234567\n1`, after: '' }],
  ['the same, below a line', { before: '1\n', text: `${rest(8)} PIN 1234567\n1`, after: '' }],
  ['the same, going on', { before: '1', text: `${rest(8)} PIN 1234567\n1`, after: '' }],
  ['a long last line, cut into a code', { before: '', text: `1\n999482913 ist meine SMS-TAN ${rest(25)}`, after: '' }],
  ['the same, above a line', { before: '', text: `1\n999482913 ist meine SMS-TAN ${rest(25)}`, after: '\n1' }],
  ['the same, going on, too', { before: '', text: `1\n999482913 ist meine SMS-TAN ${rest(25)}`, after: '1' }],
];

async function sumsOf(type: FileType, text: string, pieces: number): Promise<unknown> {
  const { heard: _, ...receiving } = receiver();
  const client = clientOf(async () => new Response(inPieces(text, pieces), { headers: { 'content-type': type } }));
  const { body } = await client.loadReport({}, { receiving });
  return [`${body.rows} rows`, (body.sums ?? []).length > 9 ? `${body.sums?.length} sums` : (body.sums ?? 'no sums')];
}

export const fileMechanisms: Mechanisms = {
  'a page of a file, by what stands around it': () =>
    pieces.map(([what, piece]) => [
      what,
      screenedPage(piece)
        .replaceAll(/x{9,}/g, (it) => `(${it.length} x)`)
        .split('\n'),
    ]),
  'answers that are a file': () => {
    const answers = [
      { digest: 'x', start: 'x' },
      { digest: 'x' },
      { start: 'x' },
      {},
      null,
      'digest and start',
      undefined,
    ];
    return answers.map((it) => [JSON.stringify(it) ?? 'nothing', isFileAnswer(it) ? 'is one' : 'is none']);
  },
  'what comes of a file': () =>
    each(files, async ([what, headers, body]) => {
      const { heard, ...receiving } = receiver();
      const client = clientOf(async () => new Response(body(), { headers }));
      return [what, [await endOf(() => client.loadFile({}, { receiving })), ...heard]];
    }),
  'sums of a received file': () =>
    each(summed, async ([what, type, text]) => {
      const [whole, pieces] = [await sumsOf(type, text, 1), await sumsOf(type, text, 7)];
      return [what, JSON.stringify(whole) === JSON.stringify(pieces) ? whole : { whole, pieces }];
    }),
  'what comes of a file, otherwise': () =>
    Promise.all([
      ...(['text/csv', 'application/xml', 'application/json'] as const).map(async (type) => {
        const { heard, ...receiving } = receiver();
        const body = type === 'application/json' ? whole : '<Rows>\n<Row></Row>\n<Row/></Rows>';
        const client = clientOf(async () => new Response(body, { headers: { 'content-type': type } }));
        return [`either, as ${type}`, [await endOf(() => client.loadEither({}, { receiving })), ...heard]] as const;
      }),
      ...(['full', 'cancelled', 'none'] as const).map(async (how) => {
        const { heard, ...receiving } = receiver(how === 'full' ? 'full' : 'whole');
        const client = clientOf(async () => new Response(csv, { headers: { 'content-type': 'text/csv' } }));
        const more =
          how === 'none'
            ? {}
            : { receiving: how === 'cancelled' ? { ...receiving, signal: AbortSignal.abort() } : receiving };
        return [`storage: ${how}`, [await endOf(() => client.loadFile({}, more)), ...heard]] as const;
      }),
    ]),
};
