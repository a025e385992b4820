import { fromIframe, iframeFields } from './iframe.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * A shopper session in which `iframe` is the message AUTH_SESSION_CREATED as the iframe sent it: its fields, under the platform's
 * names. A field that is missing, or that the session gives another value, is a fault (PK-12).
 */
export function readIframeSession(session: Fields): { readonly session: Fields } | { readonly fault: string } {
  const { iframe, ...given } = session;
  if (typeof iframe !== 'object' || iframe === null) return { fault: 'iframe' };
  const mapped = fromIframe(iframe);
  const missing = ofSession.find((path) => at(mapped, path) === undefined);
  if (missing !== undefined) return { fault: missing };
  const other = ofSession.find((path) => at(given, path) !== undefined && at(given, path) !== at(mapped, path));
  if (other !== undefined) return { fault: other };
  const fingerprint = (iframe as Fields).dfpSessionID;
  return {
    session: {
      ...given,
      deviceInformation: {
        ...(given.deviceInformation as Fields | undefined), // its fields are checked by the contract afterwards
        ...(mapped.deviceInformation as Fields),
        ...(fingerprint === undefined ? {} : { fingerprintSessionId: fingerprint }),
      },
      sessionInformation: mapped.sessionInformation,
    },
  };
}

/** The fields that a session of the iframe has. */
const ofSession = iframeFields
  .map(([platform]) => platform)
  .filter((path) => /^(?:deviceInformation|sessionInformation)\./.test(path));

const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((it, name) => (it as Fields | undefined)?.[name], value);
