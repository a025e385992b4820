import type { CallerRole } from '../core/operation.ts';
import { LedgerUnavailable } from '../ledger/errors.ts';
import type { Caller } from '../ledger/ledger.ts';
import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import type { ObservationRow } from '../ledger/rows.ts';
import { principalMember } from '../ledger/search-keys.ts';
import { linkFor } from './customer-links.ts';
import type { CustomerPage, WaitingStep } from './customer-page.ts';
import { pageToolOf } from './page-tools.ts';
import type { EngineParts } from './parts.ts';
import { type Body, iso } from './render.ts';
import { retryOnConflict } from './retry.ts';
import type { EngineState } from './state.ts';
import type { PlatformTool, Tool } from './tool.ts';
import { viewOf } from './view.ts';

/**
 * Adds the pending step to an answer: who must act, where, and until when. Adds nothing once the step was taken. The
 * link is created for the answer and not stored.
 */
export async function withWaiting(
  state: EngineState,
  tool: Tool | undefined,
  caller: Caller,
  body: Body,
): Promise<Body> {
  const step = tool?.kind === 'platform' ? tool.waits : undefined;
  const handle = step && body.outcome === 'done' ? body.data?.[step.thing] : undefined;
  const next = step && state.tools.get(step.tool);
  if (step === undefined || typeof handle !== 'string' || next?.kind !== 'platform') return body;
  const found = await retryOnConflict(() => findPlace(state, step, next, handle, caller)).catch(orNothing(state));
  if (found === undefined) return body;
  return {
    ...body,
    said: [body.said, step.says ?? '', found.where].filter((text) => text !== '').join(' '),
    data: { ...body.data, waiting_for: { tool: next.name, ...found.shown } },
  };
}

function findPlace(
  { parts }: EngineState,
  step: WaitingStep,
  next: PlatformTool,
  thing: string,
  caller: Caller,
): Promise<{ readonly where: string; readonly shown: object } | undefined> {
  return parts.ledger.transaction(caller.tenant, async (tx) => {
    const row = await viewOf(tx, caller, parts.settings).observations.find(thing);
    if (row === undefined || !step.states.includes(row.state)) return undefined;
    const until = step.until?.(row);
    const { callers } = next.definition;
    const end = until === undefined ? {} : { until: iso(until) };
    if (step.linkedBy === 'app') return { where: '', shown: { who: 'customer', ...end } };
    const opened = await openPage(parts, tx, step, row, caller);
    if (opened === undefined)
      return {
        where: elsewhere(next.name, callers),
        shown: { who: callers.includes('app') ? 'app' : 'customer', ...end },
      };
    return {
      where: `Give this link only to the customer: ${opened.page}. Call again when they have completed it.`,
      shown: { who: 'customer', ...opened },
    };
  });
}

/** Whether a page is available: frames of the platform need configured URLs. */
const isShown = ({ module }: CustomerPage, { settings }: EngineParts, origin: string): boolean =>
  module === undefined || module.frames(settings.domains, origin) !== undefined;

/**
 * The customer's page of a step, and until when it works; undefined where this Purser serves none. The step is taken for the
 * principal to whom the thing belongs, or for the caller where it belongs to nobody.
 */
async function openPage(
  parts: EngineParts,
  tx: LedgerTransaction,
  { tool, argument, states, until, bound: member }: WaitingStep,
  row: ObservationRow,
  caller: Pick<Caller, 'tenant' | 'principal'>,
): Promise<{ readonly page: string; readonly until: string } | undefined> {
  const { reach } = parts.settings;
  const [origin, key] = [reach?.page?.(), reach?.linkKey?.()];
  const page = pageToolOf(parts.tools, tool)?.page;
  if (page === undefined || origin === undefined || key === undefined || !isShown(page, parts, origin))
    return undefined;
  const bound = member === undefined ? {} : { bound: { member, value: String(row.body[member]) } };
  const principal = String(row.body[principalMember] ?? caller.principal);
  const linked = { tool, argument, thing: row.handle, states, ...bound, principal };
  const { link, expiresAt } = await linkFor(parts, tx, linked, key, { tenant: caller.tenant, until: until?.(row) });
  return { page: `${origin}/act/${tool}#${link}`, until: iso(expiresAt) };
}

/**
 * The page of a step whose link the merchant's app hands out; undefined where the thing waits for no such step, where its time is
 * over, and where this Purser serves no pages.
 */
export async function openPageForApp(
  parts: EngineParts,
  tenant: string,
  handle: string,
): Promise<{ readonly page: string; readonly until: string } | undefined> {
  return parts.ledger.transaction(tenant, async (tx) => {
    const row = await tx.observations.find(handle);
    const step =
      row && appSteps(parts.tools).find(({ kind, states }) => kind === row.kind && states.includes(row.state));
    if (row === undefined || step === undefined) return undefined;
    const end = step.until?.(row) ?? Number.POSITIVE_INFINITY;
    if (!(end > parts.ports.clock.now())) return undefined;
    return openPage(parts, tx, step, row, { tenant, principal: 'app' });
  });
}

/** The steps whose link the app hands out, with the kind of thing that each is about. */
const appSteps = (tools: readonly Tool[]): readonly (WaitingStep & { readonly kind: string | undefined })[] =>
  tools.flatMap((tool) => {
    const step = tool.kind === 'platform' ? tool.waits : undefined;
    const page = step?.linkedBy === 'app' ? pageToolOf(tools, step.tool) : undefined;
    return step === undefined || page === undefined ? [] : [{ ...step, kind: page.input.args[step.argument]?.kind }];
  });

/** A completed call is answered even if the ledger can't provide the pending step. The operator is told why. */
const orNothing =
  ({ parts: { ports } }: Pick<EngineState, 'parts'>) =>
  (error: unknown): undefined => {
    if (!(error instanceof LedgerUnavailable)) throw error;
    ports.onFault?.(error);
    return undefined;
  };

const elsewhere = (tool: string, callers: readonly CallerRole[]): string =>
  [
    callers.includes('app') ? `The merchant's app posts it to /calls/${tool} of "purser serve".` : '',
    callers.includes('customer') ? 'This Purser has no pages for customers; "purser serve" does.' : '',
  ]
    .filter((text) => text !== '')
    .join(' ');
