import type { Report } from '../report.ts';
import { html, type Markup } from './markup.ts';
import { anchorOf, duration, plural, type Section, wide } from './section.ts';

const mostBars = 20;

/** Where the time went: the slowest scenarios, and how long calls of each tool took. */
export function timingsSection({ scenarios, summary }: Report): Section | undefined {
  if (summary.milliseconds === 0) return undefined;
  const slowest = scenarios.toSorted((one, other) => other.milliseconds - one.milliseconds).slice(0, mostBars);
  const most = slowest[0]?.milliseconds ?? 0;
  const all = scenarios.map(({ milliseconds }) => milliseconds);
  const content = html`<p>${duration(summary.milliseconds)} in all; half of the scenarios take at most ${duration(quantile(all, 0.5))}, and 95 % at most ${duration(quantile(all, 0.95))}.</p>
<h3>The slowest scenarios</h3>${wide(
    'The slowest scenarios',
    html`<table class="bars"><caption>The slowest ${slowest.length} of ${plural(scenarios.length, 'scenario')}</caption><tbody>${slowest.map(
      ({ id, milliseconds, calls }) =>
        html`<tr><th scope="row"><a href="#${anchorOf(id)}">${id}</a></th><td>${bar(milliseconds / most)}</td><td class="sum">${duration(milliseconds)}</td><td class="sum">${plural(calls, 'call')}</td></tr>`,
    )}</tbody></table>`,
  )}
${toolTimes(scenarios)}`;
  return { id: 'timings', title: 'Timings', content };
}

function toolTimes(scenarios: Report['scenarios']): Markup | undefined {
  const calls = scenarios.flatMap(({ transcript }) =>
    transcript.flatMap((it) =>
      it.kind === 'call' && it.took !== undefined ? { tool: it.tool, milliseconds: it.took.milliseconds } : [],
    ),
  );
  if (calls.length === 0) return undefined;
  const tools = [...Map.groupBy(calls, ({ tool }) => tool)]
    .map(([tool, some]) => ({ tool, times: some.map(({ milliseconds }) => milliseconds) }))
    .toSorted((one, other) => quantile(other.times, 0.5) - quantile(one.times, 0.5));
  const most = Math.max(...tools.map(({ times }) => quantile(times, 0.5)));
  return html`<h3>Calls of each tool</h3>${wide(
    'Calls of each tool',
    html`<table class="bars"><caption>Time of a call, by tool</caption><thead><tr><th scope="col">Tool</th><td></td><th scope="col">Median</th><th scope="col">95 % within</th><th scope="col">Calls</th></tr></thead><tbody>${tools.map(
      ({ tool, times }) =>
        html`<tr><th scope="row"><code>${tool}</code></th><td>${bar(quantile(times, 0.5) / most)}</td><td class="sum">${duration(quantile(times, 0.5))}</td><td class="sum">${duration(quantile(times, 0.95))}</td><td class="sum">${times.length}</td></tr>`,
    )}</tbody></table>`,
  )}`;
}

/** A bar, as a picture: the policy of the page allows no style in an attribute. */
const bar = (part: number): Markup =>
  html`<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect width="${Math.max(1, Math.round(part * 100))}" height="10" rx="1"/></svg>`;

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}
