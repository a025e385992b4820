import { createHmac } from 'node:crypto';
import { stateKey } from './connection.ts';
import type { Spoilt } from './session.ts';

// The signed state of a question, as whoever has it on the way could spoil it.

/** A moment that is over, in seconds. */
const past = 1;

/** A request state that was spoiled. */
export const spoiled = (state: string, how: Spoilt): string => ways[how](state);

const ways: { readonly [S in Spoilt]: (state: string) => string } = {
  cut: (state) => state.slice(0, -1),
  changed: (state) => state.replace(/\.(.)/, (_, letter: string) => `.${letter === 'a' ? 'b' : 'a'}`),
  foreign: (state) => signed(contentOf(state), 'a key of somebody who has no key at all'),
  // Only Purser can sign, so this is a state as it will be once its time is over.
  late: (state) => signed({ ...contentOf(state), exp: past }, stateKey),
};

const contentOf = (state: string): object =>
  JSON.parse(Buffer.from(state.split('.')[1] ?? '', 'base64url').toString()) as object;

function signed(content: object, key: string): string {
  const text = `v1.${Buffer.from(JSON.stringify(content)).toString('base64url')}`;
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
}
