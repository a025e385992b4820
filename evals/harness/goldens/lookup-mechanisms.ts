import type { JsonObject } from '../../../src/core/canonical-json.ts';
import { operation } from '../../../src/core/own-machines.ts';
import { jsonOf } from '../../../src/core/secret-leaves.ts';
import { ownerKind } from '../../../src/domains/facts.ts';
import { isKind } from '../../../src/domains/index.ts';
import { handlesOf } from '../../../src/engine/resolve.ts';
import { operationOf } from '../../../src/engine/tool.ts';
import { bucketOf, lookupsOf, startOfBucket } from '../../../src/ledger/lookups.ts';
import { tools } from '../../../tools/index.ts';
import { agentCaller } from '../world/settings.ts';
import type { TestHarness } from '../world/world.ts';
import type { Lines, Mechanisms } from './lines.ts';
import { asAgent, inWorlds, onPlain, plain } from './prepared-worlds.ts';
import { bodies, start } from './thing-bodies.ts';
import { platformTools } from './tool-facts.ts';

// What the ledger answers of one thing, in every state that it can have, and before and after what it knows of it has ended.

/** The states of each kind of thing. */
const statesOf = (kind: string): readonly string[] => [
  ...new Set(
    platformTools.flatMap((tool) =>
      tool.observe.moves?.kind === kind ? (operationOf(tool).moves?.machine.existing ?? []) : [],
    ),
  ),
];

const known = Object.entries(bodies).filter(([kind]) => kind !== ownerKind);

/** Things of every kind that belong to each other, of which one kind is in this state. */
const insert = (engine: Parameters<typeof asAgent>[0], kind: string, state: string, isWhole: boolean) =>
  engine.parts.ledger.transaction(agentCaller.tenant, async (tx) => {
    for (const [name, [always, more]] of known)
      await tx.observations.insert(
        {
          ...{ handle: `${name}_one`, kind: name, owner: 'shopper_ada', state: name === kind ? state : 'ACTIVE' },
          body: jsonOf(isWhole ? { ...always, ...more } : always) as JsonObject,
        },
        start,
      );
  });

const lookedUp = (harness: TestHarness): Promise<Lines> =>
  onPlain(harness, async (again) => {
    const lines: [string, unknown][] = [];
    const lookups = tools.flatMap(({ kind, name, inputSchema: { shape } }) => {
      const needed = Object.entries(shape).filter(([, it]) => !it.safeParse(undefined).success);
      return kind === 'local' ? needed.flatMap(([of]) => (isKind(of) ? [{ name, of }] : [])) : [];
    });
    for (const { name, of } of lookups)
      for (const state of statesOf(of))
        for (const isWhole of [true, false]) {
          const answers = await again(plain, async (engine, passes) => {
            await insert(engine, of, state, isWhole);
            const answer = async () => {
              const { outcome, said, data, next } = await asAgent(engine, name, { [of]: `${of}_one` });
              return JSON.stringify([outcome, said, data, next]);
            };
            const now = await answer();
            passes(30 * 86_400);
            const later = await answer();
            return later === now ? [now] : [now, later];
          });
          lines.push([
            `${name}, ${state}, ${isWhole ? 'with all' : 'with little'}`,
            answers.map((it) => JSON.parse(it) as unknown),
          ]);
        }
    return lines;
  });

/** By what a call is found in the ledger, in each state: with all that it may have, and without. */
const foundCalls: Mechanisms[string] = () => {
  const row = {
    ...{ name: 'authorizePayment', argsDigest: 'arguments', essenceDigest: 'essence', principal: 'agent' },
    ...{ createdAt: start, subject: 'card_one', reference: 'order-1', result: {} },
  };
  const rows: readonly (readonly [what: string, row: object])[] = [
    ['with all', row],
    ['that locks nothing', { ...row, subject: '' }],
    ['without a reference', { ...row, reference: '' }],
    ['without an answer', { ...row, result: null }],
  ];
  const found = (it: object) => lookupsOf.operations(it as Parameters<typeof lookupsOf.operations>[0]); // all that is asked of it
  return operation.existing.flatMap((state) => {
    const [all, ...others] = rows.map(([what, it]) => [what, JSON.stringify(found({ ...it, state }))] as const);
    return [all, ...others.filter(([, it]) => it !== all?.[1])].flatMap((it) =>
      it === undefined ? [] : [[`${state}, ${it[0]}`, JSON.parse(it[1]) as unknown] as const],
    );
  });
};

export const lookupMechanisms: Mechanisms = {
  ...inWorlds({ 'what the ledger answers of a thing, by its state': lookedUp }),
  'what finds a call in the ledger, by its state': foundCalls,
  'where a bucket of recent calls begins': () =>
    [0, 599_999, 600_000, start].map((at) => [`${at}`, startOfBucket(bucketOf(at))] as const),
  'arguments that may be a handle': () =>
    platformTools.flatMap((tool): Lines => {
      const may = Object.entries(tool.input.args).filter(([, arg]) => arg.mayMatch !== undefined);
      return may.map(([name]) => [`${tool.name}: ${name}`, handlesOf(tool, { [name]: 'one' })]);
    }),
};
