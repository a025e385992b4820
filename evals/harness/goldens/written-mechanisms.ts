import { Secret } from '../../../src/core/secret.ts';
import type { LedgerTransaction } from '../../../src/ledger/ledger-transaction.ts';
import { searchedNames } from '../../../src/ledger/names.ts';
import { sealedSecretStore } from '../../../src/ledger/secret-store.ts';
import { openRewindableLedger } from '../world/ledger.ts';
import { endOf, minute, onLedger, type Step, start, tenant, within } from './ledger-steps.ts';
import { each, type Lines, type Mechanisms } from './lines.ts';

// What is written to a ledger: by several steps at once, under names in any spelling, at the edges of a range, and sealed.

const plan = (handle: string, name = '') => ({ handle, kind: 'plan', owner: 'ada', state: 'ACTIVE', body: { name } });

/** Steps that are begun at once, of which those at some places fail after they have written. */
const atOnce: Mechanisms[string] = async () => {
  const lines: [string, unknown][] = [];
  const groups: readonly (readonly [count: number, failing: readonly number[]])[] = [
    ...([
      [1, []],
      [1, [0]],
      [2, []],
      [2, [0]],
      [2, [1]],
      [2, [0, 1]],
      [3, [1]],
    ] as const),
    ...([
      [16, [3]],
      [17, [0, 16]],
      [33, [15, 16, 32]],
    ] as const),
  ];
  for (const [count, failing] of groups) {
    const { ledger } = await openRewindableLedger();
    const step = (at: number) => (tx: LedgerTransaction) =>
      (async () => {
        await tx.observations.insert(plan(`plan_${at}`), start);
        await tx.audit.append({ event: 'noted', body: { at }, at: start });
        if (failing.includes(at)) throw new Error(`Step ${at} fails.`);
        return at;
      })();
    const ends = await Promise.all(
      Array.from({ length: count }, (_, at) => endOf(() => ledger.transaction(tenant, step(at)))),
    );
    const { rows } = await ledger.read(tenant, (tx) => tx.observations.list({ kind: 'plan' }, { limit: 99 }));
    const verdict = await ledger.verify();
    lines.push([
      `${count} at once, ${failing.length === 0 ? 'none' : failing.join(', ')} of which fail`,
      [
        ends.filter((it) => typeof it === 'string'),
        `${rows.length} written, ${(await ledger.head()).seq} in the audit`,
        rows.filter(({ handle }) => failing.some((at) => handle === `plan_${at}`)).map(({ handle }) => handle),
        verdict.ok ? 'whole' : verdict.because,
      ],
    ]);
    await ledger.close();
  }
  return lines;
};

/** Names, and what they are searched by. */
const names = [
  'José Núñez',
  'JOSE',
  'Jose\u0301',
  'Ｔｅａ ｆｏｒ ２',
  'ﬁg',
  'Straße',
  'Ångström',
  'Øre',
  'Zoë-Marie',
  "O'Brien",
  'Smith, Ada',
  'a  b\tc',
  '№ 7',
  '茶の湯',
  'Чай',
  'ÇAĞRI İ',
  '½ tea',
  '—',
  '',
];
const searches = [
  'jose',
  'JOSÉ',
  'núñ',
  'tea',
  '2',
  'fig',
  'strasse',
  'straße',
  'ang',
  'ore',
  'marie',
  'brien',
  'ada',
  'b c',
  '7',
  '湯',
  'чай',
  'i',
  '1',
];

const named: readonly Step[] = [
  within('names', async ({ observations }) => {
    for (const [at, name] of names.entries()) {
      await observations.insert(plan(`plan_${at}`), start);
      await observations.rename({ kind: 'plan', handle: `plan_${at}` }, name);
    }
    return names.length;
  }),
  ...searches.map((name) =>
    within(`"${name}"`, async ({ observations }) => {
      const { rows } = await observations.search({ kind: 'plan', name }, { limit: 9 });
      return rows.map(({ handle }) => names[Number(handle.slice(5))]);
    }),
  ),
];

const day = 86_400_000;
const invoice = (handle: string, days: number) => ({
  ...{ handle, kind: 'invoice', owner: 'ada', state: 'DRAFT' },
  body: { invoiceId: handle, customer: 'Ada', due: new Date(start + days * day).toISOString().slice(0, 10) },
});
/** The first moment of the day on which an invoice is due. */
const dueAt = (days: number): number => Math.floor(start / day) * day + days * day;

const ranges: readonly Step[] = [
  within('three invoices', async ({ observations }) => {
    for (const [at, handle] of ['one', 'two', 'three'].entries())
      await observations.insert(invoice(handle, at + 1), start);
    return 'due on three days';
  }),
  ...(
    [
      ['above', -1],
      ['above', 0],
      ['above', 1],
      ['upTo', -1],
      ['upTo', 0],
      ['upTo', 1],
    ] as const
  ).map(([edge, more]) =>
    within(`${edge} the day of the second, and ${more} ms`, async ({ observations }) => {
      const range = { key: 'due', value: '', [edge]: dueAt(2) + more };
      const { rows } = await observations.listBy({ kind: 'invoice', ranges: [range] }, { limit: 9 });
      return rows.map(({ handle }) => handle);
    }),
  ),
  within('of the second day alone', async ({ observations }) => {
    const range = { key: 'due', value: '', above: dueAt(2) - 1, upTo: dueAt(2) };
    const { rows } = await observations.listBy({ kind: 'invoice', ranges: [range] }, { limit: 9 });
    return rows.map(({ handle }) => handle);
  }),
];

/** A sealed secret, and what is left of it once a part of its row is another. */
async function sealed(): Promise<Lines> {
  const store = (fill: number) =>
    sealedSecretStore({
      ids: { key: (prefix) => `${prefix}_one` },
      key: new Secret(Buffer.alloc(32, fill)),
      random: (bytes) => Buffer.alloc(bytes, 3),
    });
  let row = { handle: '', sealed: '', expiresAt: 0 };
  const rows = {
    put: async (it: typeof row) => {
      row = it;
    },
    find: async () => row,
    take: async () => row,
  } as unknown as LedgerTransaction['sealed']; // all that it asks for
  await store(1).put(rows, new Secret({ number: 'words' }), { tenant, expiresAt: start + minute });
  const kept = row;
  const bytes = Buffer.from(kept.sealed, 'base64');
  const flipped = (at: number): string => {
    const copy = Buffer.from(bytes);
    copy[at] = (copy[at] ?? 0) ^ 1;
    return copy.toString('base64');
  };
  const changes: readonly (readonly [what: string, change: Partial<typeof row>, by?: object])[] = [
    ['as it is', {}],
    ['a later end', { expiresAt: kept.expiresAt + 1 }],
    ['an earlier end', { expiresAt: kept.expiresAt - 1 }],
    ...[0, 11, 12, 27, 28, bytes.length - 1].map((at) => [`byte ${at}`, { sealed: flipped(at) }] as const),
    ['its end cut off', { sealed: bytes.subarray(0, -1).toString('base64') }],
    ['nothing of it', { sealed: '' }],
    ['another tenant', {}, { tenant: 'other' }],
    ['another handle', {}, { handle: 'secret_two' }],
    ['another key', {}, { fill: 2 }],
  ];
  return each(changes, async ([what, change, by = {}]) => {
    const { fill, handle, tenant: of } = { ...{ fill: 1, handle: kept.handle, tenant }, ...by };
    const own = { ...rows, find: async () => ({ ...kept, ...change }), take: async () => ({ ...kept, ...change }) };
    const opens = async (work: () => Promise<unknown>) => {
      try {
        return (await work()) === undefined ? 'nothing' : 'opened';
      } catch {
        return 'not opened'; // the words are those of the runtime
      }
    };
    const it = store(fill);
    return [
      what,
      [
        await opens(() => it.find(own as typeof rows, handle, of, start)),
        await opens(() => it.redeem(own as typeof rows, handle, of, start)),
      ],
    ];
  });
}

export const writtenMechanisms: Mechanisms = {
  'steps that are begun at once, some of which fail': atOnce,
  'names in any spelling, and what finds them': onLedger(named),
  'what names are searched by': () => names.map((name) => [`"${name}"`, searchedNames(name)]),
  'the edges of a range of days': onLedger(ranges),
  'a sealed secret, once its row was edited': sealed,
};
