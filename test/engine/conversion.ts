import { type World, world } from './support.ts';

// Offers and payments as an agent asks for them, and worlds that have them. Ada's card is billed in AUD.

const price = { amount: '100.00', currency: 'USD' } as const;

/** A rate offer for Ada's card. */
export const offering = (more: object = {}) => ({ card: 'card_ada', reference: 'order-1', price, ...more });

/** A payment in the shop's currency. */
export const paying = (more: object = {}) => ({ card: 'card_ada', reference: 'order-1', price, ...more });

/** The handle of an offer that waits for the customer. */
export const offered = async (it: World, more: object = {}): Promise<string> =>
  (await it.call('offer_conversion', offering(more))).data.offer;

/** The handle of an offer that the customer chose. */
export async function chosen(it: World, more: object = {}): Promise<string> {
  const offer = await offered(it, more);
  await it.through('choose_currency', { offer, currency: 'AUD' });
  return offer;
}

/** The handle of a payment in the card's currency. */
export const converted = async (it: World, more: object = {}): Promise<string> =>
  (await it.through('authorize_payment', { offer: await chosen(it, more), reference: 'order-1', ...more })).data.charge;

/** The handle of a payment in the shop's currency. */
export const authorized = async (it: World, more: object = {}): Promise<string> =>
  (await it.through('authorize_payment', paying(more))).data.charge;

/** The handle of a capture of all of it. */
export const captured = async (it: World, more: object = {}): Promise<string> =>
  (await it.through('capture_payment', { charge: await authorized(it, more) })).data.capture;

/** The handle of a refund of all of it. */
export const refunded = async (it: World, more: object = {}): Promise<string> =>
  (await it.through('refund_capture', { capture: await captured(it, more) })).data.refund;

/** A world whose platform's answers are changed on their way. */
export const altering = (
  // biome-ignore lint/suspicious/noExplicitAny: answers are changed as JSON
  change: (call: string, body: any) => void,
  more: object = {},
): Promise<World> =>
  world({
    ...more,
    replace: {
      platform: (real) => async (request) => {
        const response = await real(request);
        const body = await response.json();
        change(`${request.method} ${new URL(request.url).pathname}`, body);
        return new Response(JSON.stringify(body), response);
      },
    },
  });
