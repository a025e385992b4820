import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { exported, formats } from '../../src/cli/export.ts';
import { Secret } from '../../src/core/secret.ts';
import type { FailPoint } from '../../src/engine/settings.ts';
import { settleUnknown } from '../../src/engine/settle-unknown.ts';
import type { Caller } from '../../src/ledger/ledger.ts';
import { begins, openWorld, person, type World } from '../engine/support.ts';
import { quickFolder } from '../support/folder.ts';
import { codeAttempts, withLoyalty } from '../support/made-up-domain.ts';
import { encodings, type Sink, search } from './encodings.ts';
import { bytesIn, enterers } from './entries.ts';

// Secrets that the app and customers enter: whatever becomes of a call, only the platform sees one.

/** The soak makes more. */
const runs = Number(process.env.SECRET_RUNS ?? 60);
const patience = Math.max(300_000, runs * 2_000);
const customer: Caller = { tenant: 'default', principal: 'agent', role: 'customer' };
const app: Caller = { tenant: 'default', principal: 'app', role: 'app' };

/** Twelve digits, because six stand by chance in every large file; and text of every printable letter. */
const aCode = fc.stringMatching(/^[0-9]{12}$/);
const aKey = fc.stringMatching(/^[!-~]{12,40}$/);

/** What a platform answers that repeats all it was sent, in every spelling that an answer can have. */
const echoes = (sent: string): readonly string[] => [
  sent,
  encodeURIComponent(sent),
  ...(['base64', 'base64url', 'hex'] as const).map((it) => Buffer.from(sent).toString(it)),
];
const replies = {
  'does it': (echo: string) => Response.json({ id: 'id-1', echo }),
  'says no': (echo: string) => Response.json({ reason: 'INVALID_DATA', message: echo, field: echo }, { status: 400 }),
  fails: (echo: string) => Response.json({ reason: echo, message: echo }, { status: 500 }),
  'has another shape': (echo: string) => Response.json({ [echo]: echo }),
  'is no JSON': (echo: string) => new Response(echo, { status: 200 }),
  'breaks off': () => Promise.reject(new Error('gone')),
} as const;
type Reply = keyof typeof replies;

const aRun = fc.record({
  code: aCode,
  key: aKey,
  reply: fc.constantFrom(...(Object.keys(replies) as Reply[])),
  again: fc.boolean(),
});

function folder(): string {
  const made = quickFolder('purser-secrets-');
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  mkdirSync(join(made, 'data'), { mode: 0o700 });
  return made;
}

/** Whatever somebody prints who looks for a fault, and every row as its reader sees it. */
async function shownBy({ running: { engine } }: World): Promise<string> {
  const { vault, client, settings, ledger, ports } = engine.parts;
  const page = { limit: 1_000 };
  const rows = await ledger.transaction('default', async (tx) => [
    await tx.operations.list({}, page),
    await tx.audit.list(page),
    await tx.approvals.list({}, page),
  ]);
  const deep = { depth: 20, showHidden: true, maxArrayLength: null, maxStringLength: null };
  return [inspect({ vault, client, settings, ports }, { depth: 6, showHidden: true }), inspect(rows, deep)].join('\n');
}

/** The audit as `purser audit export` writes it, in each of its formats. */
async function exportsOf({ running: { engine } }: World): Promise<readonly Sink[]> {
  const sinks: Sink[] = [];
  for (const [name, format] of formats) {
    const pieces: string[] = [];
    for await (const piece of exported(engine.parts.ledger, format)) pieces.push(piece);
    sinks.push({ name: `audit as ${name}`, bytes: Buffer.from(pieces.join('')) });
  }
  return sinks;
}

describe.each([
  ['in memory', undefined],
  ['sealed in the ledger', new Secret(Buffer.from('a vault key of more than thirty-two bytes'))],
])('with stored secrets %s', (_, vaultKey) => {
  it('no answer, error, row, file or log has a secret, whatever the platform answers', {
    timeout: patience,
  }, async () => {
    const data = join(folder(), 'data');
    const here = await openWorld({ configure: { data, vaultKey } });
    let reply: Reply = 'does it';
    const received: string[] = [];
    const engine = withLoyalty(here.running.engine.parts, {
      served: async (request) => {
        const { code, key, proof } = (await request.json()) as Record<string, string | { readonly blob?: string }>;
        const sent = [code, key, (proof as { readonly blob?: string } | undefined)?.blob].filter(
          (it) => typeof it === 'string',
        );
        received.push(...sent);
        return replies[reply](sent.flatMap(echoes).join(' '));
      },
    });
    const seen: string[] = [];
    const secrets: Record<string, string> = {};
    let count = 0;
    const say = async (tool: string, args: object, caller: Caller) => {
      const answer = await engine.call(tool, args, caller).catch((error: unknown) => inspect(error, { depth: 9 }));
      seen.push(JSON.stringify(answer), inspect(answer, { depth: 20 }));
    };
    await fc.assert(
      fc.asyncProperty(aRun, async ({ code, key, reply: next, again }) => {
        count += 1;
        reply = next;
        Object.assign(secrets, { [`code ${count}`]: code, [`key ${count}`]: key });
        const account = `account-${count}`;
        const confirm = { reference: `code-${count}`, account, code, blob: key };
        const register = { reference: `key-${count}`, account, key };
        await say('confirm_code', confirm, customer);
        await say('register_key', register, app);
        if (again) reply = 'does it';
        await say('confirm_code', confirm, customer);
        await say('register_key', register, app);
        await say('confirm_code', { ...confirm, account: '' }, customer);
        await say('confirm_code', { ...confirm, code: `x${code}` }, customer);
        await say('preview_call', { tool: 'confirm_code', arguments: { account } }, { ...customer, role: 'agent' });
        await here.advance(121);
        await engine.recover();
      }),
      { numRuns: runs, ...(process.env.SEED === undefined ? {} : { seed: Number(process.env.SEED) }) },
    );
    for (const { id, state } of await here.operations())
      if (state === 'UNKNOWN')
        await settleUnknown(here.running.engine.parts, id, { happened: false, note: 'looked' }, person);
    const sinks: Sink[] = [
      ...(await exportsOf(here)),
      { name: 'answers', bytes: Buffer.from(seen.join('\n')) },
      { name: 'shown', bytes: Buffer.from(await shownBy(here)) },
      ...bytesIn(data).filter(({ name }) => !name.includes('sandbox-world')),
    ];
    expect(sinks.filter(({ name, bytes }) => name.startsWith('audit as') && bytes.length > 1_000)).toHaveLength(
      formats.size,
    );
    // A message is cut, which may leave the beginning of one.
    const beginnings = Object.fromEntries(
      Object.entries(secrets).map(([name, it]) => [`beginning of ${name}`, it.slice(0, 9)]),
    );
    const before = search(sinks, { ...secrets, ...beginnings });
    await here.running.close();
    const after = search(bytesIn(data), secrets);
    console.log(
      `${before.searches + after.searches} searches for ${Object.keys(secrets).length} secrets in ${sinks.length} places`,
    );
    // The platform has got them all: otherwise the search would prove nothing.
    expect(Object.values(secrets).filter((it) => !received.includes(it))).toEqual([]);
    expect([before.hits, after.hits]).toEqual([[], []]);
  });
});

const points: readonly FailPoint[] = ['F0', 'F1', 'F2', 'F3', 'F4', 'F5', 'F6', 'F7', 'F8'];

describe('a process that is killed while a secret is entered', () => {
  it('leaves nothing of it on disk, and sends none twice', { timeout: 300_000 }, async () => {
    const data = join(folder(), 'data');
    const { enter, end } = await enterers(data);
    const secrets: Record<string, string> = {};
    const found: unknown[] = [];
    for (const [n, point] of points.entries()) {
      const [code, key] = fc.sample(fc.tuple(aCode, aKey), { numRuns: 1, seed: n })[0] ?? ['', ''];
      Object.assign(secrets, { [`code at ${point}`]: code, [`key at ${point}`]: key });
      const args = { reference: `code-${n}`, account: `account-${n}`, code, blob: key };
      const call = { tool: 'confirm_code', args, role: 'customer', now: begins } as const;
      const killed = await enter({ ...call, point });
      const again = await enter({ ...call, now: begins + 121_000 });
      found.push([point, killed.arrived + again.arrived]);
    }
    // A process that dies before its request has arrived never sends it again: nobody has the code any more. What is declined is over.
    expect(found).toEqual(points.map((point) => [point, arrivals[point]]));
    const printed = await end();
    const sinks = [{ name: 'printed', bytes: printed }, ...bytesIn(data)];
    expect(search(sinks, secrets).hits).toEqual([]);
    expect(printed.length).toBeGreaterThan(0);
  });

  it('never lets the platform see more attempts than are allowed', { timeout: 300_000 }, async () => {
    const data = join(folder(), 'data');
    const { enter, end } = await enterers(data);
    let arrived = 0;
    for (const [n, point] of points.entries()) {
      const args = { reference: `code-${n}`, account: 'account-1', code: '123456789012' };
      // Two at once: one of them is killed. What is left unknown is settled by its quiet period and a person.
      const call = { tool: 'confirm_code', args, role: 'customer', now: begins + n * 121_000 } as const;
      const both = await Promise.all([
        enter({ ...call, point }).catch(() => undefined),
        enter({ ...call, args: { ...args, reference: `other-${n}` } }),
      ]);
      for (const one of both) arrived += one?.arrived ?? 0;
    }
    await end();
    expect(arrived).toBeLessThanOrEqual(codeAttempts);
  });
});

/** How many requests of a call arrive in all, by the point at which its first process dies. */
const arrivals: { readonly [P in FailPoint]: number } = {
  F0: 1,
  F1: 1,
  F2: 0,
  F3: 0,
  F4: 1,
  F5: 1,
  F6: 2,
  F7: 2,
  F8: 2,
};

it('looks for every spelling that an answer is cleaned of', () => {
  expect(Object.keys(encodings)).toEqual(
    expect.arrayContaining(['base64', 'base64url', 'hex', 'URL-encoded', 'JSON in JSON']),
  );
});
