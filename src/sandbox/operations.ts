import { limits } from '../core/limits.ts';
import type { Operation } from '../core/operation.ts';
import type { AnyHandler } from './answer.ts';
import type { SandboxDomains } from './domain.ts';
import type { Route } from './routes.ts';
import type { Forms } from './shape.ts';

/** An operation and how the sandbox serves it. */
export interface ServedOperation {
  readonly contract: Operation;
  readonly handler: AnyHandler;
  readonly forms: Forms;
  /** The most bytes of a request body. */
  readonly bodyBytes: number;
}

export type OperationTable = ReadonlyMap<string, ServedOperation>;

/** Every operation of the domains, by name. */
export const operationsOf = (domains: SandboxDomains): OperationTable =>
  new Map(
    Object.values(domains).flatMap(({ contract, handlers, forms = {}, bodyBytes = {} }) =>
      Object.entries(contract).map(([name, operation]): [string, ServedOperation] => {
        const handler = handlers[name];
        if (handler === undefined) throw new Error(`The sandbox has no handler for ${name}.`);
        return [
          name,
          { contract: operation, handler, forms: forms[name] ?? {}, bodyBytes: bodyBytes[name] ?? limits.requestBytes },
        ];
      }),
    ),
  );

/** The routes of operations that HTTP carries: each leads to the operation's name. */
export const routesOf = (operations: OperationTable): readonly Route<string>[] =>
  [...operations].flatMap(([name, { contract: it }]) =>
    it.transport === 'http' ? [it.call, ...(it.also ?? [])].map((call) => [call, name] as const) : [],
  );
