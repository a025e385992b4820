import { valueAt } from '../../src/core/members.ts';
import type { Facts } from '../../src/domains/facts.ts';
import type { SentRequest } from '../../src/engine/sent-request.ts';
import { ofAnother } from '../echo.ts';
import { isSame } from '../read-back.ts';

/**
 * The path of what says that an answer is not about the bill that was sent (EN-08): another number, sum, currency or recipient. What the
 * answer leaves out contradicts nothing.
 */
export const contradictsBill = (_: Facts, { body }: { readonly body: object }, sent: SentRequest): string | undefined =>
  ofAnother(sent, body, 'invoiceInformation.invoiceNumber') ??
  exact.find((path) => {
    const [asked, told] = [textAt(sent.body, path), textAt(body, path)];
    return asked !== '' && told !== '' && !isSame(asked, told);
  });

const exact = [
  'orderInformation.amountDetails.totalAmount',
  'orderInformation.amountDetails.currency',
  'customerInformation.email',
] as const;

/** A value at a path as text, in lower case because the case of an e-mail address says nothing; empty where there is none. */
const textAt = (value: unknown, path: string): string =>
  String(valueAt(value, path.split('.')) ?? '')
    .trim()
    .toLowerCase();
