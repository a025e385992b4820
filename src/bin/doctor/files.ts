import { statSync } from 'node:fs';
import { roles } from '../../engine/access.ts';
import type { Configuration } from '../config.ts';
import { ledgerFile, sandboxFile } from '../places.ts';
import { tokenFile } from '../tokens.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const othersAnything = 0o077;
const othersWrite = 0o022;

/** Whether what Purser keeps can be read and written by its owner alone. */
export function checkFiles(configuration: Configuration): readonly Finding[] {
  const { data } = configuration;
  if (data === ':memory:') return [warn('data', 'kept in memory alone', 'Name a folder with --data to keep it.')];
  const folder = modeOf(data);
  if (folder === undefined) return [ok('data', `${data} is made by the first start`)];
  if ((folder & othersWrite) !== 0) return [fail('data', `others may write ${data}`, `Run "chmod 700 ${data}".`)];
  const kept = [ledgerFile(configuration), sandboxFile(configuration)];
  const tokens = roles.map((role) => tokenFile(data, role));
  return [
    (folder & othersAnything) === 0
      ? ok('data', data)
      : warn('data', `others may look into ${data}`, `Run "chmod 700 ${data}".`),
    ...kept.filter(isOpen).map((file) => warn('files', `others may read ${file}`, 'The next start takes that back.')),
    ...tokens
      .filter(isOpen)
      .map((file) => fail('tokens', `others may read ${file}`, 'Delete it: purser serve makes a new one.')),
  ];
}

const isOpen = (file: string): boolean => ((modeOf(file) ?? 0) & othersAnything) !== 0;

/** Windows has no such modes. */
const modeOf = (path: string): number | undefined => {
  const found = statSync(path, { throwIfNoEntry: false });
  return process.platform === 'win32' && found !== undefined ? 0o700 : found?.mode;
};
