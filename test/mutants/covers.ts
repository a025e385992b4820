import { bugs } from './bugs.ts';

const text = (pattern: string) => `test/promises/approval-text.test.ts › ${pattern}`;

const covered = (pattern: string) => `test/promises/what-was-approved.test.ts › ${pattern}`;
const outside = (pattern: string) => `test/promises/customer-text.test.ts › ${pattern}`;

/** What an approval covers: the whole request, in quotation marks that nobody closes. */
// biome-ignore format: rows
export const covers = bugs([
  ['a-prompt-is-not-read', 'an argument of the model is sent and not shown to who approves',
   'src/engine/authored.ts', text('holds every authored field of initiate_purchase'),
   `if (arg.kind !== undefined) return [];`, `if (arg.kind !== undefined || name === 'prompt') return [];`],
  ['a-list-is-read-in-part', 'of a list, an approval shows the first item alone',
   'src/engine/approval-text.ts', text('shows every item of a list'),
   'return value.map((item, at) =>', 'return value.slice(0, 1).map((item, at) =>'],
  ['a-quotation-ends-early', 'a text with a quotation mark in it ends its quotation',
   'src/engine/approval-text.ts', text('stays a quotation in initiate_purchase.description'),
   `.replace(closing, '\\\\$&')`, ''],
  ['a-row-of-its-own', 'a long text is wrapped by the terminal, so that its words begin a row',
   'src/engine/approval-text.ts', text('stays a quotation in create_plan.description'),
   `at = begin;`, `at = '';`],
  ['blanks-make-a-row', 'a run of blanks reaches to the next row of a terminal',
   'src/engine/approval-text.ts', text('stays a quotation in create_invoice.description'),
   String.raw`.replace(/\p{White_Space}+/gu, ' ')`, ''],
  // Any change asks again.
  ['a-new-field-is-covered', 'a field without an ordering may change unasked',
   'src/engine/approval-scope.ts', covered('asks, whichever field it is about'),
   `narrower?.[path]?.(now[path], before[path], now) === true,`,
   `(narrower?.[path]?.(now[path], before[path], now) ?? true),`],
  ['a-field-left-out-is-covered', 'a restriction that was approved may be left out unasked',
   'src/engine/approval-scope.ts', covered('asks where a field is taken off'),
   `[...Object.keys(now), ...Object.keys(before).filter((path) => canSay(tool, path))]`,
   `[...Object.keys(now), ...Object.keys(before).filter((path) => path in now && canSay(tool, path))]`],
  ['a-payee-that-is-not-sent', 'the merchant that a person reads is not in the request',
   'tools/purchase/mandate.ts', covered('is sent, though the agent named none'),
   '({ [merchantPath]: payee(facts) })',
   '(facts.args.merchant === undefined ? {} : { [merchantPath]: payee(facts) })'],
  // What customers read.
  ['an-e-mail-that-nobody-read', 'an invoice is e-mailed to its customer at once, unread',
   'src/engine/approval-scope.ts', outside('never reaches the platform unread by create_invoice'),
   `if (writesToCustomers(tool, facts, request) && (tool.policy.releasedBy?.(facts) ?? []).length === 0) return true;`,
   ''],
  ['a-draft-goes-out-unread', 'a draft is sent to its customer unread',
   'tools/invoicing/deliver-invoice.ts', outside('is a draft without a person, and is sent with one'),
   `const isUnread = (facts: Facts): boolean => !isApproved(facts);`,
   `const isUnread = (facts: Facts): boolean => facts.things.invoice?.state !== 'DRAFT' && !isApproved(facts);`],
]);
