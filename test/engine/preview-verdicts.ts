import { contract, type OperationName } from '../../src/domains/index.ts';
import { recordDecision } from '../../src/engine/approval-service.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { recover } from '../../src/engine/recover.ts';
import type { FaultKind } from '../../src/sandbox/index.ts';
import { tools } from '../../tools/index.ts';
import { type Found, tally } from '../support/found.ts';
import { type Numbers, numbers } from '../support/numbers.ts';
import { isChanging, plan, subscribed } from './billing.ts';
import { held } from './device.ts';
import { bill, billed } from './invoicing.ts';
import { callWith, furnish, named, type Own } from './naming.ts';
import { approvedBinding } from './passkey.ts';
import { report, reportSubscription } from './reporting.ts';
import { agent, begins, bought, openWorld, paid, patient, person, remember, type Said, type World } from './support.ts';

// The verdict of `preview_call` is the verdict of the call that follows: every tool, with arguments that are mostly in order,
// in worlds that people, time and faults change between calls.

const callsPerWorld = 100;
/** What later calls act on, once a call has created it. */
const created = [
  'instruction',
  'plan',
  'offer',
  'charge',
  'capture',
  'refund',
  'authentication',
  'transaction',
] as const;
const faults: readonly FaultKind[] = ['decline', 'pending', 'timeout-after-commit', 'late-apply', '429', '5xx'];
const amounts = ['0', '0.01', '40.00', '40.0', '100.00', '100.01', '1000000.00', '-1', 'a lot', 40];
const currencies = ['GBP', 'USD', 'EUR', 'JPY', 'ZZZ'];
const moments = ['2025-01-01T00:00:00Z', '2026-01-15T09:00:00Z', '2026-03-01T10:00:00Z', '2026-03-01', 'soon'];
const changers = (Object.keys(contract) as OperationName[]).filter(isChanging);
/** Every tool but the one that previews. */
export const previewed = tools.map(({ name }) => name).filter((name) => name !== 'preview_call');

/** Previews and makes so many calls. A finding is a preview that says something else than its call. */
export async function previewVerdicts(calls: number, seed: number): Promise<Found> {
  const it = tally();
  const random = numbers(seed);
  const opened = await openWorld();
  const active = await subscribed(opened, { start: new Date(begins).toISOString(), reference: 'active-1' });
  const suspended = await subscribed(opened, { start: new Date(begins).toISOString(), reference: 'suspended-1' });
  await opened.call('suspend_subscription', { subscription: suspended });
  const draft = await billed(opened, { how: 'draft', reference: 'draft-1' });
  const unreleased = await bought(opened, { reference: 'unreleased-1' });
  const unconfirmed = await paid(opened, { reference: 'unconfirmed-1' });
  const preauthorized = await held(opened, { reference: 'held-1' });
  const approved = await approvedBinding(opened);
  const furnished = await furnish(opened);
  const again = await remember(opened);
  for (let made = 0; made < calls; ) {
    const world = await again();
    const engine = patient(world);
    const own = { ...furnished };
    const stepUp = own.authentication;
    const before: (readonly [string, object])[] = [];
    for (const last = Math.min(calls, made + callsPerWorld); made < last; made++) {
      await change(world, engine, random);
      const any = {
        ...own,
        instruction: random.of([own.instruction, unreleased, unconfirmed]),
        operation: random.of([own.operation, own.waiting, own.waiting, own.unknown]),
        authentication: random.of([own.authentication, stepUp, approved]),
        subscription: random.of([own.subscription, active, suspended]),
        invoice: random.of([own.invoice, draft]),
        transaction: random.of([own.transaction, preauthorized]),
      };
      const [tool, args] =
        before.length > 0 && random(3) === 0 ? random.of(before.slice(-4)) : callOf(random, any, made);
      before.push([tool, args]);
      const preview = (await engine.call('preview_call', { tool, arguments: args }, agent)) as Said;
      const said = (await engine.call(tool, args, agent)) as Said;
      it.count('calls');
      it.count(`outcome ${said.outcome}`);
      if (said.outcome !== 'refused') it.count(`reached ${tool}`);
      if (said.outcome === 'needs_approval') own.waiting = said.operation ?? own.waiting;
      for (const kind of created) own[kind] = said.data?.[kind] ?? own[kind];
      if (said.outcome === 'needs_approval' && random(2) === 0) {
        await recordDecision(engine.parts, said.approval?.id ?? '', 'approve', person);
        before.push([tool, args], [tool, args], [tool, args]);
      }
      // A preview that is refused itself, for card data in its arguments, names no field of the call.
      const { verdict = preview } = preview.data ?? {};
      const isScreened = verdict === preview;
      const [foretold, came] = [verdictOf(verdict, isScreened), verdictOf(said, isScreened)];
      if (foretold !== came)
        it.find(`${tool} ${JSON.stringify(args)}: previewed ${foretold}, came ${came} (seed ${seed}, call ${made})`);
    }
    await engine.settle();
  }
  await opened.running.close();
  return it.found();
}

/** What a preview and its call must agree in. Whatever the platform may do to a call that is sent is one verdict. */
function verdictOf({ outcome, error, replayed, operation }: Said, isScreened: boolean): string {
  if (outcome === 'refused') return `refused ${error?.code} ${error?.rule} ${isScreened ? '' : error?.field}`;
  if (replayed) return `${outcome}, replayed ${operation}`;
  return ['done', 'declined', 'unknown'].includes(outcome) ? 'sent' : outcome;
}

/** What happens between two calls: nothing, a person decides, time passes, or the platform is about to fail. */
async function change(world: World, engine: Engine, random: Numbers): Promise<void> {
  const waiting = async () => {
    const { data } = (await engine.call('list_approvals', {}, agent)) as Said;
    return data.items as readonly { readonly approval: string }[];
  };
  switch (random(8)) {
    case 0:
    case 1:
      for (const { approval } of await waiting())
        await recordDecision(engine.parts, approval, random(5) === 0 ? 'deny' : 'approve', person);
      return;
    case 3:
      await world.advance(random.of([1, 61, 121, 601, 90_000]));
      await recover(engine.parts);
      return;
    case 4: {
      await world.fault(random.of(changers), random.of(faults));
    }
  }
}

/** The tools in turn, and arguments: those of a call in order, of which one is often changed, dropped or swapped. */
function callOf(random: Numbers, own: Own, made: number): readonly [tool: string, args: object] {
  const tool = previewed[made % previewed.length] ?? '';
  const all = named.filter(([name]) => name === tool).map(([, field]) => field);
  const first = all[0] === undefined ? undefined : random.of(all);
  const base = first === undefined ? unnamed[tool]?.(random) : callWith(tool, first, '', own);
  // An argument that excludes another one is given alone.
  const alternatives = alternativesOf(tool);
  const fields = all.filter((it) => (alternatives.includes(first ?? '') ? it === first : !alternatives.includes(it)));
  const handles = fields.map((name) => [name, own[name as keyof Own] ?? 'none'] as const);
  const args: Record<string, unknown> = { ...base, ...Object.fromEntries(handles) };

  // A purchase is in pounds: a payment for one is, too, or is for none.
  if ('price' in args && random(2) === 0) args.price = { amount: '40.00', currency: 'GBP' };
  else if ('price' in args) delete args.instruction;
  if ('reference' in args) args.reference = `reference-${random(30)}`;
  const field = random.of([...Object.keys(args), 'limit']);
  switch (random(10)) {
    case 0:
      delete args[field];
      break;
    case 1:
      args[field] = random.of([...Object.values(own), 'plan_none', '4111111111111111', '']);
      break;
    case 2:
    case 3:
      if ('amount' in args || 'total' in args) args['amount' in args ? 'amount' : 'total'] = random.of(amounts);
      else if ('limit' in args) args.limit = { amount: random.of(amounts), currency: random.of(currencies) };
      break;
    case 4:
      if ('currency' in args) args.currency = random.of(currencies);
      else if ('until' in args) args.until = random.of(moments);
      break;
    case 5:
      for (const when of ['until', 'start', 'due']) if (when in args) args[when] = random.of(moments);
      break;
    case 6:
      if ('card' in args) args.card = random.of(['card_ada', 'card_bo', 'card_cleo', 'card_dan']);
  }
  return [tool, args];
}

/** Arguments of a tool of which a call has one. */
const alternativesOf = (name: string): readonly string[] => {
  const tool = tools.find((it) => it.name === name);
  return (tool?.kind === 'platform' ? tool.input.oneOf?.names : undefined) ?? [];
};

/** Arguments of the tools that take no handle. */
const unnamed: { readonly [tool: string]: (random: Numbers) => object } = {
  create_plan: (random) => plan({ draft: random(2) === 0, ...(random(2) === 0 ? { code: 'GOLD' } : {}) }),
  create_invoice: (random) => bill({ how: random.of(['draft', 'email_draft', 'email', 'link']) }),
  get_follow_on: () => ({ payment: 'earlier-payment-0001' }),
  update_invoice_settings: () => ({ display_name: 'Harbour' }),
  describe_report_definition: () => ({ definition: 'InvoiceSummaryClass' }),
  save_report_subscription: (random) => reportSubscription({ name: random.of(['Daily sales', 'Weekly sales']) }),
  request_report: (random) => report({ name: random.of(['January', 'Once more']) }),
  list_reports: () => ({ from: report().from, until: report().until, by: 'range' }),
  get_conversion_details: () => ({ from: report().from, until: report().until }),
  get_notification_of_changes: () => ({ from: report().from, until: report().until }),
  get_purchase_refund_details: () => ({ from: report().from, until: report().until }),
  get_net_fundings: () => ({ from: report().from, until: report().until }),
  get_payment_batch_summaries: () => ({ from: report().from, until: report().until }),
};
