import { inGravity, placeOf } from '../failures.ts';
import type { Report } from '../report.ts';
import { html, type Markup } from './markup.ts';

/** What is wrong with a scenario: each failure, with what was expected and what was found side by side. */
export const sidesOf = (scenario: Report['scenarios'][number]): Markup | undefined =>
  scenario.failures.length === 0
    ? undefined
    : html`<ul class="failures" aria-label="What is wrong">${inGravity(scenario).map(
        ({ grader, at, because, sides }) =>
          html`<li><span class="badge">${grader}</span> <code>${placeOf(at)}</code>${
            sides === undefined
              ? html`<span dir="auto"> ${because}</span>`
              : html`<dl class="sides"><div><dt>Expected</dt><dd class="expected" dir="auto">${sides.expected || 'nothing'}</dd></div><div><dt>Got</dt><dd class="got" dir="auto">${sides.found || 'nothing'}</dd></div></dl>`
          }</li>`,
      )}</ul>`;
