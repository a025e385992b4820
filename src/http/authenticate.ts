import { opens, type Role, roles, type Tokens } from '../engine/access-tokens.ts';
import { fault } from '../listener/reply.ts';

/** Refuses a request without its role's bearer token (401), also if it carries another role's. */
export function refuseUnknown(request: Request, role: Role, tokens: Tokens): Response | undefined {
  const given = bearerOf(request);
  if (given !== undefined && opens(tokens, role, given)) return undefined;
  const says = given === undefined ? '' : ', error="invalid_token"';
  return fault(
    401,
    { code: 'UNAUTHORIZED', message: `This needs the ${role}'s bearer token.`, field: 'Authorization' },
    { 'www-authenticate': `Bearer realm="purser"${says}` },
  );
}

/** The role whose bearer token a request carries; a stranger's carries none. */
export function senderOf(request: Request, tokens: Tokens): Role | 'stranger' {
  const given = bearerOf(request);
  return (given === undefined ? undefined : roles.find((role) => opens(tokens, role, given))) ?? 'stranger';
}

const bearerOf = ({ headers }: Request): string | undefined =>
  /^Bearer +([\x21-\x7e]+) *$/i.exec(headers.get('authorization') ?? '')?.[1];

/** Security headers of every response. */
export const safeHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
};
