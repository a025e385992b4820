import { tokensIn } from '../failures.ts';
import type { Report } from '../report.ts';
import { changesOf } from './changes.ts';
import { sidesOf } from './failures.ts';
import { html, type Markup, type Part } from './markup.ts';
import { anchorOf, domainOf, duration, plural, type Section } from './section.ts';
import { transcriptOf } from './transcript.ts';

type Scenario = Report['scenarios'][number];

/** The scenarios with their filters. What failed comes open. */
export function scenariosSection({ scenarios }: Report): Section {
  const content = html`${filters(scenarios)}
<p class="hint"><span id="count" role="status">${plural(scenarios.length, 'scenario')}</span> <span class="keys" hidden>Keys: <kbd>/</kbd> search, <kbd>↓</kbd> <kbd>↑</kbd> from one to the next, <kbd>Enter</kbd> open, <kbd>Esc</kbd> show all.</span></p>
<p id="chosen" hidden><span id="why"></span> <button type="button" id="unchoose">Show all</button></p>
<div id="list">${scenarios.map(scenarioOf)}</div>
<p id="none" hidden>No scenario fits. Show all again, or ask for less.</p>`;
  return { id: 'scenarios', title: 'Scenarios', content };
}

/** Choices that the scenarios offer. They do something with the script only, so without it they are not shown. */
function filters(scenarios: readonly Scenario[]): Markup {
  const domains = unique(scenarios.map(({ id }) => domainOf(id)));
  const outcomes = unique(scenarios.flatMap(outcomesOf));
  const rules = unique(scenarios.flatMap((it) => it.rules));
  const verdicts = unique(scenarios.map(({ verdict }) => verdict));
  return html`<form id="filters" role="search" aria-label="Filter the scenarios" hidden>
<label>Text <input type="search" id="text" autocomplete="off" spellcheck="false" placeholder="in title, transcript, changes"></label>
${choice('domain', 'Domain', domains)}${choice('verdict', 'Result', verdicts)}${choice('outcome', 'Outcome of a call', outcomes)}${choice('rule', 'Rule', rules)}
<button type="reset">Show all</button>
</form>`;
}

const choice = (name: string, label: string, values: readonly string[]): Markup =>
  html`<label>${label} <select id="${name}"><option value="">all</option>${values.map((value) => html`<option value="${value}">${value.replaceAll('_', ' ')}</option>`)}</select></label>`;

function scenarioOf(scenario: Scenario): Markup {
  const { id, title, file, rules, twin, verdict, calls, bytes, milliseconds } = scenario;
  const told: Part = [
    html`<span>${plural(calls, 'call')}</span><span>about ${plural(tokensIn(bytes), 'token')} read</span><span>${duration(milliseconds)}</span><span><code>${file}</code></span>`,
    twin === undefined ? undefined : html`<span>Twin: <a href="#${anchorOf(twin)}">${twin}</a></span>`,
  ];
  return html`<details class="scenario ${verdict === 'pass' ? 'good' : 'bad'}" id="${anchorOf(id)}" data-id="${id}" data-domain="${domainOf(id)}" data-verdict="${verdict}" data-rule="${rules.join(' ')}" data-outcome="${outcomesOf(scenario).join(' ')}"${verdict === 'pass' ? undefined : html` open`}>
<summary><span class="verdict">${verdict === 'pass' ? '✓' : '✗'}<span class="unseen"> ${verdict}: </span></span><span class="title" dir="auto">${title}</span><code class="id">${id}</code><span class="rules">${rules.map((rule) => html`<span class="rule">${rule}</span>`)}</span></summary>
<div class="story">
<p class="facts">${told}</p>
${transcriptOf(scenario)}
${scenario.failures.length === 0 ? undefined : html`<h3>Expected and got</h3>${sidesOf(scenario)}`}
${changesOf(scenario)}
</div>
</details>`;
}

const outcomesOf = ({ transcript }: Scenario): readonly string[] =>
  unique(transcript.flatMap((it) => (it.kind === 'call' ? (it.outcome ?? (it.isError ? 'error' : 'answered')) : [])));

const unique = (values: readonly string[]): readonly string[] => [...new Set(values)].toSorted();
