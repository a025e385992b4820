import type { EngineParts } from '../engine/engine.ts';
import { redeemCredentials } from '../engine/redeem.ts';
import { type Registered, registerReceipt, registerShopper } from '../engine/register.ts';
import { json, notFound, wrong } from './reply.ts';
import type { Route } from './routes.ts';

/** What the merchant's app tells and gets: who is shopping, which payments were processed, and released credentials. */
export const merchantRoutes = (parts: EngineParts, tenant: string): readonly Route[] => [
  {
    call: 'POST /shoppers',
    role: 'app',
    serve: async ({ body }) => registered(await registerShopper(parts, tenant, body)),
  },
  {
    call: 'POST /receipts',
    role: 'app',
    serve: async ({ body }) => registered(await registerReceipt(parts, tenant, body)),
  },
  {
    call: 'POST /credentials/:id/redeem',
    role: 'app',
    serve: async ({ id }) => {
      const secret = await redeemCredentials(parts, tenant, id);
      return secret === undefined ? notFound('There are no such credentials to redeem.') : json(200, secret);
    },
  },
];

const registered = <Given>(it: Registered<Given>): Response => (it.ok ? json(201, it.value) : wrong(it.faults));
