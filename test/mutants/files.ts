import { bugs } from './bugs.ts';

const files = (pattern: string) => `test/promises/files.test.ts › ${pattern}`;

/** Bugs in what is demanded of files, of the configuration and of who approves on the command line. */
// biome-ignore format: rows
export const fileMutants = bugs([
  ['believes-a-strangers-token',
   "a token file of another user is believed where Purser's user may read it, as root may",
   'src/files/check.ts', files("token: another user's file"),
   `if (found.uid !== me && !isRoots)`, `if (found.uid !== me && me !== ROOT && !isRoots)`],
  ['makes-the-ledger-through-a-link',
   'a link that leads nowhere is taken for a ledger, and SQLite makes the file as the umask says',
   'src/files/database.ts', files('ledger.*a link that leads nowhere'),
   `  if (found.isSymbolicLink())
    throw`,
   `  if (found.isSymbolicLink() && statSync(file, { throwIfNoEntry: false }) !== undefined)
    throw`],
  ['reads-half-of-it', 'a file whose size says nothing is read up to its bound, and believed',
   'src/files/read.ts', files('sharedSecret: stops at its bound'),
   `if (total > bytes) throw`,
   `if (total > bytes) return Buffer.concat(chunks);
    if (total < 0) throw`],
  ['opens-a-fifo', 'a FIFO is opened as if it were a file, and nobody writes into it',
   'src/files/check.ts', files('sharedSecret: a FIFO'),
   `if (!found.isFile())`, `if (!found.isFile() && !found.isFIFO())`],
  ['approves-before-the-answer', 'the command line shows what is approved, asks, and approves whatever is answered',
   'src/cli/terminal.ts', 'test/promises/approving.test.ts › takes nothing but a plain yes',
   `/^y(es)?$/i`, `/^(y(es)?)?/i`],
  ['approves-without-a-terminal',
   'the command line approves without a terminal, so without a person who has read the text',
   'src/cli/commands/approvals.ts', 'test/promises/approving.test.ts › needs --yes where there is no terminal',
   `verdict === 'approve' && options.yes !== true`, `verdict === 'approve' && options.yes !== true && hasTerminal()`],
  ['reads-the-working-directory', 'a configuration file in the working directory is read, and its mandates approve',
   'src/cli/config.ts', 'test/promises/configuration.test.ts › is not read, in whichever folder',
   `const file = named ?? (isThere(usual) ? usual : undefined);`,
   `const file = named ?? [usual, resolve(configurationName)].find(isThere);`],
  ['digest-of-half-the-settings', 'the digest of a configuration does not cover its mandates',
   'src/cli/configuration-digest.ts', 'test/promises/configuration.test.ts › covers mandates',
   `initAnchor: ___, initAccount: ____, ...decides }`, `initAnchor: ___, initAccount: ____, mandates: _____, ...decides }`],
  ['paths-of-wherever', 'a path in the configuration file means another file in each working directory',
   'src/cli/file.ts', 'test/promises/configuration.test.ts › in the file are relative to its folder',
   `return [name, resolve(folder, value)]`, `return [name, resolve(folder, '..', value)]`],
  ['shares-compiled-code', 'whoever can reach the folder of compiled code can write what the umask lets them: code that runs at the next start',
   'src/files/database.ts', files('is closed to others: what Node makes in it'),
   `    if (isOpenToOthers(folder)) chmodSync(folder, OWNER_FOLDER);\n`, ''],
  ['tenants-of-other-folders', 'the tokens of a tenant lie wherever its name leads',
   'src/cli/tenant-name.ts', 'test/faces/cli-startup.test.ts › a tenant in the file named as a path',
   '/^[a-z0-9][a-z0-9_-]{0,40}$/', '/^./'],
]);
