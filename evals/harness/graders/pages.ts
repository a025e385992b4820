import { type CallEntry, callsOf, type Failure, type Page, type Reading, type Run } from '../replay/run.ts';

/** A list is the same in one page and in many: the same rows in the same order, the same total, and an end. */
export const gradePages = (run: Run): readonly Failure[] =>
  callsOf(run).flatMap((entry) => {
    const because = faultOf(entry);
    return because === undefined ? [] : [{ grader: 'facts' as const, at: `steps[${entry.step}].pages`, because }];
  });

function faultOf({ tool, paged }: CallEntry): string | undefined {
  if (paged === undefined) return undefined;
  return paged.readings.map((reading) => faultIn(tool, paged.whole, reading)).find((fault) => fault !== undefined);
}

function faultIn(tool: string, whole: Page, { size, pages }: Reading): string | undefined {
  const bad = [whole, ...pages].find(({ outcome }) => outcome !== 'done');
  if (bad !== undefined) return `a page of ${tool} ends with ${bad.outcome}.`;
  const rows = pages.flatMap(({ items = [] }) => items);
  const expected = (whole.items ?? []).slice(0, rows.length);
  if (JSON.stringify(rows) !== JSON.stringify(expected))
    return `${tool} shows other rows in pages of ${size} than in one page.`;
  const [first, last] = [pages[0], pages.at(-1)];
  const isFull = ({ items = [], more }: Page): boolean =>
    items.length === size || (more === undefined && items.length > 0);
  if (!pages.every((page) => isFull(page) && (page.items ?? []).length <= size))
    return `a page of ${tool} that is to have ${size} rows has not.`;
  if (pages.some(({ total }) => total !== first?.total) || whole.total !== first?.total)
    return `the pages of ${tool} have different totals.`;
  const isAll = last?.more === undefined;
  if (isAll && rows.length !== whole.items?.length) return `the pages of ${tool} end too early.`;
  if (isAll && isTotal(whole) && rows.length !== whole.total) return `${tool} has other rows than its total says.`;
  return undefined;
}

/** Whether one page holds all. */
const isTotal = ({ more }: Page): boolean => more === undefined;
