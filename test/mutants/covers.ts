import type { Mutant } from './mutants.ts';

const text = (pattern: string) => `test/promises/approval-text.test.ts › ${pattern}`;

const covered = (pattern: string) => `test/promises/what-was-approved.test.ts › ${pattern}`;
const outside = (pattern: string) => `test/promises/customer-text.test.ts › ${pattern}`;

/** What an approval covers: the whole request, in quotation marks that nobody closes. */
export const covers: readonly Mutant[] = [
  {
    id: 'a-prompt-is-not-read',
    title: 'an argument of the model is sent and not shown to who approves',
    file: 'src/engine/authored.ts',
    find: `if (arg.kind !== undefined) return [];`,
    replace: `if (arg.kind !== undefined || name === 'prompt') return [];`,
    caughtBy: text('holds every authored field of initiate_purchase'),
  },
  {
    id: 'a-list-is-read-in-part',
    title: 'of a list, an approval shows the first item alone',
    file: 'src/engine/approval-text.ts',
    find: 'return value.map((item, at) =>',
    replace: 'return value.slice(0, 1).map((item, at) =>',
    caughtBy: text('shows every item of a list'),
  },
  {
    id: 'a-quotation-ends-early',
    title: 'a text with a quotation mark in it ends its quotation',
    file: 'src/engine/approval-text.ts',
    find: `.replace(closing, '\\\\$&')`,
    replace: '',
    caughtBy: text('stays a quotation in initiate_purchase.description'),
  },
  {
    id: 'a-row-of-its-own',
    title: 'a long text is wrapped by the terminal, so that its words begin a row',
    file: 'src/engine/approval-text.ts',
    find: `at = continuation;`,
    replace: `at = '';`,
    caughtBy: text('stays a quotation in create_plan.description'),
  },
  {
    id: 'blanks-make-a-row',
    title: 'a run of blanks reaches to the next row of a terminal',
    file: 'src/engine/approval-text.ts',
    find: String.raw`.replace(/\p{White_Space}+/gu, ' ')`,
    replace: '',
    caughtBy: text('stays a quotation in create_invoice.description'),
  },
  // Any change asks again.
  {
    id: 'a-new-field-is-covered',
    title: 'a field without an ordering may change unasked',
    file: 'src/engine/approval-scope.ts',
    find: `narrower?.[path]?.(now[path], before[path], now) === true,`,
    replace: `(narrower?.[path]?.(now[path], before[path], now) ?? true),`,
    caughtBy: covered('asks, whichever field it is about'),
  },
  {
    id: 'a-field-left-out-is-covered',
    title: 'a restriction that was approved may be left out unasked',
    file: 'src/engine/approval-scope.ts',
    find: `[...Object.keys(now), ...Object.keys(before).filter((path) => canSay(tool, path))]`,
    replace: `[...Object.keys(now), ...Object.keys(before).filter((path) => path in now && canSay(tool, path))]`,
    caughtBy: covered('asks where a field is left out'),
  },
  {
    id: 'a-payee-that-is-not-sent',
    title: 'the merchant that a person reads is not in the request',
    file: 'tools/purchase/purchases.ts',
    find: `({ 'mandates[].preferredMerchantName': payee(facts) })`,
    replace: `(facts.args.merchant === undefined ? {} : { 'mandates[].preferredMerchantName': payee(facts) })`,
    caughtBy: covered('is sent, though the agent named none'),
  },
  // What customers read.
  {
    id: 'an-e-mail-that-nobody-read',
    title: 'an invoice is e-mailed to its customer at once, unread',
    file: 'src/engine/approval-scope.ts',
    find: `if (writesToCustomers(tool, facts, request) && (tool.policy.releasedBy?.(facts) ?? []).length === 0) return true;`,
    replace: '',
    caughtBy: outside('never reaches the platform unread by create_invoice'),
  },
  {
    id: 'a-draft-goes-out-unread',
    title: 'a draft is sent to its customer unread',
    file: 'tools/invoicing/invoices.ts',
    find: `const isUnread = (facts: Facts): boolean => !isApproved(facts);`,
    replace: `const isUnread = (facts: Facts): boolean => facts.things.invoice?.state !== 'DRAFT' && !isApproved(facts);`,
    caughtBy: outside('is a draft without a person, and is sent with one'),
  },
];
