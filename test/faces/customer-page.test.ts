import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, visitPage } from '../support/browser.ts';
import { withLoyalty } from '../support/made-up-domain.ts';
import { agentCaller, servePages, world } from './support.ts';

// The page on which a customer takes a step, and the route by which the merchant's app does, over a real port.

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

const right = '135790';
const hostile = `<img src=x onerror="document.title='owned'">`;

/** A Purser on a port whose platform knows one code, and a challenge that waits for its customer. */
async function served() {
  const { running } = await world();
  const tried: unknown[] = [];
  const { parts } = running.engine;
  const { engine, ...rest } = await servePages((reach) =>
    withLoyalty(parts, {
      settings: { ...parts.settings, reach },
      served: async (request) => {
        const { code } = (await request.json()) as { readonly code?: string };
        if (code === undefined) return Response.json({ id: 'challenge-1', masked: hostile });
        tried.push(code);
        return code === right
          ? Response.json({ id: 'challenge-1' })
          : Response.json({ reason: 'INVALID_DATA', message: 'no' }, { status: 400 });
      },
    }),
  );
  const begin = async () => {
    const { data } = await engine.call('start_challenge', { reference: 'start-1', account: 'a' }, agentCaller);
    const { page } = (data?.waiting_for ?? {}) as { readonly page?: string };
    return { challenge: String(data?.challenge), page: page ?? '' };
  };
  return { tried, begin, ...rest };
}

const visit = (address: string, look = {}): Promise<Page> => visitPage(browser, address, look);

const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor();

describe('the page of a step', () => {
  it('takes what the customer enters with the keyboard alone, once', async () => {
    const { begin, tried } = await served();
    const { page: address } = await begin();
    const page = await visit(address);
    await heading(page, 'Enter your code');
    expect(await page.evaluate('document.activeElement.id')).toBe('code');
    await page.keyboard.type('111111');
    await page.keyboard.press('Enter');
    await page.getByText('You have 2 tries left.').waitFor();
    expect(await page.getByRole('status').innerText()).toBe('This code is wrong.');
    expect(await page.getByLabel('Code').inputValue()).toBe('');
    await page.keyboard.type(right);
    await page.keyboard.press('Enter');
    await heading(page, 'Thank you. Your code was right.');
    expect([tried, await page.getByRole('textbox').count(), new URL(page.url()).hash]).toEqual([
      ['111111', right],
      0,
      '',
    ]);
    const again = await visit(address);
    await heading(again, 'This link no longer works');
    expect((await begin()).page).toBe('');
  });

  it('names its field for a screen reader, a telephone and a password manager, in light and in dark', async () => {
    const { begin } = await served();
    const { page: address } = await begin();
    for (const look of [{}, { dark: true }] as const) {
      const page = await visit(address, look);
      await heading(page, 'Enter your code');
      const field = page.getByRole('textbox', { name: 'Code' });
      const [hint] = await Promise.all([field.getAttribute('aria-describedby')]);
      expect(await page.locator(`#${hint}`).innerText()).toBe('Six digits');
      expect([await field.getAttribute('inputmode'), await field.getAttribute('autocomplete')]).toEqual([
        'numeric',
        'one-time-code',
      ]);
      const wide = await page.evaluate('document.documentElement.scrollWidth');
      expect(wide).toBeLessThanOrEqual(390);
      // What the platform wrote is text, whatever it looks like.
      expect(await page.getByText(hostile).count()).toBe(1);
      expect(await page.title()).toBe('Enter your code');
    }
  });

  it('shows nothing without its link, and never sends it in an address', async () => {
    const { url, begin } = await served();
    await begin();
    const page = await visit(`${url}/act/answer_challenge`);
    await heading(page, 'This link is not complete');
    const forged = await visit(`${url}/act/answer_challenge#${'a'.repeat(13)}.${'a'.repeat(28)}`);
    await heading(forged, 'This link no longer works');
    expect(await forged.getByRole('textbox').count()).toBe(0);
  });

  it.each([
    ['without its end', (link: string) => link.slice(0, -1)],
    ['up to its dot', (link: string) => link.split('.')[0]],
    ['with something after it', (link: string) => `${link}.`],
  ])('says of a link %s that it is not complete, and asks for nothing', async (_, cut) => {
    const { url } = await served();
    const asked: string[] = [];
    const page = await visit(`${url}/act/answer_challenge#${cut(`${'a'.repeat(13)}.${'a'.repeat(28)}`)}`);
    page.on('request', (request) => asked.push(request.method()));
    await heading(page, 'This link is not complete');
    expect([asked.filter((method) => method === 'POST'), await page.getByRole('textbox').count()]).toEqual([[], 0]);
  });
});

describe('what the server answers', () => {
  it('runs no line within the document, in no frame, and is kept by nobody', async () => {
    const { url } = await served();
    const response = await fetch(`${url}/act/answer_challenge`);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
    expect([response.headers.get('cache-control'), response.headers.get('referrer-policy')]).toEqual([
      'no-store',
      'no-referrer',
    ]);
    expect(await response.text()).not.toMatch(/<script(?![^>]* src=)|<style| on[a-z]+=/);
    const files = ['page.js', 'page.css', 'award_points', 'answer_challenge.js', 'answer_challenge.css', '__proto__'];
    const statuses = await Promise.all(files.map(async (file) => (await fetch(`${url}/act/${file}`)).status));
    expect(statuses).toEqual([200, 200, 404, 404, 404, 404]);
  });

  it('is the same for a wrong link, a used one, and what is no link', async () => {
    const { http } = await served();
    const wrong = { link: `${'a'.repeat(13)}.${'b'.repeat(28)}` };
    for (const [path, body] of [
      ['/act', wrong],
      ['/act/take', { ...wrong, values: { code: right } }],
    ] as const)
      expect((await http('POST', path, undefined, body)).status).toBe(404);
    expect((await http('POST', '/act', undefined, { link: 1 })).status).toBe(400);
    expect((await http('POST', '/act/take', undefined, wrong)).status).toBe(400);
  });
});

describe("the route of the merchant's app", () => {
  it('makes the calls of the app, and nobody else can', async () => {
    const { http, begin, tried } = await served();
    const { challenge } = await begin();
    const body = { challenge, code: right };
    for (const role of ['agent', 'person', undefined] as const)
      expect((await http('POST', '/calls/answer_challenge', role, body)).status).toBe(401);
    expect((await http('POST', '/calls/start_challenge', 'app', { reference: 'x', account: 'a' })).status).toBe(404);
    expect(await http('POST', '/calls/answer_challenge', 'app', { challenge, code: 'no' })).toMatchObject({
      status: 200,
      body: { outcome: 'refused', error: { field: 'code' } },
    });
    expect(await http('POST', '/calls/answer_challenge', 'app', body)).toMatchObject({
      status: 200,
      body: { outcome: 'done' },
    });
    expect([tried, (await begin()).page]).toEqual([[right], '']);
  });
});
