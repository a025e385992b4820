/** The script of the page: it shows what the reader asks for, and tells it what the person did. */
export const tapScript = `'use strict';
const of = (id) => document.getElementById(id);
let shown = '';
// What became of the last payment: whoever tapped wants to see that it counted.
let told = '';
const words = { approve: 'Card tapped.', decline: 'Card declined.', abort: 'Cancelled.' };

const call = async (method, path, body) => {
  const sent = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const answer = await fetch('/tap/' + path, { method, ...sent });
  const read = await answer.json();
  if (!answer.ok) throw new Error(read.error.message);
  return read;
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
  of('payment').hidden = false;
};

const show = ({ taps, asked }) => {
  const waits = taps === 'person';
  of('mode').value = waits ? 'auto' : 'person';
  of('mode').textContent = waits ? 'Let cards tap themselves' : 'Wait for a person to tap';
  if (asked !== null && asked.id !== shown) askFor(asked);
  if (asked !== null) return;
  if (shown !== '') {
    // Whoever was at a button that is gone goes on at the top.
    if (of('payment').contains(document.activeElement)) document.activeElement.blur();
    of('payment').hidden = true;
  }
  shown = '';
  of('title').textContent = 'Card reader';
  const idle = waits ? 'Nothing to pay. A payment appears here.' : 'Cards tap themselves: nothing waits for a person.';
  of('status').textContent = told === '' ? idle : told + ' ' + idle;
};

const attempt = async (work) => {
  try {
    show(await work());
  } catch (error) {
    of('status').textContent = error.message;
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
