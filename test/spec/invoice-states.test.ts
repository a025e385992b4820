import { describe, expect, it } from 'vitest';
import { invoice } from '../../src/domains/invoicing/machines.ts';
import { section, table } from './document.ts';

// The document prints trigger and condition of an invoice in one cell, and `unpaid` for several states; they are taken
// apart here, and nothing else about them is changed.

const page = 'document-2-invoicing.md';
const heading = 'State table: Invoice';

/** The states in which nothing is paid and the invoice has not ended. */
const unpaid = ['DRAFT', 'CREATED', 'SENT'];

const deeds: readonly (readonly [printed: RegExp, trigger: string])[] = [
  [/^create with (.*)$/, 'create'],
  [/^send invoice, (.*)$/, 'send'],
  [/^cancel invoice()$/, 'cancel'],
];

const rows = table(page, heading).flatMap(([from = '', deed = '', condition = '', to = '', then = '']) => {
  const [printed, trigger] = deeds.find(([pattern]) => pattern.test(deed)) ?? [/()/, deed];
  const asked = printed.exec(deed)?.[1] ?? '';
  const states = from === 'unpaid' ? unpaid : [from === 'creation' ? 'none' : from];
  return states.map((state) => [state, trigger, condition === '' ? asked : condition, to, then]);
});

describe('the invoice machine', () => {
  it('has the rows of the document, all of them and no others, in its order', () => {
    expect(invoice.rows.map((row) => [...row])).toEqual(rows);
    expect(rows).toHaveLength(11);
    expect(invoice.source).toBe('document 2');
  });

  it('does not repeat under `assumed` what the document shows', () => {
    const key = (row: readonly (string | undefined)[]) => row.slice(0, 3).join(' | ');
    const shown = new Set(rows.map(key));
    expect(invoice.assumed.filter((row) => shown.has(key(row)))).toEqual([]);
  });

  it('has the states that the document lists, and those of decision D-22 besides', () => {
    const [, listed = ''] = /^States: (.*)\.$/m.exec(section(page, heading)) ?? [];
    const printed = [...listed.matchAll(/`(\w+)`/g)].map(([, state]) => state);
    expect(printed).toHaveLength(5);
    expect(invoice.existing.filter((state) => !printed.includes(state)).toSorted()).toEqual([
      'EXPIRED',
      'PAID',
      'PENDING',
    ]);
  });

  it('updates and cancels only while nothing is paid, as the sentence below the table says', () => {
    const words = section(page, heading);
    expect(words).toContain('Update is allowed only when no payment has been made.');
    expect(words).toContain('Partially paid or fully paid invoices cannot be cancelled');
    const guarded = [...invoice.rows, ...invoice.assumed].filter(([, trigger]) =>
      ['update', 'cancel'].includes(trigger),
    );
    expect(guarded.map(([state, , condition]) => [state, condition])).toEqual(
      [...unpaid, ...unpaid].map((state) => [state, 'no payment made']),
    );
  });

  it('sends nothing that is paid or cancelled', () => {
    expect(section(page, heading)).toContain('fully paid or cancelled invoices cannot be resent');
    const sendable = [...invoice.rows, ...invoice.assumed].filter(([, trigger]) => trigger === 'send');
    expect(new Set(sendable.map(([state]) => state))).toEqual(new Set(['DRAFT', 'CREATED', 'SENT', 'PARTIAL']));
  });

  it('creates in the three modes of the document', () => {
    const modes = table(page, 'Creation modes').map(([, deliveryMode, sendImmediately]) => [
      `deliveryMode ${deliveryMode}, sendImmediately ${sendImmediately}`,
    ]);
    const created = invoice.rows.filter(([, trigger]) => trigger === 'create').map(([, , condition]) => [condition]);
    expect(created).toEqual(modes);
  });
});
