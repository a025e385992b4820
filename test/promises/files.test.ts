import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { checkFile, faultOf, UnsafeFile } from '../../src/files/check.ts';
import { companions, isOwnFolder, makePrivate } from '../../src/files/database.ts';
import { type KindName, kinds } from '../../src/files/kinds.ts';
import { readBytes } from '../../src/files/read.ts';
import { appendTo, replaceFile, writeNew } from '../../src/files/write.ts';
import { folder } from '../faces/cli.ts';
import { formNames, forms, giveAway } from './hostile-files.ts';

const kindNames = Object.keys(kinds) as readonly KindName[];
const isDatabase = (kind: KindName): boolean => kinds[kind].bytes === Infinity;
const databases = kindNames.filter(isDatabase);
const pairs = kindNames.flatMap((kind) => formNames.map((form) => [kind, form] as const));

/** What an act finds wrong with a file; undefined where it does its work. */
function fault(act: () => unknown): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (error instanceof UnsafeFile) return error.fault;
    throw error;
  }
}

/** What stands at a path, content included, without following a link. */
const state = (path: string): unknown => {
  const { ino, mode, size, uid } = lstatSync(path);
  return { ino, mode, size, uid };
};

describe('every kind of file, in every hostile form', () => {
  it.each(pairs)('%s: %s', async (kind, form) => {
    const path = join(folder(), 'it');
    await forms[form].make(path);
    const isEndlessDatabase = isDatabase(kind) && form === 'a file of endless size';
    const wanted = isEndlessDatabase ? undefined : forms[form].faults[kinds[kind].trust];
    const before = state(path);
    expect(faultOf(kind, path)?.fault).toBe(wanted);
    if (isEndlessDatabase) return;
    expect(fault(() => readBytes(kind, path).length)).toBe(wanted);
    if (wanted !== undefined) expect(fault(() => appendTo(kind, path, 'x'))).toBe(wanted);
    const replaced = fault(() => replaceFile(kind, path, 'new'));
    expect(replaced).toBe(lstatSync(path).isSymbolicLink() ? 'link' : wanted);
    if (replaced !== undefined) expect(state(path)).toEqual(before);
    expect(fault(() => writeNew(kind, path, 'new'))).toBe('exists');
  });

  it.each(kindNames)('%s: reads and writes what is as it must be', (kind) => {
    const inner = folder();
    const path = join(inner, 'it');
    expect([faultOf(kind, path)?.fault, fault(() => readBytes(kind, path))]).toEqual(['missing', 'missing']);
    writeNew(kind, path, 'one');
    replaceFile(kind, path, 'two');
    appendTo(kind, path, ' and three');
    expect([readFileSync(path, 'utf8'), readBytes(kind, path).toString()]).toEqual(['two and three', 'two and three']);
    const mode = kinds[kind].trust === 'anyone' ? 0o666 & ~process.umask() : 0o600;
    expect([statSync(path).mode & 0o777, readdirSync(inner)]).toEqual([mode, ['it']]);
  });

  const pagemap = '/proc/self/pagemap'; // a regular file of size 0 whose content has no end
  const endless = kindNames.filter((kind) => kinds[kind].bytes <= 1_048_576 && faultOf(kind, pagemap) === undefined);
  it.each(endless)('%s: stops at its bound where the size says nothing', (kind) => {
    expect(fault(() => readBytes(kind, pagemap))).toBe('size');
  });
});

describe('a file that root has mounted for another user', () => {
  const root = (mode: number) => Object.assign(statSync('.'), { isFile: () => true, uid: 0, mode, size: 1 });
  const cases = kindNames.flatMap((kind) =>
    ([0o400, 0o440, 0o640, 0o644, 0o660] as const).map((mode) => [kind, mode] as const),
  );

  it.each(cases)('%s: mode %o', (kind, mode) => {
    vi.spyOn(process, 'geteuid').mockReturnValue(12_345);
    onTestFinished(() => void vi.restoreAllMocks());
    const { trust } = kinds[kind];
    const operators = mode === 0o660 ? 'writable' : mode === 0o644 ? 'readable' : undefined;
    const wanted = trust === 'self' ? 'owner' : trust === 'operator' ? operators : undefined;
    expect(fault(() => checkFile(kinds[kind], 'it', root(mode)))).toBe(wanted);
  });
});

describe('every database', () => {
  const attacked = databases.flatMap((kind) =>
    companions.flatMap((companion) => formNames.map((form) => [kind, companion, form] as const)),
  );

  it.each(attacked)('%s%s: %s', async (kind, companion, form) => {
    const inner = folder();
    const file = join(inner, 'it');
    await forms[form].make(`${file}${companion}`);
    const wanted = forms[form].faults.self;
    const isNarrowed = wanted === 'readable' || wanted === 'writable' || wanted === 'size';
    const before = readdirSync(inner).length;
    expect(fault(() => makePrivate(kind, file))).toBe(isNarrowed ? undefined : wanted);
    if (isNarrowed) expect(statSync(`${file}${companion}`).mode & 0o777).toBe(0o600);
    if (companion === '' && !isNarrowed) expect(readdirSync(inner).length).toBe(before);
  });

  it.each(databases)('%s: is made for its owner alone, and never at the end of a link', (kind) => {
    const file = join(folder(), 'inner', 'it');
    makePrivate(kind, file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it.each(databases)('%s: is not made in a folder that others may write, or that another user owns', (kind) => {
    const [open, foreign] = [folder(), folder()];
    chmodSync(open, 0o770);
    expect([fault(() => makePrivate(kind, join(open, 'it'))), readdirSync(open)]).toEqual(['writable', []]);
    giveAway(foreign);
    expect([fault(() => makePrivate(kind, join(foreign, 'it'))), readdirSync(foreign)]).toEqual(['owner', []]);
  });
});

describe('the folder of compiled code', () => {
  const mode = (path: string) => statSync(path).mode & 0o777;

  it('is made with its parents for its owner alone', () => {
    const above = join(folder(), 'above');
    expect(isOwnFolder(join(above, 'purser'))).toBe(true);
    expect([mode(above), mode(join(above, 'purser'))]).toEqual([0o700, 0o700]);
  });

  it('is closed to others: what Node makes in it has the modes of the umask', () => {
    const cache = folder();
    mkdirSync(join(cache, 'inner'));
    chmodSync(cache, 0o755);
    expect([isOwnFolder(cache), mode(cache)]).toEqual([true, 0o700]);
  });

  it('is not used where others may have written to it, where it is no folder, and where it can not be made', () => {
    const [open, foreign, file] = [folder(), folder(), join(folder(), 'file')];
    chmodSync(open, 0o770);
    giveAway(foreign);
    writeFileSync(file, '');
    const link = join(folder(), 'link');
    symlinkSync(foreign, link);
    expect([open, foreign, file, link, join(file, 'inner')].map(isOwnFolder)).toEqual(Array(5).fill(false));
  });
});
