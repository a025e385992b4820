/**
 * What the page does when somebody filters, follows a figure to its scenarios, or goes from one scenario to the next by
 * keyboard. It hides and opens what is there, and makes nothing out of text.
 */
export const script = `'use strict';
const at = (id) => document.getElementById(id);
const all = [...document.querySelectorAll('details.scenario')];
const form = at('filters');
const lists = ['domain', 'verdict', 'outcome', 'rule'];
const texts = new Map();
let chosen;

for (const it of [form, at('theme'), document.querySelector('.keys')]) it.hidden = false;

const textOf = (one) => {
  if (!texts.has(one)) texts.set(one, one.textContent.toLowerCase());
  return texts.get(one);
};
const fits = (one, words) =>
  (chosen === undefined || chosen.has(one.dataset.id)) &&
  lists.every((name) => at(name).value === '' || (name === 'verdict' ? [one.dataset.verdict] : one.dataset[name].split(' ')).includes(at(name).value)) &&
  words.every((word) => textOf(one).includes(word));
const filter = () => {
  const words = at('text').value.toLowerCase().split(/\\s+/).filter((word) => word !== '');
  let count = 0;
  for (const one of all) {
    one.hidden = !fits(one, words);
    if (!one.hidden) count += 1;
  }
  at('count').textContent = (count === all.length ? '' : count + ' of ') + all.length + (all.length === 1 ? ' scenario' : ' scenarios');
  at('none').hidden = count > 0;
  at('chosen').hidden = chosen === undefined;
};
const showAll = () => {
  chosen = undefined;
  for (const name of [...lists, 'text']) at(name).value = '';
  filter();
};
const shown = () => all.filter((one) => !one.hidden);
const focusOn = (one) => {
  const summary = one?.querySelector('summary');
  summary?.focus({ preventScroll: true });
  summary?.scrollIntoView({ block: 'nearest' });
};
const openTarget = () => {
  const one = at(decodeURIComponent(location.hash.slice(1)));
  if (!all.includes(one)) return;
  if (one.hidden) showAll();
  one.open = true;
  one.scrollIntoView();
  one.querySelector('summary').focus({ preventScroll: true });
};

form.addEventListener('input', filter);
form.addEventListener('submit', (event) => event.preventDefault());
form.addEventListener('reset', (event) => {
  event.preventDefault();
  showAll();
});
at('unchoose').addEventListener('click', () => {
  showAll();
  at('text').focus();
});
document.addEventListener('click', (event) => {
  const link = event.target.closest('a');
  if (link === null) return;
  if (link.dataset.show === undefined) {
    if (link.hash === location.hash) openTarget();
    return;
  }
  event.preventDefault();
  showAll();
  chosen = new Set(link.dataset.show.split(' '));
  at('why').textContent = 'Only the scenarios of ' + link.dataset.why + '.';
  filter();
  at('scenarios').scrollIntoView();
  shown()[0]?.querySelector('summary').focus({ preventScroll: true });
});
document.addEventListener('keydown', (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const isTyping = event.target.closest('input, select') !== null;
  if (event.key === '/' && !isTyping) {
    event.preventDefault();
    at('text').focus();
  } else if (event.key === 'Escape') {
    showAll();
  } else if (event.key === 'ArrowDown' && event.target === at('text')) {
    event.preventDefault();
    focusOn(shown()[0]);
  } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && event.target.matches('details.scenario > summary')) {
    event.preventDefault();
    const visible = shown();
    focusOn(visible[visible.indexOf(event.target.parentElement) + (event.key === 'ArrowDown' ? 1 : -1)]);
  }
});
const system = matchMedia('(prefers-color-scheme: dark)');
const isDark = () => (document.documentElement.dataset.theme ?? (system.matches ? 'dark' : 'light')) === 'dark';
const nameTheme = () => {
  at('theme').textContent = isDark() ? 'Light' : 'Dark';
};
at('theme').addEventListener('click', () => {
  document.documentElement.dataset.theme = isDark() ? 'light' : 'dark';
  nameTheme();
});
system.addEventListener('change', nameTheme);
addEventListener('hashchange', openTarget);
nameTheme();
filter();
openTarget();
`;
