import { FileNotStored, type FileStore } from '../../../src/core/file-answer.ts';

/** A file store whose disk can be full. */
export interface FillableStorage extends FileStore {
  /** From now on nothing can be stored. */
  fill(): void;
  /** There is room again. */
  reset(): void;
}

export function fillable(files: FileStore): FillableStorage {
  let isFull = false;
  return {
    ...files,
    create: async (name) => {
      if (isFull) throw new FileNotStored('full');
      return files.create(name);
    },
    fill: () => {
      isFull = true;
    },
    reset: () => {
      isFull = false;
    },
  };
}
