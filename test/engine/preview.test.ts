import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { effectOf, type Tool } from '../../src/engine/tool.ts';
import { tools } from '../../tools/index.ts';
import { folder } from '../support/folder.ts';
import { plan, planned, subscribed } from './billing.ts';
import { authorized, captured, offered, offering, refunded } from './conversion.ts';
import { charging, readyDevice, sold } from './device.ts';
import { billed } from './invoicing.ts';
import { authentication, challenged } from './passkey.ts';
import { finishedReport, report, requestedReport, subscribedReport } from './reporting.ts';
import { bought, change, countingIds, order, paid, payment, type World, world } from './support.ts';

/**
 * Every row of every table of the ledger, read from its file by another connection, and all that the sandbox holds; but for
 * what the conversation has read and written, for a preview is read, too, and the proofs, which follow from the rows.
 */
async function everything(it: World, folder: string): Promise<unknown> {
  const file = readdirSync(folder).find((name) => name.endsWith('.sqlite') && !name.startsWith('sandbox-world'));
  const database = new DatabaseSync(join(folder, String(file)), { readOnly: true });
  const names = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
  const rows = names
    .filter(({ name }) => name !== 'proofs')
    .map(({ name }) => [
      name,
      database
        .prepare(`SELECT * FROM "${name}"`)
        .all()
        .filter(({ kind }) => kind !== 'run' && kind !== 'text'),
    ]);
  database.close();
  return { rows, world: await it.control('GET', 'snapshot') };
}

async function onDisk(): Promise<readonly [World, string]> {
  const data = folder();
  return [await world({ configure: { data } }), data];
}

const verdictOf = async (it: World, tool: string, args: object) =>
  (await it.call('preview_call', { tool, arguments: args })).data.verdict;

const isReading = (tool: Tool): boolean => effectOf(tool) === 'read';

/** Arguments for the tools that read and need some. */
const looks: { readonly [tool: string]: (it: World) => Promise<object> } = {
  list_cards: async () => ({ shopper: 'shopper_ada' }),
  get_purchase: async (it) => ({ instruction: await bought(it) }),
  get_operation: async (it) => ({ operation: (await it.call('enroll_card', { card: 'card_ada' })).operation }),
  preview_call: async () => ({ tool: 'list_plans', arguments: {} }),
  get_plan: async (it) => ({ plan: await planned(it) }),
  get_subscription: async (it) => ({ subscription: await subscribed(it) }),
  list_subscription_payments: async (it) => ({ subscription: await subscribed(it) }),
  get_follow_on: async () => ({ payment: 'earlier-payment-0001' }),
  get_invoice: async (it) => ({ invoice: await billed(it) }),
  offer_conversion: async () => offering(),
  get_conversion_offer: async (it) => ({ offer: await offered(it) }),
  get_payment: async (it) => ({ charge: await authorized(it) }),
  get_payment_receipt: async (it) => ({ charge: await authorized(it) }),
  get_capture: async (it) => ({ capture: await captured(it) }),
  get_refund: async (it) => ({ refund: await refunded(it) }),
  describe_report_definition: async () => ({ definition: 'InvoiceSummaryClass' }),
  get_report_subscription: async (it) => ({ report_subscription: await subscribedReport(it) }),
  list_reports: async () => ({ from: report().from, until: report().until, by: 'range' }),
  get_report: async (it) => ({ report: await requestedReport(it) }),
  download_report: async (it) => ({ report: await finishedReport(it) }),
  get_conversion_details: async () => ({ from: report().from, until: report().until }),
  get_notification_of_changes: async () => ({ from: report().from, until: report().until }),
  get_purchase_refund_details: async () => ({ from: report().from, until: report().until }),
  get_net_fundings: async () => ({ from: report().from, until: report().until }),
  get_payment_batch_summaries: async () => ({ from: report().from, until: report().until }),
  lookup_device_transaction: async (it) => ({ transaction: await sold(it) }),
  show_device_summary: async (it) => ({ transaction: await sold(it) }),
  get_authentication: async (it) => ({ authentication: await challenged(it) }),
};

/** What is read before some calls that only read are decided. */
const refreshed: ReadonlyMap<string, readonly string[]> = new Map([
  ['get_subscription', ['/payments']],
  ['download_report', ['/reporting/v3/reports/']],
]);

/** Every outcome that a preview can tell, with the world it needs; every tool is in preview-verdicts.test.ts. */
const scenes: readonly (readonly [string, (it: World) => Promise<readonly [string, object]>, object])[] = [
  ['a call that would be sent', async () => ['enroll_card', { card: 'card_ada' }], { outcome: 'done' }],
  ['a call that a rule refuses', async () => ['initiate_purchase', order()], { outcome: 'refused' }],
  ['a tool of no name', async () => ['pay_everything', {}], { outcome: 'refused' }],
  ['a release', async (it) => ['retrieve_credentials', payment(await bought(it))], { outcome: 'done' }],
  [
    'a wider update',
    async (it) => ['update_purchase', change(await bought(it), { every: 'week' })],
    { outcome: 'needs_approval' },
  ],
  [
    'a purchase that is done already',
    async (it) => {
      await bought(it);
      return ['initiate_purchase', order()];
    },
    { outcome: 'done', replayed: true },
  ],
  [
    'another purchase under a used reference',
    async (it) => {
      await bought(it);
      return ['initiate_purchase', order({ quantity: 2 })];
    },
    { outcome: 'refused', error: { code: 'CONFLICT', rule: 'EN-03' } },
  ],
  [
    'a call that waits for a person',
    async (it) => {
      await it.call('enroll_card', { card: 'card_ada' });
      await it.call('initiate_purchase', order());
      return ['initiate_purchase', order()];
    },
    { outcome: 'needs_approval', approval: { id: expect.any(String) } },
  ],
  [
    'a call that a person approved',
    async (it) => {
      await it.call('enroll_card', { card: 'card_ada' });
      await it.approve(await it.call('initiate_purchase', order()));
      return ['initiate_purchase', order()];
    },
    { outcome: 'done', said: 'It is approved and would be sent.' },
  ],
  [
    'a call whose outcome is unknown',
    async (it) => {
      const instruction = await paid(it);
      await it.fault('confirmTransaction', 'timeout-after-commit');
      await it.call('confirm_transaction', { instruction });
      return ['confirm_transaction', { instruction }];
    },
    { outcome: 'unknown' },
  ],
  [
    'another call on what an unknown outcome is about',
    async (it) => {
      const instruction = await paid(it);
      await it.fault('confirmTransaction', 'timeout-after-commit');
      await it.call('confirm_transaction', { instruction });
      return ['cancel_purchase', { instruction }];
    },
    { outcome: 'refused', error: { code: 'OUTCOME_UNKNOWN' } },
  ],
  [
    'a cancellation whose outcome is unknown',
    async (it) => {
      const instruction = await bought(it);
      await it.fault('cancelPurchase', 'timeout-after-commit');
      await it.call('cancel_purchase', { instruction });
      return ['cancel_purchase', { instruction }];
    },
    { outcome: 'done', said: expect.stringContaining('sent again') },
  ],
  [
    'a look at a purchase by the handle of a card',
    async () => ['get_purchase', { instruction: 'card_ada' }],
    { outcome: 'refused', error: { rule: 'EN-02' } },
  ],
];

describe('a preview', () => {
  it('of a tool that is misspelled names the one that is meant, and of any other name none', async () => {
    const it = await world();
    const misspelled = await it.call('preview_call', { tool: 'create_invoise', arguments: {} });
    expect(misspelled).toMatchObject({
      next: ['create_invoice'],
      data: { verdict: { outcome: 'refused', next: ['create_invoice'], error: { code: 'UNKNOWN_TOOL' } } },
    });
    expect(misspelled.said).toContain('create_invoice');
    // No agent has this one, so none hears of it.
    const others = await it.call('preview_call', { tool: 'refund_without_orignal', arguments: {} });
    expect([others.next, JSON.stringify(others).includes('without_original')]).toEqual([[], false]);
  });

  it.each(scenes)('of %s tells its verdict, writes nothing and sends nothing', async (_, prepare, verdict) => {
    const [it, folder] = await onDisk();
    const [tool, args] = await prepare(it);
    const before = await everything(it, folder);
    expect(await verdictOf(it, tool, args)).toMatchObject(verdict);
    expect(await verdictOf(it, tool, args)).toMatchObject(verdict);
    expect(await everything(it, folder)).toEqual(before);
  });

  it('keeps its promise for every tool there is', async () => {
    const [it, folder] = await onDisk();
    const instruction = await bought(it);
    const before = await everything(it, folder);
    for (const { name } of tools)
      for (const args of [
        {},
        { instruction },
        { card: 'card_ada' },
        change(instruction),
        payment(instruction),
        order(),
      ])
        await it.call('preview_call', { tool: name, arguments: args });
    expect(await everything(it, folder)).toEqual(before);
  });

  it('shows the request without what it must not show, and the change of state', async () => {
    const it = await world();
    const instruction = await bought(it);
    const { data } = await it.call('preview_call', { tool: 'cancel_purchase', arguments: { instruction } });
    expect(data).toMatchObject({
      effect: 'instruction: ACTIVE → PENDING or CANCELLED, as the platform answers',
      request: { method: 'PUT', body: { deviceInformation: { ipAddress: '[hidden]' } } },
    });
    expect(JSON.stringify(data)).not.toMatch(/203\.0\.113|FACE0000|fingerprint-session/);
  });

  it('claims no state that only the answer decides, and the one that is sure', async () => {
    const it = await world();
    const effectOf = async (tool: string, args: object) =>
      (await it.call('preview_call', { tool, arguments: args })).data.effect;
    expect([
      await effectOf('enroll_card', { card: 'card_ada' }),
      await effectOf('create_authentication_options', authentication()),
      await effectOf('charge_device', charging(await readyDevice(it))),
      await effectOf('create_plan', plan()),
    ]).toEqual([
      'card: none → PENDING or ACTIVE, as the platform answers',
      'authentication: none → AUTHENTICATE or STEP_UP_AUTHENTICATE or AUTHENTICATION_REGISTRATION, as the platform answers',
      'devicePayment: none → DECLINED or ABORTED or ERROR or INITIALIZED or PENDING or INCONCLUSIVE or UNKNOWN or ACCEPTED or APPROVED, as the reader answers',
      'plan: none → ACTIVE',
    ]);
    expect((await it.thing('card_ada')).state).toBe('none');
  });

  it.each(tools.filter(isReading).map(({ name }) => name))(
    'says that %s only reads, and sends nothing but what the call depends on',
    async (name) => {
      const sent: string[] = [];
      const it = await world({
        replace: {
          platform: (real) => (request) => {
            sent.push(request.url);
            return real(request);
          },
        },
      });
      const args = await (looks[name] ?? (async () => ({})))(it);
      sent.length = 0;
      const { data } = await it.call('preview_call', { tool: name, arguments: args });
      const about = refreshed.get(name) ?? [];
      const others = sent.filter((url) => !about.some((part) => new URL(url).pathname.includes(part)));
      const told = [data.verdict.outcome, data.verdict.next, data.effect, data.approval, others];
      expect(told, `what ${name} is asked stands in \`looks\``).toEqual([
        ...['done', [name], 'none: it only reads', undefined],
        [],
      ]);
      expect(sent).toHaveLength(about.length);
    },
  );

  it('is not withheld for an identifier of its own: none looks like a card number', async () => {
    const ids = countingIds();
    const plain = ids.uuid;
    const looksLikeACard = '44050886-4223-4213-9941-fbcd44076a5f';
    let drawn = 0;
    const uuid = () => (drawn++ % 2 === 0 ? looksLikeACard : plain());
    const it = await world({ replace: { ids: { ...ids, uuid } } });
    const call = { tool: 'retrieve_credentials', arguments: payment(await bought(it)) };
    const { data } = await it.call('preview_call', call);
    expect(data.request.body.transactionData[0].mandateReferenceData).toEqual([{ mandateId: expect.any(String) }]);
    expect(JSON.stringify(it.sent)).not.toContain(looksLikeACard);
  });

  it('names no change of state where a call moves nothing', async () => {
    const it = await world();
    const call = { tool: 'update_invoice_settings', arguments: { display_name: 'Harbour' } };
    expect((await it.call('preview_call', call)).data).not.toHaveProperty('effect');
  });
});
