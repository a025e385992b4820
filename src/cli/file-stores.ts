import { randomBytes } from 'node:crypto';
import type { FileStore } from '../core/file-answer.ts';
import type { Ports } from '../engine/settings.ts';
import { createFileStore } from '../files/store.ts';
import { removeFolder, temporaryPath } from '../files/write.ts';
import type { Configuration } from './configuration.ts';
import { filesFolder } from './storage-paths.ts';

/** The file store of each tenant. */
export interface FileStores {
  readonly of: (tenant: string) => FileStore;
  /** Deletes files stored for a ledger in memory: they are on disk because of their size. */
  readonly close: () => void;
}

export function openFileStores(configuration: Configuration, clock: Ports['clock']): FileStores {
  const temporary: string[] = [];
  const temporaryFolder = (): string => {
    const folder = temporaryPath(`purser-files-${randomBytes(nameBytes).toString('hex')}`);
    temporary.push(folder);
    return folder;
  };
  return {
    of: (tenant) => createFileStore({ folder: filesFolder(configuration, tenant) ?? temporaryFolder(), clock }),
    close: () => temporary.forEach(removeFolder),
  };
}

/** Random bytes of a file's name, which makes it unguessable. Own choice. */
const nameBytes = 16;
