import { SignJWT } from 'jose';
import type { World } from '../../../sandbox/world.ts';
import { tokenNumber } from '../../purchase/sandbox/credentials.ts';
import { commerceIndicators } from '../payment-shapes.ts';

/** Bytes of a cryptogram, before Base64. */
const cryptogramBytes = 20;

/** Expiry of a token whose card has no fixture. */
const farExpiry = '12/2035';

/** The payment credentials of a token, once. They are not stored: the same world gives the same text. */
export function tokenCredentials(world: World, tokenId: string) {
  const fixture = world.get('cardFixture', tokenId);
  const eci = fixture?.liability === 'kept' ? '07' : '05';
  const [expirationMonth, expirationYear] = (fixture?.expires ?? farExpiry).split('/');
  const suffix = fixture?.lastFour ?? '0000';
  const nonce = `${tokenId}/${world.count('payment credentials')}`;
  return {
    _links: { self: { href: `/tms/v2/tokens/${tokenId}/payment-credentials` } },
    tokenizedCard: {
      ...{ state: 'ACTIVE', enrollmentId: `enrollment-${tokenId}`, tokenReferenceId: `reference-${tokenId}` },
      ...{ number: tokenNumber(world, tokenId), expirationMonth, expirationYear, type: '001' },
      cryptogram: world.derive(`token cryptogram/${nonce}`).subarray(0, cryptogramBytes).toString('base64'),
      ...{ eci, requestorId: 'sandbox-requestor' },
      card: { suffix, expirationMonth, expirationYear },
    },
    card: { number: `************${suffix}` },
    issuer: { paymentAccountReference: `account-${tokenId}` },
    processingInformation: {
      authorizationOptions: {
        initiator: { merchantInitiatedTransaction: { previousTransactionId: `previous-${world.count('previous')}` } },
      },
      commerceIndicator: commerceIndicators[eci],
    },
  };
}

/** The same as a compact JWS, signed with the sandbox's own key. */
export const signedCredentials = (world: World, released: ReturnType<typeof tokenCredentials>): Promise<string> =>
  new SignJWT({ ...released })
    .setProtectedHeader({ alg: 'HS256', typ: 'JOSE', kid: 'sandbox' })
    .sign(world.derive('key of payment credentials'));
