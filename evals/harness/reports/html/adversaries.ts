import type { Report } from '../report.ts';
import { html, type Markup } from './markup.ts';
import { anchorOf, plural, type Section, showing, wide } from './section.ts';

type Performance = NonNullable<Report['cast']>[number];
const endings = ['stopped', 'caught', 'harmless', 'unnoticed'] as const;
const about = {
  stopped: 'a guard refused',
  caught: 'a grader failed',
  harmless: 'the world ended as it should',
  unnoticed: 'nobody noticed',
} as const;

/** How the bad agents fared. */
export function castSection({ cast }: Report): Section | undefined {
  if (cast === undefined) return undefined;
  const members = [...new Set(cast.map(({ member }) => member))];
  const found = cast.filter(({ ending, broken }) => ending === 'unnoticed' || broken.length > 0);
  const content = html`${findings(found)}${wide(
    'Bad agents and how they fared',
    html`<table class="matrix cast"><caption>${plural(cast.length, 'performance')} of ${plural(members.length, 'bad agent')}</caption>
<thead><tr><th scope="col">Agent</th>${endings.map((ending) => html`<th scope="col">${ending}<br><small>${about[ending]}</small></th>`)}</tr></thead>
<tbody>${members.map(
      (member) =>
        html`<tr><th scope="row">${member}</th>${endings.map((ending) => {
          const some = cast.filter((it) => it.member === member && it.ending === ending);
          if (some.length === 0) return html`<td class="cell void"><span class="unseen">0</span></td>`;
          const ids = some.map(({ scenario }) => scenario);
          return html`<td class="cell ${ending}">${showing(ids, `${member} ${ending}`, some.length)}</td>`;
        })}</tr>`,
    )}</tbody></table>`,
  )}`;
  return { id: 'cast', title: 'Bad agents', content };
}

const findings = (found: readonly Performance[]): Markup =>
  found.length === 0
    ? html`<p>Every one was stopped, caught or harmless, and none broke an invariant.</p>`
    : html`<ul class="failed">${found.map(
        ({ member, scenario, ending, broken }) =>
          html`<li><strong>${member}</strong>, ${ending}: <a href="#${anchorOf(scenario)}">${scenario}</a>${
            broken.length === 0
              ? undefined
              : html`<ul>${broken.map(({ at, because }) => html`<li><code>${at}</code> ${because}</li>`)}</ul>`
          }</li>`,
      )}</ul>`;
