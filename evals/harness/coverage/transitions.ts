import type { Machine } from '../../../src/core/machine.ts';
import { approval, operation } from '../../../src/core/own-machines.ts';
import { payment } from '../../../src/domains/billing/machines.ts';
import { charge, offer, refund } from '../../../src/domains/conversion/machines.ts';
import type { TransactionFacts } from '../../../src/domains/device/facts.ts';
import { enrollment, transaction } from '../../../src/domains/device/machines.ts';
import { entityOf } from '../../../src/domains/device/transactions.ts';
import { contract } from '../../../src/domains/index.ts';
import { instruction } from '../../../src/domains/purchase/machines.ts';
import type { PlatformTool } from '../../../src/engine/tool.ts';
import { answerOf, type CallEntry, callsOf, type Run } from '../replay/run.ts';
import { member } from '../scenario/captures.ts';
import { platformToolOf } from '../scenario/catalogue.ts';
import { bodyOf } from '../world/collection.ts';
import type { Row } from '../world/ledger.ts';
import type { Evidence } from '../world/state.ts';
import { refusedPairs } from './tables.ts';
import type { Transition, TransitionsOfRun } from './transition.ts';
import { paymentTransitions } from './transitions-billing.ts';
import { createdIn } from './transitions-conversion.ts';
import { enrollmentTransitions } from './transitions-device.ts';

type Table = Pick<Machine, 'name' | 'rows' | 'assumed'>;

/** The states in which only a platform leaves a payment or an offer that decides later, or takes back what it offered. */
const statesBeyond: Readonly<Record<string, readonly string[]>> = {
  [charge.name]: ['PENDING', 'PENDING_REVIEW', 'RISK_DECLINED', 'PARTIAL_AUTHORIZED'],
  [offer.name]: ['WITHDRAWN'],
};
export function isBeyond(machine: string, state: string): boolean {
  return statesBeyond[machine]?.includes(state) === true;
}

/**
 * Rows that no scenario can take, and why. The steps of a story are sequential; an answer that arrives after another process
 * marked the call unknown needs two processes.
 */
export const unreachable: readonly (Transition & { readonly because: string })[] = [
  ...(
    [
      ['succeed', 'SUCCEEDED'],
      ['fail', 'FAILED'],
    ] as const
  ).map(([trigger, to]) => ({
    ...{ machine: 'operation', from: 'UNKNOWN', trigger, to },
    because: 'two processes at once: one gives the call up while the other still waits for its answer',
  })),
  {
    ...{ machine: enrollment.name, from: 'none', trigger: 'enroll', to: 'enrolled' },
    because: 'a device is named by the handle that `device_status` answers, and then its state is known',
  },
  ...[charge, offer, refund].flatMap(({ name, rows, assumed }) =>
    [...rows, ...assumed].flatMap(([from, trigger, , to]) =>
      trigger === 'decide' || trigger === 'reject' || [from, to].some((state) => isBeyond(name, state))
        ? [{ ...{ machine: name, from, trigger, to }, because: 'the sandbox decides at once, and takes back no offer' }]
        : [],
    ),
  ),
];

/** Every state and agent trigger that nothing joins, and that a call can ask for. */
export const forbiddenPairs = (): readonly Transition[] => refusedPairs().filter(isSayable);

/**
 * Whether a call can ask for it. A call names every cycle that is to be skipped: one that is skipped stays so, and one that is
 * not can't be restored. A hold is captured under the number of its charge, so a second capture is no new call (EN-03).
 */
const isSayable = ({ machine, from, trigger }: Transition): boolean =>
  !isBeyond(machine, from) &&
  (machine === payment.name
    ? trigger === 'skip' && from !== 'SCHEDULED_SKIPPED'
    : machine !== transaction.name || trigger !== 'capture' || from !== 'CAPTURED');

/** The transitions of a run: of things by its calls and actors, of operations and approvals by the audit chain. */
export function transitionsOf(run: Run): TransitionsOfRun {
  const calls = callsOf(run).flatMap((entry) => [
    ...callTransitions(entry),
    ...withdrawals(entry),
    ...enrollmentTransitions(entry),
  ]);
  const payments = paymentTransitions(run);
  const ledger = run.after === undefined ? [] : ledgerTransitions(run.after);
  const converted = run.after === undefined ? [] : createdIn(run.after.platform, run.after.observations);
  return {
    rows: [
      ...converted,
      ...calls.filter(({ to }) => to !== undefined),
      ...ledger,
      ...eventTransitions(run),
      ...payments.rows,
    ],
    refused: [...calls.filter(({ to }) => to === undefined), ...payments.refused],
  };
}

/** The transition that a call caused or was refused. */
function callTransitions(entry: CallEntry): readonly Transition[] {
  const tool = platformToolOf(entry.tool);
  const { moves } = tool === undefined ? { moves: undefined } : contract[tool.operation];
  if (tool?.observe.moves === undefined || moves === undefined) return [];
  const { outcome, data, replayed, error } = answerOf(entry);
  const handle = handleIn(tool, entry.args);
  const known = entry.before.get(handle);
  const from = known ?? 'none';
  const pair = { machine: moves.machine.name, from, trigger: moves.trigger };
  if (outcome === 'refused' && error?.code === 'RULE' && known !== undefined)
    // The tool refreshed the thing before deciding.
    return [tool.refresh !== undefined ? { ...pair, from: entry.after.get(handle) ?? from } : pair];
  // The data may show another thing, which the call made.
  const to = entry.after.get(handle) ?? member(data, 'state');
  return outcome === 'done' && replayed !== true && typeof to === 'string' ? [{ ...pair, to }] : [];
}

/** What became of an operation that an agent withdrew, or could not. */
function withdrawals(entry: CallEntry): readonly Transition[] {
  const { tool, args, before, after } = entry;
  const id = String(args.operation);
  const from = tool === 'withdraw_operation' ? before.get(id) : undefined;
  if (from === undefined) return [];
  const pair = { machine: operation.name, from, trigger: 'withdraw' };
  const to = after.get(id);
  return answerOf(entry).outcome === 'done' && to !== undefined ? [{ ...pair, to }] : [pair];
}

/** The handle of the thing that a tool moves, if an argument is its handle or the name that it has on the platform. */
function handleIn({ input, observe }: PlatformTool, args: CallEntry['args']): string {
  const isMoved = (kind: string | undefined) => kind !== undefined && kind === observe.moves?.kind;
  const [name, argument] =
    Object.entries(input.args).find(([, { kind, mayMatch }]) => isMoved(kind) || isMoved(mayMatch?.kind)) ?? [];
  const given = name === undefined ? undefined : args[name];
  if (given === undefined) return '';
  return argument?.mayMatch === undefined ? String(given) : (argument.mayMatch.handle(String(given)) ?? '');
}

/** The state of an observed thing at this time: a purchase or a hold expires by the clock, without a write. */
export function settledState({ kind, state, body }: Row, now: number): string {
  const known = String(state);
  if (kind === 'offer') {
    const { expires, reason } = bodyOf(body);
    const expired = reason === '' && Date.parse(String(expires)) <= now;
    return offer.settle({ state: known, eligible: true, expired, opted: false });
  }
  if (kind === 'devicePayment')
    // As the tools of the card reader write it.
    return transaction.settle(entityOf(bodyOf(body) as unknown as TransactionFacts, known, now));
  if (kind !== 'instruction') return known;
  const ended = Number(bodyOf(body).until) * 1_000 <= now;
  return instruction.settle({ state: known, ended, asks: false, waiting: '', processed: false });
}

/** Transitions caused by customers and the clock. */
function eventTransitions({ after, entries }: Run): readonly Transition[] {
  const verified = entries.flatMap((entry) => (entry.kind === 'event' ? (entry.moved ?? []) : []));
  const last = new Map((after?.observations ?? []).map(({ handle, state }) => [String(handle), String(state)]));
  const expired = Object.entries(after?.state.instructions ?? {}).flatMap(([handle, it]) =>
    member(it, 'status') === 'EXPIRED' ? (last.get(handle) ?? []) : [],
  );
  return [...verified, ...expired.map((from) => ({ machine: 'instruction', from, trigger: 'expire', to: 'EXPIRED' }))];
}

/** Events of the audit chain and their triggers. */
const triggers: Readonly<Record<string, { readonly operation: string; readonly approval?: string }>> = {
  proposed: { operation: 'propose', approval: 'request' },
  approved: { operation: 'approve', approval: 'approve' },
  denied: { operation: 'deny', approval: 'deny' },
  expired: { operation: 'expire', approval: 'expire' },
  superseded: { operation: 'supersede', approval: 'supersede' },
  withdrawn: { operation: 'withdraw', approval: 'withdraw' },
  sent: { operation: 'send', approval: 'consume' },
  answered: { operation: 'succeed' },
  declined: { operation: 'fail' },
  unreached: { operation: 'fail' },
  unknown: { operation: 'markUnknown' },
  resolved: { operation: 'resolve' },
};

function ledgerTransitions({ audit }: Evidence): readonly Transition[] {
  const now = new Map<string, string>();
  const step = (machine: Table, id: string, trigger: string, happened: boolean): readonly Transition[] => {
    const key = `${machine.name} ${id}`;
    const from = now.get(key) ?? 'none';
    const rows = [...machine.rows, ...machine.assumed].filter((row) => row[0] === from && row[1] === trigger);
    const to = (rows.length > 1 ? rows.find((row) => row[2].includes('did not') !== happened) : rows[0])?.[3];
    if (to === undefined) return [];
    now.set(key, to);
    return [{ machine: machine.name, from, trigger, to }];
  };
  return audit.flatMap(({ event, operation_id: id, body }) => {
    const told = triggers[String(event)];
    if (told === undefined || id === null || id === undefined) return [];
    const happened = bodyOf(body).happened === true;
    return [
      ...step(operation, String(id), told.operation, happened),
      ...(told.approval === undefined ? [] : step(approval, String(id), told.approval, happened)),
    ];
  });
}
