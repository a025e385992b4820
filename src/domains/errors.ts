import type { ErrorPaths } from '../core/error-format.ts';

// What error responses of all domains have in common.

/** The platform's word for a status. */
export const statusWord = (status: number): string => statusWords[status] ?? 'SERVER_ERROR';

const statusWords: { readonly [status: number]: string } = {
  400: 'INVALID_REQUEST',
  404: 'NOT_FOUND',
  413: 'INVALID_REQUEST',
  429: 'TOO_MANY_REQUESTS',
};

/** Reasons that public models of the platform's clients show for every domain, and those of HTTP. */
export const sharedReasons = [
  ...['MISSING_FIELD', 'INVALID_DATA', 'INVALID_REQUEST', 'NOT_FOUND', 'DECLINED', 'REJECTED', 'DUPLICATE'],
  ...['SYSTEM_ERROR', 'SERVER_ERROR', 'SERVER_TIMEOUT', 'SERVICE_TIMEOUT'],
  ...['TOO_MANY_REQUESTS', 'UNAUTHORIZED', 'FORBIDDEN'],
] as const;

/**
 * Where to look in an error body that does not match the schema of its operation: the gateway, the token service and a part of
 * reporting answer in formats of their own.
 */
export const otherErrorPaths: ErrorPaths = {
  reason: ['error.reason', 'reason', 'errorInformation.reason', 'errors[].type', 'code', 'error.status', 'status'],
  field: ['error.detail.source', 'details[].field', 'errors[].details[].name', 'fields[].path'],
  message: ['error.message', 'message', 'errorInformation.message', 'errors[].message', 'response.rmsg', 'detail'],
};
