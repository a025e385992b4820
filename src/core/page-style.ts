/** The style of all pages: phone to desktop, light and dark, with a contrast of at least 4.5 to 1. */
export const pageStyle = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#ffffff, #15171a); --text: light-dark(#16181b, #eceef1); --muted: light-dark(#565c64, #a6adb6);
  --edge: light-dark(#d3d7dc, #3a3f46); --control: light-dark(#868c94, #767d86);
  --link: light-dark(#0b57b0, #8ab8ff); --yes: light-dark(#0b6b3a, #0f7a43); --no: light-dark(#a3261b, #ff9d94);
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 36rem; margin: 0 auto; padding: 2rem 1rem; background: var(--ground); color: var(--text); }
h1 { font-size: 1.35rem; line-height: 1.25; margin: 0 0 1rem; overflow-wrap: anywhere; text-wrap: balance; }
h1:focus { outline: none; }
a { color: var(--link); }
label { display: block; font-weight: 600; margin-bottom: .25rem; }
input { font: inherit; width: 100%; padding: .55rem .7rem; border: 1px solid var(--control); border-radius: .4rem; background: var(--ground); color: inherit; }
dl, .waiting { border: 1px solid var(--edge); border-radius: .6rem; margin: 0 0 1rem; padding: 0; overflow: hidden; }
dl div { display: grid; grid-template-columns: 12rem 1fr; gap: .75rem; padding: .6rem .9rem; }
dl div + div, .waiting li + li { border-top: 1px solid var(--edge); }
dt { color: var(--muted); overflow-wrap: anywhere; } dd { margin: 0; overflow-wrap: anywhere; }
dl .wide { grid-template-columns: 1fr; }
.waiting { list-style: none; }
.waiting li { padding: .75rem .9rem; }
.waiting a { font-weight: 600; display: block; overflow-wrap: anywhere; }
.waiting p { margin: .15rem 0 0; overflow-wrap: anywhere; }
.actions { display: flex; gap: .75rem; flex-wrap: wrap; }
button { font: inherit; font-weight: 600; padding: .6rem 1.4rem; min-height: 2.75rem; border-radius: .4rem; border: 1px solid var(--control); background: transparent; color: inherit; cursor: pointer; }
button.yes { background: var(--yes); border-color: var(--yes); color: #fff; }
button.no { border-color: var(--no); color: var(--no); }
button:disabled { opacity: .5; cursor: progress; }
:focus-visible { outline: 3px solid light-dark(#1d5fd1, #8ab8ff); outline-offset: 2px; }
.quiet { color: var(--muted); font-size: .9rem; }
[role=status] { margin: 0 0 1rem; font-weight: 600; overflow-wrap: anywhere; }
[role=status]:empty { margin: 0; }
fieldset { border: 1px solid var(--edge); border-radius: .6rem; margin: 0 0 1rem; padding: .6rem .9rem; }
legend { font-weight: 600; padding: 0 .3rem; }
fieldset label { font-weight: 400; padding: .45rem 0; min-height: 2.75rem; }
input[type=radio] { width: auto; }
iframe { width: 100%; height: 14rem; border: 0; }
form { margin: 0 0 1rem; } form button { margin-top: .75rem; }
@media (max-width: 30rem) { body { padding-top: 1.25rem; } dl div { grid-template-columns: 1fr; gap: 0; } .actions button { flex: 1; padding-inline: .75rem; } }
`;
