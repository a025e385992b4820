import { STATUS_CODES } from 'node:http';
import { domains, type OperationName } from '../domains/index.ts';
import type { PlatformError } from './answer.ts';
import { isoTime } from './clock.ts';
import type { Wire } from './faults.ts';
import type { Found } from './routes.ts';

type Domain = keyof typeof domains;

/** The error body of each domain, as its documents or public models show it. */
const bodies: { readonly [D in Domain]: (error: PlatformError, at: number) => unknown } = {
  purchase: ({ status, reason, message, source }) => ({
    error: {
      status: words[status] ?? 'SERVER_ERROR',
      reason,
      message,
      ...(source === undefined ? {} : { detail: { reason, source, sourceType: 'FIELD', message } }),
    },
  }),
  billing: ({ status, reason, message, details }, at) => ({
    submitTimeUtc: isoTime(at),
    status: words[status] ?? 'SERVER_ERROR',
    reason: billingReasons[reason] ?? reason,
    message,
    ...(details.length === 0 ? {} : { details }),
  }),
  invoicing: (error, at) => {
    const { status, reason, message, details } = error;
    const [word, told] = invoicingWords[isLogo(error) ? 'INVALID_IMAGE' : reason] ?? [
      words[status] ?? 'SERVER_ERROR',
      reason,
    ];
    return {
      ...{ submitTimeUtc: isoTime(at), status: word, reason: told, message },
      ...(details.length === 0
        ? {}
        : { details: details.map(({ field, reason: why }) => ({ field, reason: detailOf(why) })) }),
    };
  },
};

/** Details of invoicing know two reasons. */
const detailOf = (reason: string): string => (reason === 'MISSING_FIELD' ? reason : 'INVALID_DATA');

/** Words of invoicing for what every domain knows. */
const invoicingWords: { readonly [reason: string]: readonly [status: string, reason: string] | undefined } = {
  NOT_FOUND: ['NOTFOUND', 'NOTFOUND'],
  MISSING_FIELD: ['BADREQUEST', 'VALIDATION_ERRORS'],
  INVALID_DATA: ['BADREQUEST', 'VALIDATION_ERRORS'],
  INVALID_IMAGE: ['BADREQUEST', 'INVALID_IMAGE'],
  INVALID_STATE: ['BADREQUEST', 'ACTION_NOT_ALLOWED'],
  DUPLICATE_RECORD: ['BADREQUEST', 'DUPLICATE_RECORD'],
};

/** The one field whose fault has a reason of its own. */
const isLogo = ({ source }: PlatformError): boolean => source === 'invoiceSettingsInformation.merchantLogo';

/** Reasons of recurring billing for what every domain knows. */
const billingReasons: { readonly [reason: string]: string } = {
  MISSING_FIELD: 'INVALID_DATA',
  INVALID_STATE: 'VALIDATION_ERROR',
};

const words: { readonly [status: number]: string } = {
  400: 'INVALID_REQUEST',
  404: 'NOT_FOUND',
  413: 'INVALID_REQUEST',
  429: 'TOO_MANY_REQUESTS',
};

/** The platform's no to an operation, at a moment of its clock. */
export const refusal = (name: OperationName, error: PlatformError, at: number): Wire =>
  wire(
    error.status,
    bodies[domainOf(name)](error, at),
    error.retryAfterSeconds === undefined ? {} : { 'retry-after': String(error.retryAfterSeconds) },
  );

/** The answer to a path that does not exist, or not with this method. */
export function astray(found: Exclude<Found<unknown>, { kind: 'route' }>, method: string): Wire {
  if (found.kind === 'nothing') return plainRefusal(404);
  const allow = { allow: found.allow.join(', ') };
  return method === 'OPTIONS' ? { status: 204, headers: allow, text: '' } : plainRefusal(405, allow);
}

/** A no that belongs to no operation, in the shape that connectors of the platform parse. */
export const plainRefusal = (status: number, headers: Wire['headers'] = {}, message = STATUS_CODES[status]): Wire =>
  wire(status, { response: { rmsg: message } }, headers);

export const wire = (status: number, body: unknown, headers: Wire['headers'] = {}): Wire => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  text: JSON.stringify(body),
});

// The keys of the domains are their names, and every operation stands in one of them.
const domainOf = (name: OperationName): Domain =>
  (Object.keys(domains) as Domain[]).find((domain) => Object.hasOwn(domains[domain].contract, name)) as Domain;
