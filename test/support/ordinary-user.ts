import { chownSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const NOBODY = 65_534;

/** Root may write anything: hands files and folders over, with what is in them, and acts as nobody for the time of `work`. */
export async function asOrdinaryUser(paths: readonly string[], work: () => Promise<void>): Promise<void> {
  if (process.getuid?.() !== 0) return work();
  for (const path of paths) handOver(path);
  process.seteuid?.(NOBODY);
  return work().finally(() => process.seteuid?.(0));
}

function handOver(path: string): void {
  chownSync(path, NOBODY, NOBODY);
  if (lstatSync(path).isDirectory()) for (const name of readdirSync(path)) handOver(join(path, name));
}
