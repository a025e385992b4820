import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

// A real browser for the pages: CHROMIUM names one, where it is not in a usual place.

const places = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const flags = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync'],
];

/** Starts the browser. The caller closes it. */
export function launchBrowser(): Promise<Browser> {
  const executablePath = places.find((place) => place !== undefined && existsSync(place));
  if (executablePath === undefined)
    throw new Error(
      'There is no browser to open a page in: install Chromium (apt-get install chromium), or name one in CHROMIUM.',
    );
  return chromium.launch({ executablePath, args: flags });
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
