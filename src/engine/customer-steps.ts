import type { Caller } from '../ledger/ledger.ts';
import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import type { Outcome } from './answer.ts';
import { attemptsLeft } from './attempts.ts';
import { callerOf, openLink } from './customer-links.ts';
import type { CustomerPage, PageField, PageOption } from './customer-page.ts';
import type { Engine } from './engine.ts';
import { gatherFacts } from './gather-facts.ts';
import { type PageTool, pageToolOf } from './page-tools.ts';
import type { EngineParts } from './parts.ts';
import { iso } from './render.ts';
import { viewOf } from './view.ts';

// The steps that a customer takes on a page, through a link. They are calls like all others, with the customer as the
// caller.

/** What a page displays. */
export interface StepShown {
  readonly title: string;
  readonly text: readonly string[];
  readonly table?: readonly (readonly [label: string, value: string])[];
  readonly fields: readonly PageField[];
  readonly submit: string | { readonly argument: string; readonly options: readonly PageOption[] };
  /** ISO 8601. */
  readonly expires: string;
  readonly attemptsLeft?: number;
  /** The initial data of the page's own script. */
  readonly given: object | undefined;
}

/** The outcome of a step. `isOpen`: whether the customer can try again. */
export interface StepTaken {
  readonly outcome: Outcome;
  readonly says: string;
  readonly isOpen: boolean;
  readonly attemptsLeft?: number;
}

/** The step of a link; undefined if there is none, it was taken, or it has expired. */
export async function showStep({ parts }: Engine, tenant: string, link: string): Promise<StepShown | undefined> {
  return parts.ledger.transaction(tenant, async (tx) => {
    const linked = await openLink(parts, tx, link);
    const tool = linked && pageToolOf(parts.tools, linked.tool);
    if (linked === undefined || tool === undefined) return undefined;
    const args = { [linked.argument]: linked.thing };
    return { ...(await readPage(parts, tx, tool, args, callerOf(linked, tenant))), expires: iso(linked.expiresAt) };
  });
}

/** What the customer reads on the page of a tool. */
export async function readPage(
  parts: EngineParts,
  tx: LedgerTransaction,
  tool: PageTool,
  args: Readonly<Record<string, unknown>>,
  caller: Caller,
): Promise<Omit<StepShown, 'expires'>> {
  const view = viewOf(tx, caller, parts.settings);
  const facts = await gatherFacts(tool, args, view, parts.settings, parts.ports);
  const { title, text, table, fields, submit, module } = tool.page;
  return {
    ...{ title, text: text(facts), fields },
    ...(table === undefined ? {} : { table: table(facts) }),
    submit: typeof submit === 'string' ? submit : { argument: submit.argument, options: submit.options(facts) },
    given: module?.given(facts, parts.settings.reach?.page?.() ?? ''),
    ...left(await attemptsLeft(view, tool, facts)),
  };
}

/** Takes the step with the customer's input. Undefined as for `showStep`. */
export async function takeStep(
  engine: Engine,
  tenant: string,
  link: string,
  entered: Readonly<Record<string, unknown>>,
): Promise<StepTaken | undefined> {
  const { parts } = engine;
  const linked = await parts.ledger.transaction(tenant, (tx) => openLink(parts, tx, link));
  const tool = linked && pageToolOf(parts.tools, linked.tool);
  if (linked === undefined || tool === undefined) return undefined;
  // The link determines the thing, and only the page's fields are accepted.
  const args = { ...takenFrom(tool.page, entered), [linked.argument]: linked.thing };
  const { outcome, error, data } = await engine.call(tool.name, args, callerOf(linked, tenant));
  const shown = outcome === 'done' ? undefined : await showStep(engine, tenant, link);
  // A second click while the first is being checked closes nothing.
  const isBusy = error?.code === 'IN_FLIGHT';
  const canTry = outcome === 'declined' || isBusy || (outcome !== 'unknown' && error?.retry !== 'never');
  const isOpen = shown !== undefined && shown.attemptsLeft !== 0 && canTry;
  const reached = outcome === 'done' ? tool.page.messages.reached?.[String(data?.state)] : undefined;
  return {
    outcome,
    says: reached ?? says(tool.page, outcome, error?.code, isOpen),
    isOpen,
    ...left(shown?.attemptsLeft),
  };
}

function takenFrom({ fields, submit, module }: CustomerPage, entered: Readonly<Record<string, unknown>>): object {
  if (module !== undefined) return module.read(entered);
  const asked = [
    ...fields.map(({ argument }) => argument),
    ...(typeof submit === 'string' ? [] : [submit.argument]),
  ].filter((name) => Object.hasOwn(entered, name));
  return Object.fromEntries(asked.map((name) => [name, entered[name]]));
}

/** The message for the customer, which differs from the agent's. */
function says({ messages }: CustomerPage, outcome: Outcome, code: string | undefined, isOpen: boolean): string {
  if (outcome === 'done' || outcome === 'declined') return messages[outcome];
  return byCode[code ?? ''] ?? (outcome === 'refused' && isOpen ? refusedOnce : byOutcome[outcome]);
}

const refusedOnce = 'This was not accepted. Nothing was sent. Check what you entered, then try again.';

const byOutcome = {
  refused: 'This is no longer possible. Nothing was sent. Go back to the shop.',
  needs_approval: 'The shop has to approve this first. Try again later.',
  unknown: 'We could not find out whether this was accepted. Go back to the shop before you try again.',
} as const;

const byCode: Readonly<Record<string, string>> = {
  INVALID_ARGUMENT: 'Check what you entered.',
  IN_FLIGHT: 'This is already being checked. Wait a moment.',
  RATE_LIMITED: 'There were too many tries at once. Wait a moment, then try again.',
  UNREACHABLE: 'The service does not respond. Nothing was sent. Try again later.',
};

const left = (count: number | undefined) => (count === undefined ? {} : { attemptsLeft: count });
