import { z } from 'zod';
import type { JsonObject } from '../../../src/core/canonical-json.ts';
import { limits } from '../../../src/core/limits.ts';
import { jsonOf } from '../../../src/core/secret-leaves.ts';
import type { KindSpec } from '../../../src/core/thing.ts';
import type { Kind } from '../../../src/domains/facts.ts';
import { kindTable } from '../../../src/domains/index.ts';
import type { Answer } from '../../../src/engine/answer.ts';
import { apply } from '../../../src/engine/apply.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import type { Tool } from '../../../src/engine/tool.ts';
import { tools } from '../../../tools/index.ts';
import { agentCaller, plainSpec } from '../world/settings.ts';
import type { TestHarness } from '../world/world.ts';
import { endOf } from './ledger-steps.ts';
import { each, type Lines, type Mechanisms } from './lines.ts';
import { asAgent, eachFrom, inWorlds, onPlain, plain } from './prepared-worlds.ts';
import { valueFor } from './schema-values.ts';
import { bodies, start } from './thing-bodies.ts';

// What is found of things that the ledger remembers, page by page, and what can be asked of the platform about them.

const { tenant } = agentCaller;

/** Five drafts of three customers. */
const drafts = [
  { reference: 'A-1', customer_name: 'Ada Example', due: '2026-02-01' },
  { reference: 'A-2', customer_name: 'Ada Example', due: '2026-02-02' },
  { reference: 'A-10', customer_name: 'Adam Example', customer_id: 'C-77', due: '2026-02-03' },
  { reference: 'B-1', customer_name: 'Bo Example', due: '2026-02-03' },
  { reference: 'B-2', customer_name: 'Bo Ada', due: '2026-03-01' },
];
const asked: readonly object[] = [
  ...['Ada Example', 'ada', 'ADA EX', 'A-1', 'B', 'example', 'c-77', 'C-7', 'nobody', ''].map((find) => ({ find })),
  ...[1, 2, 3].map((limit) => ({ find: 'A', limit })),
  { find: 'A', state: 'DRAFT' },
  { find: 'A', state: 'SENT' },
  ...['2026-01-31', '2026-02-01', '2026-02-02', '2026-02-03', '2026-12-31'].map((due_by) => ({ due_by })),
  ...[1, 2].map((limit) => ({ due_by: '2026-12-31', limit })),
  { due_by: '2026-12-31', state: 'DRAFT' },
  { due_by: '2026-12-31', state: 'SENT' },
  { find: 'A', cursor: 'none' },
];

type Data = {
  readonly items?: readonly { readonly reference: string }[];
  readonly total?: number;
  readonly more?: string;
};

/** The pages of a search, one after the other, as long as each names another. */
async function pagesOf(engine: Engine, args: object): Promise<readonly unknown[]> {
  const pages: unknown[] = [];
  let cursor: string | undefined;
  do {
    const answer = await asAgent(engine, 'list_invoices', cursor === undefined ? args : { ...args, cursor });
    const data = answer.data as Data | undefined; // by the tool's shape
    pages.push(
      data === undefined
        ? [answer.outcome, answer.error?.code, answer.error?.field]
        : `${data.items?.map(({ reference }) => reference).join(' ') || 'none'} of ${data.total}`,
    );
    cursor = data?.more;
  } while (cursor !== undefined && pages.length < drafts.length);
  return pages;
}

const found = (harness: TestHarness): Promise<Lines> =>
  eachFrom(
    harness,
    plainSpec,
    (again) =>
      again(plain, async (engine) => {
        for (const draft of drafts)
          await asAgent(engine, 'create_invoice', {
            ...{ how: 'draft', total: '40.00', currency: 'USD', description: 'Repair' },
            ...draft,
          });
      }),
    async (again) => {
      const lines: [string, unknown][] = [];
      for (const args of asked)
        lines.push([JSON.stringify(args).replaceAll('"', ''), await again(plain, (engine) => pagesOf(engine, args))]);
      return lines;
    },
  );

/** What is answered about a plan whose id at the platform is this. */
const named = (harness: TestHarness): Promise<Lines> =>
  onPlain(harness, async (again) => {
    const lines: [string, unknown][] = [];
    for (const planId of ['1', '', '.', '..', 'a/b', 'a?b', 'a b', undefined])
      lines.push([
        `${planId === undefined ? 'not known' : `"${planId}"`}`,
        await again(plain, async (engine) => {
          const body = { length: '1', unit: 'M', currency: 'GBP', amount: '10', name: 'Tea' };
          const row = { handle: 'plan_one', kind: 'plan', owner: tenant, state: 'DRAFT' };
          await engine.parts.ledger.transaction(tenant, (tx) =>
            tx.observations.insert(
              { ...row, body: planId === undefined ? body : { ...body, planId } },
              engine.parts.ports.clock.now(),
            ),
          );
          return Promise.all(
            ['get_plan', 'activate_plan'].map(async (tool) => {
              const { outcome, error, next } = await asAgent(engine, tool, { plan: 'plan_one' });
              return [outcome, error?.code, error?.rule, error?.field, error?.retry, next];
            }),
          );
        }),
      ]);
    return lines;
  });

/** What comes of an answer that is about another thing than the one with that handle. */
const another = (harness: TestHarness): Promise<Lines> =>
  onPlain(harness, async (again) => {
    const lines: [string, unknown][] = [];
    for (const [name, spec] of Object.entries<KindSpec>(kindTable)) {
      const kind = name as Kind;
      const [body = {}] = (bodies as { readonly [kind: string]: readonly object[] | undefined })[kind] ?? [];
      const known: Readonly<Record<string, unknown>> = {
        ...body,
        ...(spec.platformId && { [spec.platformId]: 'one' }),
      };
      const handle = `${kind}_one`;
      const heard = (told: object) =>
        again(plain, ({ parts }) =>
          parts.ledger.transaction(tenant, async (tx) => {
            const row = { handle, kind, owner: '', state: 'ACTIVE', body: jsonOf(known) as JsonObject };
            await tx.observations.insert(row, start);
            const observation = { handle, kind, state: 'ACTIVE', body: { ...told } };
            return endOf(async () => {
              await apply(parts, tx, [observation], { things: {} });
              return 'written down';
            });
          }),
        );
      const fixed = [...(spec.platformId === undefined ? [] : [spec.platformId]), ...(spec.neverChanges ?? [])];
      for (const member of fixed)
        lines.push([
          `${kind}, by its ${member}`,
          [
            await heard({ ...known, [member]: known[member] ?? 'x' }),
            await heard({ ...known, [member]: 'another' }),
            await heard({ ...known, [member]: '' }),
            await heard({ ...known, [member]: undefined }),
          ],
        ]);
    }
    return lines;
  });

/** Lists that are asked to go on from nowhere, and previews of tools that answer from the ledger. */
const onTheLedger = (harness: TestHarness): Promise<Lines> =>
  onPlain(harness, async (again) => {
    const lines: [string, unknown][] = [];
    const said = ({ outcome, error, next }: Pick<Answer, 'outcome' | 'error' | 'next'>) => [
      ...[outcome, error?.code, error?.rule, error?.field, next],
    ];
    for (const tool of tools.filter(({ kind, name }) => kind === 'local' && name !== 'preview_call')) {
      const args = { ...(valueFor(tool.inputSchema, 'the least') as object), ...known(tool) };
      lines.push([
        `a preview of ${tool.name}`,
        await again(plain, async (engine) => {
          const { data } = await asAgent(engine, 'preview_call', { tool: tool.name, arguments: args });
          return said(data?.verdict as Answer); // by its output schema
        }),
      ]);
      if ('cursor' in tool.inputSchema.shape)
        lines.push([
          `${tool.name} from a cursor of no list`,
          await again(plain, async (engine) => said(await asAgent(engine, tool.name, { ...args, cursor: 'none' }))),
        ]);
    }
    return lines;
  });

/** A shopper that is there; nothing else is. */
const known = ({ inputSchema }: Tool): object => ('shopper' in inputSchema.shape ? { shopper: 'shopper_ada' } : {});

const tea = { name: 'Tea', every: 1, unit: 'month', amount: '10.00', currency: 'GBP' };

type Item = { readonly reference?: string; readonly state?: string };

/** Every list that can be narrowed by reference or state, narrowed by each and by both: of two references, in two states each. */
const narrowed = (harness: TestHarness): Promise<Lines> => {
  const lists = tools.filter(
    ({ kind, inputSchema: { shape } }) =>
      kind === 'local' && 'cursor' in shape && ('reference' in shape || 'state' in shape),
  );
  const references = ['order-1', 'order-2'];
  return eachFrom(
    harness,
    plainSpec,
    (again) =>
      again(plain, async (engine) => {
        for (const reference of references) {
          await asAgent(engine, 'create_plan', { ...tea, reference });
          await asAgent(engine, 'authorize_payment', {
            price: { amount: '10.00', currency: 'GBP' },
            card: 'card_ada',
            reference: `${reference}-2`,
          });
        }
        await engine.parts.ledger.transaction(tenant, async (tx) => {
          for (const [kind, [body, more]] of Object.entries(bodies).filter(([, [it]]) => 'reference' in it))
            for (const state of new Set(lists.flatMap((it) => stateOptions(it).slice(0, 1))))
              for (const reference of references)
                await tx.observations.insert(
                  {
                    ...{ handle: `${kind}_${reference}_${state}`, kind, owner: tenant, state },
                    body: jsonOf({ ...body, ...more, reference }) as JsonObject,
                  },
                  start,
                );
        });
      }),
    (again) =>
      again(plain, async (engine) => {
        const lines: [string, unknown][] = [];
        for (const tool of lists) {
          const [state, , other] = stateOptions(tool);
          const asked = [
            ...('reference' in tool.inputSchema.shape ? [undefined, 'order-1', 'order-3'] : [undefined]).flatMap(
              (reference) =>
                [undefined, state, other].map((state) => ({
                  ...(reference === undefined ? {} : { reference }),
                  ...(state === undefined ? {} : { state }),
                })),
            ),
            { state, limit: 1 },
          ];
          for (const args of asked) {
            const { data, next } = await asAgent(engine, tool.name, args);
            const items = (data?.items ?? []) as readonly Item[]; // by the tool's shape
            const more = data?.more === undefined ? '' : ', and more';
            lines.push([
              `${tool.name}, ${JSON.stringify(args).replaceAll('"', '')}`,
              [
                `${items.map((it) => [it.reference, it.state].join(' ')).join('; ') || 'none'} of ${data?.total}${more}`,
                next,
              ],
            ]);
          }
        }
        return lines;
      }),
  );
};

const stateOptions = ({ inputSchema }: Tool): readonly string[] => {
  const state = (inputSchema.shape as Readonly<Record<string, z.ZodType | undefined>>).state;
  const whole = state instanceof z.ZodOptional ? state.unwrap() : state;
  return whole instanceof z.ZodEnum ? whole.options.map(String) : [];
};

/** The shoppers of the plain world, by name and by pages. */
const shoppers = (harness: TestHarness): Promise<Lines> =>
  onPlain(harness, (again) =>
    again(plain, async (engine) => {
      const lines: [string, unknown][] = [];
      for (const name of ['', ' ', 'a', 'ADA', 'example', 'nobody'])
        for (const limit of [1, 2, 50]) {
          const { outcome, data } = await asAgent(engine, 'find_shopper', { name, limit });
          const {
            items = [],
            total,
            more,
          } = (data ?? {}) as { readonly items?: readonly { readonly shopper: string }[] } & Data;
          const shown = items.map(({ shopper }) => shopper).join(' ') || 'none';
          lines.push([
            `"${name}", ${limit} a page`,
            [outcome, `${shown} of ${total}`, more === undefined ? 'and no more' : 'and more'],
          ]);
        }
      return lines;
    }),
  );

/** What is said of each list of the ledger: of nothing, and of more than are counted. */
const counted = (): Promise<Lines> =>
  each(
    tools.filter((tool) => tool.kind === 'local').filter(({ inputSchema: { shape } }) => 'cursor' in shape),
    async ({ name, run }) => {
      const ofTotal = async (total: object) => {
        const list = new Proxy(
          {},
          { get: (_, of) => async () => (of === 'countOwned' ? new Map() : { rows: [], ...total }) },
        );
        const tx = new Proxy({}, { get: () => list });
        const context = { tx, now: start, caller: agentCaller, settings: {}, resolve: async () => ({}) } as never; // all that it looks at
        return endOf(async () => {
          const { said, data } = await run({ limit: 1 }, context);
          return [said, data];
        });
      };
      const { countedRows } = limits;
      return [name, [await ofTotal({ total: 0 }), await ofTotal({ total: countedRows, isCapped: true })]];
    },
  );

export const searchMechanisms: Mechanisms = {
  ...inWorlds({
    'invoices that are searched in the ledger': found,
    'lists of the ledger, by what they are narrowed to': narrowed,
    'shoppers by name, and by pages': shoppers,
    'a plan, by its id at the platform': named,
    'answers about another thing under the same handle': another,
    'previews and cursors of what the ledger answers': onTheLedger,
  }),
  'lists of the ledger, of nothing and of more than are counted': counted,
};
