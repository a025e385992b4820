import { join } from 'node:path';
import { z } from 'zod';
import { isThere } from '../files/check.ts';
import { readText } from '../files/read.ts';
import { replaceFile } from '../files/write.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { seal } from '../ledger/seal.ts';
import type { Anchor, AnchorStore, Verdict } from '../ledger/verification.ts';
import { BadConfiguration, type Configuration, checkedFile } from './config.ts';
import { nowhere } from './folders.ts';
import { ledgerKey } from './ledger-key.ts';
import { makeFolder } from './storage-paths.ts';

const shape = z.strictObject({ seq: z.int().min(0), hash: z.string().regex(/^[0-9a-f]{64}$/) });

/**
 * The anchor of this ledger: the configured file, or one in the state folder. That one is named after the ledger's key, so a
 * new data folder begins with a new anchor. Undefined where the ledger is in memory.
 */
export function anchorOf(configuration: Configuration): AnchorStore | undefined {
  const file = anchorFile(configuration);
  return file === undefined
    ? undefined
    : { read: () => readAnchor(file), write: (anchor) => writeAnchor(file, anchor) };
}

/**
 * Demands that an anchor exists before anything starts. It is made for a ledger that is empty, unless the operator has named
 * the file: a missing one may have been removed together with an exchange of the ledger.
 */
export async function openAnchor(configuration: Configuration, ledger: Ledger): Promise<AnchorStore | undefined> {
  const anchor = anchorOf(configuration);
  if (anchor === undefined || (configuration.initAnchor !== true && anchor.read() !== undefined)) return anchor;
  const head = await ledger.head();
  const isFirst = configuration.auditAnchorFile === undefined && head.seq === 0;
  if (configuration.initAnchor !== true && !isFirst)
    throw new BadConfiguration(
      `The anchor ${anchorFile(configuration)} of the ledger is missing: restore it. If the ledger is the newest one, start once with "purser mcp --init-anchor" or "purser serve --init-anchor".`,
    );
  if (configuration.auditAnchorFile === undefined) makeFolder(configuration.state);
  if (configuration.initAnchor === true) await ledger.reseal();
  anchor.write(head);
  return anchor;
}

/** Verifies the whole ledger, and that it is no older than its anchor. */
export async function verifyAnchored(ledger: Ledger, configuration: Configuration): Promise<Verdict> {
  const anchor = anchorOf(configuration)?.read();
  const isMissing = anchor === undefined && anchorFile(configuration) !== undefined;
  if (isMissing && (configuration.auditAnchorFile !== undefined || (await ledger.head()).seq > 0))
    return { ok: false, because: `Its anchor ${anchorFile(configuration)} is missing.` };
  return ledger.verify(anchor);
}

/** Where the anchor is kept; undefined where nothing is. */
export function anchorFile(configuration: Configuration): string | undefined {
  const { auditAnchorFile, data, state, environment } = configuration;
  if (auditAnchorFile !== undefined || data === nowhere) return auditAnchorFile;
  const id = seal(ledgerKey(configuration), `anchor of ${environment}`);
  return join(state, `${environment}-${id.slice(0, ID_LETTERS)}.anchor.json`);
}

const ID_LETTERS = 16;

function readAnchor(file: string): Anchor | undefined {
  if (!isThere(file)) return undefined;
  const read = shape.safeParse(parsed(checkedFile(() => readText('anchor', file))));
  if (read.success) return read.data;
  throw new BadConfiguration(`${file} is not an anchor of an audit chain: restore it.`);
}

/** When it returns, the anchor survives a crash of the machine. */
const writeAnchor = (file: string, anchor: Anchor): void =>
  checkedFile(() => replaceFile('anchor', file, `${JSON.stringify(anchor)}\n`));

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the caller says what is wrong with it
  }
}
