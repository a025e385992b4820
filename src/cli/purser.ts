#!/usr/bin/env node
// This file runs on any Node version, so that an old one prints a message instead of a stack trace. Everything that
// needs a current version is imported below, after the check.
import * as nodeModule from 'node:module';

const neededMajor = 22;
const neededMinor = 19;
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < neededMajor || (major === neededMajor && minor < neededMinor)) {
  process.stderr.write(
    `purser: Node ${neededMajor}.${neededMinor} or newer is required, and this is ${process.versions.node}: install a newer version.\n`,
  );
  process.exitCode = 2;
} else {
  hideSqliteNotice();
  const { cacheFolder } = await import('./folders.ts');
  const { isOwnFolder } = await import('../files/database.ts');
  // Whoever can write to the cache folder decides what code runs.
  const cache = cacheFolder(process.env);
  if (isOwnFolder(cache)) nodeModule.enableCompileCache(cache);
  const { main } = await import('./main.ts');
  process.exitCode = await main(process.argv);
}

/** Hides Node 22's notice that SQLite is experimental: Purser is tested on it. Other warnings are passed on. */
function hideSqliteNotice(): void {
  const printers = process.listeners('warning');
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    if (warning.name === 'ExperimentalWarning' && warning.message.startsWith('SQLite ')) return;
    for (const print of printers) print.call(process, warning);
  });
}
