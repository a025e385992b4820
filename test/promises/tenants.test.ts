import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { aiSdkTools } from '../../src/adapters/ai-sdk.ts';
import { langchainTools } from '../../src/adapters/langchain.ts';
import { BadConfiguration } from '../../src/cli/bad-configuration.ts';
import { compose } from '../../src/cli/compose.ts';
import { readConfiguration } from '../../src/cli/config.ts';
import { openTokens } from '../../src/cli/tokens.ts';
import { PlatformFault } from '../../src/client/errors.ts';
import type { Platform } from '../../src/client/platform.ts';
import { reveal, Secret } from '../../src/core/secret.ts';
import { roles } from '../../src/engine/access-tokens.ts';
import { listApprovals, listOperations, recordDecision } from '../../src/engine/approval-service.ts';
import { registerReceipt, registerShopper } from '../../src/engine/register.ts';
import { settleUnknown } from '../../src/engine/settle-unknown.ts';
import { UnknownTenant } from '../../src/engine/unknown-tenant.ts';
import { createHttpFace } from '../../src/http/server.ts';
import { createMcpFactory } from '../../src/mcp/server.ts';
import { tools } from '../../tools/index.ts';
import { callWith, furnish, named } from '../engine/naming.ts';
import { begins, configuration, person, twoTenants } from '../engine/support.ts';
import { folder } from '../faces/cli.ts';
import { secrets } from '../faces/support.ts';

// One engine, two tenants, each with its own account at the platform: whose credentials sign what, and what crosses over.

interface Sent {
  readonly tenant: string;
  readonly merchant: string | null;
}

/** What becomes of the platform of a tenant. */
interface Twists {
  readonly [tenant: string]: (response: Response) => Response;
}

async function shops(twists: Twists = {}) {
  const sent: Sent[] = [];
  const platform = (real: Platform, tenant: string) => async (request: Request) => {
    sent.push({ tenant, merchant: request.headers.get('v-c-merchant-id') });
    const answer = await real(request);
    return twists[tenant]?.(answer) ?? answer;
  };
  return { ...(await twoTenants({ platform })), sent };
}

describe('two tenants of one engine', () => {
  it('no call of any tool by one is signed with the credentials of the other, or tells of its things', async () => {
    const { sent, ada: them, bo: me } = await shops();
    const own = await furnish(them);
    const before = JSON.stringify([await them.control('GET', 'snapshot'), await them.operations()]);
    sent.length = 0;
    // What is in order is sent, and with the right credentials. An invoice of both may have one number, and so one handle.
    const ours: readonly string[] = Object.values(await furnish(me));
    const secret = Object.values(own).filter((value) => !ours.includes(value));
    expect(secret.length).toBeGreaterThan(8);
    const said: string[] = [];
    const tried = new Set<string>();
    for (const { name } of tools) {
      const fields = named.filter(([tool]) => tool === name).map(([, field]) => field);
      const calls = [{}, ...fields.flatMap((field) => secret.map((handle) => callWith(name, field, handle, own)))];
      for (const args of calls) {
        said.push(JSON.stringify(await me.through(name, args)));
        said.push(JSON.stringify(await me.call('preview_call', { tool: name, arguments: args })));
      }
      tried.add(name);
    }
    expect(tried.size).toBe(tools.length);
    expect(new Set(sent.map(({ tenant, merchant }) => `${tenant} as ${merchant}`))).toEqual(
      new Set(['bo_shop as harbour_audio_test_bo_shop']),
    );
    expect(said.filter((text) => secret.some((handle) => text.includes(handle)))).toEqual([]);
    expect(JSON.stringify([await them.control('GET', 'snapshot'), await them.operations()])).toBe(before);
  });

  it("no tenant's key opens another's sandbox", async () => {
    const refused: number[] = [];
    const { running } = await shops();
    const { ada_shop: ada, bo_shop: bo } = Object.fromEntries(running.sandboxes);
    const seen: Request[] = [];
    const other = await compose(configuration({ tenant: 'bo_shop', tenants: { ada_shop: {}, bo_shop: {} } }), {
      clock: { now: () => begins },
      frozenAt: begins,
      platform: (real) => async (request) => {
        seen.push(request.clone());
        return real(request);
      },
    });
    onTestFinished(() => other.close());
    await other.engine.call('enroll_card', { card: 'card_ada' }, { tenant: 'bo_shop', principal: 'agent' });
    for (const sandbox of [ada, bo])
      refused.push((await sandbox?.handle(seen[0]?.clone() ?? new Request('x:')))?.status ?? 0);
    expect(refused).toEqual([401, 200]);
  });

  it("one's broken platform stops nobody else", async () => {
    const { ada, bo } = await shops({
      ada_shop: () => {
        throw new PlatformFault('unreachable');
      },
    });
    const codes = [];
    for (let call = 0; call < 8; call++) codes.push((await ada.call('enroll_card', { card: 'card_ada' })).error?.code);
    expect(codes.at(-1)).toBe('UNREACHABLE');
    expect((await bo.call('enroll_card', { card: 'card_ada' })).outcome).toBe('done');
  });

  it("one's clock stops nobody else's money", async () => {
    const astray = (answer: Response): Response => {
      const headers = new Headers(answer.headers);
      headers.set('date', new Date(begins + 3_600_000).toUTCString());
      return new Response(answer.body, { status: answer.status, headers });
    };
    const { ada, bo } = await shops({ ada_shop: astray });
    for (const it of [ada, bo]) await it.call('enroll_card', { card: 'card_ada' });
    const skews = [ada, bo].map(({ running: { engine } }, at) =>
      engine.of(at === 0 ? 'ada_shop' : 'bo_shop').parts.ports.skew(),
    );
    expect(Math.abs(skews[0] ?? 0)).toBeGreaterThan(3_000_000);
    expect(Math.abs(skews[1] ?? 0)).toBeLessThan(2_000);
  });
});

describe('a tenant that nobody serves', () => {
  it('is refused before anything is looked up, by every tool and every other way in', async () => {
    const { running, sent, ada } = await shops();
    const own = await furnish(ada);
    sent.length = 0;
    const { engine } = running;
    const before = JSON.stringify([await running.ledger.tenants(), await running.ledger.verify()]);
    const nobody = { tenant: 'nobody', principal: 'agent' };
    const { parts } = engine;
    const by = { ...person, tenant: 'nobody' };
    const ways: readonly (() => unknown)[] = [
      ...tools.map(
        ({ name }) =>
          () =>
            engine.call(name, {}, nobody),
      ),
      ...named.map(
        ([tool, field]) =>
          () =>
            engine.call(tool, callWith(tool, field, own.instruction, own), nobody),
      ),
      () => engine.redeem('nobody', own.credentials),
      () => engine.of('nobody'),
      () => registerShopper(parts, 'nobody', { handle: 'shopper_x', displayName: 'X' }),
      () =>
        registerReceipt(parts, 'nobody', {
          ...{ instruction: own.instruction, transactionType: 'PURCHASE', transactionStatus: 'APPROVED' },
          ...{ amount: '1.00', currency: 'GBP' },
        }),
      () => listApprovals(parts, 'nobody', { limit: 1 }),
      () => listOperations(parts, 'nobody', { limit: 1 }),
      () => recordDecision(parts, own.approval, 'approve', by),
      () => settleUnknown(parts, own.unknown, { happened: true, note: 'x' }, by),
    ];
    for (const way of ways) await expect((async () => way())()).rejects.toThrow();
    const kinds = await Promise.all(
      ways.map(async (way) => {
        try {
          return await way();
        } catch (error) {
          return error;
        }
      }),
    );
    expect(kinds.filter((it) => !(it instanceof UnknownTenant))).toEqual([]);
    expect(sent).toEqual([]);
    expect(JSON.stringify([await running.ledger.tenants(), await running.ledger.verify()])).toBe(before);
  });

  it('is an error where a face is made for it', async () => {
    const { running } = await shops();
    const { engine } = running;
    const caller = { tenant: 'nobody', principal: 'agent' };
    expect(() => createHttpFace({ engine, tokens: secrets, tenant: 'nobody', version: '0' })).toThrow(UnknownTenant);
    expect(() => createMcpFactory({ engine, caller, version: '0', transport: 'stdio' })).toThrow(UnknownTenant);
    await expect(langchainTools(engine, caller)).rejects.toThrow(UnknownTenant);
    await expect(aiSdkTools(engine, caller)).rejects.toThrow(UnknownTenant);
  });
});

describe('the processes of two tenants that share a data folder', () => {
  const tenants = { ada: {}, bo: {} };
  const tokensOf = ({ tokens }: ReturnType<typeof openTokens>) => roles.map((role) => reveal(tokens[role]));

  it('open to none of the tokens of the other', () => {
    const data = folder();
    const [ada, bo] = [openTokens({ data, tenant: 'ada', tenants }), openTokens({ data, tenant: 'bo', tenants })];
    // Each of these has a configuration of its own, with one tenant.
    const [cy, usual] = ['cy', 'default'].map((tenant) => openTokens({ data, tenant, tenants: undefined }));
    expect(new Set([ada, bo, cy, usual].flatMap((it) => (it === undefined ? [] : tokensOf(it)))).size).toBe(
      4 * roles.length,
    );
    expect(tokensOf(openTokens({ data, tenant: 'ada', tenants }))).toEqual(tokensOf(ada));
  });

  it('have the files that there were before, where no tenant is named', () => {
    const data = folder();
    const { files } = openTokens({ data, tenant: 'default', tenants: undefined });
    expect(files).toEqual(Object.fromEntries(roles.map((role) => [role, join(data, `${role}.token`)])));
  });
});

describe('a configuration', () => {
  const merchant = { name: 'Shop', country: 'GB', url: 'https://shop.example.com' };
  const credentials = (merchantId: string) => ({
    merchantId,
    keyId: '00000000-0000-4000-8000-000000000001',
    sharedSecret: new Secret(Buffer.from('a secret of a test').toString('base64')),
  });
  const base = { ...readConfiguration({ PURSER_DATA: ':memory:' }), baseUrl: 'https://platform.example.com' };

  it.each([
    [
      'in which two tenants have one account',
      {
        environment: 'test',
        tenant: 'a',
        tenants: { a: { merchant, credentials: credentials('m') }, b: { merchant, credentials: credentials('m') } },
      },
    ],
    ['whose own tenant is none of its tenants', { tenant: 'c', tenants: { a: {}, b: {} } }],
    [
      'in which two tenants share a sandbox elsewhere',
      { tenant: 'a', tenants: { a: {}, b: {} }, sandboxUrl: 'http://127.0.0.1:1' },
    ],
    [
      'in which a tenant has no account',
      {
        environment: 'test',
        tenant: 'a',
        tenants: { a: { merchant, credentials: credentials('m') }, b: { merchant } },
      },
    ],
  ] as const)('%s is refused', async (_, change) => {
    await expect(compose({ ...base, ...change })).rejects.toThrow(BadConfiguration);
  });
});
