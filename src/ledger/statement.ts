import type { CompiledQuery, DialectAdapter, Kysely, QueryResult } from 'kysely';
import type { Tables } from './tables.ts';

// Building and compiling a query costs more than running it, and only its values change from call to call. So a query is
// built once with placeholders, and later calls put their values in the place of these.

/** A query that is compiled once for each database, and for each length of the lists that it is given. */
export type Statement<Given, Row> = (db: Kysely<Tables>, given: Given) => Promise<QueryResult<Row>>;

/** Stands for a value: the way to it from what the statement is given. */
interface Placeholder {
  readonly [way]: readonly string[];
}
const way = Symbol('way');

interface Compiled<Row> {
  readonly query: CompiledQuery<Row>;
  /** Each parameter: a value that never changes, or the way to it. */
  readonly parameters: readonly unknown[];
}

/**
 * A statement. `build` gets what the statement is given, with a placeholder for each value, so it may pass them on, but
 * never look at them: what changes the text of the query needs a statement of its own. Properties that are `undefined` are refused.
 */
export function statement<Given extends object, Row>(
  build: (db: Kysely<Tables>, given: Given) => { compile(): CompiledQuery<Row> },
): Statement<Given, Row> {
  // Statements are the same for every ledger of a dialect whose adapter they share.
  const known = new WeakMap<DialectAdapter, Map<string, Compiled<Row>>>();
  return (db, given) => {
    const { adapter } = db.getExecutor();
    const compiled = known.get(adapter) ?? new Map<string, Compiled<Row>>();
    known.set(adapter, compiled);
    const shape = shapeOf(given);
    const ready = compiled.get(shape) ?? compile(build, db, given);
    compiled.set(shape, ready);
    const { query, parameters } = ready;
    return db.executeQuery({ ...query, parameters: parameters.map((it) => valueFor(it, given)) });
  };
}

function compile<Given extends object, Row>(
  build: (db: Kysely<Tables>, given: Given) => { compile(): CompiledQuery<Row> },
  db: Kysely<Tables>,
  given: Given,
): Compiled<Row> {
  // A cast: a query takes any value as a parameter, and passes it on as it is.
  const query = build(db, placeholders(given, []) as Given).compile();
  return { query, parameters: query.parameters };
}

function placeholders(given: unknown, path: readonly string[]): unknown {
  if (given === null || typeof given !== 'object') return { [way]: path } satisfies Placeholder;
  if (Array.isArray(given)) return given.map((it, at) => placeholders(it, [...path, String(at)]));
  return Object.fromEntries(Object.entries(given).map(([name, it]) => [name, placeholders(it, [...path, name])]));
}

/** The lengths of the lists. */
function shapeOf(given: object): string {
  let shape = '';
  for (const value of Object.values(given)) if (Array.isArray(value)) shape += `${value.length} `;
  return shape;
}

function valueFor(parameter: unknown, given: object): unknown {
  if (!isPlaceholder(parameter)) return parameter;
  let value: unknown = given;
  for (const name of parameter[way]) value = (value as { readonly [name: string]: unknown })[name]; // the path of the placeholder
  if (value === undefined) throw new Error(`A statement was not given its "${parameter[way].join('.')}".`);
  return value;
}

const isPlaceholder = (parameter: unknown): parameter is Placeholder =>
  typeof parameter === 'object' && parameter !== null && way in parameter;
