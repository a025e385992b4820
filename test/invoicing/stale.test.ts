import { describe, expect, it } from 'vitest';
import { operationOf } from '../../src/engine/tool.ts';
import type { FaultKind } from '../../src/sandbox/index.ts';
import { tools } from '../../tools/index.ts';
import { billed } from '../engine/invoicing.ts';
import { type World, world } from '../engine/support.ts';
import { rewrite } from '../support/portal.ts';

// What a person approved of an invoice is what stood on it then. Where it can't be read again, nobody is asked, and nothing is sent.

const calls: Readonly<Record<string, object>> = {
  send_invoice: {},
  publish_invoice: {},
  update_invoice: { description: 'Two bags' },
};
const unread: readonly FaultKind[] = ['5xx', '429', 'timeout-after-commit'];
const each = Object.keys(calls).flatMap((tool) => unread.map((kind) => [tool, kind] as const));

/** Somebody changes the invoice in the portal, which Purser doesn't hear of. */
async function rewritten({ running: { sandbox } }: World): Promise<void> {
  if (sandbox === undefined) throw new Error('There is no sandbox.');
  await rewrite(sandbox, 'ada@example.com', 'eve@example.com');
  await rewrite(sandbox, 'Ada Example', 'Eve');
}

it('every call that a person approves for what is read first is tried here, or moves money and is tried elsewhere', () => {
  const asked = tools.filter(
    (tool) => tool.kind === 'platform' && tool.policy.approval && (tool.refresh ?? []).length > 0,
  );
  const others = asked.filter((tool) => tool.kind === 'platform' && operationOf(tool).effect !== 'money');
  expect(others.map(({ name }) => name).toSorted()).toEqual(Object.keys(calls).toSorted());
});

describe.each(each)('%s, where the read before it fails by %s', (tool, kind) => {
  it('asks nobody and sends nothing, and asks about what then stands on it', async () => {
    const here = await world();
    const invoice = await billed(here, { how: 'email_draft' });
    await rewritten(here);
    const args = { invoice, ...calls[tool] };
    await here.fault('getInvoice', kind);
    const before = (await here.effects()).length;
    const blind = await here.call(tool, args);
    expect([blind.approval, blind.outcome === 'done', (await here.effects()).length]).toEqual([
      undefined,
      false,
      before,
    ]);
    const { outcome, approval } = await here.call(tool, args);
    expect(outcome).toBe('needs_approval');
    expect(approval?.text).toContain('Eve');
  });

  it('sends nothing of what was approved before', async () => {
    const here = await world();
    const invoice = await billed(here, { how: 'email_draft' });
    const args = { invoice, ...calls[tool] };
    const asked = await here.call(tool, args);
    await here.approve(asked);
    await rewritten(here);
    await here.fault('getInvoice', kind);
    const before = (await here.effects()).length;
    expect((await here.call(tool, args)).outcome).not.toBe('done');
    expect((await here.effects()).length).toBe(before);
    expect(await here.call(tool, args)).toMatchObject({ outcome: 'needs_approval' });
  });
});
