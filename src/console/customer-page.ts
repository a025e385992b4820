import { pageStyle } from '../core/page-style.ts';
import type { Engine } from '../engine/engine.ts';
import { pageToolOf } from '../engine/page-tools.ts';
import { customerScript } from './customer-script.ts';

// The customer's pages: one document without data for every step. The script fetches the step with the link, which
// follows the # of the address, so no server and no log sees it.

/** Serves `/act/{file}`: a page, a script or the style; undefined for anything else. */
export const createCustomerPages =
  ({ tools, settings }: Pick<Engine['parts'], 'tools' | 'settings'>) =>
  (file: string): Response | undefined => {
    const [, name = '', kind = ''] = /^([a-z_]+)(\.js|\.css)?$/.exec(file) ?? [];
    if (file === 'page.js') return text('text/javascript', customerScript);
    if (file === 'page.css') return text('text/css', pageStyle);
    const page = pageToolOf(tools, name)?.page;
    if (page === undefined || kind === '.css') return undefined;
    if (kind === '.js') return page.module && text('text/javascript', page.module.script);
    const frames = page.module?.frames(settings.domains, settings.reach?.page?.() ?? '') ?? [];
    return document(page.module === undefined ? 'page.js' : `${name}.js`, frames);
  };

const text = (type: string, body: string): Response =>
  new Response(body, { headers: { 'content-type': `${type}; charset=utf-8` } });

const document = (script: string, frames: readonly string[]): Response =>
  new Response(html(script), {
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy(frames) },
  });

const html = (script: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>One moment</title>
<link rel="stylesheet" href="/act/page.css">
<main>
<h1 id="title" tabindex="-1">One moment</h1>
<div id="text"></div>
<dl id="table" hidden></dl>
<p id="status" role="status"></p>
<form id="form" hidden>
<div id="fields"></div>
<p id="left" class="quiet"></p>
<button type="submit" class="yes" id="submit"></button>
<div class="actions" id="choices"></div>
</form>
<div id="stage"></div>
</main>
<noscript><p>This page needs JavaScript.</p></noscript>
<script type="module" src="/act/${script}"></script>
</html>
`;

/** Only the page's own files run, inline scripts don't, and no page can frame it. */
const policy = (frames: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    ...(frames.length === 0 ? [] : [`frame-src ${frames.join(' ')}`]),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
