const made = Symbol('markup');

/** Text that is markup already. Only `html` makes it, so that nothing gets onto a page unescaped. */
export interface Markup {
  readonly [made]: string;
}

/** What may stand in a template: text and numbers are escaped; nothing, where there is nothing to show. */
export type Part = Markup | string | number | undefined | readonly Part[];

/** A piece of HTML. What is put into it is text, also between the quotes of an attribute. */
export const html = (literal: TemplateStringsArray, ...parts: readonly Part[]): Markup => ({
  [made]: literal.map((text, place) => (place === 0 ? text : written(parts[place - 1]) + text)).join(''),
});

/** The text of a page. */
export const textOf = (markup: Markup): string => markup[made];

const written = (part: Part): string => {
  if (part === undefined) return '';
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part));
  return isMarkup(part) ? part[made] : part.map(written).join('');
};

const isMarkup = (part: Markup | readonly Part[]): part is Markup => made in part;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string =>
  text
    .toWellFormed()
    // Signs that nobody sees, or that turn the direction of a line, are how text looks like another: they are shown.
    .replace(/(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, shown)
    .replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);

const shown = (sign: string): string => `⟨U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
