import { limits } from '../../src/core/limits.ts';
import { BillingBench } from '../billing/sandbox-support.ts';
import { type Bench, cardOf, host, signed } from '../sandbox/support.ts';
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
  /** As the sandbox calls it: the network of the card, or the link of an invoice. */
  readonly method: string;
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

/** A world as a history is made in it: what was made, and the time of its clock. */
interface History {
  readonly bench: BillingBench;
  readonly draw: ReturnType<typeof numbers>;
  readonly made: Made[];
  now: number;
}

/** The network of each customer's card; the sandbox calls one that has none a card. */
const networks = { shopper_ada: ['', 'JCB', 'MASTERCARD'], shopper_dan: ['DISCOVER'] } as const;
const customers = ['shopper_ada', 'shopper_dan'] as const;

const amounts = (minor: number, currency: string) => ({
  orderInformation: { amountDetails: { totalAmount: textOf(minor, currency), currency } },
});

async function inOneWorld(seed: number, found: ReturnType<typeof tally>): Promise<void> {
  const draw = numbers(seed);
  const bench = new BillingBench();
  const history: History = { bench, draw, made: [], now: bench.wall };
  const network = draw.of(networks.shopper_ada);
  if (network !== '') await bench.card('shopper_ada', { network });
  const methods = { shopper_ada: network || 'Card', shopper_dan: 'DISCOVER' };
  for (let order = 0; order < 2 + draw(5); order++) {
    const kind = draw.of([pay, pay, subscribe, bill]);
    await kind(history, methods);
    const hours = draw(24 * 20);
    history.now += hours * hour;
    await bench.control('POST', 'clock', { advance: `PT${hours}H` });
  }
  const { now } = history;
  const made = history.made.filter(({ at }) => at <= now);
  found.count('histories');
  found.count('transactions', made.length);
  for (const method of new Set(made.map((it) => it.method))) found.count(method);
  await compare(bench, draw, made, { seed, now }, found);
  await compareFundings(bench, made, { seed, now }, found);
  await compareDetails(bench, draw, made, { seed, now }, found);
  await compareFile(bench, made, seed, found);
}

type Methods = { readonly [who in (typeof customers)[number]]: string };

/** A payment, perhaps undone, perhaps paid back, perhaps both. */
async function pay({ bench, draw, made, now }: History, methods: Methods): Promise<void> {
  const post = async (path: string, body: object) => (await bench.call('POST', path, body)).body;
  const [currency, minor, who] = [draw.of(currencies), 1 + draw(100_000), draw.of(customers)];
  const paymentInformation = { instrumentIdentifier: { id: cardOf(who).instrumentIdentifierId } };
  const payment = await post('/pts/v2/payments', { paymentInformation, ...amounts(minor, currency) });
  const capture = await post(`/pts/v2/payments/${payment.id}/captures`, amounts(minor, currency));
  const taken: Made = { kind: 'sale', at: now, currency, minor, method: methods[who] };
  if (draw(4) === 0) return void (await post(`/pts/v2/captures/${capture.id}/voids`, {}));
  made.push(taken);
  const back = draw(2) === 0 ? 1 + draw(minor) : 0;
  if (back === 0) return;
  const refund = await post(`/pts/v2/captures/${capture.id}/refunds`, amounts(back, currency));
  if (draw(4) === 0) await post(`/pts/v2/refunds/${refund.id}/voids`, {});
  else made.push({ ...taken, kind: 'refund', minor: back });
}

/** A subscription that is charged now, and then every so many days; a setup fee comes with the first payment. */
async function subscribe({ bench, draw, made, now }: History, methods: Methods): Promise<void> {
  // The sandbox declines some amounts by their cents, of which none ends in a zero.
  const [currency, minor, days, total] = [draw.of(currencies), 10 + 10 * draw(10_000), 1 + draw(30), 1 + draw(4)];
  const fee = draw(3) === 0 ? 1 + draw(1_000) : 0;
  const own = {
    ...{ every: String(days), unit: 'D', total: String(total), amount: textOf(minor, currency), currency },
    ...(fee === 0 ? {} : { setupFee: textOf(fee, currency) }),
  };
  const { status, body } = await bench.subscribe(undefined, { who: 'shopper_ada', startDate: iso(now), own });
  if (status !== 201) throw new Error(JSON.stringify(body));
  for (let cycle = 0; cycle < total; cycle++)
    made.push({
      ...{ kind: 'sale', at: now + cycle * days * 24 * hour, currency, method: methods.shopper_ada },
      minor: minor + (cycle === 0 ? fee : 0),
    });
}

/** An invoice that its customer pays by its link at once. */
async function bill({ bench, draw, made, now }: History): Promise<void> {
  const [currency, minor] = [draw.of(['USD', 'EUR', 'JPY'] as const), 1 + draw(100_000)];
  const { status, body } = await bench.call('POST', '/invoicing/v2/invoices', {
    invoiceInformation: {
      ...{ deliveryMode: 'none', sendImmediately: true, description: 'Repair of a loudspeaker' },
      dueDate: '2027-03-01',
    },
    ...amounts(minor, currency),
  });
  if (status !== 201) throw new Error(JSON.stringify(body));
  await bench.send(new Request(body.invoiceInformation.paymentLink, { method: 'POST', body: '{}' }));
  made.push({ kind: 'sale', at: now, currency, minor, method: 'Payment link' });
}

const byCurrency = (made: readonly Made[], value: (it: Made) => number): readonly (readonly [string, string])[] =>
  currencies.flatMap((currency) => {
    const its = made.filter((it) => it.currency === currency);
    const sum = its.reduce((all, it) => all + value(it), 0);
    return its.length === 0 ? [] : [[currency, `${sum < 0 ? '-' : ''}${textOf(Math.abs(sum), currency)}`] as const];
  });

/** What the sandbox keeps of a sale, by another way than its own: each share rounded half up. */
const feeOf = ({ minor }: Made): number =>
  [15, 5, 1.3].reduce((sum, share) => sum + Math.floor((minor * share) / 1000 + 0.5 + 1e-9), 0);

type Now = { readonly seed: number; readonly now: number };

async function compareFundings(
  bench: Bench,
  made: readonly Made[],
  { seed, now }: Now,
  found: ReturnType<typeof tally>,
): Promise<void> {
  const query = new URLSearchParams({ startTime: iso(bench.wall), endTime: iso(now + hour) });
  const { status, body } = await bench.call('GET', `/reporting/v3/net-fundings?${query}`);
  if (made.length === 0) {
    if (status !== 404) found.find(`seed ${seed}: net funding ${status} where nothing was taken`);
    return;
  }
  const said = (name: string): string =>
    JSON.stringify((body[name] ?? []).map((it: { currency: string; value: string }) => [it.currency, it.value]));
  const sales = made.filter(({ kind }) => kind === 'sale');
  const sorted = (all: readonly (readonly [string, string])[]) => JSON.stringify(all.toSorted());
  for (const [name, wanted] of [
    ['totalPurchases', byCurrency(sales, ({ minor }) => minor)],
    [
      'totalRefunds',
      byCurrency(
        made.filter(({ kind }) => kind === 'refund'),
        ({ minor }) => minor,
      ),
    ],
    ['totalFees', byCurrency(sales, feeOf)],
    ['netTotal', byCurrency(made, (it) => (it.kind === 'sale' ? it.minor - feeOf(it) : -it.minor))],
  ] as const)
    if (said(name) !== sorted(wanted)) found.find(`seed ${seed}: ${name} is ${said(name)}, not ${sorted(wanted)}`);
  const rows = (body.netFundingSummaries ?? []).map((it: Summary) =>
    [it.type, it.paymentSubType, it.currencyCode, it.conveyedCount, it.fundedCount, it.fundedAmount].join(' '),
  );
  const summed = Map.groupBy(
    made.flatMap((it) => [
      { ...it, type: it.kind === 'sale' ? 'PURCHASES' : 'REFUNDS' },
      ...(it.kind === 'sale' ? [{ ...it, type: 'FEES', minor: feeOf(it) }] : []),
    ]),
    ({ type, method, currency }) => [type, method, currency].join(' '),
  );
  const wanted = [...summed].map(([key, its]) => {
    const sum = its.reduce((all, { minor }) => all + minor, 0);
    return [key, its.length, its.length, textOf(sum, its[0]?.currency ?? '')].join(' ');
  });
  if (rows.toSorted().join('\n') !== wanted.toSorted().join('\n'))
    found.find(`seed ${seed}: net funding has ${rows.join(', ')} instead of ${wanted.join(', ')}`);
  found.count('net fundings', rows.length);
}

/** A row of net funding. */
interface Summary {
  readonly type: string;
  readonly paymentSubType: string;
  readonly currencyCode: string;
  readonly conveyedCount: number;
  readonly fundedCount: number;
  readonly fundedAmount: string;
}

async function compareDetails(
  bench: Bench,
  draw: ReturnType<typeof numbers>,
  made: readonly Made[],
  { seed, now }: Now,
  found: ReturnType<typeof tally>,
): Promise<void> {
  if (made.length === 0) return;
  const limit = 1 + draw(4);
  const rows: string[] = [];
  for (let offset = 0; ; offset += limit) {
    const query = new URLSearchParams({ startTime: iso(bench.wall), endTime: iso(now + hour) });
    query.set('offset', String(offset));
    query.set('limit', String(limit));
    const { body } = await bench.call('GET', `/reporting/v3/purchase-refund-details?${query}`);
    if (body.pageResults === 0) {
      if (body.settlements !== undefined) found.find(`seed ${seed}: an embedded object past the end`);
      break;
    }
    for (const it of body.settlements)
      rows.push([it.transactionType, it.submissionTime, it.currencyCode, it.amount, it.paymentMethod].join(' '));
  }
  const wanted = made.map(({ kind, at, currency, minor, method }) =>
    [kind === 'sale' ? 'Purchase' : 'Refund', iso(at), currency, textOf(minor, currency), method].join(' '),
  );
  if (rows.toSorted().join('\n') !== wanted.toSorted().join('\n')) found.find(`seed ${seed}: pages have other rows`);
  found.count('details', rows.length);
}

const finished = limits.reportPendingSeconds + limits.reportQueuedSeconds + limits.reportRunningSeconds;

/** The file of a report about the first 31 days. */
async function compareFile(
  bench: Bench,
  made: readonly Made[],
  seed: number,
  found: ReturnType<typeof tally>,
): Promise<void> {
  const to = bench.wall + 31 * 24 * hour;
  const fields = ['PaymentData.CurrencyCode', 'PaymentData.Amount', 'PaymentMethod.CardType'];
  await bench.call('POST', '/reporting/v3/reports', {
    ...{ reportName: 'File', reportDefinitionName: 'PaymentBatchDetailClass', reportFields: fields },
    ...{ reportMimeType: 'text/csv', reportPreferences: { signedAmounts: true } },
    ...{ reportStartTime: iso(bench.wall), reportEndTime: iso(to) },
  });
  await bench.control('POST', 'clock', { advance: `PT${finished}S` });
  const query = new URLSearchParams({ reportName: 'File', reportDate: iso(to).slice(0, 10) });
  const path = `/reporting/v3/report-downloads?${query}`;
  const response = await bench.sandbox.handle(signed(`http://${host}`, 'GET', path, undefined, { at: bench.wall }));
  const text = await response.text();
  const within = made.filter(({ at }) => at < to);
  if (within.length === 0) {
    if (response.status !== 404) found.find(`seed ${seed}: a file of nothing`);
    return;
  }
  const [, , ...rows] = text.trimEnd().split('\r\n');
  const network = (method: string): string => (['Card', 'Payment link'].includes(method) ? '' : method);
  const wanted = within.map(({ kind, currency, minor, method }) =>
    [currency, `${kind === 'refund' ? '-' : ''}${textOf(minor, currency)}`, network(method)].join(),
  );
  if (rows.toSorted().join('\n') !== wanted.toSorted().join('\n'))
    found.find(`seed ${seed}: the file has ${rows.join(' ')} instead of ${wanted.join(' ')}`);
  found.count('rows of files', rows.length);
}

const iso = (at: number): string => new Date(at).toISOString();

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
    readonly paymentSubTypeDescription: string;
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
    const its = within.filter(
      ({ at, currency, method }) =>
        at >= begins && at < ends && currency === row.currencyCode && method === row.paymentSubTypeDescription,
    );
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
