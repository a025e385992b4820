/** The kind of a file's row in the ledger, and the prefix of its handle, which is also its name in the store. */
export const fileKind = 'file';
export const fileHandle = /^file_[a-z]{1,64}$/;
