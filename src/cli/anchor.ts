import { dirname, join } from 'node:path';
import { z } from 'zod';
import { isThere, UnsafeFile } from '../files/check.ts';
import { requireFolder } from '../files/database.ts';
import { kinds } from '../files/kinds.ts';
import { readText } from '../files/read.ts';
import { replaceFile, requireReplaceable } from '../files/write.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { seal } from '../ledger/seal.ts';
import type { Anchor, AnchorStore, Verdict } from '../ledger/verification.ts';
import { BadConfiguration, checkedFile } from './bad-configuration.ts';
import type { Configuration } from './configuration.ts';
import { demandFolder, makeFolder } from './data-folder.ts';
import { nowhere } from './folders.ts';
import { ledgerKey } from './ledger-key.ts';

const shape = z.strictObject({ seq: z.int().min(0), hash: z.string().regex(/^[0-9a-f]{64}$/) });

/**
 * The anchor of this ledger: the configured file, or one in the state folder that is named after the ledger's key, so a
 * new data folder gets a new anchor. Undefined for a ledger in memory.
 */
export function anchorOf(configuration: Configuration): AnchorStore | undefined {
  const file = anchorFile(configuration);
  return file === undefined
    ? undefined
    : { read: () => readAnchor(file), write: (anchor) => writeAnchor(file, anchor) };
}

/**
 * Requires an anchor at start. It is created only for an empty ledger, or on the operator's word: a missing file may
 * have been removed to hide that the ledger was exchanged.
 */
export async function openAnchor(configuration: Configuration, ledger: Ledger): Promise<AnchorStore | undefined> {
  demandAnchorFolder(configuration);
  const anchor = anchorOf(configuration);
  if (anchor === undefined || (configuration.initAnchor !== true && anchor.read() !== undefined)) return anchor;
  const head = await ledger.head();
  const isNamed = configuration.auditAnchorFile !== undefined;
  const isFirst = !isNamed && head.seq === 0;
  if (configuration.initAnchor !== true && !isFirst)
    throw new BadConfiguration(missingSentence(anchorFile(configuration), isNamed));
  if (!isNamed) makeFolder(configuration.state, 'state');
  if (configuration.initAnchor === true) await ledger.reseal();
  anchor.write(head);
  return anchor;
}

const missingSentence = (file: string | undefined, isNamed: boolean): string =>
  `The ledger's anchor ${file} is missing: restore it${isNamed ? '' : ', or the ledger key if it was replaced: the file is named after it'}. If you are sure that this ledger is the latest one, start once with "purser mcp --init-anchor" or "purser serve --init-anchor".`;

/** Throws what a first start would: it creates a folder for the anchor, but no anchor that the operator has named. */
export function demandFirstAnchor({ auditAnchorFile, data, state }: Configuration): void {
  if (auditAnchorFile === undefined && data !== nowhere) demandFolder(state, 'state');
  if (auditAnchorFile !== undefined && !isThere(auditAnchorFile))
    throw new BadConfiguration(missingSentence(auditAnchorFile, true));
}

/** Verifies the whole ledger, and that it is no older than its anchor. */
export async function verifyAnchored(ledger: Ledger, configuration: Configuration): Promise<Verdict> {
  const anchor = anchorOf(configuration)?.read();
  const isMissing = anchor === undefined && anchorFile(configuration) !== undefined;
  if (isMissing && (configuration.auditAnchorFile !== undefined || (await ledger.head()).seq > 0))
    return {
      ok: false,
      because: `Its anchor ${anchorFile(configuration)} is missing, or its ledger key was replaced.`,
    };
  return ledger.verify(anchor);
}

/** What an operator can do about a ledger that doesn't verify. */
export const todoOf = ({ unanchored }: Extract<Verdict, { ok: false }>): string =>
  unanchored ? `Restore the last backup. ${ifLatest}` : 'Keep the file and restore the last backup.';

const ifLatest =
  'If this is the last backup, compare it with the platform, and start once with "purser mcp --init-anchor" or "purser serve --init-anchor".';

/** What a start says of a ledger that is older than its anchor; undefined if it isn't. */
export async function olderSentence(configuration: Configuration, ledger: Ledger): Promise<string | undefined> {
  const anchor = anchorOf(configuration)?.read();
  if (anchor === undefined || (await ledger.containsAnchor(anchor))) return undefined;
  return `The ledger is older than its anchor ${anchorFile(configuration)}, so nothing is sent that changes something. ${ifLatest}`;
}

/** Throws BadConfiguration where others may write the anchor's folder: they could put an older anchor of this user back. */
export function demandAnchorFolder({ auditAnchorFile, data, state }: Configuration): void {
  const folder = auditAnchorFile === undefined ? state : dirname(auditAnchorFile);
  const isUsed = auditAnchorFile !== undefined || data !== nowhere;
  if (!isUsed || !isThere(folder)) return;
  try {
    requireFolder(kinds.anchor.what, folder);
  } catch (error) {
    if (!(error instanceof UnsafeFile)) throw error;
    const setting = auditAnchorFile === undefined ? 'PURSER_STATE' : 'auditAnchorFile';
    throw new BadConfiguration(`${error.message} It keeps the anchor: ${setting} names another.`, { cause: error });
  }
}

/** The file of the anchor; undefined for a ledger in memory. */
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
  throw new BadConfiguration(`${file} is not a valid anchor file: restore it.`);
}

/** Durable when it returns: the anchor survives a crash of the machine. */
const writeAnchor = (file: string, anchor: Anchor): void =>
  checkedFile(() => replaceFile('anchor', file, textOf(anchor)));

const textOf = (anchor: Anchor): string => `${JSON.stringify(anchor)}\n`;

/** Throws BadConfiguration if an anchor that exists can't be moved, or one that a start creates has no folder. */
export function demandMovable(configuration: Configuration): void {
  const file = anchorFile(configuration);
  const anchor = file === undefined ? undefined : readAnchor(file);
  if (anchor === undefined && configuration.auditAnchorFile === undefined) demandFirstAnchor(configuration);
  if (file !== undefined && anchor !== undefined) checkedFile(() => requireReplaceable('anchor', file, textOf(anchor)));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the caller reports the invalid file
  }
}
