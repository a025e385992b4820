import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';

// A real browser for the pages: CHROMIUM names one, where it is not in a usual place. The headless shell is Chromium without windows, which
// takes half the time for each page.

const places = [
  process.env.CHROMIUM,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
const flags = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync'],
];
/** The lists of an address bar: each window loads three pages for them, which takes longer than the page under test. */
const addressBar = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup'];
/** What Playwright turns off by itself. The last list counts, so it stands in ours, too. */
// biome-ignore format: rows
const turnedOff = [
  'AimEnabled', 'AvoidCorsURLLoaderRestartOnRedirect', 'AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable', 'HttpsUpgrades', 'LensOverlay', 'MediaRouter', 'NetworkTimeServiceQuerying',
  'OptimizationHints', 'PaintHolding', 'PreconnectToSearch', 'ThirdPartyStoragePartitioning',
];

/** Starts the browser. The caller closes it. */
export function launchBrowser(): Promise<Browser> {
  const executablePath = places.find((place) => place !== undefined && existsSync(place));
  if (executablePath === undefined)
    throw new Error(
      'There is no browser to open a page in: install Chromium (apt-get install chromium-headless-shell, or chromium), or name one in CHROMIUM.',
    );
  const args = [...flags, `--disable-features=${[...turnedOff, ...addressBar].join(',')}`];
  return chromium.launch({ executablePath, args });
}

/** Opens an address, as wide as a telephone. Whatever the page throws or logs fails the test. */
export async function visitPage(
  browser: Browser,
  address: string,
  { dark = false, width = 390 }: { readonly dark?: boolean; readonly width?: number } = {},
): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width, height: 800 },
    colorScheme: dark ? 'dark' : 'light',
  });
  const page = await context.newPage();
  const noticed: string[] = [];
  page.on('pageerror', (error) => noticed.push(error.message));
  // Browsers log each answer of 400 and more, which is the point of some tests.
  page.on('console', (message) => message.text().startsWith('Failed to load') || noticed.push(message.text()));
  onTestFinished(async () => {
    await context.close();
    expect(noticed).toEqual([]);
  });
  await page.goto(address);
  return page;
}

/** Gives a page an authenticator that is always there. It says yes; or no, until the function that is answered is called. */
export async function addAuthenticator(page: Page, { verified } = { verified: true }): Promise<() => Promise<void>> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: verified, automaticPresenceSimulation: true },
    },
  });
  return () =>
    devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true }).then(() => undefined);
}
