import { modelFields, orderings, reachesCustomers } from '../../../src/engine/approval-scope.ts';
import { fieldSourceOf } from '../../../src/engine/field-source.ts';
import { essenceDigest } from '../../../src/engine/near-duplicate.ts';
import { operationOf, type PlatformTool } from '../../../src/engine/tool.ts';
import type { SpendAmount } from '../../../src/engine/tool-policy.ts';
import type { Lines, Mechanisms } from './lines.ts';
import { valueFor } from './schema-values.ts';
import { args, factsOf, platformTools, tried } from './tool-facts.ts';

// What of a call an approval is held against, what it shares with calls that are nearly the same, and which argument a refused field is.

/** How many fields of each tool's whole body an approval covers, how many of them customers read, and which of its query. */
const authoredFields = (): Lines =>
  platformTools.flatMap((tool) => {
    const { body, query } = operationOf(tool);
    const request = { body: body && valueFor(body, 'all'), query: query && valueFor(query, 'all') };
    const fields = Object.keys(modelFields(tool, request as never)); // of the shapes that the operation states
    const [inQuery, inBody] = [fields.filter((it) => it.startsWith('?')), fields.filter((it) => !it.startsWith('?'))];
    const read = inBody.filter((path) => reachesCustomers(tool, path));
    const told = [`${inBody.length} of its body`, `${read.length} read by customers`, ...inQuery].join(', ');
    return fields.length === 0 ? [] : [[tool.name, told] as const];
  });

/** What a call moves, otherwise. */
const otherwise: readonly (readonly [what: string, of: (spend: SpendAmount) => Partial<SpendAmount>])[] = [
  ['as much with more zeros', ({ amount }) => ({ amount: Number(amount).toFixed(2) })],
  ['0.01 more', ({ amount }) => ({ amount: (Number(amount) + 0.01).toFixed(2) })],
  ['0.01 less', ({ amount }) => ({ amount: (Number(amount) - 0.01).toFixed(2) })],
  ['another currency', () => ({ currency: 'USD' })],
  ['a payee in capitals', ({ payee }) => ({ payee: payee.toUpperCase() })],
  ['a payee with blanks', ({ payee }) => ({ payee: ` ${payee.split('').join(' ')}.` })],
  ['another payee', ({ payee }) => ({ payee: `${payee} Two` })],
  ['another instrument', ({ instrument }) => ({ instrument: `${instrument}_two` })],
];

/** A tool that moves something else. */
const moving = (tool: PlatformTool, spend: SpendAmount): PlatformTool => ({
  ...tool,
  policy: { ...tool.policy, spend: () => spend },
});

/** Which changes leave a call nearly the same, and which make another of it: of what it moves, and of each argument. */
const alike = (): Lines =>
  platformTools.flatMap((tool) => {
    if (operationOf(tool).effect === 'read') return [];
    const names = Object.keys(tool.input.args);
    const given = { ...Object.fromEntries(names.map((name) => [name, `its ${name}`])), ...args };
    const facts = factsOf('all', given);
    const spend = tried(() => tool.policy.spend?.(facts));
    const base = essenceDigest(tool, facts);
    const moved =
      spend === undefined || spend === 'unknown'
        ? []
        : otherwise.map(
            ([what, of]) => [what, essenceDigest(moving(tool, { ...spend, ...of(spend) }), facts) === base] as const,
          );
    const named = names.map((name) => {
      const other = factsOf('all', { ...given, [name]: 'other' });
      return [name, tried(() => essenceDigest(tool, other) === base) ?? false] as const;
    });
    const told = [...moved, ...named];
    const those = (isSame: boolean) => told.flatMap(([what, same]) => (same === isSame ? [what] : []));
    return [[tool.name, { same: those(true), another: those(false) }] as const];
  });

/** The argument that is named where the platform refuses a whole, such as an address, of which arguments fill parts. */
const blamed = (): Lines =>
  platformTools.flatMap((tool) => {
    const fields = Object.values(tool.input.args).flatMap(({ fills }) =>
      fills.map(({ path }) => path.replace(/^\?/, '')),
    );
    const wholes = [
      ...new Set(fields.flatMap((path) => [...path.matchAll(/\.|\[\]/g)].map(({ index }) => path.slice(0, index)))),
    ];
    const named = wholes.map((whole) => [whole, fieldSourceOf(tool, whole)?.argument ?? 'none'] as const);
    const told = [...Map.groupBy(named, ([, argument]) => argument)].map(
      ([argument, all]) => `${argument} for ${all.map(([whole]) => whole).join(' ')}`,
    );
    return told.length === 0 ? [] : [[tool.name, told] as const];
  });

/** Sums that are held against an approved one, among them such as their currency doesn't have. */
const narrower = (): Lines =>
  ['GBP', 'JPY', 'KWD'].map((currency) => {
    const isLess = orderings.lessMoney('currency');
    const sums = ['9', '9.99', '10', '10.00', '10.001', '10.01', '11', 'ten', '-1'];
    const covered = sums.map((approved) => {
      const within = sums.filter((now) => isLess(now, approved, { currency }));
      return `${approved} covers ${within.length === 0 ? 'nothing' : within.join(', ')}`;
    });
    return [currency, covered] as const;
  });

export const requestMechanisms: Mechanisms = {
  'what an approval of a request covers': authoredFields,
  'changes that leave a call nearly the same': alike,
  'which sum an approval of another covers': narrower,
  'whose a refused part of a request is': blamed,
};
