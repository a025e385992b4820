import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/store.ts';

export { approval, operation } from './rows-data.ts';

/** A folder of this test alone, removed after it. */
export function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'ledger-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** A ledger of this test alone, closed after it. */
export async function ledger(file = ':memory:'): Promise<Ledger> {
  const opened = await openLedger({ file });
  onTestFinished(() => opened.close());
  return opened;
}
