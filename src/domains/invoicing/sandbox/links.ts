import type { Merchant } from '../../../sandbox/documents.ts';
import type { World } from '../../../sandbox/world.ts';
import type { InvoiceDocument } from './documents.ts';

/** The id of an invoice in the world: two merchants can use the same number. */
export const keyOf = ({ id }: Pick<Merchant, 'id'>, number: string): string => `${id}/${number}`;

/** Characters of the last part of a payment link: 192 bits, which can't be guessed. */
const tokenCharacters = 32;

/** Creates a payment link of an invoice. */
export function freshLink(world: World, invoice: string): string {
  const token = world
    .derive(`payment link/${world.count('payment link')}`)
    .toString('base64url')
    .slice(0, tokenCharacters);
  world.put('paymentLink', { id: token, invoice });
  return token;
}

/** IN-08: another e-mail address gets another link, and the old one stops working. */
export function renewedLink(world: World, it: InvoiceDocument, email: string | undefined): InvoiceDocument {
  if (email === it.terms.customerInformation?.email) return it;
  world.remove('paymentLink', it.token);
  return { ...it, token: freshLink(world, it.id) };
}
