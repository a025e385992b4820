import type { Facts, Kind } from '../domains/facts.ts';
import { isKind, kinds, kindTable } from '../domains/index.ts';
import type { Caller } from '../ledger/ledger.ts';
import type { About, LedgerReads } from '../ledger/ledger-transaction.ts';
import type { OperationRow } from '../ledger/rows.ts';
import type { AnswerError } from './answer.ts';
import { tellingSecondsOf } from './lanes.ts';
import { hasLostAnswer } from './made-before.ts';
import { kindMadeBy } from './next.ts';
import { canMoveOperation, isOverdue } from './operation-state.ts';
import { type Body, lostBy, quietSecondsLeft } from './render.ts';
import { resolve } from './resolve.ts';
import { sentRequest } from './sent-request.ts';
import type { EngineState } from './state.ts';
import { operationOf, type PlatformTool, type Tool, toolOfOperation } from './tool.ts';
import { viewOf } from './view.ts';

/** What a look asked for and was told. */
interface Look {
  readonly tool: Tool;
  readonly args: Facts['args'];
  readonly caller: Caller;
  readonly body: Body;
  /** The response of the platform, where it has what was asked for. */
  readonly response?: unknown;
}

/** An operation that may still take effect. */
interface Open {
  readonly row: OperationRow;
  readonly maker: PlatformTool;
}

/** An operation as the answer to a look tells of it. */
interface Told extends Open {
  readonly isLost: boolean;
  /** Whether the caller may see it: another principal's operation is no handle for this caller. */
  readonly isOwn: boolean;
  readonly now: number;
}

/**
 * The answer to a look, and what the look can't prove (D-91): a call with the reference or handle that was asked for, or one for a thing
 * that is shown, is in progress, or its outcome is unknown, so it may still take effect.
 */
export async function withStillOpen(
  { parts, inFlight }: Pick<EngineState, 'parts' | 'inFlight'>,
  reads: LedgerReads,
  look: Look,
): Promise<Body> {
  if (!looksAtThings(look)) return look.body;
  const now = parts.ports.clock.now();
  const view = viewOf(reads, look.caller, parts.settings);
  const about = () => aboutOf(parts.tools, look);
  const rows = await reads.operations.underWay(about);
  const own = new Set(rows.length === 0 ? [] : (await view.operations.underWay(about)).map(({ id }) => id));
  const open = rows.flatMap((row): readonly Told[] => {
    const maker = toolOfOperation(parts.tools, row.name);
    const isLost = !inFlight.has(row.id) && (!canMoveOperation(row.state, 'markUnknown') || isOverdue(row, now));
    return maker === undefined ? [] : [{ row, maker, isLost, isOwn: own.has(row.id), now }];
  });
  const making = open.find((it) => makesSought(it, look));
  if (making !== undefined) return stillMade(making, look);
  const changing = open.find((it) => handleOf(it, look) !== undefined);
  if (changing !== undefined) return stillChanged(changing, look, await stepsWithout(changing, look, parts, view));
  const settled = await settledWithoutAnswer(parts.tools, reads, look);
  return settled === undefined ? look.body : madeWithoutHandle(settled, look);
}

/** Whether a look was answered, or found nothing, and is one at things and not at operations. */
const looksAtThings = ({ tool, body }: Look): boolean =>
  (body.outcome === 'done' || body.error?.code === 'NOT_FOUND') &&
  (tool.kind === 'platform' || kinds.some((kind) => isShownBy(kind, tool)));

const isShownBy = (kind: Kind, { name }: Tool): boolean =>
  kindTable[kind].shownBy === name || kindTable[kind].foundBy.includes(name);

/** The answer that tells of a call that may still make what the look didn't find. The look can be made again, whatever becomes of the call. */
function stillMade({ row, maker, isLost, isOwn, now }: Told, { body }: Look): Body {
  const seen = isOwn ? { operation: row.id, next: withOperation(body.next) } : { next: body.next };
  const because = `a call for it ${standing(isLost)}. It may still take effect, so do not start another one; look again later.`;
  if (body.error?.code !== 'NOT_FOUND') return { ...body, said: `${body.said} But ${because}`, ...seen };
  const error: AnswerError = isLost
    ? {
        ...{ code: 'OUTCOME_UNKNOWN', retry: 'after', wait: tellingSecondsOf(operationOf(maker)), rule: 'EN-06' },
        ...lostBy(maker),
      }
    : { code: 'IN_FLIGHT', retry: 'after', wait: quietSecondsLeft(row, now), rule: 'EN-07' };
  const said = `The platform has no such thing yet. That proves nothing: ${because}`;
  return { ...{ outcome: 'unknown', said }, ...seen, error };
}

/** The answer that tells of a call that may still change what the look shows. */
function stillChanged(open: Told, look: Look, next: readonly string[]): Body {
  const { row, maker, isLost, isOwn } = open;
  const said = `${maker.name} for ${handleOf(open, look)} ${standing(isLost)}, so this may not be how it stands. Look again once that is known.`;
  const seen = isOwn ? { operation: row.id, next: withOperation(next) } : { next };
  return { ...look.body, said: `${look.body.said} But ${said}`, ...seen };
}

/** The next actions without those that are refused while the operation is open, because they have its lock key. */
async function stepsWithout(
  open: Told,
  look: Look,
  { tools, settings }: Pick<EngineState['parts'], 'tools' | 'settings'>,
  view: LedgerReads,
): Promise<readonly string[]> {
  const handle = handleOf(open, look) ?? '';
  const kind = (await view.observations.find(handle))?.kind ?? '';
  const things = isKind(kind) ? await resolve(view, [{ field: kind, kind, handle }]) : {};
  const facts = { things, args: look.args, configured: settings.domains };
  const isLocked = (tool: Tool): boolean => tool.kind === 'platform' && tool.policy.lockKey(facts) === open.row.subject;
  return look.body.next.filter((name) => !tools.some((tool) => tool.name === name && isLocked(tool)));
}

/** The tool of a call that made what a look doesn't find, by a person who settled it: its answer was lost, and with it the platform's id. */
async function settledWithoutAnswer(
  tools: readonly Tool[],
  { operations }: LedgerReads,
  look: Look,
): Promise<PlatformTool | undefined> {
  if (!isMissing(look)) return undefined;
  for (const maker of tools.filter((it) => it.kind === 'platform'))
    for (const reference of mayMake({ maker }, look) ? namesIn(look) : []) {
      const row = await operations.byReference(maker.operation, reference);
      if (row !== undefined && hasLostAnswer(row)) return maker;
    }
  return undefined;
}

const madeWithoutHandle = ({ name }: PlatformTool, { body }: Look): Body => ({
  ...body,
  said: `${body.said} But a person recorded that ${name} for it took effect. Its answer was lost, so there is no handle for it, and only the operator can see it at the platform. Do not start another one.`,
});

const isMissing = ({ body }: Look): boolean => body.error?.code === 'NOT_FOUND' || body.data?.total === 0;

const standing = (isLost: boolean): string => (isLost ? 'was sent, and its outcome is not known' : 'is in progress');

const withOperation = (next: readonly string[]): readonly string[] => [...new Set(['get_operation', ...next])];

/** The handle that a look was made with, or shows, and that the lock key of an operation names. */
function handleOf({ row }: Open, { args, body }: Look): string | undefined {
  const shown = new Set([...textsIn(args), ...textsIn(body.data ?? {})]);
  return shown.has(row.id) ? undefined : [...shown].find((text) => text !== '' && isAbout(row.subject, text));
}

/** The things that a look was made with or shows, and what may be made under a name that it was made with. */
const aboutOf = (tools: readonly Tool[], look: Look): About => {
  const makers = tools.filter((it) => it.kind === 'platform').filter((maker) => mayMake({ maker }, look));
  const shown = [...textsIn(look.args), ...textsIn(look.body.data ?? {})];
  return {
    subjects: [...new Set(shown)].filter((text) => handleForm.test(text)),
    references: makers.flatMap(({ operation: name }) => namesIn(look).map((reference) => ({ name, reference }))),
  };
};
const handleForm = /^[a-z]{2,16}_[a-z0-9_]{1,58}$/i;

/** Whether a lock key is this thing's: its handle, or what is done with it, such as `authentication of card_1`. */
const isAbout = (subject: string, handle: string): boolean => subject === handle || subject.endsWith(` of ${handle}`);

/** The texts of an object, and of the rows of its lists. */
const textsIn = (value: object): readonly string[] =>
  Object.values(value).flatMap((it: unknown) => {
    const rows = Array.isArray(it) ? it.filter((row): row is object => typeof row === 'object' && row !== null) : [];
    return typeof it === 'string'
      ? [it]
      : rows.flatMap((row) => Object.values(row).filter((text) => typeof text === 'string'));
  });

/** Whether an operation may make what a look is for, which the look doesn't show. A list of all has what only the caller may see. */
function makesSought(it: Told, look: Look): boolean {
  const names = namesIn(look);
  const isSought =
    names.length === 0
      ? look.body.data?.total !== undefined && it.isOwn
      : (isMissing(look) || look.response !== undefined) && isOneOf(it, names);
  return isSought && mayMake(it, look) && !isFound(it, look);
}

/** What a look may have named a call by. What was found by its handle is no other thing than the one asked for. */
const namesIn = ({ tool, args, response }: Look): readonly string[] =>
  Object.entries(args)
    .filter(([name]) => response === undefined || tool.kind === 'local' || tool.input.args[name]?.kind === undefined)
    .flatMap(([, given]) => (typeof given === 'string' && given !== '' ? [given] : []));

/** Whether one of the names is the reference or the lock key of an operation. */
const isOneOf = ({ row: { reference, subject } }: Open, names: readonly string[]): boolean =>
  names.some((name) => name === reference || name === subject);

/** Whether an operation makes things of the kind that a look is at, and doesn't change or delete them. */
function mayMake({ maker }: Pick<Open, 'maker'>, look: Look): boolean {
  const { tool } = look;
  const made = kindMadeBy(maker);
  if (made === undefined) return false;
  const sought = tool.kind === 'local' || namesIn(look).length === 0 ? undefined : (tool.observe.looksAt?.kind ?? made);
  return sought === undefined ? isShownBy(made, tool) : sought === made;
}

/** Whether a response is what an operation has made, so that it is known that it took effect; it may also be what was there before. */
function isFound({ row, maker }: Open, { tool, response, body }: Look): boolean {
  if (response === undefined || body.data?.total === 0) return false;
  const { readBack } = maker.reconcile;
  // Only the read-back of a creation tells its own thing from another one.
  if (kindMadeBy(maker) === undefined || tool.kind === 'local' || readBack?.asks !== tool.operation) return true;
  return typeof readBack.finds(response, sentRequest(row)) === 'object';
}
