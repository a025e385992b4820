import { limits } from '../../../src/core/limits.ts';
import { Secret } from '../../../src/core/secret.ts';
import type { Facts } from '../../../src/domains/facts.ts';
import { approvalText } from '../../../src/engine/approval-text.ts';
import { auditLock } from '../../../src/engine/audit-lock.ts';
import { demandCaller } from '../../../src/engine/demand-caller.ts';
import { isMoment, withoutJoinedNumbers } from '../../../src/engine/joined-numbers.ts';
import { wordsOf } from '../../../src/engine/listed-words.ts';
import { rememberOwnTexts } from '../../../src/engine/own-texts.ts';
import type { EngineParts } from '../../../src/engine/parts.ts';
import type { Request } from '../../../src/engine/request.ts';
import { isTainted, markOf, taint } from '../../../src/engine/taint.ts';
import type { PlatformTool } from '../../../src/engine/tool.ts';
import { textsIn } from '../../../src/engine/untrusted-output.ts';
import type { Caller } from '../../../src/ledger/ledger.ts';
import type { RecentVerdict } from '../../../src/ledger/verification.ts';
import { everyTool, tools } from '../../../tools/index.ts';
import { agentCaller } from '../world/settings.ts';
import { minute, onLedger, type Step, start, within } from './ledger-steps.ts';
import { each, type Lines, type Mechanisms } from './lines.ts';

// Parts of the engine that stories come to only by their usual way: of callers, texts by others, and calls that wait for the audit.

/** Names that a program may give. */
const names: readonly (readonly [what: string, name: unknown])[] = [
  ['no letter', ''],
  ['a letter', 'a'],
  ['as long as can be', 'a'.repeat(limits.textCharacters)],
  ['a letter longer', 'a'.repeat(limits.textCharacters + 1)],
  ['two lines', 'a\nb'],
  ['a control character of another set', 'a\u0085'],
  ['half a character', '\ud83d'],
  ['a whole one', '\u{1f600}'],
  ['a number', 7],
  ['nothing', undefined],
  ['null', null],
];
const callers = (): Lines =>
  (['principal', 'session', 'conversation'] as const).flatMap((member) =>
    names.map(([what, name]) => [`${member}: ${what}`, endOf({ ...agentCaller, [member]: name } as Caller)] as const),
  );
function endOf(caller: Caller): string {
  try {
    demandCaller(caller);
    return 'taken';
  } catch (error) {
    return String(error);
  }
}

/** Cells of a line, some of which hold parts of one card number. Made up by the card networks for tests. */
const cells = [
  '4111111111111111',
  '41111111,11111111',
  'Card 41111111,11111111',
  '"41111111","11111111"',
  'order,41111111,11111111,paid',
  '4111,1111,1111,1111',
  '4111 1111,1111-1111',
  '4111.1111,1111  1111',
  '7,41111111,11111111',
  '41111111,11111111,7',
  '41111111,,,,,11111111',
  '41111111,,,,,,11111111',
  '41111111,,,,,,,11111111',
  '41111111,a,11111111',
  '41111111,é,11111111',
  '41111111,11111112',
  '41111111,11111111,41111111,11111111',
  '378282246,310005',
  '620550000,0000000004',
  '620550000,0000000004,7',
  '7,620550000,0000000004',
  '4111111111111,111111,1111111111111111',
  '41111111,2026-01-15,11111111',
  '41111111,2026-01-15T09:00:00.123Z,11111111',
  '41111111,09:00,11111111',
  '41111111,2026-13-15,11111111',
  '41111111,12.50,11111111',
  '41111111,1234567.50,11111111',
  '41111111,1.52430000,11111111',
  '1234567.50,41111111,11111111',
  '４１１１１１１１,11111111',
  '',
  'no figures',
];
const joined = (): Lines =>
  cells.map((line) => [line === '' ? 'nothing' : line, withoutJoinedNumbers(line, line) || 'nothing']);

const moments = (): Lines =>
  [
    ...['2026-01-15', '2026-00-15', '2026-12-31', '2026-13-01', '2026-01-00', '2026-01-32', '2026-1-15', 'x2026-01-15'],
    ...['00:00', '23:59', '24:00', '25:00', '09:60', '09:00:60', '09:00:70', '09:00:00.123', '09:00:00.1234', '9:00'],
    ...['09:00Z', '09:00+14:00', '09:00+15:00', '09:00-0530', '09:00:00,5', '2026-01-15T09:00', '2026-01-15 09:00Z'],
    ...['2026-01-15T09:00:00Z1', '2026-01-15-', ''],
  ].map((cell) => [cell === '' ? 'nothing' : cell, isMoment(cell) ? 'a moment' : 'none']);

/** An answer of a call with this tool or of a preview of it, with texts in every place. */
const texts = (): Lines => {
  const byName = new Map(everyTool.map((tool) => [tool.name, tool]));
  const words = {
    said: 'Do it.',
    text: 'Say yes.',
    figures: '12.50',
    hidden: '[hidden]',
    'a b': 'x y',
    list: ['one of', '7'],
  };
  const request = {
    method: 'POST it',
    path: '/it is',
    body: {
      ...{ requestInformation: 'As they say.', invoiceInformation: { description: 'A bill', deliveryMode: 'none' } },
      ...{ orderInformation: { amountDetails: { currency: 'GBP', totalAmount: '4.00' } }, codes: ['B a', '7'] },
    },
  };
  const verdict = { outcome: 'done', said: 'Own words.', data: words, next: [] };
  const preview = (tool = {}) => ({
    data: { verdict, request, effect: 'It is changed.', approval: 'Pay "x".', ...tool },
  });
  const of = (name: string | undefined, answer: unknown, args: unknown = {}) =>
    textsIn(answer, { tool: name === undefined ? undefined : byName.get(name), args, tools: byName }).join(' | ') ||
    'none';
  return [
    ['of no tool', of(undefined, { data: words })],
    ['of a tool that shows none of it', of('get_invoice', { outcome: 'done', said: 'Own words.', data: words })],
    ['of a text alone', of('get_invoice', 'Say yes.')],
    ...[undefined, 7, 'no_such_tool', 'list_operations', 'get_invoice', 'create_invoice'].map(
      (tool) => [`of a preview of ${tool ?? 'nothing'}`, of('preview_call', preview(), { tool })] as const,
    ),
    [
      'of a preview that its own data names',
      of('preview_call', preview({ tool: 'create_invoice' }), { tool: 'get_invoice' }),
    ],
  ];
};

/** What a person reads of a value that an agent gave, and of it where another one was there before. */
const approved = (): Lines =>
  [
    ...['', 'tea', 7, 0, true, null, new Secret('a secret')],
    ...[[], ['tea'], ['tea', 'milk'], [[]], [['tea'], []], { due_date: 'soon', lines: [] }, { a: { b: ['x', 'y'] } }],
    ...[[{ sku: 'A' }], [{ sku: 'A', codes: [] }, { codes: ['x'] }], [{ sku: 'A' }, 'tea'], ['tea', { sku: 'A' }]],
  ].map((value) => {
    const readBy = (was: string | undefined, args: object = { it: { fills: [] } }) => {
      const approval = { title: () => 'It', before: () => was, text: () => [] };
      const tool = { input: { args }, policy: { approval } } as unknown as PlatformTool; // all that is asked of it
      const facts = { args: { it: value } } as unknown as Facts; // as above
      return approvalText(tool, facts, { body: { one: value, other: 'more' } } as unknown as Request)
        .split('\n')
        .slice(1);
    };
    const fill = (path: string) => ({ path, value: (given: unknown) => given });
    return [
      value instanceof Secret ? 'a secret' : JSON.stringify(value),
      [
        readBy(undefined),
        readBy('"was"'),
        // No argument fills several fields with more than texts.
        ...(typeof value === 'object'
          ? []
          : readBy(undefined, { it: { label: 'Two', fills: [fill('one'), fill('other')] } })),
      ],
    ];
  });

const conversation: Caller = { ...agentCaller, session: 'one' };
/** What a conversation has read, and for how long that counts. */
const tainted: readonly Step[] = [
  within('nothing read', async (tx) => isTainted(tx, conversation, start)),
  within('own texts', async (tx) => {
    await rememberOwnTexts(tx, ['Own words.'], start);
    await taint(tx, conversation, ['Own words.'], new Set(), start);
    return isTainted(tx, conversation, start);
  }),
  within('one by others', async (tx) => {
    await taint(tx, conversation, ['Own words.', 'Say yes.'], new Set(), start);
    const at = async (now: number, caller = conversation) => isTainted(tx, caller, now);
    return [
      ...[await at(start), await at(start + limits.taintMinutes * minute - 1)],
      ...[await at(start + limits.taintMinutes * minute), await at(start, { ...conversation, session: 'two' })],
    ];
  }),
  within('once it is its own', async (tx) => {
    await rememberOwnTexts(tx, ['Say yes.'], start);
    return isTainted(tx, conversation, start);
  }),
  ...[limits.taintTexts - 1, limits.taintTexts, limits.taintTexts + 1].map((count) =>
    within(`${count} by others, which become its own`, async (tx) => {
      const caller = { ...agentCaller, session: `reads ${count}` };
      const all = Array.from({ length: count }, (_, at) => `Text ${count} ${String.fromCodePoint(0x4e00 + at)}`);
      await taint(tx, caller, all.slice(1), new Set(), start);
      await taint(tx, caller, all.slice(0, 1), new Set(), start);
      await rememberOwnTexts(tx, all, start);
      return isTainted(tx, caller, start);
    }),
  ),
  within('a row of an earlier version', async (tx) => {
    const caller = { ...agentCaller, session: 'early' };
    const row = { handle: markOf(caller), kind: 'run', owner: '', state: 'TAINTED', body: {} };
    await tx.observations.insert(row, start);
    const end = start + limits.taintMinutes * minute;
    return [await isTainted(tx, caller, start), await isTainted(tx, caller, end - 1), await isTainted(tx, caller, end)];
  }),
];

/** How often all of the audit is read, by what a call finds of its end. */
const inspected: Mechanisms[string] = () => {
  const verified = { seq: 7, hash: 'seven', writes: { others: '', last: undefined } };
  const verdicts: readonly (readonly [what: string, verdict: RecentVerdict])[] = [
    ['whole', { kind: 'whole', verified } as unknown as RecentVerdict], // the lock only passes it on
    ['whole, and not read from its beginning', { kind: 'whole', older: true, verified } as unknown as RecentVerdict],
    ['whole, and read from its beginning', { kind: 'whole', older: false, verified } as unknown as RecentVerdict],
    ['broken', { kind: 'broken', because: 'It is edited.' }],
  ];
  return each(verdicts, async ([what, verdict]) => {
    let read = 0;
    const ledger = {
      writeCounters: async () => ({}),
      verify: async () => {
        read += 1;
        return { ok: true, rows: 9, head: 'nine' };
      },
      verifySince: async () => verdict,
    };
    const lock = auditLock({ ledger, verifiedBefore: verified, ports: {} } as unknown as EngineParts); // all that is asked of it
    const passes = async (work: () => Promise<unknown>) =>
      work().then(
        () => 'passes',
        (error: unknown) => (error as Error).name,
      );
    const first = await passes(() =>
      lock.demandUnchanged({ audit: { verifyRecent: async () => ({ kind: 'behind' }) } } as never),
    );
    const then = await passes(lock.demandWhole);
    await new Promise<void>((resolve) => setImmediate(resolve));
    return [what, [first, then, `all is read ${read} times`, lock.verified()?.seq ?? 'nothing verified']];
  });
};

/** What a tool says of itself where the one whose words it shares is not offered. */
const shared = (): Lines =>
  tools.flatMap((tool): Lines => {
    if (tool.kind !== 'platform' || tool.sharesArguments === undefined) return [];
    const lender = tool.sharesArguments.tool;
    return [tools, tools.filter(({ name }) => name !== lender)].map((listed, at) => {
      const words = wordsOf(listed, tools)(tool);
      const { description } = words.input(({ name }) => (name === tool.name ? {} : { description: `as in ${name}` }));
      return [`${tool.name} ${at === 0 ? 'with' : 'without'} ${lender}`, [words.description, description ?? 'its own']];
    });
  });

export const partMechanisms: Mechanisms = {
  'names that a program gives of its caller': callers,
  'cells that hold a card number together': joined,
  'cells that are a moment': moments,
  'texts by others in an answer': texts,
  'what a person reads of a value': approved,
  'a conversation that reads texts by others': onLedger(tainted),
  'an audit that is read again behind a call': inspected,
  'a tool whose words are those of another one': shared,
};
