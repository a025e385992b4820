import { readPage } from '../../../src/engine/customer-steps.ts';
import { pageToolOf } from '../../../src/engine/page-tools.ts';
import { agentCaller } from '../world/settings.ts';
import type { World } from '../world/world.ts';

/** Whoever has the link of a customer's step. */
export const customerOf = (handle: string) =>
  ({ ...agentCaller, role: 'customer', conversation: `page of ${handle}` }) as const;

/** What a customer reads on the page of a tool, line by line: everything before the step, and the step itself. */
export async function pageRead(
  world: World,
  name: string,
  [argument, handle]: readonly [argument: string, handle: string],
): Promise<readonly string[]> {
  const { parts: served } = world.engine;
  const { reach } = served.settings;
  // Pages are at an address.
  const parts = { ...served, settings: { ...served.settings, reach: { ...reach, page: () => 'https://purser.test' } } };
  const tool = pageToolOf(parts.tools, name);
  if (tool === undefined) return [];
  const caller = customerOf(handle);
  const { title, text, table, fields, submit, attemptsLeft } = await parts.ledger.transaction(caller.tenant, (tx) =>
    readPage(parts, tx, tool, { [argument]: handle }, caller),
  );
  const rows = (table ?? []).map(([label, value]) => `${label}: ${value}`);
  const entries = fields.map(({ label, hint }) => `${label}${hint === undefined ? '' : ` (${hint})`}: …`);
  const buttons = typeof submit === 'string' ? [submit] : submit.options.map(({ label }) => label);
  const left = attemptsLeft === undefined ? [] : [`Attempts left: ${attemptsLeft}`];
  return [
    title,
    ...text,
    ...rows,
    ...entries,
    ...buttons.filter((label) => label !== '').map((label) => `[${label}]`),
    ...left,
  ];
}
