import { z } from 'zod';
import { limits } from '../core/limits.ts';
import { showStep, takeStep } from '../engine/customer-steps.ts';
import type { Engine } from '../engine/engine.ts';
import { fault, json, notFound } from '../listener/reply.ts';

const link = z.string().max(limits.textCharacters);
const look = z.strictObject({ link });
const take = z.strictObject({ link, values: z.record(z.string().max(limits.textCharacters), z.unknown()) });

/**
 * A call of a customer's page. It needs no token: the customer's link authorizes it, and comes in the body, which is
 * not logged.
 */
export interface OpenRoute {
  readonly call: string;
  readonly serve: (body: unknown) => Promise<Response>;
}

export const customerRoutes = (engine: Engine, tenant: string): readonly OpenRoute[] => [
  {
    call: 'POST /act',
    serve: async (body) => {
      const read = look.safeParse(body);
      return read.success ? answered(await showStep(engine, tenant, read.data.link)) : wrong();
    },
  },
  {
    call: 'POST /act/take',
    serve: async (body) => {
      const read = take.safeParse(body);
      return read.success ? answered(await takeStep(engine, tenant, read.data.link, read.data.values)) : wrong();
    },
  },
];

const answered = (step: unknown): Response =>
  step === undefined ? notFound('This link was used or has expired.') : json(200, step);

const wrong = (): Response =>
  fault(400, {
    code: 'INVALID_ARGUMENT',
    message: 'The body must have the link and the entered values.',
    rule: 'EN-01',
  });
