import { z } from 'zod';
import { amount, text } from '../../../src/core/fields.ts';
import { limits } from '../../../src/core/limits.ts';
import { event as events } from '../../../src/core/own-machines.ts';
import { eventsIn } from '../../../src/domains/webhooks/delivered.ts';
import { createBulkhead } from '../../../src/engine/bulkhead.ts';
import { nextEventState, receiveDelivery } from '../../../src/engine/events.ts';
import type { Lane } from '../../../src/engine/lanes.ts';
import { mayHaveNearDuplicate, similarSince } from '../../../src/engine/near-duplicate.ts';
import type { EngineParts } from '../../../src/engine/parts.ts';
import { createPlatformSlots, defaultPlatformLimits } from '../../../src/engine/platform-slots.ts';
import type { Polling } from '../../../src/engine/polling.ts';
import { readUntil } from '../../../src/engine/read-until.ts';
import { Refused } from '../../../src/engine/refusal.ts';
import type { Body } from '../../../src/engine/render.ts';
import { issueText } from '../../../src/engine/schema-issues.ts';
import type { EngineState } from '../../../src/engine/state.ts';
import { unknownArgument } from '../../../src/engine/unknown-argument.ts';
import { createTimeSlice } from '../../../src/ledger/time-slice.ts';
import { tools } from '../../../tools/index.ts';
import { each, type Lines, type Mechanisms } from './lines.ts';

// Parts of the engine by themselves: places for calls, and what is said of a wrong argument.

const start = Date.UTC(2026, 0, 15, 9);
const lanes: readonly Lane[] = ['http', 'file', 'reader'];

/** More calls than any lane takes. */
const many = 100;

/** How many of many calls get a place at once, how many wait for one, and what the others hear. */
async function placesIn(lane: Lane): Promise<string> {
  const slots = createPlatformSlots(defaultPlatformLimits, { now: () => start });
  let placed = 0;
  const refused: Refused[] = [];
  for (let at = 0; at < many; at += 1)
    void slots.acquire(lane).then(
      () => (placed += 1),
      (error: unknown) => error instanceof Refused && refused.push(error),
    );
  await new Promise<void>((resolve) => setImmediate(resolve));
  const { code, wait } = refused[0]?.refusal ?? {};
  return `${placed} have a place, ${many - placed - refused.length} wait, ${refused.length} are refused: ${code}, ${wait} s`;
}

/** When a long work lets others go on. One of twenty is enough, as the machine may pause any of them. */
async function timeSlices(): Promise<Lines> {
  const twenty = <T>(make: () => T): readonly T[] => Array.from({ length: 20 }, make);
  const isDue = (all: readonly boolean[]): string => (all.every(Boolean) ? 'due' : 'not due');
  const turn = createTimeSlice();
  const began = performance.now();
  while (performance.now() - began <= limits.workMilliseconds) Math.random();
  const atItsEnd = turn.isDue();
  const rested: boolean[] = [];
  for (const _ of twenty(() => turn)) {
    await turn.rest();
    rested.push(turn.isDue());
  }
  let others = 'nobody else went on';
  setImmediate(() => {
    others = 'others went on';
  });
  await turn.rest();
  return [
    ['during a rest', others],
    ['at its beginning', isDue(twenty(() => createTimeSlice().isDue()))],
    ['at its end', isDue([atItsEnd])],
    ['after a rest', isDue(rested)],
  ];
}

const refusedBy = ({ refusal: { code, rule, retry, wait } }: Refused): string => [code, rule, retry, wait].join(', ');

/** Calls that come and go, by name, and who has a place then. */
async function comings(): Promise<Lines> {
  const { enter, leave } = createBulkhead({ concurrent: 2, queued: 2 });
  const inside: string[] = [];
  const lines: [string, unknown][] = [];
  for (const step of ['a', 'b', 'c', 'd', 'e', '-', '-', '-', '-', 'f', 'g', 'h', 'i', 'j']) {
    if (step === '-') leave();
    else
      void enter().then(
        () => inside.push(step),
        (error: unknown) =>
          inside.push(`${step} is refused (${error instanceof Refused ? refusedBy(error) : 'it throws'})`),
      );
    await new Promise<void>((resolve) => setImmediate(resolve));
    lines.push([step === '-' ? 'one leaves' : `${step} comes`, inside.join(' ')]);
  }
  return lines;
}

const shapes: Readonly<Record<string, z.ZodType>> = {
  text: z.string(),
  'a number': z.number(),
  'a whole number': z.int().min(1).max(3),
  'true or false': z.boolean(),
  'a list of one or two': z.array(z.string()).min(1).max(2),
  'an object': z.strictObject({ a: z.string() }),
  'a record': z.record(z.string(), z.string()),
  'one of two': z.enum(['one', 'two']),
  'one or two letters': z.string().min(1).max(2),
  'a pattern': z.string().regex(/^a$/),
  'a day': z.iso.date(),
  'a time': z.iso.datetime({ offset: true }),
  'an e-mail': z.email(),
  'an address': z.url(),
  'an id': z.uuid(),
  'a text of the contract': text,
  'an amount': amount,
  null: z.null(),
};
const values: readonly unknown[] = [
  undefined,
  null,
  0,
  1.5,
  9,
  true,
  '',
  'abc',
  [],
  ['a', 'b', 'c'],
  { a: 'x', b: 'y' },
];

/** What is said of values that a shape doesn't take, each once. */
function faultsOf(shape: z.ZodType): string {
  const said = values.flatMap((value) => {
    const parsed = shape.safeParse(value);
    return parsed.success ? [] : parsed.error.issues.map(issueText);
  });
  return [...new Set(said)].join('; ');
}

/** Reads a report again and again, and notes what is waited and told in between. */
async function waitsFor(states: readonly string[], gone = states.length): Promise<string> {
  const noted: string[] = [];
  const left = new AbortController();
  const body = (state: string): Body =>
    state === 'refused'
      ? { outcome: 'refused', said: 'No.', next: [] }
      : { outcome: 'done', said: 'So it is.', data: { state }, next: [] };
  let looks = 0;
  const read = async () => {
    looks += 1;
    if (looks > gone) left.abort();
    return body(states[Math.min(looks, states.length) - 1] ?? '');
  };
  const polling: Polling = {
    asked: () => true,
    isOver: ({ state }) => state === 'COMPLETED',
    progress: ({ state }) => ({ step: String(state), fraction: 0.5 }),
  };
  const pause = async (milliseconds: number) => void noted.push(`${milliseconds} ms`);
  const { ports } = { ports: { pause } as unknown as EngineParts['ports'] }; // nothing else of it is used
  const onProgress = ({ step }: { readonly step: string }) => void noted.push(step);
  const { outcome, data } = await readUntil({ ports }, polling, read, { signal: left.signal, onProgress });
  return `${looks} looks, ${[...new Set(noted)].join(', ') || 'no wait'}: ${outcome} ${data?.state ?? ''}`;
}

/** States of a thing that takes time to make, and one that the contract does not have. */
const waitedFor = ['PENDING', 'QUEUED', 'RUNNING', 'RERUN', 'COMPLETED', 'NO_DATA', 'ERROR', 'DEPRECATED', 'ANOTHER'];

/** Names of arguments that no tool has, as programs, people and secrets are written. */
const strange: readonly (readonly string[])[] = [
  ['limt'],
  ['dueDate', 'due_date', 'Due'],
  ['amount', 'currency', 'price', 'total', 'tax'],
  ['correct horse battery staple'],
  ['order-1', 'x1'],
  ['4111'],
  ['limt', '4111'],
  ['aVeryLongWordOfMoreThanFifteenLetters'],
  ['one_two_three_four_five'],
  [''],
];

/** Where an event goes of which nothing is known. */
const eventMoves: Mechanisms[string] = () =>
  events.states.flatMap((state) =>
    events.triggers.map((trigger) => {
      try {
        return [`${state}, ${trigger}`, nextEventState(state, trigger)] as const;
      } catch (error) {
        return [`${state}, ${trigger}`, error instanceof Error ? error.name : 'throws'] as const;
      }
    }),
  );

/** What becomes of a delivery while so many events wait. */
const waiting: Mechanisms[string] = () =>
  each([0, limits.waitingEvents - 1, limits.waitingEvents, limits.waitingEvents + 1], async (count) => {
    const events = { waiting: async () => count, find: async () => undefined, insert: async () => undefined };
    const ledger = { transaction: (_: string, work: (tx: object) => unknown) => work({ events }) };
    const parts = { ledger, tenant: 'shop', ports: { clock: { now: () => start } } };
    const state = { parts, tools: new Map() } as unknown as EngineState; // all that it uses
    const body = JSON.stringify({ eventType: 'it', transactionTraceId: 'told', payload: { data: {} } });
    return [`${count} wait`, await receiveDelivery(state, body)] as const;
  });

/** What becomes of a delivery of two events, by which of them is known. */
const comingAgain: Mechanisms[string] = () =>
  each([[], ['one'], ['two'], ['one', 'two']], async (known) => {
    const stored: string[] = [];
    const events = {
      waiting: async () => 0,
      find: async (id: string) => known.map((name) => told[name]).find((it) => it === id),
      insert: async ({ id }: { id: string }) =>
        void stored.push(Object.keys(told).find((name) => told[name] === id) ?? id),
    };
    const ledger = { transaction: (_: string, work: (tx: object) => unknown) => work({ events }) };
    const parts = { ledger, tenant: 'shop', ports: { clock: { now: () => start } } };
    const state = { parts, tools: new Map() } as unknown as EngineState; // all that it uses
    const eventOf = (name: string) => ({ eventType: 'it', transactionTraceId: name, payload: { data: {} } });
    const told: Record<string, string | undefined> = Object.fromEntries(
      ['one', 'two'].map((name) => [name, eventsIn(JSON.stringify(eventOf(name)))?.[0]?.id]),
    );
    const results: string[] = [];
    for (const name of ['one', 'two']) results.push(await receiveDelivery(state, JSON.stringify(eventOf(name))));
    return [`known: ${known.join(' and ') || 'none'}`, [results, `stored: ${stored.join(', ') || 'none'}`]] as const;
  });

/** Which calls are compared with others that nearly repeat them, and since when. */
const compared: Mechanisms[string] = () => [
  ['since', `${start - similarSince(start)} ms ago`],
  ...(['', 'order-1'] as const).map(
    (reference) =>
      [
        reference === '' ? 'without a reference' : 'with one',
        tools
          .flatMap((it) => (it.kind === 'platform' && mayHaveNearDuplicate(it, reference) ? [it.name] : []))
          .join(' '),
      ] as const,
  ),
];

export const engineMechanisms: Mechanisms = {
  'a delivery, by how many events wait': waiting,
  'two deliveries, by which of them are known': comingAgain,
  'calls that may be nearly the same': compared,
  'an event of which nothing is known': eventMoves,
  'places for calls to the platform': async () =>
    Promise.all(lanes.map(async (lane) => [lane, await placesIn(lane)] as const)),
  'a bulkhead of two places, for which two may wait': comings,
  'a slice of time': timeSlices,
  'what is said of a wrong argument': () => [
    ...Object.entries(shapes).map(([what, shape]) => [what, faultsOf(shape)] as const),
    ['no issue', issueText(undefined)],
  ],
  'waiting until a thing is made': async () => [
    ['made at once', await waitsFor(['COMPLETED'])],
    ['made at the third look', await waitsFor(['PENDING', 'RUNNING', 'COMPLETED'])],
    ['never made', await waitsFor(['PENDING'], many)],
    ['refused at the second look', await waitsFor(['PENDING', 'refused'])],
    ['the caller leaves at the second look', await waitsFor(['PENDING', 'RUNNING', 'COMPLETED'], 1)],
  ],
  'whether what is waited for is over, by its state': () =>
    tools.flatMap((tool) => {
      const polling = tool.kind === 'platform' ? tool.polling : undefined;
      if (polling === undefined) return [];
      return waitedFor.map((state) => {
        const { fraction } = polling.progress({ state });
        return [`${tool.name}, ${state}`, polling.isOver({ state }) ? 'over' : `goes on at ${fraction}`] as const;
      });
    }),
  'what is said of an argument that a tool does not have': () => [
    ...strange.map(
      (keys) => [keys.join(', '), unknownArgument(keys, { of: 'create_plan', has: ['amount'], meant: [] })] as const,
    ),
    ['limt, of a tool without any', unknownArgument(['limt'], { of: 'get_plans', has: [], meant: [] })],
    [
      'limt, of a tool with many',
      unknownArgument(['limt'], { of: 'buy', has: Array.from({ length: 50 }, (_, at) => `a${at}`), meant: ['limit'] }),
    ],
  ],
};
