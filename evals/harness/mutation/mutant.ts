import type { RuleId } from '../../../src/core/rules.ts';
import type { EngineParts } from '../../../src/engine/parts.ts';
import type { PlatformTool, Tool } from '../../../src/engine/tool.ts';
import type { Alter } from '../world/world.ts';

/** One change that makes one rule wrong. */
export interface Mutant {
  /** `<rule>/<where>/<how>`. */
  readonly id: string;
  readonly rule: RuleId;
  readonly kind: MutationKind;
  readonly alter: Alter;
  /** Whether a scenario could notice it: it evaluated the guard, called the tool or set the limit. */
  readonly touches: (seen: Seen) => boolean;
}

export const mutationKinds = ['drop', 'negate', 'boundary +1', 'boundary -1', 'ignore state', 'ignore time'] as const;
export type MutationKind = (typeof mutationKinds)[number];

/** What a scenario touched in an unmutated run. */
export interface Seen {
  /** Indexes of the guards that were evaluated, and the facts that each read. */
  readonly guards: ReadonlyMap<number, ReadonlySet<string>>;
  /** The tools that were called, by whomever, and whose thing has a state that was looked at. */
  readonly tools: ReadonlySet<string>;
  /** The terms of limits and mandates that the world sets, such as `limits count`. */
  readonly terms: ReadonlySet<string>;
}

/** Alters one tool, or those to which it applies. */
export const onTools =
  (change: (tool: PlatformTool) => Partial<PlatformTool>, name?: string): Alter =>
  (parts) => ({
    ...parts,
    tools: parts.tools.map(
      (tool): Tool =>
        tool.kind === 'platform' && (name === undefined || tool.name === name) ? { ...tool, ...change(tool) } : tool,
    ),
  });

export const onSettings =
  (change: (it: EngineParts['settings']) => Partial<EngineParts['settings']>): Alter =>
  (parts) => ({ ...parts, settings: { ...parts.settings, ...change(parts.settings) } });

const always = (): boolean => true;
export const mutant = (
  rule: RuleId,
  where: string,
  how: MutationKind,
  alter: Alter,
  touches: Mutant['touches'] = always,
): Mutant => ({
  id: `${rule}/${where}/${how}`,
  rule,
  kind: how,
  alter,
  touches,
});
