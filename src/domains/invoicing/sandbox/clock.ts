import { limits } from '../../../core/limits.ts';
import { addMonths, day as dayMilliseconds } from '../../../core/schedule.ts';
import type { World } from '../../../sandbox/world.ts';
import { dayText, expiryText, startOfDay } from '../dates.ts';
import { invoice, isReminded } from '../machines.ts';
import type { InvoiceDocument, InvoiceTerms } from './documents.ts';
import { mailCustomer, tell } from './mail.ts';
import { settingsOf } from './settings.ts';

// Due events of an invoice: reminders, and its expiry at 00:00 GMT of its expiration date (IN-12).

/** When an invoice expires, in milliseconds; undefined if it doesn't. */
function expiryOf({ invoiceInformation: { expirationDate } }: InvoiceTerms): number | undefined {
  const day = expirationDate === undefined ? undefined : expiryText(expirationDate);
  return day === undefined ? undefined : startOfDay(day);
}

/** The due date, in milliseconds of its 00:00 GMT. */
const dueOf = ({ invoiceInformation: { dueDate } }: InvoiceTerms): number => startOfDay(dayText(dueDate) ?? dueDate);

/** When the payment link of an invoice expires, in milliseconds. */
export const linkDies = (terms: InvoiceTerms): number => addMonths(dueOf(terms), limits.paymentLinkMonths);

/** An invoice at a moment: expired or not. */
export function at(it: InvoiceDocument, now: number): InvoiceDocument {
  const expiry = expiryOf(it.terms);
  return { ...it, expired: expiry !== undefined && expiry <= now };
}

/** An invoice that is due when its next event can happen. */
export function timed(it: InvoiceDocument, now: number): InvoiceDocument {
  const aged = at(it, now);
  const state = invoice.settle(aged);
  const moments = [...reminders(it.terms).map(([moment]) => moment), expiryOf(it.terms)];
  const ahead = moments.filter((moment): moment is number => moment !== undefined && moment > now);
  const open = invoice.legal({ ...aged, state, expired: true }).includes('expire');
  return { ...aged, state, due: open && ahead.length > 0 ? Math.min(...ahead) : undefined };
}

/** Settles what is due. */
export function settleInvoice(world: World, it: InvoiceDocument): void {
  const kept = world.put('invoice', timed(it, world.now));
  const reminder = reminders(it.terms).find(([moment]) => moment === world.now);
  const { enableReminders } = settingsOf(world, it.merchantId).fields;
  if (reminder === undefined || enableReminders !== true || !isReminded(kept.state)) return;
  const [, template, event] = reminder;
  mailCustomer(world, kept, template);
  tell(world, kept, event);
  world.put('invoice', { ...kept, history: [...kept.history, { event: 'REMINDER', at: world.now }] });
}

const reminders = (terms: InvoiceTerms) =>
  [
    [dueOf(terms) - limits.reminderBeforeDays * dayMilliseconds, 'invoiceReminder', 'reminder'],
    [dueOf(terms) + limits.reminderAfterDays * dayMilliseconds, 'invoiceOverdueReminder', 'overdue-reminder'],
  ] as const;
