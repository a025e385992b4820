import { leaves } from '../core/fields.ts';
import { kinds, kindTable } from '../domains/index.ts';
import { isCallableBy } from './callers.ts';
import type { SpendingPolicy } from './spending-policy.ts';
import { isRead, operationOf, type PlatformTool, type Tool } from './tool.ts';

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
  if (tool.kind === 'local' || isRead(tool)) return [];
  const amounts: readonly BoundName[] =
    tool.policy.spend === undefined ? [] : ofAmount[tool.policy.amountIs ?? 'spend'];
  const cards: readonly BoundName[] = isPaidByCard(tool) ? ['instruments'] : [];
  return boundNames.filter((name) => name === 'count' || name === 'until' || [...amounts, ...cards].includes(name));
}

/** Whether calls of a tool move money. */
export const movesMoney = (tool: Tool): tool is PlatformTool =>
  tool.kind === 'platform' && tool.policy.spend !== undefined && tool.policy.amountIs === undefined;

/** Whether a mandate can approve calls of a tool. It must move money, be the agent's, and need no person each time. */
export const isMandated = (tool: Tool): boolean =>
  movesMoney(tool) && isCallableBy(tool, 'agent') && tool.policy.approval?.noMandate !== true;

const isPaidByCard = (tool: PlatformTool): boolean => movesMoney(tool) && namesCard(tool) && !isPaidByDefault(tool);

const namesCard = ({ input }: PlatformTool): boolean =>
  Object.values(input.args).some(({ kind }) => kind !== undefined && kindTable[kind].namesCard);

/** Whether all that the platform hears of the card is whose it is: then it charges the customer's default card. */
function isPaidByDefault(tool: PlatformTool): boolean {
  const { path = {}, body } = operationOf(tool);
  const places = [
    ...Object.values(path as Readonly<Record<string, string>>),
    ...(body === undefined ? [] : leaves(body).map(({ field }) => field.at ?? '')),
  ];
  const told = kinds
    .filter((kind) => kindTable[kind].namesCard)
    .flatMap((kind) => places.filter((place) => place.startsWith(`${kind}.`)).map((place) => [kind, place] as const));
  return told.length > 0 && told.every(([kind, place]) => kindTable[kind].namesOwner?.includes(memberIn(place)));
}

const memberIn = (place: string): string => place.slice(place.indexOf('.') + 1);

/** Why a bound can't apply to a tool; null if all apply. */
export function unfit(terms: SpendingPolicy, tool: Tool, as: 'limit' | 'mandate'): string | null {
  const bounds = boundsOf(tool);
  if (bounds.length === 0) return `${tool.name} changes nothing, so no ${as} applies to it`;
  if (as === 'mandate' && !movesMoney(tool)) return `${tool.name} has no amount, so no mandate can approve it`;
  if (as === 'mandate' && movesMoney(tool) && !isMandated(tool))
    return isCallableBy(tool, 'agent') || tool.policy.approval?.noMandate === true
      ? `a person approves every call of ${tool.name}, whatever its amount`
      : `no agent calls ${tool.name}, so there is nothing that a mandate approves`;
  const named = boundNames.filter((name) => name !== 'currency' && terms[name] !== undefined);
  const idle = named.find((name) => !bounds.includes(name));
  if (idle === 'instruments' && movesMoney(tool) && namesCard(tool))
    return `"instruments" can't apply to ${tool.name}: the platform charges the customer's default card, whichever card the call names`;
  if (idle !== undefined) return `${tool.name} has nothing that "${idle}" applies to`;
  return named.length === 0 && !bounds.includes('currency') ? `it has no term that applies to ${tool.name}` : null;
}

/** Why the scope of terms has no effect; null if it has one. Its author may take the bound of a call for one of the whole scope. */
export const idleScope = ({ per, total, count }: SpendingPolicy): string | null =>
  per.length > 0 && total === undefined && count === undefined
    ? `"per" (${per.join(', ')}) only groups "total" and "count", and neither is given. Add one of them, or remove "per": "perCall" bounds each call by itself.`
    : null;
