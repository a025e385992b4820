import type { FileSum } from '../core/file-answer.ts';
import { sumsByCurrency } from '../core/file-sums.ts';
import { day as dayMilliseconds } from '../core/schedule.ts';

// A chart of a file's sums by day: a panel of bars for each currency, as SVG. It holds days, amounts and currencies alone.

const width = 720;
const panel = { height: 200, top: 44, bottom: 28, left: 16, right: 16 } as const;

/** Sums that have a day, which a chart can show. */
export const charted = (sums: readonly FileSum[]): readonly (FileSum & { readonly day: string })[] =>
  sums.filter((sum): sum is FileSum & { readonly day: string } => sum.day !== undefined);

/** The chart. Undefined where no sum has a day. */
export function chartOf(sums: readonly FileSum[]): string | undefined {
  const shown = charted(sums);
  if (shown.length === 0) return undefined;
  const days = daysBetween(shown.map(({ day }) => day));
  const panels = sumsByCurrency(shown).map(({ currency, amount, count }, at) =>
    panelOf(
      shown.filter((it) => it.currency === currency),
      days,
      `${currency} ${amount} in ${count} ${count === 1 ? 'amount' : 'amounts'}`,
      at * panel.height,
    ),
  );
  const height = panels.length * panel.height;
  const about = `Sums by day from ${days[0]} to ${days.at(-1)}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${about}">`,
    `<title>${about}</title>`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    '<g font-family="system-ui, sans-serif" font-size="13" fill="#1c2430">',
    ...panels,
    '</g></svg>',
  ].join('\n');
}

function panelOf(
  sums: readonly (FileSum & { readonly day: string })[],
  days: readonly string[],
  title: string,
  top: number,
): string {
  const byDay = new Map(sums.map(({ day, amount }) => [day, Number(amount)]));
  const values = days.map((day) => byDay.get(day) ?? 0);
  const [most, least] = [Math.max(0, ...values), Math.min(0, ...values)];
  const room = panel.height - panel.top - panel.bottom;
  const scale = most === least ? 0 : room / (most - least);
  const zero = top + panel.top + most * scale;
  const step = (width - panel.left - panel.right) / days.length;
  const bars = values.map((value, at) => {
    const size = Math.abs(value) * scale;
    const y = value < 0 ? zero : zero - size;
    const x = panel.left + at * step;
    // Money that went back has another colour, and lies below the line.
    const colour = value < 0 ? '#b3401f' : '#1f6fb3';
    return `<rect x="${round(x + step * 0.1)}" y="${round(y)}" width="${round(step * 0.8)}" height="${round(size)}" fill="${colour}"><title>${days[at]}: ${sums.find(({ day }) => day === days[at])?.amount ?? '0'}</title></rect>`;
  });
  const foot = top + panel.height - 8;
  return [
    `<text x="${panel.left}" y="${top + 24}" font-weight="600">${title}</text>`,
    ...bars,
    `<line x1="${panel.left}" x2="${width - panel.right}" y1="${round(zero)}" y2="${round(zero)}" stroke="#8a94a3"/>`,
    `<text x="${panel.left}" y="${foot}">${days[0]}</text>`,
    ...(days.length > 1
      ? [`<text x="${width - panel.right}" y="${foot}" text-anchor="end">${days.at(-1)}</text>`]
      : []),
  ].join('\n');
}

const round = (number: number): string => String(Math.round(number * 10) / 10);

/** Every day from the first to the last, at most a year of them: a day without a sum has a gap. */
function daysBetween(days: readonly string[]): readonly string[] {
  const sorted = days.toSorted();
  const [first, last] = [Date.parse(sorted[0] ?? ''), Date.parse(sorted.at(-1) ?? '')];
  const count = Math.min(mostDays, Math.round((last - first) / dayMilliseconds) + 1);
  return Array.from({ length: count }, (_, at) => new Date(first + at * dayMilliseconds).toISOString().slice(0, 10));
}

const mostDays = 366;
