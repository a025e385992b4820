import { kinds } from '../../src/domains/index.ts';
import { recordDecision } from '../../src/engine/approval-service.ts';
import { redeemSecret } from '../../src/engine/redeem.ts';
import { registerReceipt, registerShopper } from '../../src/engine/register.ts';
import { settleUnknown } from '../../src/engine/settle-unknown.ts';
import type { Caller } from '../../src/ledger/ledger.ts';
import { tools } from '../../tools/index.ts';
import { type Found, tally } from '../support/found.ts';
import { type Numbers, numbers } from '../support/numbers.ts';
import { callWith, furnish, named, type Own } from './naming.ts';
import { openWorld, payment, person, type World } from './support.ts';

// One tenant has everything there is; strangers name its things (P6). Each call is made with such a handle and with one
// that never was: nobody may tell the answers apart, and nothing may happen to what is the first tenant's.

const strangers: readonly Caller[] = [
  { tenant: 'other', principal: 'agent' },
  { tenant: 'Default', principal: 'agent' },
  { tenant: 'default2', principal: 'ann', session: 'default' },
];
const everybody = {
  configure: { tenants: { default: {}, ...Object.fromEntries(strangers.map(({ tenant }) => [tenant, {}])) } },
  replace: { seeded: ['default'] },
};
const pairsPerWorld = 500;

/** Arguments that name no thing by its handle, and yet might tell of one. */
const other: readonly (readonly [tool: string, field: string])[] = tools.flatMap(({ name, inputSchema }) =>
  ['approval', 'credentials', 'cursor', 'reference', 'payment', 'code']
    .filter((field) => field in inputSchema.shape)
    .map((field) => [name, field] as const),
);

const isNamed = (tool: string, field: string): boolean => named.some(([one, its]) => one === tool && its === field);

/** Makes so many calls of strangers, by twos. A finding is an answer that tells, or a trace of them. */
export async function strange(calls: number, seed: number): Promise<Found> {
  const it = tally();
  const random = numbers(seed);
  const ways = everyWay();
  for (let made = 0; made < calls; ) {
    const world = await openWorld(everybody);
    const own = await furnish(world);
    const { more } = (await world.call('list_operations', { limit: 1 })).data;
    const handles = [...Object.values(own), String(more), 'order-1', 'order-2'];
    const before = await traces(world);
    for (let pair = 0; pair < pairsPerWorld && made < calls; pair++, made += 2) {
      const way = made / 2 < ways.length ? (ways[made / 2] ?? random.of(ways)) : random.of(ways);
      const stranger = random.of(strangers);
      const handle = random.of(handles);
      const nobody = madeUp(handle, random);
      const told = await way.call(world, handle, stranger, own);
      const toldOfNobody = await way.call(world, nobody, stranger, own);
      it.count('calls', 2);
      it.count(`ways: ${way.name}`);
      const says = `${way.name} with ${handle} by ${stranger.tenant} (seed ${seed}, call ${made})`;
      if (told.replaceAll(handle, 'HANDLE') !== toldOfNobody.replaceAll(nobody, 'HANDLE'))
        it.find(`${says}: ${told} differs from ${toldOfNobody}`);
      if (handles.some((one) => one !== handle && told.includes(one))) it.find(`${says} tells of ${told}`);
    }
    if ((await traces(world)) !== before) it.find(`Strangers have left traces (seed ${seed}, up to call ${made}).`);
    await world.running.close();
  }
  const { counts, findings } = it.found();
  const named = Object.keys(counts).filter((name) => name.startsWith('ways: '));
  return { findings, counts: { calls: counts.calls ?? 0, ways: named.length } };
}

interface Way {
  readonly name: string;
  readonly call: (world: World, handle: string, by: Caller, own: Own) => Promise<string>;
}

/** Every tool with every argument that may name something, previews of the same, and what people and the merchant may ask. */
export function everyWay(): readonly Way[] {
  const ofTools = [...named, ...other].flatMap(([tool, field]): readonly Way[] => {
    const args = (handle: string, own: Own) =>
      isNamed(tool, field) ? callWith(tool, field, handle, own) : { [field]: handle };
    return [
      { name: `${tool}.${field}`, call: (world, handle, by, own) => told(world.call(tool, args(handle, own), by)) },
      {
        name: `preview of ${tool}.${field}`,
        call: (world, handle, by, own) => told(world.call('preview_call', { tool, arguments: args(handle, own) }, by)),
      },
    ];
  });
  const parts = (world: World) => world.parts;
  const as = ({ tenant }: Caller) => ({ ...person, tenant });
  const receipt = (instruction: string) => ({
    ...payment(instruction),
    transactionType: 'PURCHASE',
    transactionStatus: 'APPROVED',
  });
  return [
    ...ofTools,
    { name: 'approve', call: (world, id, by) => told(recordDecision(parts(world), id, 'approve', as(by))) },
    { name: 'deny', call: (world, id, by) => told(recordDecision(parts(world), id, 'deny', as(by))) },
    {
      name: 'resolve',
      call: (world, id, by) => told(settleUnknown(parts(world), id, { happened: true, note: 'x' }, as(by))),
    },
    { name: 'redeem', call: (world, handle, { tenant }) => told(redeemSecret(parts(world), tenant, handle, 'app')) },
    { name: 'receipt', call: (world, id, { tenant }) => told(registerReceipt(parts(world), tenant, receipt(id))) },
    {
      name: 'shopper of a session',
      call: (world, handle, { tenant }) => told(registerShopper(parts(world), tenant, { handle, cards: [] })),
    },
  ];
}

/** Whatever comes back, as bytes: also what is thrown. */
const told = (work: Promise<unknown>): Promise<string> =>
  work.then(
    (answer) => JSON.stringify(answer) ?? 'nothing',
    (error: unknown) => (error instanceof Error ? `${error.name}: ${error.message}` : 'threw'),
  );

/** A handle that never was, as long as another and of its kind. */
const madeUp = (handle: string, random: Numbers): string => {
  const [kind, ...name] = handle.split(/(?<=[_-])/);
  const letters = [...name.join('')].map(() => random.of([...'bcdfghjkmnpqrstvwxz']));
  return `${kind}${letters.join('')}`;
};

/** What the first tenant has and the platform has done. */
async function traces(world: World): Promise<string> {
  const rows = await world.parts.ledger.transaction('default', async (tx) => {
    const page = { limit: 1_000 };
    return [
      await tx.operations.list({}, page),
      await tx.approvals.list({}, page),
      await Promise.all([...kinds, 'run'].map((kind) => tx.observations.list({ kind }, page))),
    ];
  });
  return JSON.stringify([rows, await world.effects()]);
}
