import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';
import { bundled } from '../../scripts/bundle.ts';

/** A program that tests start as a process of its own, and the variables with which Node keeps what it has compiled of it. */
export interface Program {
  readonly file: string;
  readonly env: { readonly NODE_COMPILE_CACHE: string };
}

/** Scripts start the same programs. */
const isTest = process.env.VITEST !== undefined;

function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'purser-program-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const programs = new Map<string, Promise<Program>>();

/** Bundles a program as it is now, once for this process: it starts in less than half of the time that its sources take. */
export function programOf(source: URL): Promise<Program> {
  const program = programs.get(source.href) ?? bundle(source);
  programs.set(source.href, program);
  return program;
}

async function bundle(source: URL): Promise<Program> {
  const folder = isTest ? mkdtempSync(join(inject('runFolder'), 'program-')) : ownFolder();
  await bundled({ program: fileURLToPath(source) }, folder);
  return { file: join(folder, 'program.js'), env: { NODE_COMPILE_CACHE: join(folder, 'compiled') } };
}
