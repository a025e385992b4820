/**
 * Reasons that the platform gives for a refusal: those of its documents, of public models of its clients, and of HTTP. Any
 * other text in their place may be a sentence that somebody has put there.
 */
const reasons = [
  ...['INVALID_DATA', 'VALIDATION_ERROR', 'VALIDATION_ERRORS', 'MISSING_FIELD', 'DUPLICATE', 'DUPLICATE_RECORD'],
  ...['NOT_FOUND', 'NOTFOUND', 'INVALID_REQUEST', 'BADREQUEST', 'INVALID_STATE', 'ACTION_NOT_ALLOWED'],
  ...['INVALID_IMAGE', 'DECLINED', 'REJECTED', 'SYSTEM_ERROR', 'SERVER_ERROR', 'SERVER_TIMEOUT', 'SERVICE_TIMEOUT'],
  ...['TOO_MANY_REQUESTS', 'UNAUTHORIZED', 'FORBIDDEN'],
];

/** Whether a reason is one of the platform's own words. */
export const isReason = (text: string): boolean => reasons.includes(text) || /^HTTP \d{3}$/.test(text);
