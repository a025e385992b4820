// A second reading of how a subscription is billed, on purpose apart from the sandbox's: every payment of its whole life is
// a job in one list from the beginning, dates come from a table of month lengths, money is whole minor units.

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

export type Unit = 'D' | 'W' | 'M' | 'Y';
export type Outcome = 'paid' | 'declined' | 'doNotRetry' | 'error';

export interface Terms {
  readonly every: number;
  readonly unit: Unit;
  /** Undefined where it has no end. */
  readonly total: number | undefined;
  /** Minor units. */
  readonly amount: number;
  readonly setupFee: number;
  readonly surcharge: number;
}

/** A payment that came to its end. */
export interface Paid {
  readonly cycle: number;
  readonly type: 'STANDARD' | 'RETRY';
  readonly status: 'PAID' | 'FAILED' | 'SKIPPED';
  readonly at: number;
  /** Minor units, with setup fee and surcharge. */
  readonly sum: number;
}

interface Job {
  readonly at: number;
  readonly cycle: number;
  readonly kind: 'cycle' | 'again';
  readonly type: 'STANDARD' | 'RETRY';
  readonly left: number;
}

const lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const lengthOf = (year: number, month: number): number =>
  month === 1 && (year % 400 === 0 || (year % 4 === 0 && year % 100 !== 0)) ? 29 : (lengths[month] ?? 0);

/** The moment so many units after another; a day that a month has not got becomes its last. */
function later(from: number, unit: Unit, count: number): number {
  if (unit === 'D') return from + count * day;
  if (unit === 'W') return from + count * 7 * day;
  const [date = '', time = ''] = new Date(from).toISOString().split('T');
  const [year = 0, month = 0, dayOfMonth = 0] = date.split('-').map(Number);
  const months = year * 12 + (month - 1) + count * (unit === 'Y' ? 12 : 1);
  const to = { year: Math.floor(months / 12), month: months % 12 };
  const last = Math.min(dayOfMonth, lengthOf(to.year, to.month));
  const two = (number: number) => String(number).padStart(2, '0');
  return Date.parse(`${to.year}-${two(to.month + 1)}-${two(last)}T${time}`);
}

/** Document 2: retries by frequency; a frequency of one's own counts by the length of one period. */
function retriesFor(unit: Unit, every: number): { readonly times: number; readonly apart: number } {
  const days = every * { D: 1, W: 7, M: 31, Y: 372 }[unit];
  if (days <= 1) return { times: 1, apart: hour };
  if (days <= 7) return { times: 3, apart: day };
  return days <= 31 ? { times: 5, apart: 2 * day } : { times: 3, apart: 15 * day };
}

const living: readonly string[] = ['PENDING', 'ACTIVE', 'DELINQUENT'];

export class Model {
  state = 'PENDING';
  readonly payments: Paid[] = [];
  #jobs: Job[];
  #missed: number[] = [];
  #skipped = new Set<number>();
  #asked = 0;
  #last = Number.NEGATIVE_INFINITY;
  #feeWith = 1;
  readonly #terms: Terms;
  readonly #outcomes: readonly Outcome[];

  /** A subscription that is created now. Of one without an end nothing is looked at beyond the horizon but its first cycles. */
  constructor(
    terms: Terms,
    start: number,
    now: number,
    horizon: number,
    outcomes: readonly Outcome[],
    verifies: boolean,
  ) {
    this.#terms = terms;
    this.#outcomes = outcomes;
    const { times } = retriesFor(terms.unit, terms.every);
    this.#jobs = [];
    for (let cycle = 1; terms.total === undefined || cycle <= terms.total; cycle++) {
      const at = later(start, terms.unit, (cycle - 1) * terms.every);
      if (cycle > 40 && at > horizon) break;
      this.#jobs.push({ at, cycle, kind: 'cycle', type: 'STANDARD', left: times });
    }
    const isToday = new Date(start).toISOString().slice(0, 10) === new Date(now).toISOString().slice(0, 10);
    if (isToday) this.#firstDay(now);
    else if (!verifies) this.#end('FAILED');
  }

  /** What was paid in all. */
  get sum(): number {
    return this.payments.filter(({ status }) => status === 'PAID').reduce((total, { sum }) => total + sum, 0);
  }

  get paid(): number {
    return this.payments.filter(({ status }) => status === 'PAID').length;
  }

  count(status: Paid['status']): number {
    return this.payments.filter((one) => one.status === status).length;
  }

  /** Lets everything happen until a moment, that moment among it. */
  advance(to: number): void {
    for (;;) {
      const job = living.includes(this.state) ? this.#first() : undefined;
      if (job === undefined || job.at > to) return;
      this.#jobs = this.#jobs.filter((one) => one !== job);
      this.#do(job, job.at);
    }
  }

  suspend(): boolean {
    if (this.state !== 'ACTIVE') return false;
    this.#giveUp();
    this.state = 'SUSPENDED';
    return true;
  }

  reactivate(now: number, collects: boolean): boolean {
    if (this.state !== 'SUSPENDED') return false;
    const passed = this.#jobs.filter(({ at }) => at <= now);
    const owed = [...this.#missed, ...passed.map(({ cycle }) => cycle).filter((cycle) => !this.#skipped.has(cycle))];
    this.#jobs = this.#jobs.filter(({ at }) => at > now);
    for (const { cycle } of passed) if (this.#skipped.delete(cycle) && cycle === this.#feeWith) this.#feeWith++;
    this.#missed = [];
    this.state = 'ACTIVE';
    const { times } = retriesFor(this.#terms.unit, this.#terms.every);
    while (collects && owed.length > 0 && this.state !== 'SUSPENDED')
      this.#charge({ at: now, cycle: owed.shift() ?? 0, kind: 'cycle', type: 'STANDARD', left: times }, now);
    if (collects) this.#missed.push(...owed);
    this.#complete();
    return true;
  }

  cancel(now: number): boolean {
    if (!['PENDING', 'ACTIVE', 'DELINQUENT', 'SUSPENDED'].includes(this.state)) return false;
    const coming = living.includes(this.state)
      ? this.#jobs.filter(({ kind, cycle }) => kind === 'again' || !this.#skipped.has(cycle)).map(({ at }) => at)
      : [];
    if ([this.#last, ...coming].some((at) => Math.abs(at - now) <= 10 * minute)) return false;
    this.#end('CANCELLED');
    return true;
  }

  /** Says which cycles are skipped; a cycle that can't be changed any more refuses the whole. */
  passOver(cycles: readonly number[], now: number): boolean {
    const wanted = new Set(cycles);
    const changed = [
      ...[...wanted].filter((cycle) => !this.#skipped.has(cycle)),
      ...[...this.#skipped].filter((cycle) => !wanted.has(cycle)),
    ];
    const open = (cycle: number): boolean =>
      living.includes(this.state) &&
      this.#jobs.some((job) => job.kind === 'cycle' && job.cycle === cycle && now < job.at - 2 * hour);
    if (!changed.every(open)) return false;
    this.#skipped = wanted;
    return true;
  }

  #firstDay(now: number): void {
    const [first] = this.#jobs;
    if (first === undefined) return;
    const outcome = this.#outcomes[0] ?? 'paid';
    this.#jobs = this.#jobs.slice(1);
    if (outcome === 'paid') this.#do(first, now);
    else if (outcome === 'error') {
      this.#charge({ ...first, at: now }, now);
    } else {
      this.#record({ ...first, at: now }, 'FAILED');
      this.#end('FAILED');
    }
  }

  #do(job: Job, now: number): void {
    if (this.state === 'PENDING') this.state = 'ACTIVE';
    if (job.kind === 'cycle' && this.#skipped.delete(job.cycle)) {
      this.#record({ ...job, at: now }, 'SKIPPED');
      if (job.cycle === this.#feeWith) this.#feeWith++;
    } else this.#charge({ ...job, at: now }, now);
    this.#complete();
  }

  #charge(job: Job, now: number): void {
    const outcome = this.#outcomes[Math.min(this.#asked, this.#outcomes.length - 1)] ?? 'paid';
    this.#asked++;
    this.#last = now;
    if (outcome === 'error') {
      this.#jobs.push({ ...job, kind: 'again', at: now + hour });
      return;
    }
    this.#record(job, outcome === 'paid' ? 'PAID' : 'FAILED');
    if (outcome === 'paid') {
      const failing = this.#jobs.some(({ kind, type }) => kind === 'again' && type === 'RETRY');
      if (this.state === 'DELINQUENT' && !failing) this.state = 'ACTIVE';
      return;
    }
    if (outcome === 'doNotRetry' || job.left === 0) {
      this.#giveUp(job.cycle);
      this.state = 'SUSPENDED';
      return;
    }
    this.state = 'DELINQUENT';
    const { apart } = retriesFor(this.#terms.unit, this.#terms.every);
    this.#jobs.push({ at: now + apart, cycle: job.cycle, kind: 'again', type: 'RETRY', left: job.left - 1 });
  }

  /** Stops every retry; what they were for, and one more cycle, is owed. */
  #giveUp(...cycles: readonly number[]): void {
    const again = this.#jobs.filter(({ kind }) => kind === 'again').map(({ cycle }) => cycle);
    this.#jobs = this.#jobs.filter(({ kind }) => kind === 'cycle');
    this.#missed = [...new Set([...this.#missed, ...again, ...cycles])].toSorted((one, other) => one - other);
  }

  #complete(): void {
    if (this.state === 'ACTIVE' && this.#jobs.length === 0 && this.#terms.total !== undefined) this.#end('COMPLETED');
  }

  #end(state: string): void {
    this.state = state;
    this.#jobs = [];
  }

  #record({ cycle, type, at }: Job, status: Paid['status']): void {
    const { amount, setupFee, surcharge } = this.#terms;
    const hasFee = cycle === this.#feeWith && status !== 'SKIPPED';
    const sum = amount + surcharge + (hasFee ? setupFee : 0);
    this.payments.push({ cycle, type, status, at, sum });
  }

  /** The next job: what is tried again goes before a new cycle, the lower cycle before the higher. */
  #first(): Job | undefined {
    const rank = ({ kind }: Job): number => (kind === 'again' ? 0 : 1);
    return this.#jobs.toSorted((a, b) => a.at - b.at || rank(a) - rank(b) || a.cycle - b.cycle)[0];
  }
}
