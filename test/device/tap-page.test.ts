import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { simulatedReader } from '../../src/domains/device/sandbox/reader.ts';
import type { End } from '../../src/reader/ends.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { serveSandbox } from '../../src/sandbox/serve.ts';
import { launchBrowser, visitPage } from '../support/browser.ts';

// The screen of the simulated reader, in a real browser: a person taps.

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

const sale = { amount: '40.00', currency: 'GBP', customIdentifier: 'sale-1' };

/** A sandbox at an address, whose reader waits for a person. */
async function served(state: object = {}) {
  const sandbox = createSandbox({ file: ':memory:', clock: { now: () => Date.UTC(2026, 0, 15, 9) } });
  const { url, close } = await serveSandbox(sandbox, { port: 0 });
  onTestFinished(async () => {
    await close();
    await sandbox.close();
  });
  const control = async (method: string, path: string, body?: object) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    return (await fetch(`${url}/sandbox/${path}`, { method, ...sent })).json();
  };
  await control('POST', 'reader', { state: 'enrolled', educationShown: true, taps: 'person', ...state });
  const reader = simulatedReader(sandbox);
  const stop = new AbortController();
  const call = (input: object, name = 'startChargeTransaction') =>
    reader.send(name, { ...sale, ...input }, { signal: stop.signal, onProgress: () => undefined });
  const page = (look = {}) => visitPage(browser, `${url}/tap/`, look);
  return { url, control, call, page, stop };
}

const found = (end: End) => (end.case === 'success' ? end.value : end.case);
const payment = (page: Page, name = '40.00 GBP') => page.getByRole('heading', { name }).waitFor();
const over = (page: Page) => page.getByText('Nothing to pay.').waitFor();

describe('the page of the reader', () => {
  it.each([
    ['Tap the card', 'Card tapped.', { status: 'Approved', amount: '40.00', capturedAmount: '40.00' }],
    ['Declined card', 'Card declined.', { status: 'Declined', capturedAmount: '0' }],
    ['Cancel', 'Cancelled.', { status: 'Aborted', capturedAmount: '0' }],
  ])('%s, and says that it counted', async (button, told, expected) => {
    const { call, page } = await served();
    const shown = await page();
    await over(shown);
    const ended = call({});
    await payment(shown);
    await shown.getByRole('button', { name: button, exact: true }).click();
    expect(found(await ended)).toMatchObject(expected);
    await over(shown);
    expect(await shown.getByRole('status').innerText()).toBe(`${told} Nothing to pay. A payment appears here.`);
    expect(await shown.getByRole('button', { name: 'Tap the card' }).count()).toBe(0);
  });

  it('is used with the keyboard alone, and says to a screen reader what waits', async () => {
    const { call, page } = await served();
    const shown = await page();
    const ended = call({ tip: { percentageChoice: [10, 15] } });
    await payment(shown);
    expect(await shown.getByRole('status').innerText()).toBe('Payment of 40.00 GBP: tap a card.');
    await shown.keyboard.press('Tab');
    await shown.keyboard.press('ArrowDown');
    await shown.keyboard.press('ArrowDown');
    expect(await shown.getByRole('radio', { name: '15 %: 6.00 GBP, 46.00 in all', exact: true }).isChecked()).toBe(
      true,
    );
    await shown.keyboard.press('Enter');
    expect(found(await ended)).toMatchObject({ status: 'Approved', tipAmount: '6.00', amount: '46.00' });
  });

  it('asks for a tip, or for the total with it, where the call does', async () => {
    const { call, page } = await served();
    const shown = await page();
    const typed = call({ tip: { input: 'tipAmount' } });
    await payment(shown);
    const tip = shown.getByLabel('Tip, in GBP');
    expect(await tip.getAttribute('placeholder')).toBe('0.00');
    await tip.fill('2.50');
    await shown.getByRole('button', { name: 'Tap the card', exact: true }).click();
    expect(found(await typed)).toMatchObject({ tipAmount: '2.50', amount: '42.50' });
    const next = call({ tip: { input: 'totalAmount' }, customIdentifier: 'sale-2' });
    await payment(shown);
    const field = shown.getByLabel('Total with tip, in GBP');
    expect(await field.getAttribute('placeholder')).toBe('40.00');
    for (const [text, said] of [
      ['39.99', 'The total is at least 40.00 GBP.'],
      ['fifty', 'Type an amount such as 4.00.'],
    ] as const) {
      await field.fill(text);
      await shown.getByRole('button', { name: 'Tap the card', exact: true }).click();
      await shown.getByText(said).waitFor();
      const described = shown.locator('[aria-invalid=true][aria-describedby=fault]:focus');
      expect(await described.inputValue()).toBe(text);
      if (process.env.PICTURES !== undefined)
        for (const width of [390, 1_280]) {
          await shown.setViewportSize({ width, height: 800 });
          await shown.screenshot({ path: `${process.env.PICTURES}/tap-fault-${text}-${width}.png` });
        }
    }
    await field.fill('50.00');
    await shown.getByRole('button', { name: 'Tap the card', exact: true }).click();
    expect(found(await next)).toMatchObject({ tipAmount: '10.00', amount: '50.00' });
  });

  it('says of a refund that it is one', async () => {
    const { call, page } = await served();
    const shown = await page();
    const ended = call({}, 'startStandaloneRefundTransaction');
    await payment(shown, 'Refund 40.00 GBP');
    await shown.getByRole('button', { name: 'Tap the card', exact: true }).click();
    expect(found(await ended)).toMatchObject({ status: 'Approved', type: 'credit' });
  });

  it('takes a payment away that was cancelled at the till', async () => {
    const { call, page, stop } = await served();
    const shown = await page();
    const ended = call({});
    await payment(shown);
    stop.abort();
    expect(found(await ended)).toMatchObject({ status: 'Aborted' });
    await over(shown);
  });

  it('taps cards automatically, or waits for a person, as the person wants', async () => {
    const { call, page } = await served({ taps: 'auto' });
    const shown = await page();
    await shown.getByText('Cards are tapped automatically').waitFor();
    expect(found(await call({}))).toMatchObject({ status: 'Approved' });
    await shown.getByRole('button', { name: 'Wait for a person to tap', exact: true }).click();
    await over(shown);
    const ended = call({ customIdentifier: 'sale-2' });
    await payment(shown);
    await shown.getByRole('button', { name: 'Tap the card', exact: true }).click();
    expect(found(await ended)).toMatchObject({ status: 'Approved' });
  });

  it('takes no tap for a payment that is over, and nothing that it does not know', async () => {
    const { url, call, page } = await served();
    const shown = await page();
    const ended = call({});
    await payment(shown);
    const { asked } = (await (await fetch(`${url}/tap/screen`)).json()) as { readonly asked: { readonly id: string } };
    const tap = async (body: object) =>
      (await fetch(`${url}/tap/tap`, { method: 'POST', body: JSON.stringify(body) })).status;
    expect(await tap({ id: asked.id, does: 'process' })).toBe(400);
    expect(await tap({ id: 'another', does: 'approve' })).toBe(409);
    expect(await tap({ id: asked.id, does: 'approve' })).toBe(200);
    expect(await tap({ id: asked.id, does: 'approve' })).toBe(409);
    expect(found(await ended)).toMatchObject({ status: 'Approved' });
    expect((await fetch(`${url}/tap/elsewhere`)).status).toBe(404);
    const foreign = await fetch(`${url}/tap/tap`, {
      method: 'POST',
      body: '{}',
      headers: { origin: 'https://evil.example' },
    });
    expect(foreign.status).toBe(403);
  });

  it('fits a telephone, in light and in dark, with controls that a thumb hits', async () => {
    const { call, page } = await served();
    const ended = call({ tip: { percentageChoice: [10, 15, 20] } });
    for (const look of [{}, { dark: true }, { width: 1_280 }, { width: 1_280, dark: true }] as const) {
      const shown = await page(look);
      await payment(shown);
      const { wide, small } = (await shown.evaluate(`({
        wide: document.documentElement.scrollWidth > innerWidth,
        small: [...document.querySelectorAll('button, fieldset label')].filter((it) => it.offsetHeight < 44).map((it) => it.textContent),
      })`)) as { wide: boolean; small: string[] };
      expect([wide, small]).toEqual([false, []]);
      if (process.env.PICTURES !== undefined)
        await shown.screenshot({ path: `${process.env.PICTURES}/tap-${JSON.stringify(look).replace(/\W/g, '')}.png` });
    }
    const shown = await page();
    await payment(shown);
    await shown.getByRole('button', { name: 'Cancel', exact: true }).click();
    await ended;
  });
});
