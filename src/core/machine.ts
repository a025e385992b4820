import type { RuleId } from './rules.ts';

/**
 * State machines as tables with the columns of the platform's documents: state, trigger, condition, next state, effect.
 * A condition is a sentence with a predicate, which the compiler requires. Rows that no document shows are listed
 * separately as `assumed`. Guards, sandbox, next actions and documentation are derived from these rows.
 */

/** A row: state, trigger, condition (empty: always), next state, effect in words. */
export type Row = readonly [state: string, trigger: string, condition: string, next: string, then?: string];

type Rows = readonly Row[];
type Condition<R extends Rows> = Exclude<R[number][2], ''>;

/** What a machine inspects: anything with a state. */
export interface Entity {
  readonly state: string;
}

/**
 * Who causes a trigger; the agent, unless listed. `clock`: the time alone causes it. `platform`: only the platform can
 * know.
 */
export type Actor = 'customer' | 'clock' | 'person' | 'engine' | 'platform';

/** Predicates over a machine's own kind of entity. */
type Predicates = { readonly [sentence: string]: (it: never) => boolean };
/** The entity type that a table's predicates take. */
type Seen<P extends Predicates> = [keyof P] extends [never] ? Entity : Extract<Parameters<P[keyof P]>[0], Entity>;
/** Rejects a predicate that no row uses. */
type NoStranger<P extends Predicates, C extends string> = { readonly [K in Exclude<keyof P, C>]: never };

export interface Table<D extends Rows, A extends Rows, P extends Predicates> {
  /** The source of the documented rows; `own` for Purser's own machines. */
  readonly source: 'document 1' | 'document 2' | 'document 3' | 'own';
  readonly rows: D;
  readonly assumed: A;
  readonly conditions: P & { readonly [C in Condition<D> | Condition<A>]: (it: never) => boolean } & NoStranger<
      P,
      Condition<D> | Condition<A>
    >;
  /** The conditions that only the response to the call decides: before it, nobody knows which of their rows applies. */
  readonly answered?: readonly (Condition<D> | Condition<A>)[];
  /** The rule that a trigger outside its rows breaks. */
  readonly breach: { readonly [T in D[number][1] | A[number][1]]?: RuleId };
  /** Final states, each with the rule that says so. */
  readonly final?: { readonly [S in D[number][3] | A[number][3]]?: RuleId };
  readonly actors?: { readonly [T in D[number][1] | A[number][1]]?: Actor };
  /**
   * The agent's triggers, the most usual next one first. `givesUp`: triggers that abandon the thing; they come last.
   */
  readonly order?: {
    readonly usual: readonly (D[number][1] | A[number][1])[];
    readonly givesUp: readonly (D[number][1] | A[number][1])[];
  };
}

/** Why a move is refused: a sentence, the rule, and the triggers that help. */
export interface Refusal {
  readonly ok: false;
  readonly because: string;
  readonly rule: RuleId | undefined;
  /** The conditions of which one must hold; empty if the state itself forbids the trigger. */
  readonly unmet: readonly string[];
  /** Triggers that may make the refused one possible. */
  readonly before: readonly string[];
}

export interface Move {
  readonly ok: true;
  readonly to: string;
  /** The effect, in words. */
  readonly follows: string;
}

export interface Machine<E extends Entity = Entity, T extends string = string> {
  readonly name: string;
  readonly source: string;
  readonly rows: Rows;
  readonly assumed: Rows;
  readonly states: readonly string[];
  /** The states of a thing that exists: all but `none`. */
  readonly existing: readonly string[];
  readonly triggers: readonly T[];
  readonly actors: { readonly [trigger: string]: Actor | undefined };
  readonly breach: { readonly [trigger: string]: RuleId | undefined };
  readonly final: { readonly [state: string]: RuleId | undefined };
  /** Whether a state is final. */
  isOver(state: string): boolean;
  /** The states with a row for a trigger, whatever its condition says; in the rows' order. */
  startsOf(trigger: T): readonly string[];
  /** The states that the rows of a trigger lead to, from wherever; in the rows' order. */
  endsOf(trigger: T): readonly string[];
  /** The states that a thing may be in where only the platform and the clock have moved it: the one that it was in comes first. */
  reachesOnItsOwn(state: string): readonly string[];
  /** The agent's triggers, the most usual next one first; those that abandon the thing come last. */
  readonly order: readonly string[];
  /** The triggers that abandon the thing. */
  readonly givesUp: readonly string[];
  /** The next state of `it` after `trigger`, or why it is refused. */
  move(it: E, trigger: T): Move | Refusal;
  /** A trigger's rows whose condition holds, in order. The first one applies. */
  holding(it: E, trigger: T): readonly Row[];
  /** The states that a trigger may lead to, as far as is known before the response decides; in the rows' order. */
  outcomes(it: E, trigger: T): readonly string[];
  /** The triggers that are possible now. */
  legal(it: E): readonly T[];
  /** The legal triggers to suggest next; none in a final state, where only names can change. */
  onward(it: E): readonly T[];
  /** The triggers that lead towards a state with a row for `trigger`; none if the current state has one. */
  before(it: E, trigger: T): readonly T[];
  /** Applies the clock's triggers whose condition holds. Returns the resulting state. */
  settle(it: E): string;
  /** Names a trigger of this machine, for a contract entry. */
  on(trigger: T): On;
}

/** A trigger of a machine, as named in a contract entry. */
export interface On {
  readonly machine: Machine;
  readonly trigger: string;
}

/** Builds a machine from its table. For a state and trigger, the first row whose condition holds applies. */
export function machine<const D extends Rows, const A extends Rows, P extends Predicates>(
  name: string,
  table: Table<D, A, P>,
): Machine<Seen<P>, D[number][1] | A[number][1]> {
  // A cast: every predicate takes the entity type that `Seen` computes.
  return build<Seen<P>, D[number][1] | A[number][1]>(name, table as unknown as PlainTable<Seen<P>>);
}

/** A table after the compiler's checks. */
interface PlainTable<E> {
  readonly source: string;
  readonly rows: Rows;
  readonly assumed: Rows;
  readonly conditions: { readonly [sentence: string]: ((it: E) => boolean) | undefined };
  readonly answered?: readonly string[];
  readonly breach: { readonly [trigger: string]: RuleId | undefined };
  readonly final?: { readonly [state: string]: RuleId | undefined };
  readonly actors?: { readonly [trigger: string]: Actor | undefined };
  readonly order?: { readonly usual: readonly string[]; readonly givesUp: readonly string[] };
}

function build<E extends Entity, T extends string>(name: string, table: PlainTable<E>): Machine<E, T> {
  const { conditions, answered = [], breach, final = {}, actors = {}, order = { usual: [], givesUp: [] } } = table;
  const all: Rows = [...table.rows, ...table.assumed];
  const triggers = unique(all.map((row) => row[1])) as T[];
  const states = unique(all.flatMap((row) => [row[0], row[3]]));
  const rowsFor = (state: string, trigger: string) => all.filter((row) => row[0] === state && row[1] === trigger);
  const holds = (row: Row, it: E) => row[2] === '' || conditions[row[2]]?.(it) === true;

  const holding = (it: E, trigger: T) => rowsFor(it.state, trigger).filter((row) => holds(row, it));
  const outcomes = (it: E, trigger: T): readonly string[] => {
    const open = rowsFor(it.state, trigger).filter((row) => answered.includes(row[2]) || holds(row, it));
    const sure = open.findIndex((row) => !answered.includes(row[2]));
    return unique((sure === -1 ? open : open.slice(0, sure + 1)).map((row) => row[3]));
  };
  const move = (it: E, trigger: T): Move | Refusal => {
    const [row] = holding(it, trigger);
    if (row) return { ok: true, to: row[3], follows: row[4] ?? '' };
    const unmet = rowsFor(it.state, trigger).map((candidate) => candidate[2]);
    return {
      ok: false,
      rule: final[it.state] ?? breach[trigger],
      unmet,
      because: unmet.length > 0 ? wanting(name, it.state, trigger, unmet) : outside(name, it.state, trigger, final),
      before: before(it, trigger),
    };
  };
  const legal = (it: E) => triggers.filter((trigger) => move(it, trigger).ok);
  const startsOf = (trigger: T) => unique(all.filter((row) => row[1] === trigger).map((row) => row[0]));
  const before = (it: E, trigger: T): readonly T[] => {
    const starts = new Set(startsOf(trigger));
    if (starts.has(it.state)) return [];
    const reaches = reachable(all, starts);
    const onwards = all.filter(
      (row) =>
        row[0] === it.state &&
        row[3] !== it.state && // a row that stays in its state leads nowhere
        reaches.has(row[3]) &&
        actors[row[1]] !== 'clock' &&
        actors[row[1]] !== 'platform',
    );
    return unique(onwards.map((row) => row[1])) as T[];
  };
  const settle = (it: E): string => {
    const due = triggers.find((trigger) => actors[trigger] === 'clock' && move(it, trigger).ok);
    const moved = due === undefined ? undefined : move(it, due);
    return moved?.ok ? moved.to : it.state;
  };

  const built: Machine<E, T> = {
    name,
    source: table.source,
    rows: table.rows,
    assumed: table.assumed,
    states,
    existing: states.filter((state) => state !== 'none'),
    triggers,
    actors,
    breach,
    final,
    isOver: (state) => final[state] !== undefined || !all.some(([from]) => from === state),
    startsOf,
    endsOf: (trigger) => unique(all.filter((row) => row[1] === trigger).map((row) => row[3])),
    reachesOnItsOwn: (state) => [
      ...reachable(all.filter((row) => byItself.has(actors[row[1]])).map(reversed), new Set([state])),
    ],
    order: [...order.usual, ...order.givesUp],
    givesUp: order.givesUp,
    move,
    holding,
    outcomes,
    legal,
    onward: (it) => (final[it.state] === undefined ? legal(it) : []),
    before,
    settle,
    // A cast: the contract pairs each machine with its own kind of entity.
    on: (trigger) => ({ machine: built as unknown as Machine, trigger }),
  };
  return built;
}

/** A Mermaid state diagram; assumed rows are marked with an asterisk. */
export function mermaid(it: Pick<Machine, 'rows' | 'assumed'>): string {
  const line = (row: Row, mark: string) =>
    `  ${node(row[0])} --> ${node(row[3])}: ${row[1]}${mark}${row[2] === '' ? '' : ` (${row[2]})`}`;
  return ['stateDiagram-v2', ...it.rows.map((row) => line(row, '')), ...it.assumed.map((row) => line(row, ' *'))].join(
    '\n',
  );
}

const node = (state: string) => (state === 'none' ? '[*]' : state);

const unique = (words: readonly string[]): string[] => [...new Set(words)];

const wanting = (name: string, state: string, trigger: string, unmet: readonly string[]) =>
  `The ${name} is ${state}; "${trigger}" needs: ${unmet.join(', or: ')}.`;

const outside = (name: string, state: string, trigger: string, final: Machine['final']) =>
  state === 'none'
    ? `There is no ${name} yet, so "${trigger}" is not possible.`
    : final[state] === undefined
      ? `The ${name} is ${state}; "${trigger}" is not possible in that state.`
      : `The ${name} is ${state}, which is final.`;

/** Who causes what nobody asked for. */
const byItself: ReadonlySet<Actor | undefined> = new Set<Actor>(['platform', 'clock']);
const reversed = ([state, trigger, condition, next]: Row): Row => [next, trigger, condition, state];

/** Every state from which one of `goals` can be reached, including the goals. */
function reachable(rows: Rows, goals: ReadonlySet<string>): ReadonlySet<string> {
  const found = new Set(goals);
  for (let grew = true; grew; ) {
    const before = found.size;
    for (const row of rows) if (found.has(row[3])) found.add(row[0]);
    grew = found.size > before;
  }
  return found;
}
