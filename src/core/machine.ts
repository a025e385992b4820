/**
 * State machines as tables, in the columns of the platform's documents: state, trigger, condition, next state, then.
 * A condition is a sentence, and the compiler demands a predicate for each. Rows that no document shows stand apart
 * as `assumed`. Guards, sandbox, answers (`next`) and documentation are all computed from these rows.
 */

/** One row: state · trigger · condition (empty: always) · next state · what follows, in words. */
export type Row = readonly [state: string, trigger: string, condition: string, next: string, then?: string];

type Rows = readonly Row[];
type Condition<R extends Rows> = Exclude<R[number][2], ''>;

/** What a machine looks at: anything that has a state. */
export interface Entity {
  readonly state: string;
}

/**
 * Who pulls a trigger. Everything that is not listed is the agent's. `clock`: anybody can tell from the time alone that it
 * happened; `platform`: only the platform knows.
 */
export type Actor = 'customer' | 'clock' | 'person' | 'engine' | 'platform';

/** Predicates, each of which looks at the machine's own kind of entity. */
type Predicates = { readonly [sentence: string]: (it: never) => boolean };
/** What the predicates of a table look at. */
type Seen<P extends Predicates> = Extract<Parameters<P[keyof P]>[0], Entity>;
/** Refuses a predicate that no row names. */
type NoStranger<P extends Predicates, C extends string> = { readonly [K in Exclude<keyof P, C>]: never };

export interface Table<D extends Rows, A extends Rows, P extends Predicates> {
  /** Where the documented rows come from; `own` for the machines of Purser itself. */
  readonly source: 'document 1' | 'document 2' | 'document 3' | 'own';
  readonly rows: D;
  readonly assumed: A;
  readonly conditions: P & { readonly [C in Condition<D> | Condition<A>]: (it: never) => boolean } & NoStranger<
      P,
      Condition<D> | Condition<A>
    >;
  /** The rule that refuses a trigger outside its rows. */
  readonly breach: { readonly [T in D[number][1] | A[number][1]]?: string };
  /** States that nothing leaves, with the rule that says so. */
  readonly final?: { readonly [S in D[number][3] | A[number][3]]?: string };
  readonly actors?: { readonly [T in D[number][1] | A[number][1]]?: Actor };
  /** The agent's triggers, the one that usually follows first. `givesUp`: those that end the thing without its purpose; they come last. */
  readonly order?: {
    readonly usual: readonly (D[number][1] | A[number][1])[];
    readonly givesUp: readonly (D[number][1] | A[number][1])[];
  };
}

/** Why a move is refused: a sentence, the rule, and the triggers that lead out. */
export interface Refusal {
  readonly ok: false;
  readonly because: string;
  readonly rule: string | undefined;
  /** The conditions of which one would have to hold; empty where the state itself forbids the trigger. */
  readonly unmet: readonly string[];
  /** Triggers after which the refused one may become possible. */
  readonly before: readonly string[];
}

export interface Move {
  readonly ok: true;
  readonly to: string;
  /** What follows, in words. */
  readonly follows: string;
}

export interface Machine<E extends Entity = Entity, T extends string = string> {
  readonly name: string;
  readonly source: string;
  readonly rows: Rows;
  readonly assumed: Rows;
  readonly states: readonly string[];
  readonly triggers: readonly T[];
  readonly actors: { readonly [trigger: string]: Actor | undefined };
  readonly breach: { readonly [trigger: string]: string | undefined };
  readonly final: { readonly [state: string]: string | undefined };
  /** Whether nothing leaves a state. */
  isOver(state: string): boolean;
  /** The agent's triggers in the order in which they usually follow; those that give the thing up come last. */
  readonly order: readonly string[];
  /** The triggers that end the thing without its purpose. */
  readonly givesUp: readonly string[];
  /** Where `trigger` takes `it`, or why it does not. */
  move(it: E, trigger: T): Move | Refusal;
  /** The rows of a trigger whose condition holds now, in their order: the first is the one that is taken. */
  holding(it: E, trigger: T): readonly Row[];
  /** The triggers that are possible now. */
  legal(it: E): readonly T[];
  /** The legal triggers to suggest next: none in a final state, where only names can still change. */
  onward(it: E): readonly T[];
  /** The triggers that lead from the entity's state towards one in which `trigger` stands in a row; none if it stands in one. */
  before(it: E, trigger: T): readonly T[];
  /** Lets the clock's triggers happen whose condition holds; answers the state after them. */
  settle(it: E): string;
  /** Names a trigger of this machine, for a contract entry. */
  on(trigger: T): On;
}

/** A trigger of a machine, as a contract entry names it. */
export interface On {
  readonly machine: Machine;
  readonly trigger: string;
}

/** Builds a machine from its table. The first row of a state and trigger whose condition holds is taken. */
export function machine<const D extends Rows, const A extends Rows, P extends Predicates>(
  name: string,
  table: Table<D, A, P>,
): Machine<Seen<P>, D[number][1] | A[number][1]> {
  // Every predicate takes the one kind of entity that `Seen` computes from them.
  return build<Seen<P>, D[number][1] | A[number][1]>(name, table as unknown as PlainTable<Seen<P>>);
}

/** A table once the compiler has checked it. */
interface PlainTable<E> {
  readonly source: string;
  readonly rows: Rows;
  readonly assumed: Rows;
  readonly conditions: { readonly [sentence: string]: ((it: E) => boolean) | undefined };
  readonly breach: { readonly [trigger: string]: string | undefined };
  readonly final?: { readonly [state: string]: string | undefined };
  readonly actors?: { readonly [trigger: string]: Actor | undefined };
  readonly order?: { readonly usual: readonly string[]; readonly givesUp: readonly string[] };
}

function build<E extends Entity, T extends string>(name: string, table: PlainTable<E>): Machine<E, T> {
  const { conditions, breach, final = {}, actors = {}, order = { usual: [], givesUp: [] } } = table;
  const all: Rows = [...table.rows, ...table.assumed];
  const triggers = unique(all.map((row) => row[1])) as T[];
  const rowsFor = (state: string, trigger: string) => all.filter((row) => row[0] === state && row[1] === trigger);
  const holds = (row: Row, it: E) => row[2] === '' || conditions[row[2]]?.(it) === true;

  const holding = (it: E, trigger: T) => rowsFor(it.state, trigger).filter((row) => holds(row, it));
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
  const before = (it: E, trigger: T): readonly T[] => {
    const starts = new Set(all.filter((row) => row[1] === trigger).map((row) => row[0]));
    if (starts.has(it.state)) return [];
    const reaches = reachable(all, starts);
    const onwards = all.filter(
      (row) =>
        row[0] === it.state &&
        row[3] !== it.state && // what stays where it is leads nowhere
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
    states: unique(all.flatMap((row) => [row[0], row[3]])),
    triggers,
    actors,
    breach,
    final,
    isOver: (state) => final[state] !== undefined || !all.some(([from]) => from === state),
    order: [...order.usual, ...order.givesUp],
    givesUp: order.givesUp,
    move,
    holding,
    legal,
    onward: (it) => (final[it.state] === undefined ? legal(it) : []),
    before,
    settle,
    // A machine is only ever handed entities of its own kind: the contract pairs them.
    on: (trigger) => ({ machine: built as unknown as Machine, trigger }),
  };
  return built;
}

/** A Mermaid state diagram of the machine; assumed rows are marked with an asterisk. */
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

/** Every state from which one of `goals` can be reached, the goals included. */
function reachable(rows: Rows, goals: ReadonlySet<string>): ReadonlySet<string> {
  const found = new Set(goals);
  for (let grew = true; grew; ) {
    const before = found.size;
    for (const row of rows) if (found.has(row[3])) found.add(row[0]);
    grew = found.size > before;
  }
  return found;
}
