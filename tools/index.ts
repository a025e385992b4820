import type { domains } from '../src/contract/index.ts';
import type { Tool } from '../src/engine/tool.ts';
import { billing } from './billing.ts';
import { invoicing } from './invoicing.ts';
import { lookups, purchaseLookups } from './lookups.ts';
import { operations } from './operations.ts';
import { purchase } from './purchase.ts';
import { listsPurchases } from './purchase-list.ts';

/** The tools of each domain: a domain without any does not compile. */
const byDomain: { readonly [D in keyof typeof domains]: readonly Tool[] } = {
  purchase: [...purchase, ...purchaseLookups, ...listsPurchases],
  billing,
  invoicing,
};

/** A toolset is the tools of a domain, and with each of them go those that look up who is there and what was done. */
export type Toolset = keyof typeof byDomain;

/** Every tool, in the order in which agents see them. */
export const tools: readonly Tool[] = [...lookups, ...Object.values(byDomain).flat(), ...operations];

const toolsets = new Map(
  Object.entries(byDomain).flatMap(([toolset, its]) => its.map(({ name }) => [name, toolset as Toolset] as const)),
);

/** The toolset of a tool; undefined for one that goes with all of them. */
export const toolsetOf = (tool: Tool): Toolset | undefined => toolsets.get(tool.name);
