import { appendFileSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { decodeJwt } from 'jose';
import { failed } from '../../src/cli/output.ts';
import { tellAuditHead } from '../../src/cli/session.ts';
import { Secret } from '../../src/core/secret.ts';
import { recover } from '../../src/engine/recover.ts';
import { redeemSecret } from '../../src/engine/redeem.ts';
import { registerReceipt, registerShopper } from '../../src/engine/register.ts';
import { settleUnknown } from '../../src/engine/settle-unknown.ts';
import { createHttpFace, type HttpFace } from '../../src/http/server.ts';
import type { Page, Paged } from '../../src/ledger/ledger-transaction.ts';
import { tools } from '../../tools/index.ts';
import { openWorld, order, payment, person, type Said, type World } from '../engine/support.ts';
import { secrets as tokenSecrets, tokens } from '../faces/support.ts';
import { quickFolder } from '../support/folder.ts';
import { type Found, tally } from '../support/found.ts';
import { type Numbers, numbers } from '../support/numbers.ts';
import { encodings, type Sink, search } from './encodings.ts';

// Transcripts at random, each with secrets of its own (P4): the model, the merchant's app and the platform say them wherever
// they can. Whatever anybody gets to see is searched for them in every encoding.

const transcriptsPerWorld = 20;
const vaultKey = 'canary-vault-key-0123456789abcdef-0123456789';

interface Canaries {
  readonly 'card number': string;
  readonly cryptogram: string;
  readonly 'one-time code': string;
}

interface Stage {
  readonly world: World;
  /** The way in over HTTP, which tells the operator of failures as the command does. */
  readonly face: HttpFace;
  readonly folder: string;
  /** What was answered or thrown since the last search. */
  readonly seen: string[];
  /** What this process has written to stdout and stderr: the operator's log. */
  readonly log: readonly string[];
  /** What the platform answers next, in the place of the truth. */
  readonly lies: (() => Response)[];
  /** Canaries planted and released so far, by a name of their own. */
  readonly secrets: Map<string, string>;
  /** While it is true Purser fails inside at the next point of a call that it reaches. */
  failing: boolean;
  readonly instruction: string;
}

/** Places that a secret is put into to see that it is found there, by the name of the sink. */
export const leaks: { readonly [sink: string]: (stage: Stage, secret: string) => unknown } = {
  'answers and errors': ({ seen }, secret) => seen.push(JSON.stringify({ outcome: secret })),
  log: (_, secret) => failed(new Error(`It went wrong with ${secret}.`)),
  engine: ({ world }, secret) => Object.assign(world.parts.ports, { last: secret }),
  rows: ({ world }, secret) =>
    world.parts.ledger.transaction('default', (tx) => tx.audit.append({ event: 'leak', body: { secret }, at: 1 })),
  'open file trace': ({ folder }, secret) => appendFileSync(join(folder, 'trace'), secret),
};

/**
 * Plays so many transcripts. A finding is a secret that somebody got to see, with its encoding and sink. `leak` gives one
 * secret of each world away, in an encoding at random.
 */
export async function transcripts(count: number, seed: number, leak?: string): Promise<Found> {
  const it = tally();
  const random = numbers(seed);
  const log: string[] = [];
  const undo = [process.stdout, process.stderr].map((stream) => listenTo(stream, log));
  try {
    for (let played = 0; played < count; ) {
      log.length = 0;
      const stage = await openStage(random(2) === 0, log);
      for (let at = 0; at < transcriptsPerWorld && played < count; at++, played++) {
        await play(stage, random, at);
        it.count('transcripts');
      }
      if (leak !== undefined) await leaks[leak]?.(stage, written(random.of([...stage.secrets.values()]), random));
      await look(stage, it, `seed ${seed}, up to transcript ${played}`);
    }
  } finally {
    for (const one of undo) one();
  }
  return it.found();
}

/** Keeps what is written to a stream in the place of writing it. Answers what ends that. */
function listenTo(stream: NodeJS.WriteStream, log: string[]): () => void {
  const { write } = stream;
  stream.write = (chunk: string | Uint8Array) => {
    log.push(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('latin1'));
    return true;
  };
  return () => {
    stream.write = write;
  };
}

/** A secret in any of the encodings that are text. */
function written(secret: string, random: Numbers): string {
  const texts = Object.values(encodings).flatMap((encode) => {
    const text = encode(secret);
    return typeof text === 'string' ? [text] : [];
  });
  return random.of(texts);
}

async function openStage(isSealed: boolean, log: readonly string[]): Promise<Stage> {
  const folder = quickFolder('purser-transcripts-');
  const lies: Stage['lies'] = [];
  const secrets = new Map([['vault key', vaultKey]]);
  const inside = { failing: false };
  const world = await openWorld({
    configure: { data: folder, vaultKey: isSealed ? new Secret(Buffer.from(vaultKey)) : undefined },
    replace: {
      failpoint: (point) => {
        if (!inside.failing) return;
        inside.failing = false;
        throw new Error(`failed at ${point}`);
      },
      platform: (real) => async (request) => {
        const lie = lies.shift();
        if (lie !== undefined) return lie();
        const answer = await real(request);
        const { signedPayload } = (await answer.clone().json()) as { readonly signedPayload?: string };
        if (signedPayload !== undefined) {
          const { number, cryptogram } = decodeJwt(signedPayload);
          secrets.set(`token number ${secrets.size}`, String(number));
          secrets.set(`token cryptogram ${secrets.size}`, String(cryptogram));
          secrets.set(`signature ${secrets.size}`, signedPayload.split('.')[2] ?? '');
        }
        return answer;
      },
    },
  });
  const face = createHttpFace({
    engine: world.running.engine,
    tokens: tokenSecrets,
    tenant: 'default',
    version: '0.0.0',
    onFailure: failed,
  });
  await world.call('enroll_card', { card: 'card_ada' });
  const { instruction } = (await world.through('initiate_purchase', order())).data;
  return Object.assign(inside, { world, face, folder, seen: [], log, lies, secrets, instruction });
}

/** A few steps of one conversation, each of them an attempt to get a secret somewhere. */
async function play(stage: Stage, random: Numbers, number: number): Promise<void> {
  const canaries = plant(random);
  for (const [name, secret] of Object.entries(canaries)) stage.secrets.set(`${name} ${stage.secrets.size}`, secret);
  const caller = { tenant: 'default', principal: `agent-${random(1_000_000)}` };
  for (let steps = 3 + random(4); steps > 0; steps--) {
    stage.failing = random(6) === 0;
    try {
      keep(stage, await random.of(stepsOf)(stage, canaries, random, caller, number));
    } catch (error) {
      failed(error);
      stage.seen.push(inspect(error, { depth: 20, showHidden: true }), String(error));
    }
  }
  stage.lies.length = 0;
  stage.failing = false;
}

function keep({ seen }: Stage, answer: unknown): void {
  seen.push(JSON.stringify(answer) ?? '', inspect(answer, { depth: 20 }));
}

type Step = (
  stage: Stage,
  canaries: Canaries,
  random: Numbers,
  caller: { readonly tenant: string; readonly principal: string },
  number: number,
) => Promise<unknown>;

const stepsOf: readonly Step[] = [
  // The model says it in any argument of any tool, by its name or as its value, or as the name of the tool.
  ({ world }, canaries, random, caller) => {
    const { name, inputSchema } = random.of(tools);
    const argument = random.of([...Object.keys(inputSchema.shape), 'stranger']);
    const said = spoken(canaries, random);
    const args = random.of<() => object>([
      () => ({ [argument]: said }),
      () => ({ [said]: argument }),
      () => ({ ...order(), [argument]: said }),
      () => ({ [argument]: [{ deep: [said] }] }),
      () => ({ [argument]: { amount: said, currency: said } }),
    ])();
    return world.call(random(12) === 0 ? said : name, args, caller);
  },
  ({ world }, canaries, random, caller, number) =>
    world.call(
      'initiate_purchase',
      order({
        reference: `order-${number}`,
        [random.of(['description', 'prompt', 'merchant', 'category', 'reference'])]: spoken(canaries, random),
      }),
      caller,
    ),
  ({ world, instruction }, canaries, random, caller) =>
    world.call(
      'preview_call',
      { tool: 'update_purchase', arguments: { ...order(), instruction, description: spoken(canaries, random) } },
      caller,
    ),
  // The platform says it in whatever it answers.
  async ({ world, lies }, canaries, random, caller) => {
    lies.push(lie(canaries, random));
    const said = await world.call('enroll_card', { card: 'card_cleo' }, caller);
    await settleAll(world, spoken(canaries, random));
    await settleAll(world);
    return said;
  },
  async ({ world, lies, instruction }, canaries, random, caller, number) => {
    if (random(2) === 0) lies.push(lie(canaries, random));
    const args = payment(instruction, { reference: `payment-${number}-${random(1_000)}` });
    const first = (await world.call('retrieve_credentials', args, caller)) as Said;
    if (first.outcome !== 'needs_approval') return first;
    await world.approve(first);
    const said = await world.call('retrieve_credentials', args, caller);
    await settleAll(world);
    if (said.data?.credentials !== undefined && random(2) === 0)
      await redeemSecret(world.parts, 'default', said.data.credentials, 'app');
    return said;
  },
  // The merchant's app says it where it has no place.
  ({ world, instruction }, canaries, random) => {
    const secret = spoken(canaries, random);
    const receipt = {
      instruction,
      transactionType: secret,
      transactionStatus: secret,
      amount: secret,
      currency: secret,
    };
    return registerReceipt(world.parts, 'default', { ...receipt, [secret]: secret });
  },
  ({ world }, canaries, random) => {
    const secret = spoken(canaries, random);
    return registerShopper(world.parts, 'default', {
      handle: secret,
      displayName: secret,
      cards: [{ lastFour: secret }],
    });
  },
  ({ world }, canaries, random) => {
    const card = {
      customerId: 'customer-9',
      instrumentIdentifierId: 'instrument-9',
      paymentInstrumentId: 'payment-9',
      lastFour: '9999',
      expires: '12/2031',
      [random.of(['label', 'network'])]: spoken(canaries, random),
    };
    return registerShopper(world.parts, 'default', { displayName: 'Eve', cards: [card] });
  },
  // Anybody says it at any door, where it has a place and where it has none.
  async ({ face, instruction }, canaries, random, _, number) => {
    const secret = spoken(canaries, random);
    const { name, inputSchema } = random.of(tools);
    const params = random.of<() => unknown>([
      () => ({ name, arguments: { ...order({ reference: `http-${number}` }), instruction, [secret]: secret } }),
      () => ({ name, arguments: { [random.of([...Object.keys(inputSchema.shape), 'stranger'])]: secret } }),
      () => ({ name: secret, arguments: secret }),
      () => secret,
    ])();
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const [role, path, body] = random.of<readonly [keyof typeof tokens, string, string]>([
      ['agent', '/mcp', JSON.stringify(message)],
      ['agent', '/mcp', JSON.stringify(message)],
      ['agent', '/mcp', JSON.stringify({ ...message, method: secret })],
      ['agent', '/mcp', `{"${secret}`],
      ['app', '/shoppers', JSON.stringify({ handle: secret, [secret]: secret })],
      ['app', '/receipts', JSON.stringify({ instruction, amount: secret })],
      ['app', '/receipts', `{"amount": ${secret}`],
      ['app', `/credentials/${encodeURIComponent(secret)}/redeem`, ''],
      ['person', `/approvals/${encodeURIComponent(secret)}`, JSON.stringify({ decision: secret })],
      ['person', `/operations/${encodeURIComponent(secret)}?cursor=${encodeURIComponent(secret)}`, '{}'],
    ]);
    const answer = await face.fetch(
      new Request(`http://localhost${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${random(8) === 0 ? encodeURIComponent(secret) : tokens[role]}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2025-11-25',
        },
        ...(body === '' ? {} : { body }),
      }),
    );
    return { status: answer.status, headers: [...answer.headers], text: await answer.text() };
  },
  // Whoever looks around sees it nowhere.
  ({ world, instruction }, _, random, caller) =>
    random.of<() => Promise<unknown>>([
      () => world.call('list_operations', { limit: 20 }, caller),
      () => world.call('list_approvals', { limit: 20 }, caller),
      () => world.call('get_purchase', { instruction }, caller),
      () => world.call('find_shopper', {}, caller),
    ])(),
];

/** Secrets that nobody has: of the shape that the look for them knows. */
function plant(random: Numbers): Canaries {
  const digits = `4${Array.from({ length: 14 }, () => random(10)).join('')}`;
  const bytes = Buffer.from(Array.from({ length: 20 }, () => random(256)));
  return {
    'card number': digits + checkDigit(digits),
    cryptogram: bytes.toString('base64'),
    'one-time code': String(10_000_000 + random(90_000_000)),
  };
}

function checkDigit(digits: string): string {
  const sum = [...digits].toReversed().reduce((all, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 2 : 1);
    return all + (value > 9 ? value - 9 : value);
  }, 0);
  return String((10 - (sum % 10)) % 10);
}

/** Spellings in which no secret is whole any more, or is no text. A mirror image is as likely an order number. */
const unspoken = ['reversed', 'base64, one byte later', 'base64, two bytes later', 'lower case', 'upper case'];
const spellings = Object.entries(encodings).filter(([name]) => !unspoken.includes(name) && !name.startsWith('UTF-16'));

/** One of the secrets as somebody would write it. */
function spoken(canaries: Canaries, random: Numbers): string {
  const [, write] = random.of(spellings);
  const card = String(write(canaries['card number']));
  const bytes = Buffer.from(canaries.cryptogram, 'base64');
  const code = canaries['one-time code'];
  const text = random.of([
    card,
    `My card: ${card}.`,
    `x${random(99)} / ${card} / 12/31`,
    canaries['card number'].replace(/(.{4})(?=.)/g, '$1 / '),
    canaries.cryptogram,
    canaries.cryptogram.replace('=', ''),
    bytes.toString('base64url'),
    `cryptogram ${canaries.cryptogram}`,
    `cryptogram ${bytes.toString('hex')}`,
    `one-time code ${code}`,
    `My OTP: ${code}.`,
    `the code I got by SMS is ${code}`,
    `${code} is your verification code`,
  ]);
  return random(10) === 0 ? `{"${text}":${text}` : text;
}

/** An answer of a broken or hostile platform that says all of them, or a wire that breaks over them. */
function lie(canaries: Canaries, random: Numbers): () => Response {
  const poison = Object.entries(canaries)
    .map(([name, secret]) => `${name} ${secret}`)
    .join(random.of([' and ', ', ', '\n', '"}{"']));
  const status = random.of([200, 201, 202, 400, 401, 403, 404, 409, 422, 429, 500, 502, 503]);
  return random.of<() => Response>([
    () =>
      Response.json(
        { error: { status: 'X', reason: poison, message: poison, detail: { source: poison } } },
        { status },
      ),
    () =>
      new Response(poison, {
        status,
        headers: { 'content-type': 'text/html', 'retry-after': poison.slice(0, 40).replace(/[^ -~]/g, ' ') },
      }),
    () =>
      new Response(`{"signedPayload":"${canaries.cryptogram}`, {
        status,
        headers: { 'content-type': 'application/json' },
      }),
    () => Response.json({ status: poison, signedPayload: poison, clientCorrelationId: poison }, { status }),
    () => Response.json({ [canaries['card number']]: poison, status: 'COMPLETED' }, { status }),
    () =>
      new Response(null, { status: 302, headers: { location: `https://x.example.com/${canaries['card number']}` } }),
    () => {
      throw new TypeError(`fetch failed: ${poison}`, { cause: new Error(poison) });
    },
  ]);
}

async function settleAll(world: World, note = 'looked it up'): Promise<void> {
  await world.advance(121);
  const { parts } = world;
  await recover(parts);
  for (const { id, state } of await world.operations())
    if (state === 'UNKNOWN') await settleUnknown(parts, id, { happened: false, note }, person);
}

/** Searches everything that there is to see, and closes the world; its files are searched open and closed. */
async function look(stage: Stage, it: ReturnType<typeof tally>, says: string): Promise<void> {
  const { world, face, folder, seen, log, secrets } = stage;
  const { vault, client, settings, ledger, ports } = world.parts;
  const sinks = [
    { name: 'answers and errors', bytes: Buffer.from(seen.join('\n')) },
    {
      name: 'engine',
      bytes: Buffer.from(inspect({ vault, client, settings, ledger, ports }, { depth: 6, showHidden: true })),
    },
    { name: 'rows', bytes: Buffer.from(await rowsOf(world)) },
    ...filesOf(folder, 'open'),
  ];
  await face.close();
  await tellAuditHead(world.running);
  await world.running.close();
  it.count('lines of the log', log.length);
  const logged: Sink = { name: 'log', bytes: Buffer.from(log.join('')) };
  const { hits, searches } = search([...sinks, logged, ...filesOf(folder, 'closed')], Object.fromEntries(secrets));
  rmSync(folder, { recursive: true, force: true });
  it.count('searches', searches);
  it.count('canaries', secrets.size);
  for (const { sink, canary, encoding } of hits) it.find(`${sink} holds ${canary} (${encoding}); ${says}.`);
}

/** All bytes of all files but those of the sandbox, which is the platform. */
const filesOf = (folder: string, when: string): readonly Sink[] =>
  readdirSync(folder)
    .filter((name) => !name.startsWith('sandbox-world'))
    .map((name) => ({ name: `${when} file ${name}`, bytes: readFileSync(join(folder, name)) }));

async function rowsOf({ running }: World): Promise<string> {
  return running.engine.parts.ledger.transaction('default', async (tx) => {
    const things: unknown[] = [];
    for (const kind of ['shopper', 'card', 'instruction', 'credentials', 'receipt', 'run'])
      things.push(await whole((page) => tx.observations.list({ kind }, page)));
    return JSON.stringify([
      await whole((page) => tx.audit.list(page)),
      await whole((page) => tx.approvals.list({}, page)),
      await whole((page) => tx.operations.list({}, page)),
      things,
    ]);
  });
}

/** Every row of a list, page by page. */
async function whole<T>(list: (page: Page) => Promise<Paged<T>>): Promise<readonly T[]> {
  const rows: T[] = [];
  let cursor: string | undefined;
  do {
    const page = await list({ limit: 1_000, cursor });
    rows.push(...page.rows);
    cursor = page.more;
  } while (cursor !== undefined);
  return rows;
}
