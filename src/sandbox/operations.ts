import { limits } from '../core/limits.ts';
import type { Operation } from '../core/operation.ts';
import type { AnyHandler } from './answer.ts';
import type { ReaderCall, SandboxDomains } from './domain.ts';
import type { Route } from './routes.ts';
import type { Forms } from './shape.ts';

/** An operation and how the sandbox serves it. */
export interface ServedOperation {
  readonly contract: Operation;
  readonly handler: AnyHandler;
  readonly forms: Forms;
  /** The most bytes of a request body. */
  readonly bodyBytes: number;
  /** How it goes at a card reader; undefined of what HTTP carries. */
  readonly atReader: ReaderCall | undefined;
}

/** A call of a card reader's SDK. */
export interface SentToReader extends ReaderCall {
  readonly operation: string;
}

export type OperationTable = ReadonlyMap<string, ServedOperation>;

/** Every operation of the domains, by name. */
export const operationsOf = (domains: SandboxDomains): OperationTable =>
  new Map(
    Object.values(domains).flatMap(({ contract, handlers, forms = {}, bodyBytes = {}, atReader = {} }) =>
      Object.entries(contract).map(([name, operation]): [string, ServedOperation] => {
        const handler = handlers[name];
        if (handler === undefined) throw new Error(`The sandbox has no handler for ${name}.`);
        if (operation.transport !== 'http' && atReader[name] === undefined)
          throw new Error(
            `The sandbox does not know how ${name} goes at a card reader: it has no row in \`atReader\`.`,
          );
        const served = { contract: operation, handler, forms: forms[name] ?? {}, atReader: atReader[name] };
        return [name, { ...served, bodyBytes: bodyBytes[name] ?? limits.requestBytes }];
      }),
    ),
  );

/** The routes of operations that HTTP carries: each leads to the operation's name. */
export const routesOf = (operations: OperationTable): readonly Route<string>[] =>
  [...operations].flatMap(([name, { contract: it }]) =>
    it.transport === 'http' ? [it.call, ...(it.also ?? [])].map((call) => [call, name] as const) : [],
  );

/** How the calls of a card reader's SDK go, and the operation of each. */
export const readerCallsOf = (operations: OperationTable): ReadonlyMap<string, SentToReader> =>
  new Map(
    [...operations].flatMap(([operation, { contract, atReader }]) =>
      atReader === undefined ? [] : [[contract.template, { ...atReader, operation }] as const],
    ),
  );
