import { describe, expect, it } from 'vitest';
import { namesAnother, type Operation } from '../../src/core/operation.ts';
import type { KindSpec } from '../../src/core/thing.ts';
import { contract, kindTable } from '../../src/domains/index.ts';
import { operationOf, type PlatformTool } from '../../src/engine/tool.ts';
import { outcomeOfEnd } from '../../src/reader/ends.ts';
import { everyTool } from '../../tools/index.ts';
import { planned } from '../engine/billing.ts';
import { charging, readyDevice } from '../engine/device.ts';
import { bill } from '../engine/invoicing.ts';
import { world } from '../engine/support.ts';
import { valuesFor } from '../support/every-call.ts';
import { clientOn } from './support.ts';

// An answer about another thing than was asked for is no answer (EN-08).

const operations: readonly (readonly [string, Operation])[] = Object.entries(contract);
const asking = operations.filter(([, { asksFor }]) => asksFor !== undefined);

/** What comes of a call where every member that could name what was asked for says this. */
async function endOf([name, operation]: readonly [string, Operation], asked: string, said: string): Promise<unknown> {
  const { by, namedAs } = operation.asksFor ?? { by: '', namedAs: [] };
  const { output } = operation;
  const [body] = valuesFor(output[200] ?? output[202] ?? output.success ?? fail(name));
  const answer = { ...(body as object), ...Object.fromEntries(namedAs.map((member) => [member, said])) };
  if (operation.transport === 'reader') {
    const outcome = outcomeOfEnd(operation, { case: 'success', value: answer }, { [by]: asked });
    return outcome.kind === 'unknown' ? outcome.because : outcome.kind;
  }
  if (operation.method !== 'GET')
    return namesAnother(operation, { [by]: asked }, answer) === undefined ? 'succeeded' : 'wrong-shape';
  const client = clientOn(async () => Response.json(answer)) as unknown as Methods;
  return client[name]?.({ [by]: asked, query: {} }).then(
    () => 'succeeded',
    ({ kind }) => kind,
  );
}
type Methods = { readonly [name: string]: (input: object) => Promise<unknown> };

const fail = (name: string): never => {
  throw new Error(`${name} answers nothing.`);
};

describe.each(asking)('%s', (...one) => {
  it('is answered by what was asked for, and by nothing else', async () => {
    expect(await endOf(one, 'thing-1', 'thing-1')).toBe('succeeded');
    for (const said of ['thing-2', 'THING-1', 'thing-1 ', 'constructor'])
      expect(await endOf(one, 'thing-1', said)).toBe('wrong-shape');
  });
});

it('is what every read by an id asks for whose answer has the id', () => {
  const read = operations.filter(([, { method }]) => method === 'GET' || method === 'SDK');
  const byId = read.filter(([, { template, output, body }]) => {
    const [, name = body === undefined ? '' : 'identifier'] = /\{(\w+)\}$/.exec(template) ?? [];
    const answers = valuesFor(output[200] ?? output.success ?? fail(template)) as readonly (object | undefined)[];
    return answers.some((it) => it !== undefined && Object.hasOwn(it, name));
  });
  const changes = ['chargeDevice', 'incrementPreauthorization', 'capturePreauthorization', 'refundDeviceTransaction'];
  // The documents don't show whether the platform writes the names of reports as the merchant does.
  const named = ['describeReportDefinition', 'getReportSubscription'];
  const reads = asking.filter((one) => read.includes(one));
  const others = [...changes, 'refundWithoutOriginal', ...named];
  expect(byId.map(([name]) => name).filter((name) => !others.includes(name))).toEqual(reads.map(([name]) => name));
});

it('is held against what never changes of a thing, where a look-up may name it in more than one way', () => {
  const several = everyTool.filter(
    (it) => it.kind === 'platform' && (operationOf(it).asksFor?.namedAs.length ?? 0) > 1,
  ) as readonly PlatformTool[];
  expect(several.map(({ name }) => name).toSorted()).toEqual(['lookup_device_transaction', 'show_device_summary']);
  const fixed = several.map(({ observe }) => {
    const { neverChanges = [] }: KindSpec = observe.looksAt ? kindTable[observe.looksAt.kind] : fail('nothing');
    return neverChanges.length > 0;
  });
  expect(fixed).toEqual(several.map(() => true));
});

it('is what every change asks for whose answer is the thing as it is then, and not what it has made', () => {
  const changes = asking.filter(([, { method }]) => !['GET', 'SDK'].includes(method)).map(([name]) => name);
  expect(changes.toSorted()).toEqual([
    ...['activatePlan', 'amendPlan', 'cancelInvoice', 'cancelPurchase', 'cancelSubscription', 'deactivatePlan'],
    ...['publishInvoice', 'reactivateSubscription', 'retrieveCredentials', 'sendInvoice', 'suspendSubscription'],
    ...['updateInvoice', 'updatePurchase', 'updateSubscription'],
  ]);
  const shown = operations.filter(([, { method, template, output }]) => {
    const named = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const answers = Object.values(output).flatMap((it) => valuesFor(it)) as readonly (object | undefined)[];
    const isNamed = named.some((name) => answers.some((it) => it !== undefined && Object.hasOwn(it, name)));
    return isNamed && !['GET', 'SDK'].includes(method);
  });
  const made = shown.map(([name]) => name).filter((name) => !changes.includes(name));
  expect(made.toSorted()).toEqual(['capturePayment', 'refundCapture', 'voidCapture', 'voidRefund']);
});

it('leaves the outcome of a change unknown, and another thing as it was', async () => {
  let isOther = false;
  const it = await world({
    replace: {
      platform: (real) => async (request) => {
        const answer = await real(request);
        const isChange = isOther && request.method === 'PUT';
        return isChange ? Response.json({ ...JSON.parse(await answer.text()), id: 'another' }) : answer;
      },
    },
  });
  const { data } = await it.through('create_invoice', bill());
  const { data: lists } = await it.call('list_invoices');
  isOther = true;
  const said = await it.through('update_invoice', { invoice: data.invoice, description: 'Another lamp' });
  expect(said).toMatchObject({ outcome: 'unknown', error: { rule: 'EN-08' } });
  isOther = false;
  expect((await it.call('list_invoices')).data.total).toBe(lists.total);
});

it('changes nothing that is known, and no money moves on it', async () => {
  let isOther = false;
  const it = await world({
    replace: {
      platform: (real) => async (request) => {
        const answer = await real(request);
        return isOther ? Response.json({ ...JSON.parse(await answer.text()), id: 'another' }) : answer;
      },
      reader: (_, simulated) =>
        simulated && {
          ...simulated,
          send: async (operation, input, watch) => {
            const outcome = await simulated.send(operation, input, watch);
            if (!isOther || outcome.kind !== 'succeeded') return outcome;
            const other = { ...(outcome.body as object), identifier: 'another', customIdentifier: 'another' };
            return outcomeOfEnd(operation, { case: 'success', value: other }, input);
          },
        },
    },
  });
  const plan = await planned(it);
  const device = await readyDevice(it);
  const { data } = await it.through('charge_device', charging(device));
  const known = [await it.thing(plan), await it.thing(data.transaction)];
  const before = await it.effects();
  isOther = true;
  const shapeless = { outcome: 'refused', error: { code: 'UNREACHABLE', rule: 'EN-08' } };
  expect(await it.call('get_plan', { plan })).toMatchObject(shapeless);
  expect(await it.call('lookup_device_transaction', { transaction: data.transaction })).toMatchObject(shapeless);
  expect((await it.through('refund_device_transaction', { transaction: data.transaction })).outcome).toBe('refused');
  expect([await it.thing(plan), await it.thing(data.transaction)]).toEqual(known);
  expect(await it.effects()).toEqual(before);
});
