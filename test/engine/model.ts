/**
 * What Purser must do, told a second time by hand: nothing here comes from its machines, guards or engine. The model knows
 * what the platform was made to do, which the engine does not; it foretells each outcome, and what then is true.
 */

export type Outcome = 'done' | 'declined' | 'refused' | 'needs_approval' | 'unknown' | 'crash';
export type ToolName =
  | 'enroll_card'
  | 'initiate_purchase'
  | 'update_purchase'
  | 'cancel_purchase'
  | 'retrieve_credentials'
  | 'confirm_transaction'
  | 'amend_plan'
  | 'create_subscription'
  | 'create_follow_on_subscription'
  | 'update_subscription'
  | 'suspend_subscription'
  | 'reactivate_subscription'
  | 'cancel_subscription';

export const faultKinds = [
  'decline',
  '429',
  '5xx',
  '5xx-after-commit',
  'timeout-after-commit',
  'late-apply',
  'truncated',
] as const;
export type Fault = (typeof faultKinds)[number];
export type CrashPoint = 'F0' | 'F1' | 'F2' | 'F5' | 'F6';

const approvalSeconds = 600;
const quietSeconds = 120;
const lateSeconds = 60;
const repeatSeconds = 1_800;
const taintSeconds = 3_600;
/** The most that all releases, or all subscriptions, together may come to, in pence. */
export const budget = 30_000;

/** Every move an operation may make, from the page on reliability. */
// biome-ignore format: a table
export const moves: readonly (readonly [from: string, to: string])[] = [
  ['none', 'PROPOSED'], ['none', 'SENDING'],
  ['PROPOSED', 'APPROVED'], ['PROPOSED', 'FAILED'], ['PROPOSED', 'EXPIRED'], ['PROPOSED', 'WITHDRAWN'],
  ['APPROVED', 'SENDING'], ['APPROVED', 'FAILED'], ['APPROVED', 'EXPIRED'], ['APPROVED', 'WITHDRAWN'],
  ['SENDING', 'SUCCEEDED'], ['SENDING', 'FAILED'], ['SENDING', 'UNKNOWN'],
  ['UNKNOWN', 'SENDING'], ['UNKNOWN', 'SUCCEEDED'], ['UNKNOWN', 'FAILED'], ['UNKNOWN', 'RESOLVED'],
];

export interface Op {
  readonly tool: ToolName;
  /** What the call stands under; with `named`, one call has it for good. */
  readonly key: string;
  readonly named: boolean;
  readonly args: string;
  /** What no second call may touch meanwhile; empty where there is none. */
  readonly subject: string;
  /** Tools with the same family share their keys. */
  readonly family?: string;
  /** A plan whose terms the call takes as they are, and a plan whose terms it changes: neither waits while the other may arrive. */
  readonly dependsOn?: string;
  readonly changes?: string;
  /** Whether a call whose outcome is unknown is sent again; where a person may approve it, only while what they knew is recent. */
  readonly repeatable: 'never' | 'always' | 'for half an hour';
  readonly spends: number;
  /** Lets the platform do it; answers whether it did. */
  readonly apply: () => boolean;
  /** Whether the platform shows that it was done, by whichever attempt; absent where it can't be asked. */
  readonly shown?: () => boolean;
  /** What Purser learns from an answer, and from a person who found that it happened. */
  readonly learn: () => void;
  readonly learnLate: () => void;
  state:
    | 'PROPOSED'
    | 'APPROVED'
    | 'SENDING'
    | 'UNKNOWN'
    | 'SUCCEEDED'
    | 'FAILED'
    | 'EXPIRED'
    | 'WITHDRAWN'
    | 'RESOLVED';
  effects: number;
  attempts: number;
  asked?: { readonly until: number; readonly read: string };
  quietUntil: number;
  madeAt: number;
  /** A person said no, and the agent was not told. */
  untold: boolean;
}

/** A call as the model weighs it. */
export type Wanted = Omit<Op, 'state' | 'effects' | 'attempts' | 'asked' | 'quietUntil' | 'madeAt' | 'untold'> & {
  readonly legal: () => boolean;
  readonly needs: () => boolean;
  /** What a person reads that may change while they think. */
  readonly reads: () => string;
};

export interface Card {
  readonly handle: string;
  known: 'none' | 'PENDING' | 'ACTIVE';
  readonly asksCustomer: boolean;
  enrolled: boolean;
  verified: boolean;
}

export interface Purchase {
  readonly reference: string;
  readonly card: string;
  handle: string;
  /** As Purser knows it. */
  state: 'ACTIVE' | 'CANCELLED' | 'COMPLETED';
  limit: number;
  releases: number;
  allowed: number;
  lastReleased: number | undefined;
  /** The mandate that a release is made under: each update brings another one. */
  under: string;
  receipt: { readonly id: number; readonly pence: number; readonly approved: boolean } | undefined;
  /** As the platform knows it. */
  really: 'ACTIVE' | 'CANCELLED' | 'COMPLETED';
  mandate: string;
  readonly mandates: Set<string>;
  released: number;
}

/** A stored plan, which is always active here. Sums are in pence; without `total` there is no end. */
export interface Terms {
  readonly amount: number;
  readonly unit: 'M' | 'W';
  readonly total: number | undefined;
  readonly fee: number;
}
export interface Plan {
  readonly handle: string;
  terms: Terms;
}

/** A subscription as the platform knows it: Purser asks before each call. */
export interface Subscription {
  readonly reference: string;
  /** Empty until Purser has been told of it. */
  handle: string;
  state: 'PENDING' | 'ACTIVE' | 'SUSPENDED' | 'CANCELLED';
  name: string;
  terms: Terms;
  /** What it has otherwise than its plan, which does not follow the plan. */
  ownTotal: boolean;
  plan: string;
  charged: number;
  chargedAt: number | undefined;
}

export interface Model {
  seconds: number;
  taintedUntil: number;
  /** Approval texts that the agent has read, until when they count, and those that are the merchant's own. */
  readonly read: Map<string, number>;
  readonly own: Set<string>;
  readonly cards: readonly Card[];
  readonly purchases: Purchase[];
  readonly ops: Op[];
  readonly faults: Map<ToolName, Fault[]>;
  readonly late: { readonly op: Op; readonly at: number }[];
  crash: CrashPoint | undefined;
  spent: number;
  receipts: number;
  updates: number;
  readonly plans: Plan[];
  readonly subscriptions: Subscription[];
}

export const newModel = (): Model => ({
  seconds: 0,
  taintedUntil: -1,
  read: new Map(),
  own: new Set(),
  cards: [
    { handle: 'card_ada', known: 'none', asksCustomer: false, enrolled: false, verified: false },
    { handle: 'card_bo', known: 'none', asksCustomer: true, enrolled: false, verified: false },
  ],
  purchases: [],
  ops: [],
  faults: new Map(),
  late: [],
  crash: undefined,
  spent: 0,
  receipts: 0,
  updates: 0,
  plans: [],
  subscriptions: [],
});

export const isTainted = (it: Model): boolean =>
  it.seconds < it.taintedUntil || [...it.read].some(([text, until]) => it.seconds < until && !it.own.has(text));
const textOf = ({ tool, args, asked }: Op): string => [tool, args, asked?.read].join('\n');
/** The agent reads what a person is asked. What an agent asked that had read others' words may be their wish. */
function shows(it: Model, op: Op): { readonly outcome: Outcome } {
  if (!it.own.has(textOf(op))) it.read.set(textOf(op), it.seconds + taintSeconds);
  return { outcome: 'needs_approval' };
}
const isOver = (state: Op['state']): boolean => ['FAILED', 'EXPIRED', 'WITHDRAWN'].includes(state);
const isOpen = (state: Op['state']): boolean => ['PROPOSED', 'APPROVED', 'SENDING', 'UNKNOWN'].includes(state);

/** Makes a call: answers what it must answer, and changes the model as that call changes the world. */
export function call(it: Model, wanted: Wanted): Outcome {
  const point = it.crash;
  it.crash = undefined;
  if (point === 'F0') return 'crash';
  const weighed = weigh(it, wanted);
  if (point === 'F1') return 'crash'; // whatever was decided was not kept, and a refusal never gets that far
  return 'outcome' in weighed ? weighed.outcome : send(it, weighed.op, point);
}

/** Whether a call is refused before it is decided to be sent: then no crash is reached after that. */
export const isRefused = (it: Model, wanted: Wanted): boolean => {
  const found = weigh(
    { ...it, ops: it.ops.map((op) => ({ ...op })), read: new Map(it.read), own: new Set(it.own) },
    wanted,
  );
  return 'outcome' in found && found.outcome === 'refused';
};

function weigh(it: Model, wanted: Wanted): { readonly outcome: Outcome } | { readonly op: Op } {
  const isFor = ({ family, key, tool }: Op) => family === wanted.family && key === wanted.key && tool !== wanted.tool;
  // What nobody has approved in time holds its reference against no other tool.
  const holds = ({ state, asked }: Op) => !isOver(state) && !(isWaiting(state) && (asked?.until ?? 0) <= it.seconds);
  if (wanted.family !== undefined && it.ops.some((op) => isFor(op) && holds(op))) return { outcome: 'refused' };
  const earlier = it.ops.findLast(
    (op) =>
      op.tool === wanted.tool &&
      op.key === wanted.key &&
      (wanted.named ? !isOver(op.state) : op.args === wanted.args && isOpen(op.state)),
  );
  if (earlier !== undefined) {
    if (earlier.args !== wanted.args) return { outcome: 'refused' };
    if (earlier.state === 'SENDING' && earlier.quietUntil <= it.seconds) earlier.state = 'UNKNOWN';
    if (earlier.state === 'SENDING') return { outcome: 'unknown' };
    if (earlier.state === 'UNKNOWN') return isRepeated(it, earlier) ? { op: earlier } : { outcome: 'unknown' };
    if (earlier.state === 'SUCCEEDED' || earlier.state === 'RESOLVED') return { outcome: 'done' };
  }
  // A no is told once, by the first call that is the same; the next one asks anew.
  const no = it.ops.findLast(
    ({ tool, key, args, untold }) => untold && tool === wanted.tool && key === wanted.key && args === wanted.args,
  );
  if (earlier === undefined && no !== undefined) {
    no.untold = false;
    return { outcome: 'refused' };
  }
  if (!wanted.legal() || isBusy(it, wanted.subject) || isUnsettled(it, wanted)) return { outcome: 'refused' };
  if (it.spent + wanted.spends > budget) return { outcome: 'refused' };
  if (earlier?.asked !== undefined) {
    // What a person read is no longer so, or their time is over: whatever they said of it is worth nothing.
    const stillSo = wanted.needs() && wanted.reads() === earlier.asked.read;
    if (earlier.asked.until <= it.seconds || !stillSo) earlier.state = 'EXPIRED';
    else return earlier.state === 'PROPOSED' ? shows(it, earlier) : { op: earlier };
  }
  const { legal: _, needs, reads, ...rest } = wanted;
  const op: Op = {
    ...rest,
    state: 'PROPOSED',
    effects: 0,
    attempts: 0,
    quietUntil: 0,
    madeAt: it.seconds,
    untold: false,
  };
  it.ops.push(op);
  if (!needs()) return { op };
  op.asked = { until: it.seconds + approvalSeconds, read: reads() };
  if (!isTainted(it)) it.own.add(textOf(op));
  return shows(it, op);
}

const isRepeated = (it: Model, { repeatable, madeAt }: Op): boolean =>
  repeatable === 'always' || (repeatable === 'for half an hour' && it.seconds - madeAt <= repeatSeconds);

const isWaiting = (state: Op['state']): boolean => state === 'PROPOSED' || state === 'APPROVED';

/** Whether terms that a call rests on may still change, or one may still arrive that rests on terms which it changes. */
const isUnsettled = (it: Model, { dependsOn, changes }: Wanted): boolean =>
  it.ops.some(
    (op) =>
      (op.state === 'SENDING' || op.state === 'UNKNOWN') &&
      op.quietUntil > it.seconds &&
      ((dependsOn !== undefined && op.changes === dependsOn) || (changes !== undefined && op.dependsOn === changes)),
  );

const isBusy = (it: Model, subject: string): boolean =>
  subject !== '' && it.ops.some((op) => op.subject === subject && (op.state === 'SENDING' || op.state === 'UNKNOWN'));

function send(it: Model, op: Op, point: CrashPoint | undefined): Outcome {
  if (op.asked !== undefined) it.own.add(textOf(op)); // a person has read and approved it
  if (op.attempts === 0) it.spent += op.spends;
  op.state = 'SENDING';
  op.attempts++;
  op.quietUntil = it.seconds + quietSeconds;
  if (point === 'F2') return 'crash';
  const reply = wire(it, op);
  if (point === 'F5') return 'crash';
  // What is refused is looked for: an earlier attempt may have done it.
  if (reply === 'answered' || (reply === 'refused' && op.shown?.() === true)) {
    op.state = 'SUCCEEDED';
    op.learn();
  } else if (reply !== 'lost' && op.attempts === 1) {
    op.state = 'FAILED';
    it.spent -= op.spends;
  } else op.state = 'UNKNOWN';
  // What an answer shows of others' words is recorded with the outcome, before it leaves.
  if (op.state === 'FAILED') it.taintedUntil = it.seconds + taintSeconds;
  if (point === 'F6') return 'crash';
  return op.state === 'SUCCEEDED' ? 'done' : op.state === 'FAILED' ? 'declined' : 'unknown';
}

/** What the platform does with a request, and what of that comes back. */
function wire(it: Model, op: Op): 'answered' | 'refused' | 'declined' | 'lost' {
  const fault = it.faults.get(op.tool)?.shift();
  if (fault === 'decline') return 'refused';
  if (fault === '429') return 'declined';
  if (fault === '5xx') return 'lost';
  if (fault === 'late-apply') {
    it.late.push({ op, at: it.seconds + lateSeconds });
    return 'lost';
  }
  const did = op.apply();
  if (did) op.effects++;
  if (fault === undefined) return did ? 'answered' : 'refused';
  if (fault === 'truncated' && !did) return 'refused'; // a broken no is a no
  return 'lost';
}

/** Lets time pass: what was on its way arrives. */
export function pass(it: Model, seconds: number): void {
  it.seconds += seconds;
  const due = it.late.filter(({ at }) => at <= it.seconds).toSorted((one, other) => one.at - other.at);
  for (const { op } of due) if (op.apply()) op.effects++;
  it.late.splice(0, it.late.length, ...it.late.filter(({ at }) => at > it.seconds));
}

export function decide(it: Model, op: Op, approves: boolean): 'APPROVED' | 'DENIED' | 'late' | 'already' {
  if (op.asked === undefined || !['PROPOSED', 'APPROVED'].includes(op.state)) return 'already';
  if (op.asked.until <= it.seconds) {
    op.state = 'EXPIRED';
    return 'late';
  }
  if (approves && op.state === 'APPROVED') return 'already';
  op.state = approves ? 'APPROVED' : 'FAILED';
  op.untold = !approves;
  return approves ? 'APPROVED' : 'DENIED';
}

/** The agent withdraws a call that was not sent; once it was, it can't. */
export function withdraw(op: Op): boolean {
  if (!isWaiting(op.state) && op.state !== 'WITHDRAWN') return false;
  op.state = 'WITHDRAWN';
  return true;
}

/** A person looks at the platform, and says what is there. */
export function settle(it: Model, op: Op): boolean {
  if (op.state !== 'UNKNOWN') return false;
  if (op.effects > 0) {
    op.state = 'RESOLVED';
    op.learnLate();
    return true;
  }
  if (op.quietUntil > it.seconds) return false;
  op.state = 'FAILED';
  it.spent -= op.spends;
  return true;
}

export function recover(it: Model): number {
  const overdue = it.ops.filter((op) => op.state === 'SENDING' && op.quietUntil <= it.seconds);
  for (const op of overdue) op.state = 'UNKNOWN';
  return overdue.length;
}
