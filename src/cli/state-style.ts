import { type Painted, paint } from './output.ts';

/** The style of a state or verdict in every command; other words are plain. */
// biome-ignore format: a table
const looks = new Map([
  ['ok', 'good'],        ['warn', 'warned'],      ['fail', 'bad'],
  ['SUCCEEDED', 'good'], ['FAILED', 'bad'],       ['UNKNOWN', 'bad'],
  ['PROPOSED', 'warned'], ['SENDING', 'warned'],  ['REQUESTED', 'warned'],
  ['APPROVED', 'good'],  ['CONSUMED', 'good'],    ['DENIED', 'bad'],
  ['EXPIRED', 'faint'],  ['WITHDRAWN', 'faint'],
] as const);

export const state = (name: string): Painted => paint((looks as ReadonlyMap<string, Painted['look']>).get(name), name);
