import { expect, it } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import type { Level } from '../../src/core/rules.ts';
import { day } from '../../src/core/schedule.ts';
import type { Answer } from '../../src/engine/answer.ts';
import { paying } from '../engine/conversion.ts';
import { report, reportSubscription } from '../engine/reporting.ts';
import { connect, inProcess } from '../faces/agents.ts';
import { footprint, world } from '../faces/support.ts';
import { credentials } from '../sandbox/support.ts';
import { playRowsOneIn } from '../support/drawn.ts';

playRowsOneIn(3);

// Every rule of reporting, kept and broken by an agent through MCP. What is refused leaves nothing behind, here or at the platform.

const merchant = { name: 'M', country: 'GB', url: 'https://m.example.com' } as const;
const january = { from: '2026-01-01T00:00:00Z', until: '2026-02-01T00:00:00Z' } as const;
const made = limits.reportPendingSeconds + limits.reportQueuedSeconds + limits.reportRunningSeconds;

/** A world whose person approves. Its merchant asks for the reports of `reportsFor`. */
async function storyOf(reportsFor: string | undefined, levels: { readonly [rule: string]: Level } = {}) {
  const configuration = { merchant: { ...merchant, ...(reportsFor === undefined ? {} : { reportsFor }) }, levels };
  const here = await world({ configuration });
  const mcp = await connect(inProcess(here), { pin: '2026-07-28' });
  const call = async (tool: string, args: object = {}): Promise<Answered> => (await mcp.call(tool, args)).answer;
  const through = async (tool: string, args: object): Promise<Answered> => {
    const asked = await call(tool, args);
    if (asked.outcome !== 'needs_approval') return asked;
    await here.http('POST', `/approvals/${asked.approval?.id}`, 'person', { decision: 'approve' });
    return call(tool, args);
  };
  const advance = (seconds: number) => here.http('POST', '/sandbox/clock', undefined, { advance: `PT${seconds}S` });
  const { body: clock } = await here.http('GET', '/sandbox/clock');
  const at = (days: number): string => new Date(clock.milliseconds + days * day).toISOString();
  /** The time in which a sale is made. */
  const around = { from: at(-1), until: at(1) };
  const save = (more: object = {}) => call('save_report_subscription', reportSubscription(more));
  const request = (more: object = {}) => call('request_report', report(more));
  const requested = async (more: object = {}): Promise<string> => {
    await request(more);
    return (await call('list_reports', { from: at(-1), until: at(1), by: 'made' })).data.items[0].report;
  };
  const sold = async () => {
    const { charge } = (await through('authorize_payment', paying())).data;
    await through('capture_payment', { charge });
  };
  const saved = async (count: number) => {
    for (let number = 1; number <= count; number += 1) await save({ name: `Report ${number}` });
  };
  const running = async (count: number) => {
    for (let number = 1; number <= count; number += 1) await request({ name: `Part ${number}` });
    await advance(limits.reportPendingSeconds + limits.reportQueuedSeconds);
  };
  const sums = (more: object = {}) => call('get_payment_batch_summaries', { ...around, ...more });
  return { around, here, call, advance, save, saved, request, requested, running, sold, sums };
}
type Story = Awaited<ReturnType<typeof storyOf>>;
// biome-ignore lint/suspicious/noExplicitAny: answers are compared whole, not typed
type Answered = Omit<Answer, 'data'> & { readonly data?: any };

interface Case {
  readonly rule: string;
  readonly when: string;
  readonly field: string;
  /** What stands before the call; the call itself; and that it is let pass. */
  readonly broken: (it: Story) => Promise<() => Promise<Answered>>;
  readonly kept: (it: Story) => Promise<Answered>;
}

const search = { ...january, by: 'range' } as const;

// biome-ignore format: a table
const cases: readonly Case[] = [
  { rule: 'RP-01', when: 'a name is saved with another definition', field: 'definition',
    broken: async (it) => { await it.save(); return () => it.save({ definition: 'FeeDetailClass' }); },
    kept: async (it) => { await it.save(); return it.save({ time: '0700' }); } },
  { rule: 'RP-01', when: 'a name has 251 characters', field: 'name',
    broken: async (it) => () => it.save({ name: 'x'.repeat(251) }),
    kept: (it) => it.save({ name: 'x'.repeat(250) }) },
  { rule: 'RP-02', when: 'a definition is none of the 18', field: 'definition',
    broken: async (it) => () => it.call('describe_report_definition', { definition: 'SalesClass' }),
    kept: (it) => it.call('describe_report_definition', { definition: 'FeeDetailClass' }) },
  { rule: 'RP-02', when: 'a field belongs to other definitions', field: 'fields',
    broken: async (it) => { await it.call('describe_report_definition', { definition: 'InvoiceSummaryClass' });
      return () => it.request({ definition: 'InvoiceSummaryClass', fields: ['Travel.Number'] }); },
    kept: (it) => it.request({ definition: 'InvoiceSummaryClass', fields: ['Invoice.InvoiceNumber'] }) },
  { rule: 'RP-03', when: 'there would be a twenty-first subscription', field: 'name',
    broken: async (it) => { await it.saved(20); await it.call('list_report_subscriptions'); return () => it.save({ name: 'One more' }); },
    kept: async (it) => { await it.saved(19); return it.save({ name: 'One more' }); } },
  { rule: 'RP-04', when: 'a weekly report has an eighth day', field: 'frequency',
    broken: async (it) => () => it.save({ frequency: 'weekly', day: 8 }),
    kept: (it) => it.save({ frequency: 'weekly', day: 1 }) },
  { rule: 'RP-04', when: 'a monthly report has day 32', field: 'day',
    broken: async (it) => () => it.save({ frequency: 'monthly', day: 32 }),
    kept: (it) => it.save({ frequency: 'monthly', day: 31 }) },
  { rule: 'RP-04', when: 'a daily report has a day', field: 'frequency',
    broken: async (it) => () => it.save({ day: 1 }),
    kept: (it) => it.save() },
  { rule: 'RP-04', when: 'it is made at 24:00', field: 'time',
    broken: async (it) => () => it.save({ time: '2400' }),
    kept: (it) => it.save({ time: '2359' }) },
  { rule: 'RP-04', when: 'its time zone is not on the list', field: 'time_zone',
    broken: async (it) => () => it.save({ time_zone: 'America/Toronto' }),
    kept: (it) => it.save({ time_zone: 'America/Winnipeg' }) },
  { rule: 'RP-04', when: 'its format is that of the portal', field: 'format',
    broken: async (it) => () => it.request({ format: 'xls' }),
    kept: (it) => it.request({ format: 'xml' }) },
  { rule: 'RP-05', when: 'three are being made', field: 'name',
    broken: async (it) => { await it.running(3); await it.request({ name: 'Part 4' }); return () => it.request({ name: 'Part 4' }); },
    kept: async (it) => { await it.running(3); await it.advance(limits.reportRunningSeconds); return it.request({ name: 'Part 4' }); } },
  { rule: 'RP-06', when: 'a range is a second over 31 days', field: 'until',
    broken: async (it) => { await it.call('describe_report_definition', { definition: 'TransactionRequestClass' });
      return () => it.request({ until: '2026-02-01T00:00:01Z' }); },
    kept: (it) => it.request() },
  { rule: 'RP-07', when: 'nobody says which time is meant', field: 'by',
    broken: async (it) => () => it.call('list_reports', january),
    kept: async (it) => { await it.request(); return it.call('list_reports', search); } },
  { rule: 'RP-08', when: 'it is still being made', field: 'report',
    broken: async (it) => { const one = await it.requested(); await it.call('get_report', { report: one }); return () => it.call('download_report', { report: one }); },
    kept: async (it) => { await it.sold(); const one = await it.requested(it.around); await it.advance(made); return it.call('download_report', { report: one }); } },
  { rule: 'RP-08', when: 'nothing happened in its time', field: 'report',
    broken: async (it) => { const one = await it.requested(); await it.advance(made); await it.call('get_report', { report: one }); return () => it.call('download_report', { report: one }); },
    kept: async (it) => { await it.sold(); const one = await it.requested(it.around); await it.advance(made); return it.call('download_report', { report: one }); } },
  { rule: 'RP-09', when: 'a rollup has no breakdown', field: 'roll_up',
    broken: async (it) => () => it.sums({ roll_up: 'week' }),
    kept: async (it) => { await it.sold(); return it.sums({ roll_up: 'week', breakdown: 'all_merchant' }); } },
  { rule: 'RP-09', when: 'a week begins on its eighth day', field: 'week_begins',
    broken: async (it) => () => it.sums({ roll_up: 'week', breakdown: 'all_merchant', week_begins: 8 }),
    kept: async (it) => { await it.sold(); return it.sums({ roll_up: 'week', breakdown: 'all_merchant', week_begins: 7 }); } },
  { rule: 'RP-10', when: 'a page has 2,001 rows', field: 'limit',
    broken: async (it) => () => it.call('get_purchase_refund_details', { ...it.around, limit: 2_001 }),
    kept: async (it) => { await it.sold(); return it.call('get_purchase_refund_details', { ...it.around, limit: 2_000, cursor: '9' }); } },
  { rule: 'RP-11', when: 'two formats are asked for at once', field: 'format',
    broken: async (it) => () => it.call('get_purchase_refund_details', { ...it.around, format: 'csv,xml' }),
    kept: async (it) => { await it.sold(); return it.call('get_purchase_refund_details', { ...it.around, format: 'xml' }); } },
  { rule: 'RP-12', when: 'another organization is named than those that the operator listed', field: 'organization',
    broken: async (it) => () => it.call('list_report_definitions', { organization: 'harbour_tv' }),
    kept: (it) => it.call('list_report_definitions', { organization: credentials.merchantId }) },
];

it.each(cases)('$rule refuses it where $when', async ({ rule, field, broken }) => {
  const story = await storyOf(undefined);
  const call = await broken(story);
  const before = await footprint(story.here);
  expect(await call()).toMatchObject({ outcome: 'refused', error: { rule, field } });
  expect(await footprint(story.here)).toEqual(before);
  expect(story.here.failures).toEqual([]);
});

it.each(cases)('$rule lets pass what is otherwise: $when', async ({ kept }) => {
  const story = await storyOf(credentials.merchantId);
  expect(await kept(story)).toMatchObject({ outcome: 'done' });
  expect(story.here.failures).toEqual([]);
});

// With Purser's own rules off, the platform still keeps its own: what breaks one is declined, not done.
const guarded = ['RP-01', 'RP-02', 'RP-03', 'RP-04', 'RP-06', 'RP-08', 'RP-09', 'RP-12'];
it.each(cases.filter(({ rule }) => guarded.includes(rule)))(
  '$rule is kept by the platform alone: $when',
  async ({ rule, broken }) => {
    const story = await storyOf(undefined, Object.fromEntries(guarded.map((one) => [one, 'off'])));
    const answer = await (await broken(story))();
    // Where the shape itself says it, nothing is sent, whatever the rules.
    expect([rule, answer.outcome, answer.error?.code ?? '']).toEqual([
      ...[rule, expect.stringMatching(/^(declined|refused)$/)],
      answer.outcome === 'declined' ? expect.stringMatching(/^(DECLINED|NOT_FOUND)$/) : 'INVALID_ARGUMENT',
    ]);
    expect(story.here.failures).toEqual([]);
  },
);

const unmade = cases.filter(({ when }) => ['three are being made', 'it is still being made'].includes(when));
it.each(unmade)('$rule is worth the same call later where $when', async ({ broken }) => {
  const call = await broken(await storyOf(undefined));
  expect((await call()).error?.retry).toBe('same_call');
});

it('RP-08 is worth no other call of a report that has no data', async () => {
  const empty = cases.find(({ when }) => when === 'nothing happened in its time');
  const call = await empty?.broken(await storyOf(undefined));
  expect((await call?.())?.error?.retry).toBe('changed_call');
});

it('no rule is missing', () => {
  const covered = new Set(cases.map(({ rule }) => rule));
  const all = Array.from({ length: 12 }, (_, index) => `RP-${String(index + 1).padStart(2, '0')}`);
  expect(all.filter((rule) => !covered.has(rule))).toEqual([]);
});

// A33: another merchant's reports, through every tool that has the argument.
it('no tool asks about another merchant than those that the operator listed, whatever the name looks like', async () => {
  const story = await storyOf('harbour_tv, harbour_radio');
  const one = await story.requested();
  const { report_subscription } = (await story.save()).data;
  const needed: { readonly [tool: string]: object } = {
    ...{ list_report_definitions: {}, list_report_subscriptions: {}, list_reports: search },
    describe_report_definition: { definition: 'FeeDetailClass' },
    ...{ get_report_subscription: { report_subscription }, delete_report_subscription: { report_subscription } },
    ...{ save_report_subscription: reportSubscription({ name: 'Other' }), request_report: report({ name: 'Other' }) },
    ...{ get_report: { report: one }, download_report: { report: one } },
    ...{ get_conversion_details: january, get_net_fundings: january, get_payment_batch_summaries: january },
  };
  const listed = (await (await connect(inProcess(story.here), { pin: '2026-07-28' })).tools()).filter(
    ({ inputSchema }) => 'organization' in ((inputSchema as { readonly properties?: object }).properties ?? {}),
  );
  expect(listed.map(({ name }) => name).toSorted()).toEqual(Object.keys(needed).toSorted());
  const strangers = [
    'harbour',
    'harbour_tv,harbour_radio',
    'HARBOUR_TV',
    'harbour_tv ',
    '*',
    '../harbour_tv',
    'harbour_tv\u0000',
  ];
  for (const [tool, args] of Object.entries(needed))
    for (const organization of strangers) {
      const { outcome, error } = await story.call(tool, { ...args, organization });
      expect([tool, organization, outcome, error?.field]).toEqual([tool, organization, 'refused', 'organization']);
    }
});
