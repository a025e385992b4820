import type { Report } from '../report.ts';
import { html, type Markup } from './markup.ts';
import { duration } from './section.ts';

type Scenario = Report['scenarios'][number];
type Entry = Scenario['transcript'][number];
type Call = Extract<Entry, { kind: 'call' }>;

/** A story as a chat: what the customer and the agent said, what was called and answered, and what happened besides. */
export const transcriptOf = ({ transcript }: Scenario): Markup =>
  html`<h3>Transcript</h3><ol class="chat">${transcript.map((entry) => html`<li class="${classOf(entry)}">${numberOf(entry)}${shownAs(entry)}</li>`)}</ol>`;

/** The number of the step, which failures name. */
const numberOf = ({ step }: Entry): Markup | undefined =>
  step === undefined ? undefined : html`<span class="step"><span class="unseen">Step </span>${step}</span>`;

const classOf = (entry: Entry): string =>
  entry.kind === 'event' ? `event ${entry.what.split(' ')[0]?.replace(/\W/g, '') ?? ''}` : entry.kind;

function shownAs(entry: Entry): Markup {
  if (entry.kind === 'call') return callOf(entry);
  if (entry.kind === 'event')
    return html`<p><span class="who">${whoOf(entry.what)}</span> <span dir="auto">${entry.text}</span></p>`;
  return html`<p class="who">${entry.kind === 'user' ? 'Customer' : 'Agent'}</p><p dir="auto" class="words">${entry.text}</p>`;
}

/** Who or what made an event happen: the clock, a fault, hostile text, or somebody. */
const whoOf = (what: string): string => {
  if (what === 'advance') return 'Clock';
  if (what === 'poison') return 'Hostile text';
  const [kind, ...name] = what.split(' ');
  return kind === 'actor' ? capital(name.join(' ')) : capital(what);
};

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function callOf({ tool, args, outcome, rule, code, took, isError, answer }: Call): Markup {
  const ending = outcome ?? (isError ? 'error' : 'answered');
  const said = member(answer, 'said');
  const time = took === undefined ? undefined : html`<span class="took">${duration(took.milliseconds)}</span>`;
  return html`<p class="head"><span class="unseen">Agent calls </span><code class="tool">${tool}</code><span class="outcome ${ending.replace(/\W/g, '')}">${ending.replaceAll('_', ' ')}</span>${rule === undefined ? undefined : html`<span class="rule">${rule}</span>`}${code === undefined || code === 'RULE' ? undefined : html`<code class="code">${code}</code>`}${time}</p>
${Object.keys(args).length === 0 ? html`<p class="empty">without arguments</p>` : html`<dl class="args">${Object.entries(args).map(([name, value]) => html`<div><dt>${name}</dt><dd dir="auto">${inline(value)}</dd></div>`)}</dl>`}
${said === undefined ? undefined : html`<p class="said" dir="auto">${said}</p>`}
<details class="result"><summary>Whole answer</summary><pre tabindex="0">${pretty(answer)}</pre></details>`;
}

/** A value in one line: a text as it is, anything else as JSON. */
export const inline = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

const pretty = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? '');

const member = (value: unknown, name: string): string | undefined => {
  const found: unknown =
    typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
  return typeof found === 'string' ? found : undefined;
};
