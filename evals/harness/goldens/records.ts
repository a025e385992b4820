import { isThere } from '../../../src/files/check.ts';
import { readText } from '../../../src/files/read.ts';
import { replaceFile } from '../../../src/files/write.ts';
import { openMcpSessions } from '../mcp-sessions/player.ts';
import { loadMcpSession, type McpSession, mcpSessionFolder } from '../mcp-sessions/session.ts';
import { packagedPath } from '../scenario/packaged.ts';
import { sessionNames } from '../sessions/folder.ts';
import { loadSession, sessionFolder } from '../sessions/session.ts';
import { sessionText } from '../sessions/text.ts';
import type { Listing } from '../world/mcp.ts';
import { catalogueText } from './catalogue.ts';
import { turnsBetween } from './compare.ts';
import { endsText } from './ends.ts';
import { fieldValuesText } from './field-values.ts';
import { mechanismIn, mechanismsText, mechanismText, mechanismTitles } from './mechanisms.ts';
import { screeningText } from './screening.ts';
import { tablesText } from './tables.ts';

// Goldens that belong to no scenario: the list of tools, what the screening finds, the tables behind them, what becomes of what stories
// rarely hear, what Purser works out by itself, and sessions with the sandbox and with the MCP server.

/** One such golden: what it is called, where it is, and what it should say. */
export interface Listed {
  readonly name: string;
  readonly file: string;
  /** The title of the mechanism that the text is of, where they are recorded one by one. */
  readonly mechanism?: string;
  readonly text: string;
}

/** Whether a record is of what was done, a session or a mechanism; the others say what Purser goes by. */
export const isDone = ({ file, mechanism }: Pick<Listed, 'file' | 'mechanism'>): boolean =>
  mechanism !== undefined || [sessionFolder, mcpSessionFolder].some((folder) => file.startsWith(`${folder}/`));

/** The golden of mechanisms. */
const mechanismsFile = 'evals/mechanisms.golden';

/** What tells a record from the others. */
export const keyOf = ({ file, mechanism }: Pick<Listed, 'file' | 'mechanism'>): string =>
  mechanism === undefined ? file : `${file}, ${mechanism}`;

/** Goldens that show that a cell changed, and not that it is wrong. */
const tables: readonly string[] = ['evals/tables.golden', 'evals/field-values.golden'];
export const isTable = ({ file }: Pick<Listed, 'file'>): boolean => tables.includes(file);

/** A golden and what makes its text. */
interface Recorder extends Omit<Listed, 'text'> {
  readonly make: (listing: () => Promise<Listing>) => string | Promise<string>;
}

const ofTheBuild: readonly Recorder[] = [
  {
    name: 'the list of tools',
    file: 'evals/catalogue.golden',
    make: async (listing) => catalogueText(await listing()),
  },
  { name: 'the screening', file: 'evals/screening.golden', make: screeningText },
  { name: 'the tables', file: 'evals/tables.golden', make: tablesText },
  { name: 'what fields take', file: 'evals/field-values.golden', make: fieldValuesText },
  { name: 'what stories rarely hear', file: 'evals/ends.golden', make: endsText },
  { name: 'the mechanisms', file: mechanismsFile, make: mechanismsText },
];

const mechanismsOneByOne = (): readonly Recorder[] =>
  mechanismTitles().map((mechanism) => ({
    ...{ name: `the mechanism ${mechanism}`, file: mechanismsFile, mechanism },
    make: () => mechanismText(mechanism),
  }));

/** The keys of sessions. */
export const sessionKeys = (): readonly string[] =>
  [...ofSessions(), ...ofMcpSessions(openMcpSessions().play)].map(keyOf);

/** The keys of mechanisms that are recorded one by one. */
export const mechanismKeys = (): readonly string[] => mechanismsOneByOne().map(keyOf);

/** The goldens of what a build goes by, without those of mechanisms. */
export const recordFiles: readonly string[] = ofTheBuild
  .map(({ file }) => file)
  .filter((file) => file !== mechanismsFile);

const ofSessions = (): readonly Recorder[] =>
  sessionNames(sessionFolder).map((name) => ({
    name: `the session ${name}`,
    file: `${sessionFolder}/${name}.golden`,
    make: () => sessionText(loadSession(name)),
  }));

const ofMcpSessions = (play: (session: McpSession) => Promise<string>): readonly Recorder[] =>
  sessionNames(mcpSessionFolder).map((name) => ({
    name: `the session with the MCP server ${name}`,
    file: `${mcpSessionFolder}/${name}.golden`,
    make: () => play(loadMcpSession(name)),
  }));

/** What is recorded of a build. Each is made once it is asked for. */
export const recordsOf = (listing: Listing): AsyncGenerator<Listed> =>
  made(
    () => Promise.resolve(listing),
    (recorders) => recorders,
  );

/** The records with these keys, in this order, with the mechanisms one by one. The list of tools is made if it is needed. */
export const recordsBy = (keys: readonly string[], listing: () => Promise<Listing>): AsyncGenerator<Listed> =>
  made(listing, (recorders) => {
    const all = new Map([...recorders, ...mechanismsOneByOne()].map((it) => [keyOf(it), it]));
    return keys.flatMap((key) => all.get(key) ?? []);
  });

async function* made(
  listing: () => Promise<Listing>,
  chosen: (recorders: readonly Recorder[]) => readonly Recorder[],
): AsyncGenerator<Listed> {
  const mcp = openMcpSessions();
  try {
    for (const { make, ...record } of chosen([...ofTheBuild, ...ofSessions(), ...ofMcpSessions(mcp.play)]))
      yield { ...record, text: await make(listing) };
  } finally {
    await mcp.close();
  }
}

/** The golden of a record; undefined if there is none. */
export function recordIn({ file, mechanism }: Pick<Listed, 'file' | 'mechanism'>): string | undefined {
  const path = packagedPath(file);
  if (!isThere(path)) return undefined;
  const golden = readText('golden', path);
  return mechanism === undefined ? golden : mechanismIn(golden, mechanism);
}

/** What differs between a golden and a record, in words. */
export const recordTurns = (
  golden: string | undefined,
  { file, text }: Pick<Listed, 'file' | 'text'>,
): readonly string[] => {
  if (golden === undefined) return [`${file} is missing; --accept records it`];
  return golden === text ? [] : turnsBetween(golden, text).map(({ at, says }) => `${at}: ${says}`);
};

export const writeRecord = ({ file, text }: Listed): void => replaceFile('golden', packagedPath(file), text);
