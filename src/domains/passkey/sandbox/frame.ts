import { createHash } from 'node:crypto';
import { z } from 'zod';
import { blob, text } from '../../../core/fields.ts';
import { PlatformError } from '../../../sandbox/answer.ts';
import type { PageRequest } from '../../../sandbox/domain.ts';
import { pageBody } from '../../../sandbox/json-body.ts';
import { gatewayRefusal, type Wire, wire } from '../../../sandbox/wire.ts';
import type { World } from '../../../sandbox/world.ts';
import { sandboxPasskey } from '../settings.ts';
import { completeCeremony } from './authentications.ts';
import { frameScript } from './frame-script.ts';
import { resultOf } from './identities.ts';
import { beginCeremony, verifyCeremony } from './webauthn.ts';

/** The iframe of the passkey service (D-34): its page, and what its script asks. */
export async function serveIframe(world: World, request: PageRequest): Promise<Wire> {
  const { method, rest } = request;
  if (rest === 'authenticate')
    return method === 'GET' ? framePage(world, request) : gatewayRefusal(405, { allow: 'GET' });
  const ask = Object.hasOwn(asks, rest) ? asks[rest] : undefined;
  if (ask === undefined) return gatewayRefusal(404);
  if (method !== 'POST') return gatewayRefusal(405, { allow: 'POST' });
  try {
    return wire(200, await world.attempt(() => ask(world, request)));
  } catch (failure) {
    if (failure instanceof PlatformError) return wire(failure.status, { error: { message: failure.message } });
    throw failure;
  }
}

type Ask = (world: World, request: PageRequest) => unknown;

const ceremonyOf = (world: World, id: string) => {
  const found = world.get('ceremony', id);
  if (found?.state !== 'open') throw new PlatformError(404, 'NOT_FOUND', 'There is no open ceremony with this id.');
  return found;
};

const asks: { readonly [path: string]: Ask | undefined } = {
  sessions(world, { bytes }) {
    const { device } = parsed(z.strictObject({ device: z.string().min(1).max(64) }), bytes);
    const secureToken = world.derive(`secure token/${world.count('secure token')}`).toString('base64url');
    world.put('iframeSession', { id: secureToken, device });
    return {
      secureToken,
      accept: '*/*',
      ipAddress: '127.0.0.1',
      dfpSessionID: `fingerprint-session-${secureToken.slice(0, 12)}`,
    };
  },

  ceremonies(world, { bytes, origin }) {
    const { identifier, secureToken } = parsed(z.looseObject({ identifier: text, secureToken: blob }), bytes);
    return beginCeremony(world, ceremonyOf(world, identifier), secureToken, origin);
  },

  async results(world, { bytes, origin }) {
    const { identifier, secureToken, response } = parsed(
      z.strictObject({ identifier: text, secureToken: blob, response: z.looseObject({ id: text }) }),
      bytes,
    );
    const ceremony = ceremonyOf(world, identifier);
    await verifyCeremony(world, ceremony, secureToken, origin, response);
    return resultOf(world, completeCeremony(world, ceremony));
  },
};

const parsed = <S extends z.ZodType>(schema: S, bytes: Uint8Array): z.output<S> =>
  pageBody(schema, bytes, 'The iframe asked for something unknown.');

/** The page for whoever embeds it with the keys. */
function framePage(world: World, { query }: PageRequest): Wire {
  const { apikey, externalAppId } = sandboxPasskey.iframe;
  const isKnown = query.get('apikey') === apikey && query.get('externalAppId') === externalAppId;
  if (!isKnown) return gatewayRefusal(401, {}, 'The keys of the iframe are wrong.');
  return {
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8', ...safety },
    text: html(world.uuid('iframe')),
  };
}

const style = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0; padding: 0.75rem; }
button { font: inherit; font-weight: 600; width: 100%; min-height: 2.75rem; border: 0; border-radius: 0.5rem; background: light-dark(#14532d, #86efac); color: light-dark(#fff, #052e16); }
button:focus-visible { outline: 3px solid light-dark(#1d4ed8, #93c5fd); outline-offset: 2px; }
p { margin: 0 0 0.75rem; }
`;

const html = (requestId: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Passkey</title>
<style>${style}</style>
<body data-request="${requestId}">
<main>
<p id="status" role="status"></p>
<form id="ceremony" hidden>
<p>Your bank asks for your passkey: fingerprint, face or screen lock.</p>
<button id="continue">Use your passkey</button>
</form>
</main>
<script>${frameScript}</script>
</html>
`;

const hashOf = (code: string): string => `'sha256-${createHash('sha256').update(code).digest('base64')}'`;

/** Any page can embed it, as with the platform's own; nothing but its script and style runs in it. */
const safety = {
  'content-security-policy': `default-src 'none'; script-src ${hashOf(frameScript)}; style-src ${hashOf(style)}; connect-src 'self'; base-uri 'none'; form-action 'none'`,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;
