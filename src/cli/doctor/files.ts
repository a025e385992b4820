import { roles } from '../../engine/access-tokens.ts';
import { type Fault, faultOf, isThere, UnsafeFile } from '../../files/check.ts';
import { companions, isOpenToOthers, requireFolder } from '../../files/database.ts';
import { type KindName, kinds } from '../../files/kinds.ts';
import type { Configuration } from '../config.ts';
import { nowhere } from '../folders.ts';
import { ledgerFile, sandboxFile } from '../storage-paths.ts';
import { tokenFile } from '../tokens.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

/** Whether what Purser keeps can be read and written by its owner alone. */
export function checkFiles(configuration: Configuration): readonly Finding[] {
  const { data } = configuration;
  if (data === nowhere) return [warn('data', 'kept in memory alone', 'Name a folder with --data to keep it.')];
  if (!isThere(data)) return [ok('data', `${data} is made by the first start`)];
  const folder = folderFault(data);
  if (folder !== undefined) return [fail('data', "can't be used", folder.message)];
  return [
    isOpenToOthers(data) ? warn('data', `others may look into ${data}`, `Run "chmod 700 ${data}".`) : ok('data', data),
    ...kept(configuration).flatMap(([about, kind, file]) => findingOf(about, kind, file)),
  ];
}

/** Every file that a start finds, by the kind it must be. */
const kept = (configuration: Configuration): readonly (readonly [about: string, kind: KindName, file: string])[] => [
  ...companions.map((companion) => ['files', 'ledger', `${ledgerFile(configuration)}${companion}`] as const),
  ...companions.map((companion) => ['files', 'world', `${sandboxFile(configuration)}${companion}`] as const),
  ...roles.map((role) => ['tokens', 'token', tokenFile(configuration.data, role)] as const),
];

function findingOf(about: string, kind: KindName, file: string): readonly Finding[] {
  const wrong = isThere(file) ? faultOf(kind, file) : undefined;
  if (wrong === undefined) return [];
  const isNarrowed = kind !== 'token' && (wrong.fault === 'readable' || wrong.fault === 'writable');
  return [
    isNarrowed
      ? warn(about, `others may read ${file}`, 'The next start takes that back.')
      : fail(about, found[wrong.fault] ?? "can't be used", wrong.message),
  ];
}

/** What keeps the ledger out of a folder, in the words with which a start refuses it. */
function folderFault(folder: string): UnsafeFile | undefined {
  try {
    requireFolder(kinds.ledger.what, folder);
    return undefined;
  } catch (error) {
    if (error instanceof UnsafeFile) return error;
    throw error;
  }
}

const found: { readonly [F in Fault]?: string } = {
  link: 'is a symbolic link',
  type: 'is no regular file',
  owner: 'belongs to another user',
  readable: 'others may read it',
  writable: 'others may write it',
};
