/** An own member of a value, such as parsed JSON; undefined if it has none of this name. What every object inherits is no member. */
export const memberOf = (value: unknown, name: PropertyKey): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;

/** The value at a path of property names and indexes, or undefined. */
export const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((at, name) => memberOf(at, name), value);
