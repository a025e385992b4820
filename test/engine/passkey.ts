import { agent, order, type Said, type World } from './support.ts';

// Authentications of cards as an agent asks for them, and worlds that have them.

/** Every payment has a reference of its own, so that none is a replay of another. */
let payments = 0;
export const authentication = (more: object = {}) => ({
  ...{ card: 'card_ada', reference: `payment-${++payments}`, payment: { amount: '40.00', currency: 'GBP' } },
  ...more,
});

const begun = async (it: World, card: string): Promise<string> =>
  (await it.call('create_authentication_options', authentication({ card }))).data.authentication;

/** The issuer of Bo's card asks for a step-up. */
export const challenged = (it: World): Promise<string> => begun(it, 'card_bo');

/** The issuer of Cleo's card approves every device. */
export const approvedBinding = (it: World): Promise<string> => begun(it, 'card_cleo');

const app = { ...agent, principal: 'app', role: 'app' } as const;

/** The customer goes through the ceremony of an authentication, and the app posts the result. */
export async function prove(it: World, authentication: string, more: object = {}): Promise<Said> {
  const { card } = (await it.thing(authentication)).body;
  const { instrumentIdentifierId } = (await it.thing(String(card))).body;
  const told = await it.control('POST', `authentications/${instrumentIdentifierId}/ceremony`, {});
  const {
    fidoBlob: data,
    identifier: id,
    rpID: relying_party,
  } = (told as { readonly fidoResponse: Readonly<Record<string, string>> }).fidoResponse;
  const args = { authentication, data, id, relying_party, provider: 'PAYMENT_PASSKEY', ...more };
  return it.call('create_payment_credentials', args, app);
}

/** Has the customer approve a purchase that waits, with a passkey. */
export async function approveByPasskey(it: World, { operation, approval }: Said): Promise<Said> {
  const { card, limit: payment } = order();
  const begun = await it.call('create_authentication_options', authentication({ card, payment, approves: operation }));
  return prove(it, begun.data.authentication, { approval: approval?.id });
}
