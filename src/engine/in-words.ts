import type { Kind } from '../domains/facts.ts';
import { kindTable } from '../domains/index.ts';

/** A name of the code as people say it: "unit price" for `unitPrice`. */
export const inWords = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** What a thing of this kind is called: "device transaction". */
export const wordsOf = (kind: Kind): string => kindTable[kind].words ?? inWords(kind);
