import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { listen } from '../../src/http/listen.ts';
import { authentication } from '../engine/passkey.ts';
import { order, type Said } from '../engine/support.ts';
import { agentCaller, instrumentOf, nextWeek, over, secrets, world } from '../faces/support.ts';
import { addAuthenticator, launchBrowser } from '../support/browser.ts';

// The pages on which a customer enters a code and uses a passkey, as `purser serve` shows them: a real browser, with a virtual
// authenticator, opens the link that the agent was given.

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

/** A Purser on a port, with its sandbox beside it. */
async function served() {
  let origin = '';
  const { running, face, failures, http } = await world({
    replace: { reach: { page: () => origin, linkKey: () => secrets.person } },
  });
  const { url, close } = await listen(face, { port: 0 });
  origin = url;
  onTestFinished(async () => {
    await close();
    expect(failures).toEqual([]);
  });
  const call = async (tool: string, args: object) => (await running.engine.call(tool, args, agentCaller)) as Said;
  const change = (handle: string, body: object) =>
    running.engine.parts.ledger.transaction('default', async (tx) => {
      const row = await tx.observations.find(handle);
      if (row === undefined) throw new Error('There is such a thing.');
      await tx.observations.update(row, { body: { ...row.body, ...body } }, row.updatedAt);
      return row.body;
    });
  const begin = async (card: string) => call('create_authentication_options', authentication({ card }));
  const codeOf = async (card: string): Promise<string> =>
    (await http('GET', `/sandbox/authentications/${instrumentOf(card)}/code`)).body.code;
  return { url, call, begin, change, codeOf, ...over(url, fetch) };
}

/** A browser of a customer's own. Whatever a page throws or logs fails the test. */
async function visitor(look: { readonly dark?: true } = {}): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 800 },
    colorScheme: look.dark ? 'dark' : 'light',
  });
  const noticed: string[] = [];
  context.on('weberror', (error) => noticed.push(error.error().message));
  context.on('console', (message) => message.text().startsWith('Failed to load') || noticed.push(message.text()));
  onTestFinished(async () => {
    await context.close();
    expect(noticed).toEqual([]);
  });
  return context;
}

async function visit(context: BrowserContext, address: string, has = { verified: true }): Promise<Visited> {
  const page = await context.newPage();
  const verify = await addAuthenticator(page, has);
  await page.goto(address);
  return Object.assign(page, { verify });
}

/** A page whose customer can come to be the one whom the authenticator knows. */
type Visited = Page & { readonly verify: () => Promise<void> };

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor();
const confirmed = 'Thank you. You have confirmed it.';
const gone = 'This link no longer works';
const frameOf = (page: Page) => page.frameLocator('iframe[title="Your passkey"]');

describe('the page of a passkey', () => {
  it('registers a device, and authenticates it from then on: the credentials carry eci 05', async () => {
    const { call, begin } = await served();
    const { data } = await begin('card_cleo');
    const { authentication: handle } = data;
    const registration = await call('create_authentication_registration', { authentication: handle });
    const page = await visit(await visitor(), registration.data.waiting_for.page);
    await heading(page, 'Confirm with your passkey');
    await page.getByText('a payment of 40.00 GBP with your card ending').waitFor();
    await frameOf(page).getByRole('button', { name: 'Use your passkey' }).click();
    await heading(page, confirmed);
    expect([new URL(page.url()).hash, await page.locator('iframe').count()]).toEqual(['', 0]);
    const released = { state: 'AUTHENTICATED', eci: '05' };
    expect((await call('get_authentication', { authentication: handle })).data).toMatchObject(released);

    const again = await begin('card_cleo');
    expect(again.data).toMatchObject({ state: 'AUTHENTICATE', waiting_for: { who: 'customer' } });
    await page.goto(again.data.waiting_for.page);
    await frameOf(page).getByRole('button', { name: 'Use your passkey' }).click();
    await heading(page, confirmed);
    expect((await call('get_authentication', { authentication: handle })).data).toMatchObject(released);
  });

  it('shows what a purchase would allow, and the passkey approves exactly that (D-36)', async () => {
    const others = await served();
    const { call, http } = others;
    await call('enroll_card', { card: 'card_cleo' });
    await http('POST', `/sandbox/cards/${instrumentOf('card_cleo')}/verify`, undefined, {});
    await call('enroll_card', { card: 'card_cleo' });
    const until = await nextWeek(others);
    const wish = order({ card: 'card_cleo', until, description: 'Headphones '.repeat(12).trim() });
    const asked = await call('initiate_purchase', wish);
    expect(asked).toMatchObject({ outcome: 'needs_approval' });
    const { card, limit: payment } = wish;
    const more = { card, payment, approves: asked.operation };
    const { data: begun } = await call('create_authentication_options', authentication(more));
    const { data } = await call('create_authentication_registration', { authentication: begun.authentication });
    const page = await visit(await visitor(), data.waiting_for.page);
    await heading(page, 'Confirm with your passkey');
    const shown = await page.locator('#text p').allInnerTexts();
    const lines = (asked.approval?.text ?? '').replaceAll('\n  | ', '').split('\n');
    expect(shown.slice(0, lines.length)).toEqual(lines);
    expect((await call('initiate_purchase', wish)).outcome).toBe('needs_approval');
    await frameOf(page).getByRole('button', { name: 'Use your passkey' }).click();
    await heading(page, confirmed);
    expect((await call('initiate_purchase', wish)).outcome).toBe('done');
  });

  it('works with the keyboard alone, and tells a screen reader what each part is', async () => {
    const { call, begin } = await served();
    const { data } = await begin('card_cleo');
    const registration = await call('create_authentication_registration', { authentication: data.authentication });
    const page = await visit(await visitor(), registration.data.waiting_for.page);
    const button = frameOf(page).getByRole('button', { name: 'Use your passkey' });
    await button.waitFor();
    expect(await page.locator('main').ariaSnapshot()).toBe(
      [
        '- main:',
        '  - heading "Confirm with your passkey" [level=1]',
        '  - paragraph: Harbour Audio asks you to confirm a payment of 40.00 GBP with your card ending 3333.',
        '  - paragraph: This device gets a passkey for the card. From then on your fingerprint, face or screen lock is enough.',
        '  - status',
        '  - iframe',
      ].join('\n'),
    );
    // Polled from here: the page's content security policy forbids a script that polls to be evaluated in it.
    const focus = (): Promise<unknown> => page.evaluate('document.activeElement.tagName');
    const focused = (name: string) => expect.poll(focus, { timeout: 10_000 }).toBe(name);
    // The button in the frame has the focus, which goes round and comes back to it.
    await focused('IFRAME');
    await page.keyboard.press('Tab');
    await focused('BODY');
    // The browser's own parts may take a Tab, too.
    const afterTab = async () => {
      await page.keyboard.press('Tab');
      return focus();
    };
    await expect.poll(afterTab, { timeout: 10_000, interval: 500 }).toBe('IFRAME');
    await page.keyboard.press('Enter');
    await heading(page, confirmed);
    expect(await page.evaluate('document.activeElement.id')).toBe('title');
  });

  it('opens once: neither after its use, nor for another payment, nor for what was begun before', async () => {
    const { call, begin, change } = await served();
    const first = await begin('card_cleo');
    const { authentication: handle } = first.data;
    const one = await call('create_authentication_registration', { authentication: handle });
    const other = await begin('card_cleo');
    const two = await call('create_authentication_registration', { authentication: handle });
    const links = [one, two].map(({ data }): string => data.waiting_for.page);
    expect([other.data.state, links[0] === links[1]]).toEqual(['AUTHENTICATION_REGISTRATION', false]);
    const page = await visit(await visitor(), links[0] ?? '');
    await heading(page, gone);
    const { challenge } = await change(handle, { challenge: 'of another payment' });
    await page.goto(links[1] ?? '');
    await heading(page, gone);
    await change(handle, { challenge });
    await page.reload();
    await frameOf(page).getByRole('button', { name: 'Use your passkey' }).click();
    await heading(page, confirmed);
    await page.goto(links[1] ?? '');
    await heading(page, gone);
  });

  it('hears the iframe alone, and shows no frame of another origin', async () => {
    const { url, call, begin } = await served();
    const { data } = await begin('card_cleo');
    const registration = await call('create_authentication_registration', { authentication: data.authentication });
    const page = await visit(await visitor(), registration.data.waiting_for.page);
    await frameOf(page).getByRole('button', { name: 'Use your passkey' }).waitFor();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    const requestID = await frameOf(page).locator('body').getAttribute('data-request');
    const forged = {
      requestID,
      type: 'AUTH_COMPLETE',
      result: 'COMPLETE',
      assuranceData: { fidoBlob: 'x', identifier: 'y', rpID: 'eg' },
    };
    // From the page itself, and from another window of the iframe's origin.
    await page.evaluate(`postMessage(${JSON.stringify(forged)}, '*')`);
    const { origin } = new URL(await page.locator('iframe').getAttribute('src').then(String));
    await page.evaluate(`{
      const other = document.createElement('iframe');
      other.id = 'other';
      other.src = '${origin}/vts-auth/authenticate?apikey=sandbox-iframe-key&externalAppId=sandbox-external-app';
      document.body.append(other);
    }`);
    const other = await page
      .locator('#other')
      .elementHandle()
      .then((it) => it?.contentFrame());
    await other?.waitForSelector('#status', { state: 'attached' });
    // What comes last has come after all others.
    const last = page.evaluate(
      "new Promise((heard) => addEventListener('message', ({ data }) => data === 'last' && heard(data)))",
    );
    await other?.evaluate(`parent.postMessage(${JSON.stringify(forged)}, '*')`);
    await other?.evaluate("parent.postMessage('last', '*')");
    expect(await last).toBe('last');
    await frameOf(page).getByRole('button', { name: 'Use your passkey' }).waitFor();
    expect(requests.filter((path) => path === '/act/take')).toEqual([]);
    const response = await fetch(`${url}/act/create_payment_credentials`);
    expect(response.headers.get('content-security-policy')?.split('; ')).toContain(`frame-src ${origin}`);
    expect(origin).toBe(`http://localhost:${new URL(url).port}`);
  });

  it('hears of a failure, which released iframes tell without the id of the request', async () => {
    const { call, begin } = await served();
    const { data } = await begin('card_cleo');
    const registration = await call('create_authentication_registration', { authentication: data.authentication });
    const page = await visit(await visitor(), registration.data.waiting_for.page);
    await frameOf(page).getByRole('button', { name: 'Use your passkey' }).waitFor();
    const handle = await page.locator('iframe').elementHandle();
    const frame = await handle?.contentFrame();
    await frame?.evaluate(`parent.postMessage({ type: 'AUTH_FAILED', error: { reason: 'none' } }, '*')`);
    await page.getByText('That did not work. Nothing was confirmed. You can try again.').waitFor();
    await frame?.evaluate(`parent.postMessage({ type: 'AUTH_NOT_SUPPORTED', requestID: 'another' }, '*')`);
    await frame?.evaluate(`parent.postMessage({ type: 'AUTH_NOT_SUPPORTED' }, '*')`);
    await heading(page, 'This browser has no passkeys');
  });

  it('hears of no success that does not name the request', async () => {
    const { call, begin } = await served();
    const { data } = await begin('card_cleo');
    const registration = await call('create_authentication_registration', { authentication: data.authentication });
    const page = await visit(await visitor(), registration.data.waiting_for.page);
    const button = frameOf(page).getByRole('button', { name: 'Use your passkey' });
    await button.waitFor();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    const handle = await page.locator('iframe').elementHandle();
    const frame = await handle?.contentFrame();
    const assuranceData = { fidoBlob: 'x', identifier: 'y', rpID: 'eg' };
    for (const type of ['AUTH_READY', 'AUTH_SESSION_CREATED', 'AUTH_COMPLETE', 'AUTH_SUCCESS', 'RESULT']) {
      const message = { type, result: 'COMPLETE', assuranceData };
      for (const forged of [message, { ...message, requestID: 'another' }])
        await frame?.evaluate(`parent.postMessage(${JSON.stringify(forged)}, '*')`);
    }
    // What comes last has come after all others.
    await frame?.evaluate(`parent.postMessage({ type: 'AUTH_FAILED' }, '*')`);
    await page.getByText('That did not work. Nothing was confirmed. You can try again.').waitFor();
    await button.waitFor();
    expect(requests.filter((path) => path === '/act/take')).toEqual([]);
  });

  it('says what became of it where the passkey fails, and lets the customer try again', async () => {
    const { call, begin } = await served();
    const { data } = await begin('card_cleo');
    const registration = await call('create_authentication_registration', { authentication: data.authentication });
    const page = await visit(await visitor(), registration.data.waiting_for.page, { verified: false });
    const button = frameOf(page).getByRole('button', { name: 'Use your passkey' });
    await button.click();
    await page.getByText('That did not work. Nothing was confirmed. You can try again.').waitFor();
    expect((await call('get_authentication', { authentication: data.authentication })).data.state).toBe(
      'REGISTRATION_CREATED',
    );
    await page.verify();
    await button.click();
    await heading(page, confirmed);
  });
});

describe('the page of a code', () => {
  it('takes the right code, and says of a wrong one how many tries are left; three of them are the end', async () => {
    const { call, begin, codeOf } = await served();
    const { data } = await begin('card_bo');
    const { authentication: handle } = data;
    const send = (code: number) =>
      call('create_one_time_password', { authentication: handle, option: 'option_1', request_number: code });
    const { data: sent } = await send(1);
    const page = await visit(await visitor(), sent.waiting_for.page);
    await heading(page, 'Enter your code');
    await page.getByText('Example Bank sent a code to *******0001.').waitFor();
    const right = await codeOf('card_bo');
    const wrong = `${right.slice(0, -1)}${right.endsWith('0') ? 1 : 0}`;
    const enter = async (code: string) => {
      await page.keyboard.type(code);
      await page.keyboard.press('Enter');
    };
    for (const left of ['You have 2 tries left.', 'You have one try left.']) {
      await enter(wrong);
      await page.getByText(left).waitFor();
      await page.getByText('Your bank did not accept this code.').waitFor();
    }
    await enter(wrong);
    await heading(page, 'No tries are left');
    await page.getByText('Go back to the shop. It can begin again.').waitFor();
    expect([
      await page.getByRole('textbox').count(),
      (await call('get_authentication', { authentication: handle })).data.state,
    ]).toEqual([0, 'STEP_UP_AUTHENTICATE']);
    const { data: second } = await send(2);
    await page.goto(second.waiting_for.page);
    await page.reload();
    await heading(page, 'Enter your code');
    await enter(await codeOf('card_bo'));
    await heading(page, 'Thank you. Your code was right.');
    expect((await call('get_authentication', { authentication: handle })).data.state).toBe(
      'AUTHENTICATION_REGISTRATION',
    );
  });
});
