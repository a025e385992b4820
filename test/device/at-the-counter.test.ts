import { readFileSync } from 'node:fs';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../faces/agents.ts';
import { folder, run, start } from '../faces/cli.ts';
import { launchBrowser, visitPage } from '../support/browser.ts';

// A whole sale: `purser serve`, `purser sandbox reader` as an app of its own, an agent's MCP client, a person who approves on the command line, and a
// customer who taps in a browser.

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

async function counter() {
  const data = folder();
  const served = start(['serve', '--port', '0', '--data', data, '--toolsets', 'all', '--json']);
  const { url, tokens } = JSON.parse(await served.line());
  const base = new URL(url).origin;
  const reader = start([
    'sandbox',
    'reader',
    '--data',
    data,
    '--url',
    `${base.replace('http', 'ws')}/reader`,
    '--json',
  ]);
  await reader.line();
  const token = readFileSync(tokens.agent, 'utf8').trim();
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  const { client } = await connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }), 'auto');
  const steps: (string | undefined)[] = [];
  const call = async (name: string, args: object = {}, more: { readonly signal?: AbortSignal } = {}) => {
    const options = {
      ...more,
      onprogress: ({ message }: { readonly message?: string | undefined }) => steps.push(message),
    };
    // biome-ignore lint/suspicious/noExplicitAny: answers are compared whole, not typed
    return (await client.callTool({ name, arguments: { ...args } }, options)).structuredContent as any;
  };
  const page = await visitPage(browser, `${base}/tap/`);
  await page.getByRole('button', { name: 'Wait for a person to tap', exact: true }).click();
  await page.getByText('Nothing to pay.').waitFor();
  const { device } = (await call('device_status')).data;
  // A person acts on the reader: it enrolls as soon as the screens are through, and shows the education screens.
  expect(await call('enroll_device', { device })).toMatchObject({ outcome: 'done', data: { state: 'enrolled' } });
  /** A charge that a person has approved. */
  const approved = async (more: object = {}) => {
    const args = { device, reference: 'sale-1', sum: { amount: '40.00', currency: 'GBP' }, ...more };
    const asked = await call('charge_device', args);
    expect(asked).toMatchObject({ outcome: 'needs_approval' });
    const said = await run(['approvals', 'approve', asked.approval.id, '--yes', '--data', data]);
    expect(said.code).toBe(0);
    steps.length = 0;
    return args;
  };
  return { call, approved, page, steps };
}

describe('at the counter', { timeout: 120_000 }, () => {
  it('the agent charges with a tip, hears each step, and the customer taps', async () => {
    const { call, approved, page, steps } = await counter();
    const args = await approved({ tip: { percentages: [10, 15] } });
    const charged = call('charge_device', args);
    await page.getByRole('heading', { name: '40.00 GBP' }).waitFor();
    await page.getByLabel('15 %: 6.00 GBP, 46.00 in all').check();
    await page.getByRole('button', { name: 'Tap the card', exact: true }).click();
    expect(await charged).toMatchObject({
      outcome: 'done',
      data: { state: 'APPROVED', total: { amount: '46.00', currency: 'GBP' }, tip: { amount: '6.00' } },
    });
    expect(steps).toEqual(['STARTED', 'WAITING_FOR_CARD', 'PROCESSING']);
    await page.getByText('Card tapped. Nothing to pay.').waitFor();
  });

  it('the agent cancels while the customer looks for a card: nothing is charged, and the page says so', async () => {
    const { call, approved, page, steps } = await counter();
    const args = await approved();
    const stop = new AbortController();
    const charged = call('charge_device', args, { signal: stop.signal });
    charged.catch(() => undefined); // the host has cancelled it
    await page.getByRole('heading', { name: '40.00 GBP' }).waitFor();
    await expect.poll(() => steps).toContain('WAITING_FOR_CARD');
    stop.abort();
    await page.getByText('Nothing to pay.').waitFor();
    const look = async () => (await call('lookup_device_transaction', { reference: 'sale-1' })).data;
    await expect.poll(look).toMatchObject({ state: 'ABORTED', captured: { amount: '0.00' } });
  });

  it('the merchant cancels on the reader, and the agent may charge again', async () => {
    const { call, approved, page } = await counter();
    const charged = call('charge_device', await approved());
    await page.getByRole('heading', { name: '40.00 GBP' }).waitFor();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    expect(await charged).toMatchObject({ outcome: 'done', data: { state: 'ABORTED', captured: { amount: '0.00' } } });
    const again = call('charge_device', await approved());
    await page.getByRole('heading', { name: '40.00 GBP' }).waitFor();
    await page.getByRole('button', { name: 'Tap the card', exact: true }).click();
    expect(await again).toMatchObject({ outcome: 'done', data: { state: 'APPROVED' } });
  });
});
