import { Bench } from '../sandbox/support.ts';
import { type Found, tally } from '../support/found.ts';
import { numbers } from '../support/numbers.ts';

// Random histories of payments at the platform, summed up by the test as it makes them. The summaries must say the same.

const hour = 3_600_000;
const decimals: { readonly [currency: string]: number } = { USD: 2, EUR: 2, JPY: 0, KWD: 3 };
const currencies = Object.keys(decimals);
const rollUps = ['day', 'week', 'month'] as const;
const offsets = ['+0000', '+0900', '-1000', '+0545', '-0330'] as const;

/** A payment or a refund as the test made it, in whole minor units. */
interface Made {
  readonly kind: 'sale' | 'refund';
  readonly at: number;
  readonly currency: string;
  readonly minor: number;
}

/** Makes so many histories. */
export async function histories(count: number, seed: number): Promise<Found> {
  const found = tally();
  for (let done = 0; done < count; done++) await inOneWorld(seed * 1_000_003 + done, found);
  return found.found();
}

const textOf = (minor: number, currency: string): string => {
  const digits = decimals[currency] ?? 2;
  const padded = String(minor).padStart(digits + 1, '0');
  return digits === 0 ? padded : `${padded.slice(0, -digits)}.${padded.slice(-digits)}`;
};

async function inOneWorld(seed: number, found: ReturnType<typeof tally>): Promise<void> {
  const draw = numbers(seed);
  const bench = new Bench();
  const made: Made[] = [];
  let now = bench.wall;
  const amounts = (minor: number, currency: string) => ({
    orderInformation: { amountDetails: { totalAmount: textOf(minor, currency), currency } },
  });
  const post = async (path: string, body: object) => (await bench.call('POST', path, body)).body;
  for (let order = 0; order < 2 + draw(5); order++) {
    const currency = draw.of(currencies);
    const minor = 1 + draw(100_000);
    const paymentInformation = { instrumentIdentifier: { id: 'FACE00000000000000000000000D0001' } };
    const payment = await post('/pts/v2/payments', { paymentInformation, ...amounts(minor, currency) });
    const capture = await post(`/pts/v2/payments/${payment.id}/captures`, amounts(minor, currency));
    const taken: Made = { kind: 'sale', at: now, currency, minor };
    if (draw(4) === 0) await post(`/pts/v2/captures/${capture.id}/voids`, {});
    else {
      made.push(taken);
      const back = draw(2) === 0 ? 1 + draw(minor) : 0;
      if (back > 0) {
        const refund = await post(`/pts/v2/captures/${capture.id}/refunds`, amounts(back, currency));
        if (draw(4) === 0) await post(`/pts/v2/refunds/${refund.id}/voids`, {});
        else made.push({ kind: 'refund', at: now, currency, minor: back });
      }
    }
    const hours = draw(24 * 20);
    now += hours * hour;
    await bench.control('POST', 'clock', { advance: `PT${hours}H` });
  }
  found.count('histories');
  found.count('transactions', made.length);
  await compare(bench, draw, made, { seed, now }, found);
}

async function compare(
  bench: Bench,
  draw: ReturnType<typeof numbers>,
  made: readonly Made[],
  { seed, now }: { readonly seed: number; readonly now: number },
  found: ReturnType<typeof tally>,
): Promise<void> {
  const offset = draw.of(offsets);
  const from = bench.wall - draw(48) * hour;
  const to = now + hour;
  const query = new URLSearchParams({
    ...{ startTime: written(from, offset), endTime: written(to, offset) },
    ...(draw(4) === 0
      ? {}
      : { rollUp: draw.of(rollUps), breakdown: 'all_merchant', startDayOfWeek: String(1 + draw(7)) }),
  });
  const where = `seed ${seed}, ${query}`;
  const { status, body } = await bench.call('GET', `/reporting/v3/payment-batch-summaries?${query}`);
  const within = made.filter(({ at }) => at >= from && at < to);
  if (within.length === 0) {
    found.count('empty');
    if (status !== 404) found.find(`${where}: ${status} where nothing was taken`);
    return;
  }
  const rows: readonly {
    readonly currencyCode: string;
    readonly startTime: string;
    readonly endTime: string;
    readonly salesCount: number;
    readonly salesAmount: string;
    readonly creditCount: number;
    readonly creditAmount: string;
  }[] = body?.paymentBatchSummaries ?? [];
  found.count('rows', rows.length);
  let counted = 0;
  for (const row of rows) {
    const [begins, ends] = [Date.parse(row.startTime), Date.parse(row.endTime)];
    const its = within.filter(({ at, currency }) => at >= begins && at < ends && currency === row.currencyCode);
    const of = (kind: Made['kind']) => its.filter((it) => it.kind === kind);
    const sum = (kind: Made['kind']) =>
      textOf(
        of(kind).reduce((all, { minor }) => all + minor, 0),
        row.currencyCode,
      );
    const said = [row.salesCount, row.salesAmount, row.creditCount, row.creditAmount];
    const wanted = [of('sale').length, sum('sale'), of('refund').length, sum('refund')];
    if (said.join() !== wanted.join()) found.find(`${where}: ${row.startTime} has ${said} instead of ${wanted}`);
    counted += its.length;
  }
  // Periods don't overlap, and leave nothing out.
  if (counted !== within.length) found.find(`${where}: ${counted} transactions in rows, ${within.length} were made`);
}

/** A moment in the form of document 3, by another way than the platform's. */
function written(at: number, offset: string): string {
  const minutes = Number(`${offset[0]}1`) * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(3)));
  return new Date(at + minutes * 60_000).toISOString().replace('Z', offset);
}
