import { limits } from '../../../src/core/limits.ts';
import { approval as approvals, operation as operations } from '../../../src/core/own-machines.ts';
import { isTwofold, rules } from '../../../src/core/rules.ts';
import type { Answer } from '../../../src/engine/answer.ts';
import { decideOrHalt } from '../../../src/engine/approval-service.ts';
import { freezeOf, freezeTenant, orFreeze, unfreeze } from '../../../src/engine/freeze.ts';
import { IntegrityError } from '../../../src/engine/integrity-error.ts';
import {
  canMoveApproval,
  canMoveOperation,
  demandConsistentEnd,
  isOverdue,
  isTooLate,
  moveApproval,
  nextState,
  sending,
  settled,
  storedAs,
} from '../../../src/engine/operation-state.ts';
import { holdsCardDataIn, redactedAnswer } from '../../../src/engine/output-screening.ts';
import type { EngineParts } from '../../../src/engine/parts.ts';
import type { Refusal } from '../../../src/engine/refusal.ts';
import { createRefusalLog } from '../../../src/engine/refusal-log.ts';
import { inFlight, quietSecondsLeft, replay, secretGone, unknown, unrecorded } from '../../../src/engine/render.ts';
import { UnknownTenant } from '../../../src/engine/unknown-tenant.ts';
import { CorruptRow } from '../../../src/ledger/errors.ts';
import type { ApprovalRow, OperationRow } from '../../../src/ledger/rows.ts';
import { openRewindableLedger } from '../world/ledger.ts';
import { endOf, minute, start, tenant } from './ledger-steps.ts';
import type { Lines, Mechanisms } from './lines.ts';

// What is refused and withheld, what of it is recorded, and how calls and approvals go on by the time.

type Triggers<M extends { move: (entity: never, trigger: never) => unknown }> = Parameters<M['move']>[1];
const row = (more: Partial<OperationRow> = {}): OperationRow =>
  ({
    id: 'op_one',
    state: 'SENDING',
    startedAt: start,
    quietUntil: start + minute,
    result: null,
    ...more,
  }) as OperationRow; // as much of one as is read
const asked = (more: Partial<ApprovalRow> = {}): ApprovalRow =>
  ({ id: 'ap_one', operationId: 'op_one', state: 'REQUESTED', expiresAt: start + minute, ...more }) as ApprovalRow;
const of = (work: () => unknown): unknown => {
  try {
    return work() ?? 'passes';
  } catch (error) {
    return error instanceof IntegrityError
      ? [error.name, error.message, error.operation ?? 'of none'].join(', ')
      : String(error);
  }
};

/** What a log of refusals writes into the audit, call by call. */
async function refusals(): Promise<Lines> {
  const rewindable = await openRewindableLedger();
  const { ledger } = rewindable;
  let now = start;
  let fails: Error | undefined;
  const log = createRefusalLog({
    ledger: {
      ...ledger,
      transaction: (of, work) =>
        ledger.transaction(of, async (tx) => {
          const done = await work(tx);
          if (fails !== undefined) throw fails;
          return done;
        }),
    },
    ports: { clock: { now: () => now } },
  });
  const refusal: Refusal = {
    code: 'INVALID_ARGUMENT',
    rule: 'EN-01',
    field: 'amount',
    because: 'It is wrong.',
    instead: [],
  };
  const caller = { tenant, principal: 'agent' };
  const lines: [string, unknown][] = [];
  let seen = 0;
  const written = async () => {
    const rows = await ledger.archive.rows(seen, 99);
    seen += rows.length;
    return rows.map(
      ({ tenant: of, event, body, at }) => `${of} ${event} ${JSON.stringify(body)} after ${(at - start) / minute} min`,
    );
  };
  const said = async (what: string, work: () => Promise<unknown>) => {
    const end = await endOf(work);
    lines.push([what, [...(end === 'nothing' ? [] : [end]), ...(await written())]]);
  };
  const note = (more: object = {}, by: object = {}, tool = 'pay') =>
    log.note(tool, { ...caller, ...by }, { ...refusal, ...more });
  const inTransaction = (more: Partial<Refusal> = {}, then: 'commits' | 'is rolled back' | 'calls back' = 'commits') =>
    endOf(async () => {
      const lost = await ledger.transaction(tenant, async (tx) => {
        const back = await log.noteIn(tx, 'pay', caller, { ...refusal, ...more });
        if (then === 'is rolled back') {
          back();
          throw new Error('It broke.');
        }
        return back;
      });
      if (then === 'calls back') lost();
    });
  await said('nothing is settled', () => log.settle());
  await said('the first', () => note());
  await said('the same', () => note());
  await said('the same of another field', () => note({ field: 'currency' }));
  await said('another code', () => note({ code: 'CONFLICT' }));
  await said('another rule', () => note({ rule: 'EN-02' }));
  await said('no rule, and no field', () => note({ rule: undefined, field: undefined }));
  await said('another tool', () => note({}, {}, 'refund'));
  await said('another principal', () => note({}, { principal: 'other' }));
  await said('another tenant', () => note({}, { tenant: 'other' }));
  now += limits.refusalMinutes * minute - 1;
  await said('the same in its last moment', () => note());
  await said('settled then', () => log.settle());
  now += 1;
  await said('the same after it', () => note());
  await said('settled after it', () => log.settle());
  await said('the same again', () => note());
  await said('all are settled', () => log.settle(true));
  await said('once more', () => log.settle(true));
  await said('the same, which is not stored', async () => {
    fails = new Error('It is full.');
    await note();
  });
  fails = undefined;
  await said('the same, which is then the first', () => note());
  await said('in a transaction', () => inTransaction());
  await said('in one, of another kind', () => inTransaction({ code: 'CONFLICT' }));
  await said('in one that is rolled back', () => inTransaction({ code: 'NOT_FOUND' }, 'is rolled back'));
  await said('then the same', () => inTransaction({ code: 'NOT_FOUND' }));
  await said('in one that ends twice', () => inTransaction({ code: 'CALL_CANCELLED' }, 'calls back'));
  now += limits.refusalMinutes * minute;
  await said('in one that is rolled back, after an hour', () => inTransaction({ code: 'NOT_FOUND' }, 'is rolled back'));
  await said('in one after it', () => inTransaction({ code: 'NOT_FOUND' }));
  await said('not stored, while the same is counted', async () => {
    let back: (() => void) | undefined;
    await ledger.transaction(tenant, async (tx) => {
      back = await log.noteIn(tx, 'pay', caller, { ...refusal, code: 'RULE' });
    });
    await note({ code: 'RULE' });
    back?.();
    await note({ code: 'RULE' });
  });
  await said('not stored, once the next window is open', async () => {
    const back = await ledger.transaction(tenant, (tx) =>
      log.noteIn(tx, 'pay', caller, { ...refusal, code: 'DECLINED' }),
    );
    now += limits.refusalMinutes * minute;
    await note({ code: 'DECLINED' });
    back();
    await note({ code: 'DECLINED' });
  });
  await said('what is left', () => log.settle(true));
  await ledger.close();
  return lines;
}

/** A tenant that is halted, and goes on. */
async function halts(): Promise<Lines> {
  const rewindable = await openRewindableLedger();
  const { ledger } = rewindable;
  const parts = { ledger, settings: {}, ports: { clock: { now: () => start } } } as unknown as EngineParts; // no other part is used
  const pat = { tenant, approver: 'pat', channel: 'cli' } as const;
  const lines: [string, unknown][] = [];
  const said = async (what: string, work: () => Promise<unknown>) => {
    const end = await endOf(work);
    const halt = await freezeOf(parts, tenant);
    const other = await freezeOf(parts, 'other');
    lines.push([
      what,
      [
        end,
        halt === undefined ? 'goes on' : `halted by ${JSON.stringify(halt.body)} of ${halt.operationId}`,
        other === undefined ? 'another goes on' : 'another is halted',
      ],
    ]);
  };
  await said('work', () => orFreeze(parts, tenant, async () => 'done'));
  await said('work that breaks', () => orFreeze(parts, tenant, () => Promise.reject(new Error('It broke.'))));
  await said('it goes on already', () => unfreeze(parts, 'Looked at.', pat));
  await said('work that contradicts the ledger', () =>
    orFreeze(parts, tenant, () => Promise.reject(new IntegrityError('It ended twice.', 'op_one'))),
  );
  await said('another contradiction', () => freezeTenant(parts, tenant, new IntegrityError('Again.', 'op_two')));
  await said('a decision that contradicts it', () =>
    decideOrHalt(parts, pat, () => Promise.reject(new IntegrityError('Once more.', 'op_three'))),
  );
  await said('a decision on a corrupt row', () =>
    decideOrHalt(parts, pat, () => Promise.reject(new CorruptRow('It is not as it was written.'))),
  );
  await said('a decision', () =>
    decideOrHalt(parts, pat, async () => ({ ok: true, operation: 'op_three', state: 'APPROVED', text: 'Tea' })),
  );
  await said('a note with a card', () => unfreeze(parts, 'It was 4111 1111 1111 1111.', pat));
  await said('a note', () => unfreeze(parts, 'Looked at.', pat));
  await said('a contradiction of no operation', () => freezeTenant(parts, tenant, new IntegrityError('Again.')));
  await said('a note on that', () => unfreeze(parts, 'Looked at, too.', pat));
  const rows = await ledger.archive.rows(0, 99);
  lines.push([
    'what is recorded',
    rows.map(({ event, operationId, body }) => `${event} ${operationId} ${JSON.stringify(body)}`),
  ]);
  await ledger.close();
  return lines;
}

const answer = (more: object = {}): Answer => ({
  outcome: 'done',
  environment: 'sandbox',
  said: 'It is done.',
  next: ['get_plan'],
  ...more,
});
const error = {
  code: 'CONFLICT',
  retry: 'never',
  wait: 7,
  rule: 'EN-03',
  field: 'card',
  because: 'It is.',
} as unknown as Answer['error'];

/** What is withheld of answers. */
const withheld: Mechanisms[string] = () => [
  ...[
    answer(),
    answer({ operation: 'op_one', replayed: true, error, data: { card: '4111111111111111' } }),
    answer({ operation: '4111111111111111', replayed: false, outcome: 'declined' }),
    answer({ error: { code: 'CONFLICT', retry: 'never' } as Answer['error'], outcome: 'refused' }),
  ].flatMap((it) =>
    (['card data', 'damaged'] as const).map(
      (because) => [`${JSON.stringify(it)}, ${because}`, redactedAnswer(it, because)] as const,
    ),
  ),
  ['by default', redactedAnswer(answer()).said],
  ...[
    '4111111111111111',
    'x4111111111111111',
    'CVV 123',
    4_111_111_111_111_111,
    4_111_111_111_111_112,
    true,
    null,
    ['a', ['4111111111111111']],
    { card: { number: '4111111111111111' } },
    { '4111111111111111': 1 },
    { a: '4111111111111112', b: 7 },
    'x'.repeat(300),
    `${'x '.repeat(200)}4111111111111111`,
    ...Array.from({ length: 2 }, () => 'Tea for two'),
  ].map((it) => [`${JSON.stringify(it)?.slice(0, 60)}`, holdsCardDataIn(it)] as const),
  [
    'five thousand texts, then a card, and the first text',
    [
      Array.from({ length: 5_000 }, (_, at) => holdsCardDataIn(`text ${at} of many`)).some(Boolean),
      holdsCardDataIn('4111111111111111'),
      holdsCardDataIn('text 0 of many'),
    ],
  ],
];

/** The states of calls and approvals by time and trigger. */
const states: Mechanisms[string] = async () => {
  const names = (machine: { readonly states: readonly string[] }) => machine.states;
  const at = [-1, 0, 1].map((later) => start + minute + later);
  const triggersOf = ['approve', 'deny', 'expire', 'supersede', 'withdraw', 'use'] as readonly Triggers<
    typeof approvals
  >[];
  const ledger = { approvals: { update: async (_: unknown, change: { readonly state: string }) => change.state } };
  const moved = (state: string, trigger: Triggers<typeof approvals>, now: number) =>
    endOf(() => moveApproval(ledger as never, asked({ state }), trigger, now));
  const lines: [string, unknown][] = [];
  for (const state of names(approvals)) {
    lines.push([
      `an approval that is ${state}, until its time is over`,
      at.map((now) =>
        [
          settled(asked({ state }), now).state,
          triggersOf.filter((it) => canMoveApproval(asked({ state }), it, now)).join(' '),
        ].join(': '),
      ),
    ]);
    lines.push([`what is stored of those that read ${state}`, storedAs(state, start)]);
  }
  for (const trigger of triggersOf)
    lines.push([
      `an approval moves by ${trigger}`,
      [
        await moved('REQUESTED', trigger, start),
        await moved('REQUESTED', trigger, start + minute),
        await moved('DENIED', trigger, start),
      ],
    ]);
  const looks = [{}, { needsApproval: true }, { repeatable: true }, { happened: true }];
  for (const trigger of [
    'propose',
    'send',
    'approve',
    'deny',
    'expire',
    'supersede',
    'withdraw',
    'succeed',
    'fail',
    'markUnknown',
    'resolve',
  ] as readonly Triggers<typeof operations>[])
    lines.push([
      `an operation moves by ${trigger}`,
      names(operations)
        .flatMap((state) =>
          looks.map((look) =>
            canMoveOperation(state, trigger, look)
              ? `${state} ${Object.keys(look).join('')}→ ${nextState(state, trigger, look)}`
              : '',
          ),
        )
        .filter(Boolean),
    ]);
  lines.push(['one that is refused', of(() => nextState('SUCCEEDED', 'send'))]);
  for (const state of names(operations))
    lines.push([
      `the platform’s answer once it is ${state}`,
      (['succeed', 'fail', 'markUnknown'] as const).map((it) => of(() => demandConsistentEnd(row({ state }), it))),
    ]);
  lines.push([
    'overdue',
    [...at, undefined].map((now) =>
      isOverdue(row(now === undefined ? { quietUntil: null } : {}), now ?? start + minute),
    ),
  ]);
  lines.push([
    'too late to be sent',
    [0, 1_000 * limits.sendingSeconds, 1_000 * limits.sendingSeconds + 1]
      .map((later) => isTooLate(row(), start + later))
      .concat(isTooLate(row({ startedAt: null }), start)),
  ]);
  lines.push(['when it is sent', [sending(start, 1, limits.quietSeconds), sending(start, 2, 7)]]);
  lines.push([
    'seconds that are left',
    [-1, 0, 1, 999, 1_000, 1_001, 59_999]
      .map((before) => quietSecondsLeft({ quietUntil: start + before }, start))
      .concat(quietSecondsLeft({ quietUntil: null }, start)),
  ]);
  return lines;
};

/** Answers of calls whose end is not known. */
const ends: Mechanisms[string] = () => [
  ['unknown', unknown('op_one', 7)],
  ['unknown, by another rule', unknown('op_one', 7, { rule: 'PK-01' })],
  ['its secret is gone', secretGone('op_one')],
  ['not recorded', unrecorded('op_one')],
  ['under way', inFlight(row(), start)],
  ['made before', replay(row({ result: { outcome: 'done', said: 'It is done.', next: ['pay'] } }), 'get_plan')],
  [
    'made before, by a tool without another',
    replay(row({ result: { outcome: 'declined', said: 'No.', next: [] } }), undefined),
  ],
  ['a tenant that is not known', new UnknownTenant().message],
  ['rules of two kinds', Object.keys(rules).filter(isTwofold)],
];

export const refusalMechanisms: Mechanisms = {
  'refusals that are recorded': refusals,
  'a tenant that is halted': halts,
  'what is withheld of an answer': withheld,
  'calls and approvals by their states': states,
  'answers of calls whose end is not known': ends,
};
