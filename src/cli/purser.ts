#!/usr/bin/env node
// This file runs on any Node, so that an old one gets a sentence and no stack trace: whatever a new one alone has is
// imported below, once the version is known.
import * as nodeModule from 'node:module';

const neededMajor = 22;
const neededMinor = 19;
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < neededMajor || (major === neededMajor && minor < neededMinor)) {
  process.stderr.write(
    `purser: Node ${neededMajor}.${neededMinor} or newer is needed, and this is ${process.versions.node}: install a newer one.\n`,
  );
  process.exitCode = 2;
} else {
  hideSqliteNotice();
  const { cacheFolder } = await import('./folders.ts');
  const { isForeignFolder } = await import('../files/database.ts');
  // Whoever can write the folder decides what runs.
  const cache = cacheFolder(process.env);
  if (!isForeignFolder(cache)) nodeModule.enableCompileCache(cache);
  const { main } = await import('./main.ts');
  process.exitCode = await main(process.argv);
}

/** Node 22 says at every start that its SQLite may change. Purser is tested on it; every other warning is passed on. */
function hideSqliteNotice(): void {
  const printers = process.listeners('warning');
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    if (warning.name === 'ExperimentalWarning' && warning.message.startsWith('SQLite ')) return;
    for (const print of printers) print.call(process, warning);
  });
}
