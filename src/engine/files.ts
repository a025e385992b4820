import { type FileAnswer, type FileSum, fileSpecOf, isFileAnswer } from '../core/file-answer.ts';
import { limits } from '../core/limits.ts';
import { hour } from '../core/schedule.ts';
import type { Caller } from '../ledger/ledger.ts';
import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import type { ObservationRow } from '../ledger/rows.ts';
import type { AnswerFile } from './answer.ts';
import { charted, chartOf } from './file-chart.ts';
import { fileHandle, fileKind } from './file-handle.ts';
import { pagesOf, pieceOf } from './file-pages.ts';
import type { EngineParts } from './parts.ts';
import { iso } from './render.ts';
import { retryOnConflict } from './retry.ts';
import { screenedPage } from './screened-page.ts';
import type { PlatformAnswer } from './send.ts';
import type { EngineState } from './state.ts';
import { taint } from './taint.ts';
import { operationOf, type PlatformTool } from './tool.ts';
import { ownedBy, type View, viewOf } from './view.ts';

// Files in responses. The ledger stores each file's metadata, owner and expiry; the store has its bytes.

/** A page of a file, for an agent. */
export interface FilePage {
  readonly file: AnswerFile;
  readonly page: number;
  readonly text: string;
}

/** A whole file, for the merchant's app. */
export interface OpenedFile {
  readonly file: AnswerFile;
  readonly body: ReadableStream<Uint8Array>;
}

/** Records the file of a response; undefined if it has none. */
export async function keepFile(
  parts: EngineParts,
  tx: LedgerTransaction,
  tool: PlatformTool,
  { status, body }: PlatformAnswer,
  caller: Caller,
): Promise<AnswerFile | undefined> {
  const schema = operationOf(tool).output[status];
  if (schema === undefined || fileSpecOf(schema) === undefined || !isFileAnswer(body)) return undefined;
  const { name, type, bytes, digest, rows, sums }: FileAnswer = body;
  const now = parts.ports.clock.now();
  const expiresAt = now + limits.fileHours * hour;
  const known = {
    type,
    bytes,
    digest,
    rows,
    expiresAt,
    ...(sums === undefined ? {} : { sums: sums.map((it) => ({ ...it })) }),
    ...ownedBy(caller),
  };
  return shown(
    await tx.observations.insert({ handle: name, kind: fileKind, owner: '', state: 'STORED', body: known }, now),
  );
}

/** A page of a caller's file; undefined if there is none. Reading it counts as reading untrusted text. */
export async function readFilePage(
  { parts, rateLimiter, ownTexts }: EngineState,
  caller: Caller,
  handle: string,
  page: number,
): Promise<FilePage | undefined> {
  rateLimiter.demand(caller, 'read');
  const { ledger, files, settings, ports } = parts;
  const file = await ledger.transaction(caller.tenant, (tx) =>
    findFile(viewOf(tx, caller, settings), handle, ports.clock.now()),
  );
  if (file === undefined || files?.size(handle) !== file.bytes || page < 1 || page > file.pages) return undefined;
  const read = (from: number, to: number) => files.read(handle, from, to);
  const text = screenedPage(pieceOf(page, file.bytes, read), settings.ownNumbers);
  await retryOnConflict(() =>
    ledger.transaction(caller.tenant, (tx) => taint(tx, caller, [text], ownTexts, ports.clock.now())),
  );
  return { file, page, text };
}

/** The sums by day of a caller's file, as a chart in SVG; undefined if there is no such file, or no chart of it. */
export async function readFileChart(
  { parts, rateLimiter }: EngineState,
  caller: Caller,
  handle: string,
): Promise<string | undefined> {
  rateLimiter.demand(caller, 'read');
  const { ledger, settings, ports } = parts;
  const row = await ledger.transaction(caller.tenant, (tx) =>
    findRow(viewOf(tx, caller, settings), handle, ports.clock.now()),
  );
  return chartOf((row?.body.sums ?? []) as unknown as readonly FileSum[]); // written by `keepFile`
}

/** A caller's files that have not expired, newest first. */
export async function listFiles({ parts }: EngineState, caller: Caller): Promise<readonly AnswerFile[]> {
  const { ledger, files, ports } = parts;
  const names = (files?.list() ?? []).toSorted((one, other) => one.ageMilliseconds - other.ageMilliseconds);
  return ledger.transaction(caller.tenant, async (tx) => {
    const view = viewOf(tx, caller, parts.settings);
    const found: AnswerFile[] = [];
    for (const { name } of names) {
      const file = await findFile(view, name, ports.clock.now());
      if (file !== undefined) found.push(file);
      if (found.length === limits.pageRows) break;
    }
    return found;
  });
}

/** A whole file of the tenant; undefined if there is none. Its digest verifies that it is what the platform sent. */
export async function openFile(parts: EngineParts, handle: string): Promise<OpenedFile | undefined> {
  const { tenant, ledger, files, ports } = parts;
  const file = await ledger.transaction(tenant, (tx) => findFile(tx, handle, ports.clock.now()));
  if (file === undefined || files?.size(handle) !== file.bytes) return undefined;
  return { file, body: files.stream(handle, file.bytes) };
}

/** Deletes expired files, and incomplete ones left by a crash. */
export async function deleteExpiredFiles({ tenant, ledger, files, ports }: EngineParts): Promise<void> {
  const found = files?.list() ?? [];
  if (files === undefined || found.length === 0) return;
  const unwanted = await ledger.transaction(tenant, async (tx) => {
    const names: string[] = [];
    for (const { name, ageMilliseconds } of found) {
      const row = await tx.observations.find(name);
      const isWanted = row === undefined ? ageMilliseconds < unnamedMilliseconds : isKept(row, ports.clock.now());
      if (!isWanted) names.push(name);
    }
    return names;
  });
  unwanted.forEach(files.remove);
}

const unnamedMilliseconds = limits.unnamedFileHours * hour;

async function findFile(
  view: Pick<View, 'observations'>,
  handle: string,
  now: number,
): Promise<AnswerFile | undefined> {
  const row = await findRow(view, handle, now);
  return row === undefined ? undefined : shown(row);
}

async function findRow(
  { observations }: Pick<View, 'observations'>,
  handle: string,
  now: number,
): Promise<ObservationRow | undefined> {
  const row = fileHandle.test(handle) ? await observations.find(handle) : undefined;
  return row?.kind === fileKind && isKept(row, now) ? row : undefined;
}

const isKept = ({ body }: ObservationRow, now: number): boolean => Number(body.expiresAt) > now;

function shown({ handle, body }: ObservationRow): AnswerFile {
  // Written by `keepFile`.
  const {
    type,
    bytes,
    digest,
    rows,
    expiresAt,
    sums = [],
  } = body as unknown as FileAnswer & { readonly expiresAt: number };
  return {
    ...{ handle, type, bytes, pages: pagesOf(bytes), ...(rows === null ? {} : { rows }) },
    ...{ sha256: digest, expires: iso(expiresAt), ...(charted(sums).length === 0 ? {} : { chart: true as const }) },
  };
}
