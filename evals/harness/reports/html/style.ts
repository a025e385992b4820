/** The look of the page: calm, in light and dark, down to a narrow screen. Colours keep a contrast of 4.5 to 1 and more. */
export const style = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#f6f6f3, #131619); --surface: light-dark(#ffffff, #1b1f23); --sunk: light-dark(#f1f2f0, #15181b);
  --ink: light-dark(#1c2126, #e7e9eb); --soft: light-dark(#565f68, #a9b2bb); --line: light-dark(#dcdfe1, #363c43);
  --accent: light-dark(#1d5c9f, #8fbcf5); --accent-ground: light-dark(#e6eff8, #1c2f45);
  --good: light-dark(#186338, #86d9a6); --good-ground: light-dark(#e2f2e8, #17331f);
  --bad: light-dark(#a01a2c, #ffa3ab); --bad-ground: light-dark(#fae5e7, #461c22);
  --warn: light-dark(#734900, #f0c573); --warn-ground: light-dark(#faefd6, #382b12);
  --no: light-dark(#55398f, #c6b5fb); --no-ground: light-dark(#eee9f9, #2d2548);
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; }
* { box-sizing: border-box; }
html { scroll-padding-top: 3.5rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
header, main, footer, nav ul { max-width: 72rem; margin-inline: auto; padding-inline: clamp(0.8rem, 3vw, 2rem); }
a { color: var(--accent); text-underline-offset: 0.15em; }
code, pre, kbd { font-family: var(--mono); font-size: 0.875em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
[hidden] { display: none !important; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 1rem; z-index: 3; background: var(--surface); padding: 0.6rem 1rem; border-radius: 0.4rem; }
button, select, input { font: inherit; color: inherit; background: var(--surface); border: 1px solid var(--soft); border-radius: 0.4rem; padding: 0.35rem 0.6rem; min-height: 2.5rem; }
button { cursor: pointer; }
button:hover { background: var(--accent-ground); }
header { position: relative; padding-block: 2rem 1.2rem; }
h1 { margin: 0.2rem 0; padding-inline-end: 5rem; font-size: clamp(1.5rem, 4vw, 2.3rem); line-height: 1.2; font-weight: 650; letter-spacing: -0.015em; }
.good .mark { color: var(--good); } .bad .mark { color: var(--bad); }
.by { margin: 0; color: var(--soft); }
#theme { position: absolute; top: 1.6rem; right: clamp(0.8rem, 3vw, 2rem); }
nav { position: sticky; top: 0; z-index: 2; background: var(--ground); border-block-end: 1px solid var(--line); }
nav ul { display: flex; gap: 0.3rem; margin-block: 0; list-style: none; overflow-x: auto; }
nav a { display: block; padding: 0.65rem 0.7rem; white-space: nowrap; text-decoration: none; }
nav li:first-child a { margin-inline-start: -0.7rem; }
nav a:hover { text-decoration: underline; }
section { margin-block: 2.2rem; }
h2 { font-size: 1.35rem; margin: 0 0 0.8rem; letter-spacing: -0.01em; }
h3 { font-size: 1rem; margin: 1.5rem 0 0.5rem; }
.tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(11.5rem, 42%), 1fr)); gap: 0.6rem; margin: 0; }
.tiles div { display: flex; flex-direction: column-reverse; justify-content: flex-end; background: var(--surface); border: 1px solid var(--line); border-block-start: 3px solid var(--line); border-radius: 0.5rem; padding: 0.7rem 0.9rem; }
.tiles .good { border-block-start-color: var(--good); } .tiles .lacking { border-block-start-color: var(--warn); }
.tiles dt { color: var(--soft); font-size: 0.875rem; line-height: 1.35; }
.tiles dd { margin: 0; font-size: 1.35rem; font-weight: 600; font-variant-numeric: tabular-nums; }
.tiles .long dd { font-size: 1rem; }
.tiles .lacking dd { color: var(--warn); }
.gates, .failed, .failures { list-style: none; padding: 0; margin: 0.5rem 0; display: grid; gap: 0.4rem; }
.gates li, .failed > li, .failures li { border-inline-start: 4px solid var(--good); background: var(--surface); padding: 0.5rem 0.8rem; border-radius: 0.25rem; }
.gates .bad, .failed > li, .failures li { border-color: var(--bad); background: var(--bad-ground); }
.gates strong { font-weight: 600; } .gates .good strong { color: var(--good); } .gates .bad strong { color: var(--bad); }
.failed ul { margin: 0.3rem 0 0; padding-inline-start: 1.2rem; }
.failed article + article { border-block-start: 1px solid var(--line); margin-block-start: 0.6rem; padding-block-start: 0.5rem; }
.failed .failures li { border-inline-start: 0; padding-inline: 0; } .failed .failures { padding-inline-start: 0; }
.failed p { margin: 0.2rem 0; } .failed .alike { margin-block-end: 0.6rem; }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(17rem, 100%), 1fr)); gap: 0.4rem; margin: 0.35rem 0 0; }
.sides > div { border-radius: 0.35rem; padding: 0.35rem 0.6rem; background: var(--surface); min-width: 0; }
.sides dt { font-size: 0.75rem; } .sides dd { font-family: var(--mono); font-size: 0.82rem; white-space: pre-wrap; }
.sides .expected { color: var(--good); } .sides .got { color: var(--bad); }
.chat > li { position: relative; } .step { float: inline-end; margin-inline-start: 0.6rem; font: 600 0.75rem/1.6 var(--mono); color: var(--soft); }
.event .step { float: none; margin-inline: 0 0.5rem; } .event p { display: inline; }
.conduct small { display: block; } .matrix.conduct tbody th, .matrix.clauses tbody th { white-space: normal; } .conduct thead th:nth-child(2), .conduct thead th:nth-child(4) { text-align: end; }
.badge, .rule, .outcome, .code { display: inline-block; font: 600 0.78rem/1.5 var(--mono); padding: 0 0.4rem; border-radius: 0.3rem; white-space: nowrap; }
.badge { background: var(--bad-ground); color: var(--bad); border: 1px solid currentColor; }
.rule { background: var(--accent-ground); color: var(--accent); }
.code { background: var(--sunk); color: var(--soft); }
#filters { display: grid; grid-template-columns: minmax(12rem, 2fr) repeat(4, minmax(7.5rem, 1fr)) auto; gap: 0.6rem; align-items: end; }
#filters label { display: grid; gap: 0.15rem; font-size: 0.875rem; color: var(--soft); min-width: 0; }
#filters input, #filters select { color: var(--ink); width: 100%; font-size: 1rem; }
.hint { display: flex; flex-wrap: wrap; gap: 0.2rem 1.2rem; color: var(--soft); font-size: 0.875rem; margin: 0.7rem 0; }
#count { color: var(--ink); font-weight: 600; }
kbd { border: 1px solid var(--line); border-block-end-width: 2px; border-radius: 0.25rem; padding: 0 0.3rem; background: var(--surface); }
#chosen { background: var(--accent-ground); padding: 0.5rem 0.8rem; border-radius: 0.4rem; }
.scenario { background: var(--surface); border: 1px solid var(--line); border-block-end-width: 0; }
.scenario:first-child { border-start-start-radius: 0.5rem; border-start-end-radius: 0.5rem; }
#list { border-block-end: 1px solid var(--line); }
.scenario > summary { display: grid; grid-template-columns: 1.2rem minmax(0, 1fr) auto; column-gap: 0.5rem; align-items: baseline; padding: 0.55rem 0.9rem; cursor: pointer; list-style: none; }
.scenario > summary::-webkit-details-marker { display: none; }
.scenario > summary:hover { background: var(--sunk); }
.scenario > summary:focus-visible { outline-offset: -3px; }
.scenario[open] > summary { border-block-end: 1px solid var(--line); }
.scenario[open] .title { font-weight: 600; }
.scenario .verdict { font-weight: 700; color: var(--good); } .scenario.bad .verdict { color: var(--bad); }
.scenario.bad > summary { background: var(--bad-ground); }
.scenario .id { grid-column: 2; grid-row: 2; color: var(--soft); }
.scenario .rules { grid-column: 3; grid-row: 1; display: flex; flex-wrap: wrap; gap: 0.25rem; justify-content: flex-end; }
.story { padding: 0.4rem 0.9rem 1.4rem; }
.facts { display: flex; flex-wrap: wrap; gap: 0.2rem 1.2rem; color: var(--soft); font-size: 0.875rem; margin: 0.4rem 0; }
.chat { list-style: none; margin: 0; padding: 0.9rem; display: grid; gap: 0.7rem; background: var(--sunk); border-radius: 0.6rem; }
.chat p { margin: 0; }
.chat > li { max-width: min(44rem, 92%); min-width: 0; }
.who { font-size: 0.78rem; font-weight: 600; color: var(--soft); }
.say { justify-self: start; }
.user { justify-self: end; }
.user .who { text-align: end; }
.user .words, .say .words { padding: 0.5rem 0.85rem; border-radius: 0.9rem; white-space: pre-wrap; }
.user .words { background: var(--accent-ground); border-end-end-radius: 0.2rem; }
.say .words { background: var(--surface); border: 1px solid var(--line); border-end-start-radius: 0.2rem; }
.event { justify-self: center; text-align: center; font-size: 0.875rem; color: var(--soft); border: 1px dashed var(--soft); border-radius: 0.9rem; padding: 0.2rem 0.9rem; }
.event .who { color: inherit; } .event .who::after { content: ":"; }
.fault { color: var(--warn); border-color: currentColor; background: var(--warn-ground); }
.poison { color: var(--bad); border-color: currentColor; background: var(--bad-ground); }
.call { background: var(--surface); border: 1px solid var(--line); border-radius: 0.5rem; padding: 0.6rem 0.8rem; font-size: 0.9375rem; width: min(44rem, 92%); }
.call .head { display: flex; flex-wrap: wrap; gap: 0.3rem 0.5rem; align-items: baseline; }
.tool { font-weight: 650; font-size: 0.9375rem; }
.took { margin-inline-start: auto; color: var(--soft); font-size: 0.8rem; font-variant-numeric: tabular-nums; }
.outcome { background: var(--no-ground); color: var(--no); }
.outcome.done, .outcome.answered { background: var(--good-ground); color: var(--good); }
.outcome.needs_approval, .outcome.unknown { background: var(--warn-ground); color: var(--warn); }
.outcome.declined, .outcome.error { background: var(--bad-ground); color: var(--bad); }
.args { margin: 0.35rem 0 0; display: grid; gap: 0.05rem; font-family: var(--mono); font-size: 0.82rem; }
.args div, .changes dl div { display: grid; grid-template-columns: minmax(5rem, auto) minmax(0, 1fr); gap: 0.8rem; justify-content: start; }
.args div { grid-template-columns: 8rem minmax(0, 1fr); }
dt { color: var(--soft); } dd { margin: 0; }
.said { margin-block-start: 0.4rem !important; padding-inline-start: 0.7rem; border-inline-start: 3px solid var(--line); }
.empty { color: var(--soft); font-style: italic; font-size: 0.875rem; }
.result { margin-block-start: 0.35rem; }
.result summary { color: var(--soft); font-size: 0.82rem; cursor: pointer; width: max-content; padding-block: 0.15rem; }
pre { margin: 0.3rem 0 0; padding: 0.6rem; background: var(--sunk); border-radius: 0.4rem; overflow: auto; max-height: 24rem; font-size: 0.8rem; line-height: 1.45; white-space: pre-wrap; }
.wide { overflow-x: auto; position: relative; }
.cell { position: relative; }
table { border-collapse: collapse; font-size: 0.9rem; }
caption { text-align: start; color: var(--soft); font-size: 0.875rem; padding-block-end: 0.3rem; white-space: nowrap; }
th { text-align: start; font-weight: 500; }
thead th { color: var(--soft); font-size: 0.82rem; vertical-align: bottom; padding: 0.25rem 0.5rem; white-space: nowrap; }
.changes { width: 100%; table-layout: fixed; min-width: 34rem; }
.changes th, .changes td { border-block-start: 1px solid var(--line); padding: 0.35rem 0.6rem; vertical-align: top; }
.changes thead th { border: 0; }
.changes th:first-child { width: 36%; padding-inline-start: 0; }
.changes td { font-family: var(--mono); font-size: 0.82rem; }
.changes dl { margin: 0; }
.before, .after { position: relative; }
.before { background: var(--bad-ground); } .after { background: var(--good-ground); }
.changes .before, .changes .after { padding-inline-start: 1.6rem; }
.before::before, .after::before { position: absolute; inset-inline-start: 0.5rem; }
.before::before { content: "−"; color: var(--bad); } .after::before { content: "+"; color: var(--good); }
.legend { display: flex; flex-wrap: wrap; gap: 0.4rem 0.6rem; align-items: center; font-size: 0.875rem; color: var(--soft); }
.legend .cell { display: inline-block; min-width: 2.6rem; min-height: 1.6rem; }
.families { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(30rem, 100%), 1fr)); gap: 1.2rem; align-items: start; }
.families table { width: 100%; }
.matrix.rulebook th[scope=row] { white-space: normal; font-size: 0.875rem; color: var(--soft); }
.rulebook .rule { margin-inline-end: 0.3rem; }
.matrix { border-collapse: separate; border-spacing: 3px; }
.matrix tbody th { font-size: 0.875rem; padding-inline-end: 0.6rem; white-space: nowrap; }
.cell { text-align: center; font-variant-numeric: tabular-nums; border-radius: 0.25rem; padding: 0.15rem 0.4rem; min-width: 3.2rem; white-space: nowrap; }
.cell a { color: inherit; display: block; text-decoration: none; }
.cell a:hover { text-decoration: underline; }
.cell .line { display: block; white-space: nowrap; }
.done, .stopped { background: var(--good-ground); color: var(--good); }
.refused, .caught { background: var(--no-ground); color: var(--no); }
.harmless { background: var(--accent-ground); color: var(--accent); }
.cell.lacking, .sum.lacking { background: var(--warn-ground); color: var(--warn); font-weight: 600; outline: 2px dashed var(--warn); outline-offset: -2px; }
.unnoticed { background: var(--bad-ground); color: var(--bad); font-weight: 700; }
.void { background: var(--sunk); box-shadow: inset 0 0 0 1px color-mix(in oklab, var(--line) 60%, transparent); }
.cell.beyond .line { white-space: normal; min-width: 11rem; }
.cell.beyond { background: var(--sunk); font-weight: 400; }
.trials thead th { white-space: normal; overflow-wrap: normal; } .trials tbody th { min-width: 13rem; overflow-wrap: break-word; padding-block: 0.25rem; } .trials .sum { padding-inline: 0.3rem; } .trials td { vertical-align: top; padding-block: 0.25rem; }
.machines { display: grid; gap: 1.2rem; }
.states .cell { font-size: 0.78rem; } .states thead th, .states tbody th { font-size: 0.8rem; }
.shade1, .shade2, .shade3, .shade4 { color: var(--ink); }
.shade1 { background: color-mix(in oklab, var(--accent) 10%, var(--surface)); } .shade2 { background: color-mix(in oklab, var(--accent) 20%, var(--surface)); }
.shade3 { background: color-mix(in oklab, var(--accent) 32%, var(--surface)); } .shade4 { background: color-mix(in oklab, var(--accent) 45%, var(--surface)); }
.sum { text-align: end; color: var(--soft); font-variant-numeric: tabular-nums; white-space: nowrap; padding-inline: 0.6rem; }
.chips { list-style: none; padding: 0; margin: 0; display: flex; flex-wrap: wrap; gap: 0.35rem; }
.chips li { font: 0.82rem/1.7 var(--mono); }
.mutants { width: 100%; } .mutants td { vertical-align: top; } .mutants summary { cursor: pointer; padding-inline: 0.5rem; }
.mutants ul { margin: 0.3rem 0; font-size: 0.875rem; }
.bars { width: 100%; } .bars td:nth-child(2) { width: 45%; min-width: 6rem; }
.bars tbody th { white-space: nowrap; padding-inline-end: 0.8rem; }
.bar { display: block; width: 100%; height: 0.8rem; } .bar rect { fill: var(--accent); }
small { color: var(--soft); font-weight: 400; }
footer { color: var(--soft); font-size: 0.875rem; padding-block: 1.5rem 3rem; border-block-start: 1px solid var(--line); }
@media (max-width: 60rem) { #filters { grid-template-columns: 1fr 1fr; } #filters label:first-child { grid-column: 1 / -1; } }
@media (max-width: 40rem) {
  #theme { position: static; margin-block-start: 0.8rem; }
  .keys { display: none; }
  .scenario > summary { grid-template-columns: 1.2rem minmax(0, 1fr); padding-inline: 0.7rem; }
  .scenario .rules { grid-column: 2; grid-row: 3; justify-content: flex-start; }
  .story { padding-inline: 0.7rem; } .chat { padding: 0.6rem; }
  .chat > li, .call { max-width: 100%; width: auto; } .user { max-width: 92%; }
  .args div { grid-template-columns: 6rem minmax(0, 1fr); }
  h1 { padding-inline-end: 0; }
  nav ul { gap: 0; } nav a { padding-inline: 0.5rem; font-size: 0.9rem; } nav li:first-child a { margin-inline-start: -0.5rem; }
  .adversaries thead th, .mutants thead th { white-space: normal; overflow-wrap: normal; } .adversaries thead th { font-size: 0.72rem; padding-inline: 0.15rem; } .adversaries tbody th { font-size: 0.8rem; padding-inline-end: 0.2rem; } .adversaries .cell { min-width: 2.6rem; padding-inline: 0.2rem; }
  .changes { min-width: 0; } .changes, .changes caption, .changes tbody, .changes tr, .changes tbody th, .changes td { display: block; width: auto; }
  .changes thead { display: none; } .changes tbody th:first-child { width: auto; } .changes td { border: 0; } .changes dl div { grid-template-columns: minmax(0, 7rem) minmax(0, 1fr); }
  .bars tbody th { white-space: normal; } .bars td:nth-child(2) { width: 25%; min-width: 4rem; } .bars .sum { padding-inline: 0.3rem; }
}
@media print { nav, #filters, .hint, #theme, .skip { display: none; } .chat, pre { max-height: none; } }
`;
