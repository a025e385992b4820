import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { decodeJwt } from 'jose';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readConfiguration } from '../../src/cli/config.ts';
import { Secret } from '../../src/core/secret.ts';
import { settleUnknown } from '../../src/engine/approval-service.ts';
import { recover } from '../../src/engine/recover.ts';
import { redeemCredentials } from '../../src/engine/redeem.ts';
import { registerReceipt, registerShopper } from '../../src/engine/register.ts';
import { tools } from '../../tools/index.ts';
import { agent, change, openWorld, order, payment, person, type Said, type World } from '../engine/support.ts';
import { encodings, type Sink, search, searchOnce } from './encodings.ts';

/** Secrets that are planted wherever somebody might put them. They are nobody's. */
const planted = {
  'card number': '4929421234600821',
  cryptogram: 'AgAAAAAABk4DWZ4C28yUQAAAAAA=',
  'secret key': 'Zm9yIHRlc3RzIG9ubHksIG5ldmVyIGEgcmVhbCBrZXkh',
  'one-time code': '73940261',
  'vault key': 'canary-vault-key-0123456789abcdef-0123456789',
} as const;

/** The texts that carry them into arguments, answers and errors. */
const carriers = Object.values(planted).flatMap((secret) => [secret, `use ${secret.replace(/(.{4})/g, '$1 ')}now`]);

/** A card that is taken as it is. */
const savedCard = {
  customerId: 'customer-9',
  instrumentIdentifierId: 'instrument-9',
  paymentInstrumentId: 'payment-9',
  lastFour: '9999',
  expires: '12/2031',
};

/** What a hostile or broken platform answers, by its status and type. */
const hostile: readonly (() => Response)[] = [400, 401, 403, 404, 409, 422, 429, 500, 502, 503].flatMap((status) => [
  () =>
    Response.json({ error: { status: 'X', reason: poison, message: poison, detail: { source: poison } } }, { status }),
  () => new Response(poison, { status, headers: { 'content-type': 'text/html', 'retry-after': poison.slice(0, 40) } }),
]);
const poison = Object.entries(planted)
  .map(([name, secret]) => `${name} ${secret}`)
  .join(' and ');
const lies: readonly (() => Response)[] = [
  () => new Response(poison, { status: 200 }),
  () => new Response(`{"signedPayload":"${planted.cryptogram}`, { headers: { 'content-type': 'application/json' } }),
  () => Response.json({ status: poison, signedPayload: poison, clientCorrelationId: poison }),
  () => Response.json({ [planted['card number']]: poison, status: 'COMPLETED' }, { status: 202 }),
  () => new Response(null, { status: 302, headers: { location: `https://x.example.com/${planted['card number']}` } }),
];

/** Everything that anybody sees of a Purser: what it answers, what it throws, what it writes. */
class Sinks {
  readonly seen: string[] = [];
  readonly thrown: string[] = [];

  async keep(work: Promise<unknown>): Promise<unknown> {
    try {
      const answer = await work;
      this.seen.push(JSON.stringify(answer) ?? '', inspect(answer, { depth: 20 }));
      return answer;
    } catch (error) {
      this.thrown.push(inspect(error, { depth: 20, showHidden: true }), String(error), JSON.stringify(error) ?? '');
      return undefined;
    }
  }
}

interface Stage {
  readonly it: World;
  readonly sinks: Sinks;
  readonly folder: string;
  /** What the platform answers next, in place of its own answer. */
  readonly answers: (() => Response)[];
  readonly secrets: Map<string, string>;
  say(tool: string, args?: unknown): Promise<Said | undefined>;
}

async function stage(vaultKey: Secret<Buffer> | undefined): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'purser-canary-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const sinks = new Sinks();
  const answers: Stage['answers'] = [];
  const secrets = new Map<string, string>();
  const it = await openWorld({
    configure: { data: folder, vaultKey },
    replace: {
      platform: (real) => async (request) => {
        const lie = answers.shift();
        if (lie !== undefined) return lie();
        const answer = await real(request);
        const body = (await answer.clone().json()) as { readonly signedPayload?: string };
        if (body.signedPayload !== undefined) learn(secrets, body.signedPayload);
        return answer;
      },
    },
  });
  // An answer of a tool has the shape of one; one that throws has none.
  const say = async (tool: string, args: unknown = {}) => (await sinks.keep(it.call(tool, args))) as Said | undefined;
  return { it, sinks, folder, answers, secrets, say };
}

/** The secrets of one released payload, as the platform made it. */
function learn(secrets: Map<string, string>, signedPayload: string): void {
  const { number, cryptogram } = decodeJwt(signedPayload);
  secrets.set(`token number ${secrets.size}`, String(number));
  secrets.set(`token cryptogram ${secrets.size}`, String(cryptogram));
  secrets.set(`signed payload ${secrets.size}`, signedPayload);
  secrets.set(`its signature ${secrets.size}`, signedPayload.split('.')[2] ?? '');
}

/** A whole purchase, with every refusal, unknown outcome and error on its way that we can think of. */
async function play({ it, sinks, answers, say }: Stage): Promise<void> {
  const { parts } = it.running.engine;
  const keep = (work: Promise<unknown>) => sinks.keep(work);
  for (const secret of carriers) {
    for (const { name } of tools) {
      await say(name, { [secret]: secret });
      await say(name, { card: secret, instruction: secret, shopper: secret, operation: secret, name: secret });
    }
    await say('initiate_purchase', order({ description: secret, reference: secret, prompt: secret }));
    await say('preview_call', { tool: secret, arguments: { [secret]: [secret] } });
    await say(secret, { secret });
    await keep(
      registerShopper(parts, 'default', { handle: secret, displayName: secret, cards: [{ lastFour: secret }] }),
    );
    await keep(registerShopper(parts, 'default', { displayName: 'Eve', deviceInformation: { ipAddress: secret } }));
    await keep(registerReceipt(parts, 'default', { instruction: secret, amount: secret, [secret]: secret }));
  }
  // A key has no look of its own; what is card data is refused in whatever text people see of a card.
  for (const name of ['card number', 'cryptogram', 'one-time code'] as const)
    for (const text of [`${name} ${planted[name]}`, `My ${name}: ${planted[name]}`])
      for (const field of ['label', 'network'])
        await keep(registerShopper(parts, 'default', { displayName: 'Eve', cards: [{ ...savedCard, [field]: text }] }));
  for (const field of Object.keys(savedCard).filter((name) => name !== 'lastFour' && name !== 'expires'))
    for (const text of [planted['card number'], `card ${planted['card number'].replace(/(.{4})/g, '$1 ')}`])
      await keep(registerShopper(parts, 'default', { displayName: 'Eve', cards: [{ ...savedCard, [field]: text }] }));
  await say('enroll_card', { card: 'card_ada' });
  for (const lie of [...hostile, ...lies]) {
    answers.push(lie);
    await say('enroll_card', { card: 'card_ada' });
    await settleAll(it, keep);
    await it.advance(3_601); // so that neither silence nor text from outside holds up what follows
  }
  // A key has no look of its own; what is card data is refused in whatever text it stands.
  for (const name of ['card number', 'cryptogram', 'one-time code'] as const)
    for (const text of [`${name} ${planted[name]}`, `My ${name}: ${planted[name]}.`])
      for (const field of ['description', 'prompt', 'merchant', 'category'])
        await say('initiate_purchase', order({ reference: 'order-0', [field]: text }));
  const begun = await it.through('initiate_purchase', order());
  await keep(Promise.resolve(begun));
  const { instruction } = begun.data;
  for (const lie of [...hostile, ...lies]) {
    answers.push(lie);
    await keep(it.through('retrieve_credentials', payment(instruction)));
    await settleAll(it, keep, false);
    await it.advance(3_601);
  }
  const released = await it.through('retrieve_credentials', payment(instruction));
  await keep(Promise.resolve(released));
  await say('get_purchase', { instruction });
  await say('retrieve_credentials', payment(instruction));
  await keep(it.through('retrieve_credentials', payment(instruction, { reference: 'payment-2' })));
  await it.fault('retrieveCredentials', 'timeout-after-commit');
  const lost = await it.through('retrieve_credentials', payment(instruction, { reference: 'payment-3' }));
  await keep(Promise.resolve(lost));
  await say('get_operation', { operation: lost.operation });
  await settleAll(it, keep, true);
  await it.receipt(instruction);
  for (const tool of ['update_purchase', 'confirm_transaction', 'cancel_purchase'])
    await say('preview_call', { tool, arguments: change(instruction) });
  await say('confirm_transaction', { instruction });
  for (const tool of ['list_operations', 'list_approvals', 'find_shopper', 'get_limits'])
    await say(tool, { limit: 100 });
}

async function settleAll(
  it: World,
  keep: (work: Promise<unknown>) => Promise<unknown>,
  happened = true,
): Promise<void> {
  await it.advance(121);
  const { parts } = it.running.engine;
  await keep(recover(parts));
  for (const { id, state } of await it.operations())
    if (state === 'UNKNOWN') await keep(settleUnknown(parts, id, { happened, note: 'looked it up' }, person));
}

/** What somebody would print who is looking for a fault. */
const innards = ({ running: { engine } }: World): string => {
  const { vault, client, settings, ledger, ports } = engine.parts;
  return inspect({ vault, client, settings, ledger, ports }, { depth: 6, showHidden: true });
};

/** All bytes of all files but those of the sandbox, which is the platform. */
const filesOf = (folder: string): readonly Sink[] =>
  readdirSync(folder)
    .filter((name) => !name.startsWith('sandbox-world'))
    .map((name) => ({ name: `file ${name}`, bytes: readFileSync(join(folder, name)) }));

async function rowsOf(it: World): Promise<string> {
  const { ledger } = it.running.engine.parts;
  return ledger.transaction(agent.tenant, async (tx) => {
    const page = { limit: 1_000 };
    const kinds = ['shopper', 'card', 'instruction', 'credentials', 'receipt', 'run'];
    const things = await Promise.all(kinds.map((kind) => tx.observations.list({ kind }, page)));
    return inspect(
      [await tx.audit.list(page), await tx.approvals.list({}, page), await tx.operations.list({}, page), things],
      {
        depth: 20,
        maxArrayLength: null,
        maxStringLength: null,
      },
    );
  });
}

describe.each([
  ['in memory', undefined],
  ['sealed in the ledger', new Secret(Buffer.from(planted['vault key']))],
])('with released credentials kept %s', (_, vaultKey) => {
  it('no secret reaches an answer, an error, a row or a byte on disk', { timeout: 240_000 }, async () => {
    const all = await stage(vaultKey);
    const { it, sinks, folder, secrets } = all;
    await play(all);
    const sinksNow = async (): Promise<readonly Sink[]> => [
      { name: 'answers', bytes: Buffer.from(sinks.seen.join('\n')) },
      { name: 'errors', bytes: Buffer.from(sinks.thrown.join('\n')) },
      { name: 'engine', bytes: Buffer.from(innards(it)) },
      { name: 'rows', bytes: Buffer.from(await rowsOf(it)) },
      ...filesOf(folder),
    ];
    expect(secrets.size).toBeGreaterThanOrEqual(8);
    const canaries = { ...planted, ...Object.fromEntries(secrets) };
    const before = search(await sinksNow(), canaries);
    // The merchant's payment system may have what it redeems; nobody else sees that.
    const released = await it.call('list_operations', { limit: 100 });
    expect(released.outcome).toBe('done');
    const handles = sinks.seen.join('\n').match(/credentials_[a-z]+/g) ?? [];
    const redeemed = await Promise.all(
      [...new Set(handles)].map((handle) => redeemCredentials(it.running.engine.parts, 'default', handle)),
    );
    const after = search(await sinksNow(), canaries);
    await it.running.close();
    const closed = search(filesOf(folder), canaries);
    console.log(
      `${before.searches + after.searches + closed.searches} searches for ${Object.keys(canaries).length} canaries`,
    );
    expect([before.hits, after.hits, closed.hits]).toEqual([[], [], []]);
    expect(redeemed.length).toBeGreaterThan(0);
  });
});

it('no secret of its configuration is printed by a process, whatever it is asked', { timeout: 120_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'purser-canary-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(
    join(folder, 'wrong.yaml'),
    `signing: ${planted['card number']}\ncredentials:\n  sharedSecretFile: [${planted['secret key']}]\n`,
  );
  const child = fileURLToPath(new URL('./children/noisy.ts', import.meta.url));
  const runs: readonly NodeJS.ProcessEnv[] = [
    {},
    { PURSER_CONFIG: join(folder, 'wrong.yaml') },
    { PURSER_ENVIRONMENT: planted['card number'] },
    { PURSER_BASE_URL: `https://user:${planted['one-time code']}@api.example.com/` },
    { PURSER_PORT: planted['card number'] },
  ];
  const sinks: Sink[] = [];
  for (const more of runs) {
    const env = { ...process.env, PURSER_SHARED_SECRET: planted['secret key'], PURSER_DATA: ':memory:', ...more };
    const run = spawn(process.execPath, [child, planted['card number']], { env, cwd: folder });
    const chunks: Buffer[] = [];
    for (const stream of [run.stdout, run.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    await once(run, 'close');
    sinks.push({ name: `process ${Object.keys(more)}`, bytes: Buffer.concat(chunks) });
  }
  expect(sinks.every(({ bytes }) => bytes.length > 0)).toBe(true);
  expect(search(sinks, planted).hits).toEqual([]);
});

it('no secret of its configuration is seen in what was read', () => {
  const env = {
    PURSER_SHARED_SECRET: planted['secret key'],
    PURSER_MERCHANT_ID: 'merchant',
    PURSER_KEY_ID: 'key',
    PURSER_DATA: ':memory:',
  };
  const read = readConfiguration(env);
  const sinks = [
    inspect(read, { depth: 20, showHidden: true }),
    JSON.stringify(read),
    inspect(env),
    inspect({ ...read }),
  ];
  expect(
    search(
      sinks.map((text, index) => ({ name: String(index), bytes: Buffer.from(text) })),
      planted,
    ).hits,
  ).toEqual([]);
});

describe('the search itself', () => {
  it('takes a code that stands alone for one, and none that is a part of a longer number', () => {
    const hits = (text: string) => searchOnce([{ name: 'sink', bytes: Buffer.from(text) }], { code: '13572468' }).hits;
    expect(['a13572468b', 'a13572468', '113572468', '135724681'].map((text) => hits(text).length > 0)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it.each(Object.keys(encodings))('finds a canary that is there: %s', (name) => {
    for (const [canary, secret] of Object.entries(planted)) {
      const hidden = Buffer.from(encodings[name]?.(secret) ?? '');
      const bytes = Buffer.concat([Buffer.from('before '), hidden, Buffer.from(' after')]);
      for (const look of [search, searchOnce]) {
        const hit = { sink: 'sink', canary, encoding: name };
        expect(look([{ name: 'sink', bytes }], { [canary]: secret }).hits).toContainEqual(hit);
        expect(look([{ name: 'sink', bytes: Buffer.from('before and after') }], { [canary]: secret }).hits).toEqual([]);
      }
    }
  });
});
