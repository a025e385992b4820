import { createHash } from 'node:crypto';
import { switchedOff } from '../engine/channels.ts';
import type { EngineSettings } from '../engine/settings.ts';
import { fault } from './reply.ts';

// The page on which a person decides one approval. It is the same for every approval and holds nothing of any: the script
// fetches what is asked with the person's own token, which stays in the memory of the tab.

const style = `
:root { color-scheme: light dark; --edge: color-mix(in srgb, currentColor 22%, transparent); --yes: #0b6b3a; --no: #a3261b; }
* { box-sizing: border-box; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 34rem; margin: 0 auto; padding: 2rem 1rem; }
h1 { font-size: 1.35rem; line-height: 1.25; margin: 0 0 1rem; text-wrap: balance; }
[hidden] { display: none; }
label { display: block; font-weight: 600; margin-bottom: .25rem; }
input { font: inherit; width: 100%; padding: .55rem .7rem; border: 1px solid var(--edge); border-radius: .4rem; background: Field; color: FieldText; }
dl { border: 1px solid var(--edge); border-radius: .6rem; margin: 0 0 1rem; overflow: hidden; }
dl div { display: grid; grid-template-columns: 11rem 1fr; gap: .75rem; padding: .6rem .9rem; border-top: 1px solid var(--edge); }
dl div:first-child { border-top: 0; }
dt { opacity: .75; } dd { margin: 0; overflow-wrap: anywhere; }
.wide { grid-template-columns: 1fr; }
.doors { display: flex; gap: .75rem; flex-wrap: wrap; }
button { font: inherit; font-weight: 600; padding: .6rem 1.4rem; border-radius: .4rem; border: 1px solid var(--edge); background: ButtonFace; color: ButtonText; cursor: pointer; }
button.yes { background: var(--yes); border-color: var(--yes); color: #fff; }
button.no { background: transparent; border-color: var(--no); color: light-dark(var(--no), #ff9d94); }
button:disabled { opacity: .5; cursor: progress; }
:focus-visible { outline: 3px solid #3b82f6; outline-offset: 2px; }
.quiet { opacity: .75; font-size: .9rem; }
[role=status] { min-height: 1.5rem; margin-top: 1rem; }
form { margin: 0 0 1rem; } form button { margin-top: .75rem; }
@media (max-width: 30rem) { dl div { grid-template-columns: 1fr; gap: 0; } }
`;

const script = `
const id = decodeURIComponent(location.pathname.split('/').pop());
const shown = '/approvals/' + encodeURIComponent(id);
const decided = '/approve/' + encodeURIComponent(id);
const one = (name) => document.getElementById(name);
const tell = (text) => { one('status').textContent = text; };
let token = '';

async function ask(body) {
  const headers = { authorization: 'Bearer ' + token };
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  if (body !== undefined) headers['content-type'] = 'application/json';
  const response = await fetch(body === undefined ? shown : decided, { ...sent, headers, credentials: 'omit', redirect: 'error' });
  const said = await response.json();
  if (!response.ok) throw new Error(response.status === 401 ? 'This is not the token of a person who approves.' : said.error.message);
  return said;
}

function row(list, name, value) {
  const line = list.appendChild(document.createElement('div'));
  if (name === '') line.className = 'wide';
  else line.appendChild(document.createElement('dt')).textContent = name;
  line.appendChild(document.createElement('dd')).textContent = value;
}

function show(approval) {
  const [title, ...lines] = approval.text.replaceAll('\\n  | ', '').split('\\n');
  one('title').textContent = title;
  document.title = title + ' \\u2013 Purser';
  const list = one('facts');
  list.replaceChildren();
  for (const line of lines) {
    const colon = line.indexOf(': ');
    if (colon < 0) row(list, '', line);
    else row(list, line.slice(0, colon), line.slice(colon + 2));
  }
  row(list, 'Asked by', approval.askedBy);
  row(list, 'Asked until', new Date(approval.expires).toLocaleString());
  const open = approval.state === 'REQUESTED';
  one('enter').hidden = true;
  one('question').hidden = false;
  one('doors').hidden = !open;
  tell(open ? '' : 'It is ' + approval.state.toLowerCase() + ' already. Nothing is left to decide.');
  (open ? one('deny') : one('title')).focus();
}

async function during(work) {
  const doors = [...document.querySelectorAll('button')];
  for (const door of doors) door.disabled = true;
  try { await work(); } catch (error) { tell(error.message); }
  for (const door of doors) door.disabled = false;
}

one('enter').addEventListener('submit', (event) => {
  event.preventDefault();
  token = one('token').value.trim();
  during(async () => { show(await ask()); one('token').value = ''; });
});
for (const [name, past] of [['approve', 'approved'], ['deny', 'denied']])
  one(name).addEventListener('click', () => during(async () => {
    await ask({ decision: name });
    one('doors').hidden = true;
    tell('You have ' + past + ' it. You can close this page.');
    one('title').focus();
  }));
one('token').focus();
`;

const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Approve – Purser</title>
<style>${style}</style>
<main>
<h1 id="title" tabindex="-1">An agent asks for your approval</h1>
<form id="enter" method="dialog">
<label for="token">Your token</label>
<input id="token" type="password" required autocomplete="current-password" spellcheck="false" aria-describedby="where">
<p id="where" class="quiet">It is in the file person.token of Purser's data folder. Never give it to an agent.</p>
<button type="submit">See what is asked</button>
</form>
<section id="question" hidden>
<dl id="facts"></dl>
<div id="doors" class="doors">
<button type="button" id="approve" class="yes">Approve</button>
<button type="button" id="deny" class="no">Deny</button>
</div>
<p class="quiet">You approve exactly this, once. Anything else is asked anew.</p>
</section>
<p id="status" role="status"></p>
</main>
<script>${script}</script>
</html>
`;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Nothing but the page's own script and style runs; it talks to where it came from, and no other page can frame it. */
const policy = [
  "default-src 'none'",
  `script-src ${hashOf(script)}`,
  `style-src ${hashOf(style)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The page, for whoever asks: it shows nothing without a person's token. A refusal where nobody may decide on it. */
export const createApprovalPage = ({ channels }: Pick<EngineSettings, 'channels'>): Response =>
  channels.includes('page') ? page() : fault(403, { code: 'FORBIDDEN', message: switchedOff('page', channels) });

const page = (): Response =>
  new Response(html, { headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy } });
