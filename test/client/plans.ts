import { z } from 'zod';
import { operation } from '../../src/core/operation.ts';
import { billingError } from '../../src/domains/billing/errors.ts';
import { clock, signer } from './support.ts';

export const settings = {
  baseUrl: 'http://127.0.0.1',
  signer,
  agentPrefix: '/acp/v1',
  clock,
  version: '0.0.0',
} as const;

export const error = billingError;
/** Operations with a query, without a body, without an answer body. */
export const plans = {
  listPlans: operation({
    call: 'GET /rbs/v1/plans',
    title: '',
    about: '',
    effect: 'read',
    recovery: 'repeat',
    shape: 'PL-12',
    query: () => z.object({ name: z.string().optional(), limit: z.number().optional(), from: z.string().optional() }),
    output: () => ({ 200: z.looseObject({ totalCount: z.number() }) }),
    error,
  }),
  activatePlan: operation({
    call: 'POST /rbs/v1/plans/{id}/activate',
    title: '',
    about: '',
    effect: 'write',
    recovery: 'readBack',
    shape: 'PL-09',
    output: () => ({ 200: z.looseObject({ id: z.string() }), 304: z.undefined() }),
    error,
  }),
  deletePlan: operation({
    call: 'DELETE /rbs/v1/plans/{id}',
    title: '',
    about: '',
    effect: 'write',
    recovery: 'readBack',
    shape: 'PL-10',
    output: () => ({ 200: z.undefined() }),
    error,
  }),
};
