import { createHash } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { createHttpPlatform, type Timeouts } from '../../src/client/platform.ts';
import { createHttpSignature } from '../../src/client/signing.ts';
import { limits } from '../../src/core/limits.ts';
import { Secret } from '../../src/core/secret.ts';
import { sandboxes } from '../../src/domains/sandboxes.ts';
import type { EngineParts } from '../../src/engine/parts.ts';
import { createSandbox, type FaultKind, sandboxSeed, serveSandbox } from '../../src/sandbox/index.ts';
import type { SentFile } from '../../src/sandbox/wire.ts';
import { loyalty, withLoyalty } from './made-up-domain.ts';

// Statements of the made-up domain: files of any size, from a sandbox that is served over HTTP.

const { merchantId, keyId, secret } = sandboxSeed.credentials;
const credentials = { merchantId, keyId, sharedSecret: new Secret(secret) };
const clock = { now: () => Date.now() };

/** Signs as the merchant of a sandbox. */
export const signedForSandbox = () => createHttpSignature({ credentials, clock });

/** A sandbox on a port that answers each statement with the file that `next` says. */
export async function servedStatements(next: () => SentFile) {
  const statements = {
    contract: { getStatement: loyalty.getStatement },
    handlers: { getStatement: () => ({ status: 200, body: undefined, entity: 'statement', file: next() }) },
  };
  const sandbox = createSandbox({ file: ':memory:', clock }, { ...sandboxes, statements });
  const served = await serveSandbox(sandbox, { port: 0 });
  const baseUrl = new URL(served.url).origin;
  return {
    baseUrl,
    fault: async (kind: FaultKind) => {
      const body = JSON.stringify({ on: 'getStatement', kind });
      await sandbox.handle(new Request(`${baseUrl}/sandbox/faults`, { method: 'POST', body }));
    },
    close: async () => {
      await served.close();
      await sandbox.close();
    },
  };
}

/** An engine that downloads statements over HTTP. */
export async function withStatements(
  parts: EngineParts,
  next: () => SentFile,
  { timeouts = {}, ...more }: Partial<EngineParts> & { readonly timeouts?: Partial<Timeouts> } = {},
) {
  const { baseUrl, fault, close } = await servedStatements(next);
  const platform = createHttpPlatform({ baseUrl, timeouts: { ...limits, ...timeouts } });
  onTestFinished(async () => {
    await close();
    await platform.close();
  });
  return { engine: withLoyalty(parts, { served: platform, baseUrl, signer: signedForSandbox(), ...more }), fault };
}

const header = 'Request,Date,Merchant,Amount\n';
const rowsOf = (first: number, count: number): string =>
  Array.from({ length: count }, (_, at) => `r${first + at},2026-01-15,"Harbour ""Audio"", Kent",45.00\n`).join('');
const rowsInPiece = 1_000;

/** A CSV file of so many rows, as pieces that are made one by one. */
export function csvOf(rows: number, more: Partial<SentFile> = {}): SentFile {
  return {
    type: 'text/csv',
    pieces: function* () {
      yield Buffer.from(header);
      for (let at = 0; at < rows; at += rowsInPiece) yield Buffer.from(rowsOf(at, Math.min(rowsInPiece, rows - at)));
    },
    ...more,
  };
}

/** Size and digest of a file, piece by piece. */
export function figuresOf({ pieces }: SentFile): { readonly bytes: number; readonly sha256: string } {
  const hash = createHash('sha256');
  let bytes = 0;
  for (const piece of pieces() as Iterable<Uint8Array>) {
    hash.update(piece);
    bytes += piece.length;
  }
  return { bytes, sha256: hash.digest('base64') };
}
