/** What the platform's account manager gave the merchant for passkeys. */
export interface PasskeySettings {
  readonly tokenRequesterId: string;
  readonly relationshipId: string;
  /** Where the iframe of the passkey service is, and its keys; without them, no page of Purser's shows it. */
  readonly iframe?: IframeSettings | undefined;
}

/** The keys stand in the address of the iframe, so whoever sees a page that embeds it sees them. */
export interface IframeSettings {
  /** Absolute, or a path of the very server whose page embeds it. */
  readonly url: string;
  readonly apikey: string;
  readonly externalAppId: string;
}

/** Those of the sandbox's merchant. They protect nothing. */
export const sandboxPasskey: PasskeySettings & { readonly iframe: IframeSettings } = {
  tokenRequesterId: '40000000000',
  relationshipId: 'sandbox-relationship-0001',
  iframe: { url: '/vts-auth/authenticate', apikey: 'sandbox-iframe-key', externalAppId: 'sandbox-external-app' },
};

/** The address of the iframe for a page at `origin`. A browser makes no passkey for a number: this machine is `localhost`. */
export function iframeAddress({ url, apikey, externalAppId }: IframeSettings, origin: string): string {
  const at = new URL(url, origin);
  if (at.hostname === '127.0.0.1' || at.hostname === '[::1]') at.hostname = 'localhost';
  at.search = new URLSearchParams({ apikey, externalAppId }).toString();
  return at.href;
}
