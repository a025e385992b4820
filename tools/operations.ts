import { z } from 'zod';
import { inDecimals } from '../src/core/money.ts';
import { once } from '../src/core/once.ts';
import { approval as approvals, operation as machine } from '../src/core/own-machines.ts';
import { type Answer, answerSchema } from '../src/engine/answer.ts';
import { progressText } from '../src/engine/in-progress.ts';
import type { LocalContext } from '../src/engine/local-tool.ts';
import { canMoveApproval, moveOperation, storedAs } from '../src/engine/operation-state.ts';
import type { RateLimits, Rates } from '../src/engine/rate-limiter.ts';
import { Refused } from '../src/engine/refusal.ts';
import { iso } from '../src/engine/render.ts';
import {
  answerOfTool,
  handleShown,
  mintedShown,
  momentShown,
  ownWords,
  requestOfTool,
  stateShown,
  written,
} from '../src/engine/shown.ts';
import { left } from '../src/engine/spending-limits.ts';
import { hasEnded, type SpendingPolicy, totalOf } from '../src/engine/spending-policy.ts';
import { type LocalTool, localTool, toolName } from '../src/engine/tool.ts';
import type { Paged } from '../src/ledger/ledger-transaction.ts';
import type { OperationRow } from '../src/ledger/rows.ts';
import { many, page, paged } from './pages.ts';

// Tools that every domain shares: operations, approvals, limits and previews.

/** The answer of another tool, whose own schema describes its data and its file. */
const anyAnswer = answerSchema(z.looseObject({})).omit({ file: true });

const termsShown = once(() =>
  written(
    z.looseObject({
      name: z.string(),
      tools: z.array(z.string()),
      currency: z.string(),
      per: z.array(z.string()),
      left: z.string().optional(),
      calls_left: z.number().optional(),
    }),
  ),
);

const operationShown = once(() =>
  z.looseObject({
    operation: handleShown,
    tool: ownWords,
    state: stateShown,
    answered: stateShown.optional(),
    // The merchant's own number, or the handle that the call used as one.
    reference: mintedShown.optional(),
    subject: ownWords.optional(),
    begun: momentShown,
    changed: momentShown,
  }),
);
/** What an answer said: the state that it shows of its thing, or else its outcome. A charge of a declined card SUCCEEDED, and is DECLINED. */
function saidBy(result: OperationRow['result']) {
  const { outcome, data } = (result ?? {}) as Partial<Answer>; // the ledger stores answers
  const shown = stateShown.safeParse(data?.state);
  const answered = shown.success ? shown.data : outcome;
  return answered === undefined ? {} : { answered };
}
const showOperation = (row: OperationRow) => ({
  operation: row.id,
  tool: toolName(row.name),
  state: row.state,
  ...saidBy(row.result),
  ...(row.reference === '' ? {} : { reference: row.reference }),
  ...(row.subject === '' ? {} : { subject: row.subject }),
  begun: iso(row.createdAt),
  changed: iso(row.updatedAt),
});

export const operations: readonly LocalTool[] = [
  localTool('list_operations', {
    title: 'List operations',
    description: 'List calls. UNKNOWN: sent, outcome unknown.',
    inputSchema: () =>
      z.strictObject({
        state: z.enum(machine.existing).optional().describe('Only these.'),
        reference: z.string().max(64).optional().describe("Merchant's number."),
        ...page(),
      }),
    outputSchema: () =>
      z.looseObject({
        items: z.array(operationShown()),
        total: z.number(),
        more: ownWords.optional(),
      }),
    run: async ({ state, reference, limit, cursor }, { tx }) => {
      const states = state === undefined ? undefined : [state];
      const rows = await tx.operations.list({ states, reference }, { limit, cursor });
      return {
        said: counted(rows, 'operation'),
        data: paged(rows, rows.rows.map(showOperation)),
        next: rows.total === 0 ? [] : ['get_operation'],
      };
    },
  }),

  localTool('get_operation', {
    title: 'Look at an operation',
    description: "Look at one operation's state and answer. Use this, not a new call, when an outcome is unknown.",
    inputSchema: () => z.strictObject({ operation: z.string().max(64).describe('Its handle.') }),
    foundBy: { operation: ['list_operations'] },
    outputSchema: () =>
      operationShown().extend({
        attempts: z.number(),
        progress: ownWords.optional(),
        answer: answerOfTool(anyAnswer.partial()).optional(),
      }),
    run: async ({ operation }, { tx, now, lookerOf, progressOf, sinceThen }) => {
      const row = await found(tx, operation);
      const asked = await tx.approvals.ofOperation(row.id);
      const late = asked !== undefined && canMoveApproval(asked, 'expire', now);
      const progress = progressOf(row.id);
      return {
        said: late
          ? lateSaid
          : `${saidOfAsked[asked?.state ?? ''] ?? said[row.state] ?? `The operation is ${row.state}.`}${await sinceThen(row)}`,
        data: {
          ...showOperation(row),
          attempts: row.attempt,
          ...(progress === undefined ? {} : { progress: progressText(progress) }),
          ...(row.result === null ? {} : { answer: row.result }),
        },
        next: late ? [toolName(row.name)] : nextOf(row, lookerOf(row)),
      };
    },
  }),

  localTool('list_approvals', {
    title: 'List approvals',
    description: "List what a person was asked to approve. You can't approve it.",
    inputSchema: () =>
      z.strictObject({ state: z.enum(approvals.existing).optional().describe('Only these.'), ...page() }),
    outputSchema: () =>
      z.looseObject({
        items: z.array(
          z.looseObject({
            approval: handleShown,
            operation: handleShown,
            state: stateShown,
            text: z.string(),
            expires: momentShown,
          }),
        ),
        total: z.number(),
        more: ownWords.optional(),
      }),
    run: async ({ state, limit, cursor }, { tx, now }) => {
      const states = state === undefined ? undefined : storedAs(state, now);
      const rows = await tx.approvals.list({ states }, { limit, cursor });
      const items = rows.rows.map((row) => ({
        approval: row.id,
        operation: row.operationId,
        state: canMoveApproval(row, 'expire', now) ? 'EXPIRED' : row.state,
        text: row.text,
        expires: iso(row.expiresAt),
      }));
      return {
        said: counted(rows, 'approval'),
        data: paged(rows, items),
        next: rows.total === 0 ? [] : ['get_operation'],
      };
    },
  }),

  localTool('withdraw_operation', {
    title: 'Withdraw a call',
    description: 'Withdraw a call that waits for a person, or was approved and not sent.',
    effect: 'write',
    inputSchema: () => z.strictObject({ operation: z.string().max(64).describe('Its handle.') }),
    foundBy: { operation: ['list_operations'] },
    outputSchema: () => operationShown().pick({ operation: true, state: true }),
    run: async ({ operation }, { tx, now }) => {
      const row = await found(tx, operation);
      const asked = await tx.approvals.ofOperation(row.id);
      const move = moveOperation(row.state, 'withdraw');
      if (!move.ok || asked === undefined)
        throw new Refused({
          code: 'RULE',
          rule: (move.ok ? undefined : move.rule) ?? 'EN-04',
          field: 'operation',
          because: `It is ${row.state}; only a call that waits for a person, or was approved and not sent, can be withdrawn.`,
          retry: 'never',
          instead: ['get_operation'],
        });
      const isOpen = canMoveApproval(asked, 'withdraw', now);
      return {
        said: isOpen
          ? 'It is withdrawn; nothing was sent, and nobody can approve it any more.'
          : 'It was withdrawn before; nothing was sent.',
        data: { operation: row.id, state: move.to },
        next: nextOf({ ...row, state: move.to }),
        ...(isOpen ? { withdraws: { row, asked } } : {}),
      };
    },
  }),

  localTool('get_limits', {
    title: 'See limits',
    description: "See the operator's limits, mandates that need no approval, what is left, and rates.",
    inputSchema: () =>
      z.strictObject({
        shopper: z.string().min(1).max(64).optional().describe('Left for this shopper.'),
        instruction: z.string().min(1).max(64).optional().describe('Left for this purchase.'),
      }),
    outputSchema: () =>
      z.looseObject({
        limits: z.array(termsShown()),
        mandates: z.array(termsShown()),
        rates: z.looseObject({}).optional(),
      }),
    run: async ({ shopper = '', instruction = '' }, { tx, settings, caller, now, resolve }) => {
      // What is left for a misspelled handle, or for another principal's purchase, would look like all of the budget.
      if (shopper !== '') await resolve('shopper', shopper);
      if (instruction !== '') await resolve('instruction', instruction);
      const show = async (terms: SpendingPolicy) => {
        const scope = {
          shopper,
          instruction,
          session: caller.session ?? caller.principal,
          day: iso(now).slice(0, 10),
        };
        const used = await tx.budgets.used(terms.name, terms.per.map((part) => `${part}=${scope[part]}`).join(' '));
        const ended = hasEnded(terms, now);
        const total = ended ? used.minor : totalOf(terms);
        const { name, tools, currency, per, perCall, count, payees, instruments, until } = terms;
        return {
          ...{ name, tools, currency, per, count, payees, instruments, until },
          ...{
            per_call: perCall && inDecimals(perCall, currency),
            total: terms.total && inDecimals(terms.total, currency),
          },
          ...(total === undefined ? {} : { left: left(total - used.minor, currency) }),
          ...(count === undefined ? {} : { calls_left: ended ? 0 : Math.max(0, count - used.times) }),
        };
      };
      const limits = await Promise.all(settings.limits.map(show));
      const mandates = await Promise.all(settings.mandates.map(show));
      const none = limits.length + mandates.length === 0;
      return {
        said: none
          ? 'The operator set neither limits nor standing mandates: a person approves what commits a customer to pay.'
          : 'What the operator allows.',
        data: { limits, mandates, ...ratesShown(settings.rates) },
      };
    },
  }),

  localTool('preview_call', {
    title: 'Preview a call',
    description:
      'See what a call would do: verdict, change of state, approval text, redacted request. Changes nothing.',
    inputSchema: () =>
      z.strictObject({
        tool: z.string().max(40).describe('Name of the tool.'),
        arguments: z.record(z.string(), z.json()).describe('Its arguments.'),
      }),
    outputSchema: () =>
      z.looseObject({
        verdict: answerOfTool(anyAnswer),
        effect: ownWords.optional(),
        approval: z.string().optional(),
        warnings: z.array(ownWords).optional(),
        limits: z.array(ownWords).optional(),
        request: requestOfTool(z.looseObject({})).optional(),
      }),
    previews: (given) => given,
    run: async (_, { preview }) => {
      if (preview === undefined) throw new Error('The engine has previewed no call.');
      const { answer, effect, approval, warnings = [], touched = [], request } = preview;
      return {
        said: `Nothing was changed. ${answer.said}`,
        data: {
          verdict: answer,
          ...(effect === undefined ? {} : { effect }),
          ...(approval === undefined ? {} : { approval }),
          ...(warnings.length === 0 ? {} : { warnings: [...warnings] }),
          ...(touched.length === 0 ? {} : { limits: [...touched] }),
          ...(request === undefined ? {} : { request: request as { [field: string]: unknown } }), // a redacted request
        },
        next: answer.next,
      };
    },
  }),
];

/** The operation of a handle that the caller sees. */
async function found({ operations }: Pick<LocalContext['tx'], 'operations'>, handle: string): Promise<OperationRow> {
  const row = await operations.find(handle);
  if (row !== undefined) return row;
  throw new Refused({
    code: 'NOT_FOUND',
    rule: 'EN-02',
    field: 'operation',
    because: 'There is no operation with this handle.',
    instead: ['list_operations'],
  });
}

/** The rates of calls, by what they do; empty for a caller without rates. */
function ratesShown(rates: RateLimits) {
  const shown = (of: Rates) =>
    Object.fromEntries(
      Object.entries(of).flatMap(([effect, { burst, everyMilliseconds }]) =>
        Number.isFinite(burst) ? [[effect, { burst, perMinute: Math.round(60_000 / everyMilliseconds) }]] : [],
      ),
    );
  const whole = { conversation: shown(rates.conversation), principal: shown(rates.principal) };
  return Object.values(whole).every((of) => Object.keys(of).length === 0) ? {} : { rates: whole };
}

const counted = (rows: Pick<Paged<unknown>, 'total' | 'isCapped'>, what: string): string =>
  `${many(rows)} ${what}${rows.total === 1 ? '' : 's'}.`;

const lateSaid = 'Its approval has expired; nothing was sent. To ask again, make the same call again.';
/** Messages by the approval's state, where it says more than the operation's. */
const saidOfAsked: { readonly [state: string]: string | undefined } = {
  DENIED:
    'A person denied it; nothing was sent. If the customer still wants it, make the same call again to ask again.',
};
const said: Readonly<Record<string, string>> = {
  PROPOSED: 'It waits for a person to approve it; nothing was sent.',
  APPROVED: 'A person approved it; make the same call again and it is sent.',
  SENDING: 'It was sent, and the answer has not arrived yet.',
  SUCCEEDED: 'It has ended, and this is its answer.',
  FAILED: 'It did not take effect.',
  UNKNOWN:
    'It was sent and its outcome is not known. Do not start another one: Purser asks the platform where it can, or a person settles it.',
  WITHDRAWN: 'It was withdrawn; nothing was sent.',
  EXPIRED: 'Nobody decided in time, so the approval expired; nothing was sent.',
  RESOLVED: 'A person recorded that it took effect.',
};

/** The next actions by operation state. `same` is the tool of the call, `look` the tool that shows its thing now. */
const nextByState: Readonly<Record<string, readonly string[]>> = {
  PROPOSED: ['list_approvals', 'same', 'withdraw_operation'],
  APPROVED: ['same', 'withdraw_operation'],
  SENDING: ['get_operation'],
  UNKNOWN: ['get_operation'],
  SUCCEEDED: ['look'],
  RESOLVED: ['look'],
  FAILED: ['same'],
  EXPIRED: ['same'],
  WITHDRAWN: ['same'],
};

function nextOf({ name, state }: OperationRow, looker?: string): readonly string[] {
  const placeholders = new Map([
    ['same', toolName(name)],
    ['look', looker],
  ]);
  return (nextByState[state] ?? []).flatMap((tool) => (placeholders.has(tool) ? (placeholders.get(tool) ?? []) : tool));
}
