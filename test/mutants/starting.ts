import { bugs } from './bugs.ts';

/** Bugs in what an operator who starts Purser, or a program that embeds it, is told of their own mistakes. */
// biome-ignore format: rows
export const startingMutants = bugs([
  ['state-is-data', 'whoever has no place for the state folder is told to choose another data folder',
   'src/cli/anchor.ts', 'test/promises/doctor.test.ts › of a state folder that can never be',
   "makeFolder(configuration.state, 'state')", 'makeFolder(configuration.state)'],
  ['doctor-trusts-in-a-state-folder', 'the doctor says that Purser can start where it can create no state folder',
   'src/cli/anchor.ts', 'test/promises/doctor.test.ts › of a state folder that can never be',
   "demandFolder(state, 'state');", 'void state;'],
  ['doctor-trusts-in-a-named-anchor', 'the doctor says that Purser can start where a named anchor is missing',
   'src/cli/anchor.ts', 'test/promises/doctor.test.ts › of a named anchor that is not there',
   'auditAnchorFile !== undefined && !isThere(auditAnchorFile)', 'auditAnchorFile === nowhere'],
  ['doctor-begins-anew', 'the doctor says that Purser can start where the ledger of its anchor is gone',
   'src/cli/doctor/ledger.ts', 'test/promises/doctor.test.ts › that a ledger is gone',
   'return rows === 0', 'return rows >= 0'],
  ['an-address-is-anything', 'a misspelled address of the reader is an internal error',
   'src/cli/commands/sandbox-reader.ts', 'test/reader/sandbox-reader.test.ts › an address that is none',
   'url !== undefined ? addressOf(url) :', 'url !== undefined ? url :'],
  ['closed-twice', 'a program that closes Purser twice ends with an internal error',
   'src/cli/compose.ts', 'test/promises/embedding.test.ts › is closed once',
   'close: once(async () => {', 'close: ((it: () => Promise<void>) => it)(async () => {'],
  ['any-option-is-taken', 'a misspelled option of an adapter offers every tool',
   'src/adapters/catalogue.ts', 'test/promises/embedding.test.ts › is told, instead of getting every tool',
   'find((name) => !known.includes(name))', "find((name) => known.length === 0 && name !== '')"],
  ['undecided-in-silence', 'a program whose person answers "yes" never hears that this decides nothing',
   'src/adapters/catalogue.ts', 'test/promises/embedding.test.ts › is told that this decides nothing',
   'if (verdict !== undefined && verdict !== null) onFailure(new Error(undecided));', 'void undecided;'],
]);
