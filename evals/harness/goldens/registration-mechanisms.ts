import { z } from 'zod';
import { PlatformFault } from '../../../src/client/errors.ts';
import { limits } from '../../../src/core/limits.ts';
import type { Sealing } from '../../../src/core/operation.ts';
import { Secret } from '../../../src/core/secret.ts';
import { withPlaced } from '../../../src/core/secret-leaves.ts';
import type { Answer } from '../../../src/engine/answer.ts';
import type { Checked } from '../../../src/engine/check.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { redeemSecret } from '../../../src/engine/redeem.ts';
import { registerShopper } from '../../../src/engine/register.ts';
import { contractFaults, filledBy, screeningFaults, storageFaults } from '../../../src/engine/registration-faults.ts';
import { forgetSecrets, keepRequest, keptSecrets } from '../../../src/engine/request-secrets.ts';
import { sealAnswer } from '../../../src/engine/seal-answer.ts';
import { operationOf, type PlatformTool } from '../../../src/engine/tool.ts';
import type { LedgerTransaction } from '../../../src/ledger/ledger-transaction.ts';
import type { OperationRow } from '../../../src/ledger/rows.ts';
import type { SecretStore } from '../../../src/ledger/secret-store.ts';
import { createVault } from '../../../src/ledger/vault.ts';
import { countingIds } from '../world/ids.ts';
import { agentCaller, plainSpec } from '../world/settings.ts';
import type { TestHarness } from '../world/world.ts';
import { allowed } from './concurrent-mechanisms.ts';
import { endOf, minute, start } from './ledger-steps.ts';
import { each, type Lines, type Mechanisms } from './lines.ts';
import { type Alter, asAgent, eachFrom, inWorlds, onPlain, plain } from './prepared-worlds.ts';
import { valueFor } from './schema-values.ts';
import { factsOf, platformTools } from './tool-facts.ts';

// What is wrong with what the merchant's app registers, and the secrets that are kept in memory.

const deep = (levels: number): unknown => (levels === 0 ? 'x' : { a: deep(levels - 1) });
const half = '\ud83d';
/** What is wrong with what the merchant's app registers. */
const registrations: Mechanisms[string] = () => {
  const given: readonly (readonly [what: string, given: unknown])[] = [
    ['half a character', half],
    ['half a character in a member', { name: half }],
    ['half a character in a list', { cards: [{ brand: half }, 'x'] }],
    ['half a character in a name', { [half]: 1 }],
    ['half a character in a name within another', { card: { [half]: { x: half } } }],
    ['more than all numbers', { cards: [{ sum: Number.POSITIVE_INFINITY }] }],
    ['more than all numbers, alone', Number.POSITIVE_INFINITY],
    ['no number', { sum: Number.NaN, other: 7 }],
    ['a name that is no plain one', { 'a b': { c: half }, ab12: half, ab1: half, [`${'a'.repeat(41)}`]: half }],
    ['as many levels as there may be', deep(limits.argumentLevels)],
    ['a level more', deep(limits.argumentLevels + 1)],
    ['nothing', null],
  ];
  const shown: readonly (readonly [what: string, given: unknown])[] = [
    ['a card number', { displayName: '4111111111111111' }],
    ['a card number in what nobody is shown', { other: '4111 1111 1111 1111' }],
    ['a card number that is a number', { other: 4_111_111_111_111_111 }],
    ['a card number as a name', { '4111111111111111': 'x' }],
    ['a card number as a name within another', { card: { '4111111111111111': 'x' } }],
    ['a code', { displayName: 'CVV 123' }],
    ['a code in what nobody is shown', { other: 'CVV 123' }],
    ['an invisible character', { displayName: 'Ada\u200b' }],
    ['an invisible character in what nobody is shown', { other: 'Ada\u200b' }],
    ['half a character', { displayName: half }],
    ['an invisible character as a name', { 'a\u200b': 'x' }],
    ['a code as a name', { 'CVV 123': 'x' }],
    ['a code alone', 'CVV 123'],
    ['a list', { cards: [{ displayName: 'Ada' }, { displayName: 'CVV 123' }] }],
    ['nothing', { displayName: null, other: true }],
  ];
  const filled = filledBy(({ field }) => field.at !== undefined);
  return [
    ...given.map(([what, it]) => [what, storageFaults(it)] as const),
    ...shown.map(([what, it]) => [`screened: ${what}`, screeningFaults(it, ['displayName'])] as const),
    ['what registrations fill', filled.map(({ at }) => at)],
    ...[
      {},
      { shipTo: 7 },
      { shipTo: [] },
      { shipTo: null },
      { shipTo: { country: 7, email: 'x' } },
      { card: { customerId: '' } },
      { receipt: { amount: 'x' } },
    ].map((it) => [`by the contract: ${JSON.stringify(it)}`, contractFaults(it, filled, 'PU-01')] as const),
  ];
};

/** Secrets that are kept in memory. */
const secrets: Mechanisms[string] = () => {
  const vault = createVault<string>({ ids: countingIds().ids });
  const put = (tenantOf: string, later: number) =>
    vault.put(new Secret('words'), { tenant: tenantOf, expiresAt: start + later });
  const [one, two, three] = [put('one', minute), put('two', minute + 1), put('one', 2 * minute)];
  const found = (handle: string, by = 'one', later = 0) =>
    vault.find(handle, by, start + later) === undefined ? 'nothing' : 'there';
  const taken = (handle: string, by = 'one', later = 0) =>
    vault.take(handle, by, start + later) === undefined ? 'nothing' : 'taken';
  return [
    ['found by its tenant, and another', [found(one), found(one, 'two'), found('secret_none')]],
    ['taken by another', [taken(one, 'two'), found(one)]],
    ['in its last moment', [found(one, 'one', minute - 1), found(two, 'two', minute - 1)]],
    ['when it is over', [found(one, 'one', minute), found(two, 'two', minute), found(one)]],
    ['taken twice', [taken(three), taken(three), found(three)]],
    [
      'redeemed twice',
      [
        vault.redeem(two, 'one', start) ?? 'nothing',
        vault.redeem(two, 'two', start) ?? 'nothing',
        vault.redeem(two, 'two', start) ?? 'nothing',
      ],
    ],
  ];
};

/** The tools whose requests have secrets. */
const takers = (): readonly PlatformTool[] => platformTools.filter((tool) => operationOf(tool).takesSecrets);

/** What is found and forgotten of a request that was stored with references in the place of its secrets. */
const storedSecrets: Mechanisms[string] = () => {
  const tx = {} as LedgerTransaction; // this vault stores nothing
  return each(takers(), async (tool) => {
    const body = valueFor(operationOf(tool).body ?? z.never(), 'all');
    const row = { request: { body }, tenant: 'one' } as unknown as OperationRow; // all that is asked of it
    const asked: string[] = [];
    const vault = {
      find: async (_rows: unknown, reference: string) => {
        asked.push(`asks for ${reference}`);
        return asked.length > 1 ? undefined : new Secret('words');
      },
      forget: async (_rows: unknown, reference: string, tenant: string) =>
        void asked.push(`forgets ${reference} of ${tenant}`),
    } as unknown as SecretStore; // all that is asked of it
    const found = await keptSecrets({ vault }, tx, tool, row, start);
    await forgetSecrets({ vault }, tx, tool, row, start);
    return [tool.name, [found?.map(({ path }) => path.join('.')) ?? 'one is gone', ...asked]];
  });
};

/** What is kept of the secrets of a request before it is sent, and for how long. */
const keptSecretsOf: Mechanisms[string] = () => {
  const tx = {} as LedgerTransaction; // this vault stores nothing
  return each(takers(), async (tool) => {
    const body = valueFor(operationOf(tool).body ?? z.never(), 'all');
    const row = { request: { body }, tenant: 'one' } as unknown as OperationRow; // all that is asked of it
    const every = { find: async () => new Secret('words') } as unknown as SecretStore; // as above
    const entered = (await keptSecrets({ vault: every }, tx, tool, row, start)) ?? [];
    const kept: string[] = [];
    const vault = {
      put: async (_rows: unknown, _secret: unknown, { tenant, expiresAt }: Parameters<SecretStore['put']>[2]) => {
        kept.push(`${(expiresAt - start) / 1_000} s for ${tenant}`);
        return `secret_${kept.length}`;
      },
    } as unknown as SecretStore; // as above
    const checked = { request: { body: withPlaced(body, entered) }, state: {}, dependsOn: '', facts: factsOf('all') };
    const call = { tool, caller: { tenant: 'one' }, now: start } as unknown as Parameters<typeof keepRequest>[2]; // as above
    const { secrets } = await keepRequest({ vault, reader: undefined }, tx, call, checked as unknown as Checked); // as above
    return [tool.name, [`${secrets.length} are sent`, ...(kept.length === 0 ? ['none is kept'] : kept)]];
  });
};

/** An answer of which a part may be secret. */
const sealedAnswers: Mechanisms[string] = () => {
  const vault: Pick<SecretStore, 'put'> = {
    put: async (_rows, _secret, { tenant, expiresAt }) => `kept for ${tenant}, ${expiresAt - start} ms`,
  };
  const tx = {} as LedgerTransaction; // this vault stores nothing
  const answers: readonly (readonly [what: string, opened: Awaited<ReturnType<Sealing['open']>> | 'no part'])[] = [
    ['with a secret', { shown: { state: 'done' }, secret: { key: 'words' } }],
    ['without one', undefined],
    ['with one that can’t be read', { unreadable: ['body.key'] }],
    ['of an operation that has none', 'no part'],
  ];
  return each(answers, async ([what, opened]) => {
    const operation = opened === 'no part' ? {} : { sealing: { lifetimeSeconds: 60, open: async () => opened } };
    const sealed = (isKept: boolean) =>
      sealAnswer(vault, tx, operation, {}, { tenant: 'one', now: start, isKept }).then(
        (it) => it ?? 'nothing',
        (error: unknown) => (error instanceof PlatformFault ? error.kind : String(error)),
      );
    return [what, [await sealed(true), await sealed(false)]];
  });
};

/** A purchase whose credentials were released. */
async function released(engine: Engine): Promise<Answer> {
  await asAgent(engine, 'enroll_card', { card: 'card_ada' });
  const limit = { amount: '40.00', currency: 'GBP' };
  const wish = { card: 'card_ada', reference: 'order-1', description: 'Strings', until: '2026-02-01T00:00:00Z', limit };
  const { data } = await allowed(engine, 'initiate_purchase', wish);
  const args = { instruction: data?.instruction, amount: '39.90', currency: 'GBP' };
  return allowed(engine, 'retrieve_credentials', args);
}

/** Who gets released credentials, and what is left of them where the ledger runs the redemption twice or loses it. */
const redeemed = (harness: TestHarness): Promise<Lines> =>
  onPlain(harness, async (again) => {
    const lines: [string, unknown][] = [];
    for (const trouble of ['none', 'run twice by the ledger', 'lost by the ledger']) {
      let credentials = '';
      const troubled: Alter = (parts) => {
        const { ledger } = parts;
        let isLeft = trouble !== 'none';
        const transaction: typeof ledger.transaction = async (tenant, work) => {
          const broken = ledger.transaction(tenant, async (tx) => {
            const end = await work(tx);
            if (!isLeft || credentials === '' || end === undefined) return end;
            isLeft = false;
            throw new Error('It is lost.');
          });
          return trouble === 'lost by the ledger' ? broken : broken.catch(() => ledger.transaction(tenant, work));
        };
        return { ...parts, ledger: { ...ledger, transaction } };
      };
      const ends = await again(troubled, async (engine) => {
        credentials = String((await released(engine)).data?.credentials);
        const end = (by: 'app' | 'operator') =>
          endOf(async () => {
            const secret = await redeemSecret(engine.parts, agentCaller.tenant, credentials, by);
            return secret === undefined ? 'nothing' : 'the credentials';
          });
        return [await end('operator'), await end('app'), await end('app'), await end('app')];
      });
      lines.push([trouble, ends]);
    }
    return lines;
  });

/** What is forgotten of credentials that were released for a purchase, by the call that follows. */
const forgotten = (harness: TestHarness): Promise<Lines> => {
  let purchase: unknown;
  return eachFrom(
    harness,
    plainSpec,
    (again) =>
      again(plain, async (engine) => {
        purchase = (await released(engine)).data?.instruction;
      }),
    async (again) => {
      const lines: [string, unknown][] = [];
      for (const tool of ['get_purchase', 'update_purchase', 'cancel_purchase']) {
        let times = 0;
        const counting: Alter = (parts) => ({
          ...parts,
          vault: {
            ...parts.vault,
            forget: (...of) => {
              times += 1;
              return parts.vault.forget(...of);
            },
          },
        });
        const args = { instruction: purchase, ...(tool === 'update_purchase' ? { description: 'Other strings' } : {}) };
        const end = await again(counting, async (engine) => {
          const { outcome, error, data } = await allowed(engine, tool, args);
          return [outcome, error?.code, data?.state];
        });
        lines.push([tool, [...end, `${times} forgotten`]]);
      }
      return lines;
    },
  );
};

/** Sessions that the app registers, one after the other, with the bounds of what it may choose. */
const sessions = (harness: TestHarness): Promise<Lines> =>
  onPlain(harness, (again) =>
    again(plain, async ({ parts }) => {
      const given: readonly (readonly [what: string, session: object])[] = [
        ['a name', { displayName: 'Eve' }],
        ['no name', { displayName: '' }],
        ['a name of eighty letters', { displayName: 'E'.repeat(80) }],
        ['a name of eighty-one', { displayName: 'E'.repeat(81) }],
        ['a handle', { handle: 'shopper_eve', displayName: 'Eve' }],
        ['the same handle, another name', { handle: 'shopper_eve', displayName: 'Eva' }],
        ['a handle of another kind', { handle: 'card_eve', displayName: 'Eve' }],
        ['a handle of 55 letters', { handle: `shopper_${'e'.repeat(55)}`, displayName: 'Eve' }],
        ['a handle of 56', { handle: `shopper_${'e'.repeat(56)}`, displayName: 'Eve' }],
        ['no letters behind it', { handle: 'shopper_', displayName: 'Eve' }],
        ['great letters', { handle: 'shopper_Eve', displayName: 'Eve' }],
        ['a member that is not known', { displayName: 'Eve', nickname: 'E' }],
        ['a list', [] as unknown as object],
      ];
      const lines: [string, unknown][] = [];
      for (const [what, session] of given) {
        const end = await registerShopper(parts, agentCaller.tenant, session);
        lines.push([
          what,
          end.ok ? end.value.shopper.replace(/e{9,}/, 'e…') : end.faults.map(({ field, rule }) => [field, rule]),
        ]);
      }
      return lines;
    }),
  );

export const registrationMechanisms: Mechanisms = {
  ...inWorlds({
    'credentials of a purchase, by what follows': forgotten,
    'credentials of a purchase, redeemed': redeemed,
    'sessions that the app registers': sessions,
  }),
  'faults of a registration': registrations,
  'secrets in memory': secrets,
  'secrets of a request that is about to be sent': keptSecretsOf,
  'secrets of a stored request': storedSecrets,
  'secrets of an answer': sealedAnswers,
};
