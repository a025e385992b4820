import type { Engine } from '../engine/engine.ts';
import { Refused } from '../engine/refusal.ts';
import { type Fault, type Registered, registerReceipt, registerShopper } from '../engine/register.ts';
import { fault, json, notFound } from '../listener/reply.ts';
import type { Route } from './routes.ts';

/** What the merchant's app tells and gets: who is shopping, which payments were processed, and released credentials. */
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
    call: 'POST /credentials/:id/redeem',
    role: 'app',
    serve: async ({ id }) => {
      try {
        const secret = await engine.redeem(tenant, id);
        return secret === undefined ? notFound('There are no such credentials to redeem.') : json(200, secret);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        const { code, because, rule } = error.refusal;
        return fault(503, { code, message: because, rule });
      }
    },
  },
];

/** What is wrong with a registration: the first fault says it, and `faults` has them all. */
function wrong(faults: readonly Fault[]): Response {
  const [first] = faults;
  const all = faults.map(({ because, ...where }) => ({ ...where, message: because }));
  const error = { code: 'INVALID', message: first?.because ?? 'It is wrong.', field: first?.field, rule: first?.rule };
  return json(400, { error, ...(all.length > 1 ? { faults: all } : {}) });
}

const registered = <Given>(it: Registered<Given>): Response => (it.ok ? json(201, it.value) : wrong(it.faults));
