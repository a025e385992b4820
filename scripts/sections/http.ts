import type { Engine } from '../../src/engine/engine.ts';
import { fileRoutes } from '../../src/http/file-routes.ts';
import { merchantRoutes } from '../../src/http/merchant-routes.ts';
import { peopleRoutes } from '../../src/http/person-routes.ts';
import { readerRoutes } from '../../src/http/reader-upgrade.ts';
import { faults } from '../../src/listener/reply.ts';
import { code, paired, table } from './markdown.ts';

/** What each route does. */
const sentences: Readonly<Record<string, string>> = {
  'POST /shoppers': 'Registers a shopper session, or updates a known one.',
  'POST /receipts': 'Registers a payment that the payment system has processed.',
  'POST /calls/:id':
    'Makes a call that only the app or a customer may make, by the name of its tool; the body has its arguments.',
  'POST /things/:id/link':
    'Makes the link of a page on which the customer takes a step that the agent must not take for them, such as the choice of a currency.',
  'GET /things/:id':
    "Shows what waits for the app, such as the message with which the passkey iframe begins, and the approval that the customer must have read; or the options of a step-up, with the link and the payload that open the issuer's app.",
  'POST /credentials/:id/redeem': 'Hands released credentials to the payment system, once.',
  'GET /files/:id': 'Sends the whole file of a result ([how](#download-a-file)).',
  'GET /reader': 'Says whether the app of a card reader is connected. It connects here, too ([how](reader.md)).',
  'GET /approvals': 'Lists approvals; `?state=REQUESTED` for the waiting ones. An unknown state is refused (400).',
  'GET /approvals/:id': 'Shows one.',
  'POST /approvals/:id': 'Decides one: `{"decision": "approve"}` or `"deny"`.',
  'POST /approve/:id': 'The same, for the approval page.',
  'GET /operations':
    'Lists operations; `?state=UNKNOWN` for those a person must look into. An unknown state is refused (400).',
  'GET /operations/:id': 'Shows one, with its approval.',
  'POST /operations/:id': 'Records the outcome of an unknown one: `{"happened": true, "note": "how you know"}`.',
};

/** The routes besides `/mcp`, and whose token opens them. */
export function routeTable(): string {
  const engine = {} as Engine; // routes use it when they serve, and none is served here
  const routes = [
    ...merchantRoutes(engine, ''),
    ...fileRoutes(engine, ''),
    ...readerRoutes({ connected: () => undefined }),
    ...peopleRoutes(engine, ''),
  ];
  const does = new Map(
    paired(
      '`sentences` in scripts/sections/http.ts',
      routes.map(({ call }) => call),
      sentences,
    ),
  );
  return table(
    ['Call', 'Token', 'What it does'],
    routes.map(({ call, role }) => [code(call), code(`${role}.token`), does.get(call) ?? '']),
  );
}

/** The codes of error responses, and what each means. */
export const faultCodeTable = (): string =>
  table(
    ['`error.code`', 'Status', 'What it means'],
    Object.entries(faults).map(([name, { statuses, when }]) => [code(name), statuses.join(', '), when]),
  );
