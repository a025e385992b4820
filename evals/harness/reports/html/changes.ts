import type { Report } from '../report.ts';
import { html, type Markup, type Part } from './markup.ts';
import { wide } from './section.ts';
import { inline } from './transcript.ts';

/** What is different in the world at the end: each place, what stood there before, and what stands there now. */
export const changesOf = ({ id, changes }: Report['scenarios'][number]): Markup =>
  changes.length === 0
    ? html`<h3>What changed</h3><p class="empty">Nothing.</p>`
    : html`<h3>What changed</h3>${wide(
        `What changed in ${id}`,
        html`<table class="changes"><thead><tr><th scope="col">Where</th><th scope="col">Before</th><th scope="col">After</th></tr></thead>
<tbody>${changes.map(
          ({ path, before, after }) =>
            html`<tr><th scope="row"><code>${path}</code></th>${cell('before', before, 'was not there')}${cell('after', after, 'is gone')}</tr>`,
        )}</tbody></table>`,
      )}`;

const cell = (side: 'before' | 'after', it: unknown, nothing: string): Markup =>
  it === null || it === undefined
    ? html`<td><span class="empty">${nothing}</span></td>`
    : html`<td class="${side}">${value(it)}</td>`;

/** A thing by its members, one a line; a plain value as it is. */
function value(it: unknown): Part {
  if (typeof it !== 'object' || it === null) return html`<span dir="auto">${inline(it)}</span>`;
  return html`<dl>${Object.entries(it).map(
    ([name, member]) => html`<div><dt>${name}</dt><dd dir="auto">${inline(member)}</dd></div>`,
  )}</dl>`;
}
