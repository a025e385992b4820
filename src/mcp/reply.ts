import type { Fault } from '../engine/register.ts';

/** A fault as people and apps get it. It never holds what they sent. */
export interface HttpFault {
  readonly code: string;
  readonly message: string;
  readonly field?: string | undefined;
  readonly rule?: string | undefined;
}

/** An answer in JSON. */
export const json = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });

/** A refusal in JSON. */
export const fault = (status: number, error: HttpFault, headers: Readonly<Record<string, string>> = {}): Response =>
  json(status, { error }, headers);

/** What is wrong with a registration: the first fault says it, and `faults` has them all. */
export function wrong(faults: readonly Fault[]): Response {
  const [first] = faults;
  const all = faults.map(({ because, ...where }) => ({ ...where, message: because }));
  const error = { code: 'INVALID', message: first?.because ?? 'It is wrong.', field: first?.field, rule: first?.rule };
  return json(400, { error, ...(all.length > 1 ? { faults: all } : {}) });
}

export const notFound = (what = 'There is nothing here.'): Response => fault(404, { code: 'NOT_FOUND', message: what });
