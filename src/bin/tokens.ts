import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Role, roles, type Tokens } from '../engine/access.ts';
import { Secret } from '../ledger/vault.ts';
import { BadConfiguration } from './config.ts';

/** The tokens of a data folder, and the file each is in. */
export interface TokenFiles {
  readonly tokens: Tokens;
  readonly files: { readonly [R in Role]: string };
  /** The agent's token, in clear: it stands in the configuration of its host. */
  readonly agent: string;
}

export const tokenFile = (data: string, role: Role): string => join(data, `${role}.token`);

/** The bearer tokens of the HTTP face. Each is made once, in a file that its owner alone can read. */
export function openTokens(data: string): TokenFiles {
  if (data === ':memory:')
    throw new BadConfiguration('purser serve keeps its tokens in files: name a data folder with --data DIR.');
  const texts = roles.map((role) => [role, readOrMake(tokenFile(data, role))] as const);
  const each = <T>(make: (role: Role, text: string) => T) =>
    // Every role has an entry, because `texts` has one for each.
    Object.fromEntries(texts.map(([role, text]) => [role, make(role, text)])) as { readonly [R in Role]: T };
  const plain = each((_, text) => text);
  if (new Set(Object.values(plain)).size < roles.length)
    throw new BadConfiguration(`Two token files in ${data} hold the same token: delete one to have a new one made.`);
  return {
    tokens: each((_, text) => new Secret(text)),
    files: each((role) => tokenFile(data, role)),
    agent: plain.agent,
  };
}

/** Bytes of a token. Own choice: nobody guesses 256 bits. */
const tokenBytes = 32;
const tokenShape = /^[\w-]{22,255}$/;
const othersAnything = 0o077;

function readOrMake(file: string): string {
  const text = (readToken(file) ?? makeToken(file)).trim();
  if (!tokenShape.test(text)) throw new BadConfiguration(`${file} holds no token: delete it to have a new one made.`);
  return text;
}

function readToken(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (process.platform !== 'win32' && (found.mode & othersAnything) !== 0)
    throw new BadConfiguration(
      `Others may have read ${file}: delete it to have a new token made, or run "chmod 600" if you know they have not.`,
    );
  return attempt(file, () => readFileSync(file, 'utf8'));
}

/** Makes a token under another name first, so that nobody ever reads half of one; of two makers the first one stays. */
function makeToken(file: string): string {
  const draft = `${file}.${process.pid}`;
  attempt(file, () =>
    writeFileSync(draft, `${randomBytes(tokenBytes).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' }),
  );
  try {
    linkSync(draft, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw unusable(file, error);
  } finally {
    rmSync(draft);
  }
  return readToken(file) ?? '';
}

function attempt<T>(file: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw unusable(file, error);
  }
}

const unusable = (file: string, cause: unknown): BadConfiguration =>
  new BadConfiguration(`${file} can't be used: give this user the right to read and write it and its folder.`, {
    cause,
  });
