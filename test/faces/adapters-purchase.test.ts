import { describe, expect, it } from 'vitest';
import type { Answer, AnswerApproval } from '../../src/engine/answer.ts';
import { listApprovals } from '../../src/engine/approval-service.ts';
import { world } from '../engine/support.ts';
import type { Line } from '../support/openai-server.ts';
import { type Host, hosts, scripted } from './hosts.ts';
import { strictly } from './strictly.ts';

// A scripted model buys something, through each SDK in each of its ways, as a host application would let it.

const order = {
  ...{ reference: 'order-1', description: 'Headphones', until: '2026-02-01T00:00:00Z' },
  limit: { amount: '100.00', currency: 'GBP' },
};

/** The model's part. It reads handles from what the tools answered, as a model does. */
function script({ strict }: Host): readonly Line[] {
  const call = (name: string, args: object) => ({
    calls: [{ name, arguments: strict ? strictly(name, args) : args }],
  });
  const instruction = (outputs: readonly { data: Record<string, unknown> }[]) => ({
    instruction: outputs.find(({ data }) => 'instruction' in data)?.data.instruction,
  });
  return [
    call('find_shopper', { name: 'Ada' }),
    ({ outputs }) => call('list_cards', { shopper: outputs[0].data.items[0].shopper }),
    ({ outputs }) => call('enroll_card', { card: outputs[1].data.items[0].card }),
    ({ outputs }) => call('initiate_purchase', { card: outputs[2].data.card, ...order }),
    ({ outputs }) => call('retrieve_credentials', { ...instruction(outputs), amount: '40.00', currency: 'GBP' }),
    ({ outputs }) => call('get_purchase', instruction(outputs)),
    ({ outputs }) => call('confirm_transaction', instruction(outputs)),
    { text: 'The headphones are yours.' },
  ];
}

/** Lets a host buy, with a person who says yes, and the merchant's payment system that pays what was released. */
async function buy(host: Host) {
  const it = await world();
  const model = await scripted(script(host));
  const answers: Answer[] = [];
  const asked: AnswerApproval[] = [];
  const said = await host.talk({
    ...{ it, model },
    options: {
      approve: async (approval) => {
        asked.push(approval);
        return 'approve';
      },
    },
    heard: async (answer) => {
      answers.push(answer);
      if (answer.data?.valid_until !== undefined) await it.receipt(String(answer.data.instruction));
    },
  });
  return { it, model, answers, asked, said };
}

describe.each(hosts)('a purchase: $name', (host) => {
  it('goes through, with the yes of a person whom the host asked once; the model sees every tool, and no card data', async () => {
    const { it, model, answers, asked, said } = await buy(host);
    expect([said, model.left()]).toEqual(['The headphones are yours.', 0]);
    expect(answers.map(({ outcome }) => outcome)).toEqual(Array(7).fill('done'));
    expect(answers.at(-1)).toMatchObject({ environment: 'sandbox', data: { state: 'COMPLETED' }, next: [] });
    expect(asked).toMatchObject([{ text: expect.stringMatching(/Order: "order-1"\nAt most: "100.00 GBP"\n/) }]);
    expect((await it.effects()).map(({ operation }) => operation)).toEqual([
      ...['enrollCard', 'initiatePurchase', 'retrieveCredentials', 'confirmTransaction'],
    ]);
    const approvals = await listApprovals(it.running.engine.parts, 'default', { limit: 10 });
    expect(approvals.rows).toMatchObject([{ state: 'CONSUMED', channel: 'program', approver: 'user of agent' }]);
    const functions: readonly { name: string; strict?: boolean }[] = model.asked[0]?.body.tools.map(
      (tool: { function?: object }) => tool.function ?? tool,
    );
    expect(functions.map(({ name, strict = false }) => [name, strict])).toEqual(
      it.running.engine.tools.map(({ name }) => [name, host.strict]),
    );
    const heard = JSON.stringify(model.asked.map(({ body }) => body.messages ?? body.input));
    expect(heard).not.toMatch(/cryptogram|signedPayload|\d{12,}/);
  });
});
