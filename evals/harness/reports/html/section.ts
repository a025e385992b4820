import { html, type Markup, type Part } from './markup.ts';

/** A part of the page that its navigation names. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly content: Markup;
}

/** The anchor of a scenario. */
export const anchorOf = (id: string): string => `s-${id}`;

/** The domain of a scenario: what stands before the number of its id. */
export const domainOf = (id: string): string => id.replace(/-\d{3}-.*/, '');

/** A link that shows some scenarios alone; without the script it leads to the first. */
export const showing = (ids: readonly string[], why: string, text: Part): Markup =>
  html`<a href="#${anchorOf(ids[0] ?? '')}" data-show="${ids.join(' ')}" data-why="${why}">${text}</a>`;

/** A table that can be scrolled sideways, also by keyboard, where the screen is narrow. */
export const wide = (label: string, table: Markup): Markup =>
  html`<div class="wide" role="region" tabindex="0" aria-label="${label}">${table}</div>`;

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** Milliseconds as people read them. */
export const duration = (milliseconds: number): string => {
  if (milliseconds >= 1_000) return `${(milliseconds / 1_000).toFixed(1)} s`;
  return milliseconds >= 10 ? `${Math.round(milliseconds)} ms` : `${milliseconds.toFixed(1)} ms`;
};
