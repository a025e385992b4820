import type { Json, JsonObject } from '../core/canonical-json.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import type { Entity, Move, On, Refusal as Refusing } from '../core/machine.ts';
import { fillPath, type PathTemplate } from '../core/operation.ts';
import { isRuleId } from '../core/rules.ts';
import type { Thing } from '../core/thing.ts';
import type { Facts, Kind, Things } from '../domains/facts.ts';
import type { Guard } from '../domains/guard.ts';
import { guards, kinds, kindTable } from '../domains/index.ts';
import type { Caller } from '../ledger/ledger.ts';
import { needsApproval } from './approval-scope.ts';
import { approvalText } from './approval-text.ts';
import { requestFault } from './argument-faults.ts';
import { assemble } from './assemble.ts';
import { digestOf, rulesHash } from './digest.ts';
import { toolsPulling } from './next.ts';
import { type Refusal, Refused } from './refusal.ts';
import type { Names, Request } from './request.ts';
import type { EngineSettings } from './settings.ts';
import { spendOf } from './spending-limits.ts';
import { operationOf, type PlatformTool } from './tool.ts';

/** A call that every rule lets pass: what will be sent, and what a person would have to approve. */
export interface Checked {
  readonly facts: Facts;
  readonly subject: string;
  readonly reference: string;
  /** The thing whose terms it takes over; empty where there is none. */
  readonly restsOn: string;
  /** The state the thing is in, and the one it will be in. */
  readonly state: { readonly kind: string; readonly from: string; readonly to: string };
  readonly request: Request;
  readonly warnings: readonly string[];
  /** Whether a person must look because the conversation has read text from outside. */
  readonly tainted: boolean;
  /** Whether a person must approve it, whatever the conversation has read. */
  readonly asksAnyway: boolean;
  /** Present when a person must approve first. */
  readonly approval?: { readonly text: string; readonly digest: string };
}

/** Holds a call against shape, state and guards, in this order. Throws `Refused`; sends and stores nothing. */
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
  const guarded = (settings.guards ?? guards).filter(
    (guard) => guard.on.includes(tool.operation) && isRead(guard, settings),
  );
  // Where only a condition of the machine fails, a guard tells more closely what is missing, so guards are asked first.
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
          instead: guard.instead,
        },
        guard.reading === 'published' ? 'refuse' : levelOf(settings, guard.id),
      );
  // Where a machine's rule is kept as it is published, the platform alone knows what it then allows.
  if (!move.ok) {
    const entity = tool.observe.moves?.entity(facts.things, facts.now, undefined, facts.args);
    const instead = waysOut(operation.moves, move.before, entity);
    object({
      code: 'RULE',
      rule: move.rule ?? 'EN-07',
      because: move.because,
      field: tool.observe.moves?.kind,
      ...(isOver(operation.moves, entity) ? { retry: 'never' } : {}),
      instead,
    });
  }

  const request = assemble(tool, facts);
  for (const part of ['body', 'query'] as const) {
    const schema = operation[part];
    const shape = schema?.safeParse(request[part]);
    if (schema && shape && !shape.success) object(requestFault(shape.error, schema, tool));
  }
  if (!isAddressed(operation, request.names)) throw new Refused(nameless);

  const watched = tainted && (operation.effect === 'money' || tool.policy.externalEffect === true);
  const asksAnyway = needsApproval(tool, facts, request);
  return {
    facts,
    subject: tool.policy.lockKey(facts),
    reference: facts.reference,
    restsOn: tool.policy.dependsOn?.(facts) ?? '',
    state: { kind: tool.observe.moves?.kind ?? '', from: move.from, to: move.ok ? move.to : move.from },
    request,
    warnings,
    tainted: watched,
    asksAnyway,
    ...(watched || asksAnyway ? { approval: approvalOf(tool, facts, caller) } : {}),
  };
}

/** Seconds until a guard holds again, where time alone brings that. */
function waiting({ opens }: Guard, facts: Facts): { readonly wait?: number } {
  const at = opens?.(facts);
  return at === undefined ? {} : { wait: Math.max(1, Math.ceil((at - facts.now) / 1_000)) };
}

/** What the approver reads and what the digest covers: everything that will be sent, and for whom. */
function approvalOf(tool: PlatformTool, facts: Facts, caller: Caller): { text: string; digest: string } {
  // The identifiers that each sending makes afresh are not part of what is approved.
  const request = assemble(tool, { ...facts, new: unborn });
  const text = approvalText(tool, facts, request);
  const { tenant, principal } = caller;
  const outlay = spendOf(tool, facts, caller);
  const handles = Object.entries(facts.things).map(([kind, it]) => [kind as Kind, (it as Thing).handle] as const);
  const digest = digestOf({
    tool: tool.name,
    rules: rulesHash,
    tenant,
    principal,
    args: JSON.parse(canonicalJson(facts.args as Json)) as Json,
    minor: outlay.amount?.minor.toString() ?? null,
    currency: outlay.amount?.currency ?? null,
    payee: outlay.payee,
    instrument: outlay.instrument,
    things: Object.fromEntries(handles.filter(([kind]) => kindTable[kind].approvalBinds !== 'nothing')),
    // Everything that will be sent, the shopper's session among it.
    request: JSON.parse(JSON.stringify(request)) as Json, // a request body is JSON by its schema
    facts: boundFacts(facts.things),
    merchant: facts.merchant.id,
    reference: facts.reference,
    text,
  });
  return { text, digest };
}

/** Facts that an approval binds: it no longer counts once one of them has changed. */
const boundFacts = (things: Things): JsonObject =>
  Object.fromEntries(
    kinds
      .filter((kind) => kindTable[kind].approvalBinds === 'facts' && things[kind] !== undefined)
      .map((kind) => [kind, things[kind]?.body as JsonObject]), // a body in the ledger is JSON
  );

const unborn: Facts['new'] = { correlationId: '', mandateId: '' };

const levelOf = (settings: EngineSettings, rule: string) =>
  (isRuleId(rule) ? settings.levels[rule] : undefined) ?? 'refuse';

/** Whether a guard keeps its rule in the way that the operator has chosen. */
const isRead = ({ id, reading }: Guard, settings: EngineSettings): boolean =>
  reading === undefined || (reading === 'published') === (levelOf(settings, id) === 'published');

/** Whether every name of the path is one that the platform can have given. */
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
  because: 'The platform has not said what it calls this, so nothing can be asked of it.',
  retry: 'never',
  instead: ['list_operations'],
};

/** Where the call takes the thing it is about; an operation that moves nothing is always possible. */
function moveOf(tool: PlatformTool, facts: Facts): (Move | Refusing) & { readonly from: string } {
  const { moves } = operationOf(tool);
  const entity = tool.observe.moves?.entity(facts.things, facts.now, undefined, facts.args);
  if (moves === undefined || entity === undefined) return { ok: true, from: '', to: '', follows: '' };
  return { ...moves.machine.move(entity, moves.trigger), from: entity.state };
}

/** Whether nothing can happen any more to a thing in this state. */
const isOver = (moves: On | undefined, entity: Entity | undefined): boolean =>
  moves !== undefined && entity !== undefined && moves.machine.isOver(entity.state);

/** The tools that lead out of a state: those that come first, or else what is possible in it, or else those that start anew. */
function waysOut(moves: On | undefined, before: readonly string[], entity: Entity | undefined): readonly string[] {
  if (moves === undefined) return [];
  const { machine } = moves;
  const ways = [before, entity === undefined ? [] : machine.onward(entity), machine.legal({ state: 'none' })];
  return ways.map((triggers) => toolsPulling(machine, triggers)).find((tools) => tools.length > 0) ?? [];
}

/**
 * A request as the ledger keeps it: so that it can be sent again exactly, with the identifiers that were made for it, the
 * state that its thing was in, the one it is meant to reach, what it rests on, and what its tool notes.
 */
export const storedRequest = (tool: PlatformTool, { request, state, restsOn, facts }: Checked): JsonObject => {
  const noted = tool.reconcile.readBack?.notes?.(facts);
  const kept = {
    ...{ from: state.from, reaches: state.to, new: facts.new },
    ...(restsOn === '' ? {} : { restsOn }),
    ...(noted === undefined ? {} : { noted }),
  };
  return JSON.parse(JSON.stringify({ ...request, ...kept })) as JsonObject; // a request body is JSON by its schema
};
