import { isCurrency } from '../../../src/core/currencies.ts';
import { money, moneyFault } from '../../../src/core/money.ts';
import type { EngineSettings } from '../../../src/engine/settings.ts';
import type { SpendingPolicy } from '../../../src/engine/spending-policy.ts';
import { toolName } from '../../../src/engine/tool.ts';
import type { Failure } from '../replay/run.ts';
import { bodyOf } from '../world/collection.ts';
import type { Evidence } from '../world/state.ts';
import { sumFault } from './money.ts';
import { argsOf, correlationOf, isAbout, type Operation } from './operations.ts';

/**
 * The standing mandates approved only what the operator allows, per call, in total and in number. This is computed from
 * arguments and the platform's effects, not from the engine's own count.
 */
export function mandatesKept(
  evidence: Evidence,
  { mandates, merchant }: Pick<EngineSettings, 'mandates' | 'merchant'>,
): readonly Failure[] {
  const approved = evidence.operations.flatMap((row) => approvedBy(evidence, row, merchant.name) ?? []);
  return [
    ...approved.flatMap((it) => {
      const terms = termsOf(mandates, it);
      const because = terms === undefined ? 'which allows no such call' : outside(terms, it);
      return because === undefined ? [] : [broken(`"${it.mandate}" approved ${it.tool}, ${because}.`)];
    }),
    ...mandates.flatMap((terms) => {
      const groups = Map.groupBy(
        approved.filter((it) => termsOf(mandates, it) === terms),
        (it) => terms.per.map((part) => it.scope[part]).join(' '),
      );
      return [...groups.values()].flatMap((group) => exceeded(terms, group));
    }),
  ];
}

const broken = (because: string): Failure => ({ grader: 'invariant', at: 'mandates', because });

/** A call that took effect because a standing mandate approved it. */
interface Approved {
  readonly mandate: string;
  readonly tool: string;
  readonly at: number;
  readonly amount: string;
  readonly currency: string;
  /** Minor units that it adds to what moved before. */
  readonly adds: bigint;
  readonly payee: string;
  readonly card: string;
  readonly scope: { readonly [S in SpendingPolicy['per'][number]]: string };
}

function approvedBy(evidence: Evidence, row: Operation, merchant: string): Approved | undefined {
  const sent = evidence.audit.find(({ operation_id, event }) => operation_id === row.id && event === 'sent');
  const { mandate } = bodyOf(sent?.body);
  if (typeof mandate !== 'string' || !tookEffect(evidence, row)) return undefined;
  const at = Number(sent?.at);
  const args = argsOf(row);
  const instruction = args.instruction ?? '';
  const known = evidence.observations.find(({ handle }) => handle === instruction);
  const card = args.card ?? String(bodyOf(known?.body).card ?? '');
  const owner = evidence.observations.find(({ handle }) => handle === card)?.owner;
  return {
    ...{ mandate, tool: toolName(String(row.name)), at, card, payee: args.merchant ?? merchant },
    ...moved(evidence, row, mandate),
    scope: { shopper: String(owner ?? ''), instruction, session: '', day: new Date(at).toISOString().slice(0, 10) },
  };
}

const tookEffect = ({ platform }: Evidence, row: Operation): boolean =>
  platform.effects.some(({ correlationId, status }) => correlationId === correlationOf(row) && status < 300);

/** The amount of a call, from its arguments or, where it uses the terms of another thing, from the ledger's reservation. */
function moved(evidence: Evidence, row: Operation, mandate: string): Pick<Approved, 'amount' | 'currency' | 'adds'> {
  const { limit, amount, currency } = argsOf(row);
  const own =
    limit ?? (row.name === 'retrieveCredentials' ? { amount: amount ?? '', currency: currency ?? '' } : undefined);
  if (own !== undefined) return { ...own, adds: minor(own) - before(evidence, row, own.currency) };
  const held = evidence.reservations.find((it) => it.operation_id === row.id && it.budget === mandate);
  return { amount: '', currency: currency ?? '', adds: BigInt(held?.minor ?? 0) };
}

/** The limit that a purchase had before it was changed. */
function before({ operations }: Evidence, row: Operation, currency: string): bigint {
  if (row.name !== 'updatePurchase') return 0n;
  const earlier = operations
    .slice(0, operations.indexOf(row))
    .filter((it) => isAbout(it, row) && it.state === 'SUCCEEDED');
  const limit = earlier.flatMap((it) => argsOf(it).limit ?? []).at(-1);
  return limit?.currency === currency ? minor(limit) : 0n;
}

const minor = ({ amount, currency }: { readonly amount: string; readonly currency: string }): bigint =>
  isCurrency(currency) && moneyFault(amount, currency) === null ? money(amount, currency).minor : 0n;

const termsOf = (
  mandates: readonly SpendingPolicy[],
  { mandate, tool, currency }: Approved,
): SpendingPolicy | undefined =>
  mandates.find(
    (it) => it.name === mandate && it.tools.includes(tool) && (currency === '' || it.currency === currency),
  );

/** Why a mandate doesn't allow a call. */
function outside({ perCall, currency, until, payees, instruments }: SpendingPolicy, it: Approved): string | undefined {
  if (until !== undefined && Date.parse(until) <= it.at) return `which ended at ${until}`;
  if (payees?.includes(it.payee) === false) return `which does not allow ${it.payee}`;
  if (instruments?.includes(it.card) === false) return `which does not allow ${it.card}`;
  if (perCall === undefined || it.amount === '') return undefined;
  return sumFault(it, { amount: perCall, currency }) === null
    ? undefined
    : `${it.amount} ${it.currency}, which is above ${perCall} ${currency}`;
}

/** Why calls together exceed a mandate. */
function exceeded({ name, total, currency, count }: SpendingPolicy, group: readonly Approved[]): readonly Failure[] {
  const sum = group.reduce((all, { adds }) => all + (adds > 0n ? adds : 0n), 0n);
  return [
    ...(total === undefined || sum <= minor({ amount: total, currency })
      ? []
      : [broken(`"${name}" approved ${sum} minor units together, which is above ${total} ${currency}.`)]),
    ...(count === undefined || group.length <= count
      ? []
      : [broken(`"${name}" approved ${group.length} calls, which is more than ${count}.`)]),
  ];
}
