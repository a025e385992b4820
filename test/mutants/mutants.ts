import { borders } from './borders.ts';
import { covers } from './covers.ts';
import { fileMutants } from './files.ts';
import { growth } from './growth.ts';
import { integrity } from './integrity.ts';
import { limitMutants } from './limits.ts';
import { screening } from './screening.ts';
import { taintMutants } from './taint.ts';
import { who } from './who.ts';

/**
 * Bugs that a careful person could write, one place each. `npm run mutants` puts one after the other into a copy of the
 * project and demands that the test named here fails. A promise whose mutant survives is not tested.
 */
export interface Mutant {
  readonly id: string;
  readonly title: string;
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly find: string;
  readonly replace: string;
  /** `test file › pattern of test names`, the pattern being a regular expression. */
  readonly caughtBy: string;
}

const engine = (file: string, pattern: string) => `test/engine/${file}.test.ts › ${pattern}`;
const writeAhead = (pattern: string) => engine('write-ahead', pattern);
const approvals = (pattern: string) => engine('approval-decisions', pattern);
const limits = (pattern: string) => engine('limits', pattern);

export const mutants: readonly Mutant[] = [
  ...screening,
  ...growth,
  ...taintMutants,
  ...integrity,
  // What halts everything but reading.
  {
    id: 'goes-on-after-a-halt',
    title: 'a tenant that was halted goes on as if nothing had been seen',
    file: 'src/engine/freeze.ts',
    find: `if (since !== undefined) throw new Refused(frozen(since.operationId ?? undefined));`,
    replace: `if (since !== undefined && since.seq < 0) throw new Refused(frozen(undefined));`,
    caughtBy: 'test/engine/halt.test.ts › halts everything but reading',
  },
  {
    id: 'believes-the-late-answer',
    title: 'an answer that says otherwise than a person did is told as if nothing were wrong',
    file: 'src/engine/operation-state.ts',
    find: `if (end === undefined || answer === 'lose' || answer === end) return;`,
    replace: `if (end !== 'succeed' || answer === 'lose' || answer === end) return;`,
    caughtBy: 'test/engine/halt.test.ts › is told as unknown, and halts',
  },
  // What is read back.
  {
    id: 'reads-back-early',
    title: 'a lost call is read back before its quiet period is over',
    file: 'src/engine/recover.ts',
    find: `claimUnknown(now, names,`,
    replace: `claimUnknown(now + 600_000, names,`,
    caughtBy: 'test/engine/unknown.test.ts › createPlan, lost by late-apply.*past the quiet period',
  },
  {
    id: 'one-stops-all',
    title: 'an operation that can not be read back stops all behind it',
    file: 'src/engine/recover.ts',
    find: `reply.because === 'unreachable' ? 'gone' : 'unclear';`,
    replace: `reply.because === 'unreachable' ? 'gone' : 'gone';`,
    caughtBy: 'test/engine/read-back.test.ts › stops no other one behind it: forbidden',
  },
  {
    id: 'not-listed-is-nothing',
    title: 'a subscription that is not listed yet is taken for one that never was',
    file: 'tools/billing/subscriptions.ts',
    find: `if (mine === undefined || !isAsSent(mine, body)) return 'unclear';`,
    replace: `if (mine === undefined) return 'nothing';`,
    caughtBy: 'test/engine/read-back.test.ts › waits where a new subscription is not listed',
  },
  {
    id: 'any-invoice-of-the-number',
    title: "somebody else's invoice of the same number is taken for the one that was lost",
    file: 'tools/invoicing/invoices.ts',
    find: `isSameInvoice(it, body) ?`,
    replace: `isSaidAs(it, it) ?`,
    caughtBy: 'test/engine/read-back.test.ts › waits where another invoice has the number',
  },
  {
    id: 'half-an-update-is-one',
    title: 'an update of which one part is there is taken for one that came to nothing',
    file: 'tools/billing/subscriptions.ts',
    find: `return isOtherwise(it, body) ? 'nothing' : 'unclear';`,
    replace: `return 'nothing';`,
    caughtBy: 'test/engine/read-back.test.ts › waits where one part of an update is there',
  },
  {
    id: 'read-back-keeps-the-budget',
    title: 'what came to nothing goes on holding its budget',
    file: 'src/engine/recover.ts',
    find: `      await tx.budgets.settle(id, 'RELEASED');
`,
    replace: ``,
    caughtBy: 'test/engine/read-back.test.ts › keeps its budget used up',
  },
  {
    id: 'read-back-undoes-a-person',
    title: 'what was read back replaces what a person has settled meanwhile',
    file: 'src/engine/recover.ts',
    find: `if (row === undefined || row.version !== version || !canMoveOperation(row.state, 'fail')) return;`,
    replace: `if (row === undefined) return;`,
    caughtBy: 'test/engine/read-back.test.ts › does not undo what a person has settled',
  },
  // What is sent, when, and how often.
  {
    id: 'record-after-call',
    title: 'the intent is committed only after the call was sent',
    file: 'src/engine/call.ts',
    find: `        // Where the circuit breaker refuses, the intent is rolled back.
`,
    replace: `        if (begun.kind === 'send') Object.assign(begun.row, { early: await sendIntent(parts, tool, begun.row) });
`,
    caughtBy: writeAhead('is on disk, with its audit row, when the request goes out'),
  },
  {
    id: 'no-quiet-period',
    title: 'silence counts at once, not after the quiet period',
    file: 'src/engine/operation-state.ts',
    find: 'row.quietUntil !== null && row.quietUntil <= now',
    replace: 'row.quietUntil !== null && row.createdAt <= now',
    caughtBy: writeAhead('is given up after the quiet period, and not before'),
  },
  {
    id: 'quiet-period-from-the-queue',
    title: 'the intent is written before its call has a place, so its quiet period runs while it waits',
    file: 'src/engine/platform-slots.ts',
    find: '    await bulkhead.enter();',
    replace: '    void bulkhead.enter();',
    caughtBy: writeAhead('waits for a place before it is written down'),
  },
  {
    id: 'sent-by-a-sleeper',
    title: 'a process that was stopped for minutes still sends',
    file: 'src/engine/operation-state.ts',
    find: 'row.startedAt === null || now - row.startedAt > limits.sendingSeconds * 1_000',
    replace: 'row.startedAt === null',
    caughtBy: writeAhead('sends nothing once a stopped process has lost too much'),
  },
  {
    id: 'heeds-the-abort-signal',
    title: "the caller's abort signal reaches the request",
    file: 'src/client/platform.ts',
    find: '  return Object.assign(platform, { close: () => agent.close() });',
    replace: `  const heeding: Platform = (request) =>
    Promise.race([
      platform(request),
      new Promise<never>((_, no) => request.signal.addEventListener('abort', () => no(new PlatformFault('no-answer')))),
    ]);
  return Object.assign(heeding, { close: () => agent.close() });`,
    caughtBy: 'test/client/platform.test.ts › outlives the abort signal of who asked',
  },
  {
    id: 'retries-a-put',
    title: 'a PUT whose answer was lost is sent again by the library',
    file: 'src/client/platform.ts',
    find: '      onResponseError: (_, error) => lose(error),',
    replace: `      onResponseError: (_, error) => {
        if (options.method !== 'PUT' || 'again' in options) return lose(error);
        started = false;
        Object.assign(options, { again: true });
        agent.dispatch(options, handler);
      },`,
    caughtBy: 'test/client/platform.test.ts › not repeated although the method is PUT',
  },
  {
    id: 'keeps-connections',
    title: 'a kept connection may break under a payment',
    file: 'src/client/platform.ts',
    find: '    pipelining: 0,',
    replace: '    pipelining: 1,',
    caughtBy: 'test/client/client.test.ts › sends the serialised body once, signed over those bytes',
  },
  {
    id: 'repeats-what-it-must-not',
    title: 'every unknown call is sent again, whatever its recovery class',
    file: 'src/engine/prior-operation.ts',
    find: "operationOf(call.tool).recovery === 'repeat' && row.rulesHash === rulesHash",
    replace: 'row.rulesHash === rulesHash',
    caughtBy: writeAhead('is said to be unknown and not sent again: timeout-after-commit'),
  },
  {
    id: 'repeats-under-other-rules',
    title: 'a call is repeated by a version that has other rules',
    file: 'src/engine/prior-operation.ts',
    find: "=== 'repeat' && row.rulesHash === rulesHash;",
    replace: "=== 'repeat';",
    caughtBy: writeAhead('is not repeated by a version with other rules'),
  },
  {
    id: 'repeat-with-new-ids',
    title: 'a repeat is remembered under identifiers that were never sent',
    file: 'src/engine/write-intent.ts',
    find: '(row.request?.new ?? facts.new)',
    replace: 'facts.new',
    caughtBy: writeAhead('teaches what its request said'),
  },
  {
    id: 'two-calls-on-one-thing',
    title: 'a second call on the same thing is not held back',
    file: 'src/engine/prior-operation.ts',
    find: '  if (busy === undefined) return;',
    replace: '  if (busy !== null) return;',
    caughtBy: writeAhead('of another call on the same thing is refused while one is under way'),
  },

  // What an answer means.
  {
    id: 'unknown-is-failed',
    title: 'an outcome that nobody knows is taken for a failure',
    file: 'src/engine/finish.ts',
    find: `    trigger: 'lose',
    event: 'unknown',
    body: {`,
    replace: `    trigger: 'fail',
    event: 'unknown',
    body: {`,
    caughtBy: writeAhead('is said to be unknown and not sent again'),
  },
  {
    id: '5xx-did-nothing',
    title: 'a 5xx is taken for a call without effect',
    file: 'src/client/errors.ts',
    find: "[500,  599, 'unknown',",
    replace: "[500,  599, 'none',",
    caughtBy: 'test/client/refusal.test.ts › 502: nobody knows',
  },
  {
    id: 'any-text-is-an-answer',
    title: 'a success that is no JSON is taken for an answer',
    file: 'src/client/answer.ts',
    find: String.raw`if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type)) throw`,
    replace: 'if (type === undefined) throw',
    caughtBy: 'test/client/answer.test.ts › JSON that says it is text with a success status',
  },
  {
    id: 'any-shape-is-an-answer',
    title: 'a success of another shape is taken for an answer',
    file: 'src/client/answer.ts',
    find: "if (!parsed.success) throw new PlatformFault('wrong-shape', { status, paths: pathsOf(parsed.error) });",
    replace: 'if (!parsed.success) return { status, body };',
    caughtBy: 'test/client/answer.test.ts › another shape, by its paths',
  },
  {
    id: 'refused-repeat-is-proof',
    title: 'a repeat that is refused proves that the first sending failed',
    file: 'src/engine/finish.ts',
    find: 'attempts > 1 ? lostAgain(tool, sent, reply) : lost(tool, sent, reply)',
    replace: 'lost(tool, sent, reply)',
    caughtBy: writeAhead('whose repeat is refused proves nothing'),
  },
  {
    id: 'lost-release-not-counted',
    title: 'a release that a person found to have happened is not counted',
    file: 'tools/purchase/purchases.ts',
    find: 'confirmed: (known) => ({ releases: Number(known.releases) + 1 }),',
    replace: 'confirmed: (known) => ({ releases: Number(known.releases) }),',
    caughtBy: writeAhead('of a release that did happen counts as a release'),
  },

  // References and replays.
  {
    id: 'replay-unseen',
    title: 'a used reference answers any call, whatever its arguments',
    file: 'src/engine/prior-operation.ts',
    find: 'row?.argsDigest === argsDigest && row.principal === caller.principal',
    replace: 'row?.principal === caller.principal',
    caughtBy: writeAhead('is refused for a call with another limit'),
  },
  {
    id: 'replay-for-anybody',
    title: "a used reference answers another principal with the first one's result",
    file: 'src/engine/prior-operation.ts',
    find: 'row?.argsDigest === argsDigest && row.principal === caller.principal',
    replace: 'row?.argsDigest === argsDigest',
    caughtBy: writeAhead('answers nobody else'),
  },
  {
    id: 'reference-ignored',
    title: 'a reference is not looked up',
    file: 'src/engine/prior-operation.ts',
    find: "if (facts.reference === '') return tx.operations.openCall(",
    replace: "if (facts.reference !== '?') return tx.operations.openCall(",
    caughtBy: writeAhead('is refused for a call with another text'),
  },

  // Approvals.
  {
    id: 'digest-unchecked',
    title: 'what is sent is not held against what was approved',
    file: 'src/engine/evaluate.ts',
    find: '  digest === approval?.digest;',
    replace: "  digest !== '' || approval === undefined;",
    caughtBy: approvals('approves nothing but what was read: another card behind the same handle'),
  },
  {
    id: 'approval-not-used-up',
    title: 'an approval stays good after it was used',
    file: 'src/engine/write-intent.ts',
    find: "  await moveApproval(tx, asked, 'consume', now);",
    replace: '',
    caughtBy: approvals('is used up by the one sending it was given for'),
  },
  {
    id: 'approval-never-late',
    title: 'an approval is given and used after its time',
    file: 'src/engine/operation-state.ts',
    find: 'const isLate = (row: ApprovalRow, now: number): boolean => row.expiresAt <= now;',
    replace: 'const isLate = (row: ApprovalRow, now: number): boolean => row.expiresAt <= now - now;',
    caughtBy: approvals('holds to its last millisecond and not to its end'),
  },
  {
    id: 'late-approval-in-the-table',
    title: 'the table lets an approval be given out of time',
    file: 'src/core/own-machines.ts',
    find: "['REQUESTED', 'approve',    'in time',  ",
    replace: "['REQUESTED', 'approve',    '',         ",
    caughtBy: 'test/spec/machine-cells.test.ts › approval',
  },
  {
    id: 'release-not-counted',
    title: 'a release of credentials is not counted',
    file: 'tools/purchase/purchases.ts',
    find: 'const releases = (facts.things.instruction?.body.releases ?? 0) + 1;',
    replace: 'const releases = facts.things.instruction?.body.releases ?? 0;',
    caughtBy: approvals('is approved with the purchase, once; the next one asks a person'),
  },
  {
    id: 'narrowing-grants-a-release',
    title: 'an update that nobody approved grants one more release',
    file: 'tools/purchase/purchases.ts',
    find: '...(approved ? { releasesApproved:',
    replace: '...(facts ? { releasesApproved:',
    caughtBy: approvals('is not granted by an update that nobody approved'),
  },
  {
    id: 'widening-unasked',
    title: 'a later end is not seen as wider',
    file: 'tools/purchase/purchases.ts',
    find: `'mandates[].effectiveUntilTime': orderings.less,`,
    replace: `'mandates[].effectiveUntilTime': orderings.partOfWhole,`,
    caughtBy: approvals('be widened without a person: a later end'),
  },
  {
    id: 'mandate-in-spite-of-taint',
    title: 'a standing mandate approves although the conversation has read text from outside',
    file: 'src/engine/evaluate.ts',
    find: 'checked.tainted || twin?.isPending === true ? undefined',
    replace: 'twin?.isPending === true ? undefined',
    caughtBy: limits('approves nothing once the conversation has read text from outside'),
  },

  // Budgets and money.
  {
    id: 'check-then-act',
    title: 'a budget is reserved whatever is left of it',
    file: 'src/ledger/budgets.ts',
    find: '(most !== undefined && next.minor > most) || ',
    replace: '',
    caughtBy: 'test/ledger/budgets.test.ts › gives up to its most and not a unit more',
  },
  {
    id: 'checksum-ignored',
    title: 'a row is believed whatever its checksum says',
    file: 'src/ledger/checksum.ts',
    find: '  row.checksum === checksumOf(table, row);',
    replace: '  row !== undefined || checksumOf(table, row) !== undefined;',
    caughtBy: 'test/ledger/checksum.test.ts › decides nothing',
  },
  {
    id: 'no-told-for-ever',
    title: 'a denial is told again and again, and the call is never asked anew',
    file: 'src/engine/write-intent.ts',
    find: `  await tx.operations.update(row, { result: answerOf(no), updatedAt: now });
`,
    replace: '',
    caughtBy: 'test/engine/approvals.test.ts › that is denied ends its call',
  },
  {
    id: 'evidence-ignored',
    title: 'an approval is believed that stands in no audit',
    file: 'src/engine/audit-evidence.ts',
    find: `last?.event !== 'approved' || `,
    replace: `last === undefined && `,
    caughtBy: 'test/engine/forged.test.ts › that was withdrawn is not given again',
  },
  {
    id: 'unknown-gives-back',
    title: 'a call whose outcome is unknown gives its budget back',
    file: 'src/engine/finish.ts',
    find: "const budgetAfter = { succeed: 'SPENT', fail: 'RELEASED', lose: undefined } as const;",
    replace: "const budgetAfter = { succeed: 'SPENT', fail: 'RELEASED', lose: 'RELEASED' } as const;",
    caughtBy: limits('goes on being held while an outcome is unknown'),
  },
  {
    id: 'approved-unreserved',
    title: 'a call that a person approved takes nothing out of the budget',
    file: 'src/engine/write-intent.ts',
    find: '  await reserve(tx, counted, outlay, row.id);',
    replace: '  if (approved === undefined) await reserve(tx, counted, outlay, row.id);',
    caughtBy: limits('adds up over calls'),
  },
  {
    id: 'exponent-ignored',
    title: 'every currency has two decimals',
    file: 'src/core/money.ts',
    find: "decimals.padEnd(minorDigits(currency), '0')",
    replace: "decimals.padEnd(2, '0')",
    caughtBy: 'test/core/money.test.ts › reads 1500 JPY exactly',
  },
  {
    id: 'currencies-compared-as-numbers',
    title: 'an amount is within a limit of another currency',
    file: 'src/core/money.ts',
    find: 'it.currency === limit.currency && it.minor <= limit.minor',
    replace: 'it.minor <= limit.minor',
    caughtBy: 'test/core/money.test.ts › is never within a limit of another currency',
  },
  {
    id: 'guards-without-ap-09',
    title: 'the guards of AP-09 are passed over',
    file: 'src/engine/check.ts',
    find: '    if (!guard.holds(facts))',
    replace: "    if (guard.id !== 'AP-09' && !guard.holds(facts))",
    caughtBy: engine('rules-in-force', 'are held before anything is sent: AP-09'),
  },
  {
    id: 'receipt-of-any-amount',
    title: 'a receipt whose amount nobody can read is taken for the right one',
    file: 'src/domains/purchase/guards.ts',
    find: 'return paid !== null && released !== null && sameMoney(paid, released);',
    replace: 'return paid === null || released === null || sameMoney(paid, released);',
    caughtBy: 'test/purchase/guards.test.ts › confirms what was released and nothing else',
  },
  {
    id: 'confirmed-without-receipt',
    title: "a confirmation needs no receipt of the merchant's payment system",
    file: 'src/domains/purchase/guards.ts',
    find: 'holds: ({ things }) => things.receipt !== undefined,',
    replace: 'holds: () => true,',
    caughtBy: 'test/purchase/guards.test.ts › confirms nothing without a receipt',
  },
  {
    id: 'mandate-ends-late',
    title: 'a mandate still holds in the second in which it ends',
    file: 'tools/purchase/purchases.ts',
    find: 'Number(instruction.body.until) * 1_000 <= now',
    replace: 'Number(instruction.body.until) * 1_000 < now',
    caughtBy: approvals('ends with the mandate, at the very second'),
  },

  // What comes in.
  {
    id: 'date-of-any-text',
    title: 'a moment is whatever the language makes a date of',
    file: 'src/engine/tool-arguments.ts',
    find: 'schema: z.iso.datetime({ offset: true }).describe(about),',
    replace: 'schema: z.string().refine((text) => !Number.isNaN(Date.parse(text))).describe(about),',
    caughtBy: approvals('takes a day that does not exist for no day'),
  },
  {
    id: 'unknown-arguments-pass',
    title: 'an argument that the tool does not state is dropped in silence',
    file: 'src/engine/tool.ts',
    find: '.strictObject(Object.fromEntries(Object.entries(spec.input.args)',
    replace: '.object(Object.fromEntries(Object.entries(spec.input.args)',
    caughtBy: approvals('takes no argument that its tool does not state'),
  },
  {
    id: 'scan-without-nfkc',
    title: 'the look for card numbers sees plain digits alone',
    file: 'src/screening/digits.ts',
    find: "text.normalize('NFKD').replace(unseen, '')",
    replace: "text.replace(unseen, '')",
    caughtBy: engine('input-screening', 'is found in circles'),
  },
  {
    id: 'scan-of-the-top-alone',
    title: 'the look for card numbers does not look into what is nested',
    file: 'src/engine/input-screening.ts',
    find: '(screenValue(name, field, own) ?? screenValue(member, path, own))',
    replace:
      "(screenValue(name, field, own) ?? (typeof member === 'object' ? undefined : screenValue(member, path, own)))",
    caughtBy: engine('input-screening', 'is asked of every call, before its shape'),
  },
  {
    id: 'hidden-characters-pass',
    title: 'text that an approver reads may hold what nobody sees',
    file: 'src/engine/input-screening.ts',
    find: 'if (!value.isWellFormed() || invisible.test(value)) return hidden(field);',
    replace: '',
    caughtBy: engine('input-screening', 'refuses what nobody can see'),
  },
  {
    id: 'answers-unscanned',
    title: 'an answer goes out whatever it holds',
    file: 'src/engine/output-screening.ts',
    find: 'if (holdsCardDataIn(answer, parts.settings.ownNumbers)) {',
    replace: 'if (holdsCardDataIn(answer) && !holdsCardDataIn(answer)) {',
    caughtBy: engine('output-screening', 'of a row that somebody put into the ledger is held back'),
  },
  {
    id: 'number-over-a-list',
    title: 'a card number may be taken apart over the members of a list',
    file: 'src/engine/input-screening.ts',
    find: 'Array.isArray(value) && holdsCardNumber(inOneText(value)) ? found(field) : undefined',
    replace: 'undefined',
    caughtBy: engine('input-screening', 'refuses a number that is taken apart over a list'),
  },
  {
    id: 'number-in-escapes',
    title: 'a card number in entities or escapes is not seen',
    file: 'src/screening/encodings.ts',
    find: 'new Set([text, unescaped(text)])',
    replace: 'new Set([text])',
    caughtBy: 'test/screening/card-data.test.ts › a number that is written so: JSON escapes',
  },
  {
    id: 'note-into-the-audit',
    title: "a person's note goes into the audit whatever it holds",
    file: 'src/engine/approval-service.ts',
    find: '  if (holdsCardData(finding.note, parts.settings.ownNumbers)) return Promise.resolve(secretNote);\n',
    replace: '',
    caughtBy: engine('people', 'takes no note that holds card data'),
  },
  {
    id: 'cards-unscanned',
    title: 'the saved cards of a session are not looked through',
    file: 'src/engine/register.ts',
    find: '...cardData(read.data, parts.settings.ownNumbers)]',
    replace: '...cardData(session, parts.settings.ownNumbers)]',
    caughtBy: engine('register', 'takes no card whose customerId is a card number'),
  },
  {
    id: 'name-with-a-line-break',
    title: "a customer's name may bring lines of its own into an approval",
    file: 'src/engine/register.ts',
    find: 'text.isWellFormed() && !invisible.test(text)',
    replace: 'text.isWellFormed()',
    caughtBy: engine('register', 'takes no name with a character that nobody sees'),
  },
  {
    id: 'no-rate',
    title: 'an agent that loops is not held',
    file: 'src/engine/rate-limiter.ts',
    find: 'if (tokens >= 1) {',
    replace: 'if (tokens >= 0) {',
    caughtBy: engine('gates', 'lets a burst pass and then one'),
  },
  {
    id: 'path-from-an-id',
    title: 'an id may change the route of a request',
    file: 'src/core/operation.ts',
    find: String.raw`if (!isName || /^\.+$/.test(value))`,
    replace: "if (value === '')",
    caughtBy: 'test/client/input.test.ts › path name "../tokens"',
  },

  // What goes out.
  {
    id: 'redacts-by-name',
    title: 'a request is redacted by the names of its fields',
    file: 'src/client/redact.ts',
    find: 'redact(it, Object.hasOwn(children, name) ? (children[name] as z.ZodType) : undefined),',
    replace: '/card|cvv|otp|secret|token/i.test(name) ? hidden : it,',
    caughtBy: 'test/client/describe.test.ts › hides secrets, the shopper, and what the contract does not name',
  },
  {
    id: 'error-with-a-value',
    title: "somebody else's error goes on with all it says",
    file: 'src/client/client.ts',
    find: "throw error instanceof PlatformFault ? error : new PlatformFault('no-answer');",
    replace: 'throw error;',
    caughtBy: 'test/client/platform.test.ts › a platform function that throws anything else',
  },
  {
    id: 'secret-shows-itself',
    title: 'a secret prints what it holds',
    file: 'src/core/secret.ts',
    find: `  toJSON(): string {
    return HIDDEN;`,
    replace: `  toJSON(): string {
    return String(this.#value);`,
    caughtBy: 'test/ledger/vault.test.ts › shows nothing in JSON',
  },
  {
    id: 'secret-taken-twice',
    title: 'a secret is handed out more than once',
    file: 'src/ledger/vault.ts',
    find: `    kept.delete(handle);
    return found.secret;`,
    replace: '    return found.secret;',
    caughtBy: 'test/ledger/vault.test.ts › hands a secret out once',
  },
  {
    id: 'success-for-everything',
    title: 'every answer is told to the host as a success',
    file: 'src/mcp/result.ts',
    find: 'isError: isError(answer.outcome),',
    replace: 'isError: false,',
    caughtBy: 'test/faces/protocol.test.ts › a card number, and it is not repeated',
  },
  {
    id: 'one-server-for-all',
    title: 'one server object serves every request',
    file: 'src/mcp/server-factory.ts',
    find: `  return ({ era }) => {
    const server = new McpServer(`,
    replace: `  let server: McpServer | undefined;
  return ({ era }) => {
    if (server !== undefined) return server;
    server = new McpServer(`,
    caughtBy: 'test/faces/protocol.test.ts › is new for each request',
  },

  // Signatures, tokens and routes.
  {
    id: 'target-not-signed',
    title: 'the method and path of a request are not signed',
    file: 'src/client/signing.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of another file
    find: "      ['request-target', `${method.toLowerCase()} ${pathname}${search}`],",
    replace: '',
    caughtBy: 'test/client/signing.test.ts › signs a POST as the published clients do',
  },
  {
    id: 'unsigned-target-accepted',
    title: 'the sandbox takes a request whose path is not signed',
    file: 'src/sandbox/verify.ts',
    find: "    signs('request-target') || signs('(request-target)'),",
    replace: '',
    caughtBy: 'test/sandbox/verify.test.ts › a path that is not signed',
  },
  {
    id: 'signature-compared-in-part',
    title: 'a signature is compared only as far as its first bytes',
    file: 'src/sandbox/verify.ts',
    find: 'return left.length === right.length && timingSafeEqual(left, right);',
    replace: 'return left.length === right.length && timingSafeEqual(left.subarray(0, 16), right.subarray(0, 16));',
    caughtBy: 'test/sandbox/verify.test.ts › one bit of the signature',
  },
  {
    id: 'one-token-for-two',
    title: 'the agent may have the token of the person who approves',
    file: 'src/engine/access-tokens.ts',
    find: 'if (isSame(tokens[one], tokens[other])) throw',
    replace: "if (one === 'app' && isSame(tokens[one], tokens[other])) throw",
    caughtBy: 'test/faces/gate.test.ts › does not start where two roles have one token',
  },
  {
    id: 'names-before-words',
    title: 'a name in a path is tried before a fixed word',
    file: 'src/sandbox/routes.ts',
    find: String.raw`template.replace(/\{\w+\}/g, '\uffff')`,
    replace: String.raw`template.replace(/\{\w+\}/g, '\u0000')`,
    caughtBy: 'test/sandbox/routes.test.ts › tries fixed words before names',
  },
  {
    id: 'any-environment',
    title: 'an environment is guessed from a name that is almost one',
    file: 'src/cli/config.ts',
    find: '.find((one) => one === name);',
    replace: '.find((one) => one === name.trim().toLowerCase());',
    caughtBy: 'test/faces/cli-environment.test.ts › is refused where it is none of the three',
  },

  // What came later: questions, clocks, masks, names, slow senders.
  {
    id: 'superseded-stays-good',
    title: 'an approval of something else than would be sent stays good',
    file: 'src/engine/operation-state.ts',
    find: "  await moveApproval(tx, asked, 'supersede', now);\n",
    replace: '',
    caughtBy: approvals('approves nothing but what was read: another card behind the same handle'),
  },
  {
    id: 'skew-not-heeded',
    title: "money moves although Purser's clock and the platform's differ",
    file: 'src/engine/clock-skew.ts',
    find: 'if (isAstray(skew))',
    replace: 'if (isAstray(0))',
    caughtBy: engine('gates', 'moves no money while its clock is 30001 ms off'),
  },
  {
    id: 'skew-one-way',
    title: 'a clock that is ahead is never wrong',
    file: 'src/client/skew.ts',
    find: 'Math.abs(skew) >',
    replace: 'skew >',
    caughtBy: 'test/client/skew.test.ts › is too much beyond thirty seconds, either way',
  },
  {
    id: 'agent-decides',
    title: "the agent's token decides an approval over HTTP",
    file: 'src/http/person-routes.ts',
    find: "      call: 'POST /approvals/:id',\n      role: 'person',",
    replace: "      call: 'POST /approvals/:id',\n      role: 'agent',",
    caughtBy: 'test/faces/gate.test.ts › POST /approvals',
  },
  {
    id: 'any-origin',
    title: "a page of another site may send a person's decision",
    file: 'src/listener/gate.ts',
    find: 'if (origin !== null && !isOurOrigin(origin, host, origins))',
    replace: 'if (origin === host && !isOurOrigin(origin, host, origins))',
    caughtBy: 'test/faces/gate.test.ts › the host and the origin',
  },
  {
    id: 'form-as-a-decision',
    title: 'what a form of another site can send is taken as JSON',
    file: 'src/http/server.ts',
    find: String.raw`if (text !== '' && !/^application\/json\b/i.test(`,
    replace: String.raw`if (text === '' && !/^application\/json\b/i.test(`,
    caughtBy: 'test/faces/http.test.ts › that is no JSON is refused without being repeated',
  },
  {
    id: 'question-of-one-replica',
    title: 'each replica signs its questions with a key of its own',
    file: 'src/http/server.ts',
    find: '    stateKey: questionKey(tokens),\n',
    replace: '',
    caughtBy: 'test/faces/approval.test.ts › may be answered to another replica of the same service',
  },
  {
    id: 'question-signed-with-the-agents-token',
    title: "questions are signed with a key that comes from the agent's token",
    file: 'src/engine/access-tokens.ts',
    find: "keyFor(tokens.person, 'the state of a question')",
    replace: "keyFor(tokens.agent, 'the state of a question')",
    caughtBy: 'test/faces/approval.test.ts › made by a service with other tokens',
  },
  {
    id: 'cut-before-masked',
    title: "the platform's words are cut before secrets in them are masked",
    file: 'src/client/refusal.ts',
    find: '[...masked(text)]',
    replace: '[...masked(text.slice(0, limits.untrustedCharacters))]',
    caughtBy: 'test/client/refusal.test.ts › a cryptogram where the text is cut',
  },
  {
    id: 'cut-secret-at-the-edge',
    title: 'the end of the part of a long text that is looked at is shown, cut secrets and all',
    file: 'src/screening/mask.ts',
    find: '(isWhole ? found : found.slice(0, -limits.edgeCharacters))',
    replace: 'found',
    caughtBy: 'test/screening/mask.test.ts › shows no piece of a secret',
  },
  {
    id: 'everybody-tries',
    title: 'after a pause all calls try the platform at once',
    file: 'src/engine/circuit-breaker.ts',
    find: '          if (isProbing) throw open(1_000);\n',
    replace: '',
    caughtBy: engine('gates', 'lets one call try after the pause'),
  },
  {
    id: 'widening-counted-whole',
    title: 'a wider purchase is counted a second time as a whole',
    file: 'src/engine/spending-limits.ts',
    find: 'Number(amount.minor) - counted)',
    replace: 'Number(amount.minor) - counted * 0)',
    caughtBy: limits('counts of a wider purchase what it has on top'),
  },
  {
    id: 'strange-name-repeated',
    title: 'a name that the model made up is repeated where a card number was found below it',
    file: 'src/engine/input-screening.ts',
    find: 'toldFor(found, tool)',
    replace: 'found',
    caughtBy: 'test/engine/arguments.test.ts › is never repeated where it could be a secret: around a card number',
  },
  {
    id: 'page-where-the-call-came-in',
    title: 'links to the approval page lead to where a proxy called, not to where people come in',
    file: 'src/mcp/approval.ts',
    find: 'publicUrl ?? reached',
    replace: 'reached ?? publicUrl',
    caughtBy: 'test/faces/approval.test.ts › behind a proxy: the page stands at the public address',
  },
  {
    id: 'slow-senders-stay',
    title: 'a slow sender is looked at as seldom as Node does by itself',
    file: 'src/http/listen.ts',
    find: 'createServer(serverOptions)',
    replace: 'createServer({ ...serverOptions, connectionsCheckingInterval: 30_000 })',
    caughtBy: 'test/faces/slow.test.ts › in a header is told so',
  },

  // The ledger.
  {
    id: 'no-compare-and-set',
    title: 'an operation is changed whatever version it has',
    file: 'src/ledger/operations.ts',
    find: "        .where('version', '=', row.version)",
    replace: '',
    caughtBy: 'test/ledger/store.test.ts › refuses a change of a row that somebody else changed',
  },
  {
    id: 'no-compare-and-set-on-approvals',
    title: 'an approval is changed whatever version it has',
    file: 'src/ledger/approvals.ts',
    find: "        .where('version', '=', row.version)",
    replace: '',
    caughtBy: 'test/ledger/store.test.ts › is used once',
  },
  {
    id: 'tenant-forgotten',
    title: 'one query forgets whose rows it reads',
    file: 'src/ledger/tenant-scope.ts',
    find: "select: () => db.selectFrom('observations').where('tenant', '=', tenant),",
    replace: "select: () => db.selectFrom('observations'),",
    caughtBy: 'test/ledger/tenants.test.ts › finds nothing by any id, filter or key',
  },
  {
    id: 'audit-outside',
    title: 'the audit row is written outside of the transaction of what it tells',
    file: 'src/engine/write-intent.ts',
    find: `  await tx.audit.append({
    operationId: row.id,
    event: 'sent',
    body: {
      tool: call.tool.name,`,
    replace: `  const outside = (entry: Parameters<typeof tx.audit.append>[0]) =>
    void setImmediate(() => parts.ledger.transaction(call.caller.tenant, (later) => later.audit.append(entry)));
  outside({
    operationId: row.id,
    event: 'sent',
    body: {
      tool: call.tool.name,`,
    caughtBy: writeAhead('and its audit row are kept together or not at all'),
  },
  {
    id: 'chain-without-links',
    title: 'the hash of an audit row does not cover the hash before',
    file: 'src/ledger/chain.ts',
    find: 'sha256(canonicalJson({ ...content }))',
    replace: "sha256(canonicalJson({ ...content, previousHash: '' }))",
    caughtBy: 'test/ledger/chain.test.ts › each hash over the row and the hash before',
  },
  {
    id: 'broken-chain-ignored',
    title: 'money moves while the audit chain is broken',
    file: 'src/engine/audit-lock.ts',
    find: 'throw new Refused(damaged, { isNoted: false });',
    replace: 'return;',
    caughtBy: engine('gates', 'does nothing but read while the audit chain is broken'),
  },
  ...fileMutants,
  ...limitMutants,
  ...borders,
  ...covers,
  ...who,
];
