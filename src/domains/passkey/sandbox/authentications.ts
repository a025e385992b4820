import { limits } from '../../../core/limits.ts';
import { find, invalid, move, PlatformError } from '../../../sandbox/answer.ts';
import type { Merchant } from '../../../sandbox/documents.ts';
import { publish } from '../../../sandbox/events.ts';
import type { World } from '../../../sandbox/world.ts';
import { verifyCard } from '../../purchase/sandbox/cards.ts';
import { authentication } from '../machines.ts';
import { codeMethods } from '../shapes.ts';
import type { AuthenticationDocument, CeremonyDocument, OfferedOption } from './documents.ts';

/** The authentication of a token that this merchant began. Throws the platform's 404. */
export const begun = (world: World, tokenId: string, merchant: Merchant): AuthenticationDocument =>
  find(world, 'authentication', tokenId, merchant, 'tokenId');

/** A token that exists: a saved card, or one that this merchant enrolled. Throws the platform's 404. */
export function demandToken(world: World, tokenId: string, merchant: Merchant): void {
  const enrolled = world.get('card', tokenId);
  const known =
    enrolled === undefined ? world.get('cardFixture', tokenId) !== undefined : enrolled.merchantId === merchant.id;
  if (!known)
    throw new PlatformError(404, 'NOT_FOUND', 'There is no tokenized card with this id.', { source: 'tokenId' });
}

/** The device of an iframe session. A session of the merchant's own page is its own device. */
export const deviceOf = (world: World, secureToken: string): string =>
  world.get('iframeSession', secureToken)?.device ?? secureToken;

export const passkeyId = (tokenId: string, device: string): string => `${tokenId}/${device}`;

/** What options answer for a device: whether it is registered, or what the issuer says to its binding. */
export function actionFor(world: World, tokenId: string, device: string): AuthenticationDocument['action'] {
  const { binding = 'challenged' } = world.get('cardFixture', tokenId) ?? {};
  const isRegistered = binding === 'registered' || world.get('passkey', passkeyId(tokenId, device)) !== undefined;
  return isRegistered ? 'AUTHENTICATE' : bindingActions[binding];
}

const bindingActions = {
  registered: 'AUTHENTICATE',
  challenged: 'STEP_UP_AUTHENTICATE',
  approved: 'AUTHENTICATION_REGISTRATION',
} as const;

/** The ways of a step-up that the issuer offers. Their ids are opaque. */
export const stepUpOptions = (world: World, tokenId: string): readonly OfferedOption[] =>
  offered.map(({ method, value, ...more }) => ({
    method,
    value: codeMethods.some((one) => one === method) ? value : (world.get('issuer', issuerId)?.text ?? value),
    ...more,
    id: `step-up-${letters(world.derive(`step-up/${tokenId}/${method}`))}`,
    platformType: 'WEB',
  }));

export const issuerId = 'issuer';

const offered = [
  { method: 'OTP_SMS', value: '*******0001', source: 'Example Bank' },
  { method: 'OTP_EMAIL', value: 'a**@example.com', source: 'Example Bank' },
  { method: 'OTP_ONLINE_BANKING', value: 'Your online banking', source: 'Example Bank', subMethod: '3DS' },
  {
    method: 'APP_TO_APP',
    value: 'Example Bank app',
    source: 'https://app.example.com/approve',
    requestPayload: 'eyJhcHAiOiJleGFtcGxlIn0',
  },
  { method: 'CUSTOMER_SERVICE', value: 'Call the number on your card' },
  { method: 'OUTBOUND_CALL', value: 'Example Bank calls you' },
] as const;

/** An option that was offered for the token (PK-04). Throws the platform's 400. */
export function offeredOption({ stepUpOptions: options }: AuthenticationDocument, id: string): OfferedOption {
  const option = options.find((one) => one.id === id);
  if (option === undefined) throw invalid('stepUpOption.id', 'This step-up option was not offered for the token.');
  return option;
}

/** Requests a code by an option (PK-03, PK-05, PK-07). */
export function requestCode(world: World, it: AuthenticationDocument, option: OfferedOption): AuthenticationDocument {
  if (!codeMethods.some((method) => method === option.method))
    throw invalid('stepUpOption.id', 'No code is sent by this method.');
  const moved = move(world, authentication, 'authentication', it, 'send');
  if (it.requests >= limits.otpRequests)
    throw new PlatformError(403, 'DECLINED', 'No more codes can be requested.', { source: 'stepUpOption.id' });
  return world.put('authentication', {
    ...moved,
    option: option.id,
    requests: it.requests + 1,
    codeNumber: world.count('one-time code'),
    // Until the second that the answer tells, and no longer.
    codeExpires: Math.floor(world.now / 1000) * 1000 + limits.otpMinutes * 60_000,
    verifications: 0,
  });
}

/** The code that the customer got last. It is derived each time, and stored nowhere. */
export const codeOf = (world: World, it: AuthenticationDocument): string =>
  sixDigits(world.derive(`one-time code/${it.id}/${it.codeNumber}`));

/** The code that an issuer gives by telephone, or in its app, for an option. */
export const issuerCodeOf = (world: World, option: OfferedOption): string =>
  sixDigits(world.derive(`issuer code/${option.id}`));

/** Holds what the customer typed against the code (PK-07). A wrong code counts, although it is rejected. */
export function verifyCode(
  world: World,
  it: AuthenticationDocument,
  { otp, issuerAuthCode }: { readonly otp?: string | undefined; readonly issuerAuthCode?: string | undefined },
  option: OfferedOption,
): AuthenticationDocument {
  if (otp !== undefined && it.option !== option.id)
    throw invalid('stepUpOption.id', 'No code was requested by this option.');
  if (otp !== undefined && world.now >= it.codeExpires)
    throw new PlatformError(410, 'notAvailable', 'The code has expired.', { source: 'otp' });
  if (it.verifications >= limits.otpAttempts)
    throw new PlatformError(403, 'DECLINED', 'No more verifications of this code are allowed.', { source: 'otp' });
  const isRight = otp === undefined ? issuerAuthCode === issuerCodeOf(world, option) : otp === codeOf(world, it);
  if (isRight)
    return move(world, authentication, 'authentication', { ...it, action: 'AUTHENTICATION_REGISTRATION' }, 'validate');
  throw new PlatformError(400, 'INVALID_DATA', 'The code is wrong.', {
    source: otp === undefined ? 'issuerAuthCode' : 'otp',
    leaves: (then) => then.put('authentication', { ...it, verifications: it.verifications + 1 }),
  });
}

/** The issuer approved the binding in another way: by its app, its customer service or a call (PK-05). */
export function approveBinding(world: World, it: AuthenticationDocument): AuthenticationDocument {
  const approved = move(
    world,
    authentication,
    'authentication',
    { ...it, action: 'AUTHENTICATION_REGISTRATION' },
    'approve',
  );
  publish(world, {
    id: `${String(world.now).padStart(15, '0')}/authentication/${String(world.count('authentication event')).padStart(12, '0')}`,
    at: world.now,
    eventType: 'tms.authentication.binding.approved',
    productId: 'tokenManagement',
    organizationId: it.merchantId,
    payload: { tokenId: it.id, action: 'AUTHENTICATION_REGISTRATION' },
  });
  return approved;
}

/** Opens a ceremony for the iframe. */
export function openCeremony(world: World, tokenId: string, kind: CeremonyDocument['kind']): CeremonyDocument {
  const id = world.uuid('ceremony');
  const challenge = world.derive(`challenge/${id}`).toString('base64url');
  return world.put('ceremony', { id, tokenId, kind, challenge, state: 'open' });
}

/** What the iframe gets to run a ceremony. */
export const contextOf = ({ id, kind, challenge }: CeremonyDocument) => ({
  id,
  endpoint: `/vts-auth/${kind}`,
  payload: challenge,
  platformType: 'WEB',
});

/** The customer went through a ceremony: the device is registered, and a card that waited for its holder is active (D-04). */
export function completeCeremony(world: World, it: CeremonyDocument): CeremonyDocument {
  const begun = world.get('authentication', it.tokenId);
  if (begun !== undefined && it.kind === 'register') {
    const id = passkeyId(it.tokenId, begun.device);
    if (world.get('passkey', id) === undefined) world.put('passkey', { id, counter: 0 });
  }
  const waiting = world.get('card', it.tokenId);
  if (waiting !== undefined && !waiting.verified) verifyCard(world, waiting, true);
  return world.put('ceremony', { ...it, state: 'complete' });
}

/** Letters alone: an id must not look like a number of a card. */
const letters = (bytes: Buffer): string =>
  [...bytes.subarray(0, 12)].map((byte) => String.fromCharCode(97 + (byte % 26))).join('');

const sixDigits = (bytes: Buffer): string => String(bytes.readUIntBE(0, 6) % 1e6).padStart(6, '0');
