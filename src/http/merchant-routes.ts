import type { Engine } from '../engine/engine.ts';
import { Refused } from '../engine/refusal.ts';
import { type Registered, registerReceipt, registerShopper } from '../engine/register.ts';
import type { Fault } from '../engine/registration-faults.ts';
import { showToApp } from '../engine/show-to-app.ts';
import { openPageForApp } from '../engine/waiting.ts';
import { fault, type HttpFault, json, notFound } from '../listener/reply.ts';
import type { Route } from './routes.ts';

/**
 * The routes of the merchant's app: shopper sessions, receipts, its own calls, data for its pages, and released
 * credentials.
 */
export const merchantRoutes = (engine: Engine, tenant: string): readonly Route[] => [
  {
    call: 'POST /shoppers',
    role: 'app',
    serve: async ({ body }) => registered(await registerShopper(engine.parts, tenant, body)),
  },
  {
    call: 'POST /receipts',
    role: 'app',
    serve: async ({ body }) => registered(await registerReceipt(engine.parts, tenant, body)),
  },
  {
    call: 'POST /calls/:id',
    role: 'app',
    serve: async ({ id, body }) => {
      const answer = await engine.call(id, body, { tenant, principal: 'app', role: 'app' });
      return json(answer.error?.code === 'UNKNOWN_TOOL' ? 404 : 200, answer);
    },
  },
  {
    call: 'GET /things/:id',
    role: 'app',
    serve: async ({ id }) => {
      const shown = await showToApp(engine.parts, tenant, id);
      return shown === undefined ? notFound('There is nothing for the app under this id.') : json(200, shown);
    },
  },
  {
    call: 'POST /things/:id/link',
    role: 'app',
    serve: async ({ id }) => {
      const opened = await openPageForApp(engine.parts, tenant, id);
      return opened === undefined
        ? notFound('No such thing waits for a step whose link the app hands out.')
        : json(201, opened);
    },
  },
  {
    call: 'POST /credentials/:id/redeem',
    role: 'app',
    serve: async ({ id }) => {
      try {
        const secret = await engine.redeem(tenant, id);
        return secret === undefined ? notFound('There are no credentials to redeem under this id.') : json(200, secret);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        const { because, rule } = error.refusal;
        return fault(503, { code: 'INTERNAL_HALT', message: because, rule }); // a redemption is refused for nothing else
      }
    },
  },
];

/** The response to an invalid registration: the first fault, and all of them under `faults`. */
function wrong(faults: readonly Fault[]): Response {
  const [first] = faults;
  const all = faults.map(({ because, ...where }) => ({ ...where, message: because }));
  const error: HttpFault = {
    code: 'INVALID_ARGUMENT',
    message: first?.because ?? 'The registration is invalid.',
    field: first?.field,
    rule: first?.rule,
  };
  return json(400, { error, ...(all.length > 1 ? { faults: all } : {}) });
}

const registered = <Given>(it: Registered<Given>): Response => (it.ok ? json(201, it.value) : wrong(it.faults));
