import type { tokens, World } from './support.ts';

/** Every way in over HTTP that needs a token, and whose. */
export const doors: readonly (readonly [method: string, path: string, role: keyof typeof tokens])[] = [
  ['POST', '/mcp', 'agent'],
  ['GET', '/mcp', 'agent'],
  ['DELETE', '/mcp', 'agent'],
  ['POST', '/mcp/readonly', 'agent'],
  ['POST', '/mcp/x/purchase', 'agent'],
  ['POST', '/mcp/x/nothing', 'agent'],
  ['POST', '/shoppers', 'app'],
  ['POST', '/receipts', 'app'],
  ['POST', '/credentials/credentials_x/redeem', 'app'],
  ['GET', '/approvals', 'person'],
  ['POST', '/approvals/apr_x', 'person'],
  ['GET', '/operations', 'person'],
  ['POST', '/operations/op_x', 'person'],
];

/** A request as it stands, to a face that is called by its usual name. */
export const ask = (face: World['face'], path: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
  face.fetch(new Request(`http://localhost:8377${path}`, { ...init, headers: { ...headers, ...init.headers } }));
