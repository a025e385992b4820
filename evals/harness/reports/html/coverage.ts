import { rules as ruleBook } from '../../../../src/core/rules.ts';
import { halfClauses } from '../../coverage/clauses.ts';
import { restingOnOne } from '../../coverage/coverage.ts';
import { listNames } from '../figures.ts';
import type { Report } from '../report.ts';
import { machineTables } from './machines.ts';
import { html, type Markup } from './markup.ts';
import { plural, type Section, showing, wide } from './section.ts';
import { toolTable } from './tools.ts';

type Coverage = NonNullable<Report['coverage']>;

/** What the scenarios exercise, as pictures that are tables: each cell leads to the scenarios that it counts. */
export function coverageSection(report: Report): Section | undefined {
  const { coverage, scenarios } = report;
  if (coverage === undefined) return undefined;
  const content = html`<p class="legend" aria-hidden="true"><span class="cell done">n</span> in n scenarios <span class="cell lacking">never</span> in none <span class="cell void"></span> cannot be</p>
<h3>Rules, allowed and refused</h3>${rulesPicture(coverage)}
<h3>Rules in each operation</h3>${clausesPicture(coverage)}
<h3>What rests on one scenario</h3>${onOne(coverage)}
<h3>Transitions of the state machines</h3>${machineTables(coverage)}
<h3>Tools and how their calls ended</h3>${toolTable(scenarios, coverage)}
${(['codes', 'faults'] as const).map((name) => chips(listNames[name], coverage[name]))}`;
  return { id: 'coverage', title: 'Coverage', content };
}

function rulesPicture({ rules }: Coverage): Markup {
  const families = Map.groupBy(Object.entries(rules), ([rule]) => rule.replace(/-.*/, ''));
  return html`<div class="families">${[...families].map(
    ([family, all]) => html`<table class="matrix rulebook"><caption>${family}: ${plural(all.length, 'rule')}</caption>
<thead><tr><th scope="col">Rule</th><th scope="col">Allowed</th><th scope="col">Refused</th></tr></thead>
<tbody>${all.map(
      ([rule, { allowed, refused }]) =>
        html`<tr><th scope="row"><span class="rule">${rule}</span>${saysOf(rule)}</th>${cell(rule, 'allowed', allowed)}${cell(rule, 'refused', refused)}</tr>`,
    )}</tbody></table>`,
  )}</div>`;
}

function clausesPicture({ clauses }: Coverage): Markup {
  return html`<details><summary>${plural(clauses.length, 'rule')} in an operation, ${halfClauses(clauses).length} not both ways</summary>
${wide(
  'Rules in each operation',
  html`<table class="matrix clauses"><thead><tr><th scope="col">Rule, tool and argument</th><th scope="col">Allowed</th><th scope="col">Refused</th></tr></thead>
<tbody>${clauses.map(
    ({ name, allowed, refused }) =>
      html`<tr><th scope="row">${name}</th>${cell(name, 'allowed', allowed)}${cell(name, 'refused', refused)}</tr>`,
  )}</tbody></table>`,
)}</details>`;
}

/** In how many scenarios a rule did so. */
const cell = (name: string, how: 'allowed' | 'refused', ids: readonly string[]): Markup =>
  ids.length === 0
    ? html`<td class="cell lacking">never</td>`
    : html`<td class="cell ${how === 'allowed' ? 'done' : 'refused'}">${showing(ids, `${name}, ${how}`, [
        html`<span class="unseen">${name}, ${how} in </span>`,
        ids.length,
      ])}</td>`;

const onOne = (coverage: Coverage): Markup => {
  const list = restingOnOne(coverage);
  return html`<details><summary>${plural(list.length, 'thing')}</summary><ul>${list.map(
    ({ name, scenario }) => html`<li>${name}: ${showing([scenario], name, scenario)}</li>`,
  )}</ul></details>`;
};

/** The sentence of a rule; nothing for a rule of somebody else's server. */
const saysOf = (rule: string): string =>
  Object.hasOwn(ruleBook, rule) ? ruleBook[rule as keyof typeof ruleBook].says : '';

const chips = (title: string, list: Coverage['codes']): Markup =>
  html`<h3>${title}</h3><ul class="chips">${list.map(({ name, by }) =>
    by.length === 0
      ? html`<li class="cell lacking">${name}: never</li>`
      : html`<li class="cell done">${showing(by, name, `${name}: ${by.length}`)}</li>`,
  )}</ul>`;
