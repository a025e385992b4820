/** The script of the page: shows what the reader asks for, and sends it what the person did. */
export const tapScript = `'use strict';
const of = (id) => document.getElementById(id);
let shown = '';
// The result of the last payment, so that whoever tapped sees that it counted.
let told = '';
const words = { approve: 'Card tapped.', decline: 'Card declined.', abort: 'Cancelled.' };

const call = async (method, path, body) => {
  const sent = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const answer = await fetch('/tap/' + path, { method, ...sent });
  const read = await answer.json();
  if (!answer.ok) throw Object.assign(new Error(read.error.message), { status: answer.status });
  return read;
};

/** Marks the amount as wrong and says why; without a message, as fine. */
const mark = (message) => {
  of('fault').textContent = message;
  of('fault').hidden = message === '';
  const attributes = { 'aria-invalid': 'true', 'aria-describedby': 'fault' };
  for (const [name, value] of Object.entries(attributes))
    if (message === '') of('amount').removeAttribute(name);
    else of('amount').setAttribute(name, value);
  if (message !== '') of('amount').focus();
};

const choice = (label, tip, isFirst) => {
  const line = document.createElement('label');
  const radio = document.createElement('input');
  Object.assign(radio, { type: 'radio', name: 'tip', value: tip, checked: isFirst });
  line.append(radio, ' ' + label);
  return line;
};

const askFor = ({ id, credits, amount, currency, choices, input }) => {
  shown = id;
  told = '';
  of('title').textContent = (credits ? 'Refund ' : '') + amount + ' ' + currency;
  of('status').textContent = (credits ? 'Refund of ' : 'Payment of ') + amount + ' ' + currency + ': tap a card.';
  const tips = [...(choices ?? [])].map(({ percent, tip, total }) => choice(percent + ' %: ' + tip + ' ' + currency + ', ' + total + ' in all', tip, false));
  of('tips').replaceChildren(of('tips').querySelector('legend'), choice('No tip', '', true), ...tips);
  of('tips').hidden = of('tips').disabled = choices === null;
  of('typed').hidden = of('amount').disabled = input === null;
  of('asks').textContent = (input === 'totalAmount' ? 'Total with tip, in ' : 'Tip, in ') + currency;
  of('amount').name = input === 'totalAmount' ? 'total' : 'tip';
  of('amount').value = '';
  // A total is at least the amount due; a tip can be nothing.
  of('amount').placeholder = input === 'totalAmount' ? amount : amount.replace(/^\\d+/, '0').replace(/\\d/g, '0');
  mark('');
  of('payment').hidden = false;
};

const show = ({ taps, asked }) => {
  const waits = taps === 'person';
  of('mode').value = waits ? 'auto' : 'person';
  of('mode').textContent = waits ? 'Tap automatically' : 'Wait for a person to tap';
  if (asked !== null && asked.id !== shown) askFor(asked);
  if (asked !== null) return;
  if (shown !== '') {
    // The focused button disappears, so keyboard users continue at the top of the page.
    if (of('payment').contains(document.activeElement)) document.activeElement.blur();
    of('payment').hidden = true;
  }
  shown = '';
  of('title').textContent = 'Card reader';
  const idle = waits ? 'Nothing to pay. A payment appears here.' : 'Cards are tapped automatically. Nothing waits for a person.';
  of('status').textContent = told === '' ? idle : told + ' ' + idle;
};

const attempt = async (work) => {
  try {
    mark('');
    show(await work());
  } catch (error) {
    if (error.status === 400 && !of('typed').hidden) mark(error.message);
    else of('status').textContent = error.message;
  }
};

of('payment').addEventListener('submit', (event) => {
  event.preventDefault();
  const form = new FormData(event.target);
  const body = { id: shown, does: event.submitter.value };
  for (const name of ['tip', 'total']) {
    const given = String(form.get(name) ?? '').trim();
    if (given !== '' && body.does === 'approve') body[name] = given;
  }
  attempt(async () => {
    const next = await call('POST', 'tap', body);
    told = words[body.does];
    return next;
  });
});
of('mode').addEventListener('click', () => {
  attempt(() => call('POST', 'screen', { taps: of('mode').value }));
});

const look = async () => {
  await call('GET', 'screen').then(show, () => {
    of('title').textContent = 'Card reader';
    of('status').textContent = 'The sandbox does not answer.';
  });
  setTimeout(look, 500);
};
look();
`;
