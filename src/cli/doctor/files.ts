import type { StoredFile } from '../../core/file-answer.ts';
import { limits } from '../../core/limits.ts';
import { roles } from '../../engine/access-tokens.ts';
import { codeOf, type Fault, faultOf, isThere, UnsafeFile } from '../../files/check.ts';
import { companions, isOpenToOthers, requireFolder } from '../../files/database.ts';
import { type KindName, kinds } from '../../files/kinds.ts';
import { demandAnchorFolder } from '../anchor.ts';
import { BadConfiguration } from '../bad-configuration.ts';
import { wallClock } from '../compose.ts';
import type { Configuration } from '../configuration.ts';
import { openFileStores } from '../file-stores.ts';
import { nowhere } from '../folders.ts';
import { filesFolder, ledgerFile, sandboxFile } from '../storage-paths.ts';
import { accountsOf } from '../tenants.ts';
import { tokenFile } from '../tokens.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

/** Whether only the owner can read and write Purser's files. */
export const checkFiles = (configuration: Configuration): readonly Finding[] => [
  ...dataFiles(configuration),
  ...anchorFolder(configuration),
];

/** The folder of the anchor, where a start refuses it. */
function anchorFolder(configuration: Configuration): readonly Finding[] {
  try {
    demandAnchorFolder(configuration);
    return [];
  } catch (error) {
    if (error instanceof BadConfiguration) return [fail('anchor', "can't be trusted", error.message)];
    throw error;
  }
}

function dataFiles(configuration: Configuration): readonly Finding[] {
  const { data } = configuration;
  if (data === nowhere) return [warn('data', 'kept in memory only', 'Name a folder with --data to keep it.')];
  if (!isThere(data)) return [ok('data', `${data} is created by the first start`)];
  const folder = folderFault(data);
  if (folder !== undefined) return [fail('data', "can't be used", folder.message)];
  return [
    isOpenToOthers(data) ? warn('data', `other users may open ${data}`, `Run "chmod 700 ${data}".`) : ok('data', data),
    ...kept(configuration).flatMap(([about, kind, file]) => findingOf(about, kind, file)),
    downloads(configuration),
  ];
}

/** The files of tool results, and when they are deleted. */
function downloads(configuration: Configuration): Finding {
  const stores = openFileStores(configuration, wallClock);
  const files: StoredFile[] = [];
  for (const { tenant } of accountsOf(configuration))
    try {
      files.push(...stores.of(tenant).list());
    } catch (error) {
      if (codeOf(error) === 'unknown') throw error;
      const folder = filesFolder(configuration, tenant);
      return fail('downloads', "can't be read", `Give this user permission for ${folder} (${codeOf(error)}).`);
    }
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return ok('downloads', `${files.length} files of ${bytes} bytes; each is deleted after ${limits.fileHours} hours`);
}

/** Every file that a start reads, with its required kind. */
const kept = (configuration: Configuration): readonly (readonly [about: string, kind: KindName, file: string])[] => [
  ...companions.map((companion) => ['files', 'ledger', `${ledgerFile(configuration)}${companion}`] as const),
  ...companions.map((companion) => ['files', 'world', `${sandboxFile(configuration)}${companion}`] as const),
  ...roles.map((role) => ['tokens', 'token', tokenFile(configuration, role)] as const),
];

function findingOf(about: string, kind: KindName, file: string): readonly Finding[] {
  const wrong = isThere(file) ? faultOf(kind, file) : undefined;
  if (wrong === undefined) return [];
  const isNarrowed = kind !== 'token' && (wrong.fault === 'readable' || wrong.fault === 'writable');
  return [
    isNarrowed
      ? warn(about, `others may read ${file}`, 'The next start corrects that.')
      : fail(about, found[wrong.fault] ?? "can't be used", wrong.message),
  ];
}

/** Why the ledger can't use a folder, in the words of a refused start. */
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
  type: 'is not a regular file',
  owner: 'belongs to another user',
  readable: 'other users may read it',
  writable: 'other users may write it',
};
