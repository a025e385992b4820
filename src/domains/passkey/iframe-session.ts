import { fromIframe, iframeFields } from './iframe.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * A shopper session in which `iframe` is the message AUTH_SESSION_CREATED as the iframe sent it: its fields, under the platform's
 * names. A field that the session gives another value is a fault, and one that is in neither (PK-12): released iframes leave
 * `platformType` to the page.
 */
export function readIframeSession(session: Fields): { readonly session: Fields } | { readonly fault: string } {
  const { iframe, ...given } = session;
  if (typeof iframe !== 'object' || iframe === null) return { fault: 'iframe' };
  const mapped = fromIframe(iframe);
  const fault = ofSession.find((path) => {
    const [own, other] = [at(mapped, path), at(given, path)];
    return own === undefined ? other === undefined : other !== undefined && other !== own;
  });
  if (fault !== undefined) return { fault };
  const fingerprint = (iframe as Fields).dfpSessionID;
  return {
    session: {
      ...given,
      deviceInformation: {
        ...(given.deviceInformation as Fields | undefined), // its fields are checked by the contract afterwards
        ...(mapped.deviceInformation as Fields | undefined),
        ...(fingerprint === undefined ? {} : { fingerprintSessionId: fingerprint }),
      },
      sessionInformation: {
        ...(given.sessionInformation as Fields | undefined), // as above
        ...(mapped.sessionInformation as Fields | undefined),
      },
    },
  };
}

/** The fields that a session of the iframe has. */
const ofSession = iframeFields
  .map(([platform]) => platform)
  .filter((path) => /^(?:deviceInformation|sessionInformation)\./.test(path));

const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((it, name) => (it as Fields | undefined)?.[name], value);
