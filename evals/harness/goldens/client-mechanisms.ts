import { z } from 'zod';
import { Cancelled, type FaultKind, PlatformFault } from '../../../src/client/errors.ts';
import { outcomeOf } from '../../../src/client/outcome.ts';
import type { Platform } from '../../../src/client/platform.ts';
import { sendOpened } from '../../../src/client/request-secrets.ts';
import { createHttpSignature, createJwt } from '../../../src/client/signing.ts';
import { isAstray, watchSkew } from '../../../src/client/skew.ts';
import { secret, text } from '../../../src/core/fields.ts';
import { FileNotStored, type FileType } from '../../../src/core/file-answer.ts';
import { limits } from '../../../src/core/limits.ts';
import type { Declined } from '../../../src/core/outcome.ts';
import { Secret } from '../../../src/core/secret.ts';
import { each, type Lines, type Mechanisms } from './lines.ts';
import {
  asJson,
  baseUrl,
  breaking,
  clientOf,
  clock,
  credentials,
  endOf,
  json,
  type Operations,
  signer,
  start,
  whole,
} from './told-platform.ts';

// The client of a platform: what it sends, what it makes of each kind of answer, and what it knows of the platform's clock.

const spaces = (bytes: number) => new TextEncoder().encode(whole + ' '.repeat(bytes - whole.length));

const inPieces = (bytes: Uint8Array): ReadableStream<Uint8Array> =>
  ReadableStream.from([bytes.subarray(0, bytes.length / 2), bytes.subarray(bytes.length / 2)]);

/** Answers to a call that reads a thing named one. */
const answers: readonly (readonly [what: string, make: () => Response])[] = [
  ['a thing', () => asJson(whole)],
  ['a thing, as another JSON', () => asJson(whole, 200, { 'content-type': 'application/hal+json; charset=utf-8' })],
  ['a thing, as a JSON of text', () => asJson(whole, 200, { 'content-type': 'text/json' })],
  ['a thing, as nothing', () => new Response(new TextEncoder().encode(whole))],
  ['a thing with a member more', () => asJson('{"id":"one","more":true}')],
  ['a thing of another name', () => asJson('{"id":"two"}')],
  ['a thing with a member of another kind', () => asJson('{"id":"one","count":"1"}')],
  ['a thing without its name', () => asJson('{"count":1}')],
  ...['size', 'a b', '4111111111111111', 'x'.repeat(64), 'x'.repeat(65), ''].map(
    (label) =>
      [
        `a label "${label}" of another kind`,
        () => asJson(JSON.stringify({ id: 'one', labels: { [label]: 'x' } })),
      ] as const,
  ),
  ['two parts of another kind', () => asJson('{"id":"one","parts":[{"size":1},{"size":"1"},{"size":"2"}]}')],
  ['a list', () => asJson('[1]')],
  ['half a thing', () => asJson('{"id":')],
  ['no text', () => asJson(new Uint8Array([0xff, 0x22]))],
  ['a note that is no text', () => asJson(new Uint8Array([...Buffer.from('{"id":"one","note":"'), 0xff, 0x22, 0x7d]))],
  ['nothing', () => asJson('')],
  ['no body', () => new Response(null, { status: 200, headers: json })],
  ['fewer bytes than stated', () => asJson(whole, 200, { 'content-length': `${whole.length + 1}` })],
  ['as many bytes as stated', () => asJson(whole, 200, { 'content-length': `${whole.length}` })],
  ['a body that breaks off', () => new Response(breaking(), { status: 200, headers: json })],
  ['the most bytes', () => asJson(spaces(limits.answerBytes))],
  ['a byte more', () => asJson(spaces(limits.answerBytes + 1))],
  ...[0, 1].map(
    (more) =>
      [
        `the most bytes and ${more}, in pieces`,
        () => new Response(inPieces(spaces(limits.answerBytes + more)), { headers: json }),
      ] as const,
  ),
  ...[201, 299, 300, 301, 304, 399].map(
    (status) => [`status ${status}`, () => new Response(null, { status, headers: json })] as const,
  ),
];

/** The edges of every kind of refusal. */
const refused = [400, 401, 402, 403, 404, 409, 428, 429, 430, 499, 500, 501, 503, 599] as const;
const ofThePlatform = '{"reason":"INVALID_DATA","message":"No such thing.","details":[{"field":"name"}]}';

export const faultKinds = Object.keys({
  ...{ misaddressed: 0, unreachable: 0, 'no-answer': 0, 'not-json': 0, truncated: 0, oversized: 0 },
  ...{ 'wrong-shape': 0, redirected: 0 },
} satisfies Record<FaultKind, 0>) as FaultKind[];

/** What is sent by a call. */
async function sentBy(call: (client: Operations) => Promise<unknown>, prefix?: string): Promise<unknown> {
  let sent: unknown = 'nothing was sent';
  const platform: Platform = async (request, { streams } = { streams: false }) => {
    const { method, url, redirect, headers } = request;
    const [, signature] = /signature="(.*)"$/.exec(headers.get('signature') ?? '') ?? [];
    const own = ['accept', 'digest', 'x-requestid'].map((header) => headers.get(header));
    sent = [`${method} ${url}`, redirect, ...(streams ? ['streams'] : []), ...own, signature, await request.text()]
      .filter((it) => it !== null && it !== '')
      .join(', ');
    return asJson('{"id":"one"}', method === 'POST' ? 201 : 200);
  };
  const end = await endOf(() => call(clientOf(platform, prefix)));
  return sent === 'nothing was sent' ? end : sent;
}

const name = 'thing';
const calls: readonly (readonly [what: string, call: (client: Operations) => Promise<unknown>, prefix?: string])[] = [
  ['reads a thing', (it) => it.getThing({ id: 'one', query: {} })],
  ['reads with a query', (it) => it.getThing({ id: 'one', query: { limit: 2, named: 'a b&c', whole: true } })],
  ['reads with the least in a query', (it) => it.getThing({ id: 'one', query: { limit: 0, named: '', whole: false } })],
  ['reads with nothing in a query', (it) => it.getThing({ id: 'one', query: { limit: undefined, more: null } })],
  ['reads with an object in a query', (it) => it.getThing({ id: 'one', query: { more: {} } })],
  ['reads under an id of its own', (it) => it.getThing({ id: 'one', query: {} }, { requestId: 'request' })],
  ['reads a thing whose name leads elsewhere', (it) => it.getThing({ id: '../one', query: {} })],
  ['reads a thing without a name', (it) => it.getThing({ id: '', query: {} })],
  ['reads a thing whose name is a number', (it) => it.getThing({ id: 1 as unknown as string, query: {} })],
  ['reads a thing whose name is inherited', (it) => it.getThing(Object.create({ id: 'one', query: {} }))],
  ['reads a thing whose name is not there', (it) => it.getThing({ query: {} } as { id: string; query: object })],
  ['reads with another query', (it) => it.getThing({ id: 'one', query: { limit: 'two' as unknown as number } })],
  ['makes a thing', (it) => it.makeThing({ body: { name } })],
  ['makes a thing under another prefix', (it) => it.makeThing({ body: { name } }), '/two/v1'],
  ['makes a thing under none', (it) => it.makeThing({ body: { name } }), '/three/v1'],
  ['makes a wrong thing', (it) => it.makeThing({ body: { name, parts: [{ size: 0.5 }] } })],
  ['ends a thing with a name in words', (it) => it.endThing({ name: 'a/b c' })],
  ['ends a thing with a name in two lines', (it) => it.endThing({ name: 'a\nb' })],
  ['removes a thing', (it) => it.removeThing({ id: 'one' })],
  ['loads a file', (it) => it.loadFile({})],
  ['loads either', (it) => it.loadEither({})],
  ['loads either as a file', (it) => it.loadEither({ accept: 'application/xml' })],
  ['loads a thing as a file', (it) => it.getThing({ id: 'one', query: {}, accept: 'text/csv' })],
  ['loads another type', (it) => it.loadEither({ accept: 'text/html' as FileType })],
];

/** What signs a request, by either way. */
async function signed(): Promise<Lines> {
  const unsigned = { method: 'POST', url: `${baseUrl}/things?limit=2`, headers: { accept: 'any' } };
  const request = { ...unsigned, body: '{}' };
  const tokenAt = async (milliseconds: number): Promise<readonly unknown[]> => {
    const later = { now: () => clock.now() + milliseconds };
    const jwt = createJwt({ credentials, clock: later, ids: { uuid: () => 'uuid' } });
    const [, ...parts] = (await jwt(request)).authorization?.split(/[ .]/) ?? [];
    return parts.slice(0, 2).map((part): unknown => JSON.parse(Buffer.from(part, 'base64url').toString()));
  };
  const bad = [{ merchantId: 'a b' }, { keyId: '' }, { sharedSecret: new Secret('short') }];
  return [
    ...Object.entries(await signer(request)),
    ['without a body', (await signer({ ...unsigned, method: 'GET' })).signature],
    ['as a token', await tokenAt(0)],
    ['as a token, at the end of a second', await tokenAt(999)],
    ...bad.map((it) => {
      const [wrong = ''] = Object.keys(it);
      try {
        return [`a wrong ${wrong}`, createHttpSignature({ credentials: { ...credentials, ...it }, clock })] as const;
      } catch (error) {
        return [`a wrong ${wrong}`, error instanceof Error && error.message] as const;
      }
    }),
  ];
}

const enteredShape = z.object({ code: secret(text), name: text });

export const clientMechanisms: Mechanisms = {
  'headers that sign a request': signed,
  'what a call sends': () => each(calls, async ([what, call, prefix]) => [what, await sentBy(call, prefix)]),
  'what comes of an answer': () =>
    each(answers, async ([what, make]) => [
      what,
      await endOf(() => clientOf(async () => make()).getThing({ id: 'one', query: {} })),
    ]),
  'what comes of no content': () =>
    each([200, 201, 202, 204], async (status) => [
      `${status}`,
      await endOf(() =>
        clientOf(async () => new Response(null, { status, headers: json })).makeThing({ body: { name } }),
      ),
    ]),
  'what comes of a refusal': () =>
    each(refused, async (status) => [
      `${status}`,
      await endOf(() => clientOf(async () => asJson(ofThePlatform, status)).makeThing({ body: { name } })),
    ]),
  'what comes of a fault': () =>
    each(
      [
        ...faultKinds.map((kind) => new PlatformFault(kind)),
        new Cancelled(),
        new FileNotStored('EIO'),
        new Error('It broke.'),
      ],
      async (fault) => [
        fault instanceof PlatformFault ? fault.kind : fault.name,
        await endOf(() => clientOf(() => Promise.reject(fault)).getThing({ id: 'one', query: {} })),
      ],
    ),
  'what is told of a fault': () =>
    Promise.resolve([
      ['as it is', new PlatformFault('no-answer').message],
      [
        'with all that is known',
        new PlatformFault('unreachable', { status: 0, code: 'ECONN', paths: ['a.b', 'c'] }).message,
      ],
      ...[new Cancelled(), new FileNotStored('EIO'), new Error('It broke.')].map(
        (error) => [error.name, outcomeOf(error).kind] as const,
      ),
    ]),
  'what is heard of a refusal that repeats what was entered': () => {
    const entered = { code: new Secret('482913'), name: 'Ada' };
    const says = [(it: string) => `The code ${it} of Ada is wrong.`, (it: string) => `Not ${btoa(it)}.`, () => 'No.'];
    return each(says, async (words) => {
      const { untrustedMessage } = await sendOpened(
        { body: enteredShape },
        entered,
        async (opened): Promise<Declined> => {
          const { code } = opened as { readonly code: string }; // as it was entered
          return { kind: 'declined', code: 'DECLINED', reason: 'INVALID_DATA', untrustedMessage: words(code) };
        },
      );
      return [words('it'), untrustedMessage];
    });
  },
  'what is known of the platform’s clock': async () => {
    let now = start;
    let date: string | undefined;
    let delay = 0;
    const platform: Platform = async () => {
      now += delay;
      if (date === 'no answer') throw new PlatformFault('unreachable');
      return new Response(null, { headers: date === undefined ? {} : { date } });
    };
    const watched = watchSkew(platform, { now: () => now }, baseUrl);
    const told = () => [watched.skew(), isAstray(watched.skew() ?? 0) ? 'astray' : 'close'];
    const lines: [string, unknown][] = [['before anything', told()]];
    const asks = async (what: string, said: string | undefined, takes = 0): Promise<void> => {
      [date, delay] = [said, takes];
      lines.push([what, [await watched.askTime(), ...told()]]);
    };
    const ahead = (milliseconds: number): string => new Date(now + milliseconds).toUTCString();
    await asks('no date', undefined);
    await asks('no valid date', 'soon');
    await asks('no answer', 'no answer');
    await asks('the same time', ahead(0));
    await asks('an answer after four seconds', ahead(0), 4_000);
    for (const seconds of [limits.skewSeconds - 1, limits.skewSeconds, -limits.skewSeconds, -limits.skewSeconds - 1])
      await asks(`${seconds} s ahead`, ahead(seconds * 1_000));
    for (const milliseconds of [limits.skewMinutes * 60_000, 1, -1]) {
      now += milliseconds;
      lines.push([`${milliseconds} ms later`, told()]);
    }
    now -= 2 * limits.skewMinutes * 60_000 + 1;
    lines.push(['once the clock was set back', told()]);
    return lines;
  },
};
