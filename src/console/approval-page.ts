import { createHash } from 'node:crypto';
import { pageStyle } from '../core/page-style.ts';
import { switchedOff } from '../engine/approval-channels.ts';
import type { EngineSettings } from '../engine/settings.ts';
import { fault } from '../listener/reply.ts';
import { pageScript } from './approval-script.ts';

// The approval pages: one approval, and the list of waiting ones, as a single document without data. The script fetches
// the data with the person's token, which stays in the tab's memory.

const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Approve – Purser</title>
<style>${pageStyle}</style>
<main>
<h1 id="title" tabindex="-1">Approvals</h1>
<p id="status" role="status"></p>
<form id="enter" method="dialog" hidden>
<input type="text" autocomplete="username" value="purser" hidden>
<label for="token">Your token</label>
<input id="token" type="password" required autocomplete="current-password" autocapitalize="none" spellcheck="false" aria-describedby="where">
<p id="where" class="quiet">It is in the file person.token in Purser's data folder, or person-TENANT.token where tenants are named. Never give it to an agent.</p>
<button type="submit">Continue</button>
</form>
<section id="question" aria-labelledby="title" hidden>
<dl id="facts"></dl>
<div id="decide">
<p class="quiet">You approve this exact call, once. A changed call needs a new approval.</p>
<div class="actions">
<button type="button" id="approve" class="yes">Approve</button>
<button type="button" id="deny" class="no">Deny</button>
</div>
</div>
</section>
<section id="list" aria-labelledby="title" hidden>
<ul id="waiting" class="waiting"></ul>
<button type="button" id="refresh">Refresh</button>
</section>
<p id="all" hidden></p>
</main>
<noscript><p>This page needs JavaScript. You can use "purser approvals" on the command line instead.</p></noscript>
<script>${pageScript}</script>
</html>
`;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Only the page's own script and style run, requests go only to its origin, and no page can frame it. */
const policy = [
  "default-src 'none'",
  `script-src ${hashOf(pageScript)}`,
  `style-src ${hashOf(pageStyle)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The page, for any visitor: it shows nothing without a person's token. A refusal if the channel is switched off. */
export const createApprovalPage = ({ channels }: Pick<EngineSettings, 'channels'>): Response =>
  channels.includes('page') ? page() : fault(403, { code: 'FORBIDDEN', message: switchedOff('page', channels) });

const page = (): Response =>
  new Response(html, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      // A page that opened this one can't put another in its place, once a person has entered the token here.
      'cross-origin-opener-policy': 'same-origin',
    },
  });
