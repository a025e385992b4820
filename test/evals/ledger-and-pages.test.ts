import { beforeAll, describe, expect, it } from 'vitest';
import { gradeLedger } from '../../evals/harness/graders/ledger.ts';
import { gradePages } from '../../evals/harness/graders/pages.ts';
import { replay } from '../../evals/harness/replay/replay.ts';
import { callsOf, type Page, type Paged, type Proven, type Run } from '../../evals/harness/replay/run.ts';
import { defineScenario } from '../../evals/harness/scenario/schema.ts';
import { enrolled, order, stageOfFile } from './support.ts';

const stage = stageOfFile();

/** A card is enrolled, a purchase waits for its approval, and the list of both operations is read; the first call is varied. */
const story = defineScenario({
  ...enrolled(),
  id: 'test-002-ledger-and-pages',
  steps: [
    { call: 'enroll_card', args: { card: 'card_ada' }, vary: true },
    { call: 'initiate_purchase', args: order() },
    { call: 'list_operations' },
    { say: 'Your card is set up.' },
  ],
});

let run: Run;
beforeAll(async () => {
  const world = await stage().open(undefined);
  run = await replay(story, { tools: world.tools, world, varies: true });
});

describe('the ledger after a story', () => {
  const faults = (changes: Partial<Proven>, after: Partial<Run['after']> = {}) =>
    gradeLedger({
      ...run,
      after: { ...run.after, ...after } as NonNullable<Run['after']>,
      proven: { ...run.proven, ...changes } as Proven,
    }).length;

  it('is whole and anchored, and notices each edit', () => {
    expect(faults({})).toBe(0);
    expect(run.proven?.anchor?.seq).toBeGreaterThan(0);
    expect(run.proven?.edits.length).toBeGreaterThanOrEqual(6);
  });

  it('is not: by its own word, at its end, by its anchor, by an edit that stays unseen', () => {
    const { verdict, anchor, edits = [] } = run.proven ?? {};
    expect(faults({ verdict: { ok: false, because: 'One row.' } })).toBe(1);
    expect(faults({ verdict: { ...verdict, rows: 1 } as Proven['verdict'] })).toBe(1);
    expect(faults({ anchor: undefined })).toBe(1);
    expect(faults({ anchor: { seq: anchor?.seq ?? 0, hash: '0'.repeat(64) } })).toBe(1);
    expect(faults({ edits: edits.map((it) => ({ ...it, isNoticed: false })) })).toBe(edits.length);
  });

  it.each([
    ['body', '{}'],
    ['event', 'approved'],
    ['at', 1],
    ['tenant', 'other'],
    ['seq', 9],
    ['hash', '0'.repeat(64)],
    ['previous_hash', '1'.repeat(64)],
  ])('is not, where a row has another %s', (column, value) => {
    const [first, ...rest] = run.after?.audit ?? [];
    expect(faults({}, { audit: [{ ...first, [column]: value }, ...rest] })).toBeGreaterThan(0);
  });

  it('says of itself what is so, where the story breaks it', () => {
    const fault: Run['entries'][number] = { kind: 'event', step: 0, what: 'fault audit-broken', text: '' };
    const [first, ...rest] = run.after?.audit ?? [];
    const spoilt = (ok: boolean, isEdited: boolean): number =>
      gradeLedger({
        ...run,
        entries: [...run.entries, fault],
        after: {
          ...run.after,
          audit: isEdited ? [{ ...first, event: 'edited' }, ...rest] : run.after?.audit,
        } as NonNullable<Run['after']>,
        proven: { ...run.proven, verdict: ok ? run.proven?.verdict : { ok: false, because: 'One row.' } } as Proven,
      }).length;
    expect([spoilt(true, true), spoilt(false, false)]).toEqual([1, 1]);
    expect([spoilt(false, true), spoilt(true, false)]).toEqual([0, 0]);
  });
});

describe('the pages of a list', () => {
  const paged = (): Paged => {
    const found = callsOf(run).flatMap((it) => it.paged ?? [])[0];
    if (found === undefined) throw new Error('No list was read in pages.');
    return found;
  };
  type Change = (pages: readonly Page[], whole: Page) => { readonly whole?: Page; readonly pages?: readonly Page[] };
  const changed = (paged: Paged, size: number, change: Change): Paged => {
    const [its] = paged.readings.filter((it) => it.size === size);
    const { whole = paged.whole, pages = its?.pages ?? [] } = change(its?.pages ?? [], paged.whole);
    return { whole, readings: paged.readings.map((it) => (it.size === size ? { size, pages } : it)) };
  };
  const faults = (change: Change, size = 1): number =>
    gradePages({
      ...run,
      entries: callsOf(run).map((it) =>
        it.paged === undefined ? it : { ...it, paged: changed(it.paged, size, change) },
      ),
    }).length;

  it('are its rows, one after the other', () => {
    expect(faults(() => ({}))).toBe(0);
    expect(paged().readings.map(({ size, pages }) => [size, pages.length])).toEqual(
      [1, 2].map((size) => [size, Math.ceil((paged().whole.total ?? 0) / size)]),
    );
  });

  it.each<[what: string, change: Change]>([
    [
      'in another order',
      (pages) => ({ pages: pages.toReversed().map((it, at) => ({ ...it, more: pages[at]?.more })) }),
    ],
    [
      'one too few',
      (pages) => ({
        pages: pages.slice(0, -1).map((it, at, all) => (at + 1 < all.length ? it : { ...it, more: undefined })),
      }),
    ],
    ['one twice', ([first, ...rest]) => ({ pages: [first as Page, first as Page, ...rest] })],
    [
      'an empty one at the end',
      (pages) => ({
        pages: [...pages.map((it) => ({ ...it, more: '9' })), { ...pages[0], items: [], more: undefined } as Page],
      }),
    ],
    ['with other totals', ([first, ...rest]) => ({ pages: [{ ...first, total: 7 } as Page, ...rest] })],
    ['refused', ([first, ...rest]) => ({ pages: [{ ...first, outcome: 'refused' } as Page, ...rest] })],
    ['of which one page has all, and says that there are more rows', (_, whole) => ({ whole: { ...whole, total: 9 } })],
  ])('are not, %s', (_, change) => {
    expect(faults(change)).toBe(1);
  });

  it('are not, with a page that lost its rows', () => {
    const without = (pages: readonly Page[]) => ({ pages: pages.with(-1, { ...pages.at(-1), items: [] } as Page) });
    expect([faults(without, 1), faults(without, 2)]).toEqual([1, 1]);
  });
});
