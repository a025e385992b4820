import { once } from '../../../src/core/once.ts';
import type { Operation } from '../../../src/core/operation.ts';
import { contract } from '../../../src/domains/index.ts';
import { router } from '../../../src/sandbox/routes.ts';

const routes = once(() =>
  router<Operation>(
    Object.values(contract).flatMap((it: Operation) => (it.transport === 'http' ? [[it.call, it] as const] : [])),
  ),
);

/** The operation that a request is for. */
export function operationAt(method: string, pathname: string): Operation | undefined {
  const found = routes()(method, pathname);
  return found.kind === 'route' ? found.to : undefined;
}
