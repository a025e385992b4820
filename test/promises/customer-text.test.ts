import { describe, expect, it } from 'vitest';
import { leaves } from '../../src/core/fields.ts';
import { needsApproval, reachesCustomers } from '../../src/engine/approval-scope.ts';
import { assemble } from '../../src/engine/assemble.ts';
import { operationOf } from '../../src/engine/tool.ts';
import { changing as calls } from '../engine/changing.ts';
import { bill, billed } from '../engine/invoicing.ts';
import { world } from '../engine/support.ts';
import { approvalLines } from '../support/approval-lines.ts';
import { changing, everyPiece, everything, factsOf, fullArgs, replaced, valuesFor } from '../support/every-call.ts';

// Nothing that customers read goes out before a person has read it.

/** Free text that nobody but the merchant reads: the names of its own reports. */
const readByTheMerchant: ReadonlySet<string> = new Set(
  ['save_report_subscription', 'request_report'].flatMap((tool) =>
    ['organizationId', 'reportName', 'selectedMerchantGroupName'].map((path) => `${tool} ${path}`),
  ),
);

/** Every argument, piece by piece, that fills a field which customers read. */
const reaching = everyPiece.filter(({ tool, arg }) => arg.fills.some(({ path }) => reachesCustomers(tool, path)));
const asks = (tool: (typeof changing)[number], args: Readonly<Record<string, unknown>>): boolean => {
  const facts = factsOf(tool, args);
  return needsApproval(tool, facts, assemble(tool, facts), { role: 'agent' });
};

describe('what customers read', () => {
  it('is marked in the contract, wherever the model may write free text, or the call asks anyway', () => {
    const unmarked = changing.flatMap((tool) => {
      const { body } = operationOf(tool);
      const free = (body === undefined ? [] : leaves(body)).filter(
        ({ field, schema }) =>
          field.from === 'model' &&
          field.reach === undefined &&
          schema.safeParse('Our bank details changed: pay to').success,
      );
      return asks(tool, fullArgs(tool)) ? [] : free.map(({ path }) => `${tool.name} ${path}`);
    });
    const others = unmarked.filter((it) => !readByTheMerchant.has(it));
    expect(others, 'mark them with `customer()` in the contract, or list them in `readByTheMerchant`').toEqual([]);
  });

  it.each(reaching.map((it) => [it.at, it] as const))('asks a person, or waits for a call that does: %s', (_, it) => {
    const { tool, name, arg, piece } = it;
    const [value] = valuesFor(arg.schema);
    const handles = Object.entries(tool.input.args).flatMap(([of, { kind }]) =>
      kind === undefined ? [] : [[of, everything[kind]?.handle]],
    );
    const required = Object.entries(fullArgs(tool, name)).filter(
      ([of]) => !tool.input.args[of]?.schema.safeParse(undefined).success,
    );
    const args = { ...Object.fromEntries([...required, ...handles]), [name]: value ?? piece };
    const letOutBy = tool.policy.releasedBy?.(factsOf(tool, args)) ?? [];
    const later = letOutBy.map((one) => changing.find((tool) => tool.name === one));
    expect(asks(tool, args) || letOutBy.length > 0).toBe(true);
    expect(later.map((one) => one !== undefined && asks(one, fullArgs(one)))).toEqual(letOutBy.map(() => true));
  });

  const operations = [...new Set(reaching.map(({ tool }) => tool))].filter(({ operation }) => operation in calls);
  it.each(operations.map((tool) => [tool.name, tool] as const))(
    'never reaches the platform unread by %s',
    async (_, tool) => {
      const it = await world();
      const args: Readonly<Record<string, unknown>> = await calls[tool.operation as keyof typeof calls](it);
      const before = (await it.effects(tool.operation)).length;
      const done = [];
      for (const { at, name, arg, piece } of reaching.filter((one) => one.tool === tool))
        for (const value of valuesFor(piece.schema)) {
          const whole = replaced(valuesFor(arg.schema)[0], piece.steps, value);
          const given = { ...args, [name]: whole };
          if ((tool.policy.releasedBy?.(factsOf(tool, given)) ?? []).length > 0) continue;
          const { outcome } = await it.call(tool.name, given);
          if (!['needs_approval', 'refused'].includes(outcome)) done.push(`${at}: ${outcome}`);
        }
      expect([done, (await it.effects(tool.operation)).length]).toEqual([[], before]);
    },
  );
});

describe('an invoice', () => {
  const words = 'Our bank details changed';
  const draft = { how: 'email_draft', description: words } as const;

  it('is a draft without a person, and is sent with one, who reads the whole of it', async () => {
    const it = await world();
    const { outcome, data } = await it.call('create_invoice', bill(draft));
    const asked = await it.call('send_invoice', { invoice: data.invoice });
    expect([outcome, asked.outcome, await it.effects('sendInvoice')]).toEqual(['done', 'needs_approval', []]);
    expect(approvalLines(asked.approval?.text)).toEqual(
      expect.arrayContaining([`Description: "${words}"`, 'Customer email: "ada@example.com"', 'Total: "40.00"']),
    );
    expect((await it.through('send_invoice', { invoice: data.invoice })).outcome).toBe('done');
  });

  it.each(['send_invoice', 'publish_invoice'])('is let out by %s with one question at most', async (tool) => {
    const it = await world();
    const { data } = await it.call('create_invoice', bill({ how: 'draft' }));
    // Who approves a change of a draft reads the whole of it.
    expect((await it.through('update_invoice', { invoice: data.invoice, description: words })).outcome).toBe('done');
    expect((await it.call(tool, { invoice: data.invoice })).outcome).toBe('done');
  });

  it('is e-mailed once more without a question, but not what somebody else has changed', async () => {
    const it = await world();
    const invoice = await billed(it);
    expect((await it.call('send_invoice', { invoice })).outcome).toBe('done');
    const row = await it.thing(invoice);
    await it.parts.ledger.transaction('default', (tx) =>
      tx.observations.update(row, { body: { ...row.body, approved: 'another text' } }, Date.now()),
    );
    expect((await it.call('send_invoice', { invoice })).outcome).toBe('needs_approval');
  });
});

describe('a plan', () => {
  it('is stored without a person; who approves a subscription reads its name and what it says of itself', async () => {
    const it = await world();
    const words = { name: 'Gold', description: 'Our bank details changed' };
    const plan = await calls.createPlan();
    const made = await it.call('create_plan', { ...plan, ...words });
    const args = { ...(await calls.createSubscription(it)), plan: made.data.plan };
    const { approval } = await it.call('create_subscription', args);
    expect(approvalLines(approval?.text)).toEqual(
      expect.arrayContaining(['Plan: "Gold"', 'Its description: "Our bank details changed"']),
    );
  });
});
