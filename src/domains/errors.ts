import { z } from 'zod';
import type { ErrorPaths } from '../core/error-format.ts';
import { platform, text } from '../core/fields.ts';

// What the error responses of all domains share.

/** The platform's word for an HTTP status. */
export const statusWord = (status: number): string => statusWords[status] ?? 'SERVER_ERROR';

const statusWords: { readonly [status: number]: string } = {
  400: 'INVALID_REQUEST',
  404: 'NOT_FOUND',
  413: 'INVALID_REQUEST',
  429: 'TOO_MANY_REQUESTS',
};

/** The error body of recurring billing and invoicing, with the paths of its parts. */
export const detailedError = {
  schema: z.looseObject({
    submitTimeUtc: platform(text).optional(),
    status: platform(text),
    reason: platform(text),
    message: platform(z.string()).optional(),
    details: z.array(z.looseObject({ field: platform(text).optional(), reason: platform(text).optional() })).optional(),
  }),
  paths: { reason: ['reason'], field: ['details[].field'], message: ['message'] },
} as const;

/** Reasons in public models of the platform's clients for every domain, and those of HTTP. */
export const sharedReasons = [
  ...['MISSING_FIELD', 'INVALID_DATA', 'INVALID_REQUEST', 'NOT_FOUND', 'DECLINED', 'REJECTED', 'DUPLICATE'],
  ...['SYSTEM_ERROR', 'SERVER_ERROR', 'SERVER_TIMEOUT', 'SERVICE_TIMEOUT'],
  ...['TOO_MANY_REQUESTS', 'UNAUTHORIZED', 'FORBIDDEN'],
] as const;

/**
 * Where to look in an error body that doesn't match its operation's schema: the gateway, the token service and a part
 * of reporting have formats of their own.
 */
export const otherErrorPaths: ErrorPaths = {
  reason: ['error.reason', 'reason', 'errorInformation.reason', 'errors[].type', 'code', 'error.status', 'status'],
  field: ['error.detail.source', 'details[].field', 'errors[].details[].name', 'fields[].path'],
  message: ['error.message', 'message', 'errorInformation.message', 'errors[].message', 'response.rmsg', 'detail'],
};
