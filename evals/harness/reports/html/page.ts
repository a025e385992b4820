import { createHash } from 'node:crypto';
import type { Report } from '../report.ts';
import { adversariesSection } from './adversaries.ts';
import { coverageSection } from './coverage.ts';
import { html, type Markup, textOf } from './markup.ts';
import { mutationSection } from './mutation.ts';
import { scenariosSection } from './scenarios.ts';
import { script } from './script.ts';
import type { Section } from './section.ts';
import { style } from './style.ts';
import { head, problems, summary } from './summary.ts';
import { timingsSection } from './timings.ts';
import { trialsSection } from './trials.ts';

/**
 * The report as one page that needs nothing else: no network, no fonts, no server. Everything is there without a script; the
 * script filters. Text of scenarios and servers is hostile: it is escaped, and the policy lets no other script and style run.
 */
export function htmlPage(report: Report): string {
  const { passed, scenarios } = report.summary;
  const sections = [
    scenariosSection(report),
    trialsSection(report),
    coverageSection(report),
    adversariesSection(report),
    mutationSection(report),
    timingsSection(report),
  ].filter((it) => it !== undefined);
  const failed = problems(report);
  const figures = summary(report);
  const links = [...(failed === undefined ? [] : [failed]), figures, ...sections].map(
    ({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`,
  );
  const shown = ({ id, title, content }: Section): Markup =>
    html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>${content}</section>`;
  const body = html`<body>
<a class="skip" href="#scenarios">Skip to the scenarios</a>
${head(report)}
<nav aria-label="Parts of the report"><ul>${links}</ul></nav>
<main>
${failed === undefined ? undefined : shown(failed)}
${shown(figures)}
${sections.map(shown)}
</main>
<footer><p>Written by ${report.by}. The page is complete in itself: it loads nothing, and sends nothing.</p></footer>`;
  return [
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">\n<meta name="referrer" content="no-referrer">',
    '<link rel="icon" href="data:,">',
    textOf(html`<title>${passed} of ${scenarios} scenarios passed · purser eval</title>`),
    `<style>${style}</style>\n</head>`,
    textOf(body),
    `<script>${script}</script>\n</body>\n</html>\n`,
  ].join('\n');
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const policy = [
  "default-src 'none'",
  `script-src ${hashOf(script)}`,
  `style-src ${hashOf(style)}`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');
