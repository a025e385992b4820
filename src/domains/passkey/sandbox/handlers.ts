import { currencies, isCurrency } from '../../../core/currencies.ts';
import { limits } from '../../../core/limits.ts';
import { type Money, money, moneyFault, sameMoney } from '../../../core/money.ts';
import { invalid, move, PlatformError } from '../../../sandbox/answer.ts';
import type { HandlersOf } from '../../../sandbox/domain.ts';
import type { passkey as operations } from '../contract.ts';
import { authentication, isBindingApproved } from '../machines.ts';
import {
  actionFor,
  begun,
  contextOf,
  demandToken,
  deviceOf,
  offeredOption,
  openCeremony,
  requestCode,
  stepUpOptions,
  verifyCode,
} from './authentications.ts';
import type { AuthenticationDocument } from './documents.ts';
import { provenCeremonies } from './identities.ts';
import { signedCredentials, tokenCredentials } from './token-credentials.ts';

/** The five operations of document 1. A rule marked P in the rule book is enforced here, by a shape or by the machine. */
export const handlers: HandlersOf<typeof operations> = {
  createAuthenticationOptions({ path: { tokenId }, body, merchant }, world) {
    demandToken(world, tokenId, merchant);
    const { totalAmount: amount, currency } = body.orderInformation.amountDetails;
    sumOf(amount, alphabetic(currency));
    const device = deviceOf(world, body.sessionInformation.secureToken);
    const held = world.get('authentication', tokenId);
    // A binding that the issuer has approved stays approved for its device.
    const isApproved = held?.device === device && isBindingApproved(held.state);
    const action = isApproved ? 'AUTHENTICATION_REGISTRATION' : actionFor(world, tokenId, device);
    const ceremony = action === 'AUTHENTICATE' ? openCeremony(world, tokenId, 'authenticate') : undefined;
    const it: AuthenticationDocument = {
      ...{ id: tokenId, state: 'none', action, merchantId: merchant.id, amount, currency, device },
      createdAt: world.now,
      stepUpOptions: action === 'STEP_UP_AUTHENTICATE' ? stepUpOptions(world, tokenId) : [],
      ...{ requests: 0, option: '', codeNumber: 0, codeExpires: 0, verifications: 0, ceremony: ceremony?.id ?? '' },
    };
    const made = move(world, authentication, 'authentication', it, 'options');
    return {
      status: 200,
      entity: tokenId,
      body: {
        action,
        ...(ceremony === undefined ? {} : { authenticationContext: contextOf(ceremony) }),
        ...(made.stepUpOptions.length === 0 ? {} : { stepUpOptions: made.stepUpOptions }),
      },
    };
  },

  createOneTimePassword({ path: { tokenId }, body, merchant }, world) {
    const it = begun(world, tokenId, merchant);
    const { codeExpires } = requestCode(world, it, offeredOption(it, body.stepUpOption.id));
    return {
      status: 200,
      entity: tokenId,
      body: {
        maxRequestsAllowed: limits.otpRequests,
        maxVerificationAllowed: limits.otpAttempts,
        codeExpiration: codeExpires / 1000,
      },
    };
  },

  validateAuthenticationCode({ path: { tokenId }, body, merchant }, world) {
    const it = begun(world, tokenId, merchant);
    const { action } = verifyCode(world, it, body, offeredOption(it, body.stepUpOption.id));
    return { status: 200, entity: tokenId, body: { action } };
  },

  createAuthenticationRegistration({ path: { tokenId }, merchant }, world) {
    const it = begun(world, tokenId, merchant);
    const ceremony = openCeremony(world, tokenId, 'register');
    move(world, authentication, 'authentication', { ...it, ceremony: ceremony.id }, 'register');
    return { status: 200, entity: tokenId, body: { authenticationContext: contextOf(ceremony) } };
  },

  async createPaymentCredentials({ path: { tokenId }, body, merchant }, world) {
    const it = begun(world, tokenId, merchant);
    const { amountDetails, billTo } = body.orderInformation;
    const asked = sumOf(amountDetails.totalAmount, amountDetails.currency);
    if (!sameMoney(asked, sumOf(it.amount, alphabetic(it.currency))))
      throw invalid('orderInformation.amountDetails.totalAmount', 'The customer authenticated for another amount.');
    if (billTo.locality === undefined && !withoutAddresses.includes(billTo.country))
      throw new PlatformError(400, 'MISSING_FIELD', 'The country has billing addresses.', {
        source: 'orderInformation.billTo.locality',
      });
    const proven = await provenCeremonies(world, tokenId, body.authenticatedIdentities);
    const ceremony = proven.find(({ id, state }) => state === 'complete' && id === it.ceremony);
    if (ceremony === undefined)
      throw new PlatformError(403, 'DECLINED', 'The customer has not authenticated for this payment.');
    move(world, authentication, 'authentication', it, 'release');
    world.put('ceremony', { ...ceremony, state: 'used' });
    const released = tokenCredentials(world, tokenId);
    return { status: 200, entity: tokenId, body: released, signed: await signedCredentials(world, released) };
  },
};

/** Countries without billing address information (D-63). */
const withoutAddresses: readonly string[] = ['AE', 'BS', 'HK', 'QA'];

/** The alphabetic code of a numeric one. Throws the platform's 400 (PK-02). */
function alphabetic(numeric: string): string {
  const found = currencies.find((it) => it.numeric === numeric);
  if (found === undefined) throw invalid('orderInformation.amountDetails.currency', 'The currency does not exist.');
  return found.code;
}

/** An amount with the decimals of its currency. Throws the platform's 400. */
function sumOf(amount: string, currency: string): Money {
  const fault = moneyFault(amount, currency);
  if (fault !== null || !isCurrency(currency))
    throw invalid('orderInformation.amountDetails.totalAmount', fault ?? 'The currency does not exist.');
  return money(amount, currency);
}
