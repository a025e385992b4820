import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { PlatformError } from '../../../sandbox/answer.ts';
import type { World } from '../../../sandbox/world.ts';
import { deviceOf, passkeyId } from './authentications.ts';
import type { CeremonyDocument } from './documents.ts';

// A real WebAuthn ceremony between a browser and the sandbox. The library is loaded with the first one.

/** EdDSA, ES256 and RS256, on every runtime: by default the library offers what its runtime can do. */
const supportedAlgorithmIDs = [-8, -7, -257];

/** What the browser is asked for. */
export async function beginCeremony(world: World, it: CeremonyDocument, secureToken: string, origin: string) {
  const { generateAuthenticationOptions, generateRegistrationOptions } = await import('@simplewebauthn/server');
  const rpID = new URL(origin).hostname;
  const challenge = Buffer.from(it.challenge, 'base64url');
  if (it.kind === 'authenticate') {
    const { credentialId } = credentialOf(world, it, secureToken);
    const allowCredentials = [{ id: credentialId }];
    const publicKey = await generateAuthenticationOptions({
      rpID,
      challenge,
      allowCredentials,
      userVerification: 'required',
    });
    return { kind: it.kind, publicKey };
  }
  const publicKey = await generateRegistrationOptions({
    ...{ rpName: 'Sandbox', rpID, challenge, userName: `Card ${it.tokenId.slice(-4)}` },
    userID: new Uint8Array(world.derive(`user/${it.tokenId}`)),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
    supportedAlgorithmIDs,
  });
  return { kind: it.kind, publicKey };
}

/** Verifies what the browser's authenticator signed, and remembers its key. Throws the platform's 400. */
export async function verifyCeremony(
  world: World,
  it: CeremonyDocument,
  secureToken: string,
  origin: string,
  response: { readonly id: string },
): Promise<void> {
  const expected = {
    expectedChallenge: it.challenge,
    expectedOrigin: origin,
    expectedRPID: new URL(origin).hostname,
    requireUserVerification: true,
  };
  try {
    if (it.kind === 'register') await register(world, it, secureToken, response, expected);
    else await authenticate(world, it, secureToken, response, expected);
  } catch (failure) {
    if (failure instanceof PlatformError) throw failure;
    throw new PlatformError(400, 'INVALID_DATA', 'The passkey was not verified.');
  }
}

interface Expected {
  readonly expectedChallenge: string;
  readonly expectedOrigin: string;
  readonly expectedRPID: string;
  readonly requireUserVerification: boolean;
}

async function register(
  world: World,
  it: CeremonyDocument,
  secureToken: string,
  response: object,
  expected: Expected,
): Promise<void> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const verified = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON, // the library checks every member that it reads
    ...expected,
    supportedAlgorithmIDs,
  });
  if (!verified.verified) throw unverified();
  const { id: credentialId, publicKey, counter } = verified.registrationInfo.credential;
  world.put('passkey', {
    id: passkeyId(it.tokenId, deviceOf(world, secureToken)),
    ...{ credentialId, publicKey: Buffer.from(publicKey).toString('base64url'), counter },
  });
}

async function authenticate(
  world: World,
  it: CeremonyDocument,
  secureToken: string,
  response: object,
  expected: Expected,
): Promise<void> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const held = credentialOf(world, it, secureToken);
  const { credentialId: id, counter } = held;
  const publicKey = new Uint8Array(Buffer.from(held.publicKey, 'base64url'));
  const verified = await verifyAuthenticationResponse({
    response: response as AuthenticationResponseJSON, // as above
    ...expected,
    ...embeddedBy(response as AuthenticationResponseJSON),
    credential: { id, publicKey, counter },
  });
  if (!verified.verified) throw unverified();
  world.put('passkey', { ...held, counter: verified.authenticationInfo.newCounter });
}

/** Any page can embed the iframe: the page's origin, which the browser names, is taken as it is. */
function embeddedBy({ response }: AuthenticationResponseJSON): { readonly expectedTopOrigin?: string } {
  const client: unknown = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString('utf8'));
  const { topOrigin } = client as { readonly topOrigin?: string }; // the library checks every member that it reads
  return topOrigin === undefined ? {} : { expectedTopOrigin: topOrigin };
}

/** The passkey that a browser has for a token. A device that only a fixture registers has none. */
function credentialOf(world: World, it: CeremonyDocument, secureToken: string) {
  const held = world.get('passkey', passkeyId(it.tokenId, deviceOf(world, secureToken)));
  if (held?.credentialId === undefined || held.publicKey === undefined)
    throw new PlatformError(409, 'INVALID_STATE', 'This browser has no passkey for the card.');
  return { ...held, credentialId: held.credentialId, publicKey: held.publicKey };
}

const unverified = (): PlatformError => new PlatformError(400, 'INVALID_DATA', 'The passkey was not verified.');
