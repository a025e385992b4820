import { SignJWT } from 'jose';
import type { CardFixture } from '../../../sandbox/documents.ts';
import { tokenRange } from '../../../sandbox/kept-body.ts';
import { luhnDigit } from '../../../sandbox/luhn.ts';
import type { World } from '../../../sandbox/world.ts';
import type { InstructionDocument, Release } from './documents.ts';

/** Expiry of a token whose card has no fixture. */
const farExpiry = '12/2035';
/** Bytes of a cryptogram, before Base64. */
const cryptogramBytes = 20;

/**
 * The payment credentials of one release, as a JWS signed with the sandbox's own key (D-06). They are not stored: the same
 * world and the same count of releases give the same text.
 */
export async function signedPayload(
  world: World,
  it: InstructionDocument,
  release: Release,
  fixture: CardFixture | undefined,
): Promise<string> {
  const [expirationMonth, expirationYear] = (fixture?.expires ?? farExpiry).split('/');
  const nonce = `${it.id}/${world.count('release')}`;
  return new SignJWT({
    number: tokenNumber(world, it.cardId),
    expirationMonth,
    expirationYear,
    type: '001',
    cryptogram: world.derive(`cryptogram/${nonce}`).subarray(0, cryptogramBytes).toString('base64'),
    eci: it.authenticated ? '05' : '07',
    amount: release.totalAmount,
    currency: release.currency,
    merchant: release.merchantName,
    mandateId: release.mandateId,
    instructionId: it.id,
  })
    .setProtectedHeader({ alg: 'HS256', typ: 'JOSE', kid: 'sandbox' })
    .sign(world.derive('key of payment credentials'));
}

/** The token number of a card: 16 digits of the test range that pass the Luhn check, always the same for a card. */
export function tokenNumber(world: World, cardId: string): string {
  const middle = (world.derive(`token/${cardId}`).readUIntBE(0, 6) % 1e9).toString().padStart(9, '0');
  const body = tokenRange + middle;
  return body + luhnDigit(body);
}
