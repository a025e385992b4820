import { jwtVerify, SignJWT } from 'jose';
import { invalid } from '../../../sandbox/answer.ts';
import type { World } from '../../../sandbox/world.ts';
import type { CeremonyDocument } from './documents.ts';

// What a passkey proves, as the iframe hands it on: a token that the sandbox signs for one ceremony of one card.

/** The relying party of every ceremony, Base64URL. */
const relyingPartyId = Buffer.from('sandbox passkeys', 'utf8').toString('base64url');

/** The iframe's name for a device that proved itself. */
const identifierOf = ({ id }: CeremonyDocument): string => `identity-${id}`;

/** The result of a ceremony, under the iframe's names. */
export async function resultOf(world: World, it: CeremonyDocument): Promise<{ readonly [member: string]: string }> {
  const fidoBlob = await new SignJWT({ ceremony: it.id, tokenId: it.tokenId })
    .setProtectedHeader({ alg: 'HS256', typ: 'JOSE', kid: 'sandbox' })
    .sign(key(world));
  return { fidoBlob, identifier: identifierOf(it), rpID: relyingPartyId };
}

interface Identity {
  readonly data: string;
  readonly id: string;
  readonly relyingPartyId: string;
}

/** The ceremonies that the identities of a request prove. Throws the platform's 400 for any other identity. */
export const provenCeremonies = (
  world: World,
  tokenId: string,
  identities: readonly Identity[],
): Promise<readonly CeremonyDocument[]> =>
  Promise.all(identities.map((identity, index) => provenCeremony(world, tokenId, identity, index)));

async function provenCeremony(
  world: World,
  tokenId: string,
  identity: Identity,
  index: number,
): Promise<CeremonyDocument> {
  const unproven = (member: keyof Identity): Error =>
    invalid(`authenticatedIdentities[${index}].${member}`, 'The identity was not authenticated for this card.');
  const claims = await jwtVerify(identity.data, key(world)).then(
    ({ payload }) => payload,
    () => undefined, // a text that the sandbox did not sign
  );
  const ceremony = world.get('ceremony', String(claims?.ceremony));
  if (ceremony === undefined || ceremony.tokenId !== tokenId || claims?.tokenId !== tokenId) throw unproven('data');
  if (identity.id !== identifierOf(ceremony)) throw unproven('id');
  if (identity.relyingPartyId.replace(/=+$/, '') !== relyingPartyId) throw unproven('relyingPartyId');
  return ceremony;
}

const key = (world: World): Uint8Array => world.derive('key of authenticated identities');
