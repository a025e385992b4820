import { bugs } from './bugs.ts';

const books = (pattern: string) => `test/device/books.test.ts › ${pattern}`;
const cases = (pattern: string) => `test/device/cases.test.ts › ${pattern}`;
const rules = (pattern: string) => `test/device/rules.test.ts › ${pattern}`;

/** Bugs at the card reader: what is charged, found again, taken and paid back. */
// biome-ignore format: rows
export const deviceMutants = bugs([
  ['a-tip-nobody-approved', 'the highest tip is in no approval and no limit',
   'src/domains/device/tips.ts', rules('counts against the limit at its highest'),
   'minor: it.minor + (it.minor * highest + 99n) / 100n + typed', 'minor: it.minor + typed'],
  ['a-tip-rounded-down', 'a tip is a minor unit higher than what was approved',
   'src/domains/device/tips.ts', rules('comes to'),
   '(it.minor * highest + 99n) / 100n', '(it.minor * highest) / 100n'],
  ['a-decline-that-blocks', 'a declined card can not be followed by another one',
   'src/domains/device/guards.ts', books('can be made again under its reference'),
   `new Set(['Declined', 'Aborted', 'Error'] satisfies TransactionStatus[])`, `new Set(['Aborted', 'Error'] satisfies TransactionStatus[])`],
  ['a-hold-for-ever', 'a pre-authorization never expires',
   'src/domains/device/transactions.ts', rules('is captured until'),
   'it.expiresAt <= now', 'it.expiresAt < 0'],
  ['a-handset-of-before', 'a handset before the XS generation is enrolled',
   'src/domains/device/requirements.ts', rules('is not enrolled'),
   'handsetGeneration < limits.handsetGeneration', 'handsetGeneration < limits.handsetGeneration - 1'],
  ['a-system-a-day-too-old', 'a system that is a year old is enrolled',
   'src/domains/device/requirements.ts', rules('is not enrolled'),
   '* dayMilliseconds <= now', '* dayMilliseconds < now - dayMilliseconds'],
  ['seven-releases', 'seven releases of the SDK count as the latest',
   'src/domains/device/requirements.ts', rules('is one of the six latest'),
   'known.length - at <= limits.sdkReleases', 'known.length - at <= limits.sdkReleases + 1'],
  ['an-old-charge-found', 'a lost charge is found as the one before it',
   'tools/device/charges.ts', books('leaves exactly one charge'),
   `if (found === undefined || found.identifier === noted?.before) return 'nothing';`, `if (found === undefined) return 'nothing'; if (noted?.before === '') return 'unclear';`],
  ['books-without-the-reader', 'what moved at the reader is in no summary',
   'src/domains/reporting/sandbox/transactions.ts', books('stand in the batch summaries'),
   `.list('deviceMovement')\n      .filter(ofMerchant)`, `.list('deviceMovement')\n      .filter(() => false)`],
  ['a-refund-above-the-sale', 'the sandbox pays back more than was captured',
   'src/domains/device/sandbox/handlers.ts', books('never capture more than is authorized'),
   `if (minor > left.minor) throw`, `if (minor < 0n) throw`],
  ['cancelled-and-unknown', 'a call that was cancelled on the reader counts as lost',
   'src/domains/device/sandbox/reader.ts', cases('ends cancelled on the reader'),
   'if (status === cancelledStatus)', 'if (status === -cancelledStatus)'],
]);
