import { z } from 'zod';

// What the shapes of a scenario's parts have in common.

/** Characters of a line. Own choice. */
const lineCharacters = 2_000;

export const line = z.string().min(1).max(lineCharacters);
export const tool = z.string().regex(/^[a-zA-Z][\w.-]{0,63}$/, 'must be the name of a tool');
export const ruleId = z.string().regex(/^[A-Z][A-Z0-9]*-\d{2,}$/, 'must be the id of a rule, such as AP-08');
export const money = z.string().regex(/^\d+(\.\d+)?$/, 'must be an amount as decimal text');
export const values = z.record(z.string(), z.json());
/** What is expected must be able to fail: a list or an object without members expects nothing. */
export const expects = (it: object): boolean => Object.keys(it).length > 0;
export const expected = 'must expect something';
export const someValues = values.refine(expects, expected);
