import { parseOpened } from '../client/request-secrets.ts';
import type { JsonObject } from '../core/canonical-json.ts';
import type { Entity, Move, On, Refusal as Refusing } from '../core/machine.ts';
import { fillPath, type PathTemplate } from '../core/operation.ts';
import { isRuleId, type Level } from '../core/rules.ts';
import { jsonOf } from '../core/secret-leaves.ts';
import type { Thing } from '../core/thing.ts';
import type { Facts, Kind, Things } from '../domains/facts.ts';
import type { Guard } from '../domains/guard.ts';
import { guards, kinds, kindTable } from '../domains/index.ts';
import type { Caller } from '../ledger/ledger.ts';
import { needsApproval } from './approval-scope.ts';
import { approvalText } from './approval-text.ts';
import { requestFaults } from './argument-faults.ts';
import { assemble } from './assemble.ts';
import { digestOf, rulesHash } from './digest.ts';
import { movedBy } from './field-source.ts';
import { makes, possibleInstead, toolsPulling } from './next.ts';
import { type Refusal, Refused } from './refusal.ts';
import type { Names, Request } from './request.ts';
import type { EngineSettings } from './settings.ts';
import { spendOf } from './spending-limits.ts';
import { operationOf, type PlatformTool } from './tool.ts';

/** A call that passes every rule: what will be sent, and what a person would have to approve. */
export interface Checked {
  readonly facts: Facts;
  readonly subject: string;
  readonly reference: string;
  /** The thing whose terms the call copies; empty if there is none. */
  readonly dependsOn: string;
  /** Another thing whose state the call reports to the platform; empty if there is none. */
  readonly restsOn: string;
  /** The state of the thing before and after the call. */
  readonly state: { readonly kind: string; readonly from: string; readonly to: string };
  readonly request: Request;
  readonly warnings: readonly string[];
  /** Whether a person must approve because the conversation is tainted. */
  readonly tainted: boolean;
  /** Whether a person must approve anyway. */
  readonly asksAnyway: boolean;
  /** Present if a person must approve first. */
  readonly approval?: { readonly text: string; readonly digest: string };
}

/** Checks a call against schema, state and guards, in this order. Throws `Refused`; sends and stores nothing. */
export function check(
  tool: PlatformTool,
  facts: Facts,
  settings: EngineSettings,
  caller: Caller,
  tainted: boolean,
): Checked {
  const operation = operationOf(tool);
  const warnings: string[] = [];
  const object = (refusal: Refusal, level = levelOf(settings, refusal.rule)): void => {
    if (level === 'refuse') throw new Refused(refusal);
    if (level === 'warn') warnings.push(`${refusal.rule}: ${refusal.because}`);
  };

  const move = moveOf(tool, facts);
  const entity = tool.observe.moves?.entity(facts.things, facts.now, undefined, facts.args);
  const guarded = (settings.guards ?? guards).filter(
    (guard) => guard.on.includes(tool.operation) && isRead(guard, settings),
  );
  // If only a condition of the machine fails, guards explain more precisely what is missing, so they run first.
  for (const guard of move.ok || move.unmet.length > 0 ? guarded : [])
    if (!guard.holds(facts))
      object(
        {
          code: 'RULE',
          rule: guard.id,
          because: guard.sees(facts),
          quotes: guard.quotes?.(facts),
          field: guard.field,
          ...(guard.retry === undefined ? {} : { retry: guard.retry }),
          ...waiting(guard, facts),
          instead: possibleInstead(tool, entity, guard.instead),
        },
        levelOfGuard(settings, guard),
      );
  // Under the published form of a machine's rule, only the platform knows what it allows.
  const isSaid = (rule: string): boolean => warnings.some((warning) => warning.startsWith(`${rule}:`));
  // What a guard has warned of is not said again.
  if (!move.ok && !isSaid(move.rule ?? '')) {
    const instead = nextActions(tool, move.before, entity);
    object({
      code: 'RULE',
      rule: move.rule ?? 'EN-07',
      because: move.because,
      field: movedBy(tool),
      ...(isOver(operation.moves, entity) ? { retry: 'never' } : {}),
      instead,
    });
  }

  const request = assemble(tool, facts);
  for (const part of ['body', 'query'] as const) {
    const schema = operation[part];
    const shape = schema && parseOpened(schema, request[part]);
    if (schema && shape && !shape.success)
      for (const fault of requestFaults(shape.error, schema, tool, request[part])) object(fault);
  }
  if (!isAddressed(operation, request.names)) throw new Refused(nameless);

  const watched = tainted && (operation.effect === 'money' || tool.policy.externalEffect === true);
  const asksAnyway = needsApproval(tool, facts, request, caller);
  return {
    facts,
    subject: tool.policy.lockKey(facts),
    reference: facts.reference,
    dependsOn: tool.policy.dependsOn?.(facts) ?? '',
    restsOn: tool.policy.restsOn?.(facts) ?? '',
    state: { kind: tool.observe.moves?.kind ?? '', from: move.from, to: move.ok ? move.to : move.from },
    request,
    warnings,
    tainted: watched,
    asksAnyway,
    ...(watched || asksAnyway ? { approval: approvalOf(tool, facts, caller) } : {}),
  };
}

/** Seconds until a guard holds again, if only time is needed. */
function waiting({ opens }: Guard, facts: Facts): { readonly wait?: number } {
  const at = opens?.(facts);
  return at === undefined ? {} : { wait: Math.max(1, Math.ceil((at - facts.now) / 1_000)) };
}

/** The approval text, and the digest over everything that will be sent and for whom. */
function approvalOf(tool: PlatformTool, facts: Facts, caller: Caller): { text: string; digest: string } {
  // Identifiers that each attempt generates are not part of the approval.
  const request = assemble(tool, { ...facts, new: unborn });
  const text = approvalText(tool, facts, request);
  const { tenant, principal } = caller;
  const spend = spendOf(tool, facts, caller);
  const handles = Object.entries(facts.things).map(([kind, it]) => [kind as Kind, (it as Thing).handle] as const);
  const digest = digestOf({
    tool: tool.name,
    rules: rulesHash,
    tenant,
    principal,
    args: jsonOf(facts.args),
    minor: spend.amount?.minor.toString() ?? null,
    currency: spend.amount?.currency ?? null,
    payee: spend.payee,
    instrument: spend.instrument,
    things: Object.fromEntries(handles.filter(([kind]) => kindTable[kind].approvalBinds !== 'nothing')),
    // Everything that will be sent, including the shopper's session, but no secret: nobody could read it in an
    // approval, and no agent can enter one.
    request: jsonOf(request),
    facts: boundFacts(facts.things),
    merchant: facts.merchant.id,
    reference: facts.reference,
    text,
  });
  return { text, digest };
}

/** Facts that an approval binds: a change of one of them invalidates it. */
const boundFacts = (things: Things): JsonObject =>
  Object.fromEntries(
    kinds
      .filter((kind) => kindTable[kind].approvalBinds === 'facts' && things[kind] !== undefined)
      .map((kind) => [kind, things[kind]?.body as JsonObject]), // a body in the ledger is JSON
  );

const unborn: Facts['new'] = { correlationId: '', mandateId: '' };

const levelOf = (settings: EngineSettings, rule: string) =>
  (isRuleId(rule) ? settings.levels[rule] : undefined) ?? 'refuse';

/** The level of a violated guard. A guard that only warns is off if its rule is. */
function levelOfGuard(settings: EngineSettings, { id, reading, warns }: Guard): Level {
  const level = reading === 'published' ? 'refuse' : levelOf(settings, id);
  return warns && level !== 'off' ? 'warn' : level;
}

/** Whether this guard is the variant of the rule that the operator configured. */
const isRead = ({ id, reading }: Guard, settings: EngineSettings): boolean =>
  reading === undefined || (reading === 'published') === (levelOf(settings, id) === 'published');

/** Whether every name in the path is a possible platform id. */
function isAddressed(path: PathTemplate, names: Names): boolean {
  try {
    fillPath(path, names);
    return true;
  } catch {
    return false; // its message is for programmers
  }
}

const nameless: Refusal = {
  code: 'RULE',
  rule: 'EN-09',
  because: "The platform's id of this is unknown, so it can't be called.",
  retry: 'never',
  instead: ['list_operations'],
};

/** The move that the call causes. An operation without a trigger is always possible. */
function moveOf(tool: PlatformTool, facts: Facts): (Move | Refusing) & { readonly from: string } {
  const { moves } = operationOf(tool);
  const entity = tool.observe.moves?.entity(facts.things, facts.now, undefined, facts.args);
  if (moves === undefined || entity === undefined) return { ok: true, from: '', to: '', follows: '' };
  return { ...moves.machine.move(entity, moves.trigger), from: entity.state };
}

/** Whether the thing's state is final. */
const isOver = (moves: On | undefined, entity: Entity | undefined): boolean =>
  moves !== undefined && entity !== undefined && moves.machine.isOver(entity.state);

/**
 * Next actions for a refused move: the tools that must come first, else what the state allows, else what creates another
 * thing; where that is not known beforehand, what looks at it again, unless it is over.
 */
function nextActions(tool: PlatformTool, before: readonly string[], entity: Entity | undefined): readonly string[] {
  const { moves } = operationOf(tool);
  const { kind } = tool.observe.moves ?? {};
  if (moves === undefined || kind === undefined) return [];
  const { machine } = moves;
  const ways = [before, entity === undefined ? [] : machine.onward(entity), machine.legal({ state: 'none' })];
  // The refused tool itself leads nowhere.
  const others = (triggers: readonly string[]) => toolsPulling(machine, triggers).filter((name) => name !== tool.name);
  const named = ways.map(others).find((tools) => tools.length > 0);
  if (named !== undefined) return named;
  const isOngoing = entity !== undefined && !machine.isOver(machine.settle(entity));
  return isOngoing ? [kindTable[kind].shownBy] : toolsPulling(machine, makes(machine));
}
