import type { Effect } from '../../../src/core/operation.ts';
import { rules } from '../../../src/core/rules.ts';
import { contract } from '../../../src/domains/index.ts';
import { type Listed, listedInput } from '../../../src/engine/schema.ts';
import { faultKinds } from '../../../src/sandbox/documents.ts';
import { everyTool, tools } from '../../../tools/index.ts';

// The rules, tools and faults that scenarios can name.

/** Faults inside Purser, besides those of the platform. */
export const ownFaults = [
  'crash-before-sending',
  'crash-after-answer',
  'audit-broken',
  'approval-forged',
  'ledger-older',
  'anchor-unwritable',
  'storage-full',
] as const;
export type OwnFault = (typeof ownFaults)[number];
/** Faults that halt all sending. */
export const haltingFaults: readonly string[] = [
  'audit-broken',
  'approval-forged',
  'ledger-older',
  'anchor-unwritable',
] satisfies readonly OwnFault[];
/** Faults after which the ledger itself is not what it was. */
export const spoilingFaults: readonly string[] = ['audit-broken', 'ledger-older'] satisfies readonly OwnFault[];
export const isOwnFault = (kind: string): kind is OwnFault => ownFaults.some((one) => one === kind);

/** What a scenario may name. */
export interface Catalogue {
  /** The known rules; `declared` if the scenario file declares them, for an external server. */
  readonly rules: ReadonlySet<string> | 'declared';
  readonly tools: ReadonlySet<string>;
  /** Tools that no agent has, but the merchant's app and the customer's page: faults hit their requests, too. */
  readonly others?: ReadonlySet<string>;
  readonly faults: ReadonlySet<string>;
}

/** What scenarios about Purser may name. */
export const purserCatalogue: Catalogue = {
  rules: new Set(Object.keys(rules)),
  tools: new Set(tools.map(({ name }) => name)),
  others: new Set(everyTool.map(({ name }) => name)),
  faults: new Set([...faultKinds, ...ownFaults]),
};

const byName = new Map(tools.map((tool) => [tool.name, tool]));

export const toolsByOperation = {
  /** The platform's operation behind a tool. */
  operationOf: (name: string): keyof typeof contract => {
    const tool = everyTool.find((it) => it.name === name);
    if (tool?.kind !== 'platform') throw new Error(`${name} sends nothing to the platform, so no fault can hit it.`);
    return tool.operation;
  },
} as const;

/** The platform tool of a name, if it is one. */
export const platformToolOf = (name: string) => {
  const tool = byName.get(name);
  return tool?.kind === 'platform' ? tool : undefined;
};

/** The JSON Schema of a tool's arguments, as agents read it. */
export const argumentsOf = (name: string): Listed => {
  const tool = byName.get(name);
  return tool === undefined ? {} : listedInput(tool.inputSchema);
};

/** A tool's effect. An unknown tool may write. */
export function effectOf(name: string): Effect {
  const tool = byName.get(name);
  if (tool === undefined) return 'write';
  return tool.kind === 'local' ? tool.effect : contract[tool.operation].effect;
}
