import { leaves, schemaAt } from '../core/fields.ts';
import type { Operation } from '../core/operation.ts';

/** The request paths that an argument fills. */
export type Fills = readonly { readonly path: string; readonly value: (given: unknown) => unknown }[];

/** Whether an argument fills a secret of the request. */
export const fillsSecret = ({ body }: Operation, fills: Fills): boolean =>
  fills.some(({ path }) =>
    leavesAt(body, path).some(({ field, path: below }) => field.secret === true && below === ''),
  );

/** Requires that a secret argument fills exactly one secret and nothing else. */
export function demandWholeSecrets(
  name: string,
  definition: Operation,
  args: Readonly<Record<string, { readonly fills: Fills }>>,
): void {
  for (const [argument, { fills }] of Object.entries(args)) {
    const holdsSecret = fills.some(({ path }) => leavesAt(definition.body, path).some(({ field }) => field.secret));
    if (holdsSecret && (fills.length > 1 || !fillsSecret(definition, fills)))
      throw new Error(`The argument "${argument}" of ${name} fills a secret and another field`);
  }
}

const leavesAt = (body: Operation['body'], path: string) => {
  const schema = body && !path.startsWith('?') ? schemaAt(body, path) : undefined;
  return schema === undefined ? [] : leaves(schema);
};
