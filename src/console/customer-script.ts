import { limits } from '../core/limits.ts';

/**
 * The script of a customer's page: shows the step that the link opens, and submits what the customer enters. Data from
 * the server is only ever set as text. Pages with a module of their own import `look`, `take`, `show` and `say`.
 */
export const customerScript = `
const byId = (id) => document.getElementById(id);
const link = location.hash.slice(1);

async function request(path, body) {
  const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(path, { ...sent, credentials: 'omit', redirect: 'error' }).catch(() => {
    throw new Error('No answer from the shop. Check your connection, then try again.');
  });
  if (response.ok) return response.json();
  throw Object.assign(new Error('Something went wrong. Nothing was sent. Try again later.'), { status: response.status });
}

/** The content of the page: title, text, fields and the button's label. */
export const look = () => request('/act', { link });
/** Submits the step. Returns the outcome, the message to show, and whether the customer can try again. */
export const take = (values) => request('/act/take', { link, values });
/** Announces a text to screen readers. */
export const say = (text) => { byId('status').textContent = text; };

/** Shows a heading and paragraphs, and moves the focus to the heading for screen readers. */
export function show(title, text) {
  byId('title').textContent = title;
  document.title = title;
  byId('text').replaceChildren(...text.map((line) => {
    const paragraph = document.createElement('p');
    paragraph.textContent = line;
    return paragraph;
  }));
  byId('title').focus();
}

/** Whether the address has a link of the right form: part of it may be lost where it is copied or wrapped. */
const isWhole = /^[a-z]{${limits.handleCharacters}}\\.[a-z]{${limits.keyCharacters}}$/.test(link);

function showPart() {
  show('This link is not complete', ['Part of the address is missing. Open the whole link, or copy it again from the shop.']);
}

/** Shows that the link no longer works. */
export function showGone() {
  byId('form').hidden = true;
  byId('table').hidden = true;
  byId('stage').replaceChildren();
  show('This link no longer works', ['It was used or has expired. Go back to the shop to get a new one.']);
}

/** Ends the page: clears the form and removes the link from the address. */
export function showEnd(text, more = []) {
  byId('form').reset();
  byId('form').hidden = true;
  byId('table').hidden = true;
  byId('stage').replaceChildren();
  history.replaceState(null, '', location.pathname);
  show(text, [...more, 'You can close this page.']);
}

/** Ends a step that can't be tried again; the link may open another one later, so it stays. */
function showOver({ says, attemptsLeft }) {
  byId('form').reset();
  byId('form').hidden = true;
  const isUsedUp = attemptsLeft === 0;
  show(isUsedUp ? 'No tries are left' : 'This did not work', [isUsedUp ? 'Go back to the shop. It can begin again.' : says]);
}

function addField({ argument, label, hint, type, inputMode, autocomplete, maxLength }) {
  const row = byId('fields').appendChild(document.createElement('div'));
  const name = row.appendChild(document.createElement('label'));
  name.textContent = label;
  name.htmlFor = argument;
  const input = row.appendChild(document.createElement('input'));
  Object.assign(input, { id: argument, name: argument, type, autocomplete, required: true, spellcheck: false });
  input.autocapitalize = 'none';
  if (inputMode !== undefined) input.inputMode = inputMode;
  if (maxLength !== undefined) input.maxLength = maxLength;
  if (hint === undefined) return;
  const help = row.appendChild(document.createElement('p'));
  help.id = argument + '-hint';
  help.className = 'quiet';
  help.textContent = hint;
  input.setAttribute('aria-describedby', help.id);
}

const showLeft = (count) => {
  byId('left').textContent = count === undefined ? '' : count === 1 ? 'You have one try left.' : 'You have ' + count + ' tries left.';
};

function showTable(rows) {
  byId('table').replaceChildren(...rows.map(([label, value]) => {
    const row = document.createElement('div');
    row.appendChild(document.createElement('dt')).textContent = label;
    row.appendChild(document.createElement('dd')).textContent = value;
    return row;
  }));
  byId('table').hidden = rows.length === 0;
}

/** The one button, or a button for each choice; these look alike. */
function showButtons(submit) {
  const one = byId('submit');
  const choices = typeof submit === 'string' ? [] : submit.options;
  one.hidden = choices.length > 0;
  one.textContent = one.hidden ? '' : submit;
  byId('choices').replaceChildren(...choices.map(({ value, label }) => {
    const button = document.createElement('button');
    Object.assign(button, { type: 'submit', name: submit.argument, value, textContent: label });
    return button;
  }));
}

const buttons = () => byId('form').querySelectorAll('button');
const setButtons = (areOff) => buttons().forEach((it) => { it.disabled = areOff; });

/** Nobody has read a choice that has just been shown: the second click of a double click was aimed at what stood there before. */
function hold() {
  setButtons(true);
  setTimeout(() => setButtons(false), ${limits.decisionMilliseconds});
}

/** Shows the form of a step. */
export function showForm(step) {
  byId('fields').replaceChildren();
  step.fields.forEach(addField);
  showTable(step.table ?? []);
  showButtons(step.submit);
  showLeft(step.attemptsLeft);
  byId('form').hidden = false;
  if (typeof step.submit !== 'string') hold();
  show(step.title, step.text);
  byId('fields').querySelector('input')?.focus();
}

async function send(button) {
  const values = Object.fromEntries(new FormData(byId('form'), button));
  say('');
  setButtons(true);
  try {
    const taken = await take(values);
    // A choice is taken with a button of its own.
    if (taken.outcome === 'done') return showEnd(taken.says, button?.name ? ['You chose \\u201c' + button.textContent + '\\u201d.'] : []);
    if (!taken.isOpen) return showOver(taken);
    say(taken.says);
    showLeft(taken.attemptsLeft);
    byId('form').reset();
    byId('fields').querySelector('input')?.focus();
  } catch (error) {
    if (error.status === 404) return showGone();
    say(error.message);
  } finally {
    setButtons(false);
  }
}

byId('form').addEventListener('submit', (event) => {
  event.preventDefault();
  send(event.submitter);
});

/** Opens the page: fetches the step and passes it to \`open\`. */
export async function start(open) {
  if (!isWhole) return showPart();
  try {
    await open(await look());
  } catch (error) {
    if (error.status === 404 || error.status === 400) return showGone();
    show('One moment', []);
    say(error.message);
  }
}

addEventListener('hashchange', () => location.reload());
if (document.querySelector('script[src="/act/page.js"]') !== null) start(showForm);
`;
