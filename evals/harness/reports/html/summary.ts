import { type FailureGroup, groupsOf, mostTold } from '../failures.ts';
import { figuresOf, verdictOf } from '../figures.ts';
import type { Report } from '../report.ts';
import { sidesOf } from './failures.ts';
import { html, type Markup } from './markup.ts';
import { anchorOf, duration, plural, type Section } from './section.ts';

/** The verdict, and what it is about. */
export function head(report: Report): Markup {
  const { by, mode, began, summary: counts } = report;
  const { good, says } = verdictOf(report);
  const when =
    began === undefined
      ? undefined
      : html` · <time datetime="${began}">${began.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')}</time>`;
  return html`<header class="${good ? 'good' : 'bad'}">
<p class="by">${by} · eval, ${mode}${when}</p>
<h1><span class="mark" aria-hidden="true">${good ? '✓' : '✗'}</span> ${says}</h1>
<p class="by">${plural(counts.calls, 'call')} in ${duration(counts.milliseconds)}</p>
<button type="button" id="theme" hidden>Dark</button>
</header>`;
}

/** Characters of a value that fit into a tile in large letters. */
const mostLarge = 11;

/** The figures, as tiles, and the gates that were met. */
export function summary(report: Report): Section {
  const content = html`<dl class="tiles">${figuresOf(report).map(
    ({ name, value, complete }) =>
      html`<div class="${complete === undefined ? 'plain' : complete ? 'good' : 'lacking'}${value.length > mostLarge ? ' long' : ''}"><dt>${name}</dt><dd>${value.replaceAll(' %', '\u00a0%')}</dd></div>`,
  )}</dl>
${gates('Gates that were met', report, true)}`;
  return { id: 'summary', title: 'Summary', content };
}

function gates(title: string, report: Report, met: boolean): Markup | undefined {
  const all = report.gates.filter((it) => it.met === met);
  return all.length === 0
    ? undefined
    : html`<h3>${title}</h3><ul class="gates">${all.map(
        ({ name, says }) =>
          html`<li class="${met ? 'good' : 'bad'}"><strong>${met ? '✓ met' : '✗ not met'}: ${name}.</strong> ${says}</li>`,
      )}</ul>`;
}

/** What failed, first: whoever opens the page wants to know that. The gravest comes first, and what is alike stands together. */
export function problems(report: Report): Section | undefined {
  const groups = groupsOf(report.scenarios);
  const unmet = gates('Gates that were not met', report, false);
  if (groups.length === 0 && unmet === undefined) return undefined;
  const failed = groups.length === 0 ? undefined : html`<ul class="failed">${groups.map(groupOf)}</ul>`;
  return { id: 'failed', title: 'What failed', content: html`${failed}${unmet}` };
}

function groupOf({ grader, about, scenarios }: FailureGroup): Markup {
  const [told, others] = [scenarios.slice(0, mostTold), scenarios.slice(mostTold)];
  const heading =
    scenarios.length === 1
      ? undefined
      : html`<p class="alike"><strong>${scenarios.length} scenarios alike:</strong> ${grader === undefined ? undefined : html`<span class="badge">${grader}</span> `}${about}</p>`;
  return html`<li>${heading}${told.map(
    (
      it,
    ) => html`<article><p><a href="#${anchorOf(it.id)}">${it.title}</a> <code>${it.id}</code>${it.verdict === 'fail' ? undefined : html` <span class="badge">${it.verdict}</span>`}</p>
${sidesOf(it)}</article>`,
  )}${others.length === 0 ? undefined : html`<p>And ${others.map(({ id }, at) => html`${at === 0 ? '' : ', '}<a href="#${anchorOf(id)}">${id}</a>`)}.</p>`}</li>`;
}
