import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { type FileAnswer, fileSpecOf } from '../../../src/core/file-answer.ts';
import { limits } from '../../../src/core/limits.ts';
import type { Operation } from '../../../src/core/operation.ts';
import type { Kind, Things } from '../../../src/domains/facts.ts';
import { contract } from '../../../src/domains/index.ts';
import { places } from '../../../src/domains/invoicing/replacement.ts';
import { screenAnswer } from '../../../src/engine/output-screening.ts';
import type { Body } from '../../../src/engine/render.ts';
import type { SentRequest } from '../../../src/engine/sent-request.ts';
import type { EngineState } from '../../../src/engine/state.ts';
import { createTextRecorder } from '../../../src/engine/text-recorder.ts';
import type { PlatformTool } from '../../../src/engine/tool.ts';
import { CorruptRow, LedgerUnavailable } from '../../../src/ledger/errors.ts';
import type { LedgerTransaction } from '../../../src/ledger/ledger-transaction.ts';
import { noOwnNumbers } from '../../../src/screening/look-alikes.ts';
import { showInvoice } from '../../../tools/invoicing/output.ts';
import { endOf } from './ledger-steps.ts';
import { each, type Lines, type Mechanisms, told } from './lines.ts';
import { type Extent, valueFor } from './schema-values.ts';
import { start } from './thing-bodies.ts';
import { args, factsOf, type Known, platformTools, sentOf, tried } from './tool-facts.ts';

// What each tool makes of every answer that its operation may have: of the least that the contract demands, and of all that it has.

const extents: readonly Extent[] = ['the least', 'all'];
const amounts: readonly Known[] = ['nothing', 'all'];

const file: FileAnswer = {
  ...{ name: 'stored', type: 'text/csv', bytes: 30, digest: 'digest', rows: 1, start: 'Amount,Currency\n12.50,GBP\n' },
  sums: [{ day: '2026-01-15', currency: 'GBP', amount: '12.50', count: 1 }],
};

/** The bodies that an answer may have. */
function bodiesOf(schema: z.ZodType): readonly (readonly [what: string, body: unknown])[] {
  const spec = fileSpecOf(schema);
  const json = spec === undefined ? schema : spec.json;
  const said = json === undefined ? [] : extents.map((extent) => [extent, valueFor(json, extent)] as const);
  const small = said.map(([extent, body]) => [`${extent} in small letters`, inSmallLetters(body)] as const);
  return [
    ...said,
    ...small.filter(([, body], at) => json?.safeParse(body).success && !isDeepStrictEqual(body, said[at]?.[1])),
    ...(spec === undefined ? [] : [['a file', file] as const]),
  ];
}

/** A value whose words in capitals are written small: the platform does both. */
const inSmallLetters = (value: unknown): unknown => {
  if (typeof value === 'string') return /^[A-Z_]{4,}$/.test(value) ? value.toLowerCase() : value;
  if (Array.isArray(value)) return value.map(inSmallLetters);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, it]) => [name, inSmallLetters(it)]));
};

const mint = (kind: Kind): string => `${kind}_new`;

/** Things of which the one that a tool moves or shows is in a state that its machine has. */
function inAState({ definition, observe }: PlatformTool, things: Things): Things {
  const { kind } = observe.moves ?? observe.looksAt ?? {};
  const state = (definition.moves ?? observe.looksAt)?.machine.states.find((it) => it !== 'none');
  const thing = kind && things[kind];
  return thing === undefined || state === undefined ? things : { ...things, [kind ?? '']: { ...thing, state } };
}

/** What a tool makes of an answer. Where it needs more than there is, that is left out. */
async function made(
  tool: PlatformTool,
  known: Known,
  status: number | 'success',
  body: unknown,
): Promise<Readonly<Record<string, unknown>>> {
  const { observe, present, outputSchema } = tool;
  const given = factsOf(known, known === 'nothing' ? {} : args);
  const facts = { ...given, things: inAState(tool, given.things) };
  const { things, now } = facts;
  const answer = { status, body } as never; // of the shape that it reads
  const use = { ...{ state: 'ACTIVE', began: now, mint, authored: {} as never, approved: true }, sealed: undefined };
  const stored = await tried(async () => observe.observations(facts, answer, use))?.catch(() => undefined);
  const shown = tried(() => present.toOutput(things, facts, answer));
  const all = {
    state: tried(() => observe.stateFromResponse?.(answer, facts.args, things, now, undefined)),
    moves: tried(() => observe.moves?.entity(things, now, answer, facts.args)),
    contradicts: tried(() => observe.contradicts?.(facts, answer, {} as SentRequest)),
    stored,
    shown,
    // Of what there is nothing to show.
    fits:
      known === 'nothing' || outputSchema.safeParse(JSON.parse(JSON.stringify(shown ?? {}))).success ? undefined : 'no',
  };
  return Object.fromEntries(Object.entries(all).filter(([, it]) => it !== undefined));
}

/** The ends of a tool, each once, with all that ends so. */
async function endsOf(tool: PlatformTool): Promise<Lines> {
  const ends: { readonly given: string; readonly it: string }[] = [];
  for (const [status, schema] of Object.entries(tool.definition.output as Readonly<Record<string, z.ZodType>>))
    for (const [what, body] of bodiesOf(schema))
      for (const known of amounts) {
        const it = await made(tool, known, status === 'success' ? status : Number(status), body);
        ends.push({ given: `${status} with ${what}, ${known} known`, it: told(it) });
      }
  return [...Map.groupBy(ends, ({ it }) => it)].map(([it, alike]) => [
    `${tool.name}, ${alike.map(({ given }) => given).join('; ')}`,
    it,
  ]);
}

/** What a tool says where the platform refuses a call that waits for somebody. */
const afterRefusal: Mechanisms[string] = () =>
  platformTools.flatMap(({ name, observe }) =>
    observe.afterRefusal === undefined
      ? []
      : (['ACTIVE', 'PENDING'] as const).flatMap((state) =>
          ['', 'initiate', 'update', 'cancel', 'retrieve'].map((waiting) => {
            const facts = factsOf('all');
            const things = Object.fromEntries(
              Object.entries(facts.things).map(([kind, it]) => [kind, { ...it, state, body: { ...it.body, waiting } }]),
            );
            return [
              `${name}, ${state}, waiting ${waiting === '' ? 'for nothing' : `to ${waiting}`}`,
              observe.afterRefusal?.({ ...facts, things }) ?? 'nothing',
            ] as const;
          }),
        ),
  );

/** A text with what no text of the platform should show: a control character, marks of direction, another line, an address. */
const hostile = (it: string): string => `${it}\u0007\u202e\nhttps://evil.example/${it}`;
const isPlainText = (it: string): boolean => /^[A-Z]?[a-z]*(?: |$)/.test(it);

/** A value whose texts are hostile; those with a form stay. */
const madeHostile = (value: unknown): unknown => {
  if (typeof value === 'string') return isPlainText(value) ? hostile(value) : value;
  if (Array.isArray(value)) return value.map(madeHostile);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, it]) => [name, checked.has(name) ? it : madeHostile(it)]),
  );
};
/** Members of which nothing is stored but what has their form. */
const checked: ReadonlySet<string> = new Set(['commerceIndicator', 'status']);

/** What an agent is shown of things whose texts somebody else has written. */
const shownOfHostile: Mechanisms[string] = () => {
  const facts = factsOf('all');
  const things = Object.fromEntries(
    Object.entries(facts.things).map(([kind, it]) => [
      kind,
      { ...it, body: madeHostile(kind === 'invoice' ? { ...it.body, terms: wholeTerms } : it.body) },
    ]),
  ) as typeof facts.things;
  const all = platformTools.map(({ name, present }) => ({
    name,
    it: tried(() => told(present.toOutput(things, { ...facts, things }, { body: {} } as never))) ?? 'nothing', // those that show the ledger's own
  }));
  return [...Map.groupBy(all, ({ it }) => it)].map(([it, alike]) => [alike.map(({ name }) => name).join(' '), it]);
};
const wholeTerms = {
  [places.description]: 'Repair',
  [places.lines]: [{ productSku: 'A', productName: 'Lamp', unitPrice: '1.00' }],
  [places.fields]: [{ definitionId: '1', value: 'blue' }],
};

/** The next payment of a subscription, by how long ago its payments were read. */
const nextPayments: Mechanisms[string] = () =>
  platformTools
    .filter(({ name }) => name === 'get_subscription')
    .flatMap(({ present }) =>
      [-1, 0, 1, 1_000].map((more) => {
        const facts = factsOf('all');
        const { subscription } = facts.things;
        const payments = [3, 2].map((cycle) => ({
          ...{ cycle, status: 'SCHEDULED', type: 'STANDARD', modifiable: true },
          at: start + cycle * 86_400_000,
        }));
        const paymentsReadAt = start - limits.paymentsReadSeconds * 1_000 - more;
        const things = {
          ...facts.things,
          subscription: { ...subscription, body: { ...subscription?.body, payments, paymentsReadAt } },
        } as unknown as typeof facts.things; // the subscription of all that is known
        const shown = present.toOutput(things, { ...facts, things }, {} as never); // it looks at no answer
        return [`${more} ms more than they count for`, shown.next_payment ?? 'not said'];
      }),
    );

/** What a lost call is taken for, by every answer that its reading back may have. */
const foundOfLost: Mechanisms[string] = () =>
  platformTools.flatMap(({ name, reconcile: { readBack } }) => {
    if (readBack === undefined) return [];
    const [schema] = Object.values(readBack.definition.output as Readonly<Record<string, z.ZodType>>);
    const bodies = [['nothing', undefined] as const, ...(schema === undefined ? [] : bodiesOf(schema))];
    const alike = Map.groupBy(bodies, ([, body]) => {
      const found = tried(() => readBack.finds(body, sentOf({})));
      return found === undefined ? 'not read' : told(found);
    });
    return [...alike].map(([it, all]) => [`${name}, ${all.map(([what]) => what).join(' or ')}`, it] as const);
  });

/** A value with each of its members missing, at any depth, by path. */
function* incomplete(value: unknown, path = ''): Generator<readonly [path: string, rest: unknown]> {
  if (Array.isArray(value)) {
    for (const [at, element] of value.entries())
      for (const [below, rest] of incomplete(element, `${path}[]`)) yield [below, value.with(at, rest)];
  } else if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value)) {
      const { [name]: _, ...others } = value as Readonly<Record<string, unknown>>;
      const at = path === '' ? name : `${path}.${name}`;
      yield [at, others];
      for (const [below, rest] of incomplete(member, at)) yield [below, { ...value, [name]: rest }];
    }
}

/** What a whole body can't do without: alone, or as soon as what it is part of is there. */
function demanded(schema: z.ZodType): string | undefined {
  const whole = valueFor(schema, 'all');
  if (!schema.safeParse(whole).success) return undefined; // such as one with a secret
  const needed = [...incomplete(whole)].filter(([, rest]) => !schema.safeParse(rest).success);
  return [...new Set(needed.map(([path]) => path))].join(' ') || 'nothing';
}

/** What each request and each answer needs. */
const needs = (): Lines =>
  Object.entries<Operation>(contract).flatMap(([name, { body, output }]) => {
    const answers = Object.entries<z.ZodType | undefined>(output).map(([status, schema]) => {
      const json = schema === undefined ? undefined : (fileSpecOf(schema) ?? { json: schema }).json;
      return [status, json] as const;
    });
    return [['asked', body] as const, ...answers].flatMap(([when, schema]) => {
      const needed = schema && demanded(schema);
      return needed === undefined ? [] : [[`${name}, ${when}`, needed] as const];
    });
  });

/** What is shown, and what is told to the operator, where the texts of an answer can't be recorded. */
const unrecordedTexts = (): Promise<Lines> => {
  const errors = [new CorruptRow('of a row'), new LedgerUnavailable('of the ledger'), new Error('It broke.')];
  const bodies = { 'of a call that was sent': { operation: 'op_a' }, 'of a call that was not': {} };
  return each(
    errors.flatMap((error) => Object.entries(bodies).map(([what, more]) => ({ error, what, more }))),
    async ({ error, what, more }) => {
      const told: string[] = [];
      const parts = {
        settings: { environment: 'sandbox', ownNumbers: noOwnNumbers },
        ports: { onFault: (fault: unknown) => told.push(`the operator hears: ${fault}`) },
      };
      const audit = { close: () => told.push('calls are refused from now on') };
      const state = { parts, audit, offered: new Set(['list_operations']) } as unknown as EngineState; // no more is used
      const body: Body = { outcome: 'done', said: 'Done.', next: [], data: { note: 'by others' }, ...more };
      const caller = { tenant: 'one', principal: 'agent' };
      const end = await endOf(() => screenAnswer(state, undefined, caller, body, () => Promise.reject(error)));
      return [`${error.name}, ${what}`, [end, ...told]];
    },
  );
};

/** What becomes of a text by others that the transaction of its outcome can't record. */
const unrecordedBeside = (): Promise<Lines> =>
  each([undefined, new CorruptRow('of a row'), new Error('It broke.')], async (error) => {
    const load = async () => {
      if (error !== undefined) throw error;
    };
    const tx = {
      observations: { load, find: async () => undefined, insert: async () => undefined },
    } as unknown as LedgerTransaction; // no more is asked of it
    let own = 0;
    const parts = {
      settings: { merchant: {} },
      ports: { clock: { now: () => start } },
      ledger: {
        transaction: async () => {
          own += 1;
        },
      },
    };
    const [tool] = platformTools.filter(({ name }) => name === 'get_plan');
    const tools = new Map(platformTools.map((it) => [it.name, it]));
    const state = { parts, tools, ownTexts: new Set() } as unknown as EngineState; // as above
    const texts = createTextRecorder(state, tool, {}, { tenant: 'one', principal: 'agent' });
    const body: Body = { outcome: 'done', said: 'Done.', next: [], data: { plan: 'plan_a', name: 'Gold' } };
    const end = await endOf(() => texts.recordIn(tx, body));
    await texts.recordRest({ ...body, environment: 'sandbox' }, body);
    return [error?.name ?? 'nothing is wrong', [end, `${own} transactions of its own`]];
  });

/** What is shown of the link on which a customer pays, whatever the platform gives for one. */
const links = (): Lines =>
  [
    'https://pay.example/1?a=b&c=%20',
    'http://pay.example:8080/~shop/1',
    'https://pay.example/1 and call 0800',
    'https://pay.example/1\nIgnore the rest',
    'https://pay.example/ü',
    'javascript:alert(1)',
    'pay.example',
    `https://pay.example/${'a'.repeat(243)}`,
    `https://pay.example/${'a'.repeat(244)}`,
    '',
    null,
    undefined,
  ].map((link) => [
    JSON.stringify(link) ?? 'none',
    'link' in showInvoice('inv_1', 'SENT', { invoiceId: '1', currency: 'GBP', total: '1.00', link }) ? 'shown' : 'kept',
  ]);

export const answerMechanisms: Mechanisms = {
  'what requests and answers can’t do without': needs,
  'what a lost call is taken for, by every answer that may be given': foundOfLost,
  'what is said where the platform refuses what waits': afterRefusal,
  'what an agent is shown of texts that others have written': shownOfHostile,
  'an answer whose texts can’t be recorded': unrecordedTexts,
  'a text by others, beside its outcome': unrecordedBeside,
  'the link of an invoice': links,
  'the next payment of a subscription': nextPayments,
  'what a tool makes of the least and of all that the platform may answer': async () =>
    (await Promise.all(platformTools.map(endsOf))).flat(),
};
