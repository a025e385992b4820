import type { Engine } from '../../src/engine/engine.ts';
import { merchantRoutes } from '../../src/http/merchant-routes.ts';
import { peopleRoutes } from '../../src/http/person-routes.ts';
import { code, paired, table } from './markdown.ts';

/** What each route does. */
const sentences: Readonly<Record<string, string>> = {
  'POST /shoppers': 'Registers who is shopping, or brings a known session up to date.',
  'POST /receipts': 'Registers a payment that the payment system has processed.',
  'POST /credentials/:id/redeem': 'Hands released credentials to the payment system, once.',
  'GET /approvals': 'Lists approvals; `?state=REQUESTED` for those that wait.',
  'GET /approvals/:id': 'Shows one.',
  'POST /approvals/:id': 'Decides one: `{"decision": "approve"}` or `"deny"`.',
  'POST /approve/:id': 'The same, as the approval page sends it.',
  'GET /operations': 'Lists operations; `?state=UNKNOWN` for those a person must look into.',
  'POST /operations/:id': 'Settles an unknown one: `{"happened": true, "note": "how it was found out"}`.',
};

/** The routes besides `/mcp`, and whose token opens them. */
export function routeTable(): string {
  const engine = {} as Engine; // routes use it when they serve, and none is served here
  const routes = [...merchantRoutes(engine, ''), ...peopleRoutes(engine.parts, '')];
  const does = new Map(
    paired(
      'the routes',
      routes.map(({ call }) => call),
      sentences,
    ),
  );
  return table(
    ['Call', 'Token', 'What it does'],
    routes.map(({ call, role }) => [code(call), code(`${role}.token`), does.get(call) ?? '']),
  );
}
