#!/usr/bin/env node
// This file runs on any Node, so that an old one gets a sentence and no stack trace: whatever a new one alone has is
// imported below, once the version is known.
import * as nodeModule from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

const neededMajor = 22;
const neededMinor = 19;
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < neededMajor || (major === neededMajor && minor < neededMinor)) {
  process.stderr.write(
    `purser: Node ${neededMajor}.${neededMinor} or newer is needed, and this is ${process.versions.node}: install a newer one.\n`,
  );
  process.exitCode = 2;
} else {
  nodeModule.enableCompileCache(cacheFolder());
  const { main } = await import('./main.ts');
  process.exitCode = await main(process.argv);
}

/** Where compiled code is kept: a folder of this user, because whoever can write it decides what runs. */
function cacheFolder(): string {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  const home = homedir();
  const folders: { readonly [platform: string]: string | undefined } = {
    darwin: join(home, 'Library', 'Caches'),
    win32: LOCALAPPDATA,
  };
  return join(folders[process.platform] ?? XDG_CACHE_HOME ?? join(home, '.cache'), 'purser');
}
