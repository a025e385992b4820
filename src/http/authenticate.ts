import { opens, type Role, type Tokens } from '../engine/access-tokens.ts';
import { fault } from '../listener/reply.ts';

/** Refuses a request without its role's bearer token (401), also if it carries another role's. */
export function refuseUnknown(request: Request, role: Role, tokens: Tokens): Response | undefined {
  const [, given] = /^Bearer +([\x21-\x7e]+) *$/i.exec(request.headers.get('authorization') ?? '') ?? [];
  if (given !== undefined && opens(tokens, role, given)) return undefined;
  const says = given === undefined ? '' : ', error="invalid_token"';
  return fault(
    401,
    { code: 'UNAUTHORIZED', message: `This needs the ${role}'s bearer token.`, field: 'Authorization' },
    { 'www-authenticate': `Bearer realm="purser"${says}` },
  );
}

/** Security headers of every response. */
export const safeHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
};
