import type { Mutant } from './mutants.ts';

const files = (pattern: string) => `test/promises/files.test.ts › ${pattern}`;

/** Bugs in what is demanded of files, of the configuration and of who approves on the command line. */
export const fileMutants: readonly Mutant[] = [
  {
    id: 'believes-a-strangers-token',
    title: "a token file of another user is believed where Purser's user may read it, as root may",
    file: 'src/files/check.ts',
    find: `if (found.uid !== me && !isRoots)`,
    replace: `if (found.uid !== me && me !== ROOT && !isRoots)`,
    caughtBy: files("token: another user's file"),
  },
  {
    id: 'makes-the-ledger-through-a-link',
    title: 'a link that leads nowhere is taken for a ledger, and SQLite makes the file as the umask says',
    file: 'src/files/database.ts',
    find: `  if (found.isSymbolicLink())
    throw`,
    replace: `  if (found.isSymbolicLink() && statSync(file, { throwIfNoEntry: false }) !== undefined)
    throw`,
    caughtBy: files('ledger.*a link that leads nowhere'),
  },
  {
    id: 'reads-half-of-it',
    title: 'a file whose size says nothing is read up to its bound, and believed',
    file: 'src/files/read.ts',
    find: `if (total > bytes) throw`,
    replace: `if (total > bytes) return Buffer.concat(chunks);
    if (total < 0) throw`,
    caughtBy: files('sharedSecret: stops at its bound'),
  },
  {
    id: 'opens-a-fifo',
    title: 'a FIFO is opened as if it were a file, and nobody writes into it',
    file: 'src/files/check.ts',
    find: `if (!found.isFile())`,
    replace: `if (!found.isFile() && !found.isFIFO())`,
    caughtBy: files('sharedSecret: a FIFO'),
  },
  {
    id: 'approves-before-the-answer',
    title: 'the command line shows what is approved, asks, and approves whatever is answered',
    file: 'src/cli/terminal.ts',
    find: `/^y(es)?$/i`,
    replace: `/^(y(es)?)?/i`,
    caughtBy: 'test/promises/approving.test.ts › takes nothing but a plain yes',
  },
  {
    id: 'approves-without-a-terminal',
    title: 'the command line approves without a terminal, so without a person who has read the text',
    file: 'src/cli/commands/approvals.ts',
    find: `verdict === 'approve' && options.yes !== true`,
    replace: `verdict === 'approve' && options.yes !== true && hasTerminal()`,
    caughtBy: 'test/promises/approving.test.ts › needs --yes where there is no terminal',
  },
  {
    id: 'reads-the-working-directory',
    title: 'a configuration file in the working directory is read, and its mandates approve',
    file: 'src/cli/config.ts',
    find: `const file = named ?? (isThere(usual) ? usual : undefined);`,
    replace: `const file = named ?? [usual, resolve(configurationName)].find(isThere);`,
    caughtBy: 'test/promises/configuration.test.ts › is not read, in whichever folder',
  },
  {
    id: 'digest-of-half-the-settings',
    title: 'the digest of a configuration does not cover its mandates',
    file: 'src/cli/configuration-digest.ts',
    find: `initAnchor: ___, ...decides }`,
    replace: `initAnchor: ___, mandates: ____, ...decides }`,
    caughtBy: 'test/promises/configuration.test.ts › covers mandates',
  },
  {
    id: 'paths-of-wherever',
    title: 'a path in the configuration file means another file in each working directory',
    file: 'src/cli/file.ts',
    find: `return [name, resolve(folder, value)]`,
    replace: `return [name, resolve(folder, '..', value)]`,
    caughtBy: 'test/promises/configuration.test.ts › in the file are relative to its folder',
  },
];
