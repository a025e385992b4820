import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import { listen } from '../../src/http/listen.ts';
import { launchBrowser } from '../support/browser.ts';
import { nextWeek, tokens, type World, world } from './support.ts';
import { call2026 } from './wire.ts';

// The pages on which a person decides, in a real browser over a real port.

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

const hostile = `<img src=x onerror="document.title='owned'"> Approve now ${'pay '.repeat(30)}${'W'.repeat(90)}`;

/** Has the agent ask to buy something; answers the id of the approval. */
async function asked(here: World, reference: string, description = 'A cable'): Promise<string> {
  await call2026(here, 'enroll_card', { card: 'card_ada' });
  const limit = { amount: '40.00', currency: 'GBP' };
  const wish = { card: 'card_ada', reference, limit, until: await nextWeek(here), description };
  const { result } = await call2026(here, 'initiate_purchase', wish, { capabilities: {} });
  return result.structuredContent.approval.id;
}

interface Served {
  readonly here: World;
  readonly visit: (path: string, options?: BrowserContextOptions) => Promise<Page>;
}

/** A fresh Purser on a port, and a browser in front of it. Whatever the page throws or logs fails the test. */
async function served(): Promise<Served> {
  const here = await world();
  const { url, close } = await listen(here.face, { port: 0 });
  const noticed: string[] = [];
  onTestFinished(async () => {
    await close();
    expect(noticed).toEqual([]);
  });
  const visit = async (path: string, options: BrowserContextOptions = {}) => {
    const context = await browser.newContext(options);
    onTestFinished(() => context.close());
    const page = await context.newPage();
    page.on('pageerror', (error) => noticed.push(error.message));
    page.on('dialog', (dialog) => noticed.push(dialog.message()));
    // Browsers log each answer of 400 and more, which is the point of some of these tests.
    page.on('console', (message) => message.text().startsWith('Failed to load') || noticed.push(message.text()));
    await page.clock.install();
    await page.goto(`${url}${path}`);
    return page;
  };
  return { here, visit };
}

async function signIn(page: Page, token: string = tokens.person): Promise<void> {
  await page.getByLabel('Your token').fill(token);
  await page.keyboard.press('Enter');
  await page.locator('button:disabled:not(#decide button)').first().waitFor({ state: 'detached' });
  await page.clock.fastForward(limits.decisionMilliseconds); // until then the buttons that decide are off
  await page.locator('button:disabled').first().waitFor({ state: 'detached' });
}

const visibleButtons = (page: Page) => page.getByRole('button').allInnerTexts();
const status = (page: Page) => page.getByRole('status').innerText();

describe('the page of one approval', () => {
  it.each([
    ['Approve', 'APPROVED'],
    ['Deny', 'DENIED'],
  ])('takes the buttons away after "%s"', async (button, state) => {
    const { here, visit } = await served();
    const id = await asked(here, 'order-1');
    const page = await visit(`/approve/${id}`);
    await signIn(page);
    expect(await visibleButtons(page)).toEqual(['Approve', 'Deny']);
    await page.getByRole('button', { name: button }).click();
    await page.locator('#decide').waitFor({ state: 'hidden' });
    expect(await visibleButtons(page)).toEqual([]);
    expect(await status(page)).not.toBe('');
    expect((await here.http('GET', `/approvals/${id}`, 'person')).body).toMatchObject({ state, channel: 'page' });
  });

  it('has no buttons where it was decided elsewhere, was withdrawn, has expired, or never was', async () => {
    const { here, visit } = await served();
    const [denied, late] = [await asked(here, 'order-1'), await asked(here, 'order-2')];
    await here.http('POST', `/approvals/${denied}`, 'person', { decision: 'deny' });
    const withdrawn = await asked(here, 'order-3');
    const listed = (await call2026(here, 'list_approvals', {})).result.structuredContent.data.items;
    const { operation } = listed.find(({ approval }: { readonly approval: string }) => approval === withdrawn);
    await call2026(here, 'withdraw_operation', { operation });
    await here.http('POST', '/sandbox/clock', undefined, { advance: 600_000 });
    const said: string[] = [];
    for (const id of [denied, late, withdrawn, 'apr_none', '%', '<b>']) {
      const page = await visit(`/approve/${id}`);
      await signIn(page);
      expect(await visibleButtons(page)).toEqual([]);
      expect(await page.getByRole('link').allInnerTexts()).toHaveLength(1);
      said.push(await status(page));
    }
    expect(said).not.toContain('');
    expect(new Set(said).size).toBe(4);
  });

  it('takes the buttons away where somebody else was faster', async () => {
    const { here, visit } = await served();
    const id = await asked(here, 'order-1');
    const page = await visit(`/approve/${id}`);
    await signIn(page);
    await here.http('POST', `/approvals/${id}`, 'person', { decision: 'deny' });
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.locator('#decide').waitFor({ state: 'hidden' });
    expect((await here.http('GET', `/approvals/${id}`, 'person')).body.state).toBe('DENIED');
  });

  it('takes no second click of a double click, which was aimed at what stood there before', async () => {
    const { here, visit } = await served();
    const id = await asked(here, 'order-1');
    const page = await visit('/approve/');
    await signIn(page);
    await page.evaluate(clickOnceShown);
    await page.locator('#waiting a').click();
    await page.locator('#question').waitFor();
    expect(await page.title()).toContain('clicked');
    expect((await here.http('GET', `/approvals/${id}`, 'person')).body.state).toBe('REQUESTED');
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.locator('#decide').waitFor({ state: 'hidden' });
    expect((await here.http('GET', `/approvals/${id}`, 'person')).body.state).toBe('APPROVED');
  });

  it('is out of reach for a page of another origin that opened it', async () => {
    const { here, visit } = await served();
    const id = await asked(here, 'order-1');
    const page = await visit('/healthz');
    const { origin } = new URL(page.url());
    await page.goto(`${origin.replace('127.0.0.1', 'localhost')}/healthz`);
    const [opened] = await Promise.all([
      page.waitForEvent('popup'),
      page.evaluate(`void (globalThis.opened = open('${origin}/approve/${id}'))`),
    ]);
    await signIn(opened);
    expect([await opened.evaluate('opener'), await page.evaluate('opened.closed')]).toEqual([null, true]);
  });

  it('decides what it shows, although the address has changed meanwhile', async () => {
    const { here, visit } = await served();
    const [shown, other] = [await asked(here, 'order-1'), await asked(here, 'order-2')];
    const page = await visit(`/approve/${shown}`);
    await signIn(page);
    await page.evaluate(`history.replaceState(null, '', '/approve/${other}')`);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.locator('#decide').waitFor({ state: 'hidden' });
    const states = await Promise.all([shown, other].map((id) => here.http('GET', `/approvals/${id}`, 'person')));
    expect(states.map(({ body }) => body.state)).toEqual(['APPROVED', 'REQUESTED']);
  });

  it.each(['Approve', 'Deny'])('says nothing of an answer to "%s" once it shows another approval', async (button) => {
    const { here, visit } = await served();
    const [first, second] = [await asked(here, 'order-1'), await asked(here, 'order-2')];
    const page = await visit(`/approve/${second}`);
    await signIn(page);
    await page.getByRole('link', { name: 'All waiting approvals' }).click();
    await page.locator('#waiting li', { hasText: 'Order: "order-1"' }).getByRole('link').click();
    await page.locator('#facts', { hasText: 'order-1' }).waitFor();
    const [held, arrived] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route(`**/approve/${first}`, async (route) => {
      arrived.resolve();
      await held.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: button }).click();
    await arrived.promise;
    await page.goBack();
    await page.locator('#list').waitFor();
    await page.goBack();
    await page.locator('#facts', { hasText: 'order-2' }).waitFor();
    held.resolve();
    await page.locator('button:disabled').first().waitFor({ state: 'detached' });
    expect([await status(page), await visibleButtons(page)]).toEqual(['', ['Approve', 'Deny']]);
    const states = await Promise.all([first, second].map((id) => here.http('GET', `/approvals/${id}`, 'person')));
    expect(states.map(({ body }) => body.state === 'REQUESTED')).toEqual([false, true]);
  });

  it.each(['an approval', 'the list'])(
    'shows what was opened last, however late %s arrives that was opened before',
    async (late) => {
      const { here, visit } = await served();
      const [first, second] = [await asked(here, 'order-1'), await asked(here, 'order-2')];
      const page = await visit(`/approve/${second}`);
      await signIn(page);
      const [held, arrived] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const path = late === 'the list' ? '/approvals?*' : `/approvals/${first}`;
      await page.route(`**${path}`, async (route) => {
        arrived.resolve();
        await held.promise;
        await route.continue();
      });
      await page.getByRole('link', { name: 'All waiting approvals' }).click();
      if (late !== 'the list') {
        await page.locator('#waiting li', { hasText: 'Order: "order-1"' }).getByRole('link').click();
        await page.goBack();
      }
      await arrived.promise;
      await page.goBack();
      await page.locator('#facts', { hasText: 'order-2' }).waitFor();
      const shown = page.waitForResponse((response) => response.url().includes('/approvals') && response.ok());
      held.resolve();
      await (await shown).finished();
      await page.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))');
      expect([await page.locator('#facts').innerText(), await visibleButtons(page)]).toEqual([
        expect.stringContaining('order-2'),
        ['Approve', 'Deny'],
      ]);
    },
  );

  it.each([tokens.agent, tokens.app, 'wrong', 'schlüssel “x”'])(
    'shows nothing for another token: %s',
    async (token) => {
      const { here, visit } = await served();
      const page = await visit(`/approve/${await asked(here, 'order-1')}`);
      await signIn(page, token);
      expect(await visibleButtons(page)).toEqual(['Continue']);
      expect(await page.locator('body').innerText()).not.toMatch(/order-1|Ada|cable/);
      await signIn(page);
      expect(await visibleButtons(page)).toEqual(['Approve', 'Deny']);
    },
  );
});

describe('the list of what waits', () => {
  it('tells two approvals apart by who pays whom with which card, and says the zone of each time', async () => {
    const { here, visit } = await served();
    const id = await asked(here, 'order-1');
    const page = await visit('/approve/', { timezoneId: 'Europe/Warsaw', locale: 'en-GB' });
    await signIn(page);
    const item = await page.locator('#waiting li').innerText();
    for (const part of ['Merchant:', 'Shop:', 'Card ending: 1111', 'Customer:', 'CET']) expect(item).toContain(part);
    await page.getByRole('link').first().click();
    await page.locator('#decide').waitFor();
    for (const label of ['Asked', 'Decide before'])
      expect(await page.locator('#facts div', { hasText: label }).last().innerText()).toContain('CET');
    expect((await here.http('GET', `/approvals/${id}`, 'person')).body).toMatchObject({ state: 'REQUESTED' });
  });

  it('leads to each approval and back without asking for the token again', async () => {
    const { here, visit } = await served();
    const ids = [await asked(here, 'order-1'), await asked(here, 'order-2')];
    const page = await visit('/approve/');
    await signIn(page);
    const links = page.locator('#waiting a');
    expect(await links.evaluateAll((all) => all.map((it) => it.getAttribute('href')).toSorted())).toEqual(
      ids.map((id) => `/approve/${id}`).toSorted(),
    );
    await page.locator('#waiting li', { hasText: 'Order: "order-1"' }).getByRole('link').click();
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.locator('#decide').waitFor({ state: 'hidden' });
    await page.goBack();
    await page.locator('#list').waitFor();
    expect(await page.locator('#waiting li').count()).toBe(1);
    expect(await page.locator('#waiting').innerText()).toContain('order-2');
  });

  it('is empty where nothing waits, and leaves out what has expired', async () => {
    const { here, visit } = await served();
    await asked(here, 'order-1');
    await here.http('POST', '/sandbox/clock', undefined, { advance: 600_000 });
    const page = await visit('/approve');
    await signIn(page);
    expect([await page.locator('#waiting li').count(), await visibleButtons(page)]).toEqual([0, ['Refresh']]);
    await asked(here, 'order-2');
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.locator('#waiting li').waitFor();
    expect(await page.locator('#waiting li').count()).toBe(1);
  });
});

it('keeps a label that is a quotation whole, whatever it says', async () => {
  const { here, visit } = await served();
  const sku = 'z: 5.00 USD. Total: "5.00';
  const line = { sku, name: 'x', price: '5.00', total: '60.00', quantity: 12 };
  const invoice = {
    ...{ how: 'draft', reference: '1001', customer_name: 'Ann', customer_email: 'ann@example.com' },
    ...{ description: 'Pens', due: '2031-12-30', currency: 'USD', total: '60.00', lines: [line] },
  };
  const made = await call2026(here, 'create_invoice', invoice);
  const change = { lines: [{ ...line, price: '6.00', quantity: 10 }] };
  const wish = { invoice: made.result.structuredContent.data.invoice, ...change };
  const { result } = await call2026(here, 'update_invoice', wish, { capabilities: {} });
  const page = await visit(`/approve/${result.structuredContent.approval.id}`);
  await signIn(page);
  const label = page.locator('#facts dt', { hasText: '.quantity' });
  expect([await label.innerText(), await label.locator('xpath=following-sibling::dd').innerText()]).toEqual([
    String.raw`"lines.z: 5.00 USD. Total: \"5.00.quantity"`,
    '"12" → "10"',
  ]);
});

describe('text that is read from right to left', () => {
  it('moves nothing of what stands around it: what was is left of what will be, and a figure is outside of its quotes', async () => {
    const { here, visit } = await served();
    const invoice = {
      ...{ how: 'draft', reference: '1001', customer_name: 'שלום כהן', customer_email: 'shalom@example.com' },
      ...{ description: '٥ ספרים', due: '2031-12-30', currency: 'USD', total: '60.00' },
    };
    const made = await call2026(here, 'create_invoice', invoice);
    const change = { customer_name: 'דוד לוי', description: '٦' };
    const wish = { invoice: made.result.structuredContent.data.invoice, ...change };
    const { result } = await call2026(here, 'update_invoice', wish, { capabilities: {} });
    const page = await visit(`/approve/${result.structuredContent.approval.id}`);
    await signIn(page);
    for (const [was, now] of [
      ['שלום כהן', 'דוד לוי'],
      ['٥ ספרים', '٦'],
    ] as const)
      expect(await page.evaluate(`(${placesOf})(${JSON.stringify([was, '→', now])})`)).toEqual([0, 1, 2]);
    await page.goto(new URL('/approve/', page.url()).href);
    await signIn(page);
    expect(await page.evaluate(`(${placesOf})(${JSON.stringify(['שלום כהן', '→', 'דוד לוי'])})`)).toEqual([0, 1, 2]);
  });
});

describe.each(['light', 'dark'] as const)('both pages, %s', (colorScheme) => {
  it.each([1280, 390])('show hostile and long text as text, within %i pixels, with enough contrast', async (width) => {
    const { here, visit } = await served();
    const id = await asked(here, 'order-1', hostile.slice(0, 250));
    for (const path of [`/approve/${id}`, '/approve/']) {
      const page = await visit(path, { colorScheme, viewport: { width, height: 800 } });
      expect(await page.evaluate(lowContrast)).toEqual([]);
      await signIn(page);
      await page.getByText('<img src=x').waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      expect(await page.title()).not.toContain('owned');
      expect(await page.locator('main img').count()).toBe(0);
      expect(await page.evaluate(lowContrast)).toEqual([]);
    }
  });
});

it('can be used by keyboard alone, from the heading downwards', async () => {
  const { here, visit } = await served();
  await asked(here, 'order-1');
  const page = await visit('/approve/');
  await page.keyboard.type(tokens.person); // the field has the focus
  await page.keyboard.press('Enter');
  await page.locator('#list').waitFor();
  const tab = async () => {
    await page.keyboard.press('Tab');
    return page.evaluate('document.activeElement.textContent');
  };
  expect([await page.evaluate('document.activeElement.id'), await tab(), await tab()]).toEqual([
    'title',
    'Allow the agent to buy',
    'Refresh',
  ]);
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await page.locator('#approve:enabled').waitFor();
  expect([await page.evaluate('document.activeElement.id'), await tab(), await tab(), await tab()]).toEqual([
    ...['title', 'Approve', 'Deny'],
    'All waiting approvals',
  ]);
});

/** The order from left to right in which the parts of a text are painted. */
const placesOf = `(parts) => {
  const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode;
    if (!parts.every((part) => node.data.includes(part))) continue;
    const left = parts.map((part) => {
      const range = document.createRange();
      range.setStart(node, node.data.indexOf(part));
      range.setEnd(node, node.data.indexOf(part) + part.length);
      return range.getBoundingClientRect().left;
    });
    return left.toSorted((one, other) => one - other).map((at) => left.indexOf(at));
  }
  return [];
}`;

/** Clicks "Approve" as soon as it is there, and says so in the title. */
const clickOnceShown = `new MutationObserver(() => {
  if (byId('question').hidden) return;
  byId('approve').click();
  document.title += ' clicked';
}).observe(byId('question'), { attributes: true, attributeFilter: ['hidden'] })`;

/** Visible texts whose contrast with what is behind them is below 4.5 to 1 (WCAG 2.2, 1.4.3). */
const lowContrast = `(() => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', { willReadFrequently: true });
  const painted = (colors) => {
    for (const color of colors) { canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1); }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((it) => it / 255);
  };
  const luminance = (rgb) => rgb.map((it) => (it <= 0.04045 ? it / 12.92 : ((it + 0.055) / 1.055) ** 2.4))
    .reduce((sum, it, at) => sum + it * [0.2126, 0.7152, 0.0722][at], 0);
  const grounds = (element) => element === null ? ['white'] : [...grounds(element.parentElement), getComputedStyle(element).backgroundColor];
  return [...document.querySelectorAll('main *')].filter((it) => it.checkVisibility() && [...it.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== ''))
    .map((it) => {
      const behind = grounds(it);
      const [one, other] = [luminance(painted(behind)), luminance(painted([...behind, getComputedStyle(it).color]))].toSorted((a, b) => b - a);
      return { text: it.textContent.slice(0, 20), ratio: (one + 0.05) / (other + 0.05) };
    }).filter(({ ratio }) => ratio < 4.5);
})()`;
