import { isKind } from '../../src/domains/index.ts';
import { tools } from '../../tools/index.ts';
import { followed, planned, subscribed, subscription } from './billing.ts';
import { authorized, captured, offered, offering, paying, refunded } from './conversion.ts';
import { charging, deviceOf, sold } from './device.ts';
import { bill, billed } from './invoicing.ts';
import { authentication, challenged } from './passkey.ts';
import { requestedReport, subscribedReport } from './reporting.ts';
import { bought, change, order, payment, type World } from './support.ts';

// The arguments that name things, calls in which such a name alone is wrong, and a world in which there is one of everything.

/** Arguments that take a handle, by tool: what the tools themselves say, and those of Purser's own tools that a kind names. */
export const named: readonly (readonly [tool: string, field: string])[] = tools.flatMap((tool) =>
  Object.keys(tool.inputSchema.shape)
    .filter((field) =>
      tool.kind === 'platform' ? tool.input.args[field]?.kind !== undefined : field === 'operation' || isKind(field),
    )
    .map((field) => [tool.name, field] as const),
);

/** What a call needs besides the handle that is swapped. */
const besides: { readonly [tool: string]: (own: Own, field: string) => object } = {
  initiate_purchase: () => order(),
  update_purchase: ({ instruction }) => change(instruction),
  retrieve_credentials: ({ instruction }) => payment(instruction),
  offer_conversion: () => offering({ reference: 'order-4' }),
  choose_currency: () => ({ currency: 'AUD' }),
  authorize_payment: (_, field) => (field === 'offer' ? { reference: 'order-5' } : paying({ reference: 'order-5' })),
  create_authentication_options: () => authentication(),
  create_one_time_password: () => ({ option: 'option_1', request_number: 1 }),
  amend_plan: () => ({ apply_to: 'NEW', every: 2, unit: 'month' }),
  create_subscription: ({ plan }) => subscription({ plan }),
  create_follow_on_subscription: ({ plan, follow_on }) => {
    const { card: _, ...more } = subscription({ plan });
    return { ...more, follow_on };
  },
  update_subscription: (own) => ({ subscription: own.subscription, name: 'Silver' }),
  reactivate_subscription: () => ({ collect_missed: false }),
  skip_subscription_payments: () => ({ cycles: [2] }),
  update_invoice: () => ({ description: 'Repair' }),
  charge_device: ({ device }) => charging(device, { reference: 'sale-2' }),
  increment_preauthorization: () => ({ amount: '5.00' }),
};

/** A call that would be in order if the handle were. */
export const callWith = (tool: string, field: string, handle: string, own: Own): object => ({
  ...besides[tool]?.(own, field),
  [field]: handle,
});

/** A tenant's things, one of each kind, by the argument that names such a thing. */
export type Own = Awaited<ReturnType<typeof furnish>>;

export async function furnish(it: World) {
  const instruction = await bought(it);
  const released = await it.call('retrieve_credentials', payment(instruction));
  await it.receipt(instruction);
  const { receipt } = (await it.call('get_purchase', { instruction })).data;
  const waiting = await it.call('initiate_purchase', order({ reference: 'order-2' }));
  await it.fault('enrollCard', 'timeout-after-commit');
  const lost = await it.call('enroll_card', { card: 'card_cleo' });
  return {
    shopper: 'shopper_ada',
    card: 'card_ada',
    instruction,
    credentials: String(released.data.credentials),
    receipt: String(receipt.receipt),
    operation: String(released.operation),
    waiting: String(waiting.operation),
    unknown: String(lost.operation),
    approval: String(waiting.approval?.id),
    plan: await planned(it),
    subscription: await subscribed(it),
    invoice: await billed(it, bill()),
    offer: await offered(it, { reference: 'order-6' }),
    charge: await authorized(it, { reference: 'order-7' }),
    capture: await captured(it, { reference: 'order-8' }),
    refund: await refunded(it, { reference: 'order-9' }),
    authentication: await challenged(it),
    report_subscription: await subscribedReport(it),
    report: await requestedReport(it),
    transaction: await sold(it),
    device: await deviceOf(it),
    // Last: whoever has read text from outside needs a person for more.
    follow_on: await followed(it),
  };
}
