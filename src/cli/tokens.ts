import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Secret } from '../core/secret.ts';
import { type Role, roles, type Tokens } from '../engine/access-tokens.ts';
import { isThere, UnsafeFile } from '../files/check.ts';
import { requireFolder } from '../files/database.ts';
import { readText } from '../files/read.ts';
import { writeNew } from '../files/write.ts';
import { BadConfiguration, checkedFile } from './bad-configuration.ts';
import type { Configuration } from './configuration.ts';
import { usualTenant } from './file-tenants.ts';

/** The tokens of a process, and the file of each. */
export interface TokenFiles {
  readonly tokens: Tokens;
  readonly files: { readonly [R in Role]: string };
  /** The agent's token in clear, for its host's configuration. */
  readonly agent: string;
}

type Served = Pick<Configuration, 'data' | 'tenant' | 'tenants'>;

/** The file of a role's token. Tenants may share a data folder, and a token of one must not open what is another's. */
export const tokenFile = ({ data, tenant, tenants }: Served, role: Role): string =>
  join(data, tenants === undefined && tenant === usualTenant ? `${role}.token` : `${role}-${tenant}.token`);

/** The bearer tokens of the HTTP server. Each is created once, in a file that only its owner can read. */
export function openTokens(served: Served): TokenFiles {
  const { data } = served;
  if (data === ':memory:')
    throw new BadConfiguration('"purser serve" keeps its tokens in files: name a data folder with --data DIR.');
  checkedFile(() => requireFolder('token files', data));
  const texts = roles.map((role) => [role, readOrMake(tokenFile(served, role))] as const);
  const each = <T>(make: (role: Role, text: string) => T) =>
    // A cast, because `texts` has an entry for each role.
    Object.fromEntries(texts.map(([role, text]) => [role, make(role, text)])) as { readonly [R in Role]: T };
  const plain = each((_, text) => text);
  if (new Set(Object.values(plain)).size < roles.length)
    throw new BadConfiguration(`Two token files in ${data} hold the same token: delete one, and a new one is created.`);
  return {
    tokens: each((_, text) => new Secret(text)),
    files: each((role) => tokenFile(served, role)),
    agent: plain.agent,
  };
}

/** Bytes of a token: 256 bits can't be guessed. Own choice. */
const tokenBytes = 32;
const tokenShape = /^[\w-]{22,255}$/;

function readOrMake(file: string): string {
  if (!isThere(file)) makeToken(file);
  const text = checkedFile(() => readText('token', file)).trim();
  if (!tokenShape.test(text))
    throw new BadConfiguration(`${file} holds no valid token: delete it, and a new one is created.`);
  return text;
}

/** Creates a token atomically: if two processes do it at once, both read the first one's. */
function makeToken(file: string): void {
  try {
    writeNew('token', file, `${randomBytes(tokenBytes).toString('base64url')}\n`);
  } catch (error) {
    if (error instanceof UnsafeFile && error.fault === 'exists') return;
    throw new BadConfiguration(`${file} can't be created: give this user write permission for its folder.`, {
      cause: error,
    });
  }
}
