import type { PlatformTool } from '../../src/engine/tool.ts';

type Part = 'input' | 'policy' | 'observe' | 'present' | 'reconcile';
export type Parts = {
  readonly [P in Part]?: { readonly [M in keyof PlatformTool[P]]?: PlatformTool[P][M] | undefined };
};

/** The same tool with some members of its parts replaced; a member that is undefined is left out. */
export const withParts = (tool: PlatformTool, parts: Parts): PlatformTool => ({
  ...tool,
  ...Object.fromEntries(
    (Object.entries(parts) as [Part, object][]).map(([part, change]) => [
      part,
      Object.fromEntries(
        Object.entries({ ...tool[part], ...change }).filter(
          ([, value]: readonly [string, unknown]) => value !== undefined,
        ),
      ),
    ]),
  ),
});
