import { contract } from '../../../src/domains/index.ts';
import type { Scope } from '../../../src/engine/policy-scopes.ts';
import type { SpendingPolicy } from '../../../src/engine/spending-policy.ts';
import { tools } from '../../../tools/index.ts';
import { raised } from './money.ts';
import type { Mutant, MutationKind } from './mutant.ts';

// What an operator allows is data: a mutant is the same limits, or the same standing mandates, with one term that is wrong.

/** Which terms a world has set: `limits count`, `mandates per day`; and `limits` where there is any. */
export const termsSet = (settings: { readonly [list in List]: readonly SpendingPolicy[] }): ReadonlySet<string> =>
  new Set(
    lists.flatMap(({ list }) =>
      settings[list].flatMap((terms) => [
        list,
        ...Object.entries(terms).flatMap(([term, value]) =>
          value === undefined
            ? []
            : [`${list} ${term}`, ...(term === 'per' ? terms.per : []).map((it) => `${list} per ${it}`)],
        ),
      ]),
    ),
  );

type List = (typeof lists)[number]['list'];
const lists = [
  { list: 'limits', rule: 'EN-11' },
  { list: 'mandates', rule: 'EN-04' },
] as const;

type Change = (terms: SpendingPolicy) => SpendingPolicy;
type Row = readonly [term: string, how: MutationKind, change: Change];

const without =
  (term: keyof SpendingPolicy): Change =>
  (terms) => ({ ...terms, [term]: undefined });
const withinAll =
  (scope: Scope): Change =>
  (terms) => ({ ...terms, per: terms.per.filter((part) => part !== scope) });
const sums = (['perCall', 'total'] as const).flatMap((term): Row[] => {
  const by =
    (minor: number): Change =>
    (terms) => ({ ...terms, [term]: raised(terms[term], terms.currency, minor) });
  return [
    [term, 'drop', without(term)],
    [term, 'boundary +1', by(1)],
    [term, 'boundary -1', by(-1)],
  ];
});
const oneOf = (['payees', 'instruments'] as const).flatMap((term): Row[] => [
  [term, 'drop', without(term)],
  [term, 'negate', (terms) => ({ ...terms, [term]: terms[term] && [] })],
]);
const counted =
  (by: number): Change =>
  ({ count, ...terms }) => ({ ...terms, count: count && count + by });
const ending =
  (milliseconds: number): Change =>
  ({ until, ...terms }) => ({ ...terms, until: until && new Date(Date.parse(until) + milliseconds).toISOString() });

const rows: readonly Row[] = [
  ...sums,
  ['count', 'drop', without('count')],
  ['count', 'boundary +1', counted(1)],
  ['count', 'boundary -1', counted(-1)],
  ...oneOf,
  ['until', 'ignore time', without('until')],
  ['until', 'boundary +1', ending(1_000)],
  ['until', 'boundary -1', ending(-1_000)],
  // A story is one conversation, so counting by it is counting everything: `session` has no mutant.
  ['per day', 'ignore time', withinAll('day')],
  ['per shopper', 'drop', withinAll('shopper')],
  ['per instruction', 'drop', withinAll('instruction')],
];

const moneyTools: readonly string[] = tools.flatMap((tool) =>
  tool.kind === 'platform' && contract[tool.operation].effect === 'money' ? [tool.name] : [],
);
/** The tools of all terms, and their currencies, as if each were about every other. */
const everywhere: readonly (readonly [
  term: string,
  how: MutationKind,
  change: (all: readonly SpendingPolicy[]) => readonly SpendingPolicy[],
])[] = [
  ['', 'drop', () => []],
  ['tools', 'drop', (all) => all.map((terms) => ({ ...terms, tools: moneyTools }))],
  ['currency', 'drop', (all) => [...all, ...all.map(inEuros)]],
];
/** The same terms in another currency, in which their sums mean nothing. */
const inEuros: Change = (terms) => ({ ...terms, currency: 'EUR', perCall: undefined, total: undefined });

export const termMutants: readonly Mutant[] = lists.flatMap(({ list, rule }) => {
  const mutant = (
    term: string,
    how: MutationKind,
    change: (all: readonly SpendingPolicy[]) => readonly SpendingPolicy[],
  ): Mutant => {
    const where = term === '' ? list : `${list} ${term}`;
    return {
      id: `${rule}/${where}/${how}`,
      rule,
      kind: how,
      alter: ({ settings, ...parts }) => ({ ...parts, settings: { ...settings, [list]: change(settings[list]) } }),
      touches: ({ terms }) => terms.has(where),
    };
  };
  return [
    ...everywhere.map((row) => mutant(...row)),
    ...rows.map(([term, how, change]) => mutant(term, how, (all) => all.map(change))),
  ];
});
