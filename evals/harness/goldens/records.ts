import { isThere } from '../../../src/files/check.ts';
import { readText } from '../../../src/files/read.ts';
import { replaceFile } from '../../../src/files/write.ts';
import { type McpSessions, openMcpSessions } from '../mcp-sessions/player.ts';
import { mcpSessionFolder } from '../mcp-sessions/session.ts';
import { packagedPath } from '../scenario/packaged.ts';
import { loadSessions, sessionFolder } from '../sessions/session.ts';
import { sessionText } from '../sessions/text.ts';
import type { Listing } from '../world/mcp.ts';
import { catalogueText } from './catalogue.ts';
import { turnsBetween } from './compare.ts';
import { endsText } from './ends.ts';
import { fieldValuesText } from './field-values.ts';
import { mechanismsText } from './mechanisms.ts';
import { screeningText } from './screening.ts';
import { tablesText } from './tables.ts';

// Goldens that belong to no scenario: the list of tools, what the screening finds, the tables behind them, what becomes of what stories
// rarely hear, what Purser works out by itself, and sessions with the sandbox and with the MCP server.

/** One such golden: what it is called, where it is, and what it should say. */
export interface Listed {
  readonly name: string;
  readonly file: string;
  readonly text: string;
}

/** Whether a record is a session, which does something; the others say what Purser goes by. */
export const isSession = ({ file }: Pick<Listed, 'file'>): boolean =>
  [sessionFolder, mcpSessionFolder].some((folder) => file.startsWith(`${folder}/`));

/** The golden of mechanisms, which are run as sessions are: what they come by is noted by itself. */
export const mechanismsFile = 'evals/mechanisms.golden';

/** Goldens that show that a cell changed, and not that it is wrong. */
const tables: readonly string[] = ['evals/tables.golden', 'evals/field-values.golden'];
export const isTable = ({ file }: Pick<Listed, 'file'>): boolean => tables.includes(file);

/** A golden and what makes its text. */
interface Recorder extends Omit<Listed, 'text'> {
  readonly make: (listing: Listing) => string | Promise<string>;
}

const ofTheBuild: readonly Recorder[] = [
  { name: 'the list of tools', file: 'evals/catalogue.golden', make: catalogueText },
  { name: 'the screening', file: 'evals/screening.golden', make: screeningText },
  { name: 'the tables', file: 'evals/tables.golden', make: tablesText },
  { name: 'what fields take', file: 'evals/field-values.golden', make: fieldValuesText },
  { name: 'what stories rarely hear', file: 'evals/ends.golden', make: endsText },
  { name: 'the mechanisms', file: mechanismsFile, make: mechanismsText },
];

/** The goldens of what a build goes by. */
export const recordFiles: readonly string[] = ofTheBuild.map(({ file }) => file);

const ofSessions = (): readonly Recorder[] =>
  loadSessions().map((session) => ({
    name: `the session ${session.name}`,
    file: `${sessionFolder}/${session.name}.golden`,
    make: () => sessionText(session),
  }));

const ofMcpSessions = ({ sessions, play }: McpSessions): readonly Recorder[] =>
  sessions.map((session) => ({
    name: `the session with the MCP server ${session.name}`,
    file: `${mcpSessionFolder}/${session.name}.golden`,
    make: () => play(session),
  }));

/** What is recorded of a build, or a part of it. Each is made once it is asked for. */
export async function* recordsOf(
  listing: Listing,
  isWanted: (record: Omit<Listed, 'text'>) => boolean = () => true,
): AsyncGenerator<Listed> {
  const mcp = openMcpSessions();
  try {
    for (const { name, file, make } of [...ofTheBuild, ...ofSessions(), ...ofMcpSessions(mcp)].filter(isWanted))
      yield { name, file, text: await make(listing) };
  } finally {
    await mcp.close();
  }
}

/** The golden of a record; undefined if there is none. */
export function recordIn({ file }: Pick<Listed, 'file'>): string | undefined {
  const path = packagedPath(file);
  return isThere(path) ? readText('golden', path) : undefined;
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
