import type { domains } from '../src/domains/index.ts';
import { isCallableBy } from '../src/engine/callers.ts';
import type { Tool } from '../src/engine/tool.ts';
import { billing } from './billing/index.ts';
import { conversion } from './conversion/index.ts';
import { device } from './device/index.ts';
import { invoicing } from './invoicing/index.ts';
import { operations } from './operations.ts';
import { passkey } from './passkey/index.ts';
import { purchase } from './purchase/index.ts';
import { listsPurchases } from './purchase/list-purchases.ts';
import { reporting } from './reporting/index.ts';
import { lookups, purchaseLookups } from './shoppers.ts';
import { webhooks } from './webhooks/index.ts';

/**
 * The tools of each toolset: a domain, or a part of a domain that few agents need. Every toolset also gets the tools for
 * shoppers and operations. A domain without tools doesn't compile.
 */
const byToolset = {
  purchase: [...purchase, ...purchaseLookups, ...listsPurchases],
  passkey,
  conversion,
  billing,
  invoicing: invoicing.invoices,
  settings: invoicing.settings,
  webhooks,
  reporting,
  device,
} satisfies { readonly [D in keyof typeof domains]: readonly Tool[] } & { readonly settings: readonly Tool[] };

export type Toolset = keyof typeof byToolset;

/** Every tool: the agents', and those with which the merchant's app or a customer makes a call. */
export const everyTool: readonly Tool[] = [...lookups, ...Object.values(byToolset).flat(), ...operations];

/** The tools of agents, in the order in which agents see them. */
export const tools: readonly Tool[] = everyTool.filter((tool) => isCallableBy(tool, 'agent'));

const toolsets = new Map(
  Object.entries(byToolset).flatMap(([toolset, its]) =>
    its.map(({ name }: Tool) => [name, toolset as Toolset] as const),
  ),
);

/** The toolset of a tool; undefined for a tool that every toolset has. */
export const toolsetOf = (tool: Tool): Toolset | undefined => toolsets.get(tool.name);
