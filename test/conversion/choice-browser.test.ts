import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createEngine } from '../../src/engine/engine.ts';
import { altering, offering } from '../engine/conversion.ts';
import { agent, type Said, world } from '../engine/support.ts';
import { servePages } from '../faces/support.ts';
import { launchBrowser, visitPage } from '../support/browser.ts';

// The page on which a customer chooses a currency, in a real browser over a real port. The app makes its link.

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

const hostile = `<img src=x onerror="document.title='owned'">`;

async function served(disclaimer = hostile, opened = world()) {
  const it = await opened;
  await it.control('POST', 'conversion', { disclaimer });
  const { engine, http } = await servePages((reach) =>
    createEngine({ ...it.parts, settings: { ...it.parts.settings, reach } }),
  );
  const { data } = (await engine.call('offer_conversion', offering(), agent)) as Said;
  const offer: string = data.offer;
  const address = async () => String((await http('POST', `/things/${offer}/link`, 'app')).body.page);
  const stateNow = async () => (await it.thing(offer)).state;
  return { it, offer, http, address, stateNow };
}

/** Opens an address, and waits for what it says. */
async function visit(address: string, look = {}): Promise<Page> {
  const page = await visitPage(browser, address, look);
  await page.getByRole('heading').waitFor();
  return page;
}

const question = async (page: Page) => {
  await page.getByRole('heading', { name: 'In which currency' }).waitFor();
  await page.locator('#choices button:enabled').first().waitFor();
};

/** Clicks the first choice as soon as it is there, and says so in the title. */
const clickOnceShown = `addEventListener('DOMContentLoaded', () => {
  new MutationObserver((_, observer) => {
    const button = document.querySelector('#choices button');
    if (button === null || !button.checkVisibility()) return;
    observer.disconnect();
    button.click();
    document.title += ' clicked';
  }).observe(document.querySelector('main'), { attributes: true, childList: true, subtree: true });
})`;

describe('the page of a choice', () => {
  it('says of a price that the platform has withdrawn that it is no longer offered, and records no choice', async () => {
    const taken = altering((call, { orderInformation: it }) => {
      if (call.startsWith('GET ') && it?.currencyConversion?.offer) it.currencyConversion.offer[0].amount = '999.00';
    });
    const { address, stateNow } = await served('', taken);
    const page = await visit(await address());
    await question(page);
    await page.locator('#choices button', { hasText: 'AUD' }).click();
    await page.getByText('no longer offered').waitFor();
    expect([await stateNow(), await page.getByRole('button').count()]).toEqual(['WITHDRAWN', 0]);
    expect(await page.locator('main').innerText()).not.toContain('recorded');
  });

  it('takes the choice with the keyboard alone, once', async () => {
    const { address, stateNow } = await served();
    const link = await address();
    const page = await visit(link);
    await question(page);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Pay 157.00 AUD');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your choice is recorded' }).waitFor();
    // The customer reads what was chosen, and not the other price.
    expect(await page.locator('#text').innerText()).toContain('Pay 157.00 AUD');
    expect([await stateNow(), await page.getByRole('button').count(), new URL(page.url()).hash]).toEqual([
      'CHOSEN',
      0,
      '',
    ]);
    const again = await visit(link);
    await again.getByRole('heading', { name: 'This link no longer works' }).waitFor();
  });

  it('takes no second click of a double click, which was aimed at what stood there before', async () => {
    const { address, stateNow } = await served();
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    await page.addInitScript(clickOnceShown);
    await page.goto(await address());
    await question(page);
    expect([await page.title(), await stateNow()]).toEqual([expect.stringContaining('clicked'), 'PENDING']);
    await page.getByRole('button').last().click();
    await page.getByRole('heading', { name: 'Your choice is recorded' }).waitFor();
  });

  it('shows both prices alike, and everything about the rate, on a telephone and a desktop, in light and in dark', async () => {
    const { address } = await served();
    const link = await address();
    for (const look of [{}, { dark: true }, { width: 1_280 }] as const) {
      const page = await visit(link, look);
      await question(page);
      const terms = await page.locator('dl').innerText();
      for (const shown of [
        '100.00 USD',
        '157.00 AUD',
        '1 USD = 1.570029 AUD',
        '3.00 %',
        'Example Bank',
        '15 January 2026',
      ])
        expect(terms).toContain(shown);
      const looks = await page.evaluate(
        "[...document.querySelectorAll('#choices button')].map((it) => [getComputedStyle(it).backgroundColor, getComputedStyle(it).color, it.offsetHeight >= 44].join())",
      );
      expect(new Set(looks as string[]).size).toBe(1);
      expect(await page.getByRole('button').allInnerTexts()).toEqual(['Pay 100.00 USD', 'Pay 157.00 AUD']);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      // What the platform wrote is text, whatever it looks like.
      expect([await page.getByText(hostile.replaceAll('"', String.raw`\"`)).count(), await page.title()]).toEqual([
        1,
        'In which currency do you want to pay?',
      ]);
    }
  });

  it('quotes what the platform wrote, which closes no quotation and turns nothing round', async () => {
    const { address } = await served('I agree.” Nothing is added.\u202e DUA 00.751');
    const page = await visit(await address());
    await question(page);
    const text = await page.locator('#text').innerText();
    expect(text).toContain(String.raw`"I agree.\” Nothing is added. DUA 00.751"`);
  });

  it('leaves the local currency where the customer keeps it', async () => {
    const { address, stateNow } = await served();
    const page = await visit(await address());
    await page.getByRole('button', { name: 'Pay 100.00 USD' }).click();
    await page.getByRole('heading', { name: 'Your choice is recorded' }).waitFor();
    expect(await stateNow()).toBe('LOCAL_CURRENCY');
  });
});

describe('a currency that is not on offer', () => {
  it('is refused on a page that stays open, where another can be chosen', async () => {
    const { address, stateNow } = await served();
    const page = await visit(await address());
    await question(page);
    let isFirst = true;
    await page.route('**/*', async (route) => {
      const sent = route.request().postData();
      const isChanged = isFirst && sent?.includes('"AUD"') === true;
      if (isChanged) isFirst = false;
      await route.continue(isChanged ? { postData: sent.replace('"AUD"', '"EUR"') } : {});
    });
    await page.getByRole('button', { name: 'Pay 157.00 AUD' }).click();
    await page.getByText('Nothing was sent').waitFor();
    expect([isFirst, await stateNow(), await page.getByRole('button').count()]).toEqual([false, 'PENDING', 2]);
    await page.getByRole('button', { name: 'Pay 157.00 AUD' }).click();
    await page.getByRole('heading', { name: 'Your choice is recorded' }).waitFor();
    expect(await stateNow()).toBe('CHOSEN');
  });
});

describe('the routes of the app', () => {
  it('make the link and record a choice, for nobody else', async () => {
    const { offer, http, stateNow } = await served();
    const choice = { offer, currency: 'AUD' };
    for (const role of ['agent', 'person', undefined] as const) {
      expect((await http('POST', `/things/${offer}/link`, role)).status).toBe(401);
      expect((await http('GET', `/things/${offer}`, role)).status).toBe(401);
      expect((await http('POST', '/calls/choose_currency', role, choice)).status).toBe(401);
    }
    expect(await http('GET', `/things/${offer}`, 'app')).toMatchObject({
      body: { local: { amount: '100.00' }, billing: { amount: '157.00', currency: 'AUD' }, markupPercent: '3.00' },
    });
    expect((await http('POST', '/calls/choose_currency', 'app', choice)).body.data.state).toBe('CHOSEN');
    expect([await stateNow(), (await http('POST', `/things/${offer}/link`, 'app')).status]).toEqual(['CHOSEN', 404]);
    expect((await http('POST', '/things/card_ada/link', 'app')).status).toBe(404);
  });
});
