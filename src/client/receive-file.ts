import type { FileAnswer, FileSpec, FileType, FileWriter, OpenFile } from '../core/file-answer.ts';
import { limits } from '../core/limits.ts';
import type { Watch } from '../core/outcome.ts';
import { createRowCounter } from '../core/row-counter.ts';
import { Cancelled, PlatformFault } from './errors.ts';

/** Where a file is written, and who watches. */
export interface Receiving extends Watch {
  readonly openFile: OpenFile;
}

/**
 * Streams a file into the store. Throws PlatformFault if it is incomplete, too large or of another type, also Cancelled
 * and FileNotStored; nothing is kept then.
 */
export async function receiveFile(
  spec: FileSpec,
  response: Response,
  { openFile, signal, onProgress }: Receiving,
): Promise<FileAnswer> {
  const { status, body } = response;
  const type = typeOf(spec, response);
  const stated = statedBytes(response);
  if (type === undefined || body === null || (stated ?? 0) > limits.fileBytes) {
    await body?.cancel();
    throw type === undefined
      ? new PlatformFault('wrong-shape', { status, paths: ['(content-type)'] })
      : new PlatformFault(body === null ? 'truncated' : 'oversized', { status });
  }
  const rows = createRowCounter(type, spec);
  // Parsers are loaded with the first file that has sums.
  const sums = spec.sums === undefined ? undefined : (await import('./sum-file.ts')).createFileSums(type, spec);
  const start: Uint8Array[] = [];
  const tell = createTeller(stated, onProgress);
  let bytes = 0;
  let file: FileWriter | undefined;
  try {
    file = await openFile();
    for await (const chunk of piecesOf(body, status, signal)) {
      if (bytes < limits.fileStartBytes) start.push(chunk.slice(0, limits.fileStartBytes - bytes));
      bytes += chunk.length;
      if (bytes > limits.fileBytes) throw new PlatformFault('oversized', { status });
      rows.add(chunk);
      await file.write(chunk);
      await sums?.add(chunk);
      tell(bytes);
    }
    if (stated !== undefined && stated !== bytes) throw new PlatformFault('truncated', { status });
    // Cut between characters: the rest of the last one may be in the next chunk.
    const text = new TextDecoder('utf-8').decode(Buffer.concat(start), { stream: true });
    const summed = await sums?.end();
    return {
      ...{ ...(await file.end()), type, rows: rows.rows(), start: text },
      ...(summed === undefined ? {} : { sums: summed }),
    };
  } catch (error) {
    await file?.abort();
    throw error;
  }
}

/** A file's type if the contract allows it; undefined for any other, and for compressed files. */
function typeOf({ types }: FileSpec, { headers }: Response): FileType | undefined {
  const [given = ''] = (headers.get('content-type') ?? '').split(';');
  const coding = headers.get('content-encoding') ?? 'identity';
  return coding === 'identity' ? types.find((type) => type === given.trim().toLowerCase()) : undefined;
}

function statedBytes({ headers }: Response): number | undefined {
  const stated = headers.get('content-length');
  return stated === null ? undefined : Number(stated);
}

/** The chunks of a body. Closes the connection if the reader stops. */
async function* piecesOf(
  body: ReadableStream<Uint8Array>,
  status: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  const stop = () => void reader.cancel().catch(() => undefined);
  signal?.addEventListener('abort', stop);
  if (signal?.aborted) stop();
  try {
    for (;;) {
      const { value, done } = await reader.read().catch(() => {
        throw new PlatformFault('truncated', { status });
      });
      if (signal?.aborted) throw new Cancelled();
      if (done) return;
      yield value;
    }
  } finally {
    signal?.removeEventListener('abort', stop);
    stop();
  }
}

/** Reports a download's progress, at most a hundred times. */
function createTeller(stated: number | undefined, onProgress: Watch['onProgress']) {
  let told = 0;
  return (bytes: number): void => {
    if (stated === undefined || stated === 0) return;
    const percent = Math.floor((Math.min(bytes, stated) / stated) * 100);
    if (percent <= told) return;
    told = percent;
    onProgress?.({ step: 'DOWNLOADING', fraction: percent / 100 });
  };
}
