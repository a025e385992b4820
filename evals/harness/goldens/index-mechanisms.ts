import type { Page } from '../../../src/ledger/ledger-transaction.ts';
import { endOf, onLedger, type Step, start, within } from './ledger-steps.ts';
import type { Mechanisms } from './lines.ts';

// The indexes of the ledger: what is found by keys and names once a thing has changed, and by whom.

const day = 86_400_000;
const due = (days: number): string => new Date(start + days * day).toISOString().slice(0, 10);
const invoice = (handle: string, days: number, of: object = {}) => ({
  ...{ handle, kind: 'invoice', owner: 'ada', state: 'DRAFT' },
  body: { invoiceId: handle, customer: ' Ada ', due: due(days), ...of },
});
/** Invoices in a state that are due within so many days. */
const dueIn = (value: string, days: number) => ({ key: 'due', value, upTo: start + days * day });

const indexed: readonly Step[] = [
  within('four invoices', async ({ observations }) => {
    for (const [at, handle] of ['one', 'two', 'three'].entries())
      await observations.insert(invoice(handle, at + 1, { principal: 'agent' }), start);
    return (await observations.insert(invoice('four', 9, { principal: 'other' }), start)).handle;
  }),
  ...[
    ['by what they are due', ''],
    ['drafts', 'DRAFT'],
    ['sent ones', 'SENT'],
  ].map(([what = '', value = '']) =>
    within(what, async ({ observations }) => {
      const found: string[] = [];
      for (const days of [0, 1, 2, 3, 9]) {
        const { rows } = await observations.listBy({ kind: 'invoice', ranges: [dueIn(value, days)] }, { limit: 9 });
        found.push(`${days}: ${rows.map(({ handle }) => handle).join(' ') || 'none'}`);
      }
      return found;
    }),
  ),
  within('the next page of other things', async ({ observations }) => {
    const list = (ranges: readonly ReturnType<typeof dueIn>[], page: Page, principals?: readonly string[]) =>
      observations.listBy({ kind: 'invoice', ranges, ...(principals && { principals }) }, page);
    const { more: cursor } = await list([dueIn('', 9)], { limit: 1 });
    const next = (...[ranges, principals]: [readonly ReturnType<typeof dueIn>[], (readonly string[])?]) =>
      endOf(async () => (await list(ranges, { limit: 9, cursor }, principals)).rows.map(({ handle }) => handle));
    return [await next([dueIn('', 9)]), await next([dueIn('', 8)]), await next([dueIn('DRAFT', 9)])];
  }),
  within('one changes', async ({ observations }) => {
    const one = await observations.find('one');
    const body = { ...one?.body, due: due(5), customer: 'Bo' };
    return one && (await observations.update(one, { state: 'SENT', body }, start + 1)).state;
  }),
  ...['', 'DRAFT', 'SENT'].map((value) =>
    within(`afterwards, ${value || 'all'}`, async ({ observations }) => {
      const found: string[] = [];
      for (const days of [1, 4, 5, 9]) {
        const { rows } = await observations.listBy({ kind: 'invoice', ranges: [dueIn(value, days)] }, { limit: 9 });
        found.push(`${days}: ${rows.map(({ handle }) => handle).join(' ') || 'none'}`);
      }
      return found;
    }),
  ),
  within('by name', async ({ observations }) => {
    const found: string[] = [];
    for (const name of ['ada', ' Ada', 'ada ', 'bo', 'one', 'ONE', 'o', 'two ada'])
      for (const state of [undefined, 'DRAFT', 'SENT']) {
        const { rows } = await observations.search({ kind: 'invoice', name, state }, { limit: 9 });
        found.push(
          `${JSON.stringify(name)} ${state ?? 'all'}: ${rows.map(({ handle }) => handle).join(' ') || 'none'}`,
        );
      }
    return found;
  }),
];

export const indexMechanisms: Mechanisms = { 'invoices by what they are due, and by name': onLedger(indexed) };
