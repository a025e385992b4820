import { limits } from '../core/limits.ts';

/**
 * The script of the approval pages: one approval at `/approve/ID`, the waiting ones at `/approve/`. The person's token
 * stays in the tab's memory, so navigation keeps the document. Data from the server is only ever set as text.
 */
export const pageScript = `
const byId = (id) => document.getElementById(id);
const sections = ['enter', 'question', 'list'];
const add = (parent, name, text) => {
  const element = parent.appendChild(document.createElement(name));
  if (text !== undefined) element.textContent = text;
  return element;
};
const say = (text) => { byId('status').textContent = text; };
/** The id in the address, still encoded; empty for the list. */
const idInAddress = () => location.pathname.split('/')[2] ?? '';
/** With the zone, because the times in an approval's text are in UTC. */
const localTime = (iso) => new Date(iso).toLocaleString([], {
  year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', timeZoneName: 'short',
});
const wrongToken = 'This token is not valid for approvals.';
let token = '';
/** The id of the approval on screen; empty if there is none. */
let shown = '';

async function request(path, body) {
  if (!/^[!-~]+$/.test(token)) throw Object.assign(new Error(wrongToken), { status: 401 });
  const json = body === undefined ? {} : { 'content-type': 'application/json' };
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const headers = { authorization: 'Bearer ' + token, ...json };
  const response = await fetch(path, { ...sent, headers, credentials: 'omit', redirect: 'error' }).catch(() => {
    throw new Error('No answer from Purser. Is "purser serve" running?');
  });
  const answer = await response.json();
  if (response.ok) return answer;
  throw Object.assign(new Error(response.status === 401 ? wrongToken : answer.error.message), { status: response.status });
}

/** Shows one section under a heading, and moves the focus to the heading for screen readers. */
function show(section, heading) {
  if (section !== 'question') shown = '';
  for (const id of sections) byId(id).hidden = id !== section;
  byId('title').textContent = heading;
  document.title = heading + ' \\u2013 Purser';
  byId('all').hidden = idInAddress() === '' || section === 'enter';
  if (section !== 'enter') byId('token').value = '';
  byId('title').focus();
}

/** Undoes the wrapping of an approval text for terminals. */
const linesOf = (text) => text.replace(/\\n {2}\\| \\u200e?/g, '').split('\\n');

/** The label of a line and what follows. A label can be a quotation, which may say anything. */
const labelled = (line) => /^((?:"(?:\\\\.|[^"\\\\])*"|(?!: )[^"])+): (.+)$/.exec(line)?.slice(1) ?? ['', line];

function addFact(label, value) {
  const row = add(byId('facts'), 'div');
  if (label === '') row.className = 'wide';
  else add(row, 'dt', label);
  add(row, 'dd', value);
}

function showApproval(approval) {
  const [title, ...lines] = linesOf(approval.text);
  byId('facts').replaceChildren();
  for (const line of lines) addFact(...labelled(line));
  addFact('Asked by', approval.askedBy);
  addFact('Asked', localTime(approval.asked));
  addFact('Decide before', localTime(approval.expires));
  if (approval.decided !== undefined)
    addFact('Decided', localTime(approval.decided) + ', by ' + approval.approver + ' (' + approval.channel + ')');
  shown = approval.approval;
  byId('decide').hidden = approval.state in endings;
  if (!byId('decide').hidden) hold();
  show('question', title);
  say(endings[approval.state] ?? '');
}
/** The message for an approval that can no longer be decided, by state. */
const endings = {
  APPROVED: 'This is already approved. The agent can make the call once.',
  CONSUMED: 'This was approved, and the call was made.',
  DENIED: 'This is denied. Nothing was sent.',
  WITHDRAWN: 'The agent has withdrawn this. Nothing was sent.',
  EXPIRED: 'This has expired, or the agent changed the call. Nothing was sent.',
};

/**
 * What tells one approval from another: how its text begins, which is the agent's words, and how it ends, which are Purser's facts,
 * such as merchant, card and customer.
 */
const summaryOf = (lines) => lines.length <= 12 ? lines : [...lines.slice(0, 6), '\u2026', ...lines.slice(-6)];

function showWaiting({ items, more }) {
  const list = byId('waiting');
  list.replaceChildren();
  for (const { approval, text, askedBy, expires } of items) {
    const [title, ...lines] = linesOf(text);
    const item = add(list, 'li');
    const link = add(item, 'a', title);
    link.href = '/approve/' + encodeURIComponent(approval);
    for (const line of summaryOf(lines)) add(item, 'p', line);
    add(item, 'p', 'Asked by ' + askedBy + '. Decide before ' + localTime(expires) + '.').className = 'quiet';
  }
  list.hidden = items.length === 0;
  show('list', items.length === 0 ? 'No approvals are waiting' : 'Waiting for your approval');
  say(more === undefined ? '' : 'Only the newest 100 are shown.');
}

/** How often something was opened: an answer that comes after the next one shows nothing. */
let opened = 0;

/** Shows what the address names, after the token is entered. */
async function load() {
  say('');
  opened += 1;
  const own = opened;
  const id = idInAddress();
  try {
    if (token === '') return askForToken();
    const answer = await request(id === '' ? '/approvals?state=REQUESTED&limit=100' : '/approvals/' + id);
    if (own !== opened) return;
    if (id === '') showWaiting(answer);
    else showApproval(answer);
  } catch (error) {
    if (own !== opened) return;
    if (error.status === 401) askForToken();
    if (error.status === 404) show('', 'There is no such approval');
    say(error.status === 404 ? 'Check the address.' : error.message);
  }
}

function askForToken() {
  token = '';
  show('enter', idInAddress() === '' ? 'Approvals' : 'An agent asks for your approval');
  byId('token').focus();
}

/**
 * Decides the approval on screen, even if the address has changed. The page is updated only if it still shows that
 * approval.
 */
async function decide(decision) {
  const id = shown;
  say('');
  try {
    await request('/approve/' + encodeURIComponent(id), { decision });
    if (shown !== id) return;
    byId('decide').hidden = true;
    byId('title').focus();
    say(decision === 'approve'
      ? 'You approved this. The agent can now make the call once. You can close this page.'
      : 'You denied this. Nothing is sent. You can close this page.');
  } catch (error) {
    if (shown !== id) return;
    if (error.status === 409 || error.status === 401) await load();
    if (shown === id) say(error.message);
  }
}

let isBusy = false;
/** The timer of an approval that was just shown. */
let held;

/** Switches the buttons off while a request is under way, and those that decide for a moment after an approval is shown. */
function setButtons() {
  for (const button of document.querySelectorAll('button'))
    button.disabled = isBusy || (held !== undefined && byId('decide').contains(button));
}

/** The second click of a double click was aimed at what stood there before. */
function hold() {
  clearTimeout(held);
  held = setTimeout(() => {
    held = undefined;
    setButtons();
  }, ${limits.decisionMilliseconds});
  setButtons();
}

async function busyWith(work) {
  isBusy = true;
  setButtons();
  await work();
  isBusy = false;
  setButtons();
}

byId('enter').addEventListener('submit', (event) => {
  event.preventDefault();
  token = byId('token').value.trim();
  busyWith(load);
});
document.addEventListener('click', (event) => {
  const link = event.target.closest('a');
  if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  history.pushState(null, '', link.href);
  load();
});
addEventListener('popstate', load);
add(byId('all'), 'a', 'All waiting approvals').href = '/approve/';
for (const decision of ['approve', 'deny']) byId(decision).addEventListener('click', () => busyWith(() => decide(decision)));
byId('refresh').addEventListener('click', () => busyWith(load));
load();
`;
