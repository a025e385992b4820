import { originOf } from '../../../src/client/origin.ts';
import { refusal } from '../../../src/client/refusal.ts';
import { canonicalJson, sha256 } from '../../../src/core/canonical-json.ts';
import { limits } from '../../../src/core/limits.ts';
import { withoutSecrets } from '../../../src/core/secret-leaves.ts';
import { contract } from '../../../src/domains/index.ts';
import { channels, usualChannels } from '../../../src/engine/approval-channels.ts';
import { placesOf } from '../../../src/engine/approval-links.ts';
import { createCircuitBreaker } from '../../../src/engine/circuit-breaker.ts';
import { demandClock, readClock } from '../../../src/engine/clock-skew.ts';
import { closestName } from '../../../src/engine/closest-name.ts';
import { rulesHash } from '../../../src/engine/digest.ts';
import { boundaryOf, pagesOf, pieceOf } from '../../../src/engine/file-pages.ts';
import { createRateLimiter, type Rate, unlimitedRates } from '../../../src/engine/rate-limiter.ts';
import { Refused } from '../../../src/engine/refusal.ts';
import { demandConflict } from '../../../src/engine/retry.ts';
import { failed, notStarted } from '../../../src/engine/terminal-answers.ts';
import { isReadOnly, operationOf, type PlatformTool } from '../../../src/engine/tool.ts';
import { unknownArgument } from '../../../src/engine/unknown-argument.ts';
import { nextVersion, refuseImmutable } from '../../../src/ledger/compare-and-set.ts';
import { AlreadyOpen, StaleRow } from '../../../src/ledger/errors.ts';
import { faultOf } from '../../../src/mcp/error-redaction.ts';
import { type Choice, type Choosable, choiceFault, isChosen } from '../../../src/mcp/tool-selection.ts';
import { tools, toolsetOf } from '../../../tools/index.ts';
import { type Mechanisms, told } from './lines.ts';

// Waits, rates, addresses and names, and what is read of texts, at and beyond the bounds that stories rarely come to.

const start = Date.UTC(2026, 0, 15, 9);

/** What a function gives, or what it says where it refuses. */
function of(make: () => unknown): unknown {
  try {
    return make();
  } catch (error) {
    if (error instanceof Refused) {
      const { code, rule, because, retry, wait, instead } = error.refusal;
      return [code, rule, retry, wait, ...instead, error.isNoted ? 'noted' : 'not noted', because]
        .filter((it) => it !== undefined)
        .join(', ');
    }
    if (error instanceof SyntaxError) return error.name; // its words are those of the runtime
    return error instanceof Error ? `${error.name}: ${error.message}` : 'throws';
  }
}

/** A tool that moves money, and one that reads. */
const [pays, reads] = [true, false].map((moves) => {
  const tool = tools.find((it) => it.kind === 'platform' && (operationOf(it).effect === 'money') === moves);
  if (tool?.kind !== 'platform') throw new Error('There is no such tool.');
  return tool;
}) as [PlatformTool, PlatformTool];

/** A row of a ledger, in short. */
interface Row {
  readonly version: number;
  readonly state: string;
  readonly note?: string | undefined;
}

export const boundMechanisms: Mechanisms = {
  'waits of a refusal': () =>
    [
      '0',
      '7',
      '86399',
      '86401',
      '-1',
      '1.5',
      'soon',
      '',
      'Thu, 15 Jan 2026 09:01:30 GMT',
      'Thu, 15 Jan 2026 08:00:00 GMT',
      'Fri, 16 Jan 2026 09:00:01 GMT',
    ].map((header) => {
      const response = new Response(null, { status: 429, headers: { 'retry-after': header } });
      const clock = { now: () => start + 500 };
      return [`"${header}"`, refusal(contract.createPlan.error, response, undefined, clock).retryAfterSeconds] as const;
    }),
  'addresses of a platform': () =>
    [
      'https://api.example.com',
      'https://api.example.com/',
      'https://api.example.com:8443',
      'https://api.example.com/v1',
      'https://api.example.com?x',
      'https://user:word@api.example.com',
      'http://api.example.com',
      'http://localhost:3000',
      'http://127.0.0.1',
      'http://[::1]:80',
      'ftp://api.example.com',
      'api.example.com',
      '',
    ].map((it) => [`"${it}"`, of(() => originOf(it))] as const),
  'a rate limit of two calls, then one in ten seconds': () => {
    let now = start;
    const two: Rate = { burst: 2, everyMilliseconds: 10_000 };
    const unlimited = unlimitedRates.conversation;
    const limiter = createRateLimiter(
      { conversation: { ...unlimited, money: two }, principal: { ...unlimited, write: two } },
      { now: () => now },
    );
    const call = (conversation: string, effect: 'read' | 'write' | 'money', role: 'agent' | 'customer' = 'agent') =>
      of(() => limiter.demand({ tenant: 'one', principal: 'agent', role, conversation }, effect)) ?? 'passes';
    const steps: readonly (readonly [seconds: number, ...Parameters<typeof call>])[] = [
      ...[0, 0, 0, 0, 0.5, 0.5, 8, 0.999, 0.001, 0, 5, 5, 100, 0, 0, -50].map(
        (seconds) => [seconds, 'first', 'money'] as const,
      ),
      [0, 'second', 'money'],
      ...['first', 'second', 'third'].map((it) => [0, it, 'write'] as const),
      ...['first', 'second', 'third'].map((it) => [0, it, 'write', 'customer'] as const),
      [0, 'first', 'read'],
    ];
    return steps.map(([seconds, ...asked]) => {
      now += seconds * 1_000;
      return [`${(now - start) / 1_000} s, ${asked.join(' ')}`, call(...asked)];
    });
  },
  'a circuit breaker of two failures and ten seconds': () => {
    let now = start;
    const breaker = createCircuitBreaker({ failures: 2, pauseMilliseconds: 10_000 }, { now: () => now });
    const call = (answered: boolean | undefined) => {
      const attempt = breaker.attempt();
      const passed = of(() => attempt.check()) ?? 'passes';
      if (passed === 'passes') attempt.record(answered);
      attempt.end();
      return passed;
    };
    const steps = [
      [0, false],
      [0, undefined],
      [0, true],
      [0, false],
      [0, false],
      [0, true],
      [8.5, true],
      [1, true],
      [0.5, false],
      [0, true],
      [10, true],
      [0, true],
      [0, false],
      [0, true],
    ] as const;
    const alone = steps.map(([seconds, answered]) => {
      now += seconds * 1_000;
      return [
        `${(now - start) / 1_000} s, ${answered === undefined ? 'not called' : answered ? 'answered' : 'silent'}`,
        call(answered),
      ] as const;
    });
    call(false);
    call(false);
    now += 10_000;
    const [probe, other] = [breaker.attempt(), breaker.attempt()];
    const afterwards = () => {
      probe.end();
      return of(() => other.check()) ?? 'passes';
    };
    return [
      ...alone,
      ['the probe', of(() => probe.check()) ?? 'passes'],
      ['the probe once more', of(() => probe.check()) ?? 'passes'],
      ['another beside it', of(() => other.check())],
      ['another once it has ended', afterwards()],
    ];
  },
  'comparing the clocks before money moves': async () => {
    const cases: readonly (readonly [what: string, tool: PlatformTool, skew: number | undefined, fails?: Error])[] = [
      ['a call that reads', reads, undefined],
      ['clocks that were compared', pays, 0],
      ['clocks that were not', pays, undefined],
      [
        'an open circuit',
        pays,
        undefined,
        new Refused({ code: 'UNREACHABLE', rule: 'EN-12', because: 'It is open.', instead: [] }),
      ],
      ['a fault', pays, undefined, new Error('It broke.')],
    ];
    return Promise.all(
      cases.flatMap(([what, tool, skew, fails]) =>
        [true, false].map(async (answers): Promise<readonly [string, unknown]> => {
          const done: string[] = [];
          const slot = {
            check: () => {
              done.push('checked');
              if (fails !== undefined) throw fails;
            },
            record: (answered: boolean | undefined) => void done.push(`answered: ${answered}`),
            release: () => void done.push('released'),
          };
          const ports = { skew: () => skew, askTime: async () => answers };
          const end = await readClock({ ports }, { acquire: async () => slot }, tool).catch((error: unknown) =>
            String(error),
          );
          return [`${what}, ${answers ? 'an answer' : 'none'}`, [...done, end ?? 'ends']];
        }),
      ),
    );
  },
  'how far clocks may differ': () => {
    const most = limits.skewSeconds * 1_000;
    return [undefined, 0, most, most + 1, -most, -most - 1].map((skew) => [
      `${skew} ms`,
      [of(() => demandClock(pays, skew)) ?? 'passes', of(() => demandClock(reads, skew)) ?? 'passes'],
    ]);
  },
  'where a person decides': () => {
    const command = {
      variables: { PURSER_CONFIG: '/a b/purser.json' },
      words: ['npx', 'purser'],
      options: ['--ledger', "it's"],
    };
    const page = () => 'http://127.0.0.1:1234';
    return [
      ...channels.map((channel) => [`by ${channel}`, placesOf('ap_one/two', { command, page }, [channel])] as const),
      ['by either, without a page', placesOf('ap_one', { command, page: () => undefined }, ['page', 'cli'])],
      ['by either, without a command', placesOf('ap_one', { page }, ['page', 'cli'])],
      ['by nothing', placesOf('ap_one', { command, page }, [])],
      ...Object.entries(usualChannels).map(([where, on]) => [`by default in ${where}`, on] as const),
    ];
  },
  'answers where Purser itself fails': () => [
    ['a call that only reads', failed('sandbox', true)],
    ['a call that changes something', failed('sandbox', false)],
    ['an engine that does not start', notStarted('sandbox')],
  ],
  'errors of the protocol': () => [
    ...[-32700, -32600, -32601, -32602, -32603, -32001, -32002, -32020, -32022, -1].map(
      (code) =>
        [
          `${code}`,
          faultOf(code, 'words of the caller', { supported: ['2025-11-25'], words: 'of the caller' }),
        ] as const,
    ),
    ...[
      'Known arguments are amount, note: text of at most 200 characters.',
      'An argument looks like card data.',
      'Invalid or expired requestState',
      'An argument looks like card data. And more',
      'Resource not found: purser://files/none',
    ].map((message) => [message, faultOf(-32602, message).message] as const),
    ...['[]', '[', '[{"path":["params","name"]}]', '[{"path":["params"]},{"path":["result"]}]', '[{}]'].map(
      (message) => [message, faultOf(-32603, message).code] as const,
    ),
  ],
  'a misspelled name': () => {
    const known = ['amount', 'currency', 'reference', 'id', 'start_date'];
    return [
      'amount',
      'Amount',
      'amuont',
      'amonut',
      'amnt',
      'amt',
      'currncy',
      'curency',
      'refrence',
      'rfrnce',
      'ip',
      'idd',
      'startdate',
      'start',
      'x',
    ].map((it) => [it, closestName(it, known)] as const);
  },
  'tools of a selection': () => {
    const all = tools.map(
      (tool): Choosable => ({
        name: tool.name,
        toolset: toolsetOf(tool),
        isRead: isReadOnly(tool),
      }),
    );
    const [first = ''] = [...new Set(all.flatMap(({ toolset }) => toolset ?? []))];
    const choices: readonly Omit<Choice, 'isReadOnly'>[] = [
      ...[{ toolsets: ['all'] }, { toolsets: [] }, { toolsets: [first] }, { toolsets: ['al'] }],
      ...[
        { toolsets: ['all'], tools: ['get_plan'] },
        { toolsets: ['all'], tools: ['get_plans'] },
      ],
      ...[
        { toolsets: ['all'], excluded: ['get_plan'] },
        { toolsets: ['all'], excluded: ['get_plans'] },
      ],
    ];
    return choices.flatMap((choice) =>
      [false, true].map((isReadOnly) => {
        const whole = { ...choice, isReadOnly };
        return [
          `${told(choice)}${isReadOnly ? ', read only' : ''}`,
          choiceFault(whole, all) ?? `${all.filter((tool) => isChosen(whole, tool)).length} tools`,
        ] as const;
      }),
    );
  },
  'what is remembered of a request': () => [
    ['members in another order', canonicalJson({ b: [2, null], a: { d: true, c: 'x' } })],
    ['a member that is undefined', canonicalJson({ b: undefined, a: 1 })],
    ['an object without a prototype', canonicalJson(Object.assign(Object.create(null), { a: 1 }))],
    ['a date', of(() => canonicalJson(new Date(start) as never))],
    ['its digest', sha256(canonicalJson({ a: 1 }))],
    ['the rules and operations that it was decided under', rulesHash],
    [
      'a row after a change',
      nextVersion<Row>({ version: 3, state: 'SENDING', note: 'kept' }, { state: 'SUCCEEDED', note: undefined }),
    ],
    [
      'a change of what never changes',
      of(() => refuseImmutable({ id: 'one', state: 'ACTIVE' }, { id: 'two' }, ['id'])),
    ],
    [
      'a change of what may change',
      of(() => refuseImmutable({ id: 'one', state: 'ACTIVE' }, { id: 'one', state: 'ENDED' }, ['id'])),
    ],
  ],
  'pages of a file': () => {
    const size = limits.filePageBytes;
    const lines = Buffer.from(`${'x'.repeat(999)}\n`.repeat(Math.ceil((2.5 * size) / 1_000)));
    const oneLine = Buffer.from('é'.repeat(size));
    const pieces = [lines.subarray(0, 2_000), lines].flatMap((bytes) =>
      [1, 2, 3].map((page): readonly [string, unknown] => {
        const { before, text, after } = pieceOf(page, bytes.length, (from, to) => bytes.subarray(from, to));
        return [`page ${page} of ${bytes.length} bytes`, [before, text, after].map((it) => it.length)];
      }),
    );
    const later = (bytes: Buffer, count: number): number =>
      boundaryOf(count, bytes.length, (from, to) => bytes.subarray(from, to));
    return [0, 1, size - 1, size, size + 1, 2 * size]
      .map((bytes): readonly [string, unknown] => [`${bytes} bytes`, `${pagesOf(bytes)} pages`])
      .concat(
        [0, 1, 2, 3].map((count) => [
          `after ${count} pages`,
          `of lines at ${later(lines, count)}, of one long line at ${later(oneLine, count)}`,
        ]),
        pieces,
      );
  },
  'an argument that is not known, by how many a tool has': () =>
    [0, 1, limits.listedArgumentElements, limits.listedArgumentElements + 1].map((count) => {
      const has = Array.from({ length: count }, (_, at) => `name_${'abcdefghij'[at]}`);
      const of = 'The call';
      return [`${count}`, unknownArgument(['naem_a', 'x'.repeat(99)], { of, has, meant: has.slice(0, 1) })] as const;
    }),
  'another writer was first': () =>
    [new StaleRow('of the row'), new AlreadyOpen('of the key'), new Error('of another kind')].flatMap((error) =>
      [1, 19, 20, 21].map(
        (attempts) =>
          [`${error.name}, attempt ${attempts}`, of(() => demandConflict(error, attempts)) ?? 'again'] as const,
      ),
    ),
  'a secret that is echoed': () => {
    const echoed = 'word and d29yZA== and 776f7264, 1234, 12345, a b, a%20b, "q\\"q"';
    return [['word'], ['a b'], ['q"q'], ['1234'], [''], ['w']].map(
      (secrets) =>
        [
          told(secrets),
          withoutSecrets(
            { kind: 'succeeded', status: 200, body: { echoed, word: [echoed, 1234, true, null] } },
            secrets,
          ),
        ] as const,
    );
  },
};
