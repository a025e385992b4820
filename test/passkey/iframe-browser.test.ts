import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { fromIframe } from '../../src/domains/passkey/iframe.ts';
import { iframeAddress, sandboxPasskey } from '../../src/domains/passkey/settings.ts';
import { registerShopper } from '../../src/engine/register.ts';
import { showToApp } from '../../src/engine/show-to-app.ts';
import { sandboxSeed, serveSandbox } from '../../src/sandbox/index.ts';
import { authentication } from '../engine/passkey.ts';
import { type Said, type World, world } from '../engine/support.ts';
import { addAuthenticator, launchBrowser } from '../support/browser.ts';

// The page of a merchant's app embeds the sandbox's iframe, and a browser with a virtual authenticator goes through the
// ceremonies: the app registers what the iframe says, and posts what it proves.

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const app = { tenant: 'default', principal: 'app', role: 'app' } as const;
const { cards: _, deviceInformation, sessionInformation: __, ...session } = sandboxSeed.shoppers.shopper_bo;
const { applicationName, fingerprintSessionId, deviceData } = deviceInformation;

/** The merchant's page: it shows the iframe, keeps what that says, and sends it what the app was given. */
const merchantPage = (iframe: string): string => `<!doctype html><title>Shop</title>
<iframe src="${iframe}" allow="publickey-credentials-create *; publickey-credentials-get *"></iframe>
<script>
const said = [];
addEventListener('message', ({ data, origin }) => { if (origin === new URL('${iframe}').origin) said.push(data); });
const tell = (message) => document.querySelector('iframe').contentWindow.postMessage(message, '${iframe}');
</script>`;

async function open(it: World): Promise<Page> {
  const sandbox = it.running.sandboxes.get('default');
  if (sandbox === undefined) throw new Error('the sandbox is embedded');
  const served = await serveSandbox(sandbox, { host: '127.0.0.1', port: 0 });
  const iframe = iframeAddress(sandboxPasskey.iframe, served.url);
  const shop = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end(merchantPage(iframe)),
  );
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  const context = await browser.newContext();
  const page = await context.newPage();
  onTestFinished(async () => {
    await context.close();
    shop.close();
    await served.close();
  });
  await addAuthenticator(page);
  await page.goto(`http://localhost:${(shop.address() as AddressInfo).port}/`); // it listens on a port
  return page;
}

/** The last message of a type, once there are so many. */
async function heard(page: Page, type: string, count = 1): Promise<Record<string, unknown>> {
  const found = `said.filter((message) => message.type === '${type}')`;
  await page.waitForFunction(`${found}.length >= ${count} || said.some(({ type }) => type === 'AUTH_FAILED')`);
  expect(await page.evaluate(`said.filter(({ type }) => type === 'AUTH_FAILED')`)).toEqual([]);
  return page.evaluate(`${found}.at(-1)`);
}

const tell = (page: Page, message: object): Promise<void> => page.evaluate(`tell(${JSON.stringify(message)})`);

/** The customer goes through the ceremony for an authentication; the app posts what the iframe proves. */
async function prove(it: World, page: Page, handle: string, count: number): Promise<Said> {
  const shown = (await showToApp(it.running.engine.of('default').parts, 'default', handle)) as {
    readonly iframe: object;
  };
  await tell(page, { ...shown.iframe, version: '1' });
  await page.frameLocator('iframe').getByRole('button', { name: 'Use your passkey' }).click();
  const complete = await heard(page, 'AUTH_COMPLETE', count);
  expect(complete.browserData).toEqual((await heard(page, 'AUTH_SESSION_CREATED')).browserData);
  const { authenticatedIdentities } = fromIframe(complete) as {
    readonly authenticatedIdentities: Readonly<Record<'data' | 'id' | 'relyingPartyId', string>>;
  };
  const { data, id, relyingPartyId: relying_party } = authenticatedIdentities;
  return it.call(
    'create_payment_credentials',
    { authentication: handle, data, id, relying_party, provider: 'PAYMENT_PASSKEY' },
    app,
  );
}

it('registers a browser with its passkey, and authenticates it from then on: the credentials carry eci 05', async () => {
  const it = await world();
  const page = await open(it);
  await heard(page, 'AUTH_READY');
  await tell(page, { type: 'CREATE_AUTH_SESSION', version: '1', client: { id: 'example-device-000000002' } });
  const iframe = await heard(page, 'AUTH_SESSION_CREATED');
  const registered = await registerShopper(it.running.engine.of('default').parts, 'default', {
    ...{ ...session, handle: 'shopper_bo', iframe },
    deviceInformation: { applicationName, fingerprintSessionId, deviceData },
  });
  expect(registered).toMatchObject({ ok: true });

  const begin = async () => it.call('create_authentication_options', authentication({ card: 'card_bo' }));
  const begun = await begin();
  expect(begun.data.state).toBe('STEP_UP_AUTHENTICATE');
  const handle: string = begun.data.authentication;
  await it.call('create_one_time_password', { authentication: handle, option: 'option_1', request_number: 1 });
  const { instrumentIdentifierId } = (await it.thing('card_bo')).body;
  const { code } = (await it.control('GET', `authentications/${instrumentIdentifierId}/code`)) as {
    readonly code: string;
  };
  expect(await it.call('validate_authentication_code', { authentication: handle, code }, app)).toMatchObject({
    outcome: 'done',
  });
  await it.call('create_authentication_registration', { authentication: handle });
  expect(await prove(it, page, handle, 1)).toMatchObject({
    outcome: 'done',
    data: { eci: '05', commerceIndicator: 'vbv' },
  });

  expect((await begin()).data.state).toBe('AUTHENTICATE');
  expect(await prove(it, page, handle, 2)).toMatchObject({
    outcome: 'done',
    data: { eci: '05', commerceIndicator: 'vbv' },
  });
});
