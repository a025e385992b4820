import type { Failure, Run } from '../replay/run.ts';
import { answerOf, callsOf } from '../replay/run.ts';
import { bodyOf } from '../world/collection.ts';
import type { Operation } from './operations.ts';

// What a person was asked to approve, held against the request that left: each figure that was read is one that left or was
// known, and each that left was read. Computed from the text and the request alone, not from what made them.

const broken = (at: string, because: string): Failure => ({ grader: 'facts', at, because });

/** The requests that left after a person approved them, against what that person read. */
export function gradeApprovals(run: Run): readonly Failure[] {
  const { before, after } = run;
  if (before === undefined || after === undefined) return [];
  return after.approvals
    .filter(({ state }) => state === 'CONSUMED')
    .flatMap(({ text, operation_id: id }) => {
      const row = after.operations.find((it) => it.id === id);
      const body = row === undefined ? undefined : bodyOf(row.request).body;
      if (row === undefined || body === undefined) return [];
      return [...asLedger(run, row, body), ...figures(run, row, String(text), body)];
    });
}

/** What left is what the ledger has: the approval is of that. */
function asLedger({ requests }: Run, row: Operation, body: unknown): readonly Failure[] {
  if (
    row.attempt === 0 ||
    requests.flat().some((it) => it.body !== '' && canonical(parsed(it.body)) === canonical(body))
  )
    return [];
  return [broken(`approval of ${row.name}`, 'what was approved is not what left.')];
}

function figures(run: Run, row: Operation, text: string, body: unknown): readonly Failure[] {
  const read = text.replace(/\n {2}\| /g, ' ').replaceAll('.000Z', 'Z');
  const figuresLeft = [...new Set(leaves(body).flatMap(figureOf))];
  const known = JSON.stringify([
    run.before?.platform.documents,
    run.before?.observations,
    callsOf(run)
      .filter((it) => answerOf(it).operation !== row.id)
      .map(({ answer }) => answer),
  ]).replaceAll('.000Z', 'Z');
  const isKnown = (figure: string): boolean => holds(known, figure);
  const at = `approval of ${row.name}`;
  const [, commitment] =
    /^(?:Total commitment|Still to come): (?:no end; |\d+ payments?, )?(\d+(?:\.\d+)?)/m.exec(text) ?? [];
  const computed = commitmentOf(text);
  return [
    ...(commitment === computed
      ? []
      : [broken(at, `the total commitment was read as ${commitment}, and is ${computed}.`)]),
    ...figuresLeft
      .filter((it) => !holds(read, it) && !isKnown(it))
      .map((it) => broken(at, `${it} left, and nobody had read it.`)),
    ...figuresIn(read)
      .filter((it) => !figuresLeft.includes(it) && !holds(String(row.args), it) && !isKnown(it))
      .filter((it) => it !== commitment && !isConverted(it, body, figuresLeft) && !followsFrom(text, body).includes(it))
      .map((it) => broken(at, `${it} was read, and did not leave.`)),
  ];
}

/** Whether a sum is one that left, in the currency of the merchant: the rate that left leads from one to the other. */
function isConverted(figure: string, body: unknown, left: readonly string[]): boolean {
  const rate = leaves(body).find(([key]) => key === 'exchangeRate')?.[1];
  return rate !== undefined && left.some((it) => Math.abs(Number(figure) * Number(rate) - Number(it)) < 0.01);
}

/**
 * Figures that follow from others: what was captured less what was paid back, what is held once an amount is added, and the most
 * that a charge comes to with its tip: the highest percentage, rounded up to the minor unit, or what may be captured of a tip that
 * the customer types.
 */
function followsFrom(text: string, body: unknown): readonly string[] {
  const sumAt = (label: string): string | undefined =>
    new RegExp(`^${label}: "?(\\d+(?:\\.\\d+)?) [A-Z]{3}`, 'm').exec(text)?.[1];
  const [taken, back, sum] = [sumAt('Captured so far'), sumAt('Refunded so far'), sumAt('Sum')];
  const percents = leaves(body).flatMap(([key, value]) => (key === 'percentageChoice' ? [BigInt(value)] : []));
  // biome-ignore lint/complexity/useMathMinMax: Math.max takes no bigint
  const highest = percents.reduce((most, it) => (it > most ? it : most), 0n);
  const [, typed] = /captured up to (\d+(?:\.\d+)?)/.exec(text) ?? [];
  const [total, more] = [sumAt('Total'), leaves(body).find(([key]) => key === 'amount')?.[1]];
  const decimals = (sum ?? taken ?? '').split('.')[1]?.length ?? 0;
  const minor = (it: string): bigint => minorOf(it, decimals);
  return [
    ...(back === undefined ? [] : [decimalOf(0n, decimals)]),
    ...(total === undefined || more === undefined ? [] : [decimalOf(minor(total) + minor(more), decimals)]),
    ...(taken === undefined || back === undefined ? [] : [decimalOf(minor(taken) - minor(back), decimals)]),
    ...(sum === undefined
      ? []
      : [decimalOf(minor(sum) + (minor(sum) * highest + 99n) / 100n + minor(typed ?? '0'), decimals)]),
  ];
}

const minorOf = (sum: string, decimals: number): bigint =>
  BigInt(`${sum.split('.')[0]}${(sum.split('.')[1] ?? '').padEnd(decimals, '0')}`);

function decimalOf(minor: bigint, decimals: number): string {
  const digits = String(minor).padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

const units: Readonly<Record<string, number>> = { day: 365, week: 365 / 7, month: 12, year: 1 };

/**
 * What a schedule comes to, by the other lines of its text: all payments, or those that fall into twelve months, and what is
 * charged once.
 */
function commitmentOf(text: string): string | undefined {
  if (!/\n(?:Total commitment|Still to come): /.test(text)) return undefined;
  const sumAt = (label: string): string =>
    new RegExp(`^${label}: (\\d+(?:\\.\\d+)?) [A-Z]{3}`, 'm').exec(text)?.[1] ?? '0';
  const [, length = '1', unit = 'month'] = /^Every: (?:(\d+) )?(day|week|month|year)/m.exec(text) ?? [];
  const [, ahead] = /^Still to come: (\d+) /m.exec(text) ?? [];
  const [, count = ahead] = (ahead === undefined ? /^Number of payments: (\d+)/m.exec(text) : null) ?? [];
  const payments = count ?? String(Math.ceil((units[unit] ?? 0) / Number(length)));
  const amount = sumAt('Amount');
  const decimals = amount.split('.')[1]?.length ?? 0;
  const fee = minorOf(sumAt('Setup fee, once'), decimals);
  const each = minorOf(amount, decimals) + minorOf(sumAt('Surcharge, each time'), decimals);
  return decimalOf(each * BigInt(payments) + fee, decimals);
}

const amountKey = /amount|fee|price/i;
const timeKey = /time$|until/i;

/** The figure that a member of a request is: an amount, a moment, a day or an address. */
function figureOf([key, value]: readonly [string, string]): readonly string[] {
  if (amountKey.test(key) && /^\d+(\.\d+)?$/.test(value)) return [value];
  if (timeKey.test(key) && /^\d{10}$/.test(value))
    return [new Date(Number(value) * 1_000).toISOString().replace('.000Z', 'Z')];
  const [, day, month, year] = /^(\d\d)-(\d\d)-(\d{4})$/.exec(value) ?? [];
  if (year !== undefined) return [`${year}-${month}-${day}`];
  if (/^\d{4}-\d\d-\d\d/.test(value) || /^[^\s@]+@[^\s@]+$/.test(value)) return [value];
  return [];
}

/** The figures of a text: sums with decimals, days and moments, addresses. */
const figuresIn = (text: string): readonly string[] => [
  ...new Set(
    [...text.matchAll(/\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?|(?<![\w.-])\d+\.\d{2,3}(?![\w.])|[^\s"@]+@[^\s"@]+/g)].map(
      ([it]) => it,
    ),
  ),
];

const holds = (text: string, figure: string): boolean => {
  for (let at = text.indexOf(figure); at !== -1; at = text.indexOf(figure, at + 1))
    if (!/[\d.]/.test(text[at - 1] ?? '') && !/\d/.test(text[at + figure.length] ?? '')) return true;
  return false;
};

function leaves(value: unknown, key = ''): readonly (readonly [string, string])[] {
  if (Array.isArray(value)) return value.flatMap((item) => leaves(item, key));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, member]) => leaves(member, name));
  return value === undefined || value === null ? [] : [[key, String(value)]];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // a body in another form is compared by nobody
  }
}

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, it: unknown) =>
    typeof it === 'object' && it !== null && !Array.isArray(it)
      ? Object.fromEntries(Object.entries(it).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : it,
  ) ?? '';
