import { answerOf, type CallEntry } from '../replay/run.ts';
import { member } from '../scenario/captures.ts';
import { clausesOf } from '../speech/clauses.ts';
import { type DeedName, deedsIn } from '../speech/deeds.ts';
import { sumsIn } from '../speech/money.ts';
import { canonical } from '../speech/numbers.ts';
import type { Moment } from '../speech/timeline.ts';

// Sums of which only a part was moved: "the whole 80 euros are paid back", where 40 were.

/** Calls that move the part of a sum that their arguments name. */
const movers: Readonly<Partial<Record<DeedName, readonly string[]>>> = {
  refunded: ['refund_capture', 'refund_device_transaction'],
  paid: ['capture_payment', 'capture_preauthorization'],
};
/** Calls that move all of it, so that no part tells how much it was. */
const others: Readonly<Partial<Record<DeedName, RegExp>>> = {
  refunded: /^(?:void_|reverse_)/,
  paid: /^(?:retrieve_credentials|charge_device|confirm_|create_subscription|reactivate_|get_subscription|get_invoice|list_)/,
};

/** "Four of the eleven pounds": the whole, beside its part. */
const isWhole =
  /(?<!\p{L})(?:of|out of|instead of|von|statt|sur|des|de los)(?: (?:the|all|his|her|your|den|dem|les))?\s*\S?$/iu;

export function partFaults(text: string, { calls }: Moment): readonly string[] {
  return clausesOf(text)
    .filter(({ isQuestion, mood }) => !isQuestion && mood === 'asserted')
    .flatMap(({ text: clause }) =>
      deedsIn(clause)
        .filter((it) => it === 'refunded' || it === 'paid')
        .slice(-1)
        .flatMap((name) => {
          const moved = movedBy(name, calls);
          return sumsIn(clause)
            .filter(({ start }) => !isWhole.test(clause.slice(0, start)))
            .filter(({ values }) => moved !== undefined && !values.some((it) => moved.has(it)))
            .map(({ values }) => `"${clause.trim()}": ${values[0]} is not what was ${name}.`);
        }),
    );
}

/** What was moved by calls that name a part, each and together; undefined where others moved money, too. */
function movedBy(name: DeedName, calls: readonly CallEntry[]): ReadonlySet<string> | undefined {
  const done = calls.filter((it) => answerOf(it).outcome === 'done');
  if (done.some(({ tool }) => others[name]?.test(tool))) return undefined;
  const made = done.filter(({ tool }) => movers[name]?.includes(tool));
  if (made.length === 0 && name === 'refunded') {
    const read = done.flatMap(({ answer }) => [member(member(member(answer, 'data'), 'refunded'), 'amount')]);
    const known = read.flatMap((it) => (typeof it === 'string' && Number(it) > 0 ? [canonical(it)] : []));
    return known.length === 0 ? undefined : new Set(known);
  }
  if (made.length === 0 || made.some(({ args }) => typeof args.amount !== 'string')) return undefined;
  const amounts = made.map(({ args }) => Number(args.amount));
  const all = amounts.map((_, at) => amounts.slice(0, at + 1).reduce((sum, it) => sum + it, 0));
  const shown = done.flatMap(({ answer }) => [
    member(member(member(answer, 'data'), name === 'refunded' ? 'refunded' : 'captured'), 'amount'),
  ]);
  const own = made.flatMap(({ answer }) =>
    ['local', 'billing'].map((it) => member(member(member(answer, 'data'), it), 'amount')),
  );
  return new Set([...amounts, ...all, ...shown, ...own].map((it) => canonical(Number(it ?? 0).toFixed(3))));
}
