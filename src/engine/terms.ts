import { kindTable } from '../domains/index.ts';
import type { SpendingPolicy } from './spending-policy.ts';
import { operationOf, type PlatformTool, type Tool } from './tool.ts';

// The terms of limits and mandates that apply to a tool. A term that could never apply is refused at startup, because
// its author would rely on it.

/** Bounds of calls. `currency` alone is a bound for a tool that has an amount. */
export const boundNames = ['currency', 'perCall', 'total', 'count', 'payees', 'instruments', 'until'] as const;
export type BoundName = (typeof boundNames)[number];

/** The bounds of each kind of amount. A price is charged repeatedly, so a sum of prices means nothing. */
const ofAmount = {
  spend: ['currency', 'perCall', 'total', 'payees'],
  bill: ['currency', 'perCall', 'total', 'payees'],
  price: ['currency', 'perCall'],
} as const satisfies { readonly [kind: string]: readonly BoundName[] };

/** The bounds that apply to a tool. None apply to a tool that only reads. */
export function boundsOf(tool: Tool): readonly BoundName[] {
  if (tool.kind === 'local' || operationOf(tool).effect === 'read') return [];
  const amounts: readonly BoundName[] =
    tool.policy.spend === undefined ? [] : ofAmount[tool.policy.amountIs ?? 'spend'];
  const cards: readonly BoundName[] = isPaidByCard(tool) ? ['instruments'] : [];
  return boundNames.filter((name) => name === 'count' || name === 'until' || [...amounts, ...cards].includes(name));
}

/** Whether a mandate can approve calls of a tool. It must move money. */
export const isMandated = (tool: Tool): boolean =>
  tool.kind === 'platform' && tool.policy.spend !== undefined && tool.policy.amountIs === undefined;

const isPaidByCard = ({ policy, input }: PlatformTool): boolean =>
  policy.spend !== undefined &&
  policy.amountIs === undefined &&
  Object.values(input.args).some(({ kind }) => kind !== undefined && kindTable[kind].namesCard);

/** Why a bound can't apply to a tool; null if all apply. */
export function unfit(terms: SpendingPolicy, tool: Tool, as: 'limit' | 'mandate'): string | null {
  const bounds = boundsOf(tool);
  if (bounds.length === 0) return `${tool.name} changes nothing, so no ${as} applies to it`;
  if (as === 'mandate' && !isMandated(tool)) return `${tool.name} has no amount, so no mandate can approve it`;
  const named = boundNames.filter((name) => name !== 'currency' && terms[name] !== undefined);
  const idle = named.find((name) => !bounds.includes(name));
  if (idle !== undefined) return `${tool.name} has nothing that "${idle}" applies to`;
  return named.length === 0 && !bounds.includes('currency') ? `it has no term that applies to ${tool.name}` : null;
}
