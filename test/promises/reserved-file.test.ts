import { existsSync, lstatSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reserveFile } from '../../src/files/reserve.ts';
import { folder } from '../support/folder.ts';
import { formNames, forms } from './hostile-files.ts';

// A file that is made before the secret that it is for.

const room = 1_000;

describe('a reserved file', () => {
  it('is its owner’s alone from the beginning, has room, and afterwards what was written', () => {
    const place = folder();
    const path = join(place, 'it');
    const file = reserveFile('deviceKey', path, room);
    expect([lstatSync(path).mode & 0o777, readFileSync(path, 'utf8').trim(), lstatSync(path).size]).toEqual([
      ...[0o600, '', room],
    ]);
    file.fill('a secret\n');
    file.release();
    expect([readFileSync(path, 'utf8'), readdirSync(place)]).toEqual(['a secret\n', ['it']]);
  });

  it('is gone where it was not filled', () => {
    const place = folder();
    reserveFile('deviceKey', join(place, 'it'), room).release();
    expect(readdirSync(place)).toEqual([]);
  });

  it.each(formNames)('is not made where there is %s', async (form) => {
    const path = join(folder(), 'it');
    await forms[form].make(path);
    const before = lstatSync(path).ino;
    expect(() => reserveFile('deviceKey', path, room)).toThrow('already exists');
    expect(lstatSync(path).ino).toBe(before);
  });

  it('that somebody has replaced gets no secret, and neither does what replaced it', () => {
    const path = join(folder(), 'it');
    const file = reserveFile('deviceKey', path, room);
    renameSync(path, `${path}.old`);
    writeFileSync(path, 'of somebody else');
    expect(() => file.fill('a secret')).toThrow('was moved or replaced');
    file.release();
    expect([readFileSync(path, 'utf8'), readFileSync(`${path}.old`, 'utf8').trim()]).toEqual(['of somebody else', '']);
  });

  it('that somebody has removed gets no secret', () => {
    const path = join(folder(), 'it');
    const file = reserveFile('deviceKey', path, room);
    renameSync(path, `${path}.old`);
    expect(() => file.fill('a secret')).toThrow('was moved or replaced');
    file.release();
    expect(existsSync(path)).toBe(false);
  });
});
