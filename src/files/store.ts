import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  createReadStream,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline, Readable, Transform } from 'node:stream';
import { FileNotStored, type FileStore, type FileWriter, type StoredFile } from '../core/file-answer.ts';
import { limits } from '../core/limits.ts';
import { checkFile, codeOf, isThere, requireSafe } from './check.ts';
import { makeOwnFolder, requireFolder } from './database.ts';
import { kinds } from './kinds.ts';
import { syncFolder } from './write.ts';

// The file store: files of answers, each written whole under a handle of its own, and read in pieces.

const OWNER_FILE = 0o600;
const NO_LINK = constants.O_NOFOLLOW ?? 0;
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_LINK;
/** Doesn't wait for the other end of a FIFO. */
const READ = constants.O_RDONLY | NO_LINK | (constants.O_NONBLOCK ?? 0);
/** The form of a name: a handle created by Purser. */
const handle = /^file_[a-z]{1,64}$/;
/** The suffix of an incomplete file. */
const partial = '.part';

export interface StoreOptions {
  /** The folder of the files, created with the first one, for this user only. */
  readonly folder: string;
  /** The machine's time in milliseconds. */
  readonly clock: { now(): number };
  /** Most bytes of all files together. */
  readonly mostBytes?: number;
  /** Bytes that are free on a folder's disk. */
  readonly freeBytes?: (folder: string) => number;
}

/** Files in a folder for this user only. A file becomes visible when it is complete and on disk. */
export function createFileStore({
  folder,
  clock,
  mostBytes = limits.storedFilesBytes,
  freeBytes = freeOnDisk,
}: StoreOptions): FileStore {
  const pathOf = (name: string): string => {
    if (!handle.test(name)) throw new Error('A stored file is named by a handle.');
    return join(folder, name);
  };
  const entries = (): readonly string[] => (isThere(folder) ? readdirSync(folder) : []);
  const sizeOf = (entry: string): number => statSync(join(folder, entry), { throwIfNoEntry: false })?.size ?? 0;
  const taken = (): number => entries().reduce((sum, entry) => sum + sizeOf(entry), 0);

  /** The descriptor of a file, which may have been replaced after it was checked. */
  const opened = (name: string): number => {
    const path = pathOf(name);
    requireSafe('stored', path);
    const file = openSync(path, READ);
    try {
      checkFile(kinds.stored, path, fstatSync(file));
    } catch (error) {
      closeSync(file);
      throw error;
    }
    return file;
  };

  return {
    create: async (name) => {
      const path = pathOf(name);
      return attempt(async () => {
        if (!isThere(folder)) makeOwnFolder(folder);
        requireFolder(kinds.stored.what, folder);
        const most = mostBytes - taken();
        const hasRoom = (bytes: number, more: number): boolean =>
          bytes <= most && freeBytes(folder) - more >= limits.freeDiskBytes;
        return writerOf(name, path, await open(`${path}${partial}`, CREATE, OWNER_FILE), hasRoom, folder);
      });
    },
    size: (name) => (isThere(pathOf(name)) ? sizeOf(name) : undefined),
    read: (name, from, to) => {
      const file = opened(name);
      try {
        const bytes = Buffer.alloc(Math.max(0, Math.min(to, fstatSync(file).size) - from));
        return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, from));
      } finally {
        closeSync(file);
      }
    },
    stream: (name, bytes) =>
      // Node's web stream is the standard one, but two type libraries declare it.
      Readable.toWeb(wholeOf(opened(name), bytes)) as ReadableStream<Uint8Array>,
    remove: (name) => {
      for (const path of [pathOf(name), `${pathOf(name)}${partial}`]) rmSync(path, { force: true });
    },
    list: () =>
      entries().flatMap((entry): readonly StoredFile[] => {
        const name = entry.endsWith(partial) ? entry.slice(0, -partial.length) : entry;
        const found = statSync(join(folder, entry), { throwIfNoEntry: false });
        if (found === undefined || !handle.test(name)) return [];
        return [{ name, bytes: found.size, ageMilliseconds: clock.now() - found.mtimeMs }];
      }),
  };
}

/** Streams an open file, and closes it. Fails as soon as the file turns out to have more or fewer bytes. */
function wholeOf(file: number, bytes: number): Readable {
  let left = bytes;
  const changed = () => new Error('A stored file has changed while it was read.');
  const counted = new Transform({
    transform: (chunk: Uint8Array, _, done) => {
      left -= chunk.length;
      if (left < 0) done(changed());
      else done(null, chunk);
    },
    flush: (done) => done(left > 0 ? changed() : null),
  });
  // Whoever reads it hears of an error; whoever stops reading closes the file.
  return pipeline(createReadStream('', { fd: file }), counted, () => undefined);
}

const freeOnDisk = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};

/**
 * Writes a file, which gets its name when it is complete and on disk. `hasRoom`: whether it may have so many bytes, of which some are
 * not written yet.
 */
function writerOf(
  name: string,
  path: string,
  file: FileHandle,
  hasRoom: (bytes: number, more: number) => boolean,
  folder: string,
): FileWriter {
  const hash = createHash('sha256');
  let bytes = 0;
  let isOver = false;
  const abort = async (): Promise<void> => {
    if (isOver) return;
    isOver = true;
    await file.close();
    rmSync(`${path}${partial}`, { force: true });
  };
  return {
    abort,
    write: (chunk) =>
      attempt(async () => {
        bytes += chunk.length;
        if (!hasRoom(bytes, chunk.length)) throw new FileNotStored('full');
        hash.update(chunk);
        await file.writeFile(chunk);
      }),
    end: () =>
      attempt(async () => {
        await file.sync();
        await file.close();
        isOver = true;
        renameSync(`${path}${partial}`, path);
        syncFolder(folder);
        return { name, bytes, digest: hash.digest('base64') };
      }),
  };
}

async function attempt<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof FileNotStored) throw error;
    const code = codeOf(error);
    throw new FileNotStored(code === 'ENOSPC' || code === 'EDQUOT' ? 'full' : code, { cause: error });
  }
}
