import { z } from 'zod';
import { isThere } from '../files/judge.ts';
import { readText } from '../files/read.ts';
import { replaceFile } from '../files/write.ts';
import type { Anchor, Ledger } from '../ledger/ledger.ts';
import { BadConfiguration, checkedFile } from './config.ts';

const shape = z.strictObject({ seq: z.int().min(0), hash: z.string().regex(/^[0-9a-f]{64}$/) });

/** The head of the audit chain as it was last noted; undefined where none was. */
export function readAnchor(file: string | undefined): Anchor | undefined {
  if (file === undefined || !isThere(file)) return undefined;
  const read = shape.safeParse(parsed(checkedFile(() => readText('anchor', file))));
  if (read.success) return read.data;
  throw new BadConfiguration(`${file} is no anchor of an audit chain: restore it, or delete it to begin anew.`);
}

/** Notes the head of a chain that is whole. A broken chain leaves the old note, which shows what is wrong. */
export async function writeAnchor(file: string | undefined, ledger: Ledger): Promise<void> {
  if (file === undefined) return;
  const verdict = await ledger.verify(readAnchor(file));
  if (!verdict.ok || verdict.rows === 0) return;
  const note = `${JSON.stringify({ seq: verdict.rows, hash: verdict.head })}\n`;
  checkedFile(() => replaceFile('anchor', file, note));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the caller says what is wrong with it
  }
}
