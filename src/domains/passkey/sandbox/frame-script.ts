/**
 * The iframe's own script. It answers the page that embeds it, and no other window, with the five messages of the passkey
 * service; the browser itself runs the ceremony.
 */
export const frameScript = `'use strict';
const page = location.ancestorOrigins ? location.ancestorOrigins[0] : document.referrer && new URL(document.referrer).origin;
const form = document.getElementById('ceremony');
const status = document.getElementById('status');
const requestID = document.body.dataset.request;
let secureToken = '';
let browserData;
let waiting;

const tell = (message) => parent.postMessage({ requestID, ...message }, page);
const call = async (path, body) => {
  const answer = await fetch('/vts-auth/' + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  const read = await answer.json();
  if (!answer.ok) throw new Error(read.error.message);
  return read;
};

const createSession = async ({ client }) => {
  const session = await call('sessions', { device: client.id });
  secureToken = session.secureToken;
  browserData = {
    browserHeader: session.accept,
    browserLanguage: navigator.language,
    browserJavaEnabled: false,
    browserJavascriptEnabled: true,
    browserColorDepth: String(screen.colorDepth),
    browserScreenHeight: String(screen.height),
    browserScreenWidth: String(screen.width),
    browserTimeZone: String(new Date(performance.timeOrigin).getTimezoneOffset()),
    ipAddress: session.ipAddress,
    userAgent: navigator.userAgent,
  };
  tell({
    type: 'AUTH_SESSION_CREATED',
    result: 'COMPLETE',
    version: '1',
    platformType: 'WEB',
    browserData,
    sessionContext: { secureToken },
    dfpSessionID: session.dfpSessionID,
    authenticationPreferencesSupported: { payload: 'PASSKEY' },
  });
};

const run = async ({ identifier, endpoint }) => {
  const { kind, publicKey } = await call('ceremonies', { identifier, endpoint, secureToken });
  const credential = kind === 'register'
    ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(publicKey) })
    : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(publicKey) });
  return call('results', { identifier, secureToken, response: credential.toJSON() });
};

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  status.textContent = 'Waiting for your passkey.';
  try {
    const assuranceData = await run(waiting);
    form.hidden = true;
    status.textContent = 'Done.';
    tell({ type: 'AUTH_COMPLETE', result: 'COMPLETE', sessionContext: { secureToken }, browserData, contentType: 'application/json', assuranceData });
  } catch (error) {
    status.textContent = 'That did not work. You can try again.';
    tell({ type: error.name === 'NotSupportedError' ? 'AUTH_NOT_SUPPORTED' : 'AUTH_FAILED', error: { reason: error.name } });
  }
});

const messages = {
  CREATE_AUTH_SESSION: createSession,
  AUTHENTICATE: ({ authenticationContext }) => {
    waiting = authenticationContext;
    form.hidden = false;
    document.getElementById('continue').focus();
  },
};

addEventListener('message', (event) => {
  if (event.source !== parent || event.origin !== page) return;
  const answer = messages[event.data && event.data.type];
  if (answer === undefined) return;
  Promise.resolve(answer(event.data)).catch((error) => tell({ type: 'AUTH_FAILED', error: { reason: error.message } }));
});

if (parent !== window && page) tell({ type: 'AUTH_READY' });
`;
