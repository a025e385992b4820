import { createHash } from 'node:crypto';
import { startOf } from './clock.ts';
import type { CardFixture } from './documents.ts';
import type { World } from './world.ts';

// Everybody in a fresh sandbox. All of it is made up: documentation addresses, example domains, numbers nobody has.

const merchant = {
  id: 'harbour_audio_test',
  name: 'Harbour Audio',
  country: 'GB',
  url: 'https://shop.harbour-audio.example.com',
  categoryCode: '5732',
  domainName: 'shop.harbour-audio.example.com',
  language: 'en-GB',
} as const;

/** Where the merchant can be reached, as its invoices say. */
const merchantContact = {
  phone: '+44 20 7946 0018',
  addressDetails: {
    ...{ address1: '1 Example Quay', address2: 'Floor 2', city: 'Exampleton', state: 'EX', country: 'GB' },
    postalCode: 'EX1 1EX',
  },
} as const;

/** What calls of the sandbox are signed with. The secret says itself what it is worth. */
const credentials = {
  merchantId: merchant.id,
  keyId: '00000000-0000-4000-8000-00000000cafe',
  secret: Buffer.from('purser sandbox: this is no secret').toString('base64'),
} as const;

export interface SeedCredentials {
  readonly merchantId: string;
  readonly keyId: string;
  readonly secret: string;
}

/** Another merchant, with a sandbox of its own: what it is known by, and what its ids are derived from. */
export function merchantNamed(name: string): SeedCredentials & { readonly world: number } {
  const digest = createHash('sha256').update(name).digest('hex');
  return {
    merchantId: `${merchant.id}_${name}`,
    keyId: `00000000-0000-4000-8000-${digest.slice(0, 12)}`,
    secret: Buffer.from(`purser sandbox of ${name}: this is no secret`).toString('base64'),
    world: Number.parseInt(digest.slice(0, 8), 16),
  };
}

/** Hosts a signed token may name, without their port. */
const hosts = ['sandbox.purser.test', 'localhost', '127.0.0.1', '[::1]'] as const;

const verified = {
  verificationType: 'CARDHOLDER',
  verificationEntity: '10',
  verificationEvents: ['01'],
  verificationMethod: '23',
  verificationResults: '01',
  verificationTimestamp: '1767225600',
} as const;

type CardHandle = 'card_ada' | 'card_bo' | 'card_cleo' | 'card_cleo_declines' | 'card_dan';

/** A saved card as the merchant's app knows it: token identifiers and what may be shown. */
export interface SeedCard {
  readonly handle: CardHandle;
  readonly customerId: string;
  readonly instrumentIdentifierId: string;
  readonly paymentInstrumentId: string;
  readonly lastFour: string;
  /** `MM/YYYY`. */
  readonly expires: string;
  readonly label: 'credit' | 'debit';
}

interface Person {
  readonly number: number;
  readonly first: string;
  readonly last: string;
  readonly device: {
    readonly type: string;
    readonly brand: string;
    readonly manufacturer: string;
    readonly model: string;
  };
  readonly cards: readonly SeedCard[];
}

const people = {
  shopper_ada: {
    number: 1,
    first: 'Ada',
    last: 'Example',
    device: { type: 'Mobile', brand: 'Example', manufacturer: 'Example', model: 'One' },
    cards: [seedCard('card_ada', 1, 1, '1111', '12/2031', 'credit')],
  },
  shopper_bo: {
    number: 2,
    first: 'Bo',
    last: 'Example',
    device: { type: 'Desktop', brand: 'Example', manufacturer: 'Example', model: 'Desk' },
    cards: [seedCard('card_bo', 2, 2, '2222', '11/2030', 'debit')],
  },
  shopper_cleo: {
    number: 3,
    first: 'Cleo',
    last: 'Example',
    device: { type: 'Tablet', brand: 'Example', manufacturer: 'Example', model: 'Slate' },
    cards: [
      seedCard('card_cleo', 3, 3, '3333', '10/2031', 'credit'),
      seedCard('card_cleo_declines', 3, 4, '3434', '09/2029', 'debit'),
    ],
  },
  shopper_dan: {
    number: 4,
    first: 'Dan',
    last: 'Example',
    device: { type: 'Mobile', brand: 'Example', manufacturer: 'Example', model: 'Two' },
    cards: [seedCard('card_dan', 4, 5, '4444', '08/2031', 'credit')],
  },
} as const satisfies { readonly [handle: string]: Person };

/** How each saved card behaves on the platform, by its handle. */
const behaviour: { readonly [H in CardHandle]: Behaviour } = {
  card_ada: { enrolls: 'active', credentials: 'released', charges: ['paid'] },
  card_bo: { enrolls: 'pending', credentials: 'released', charges: ['declined', 'paid'] },
  card_cleo: { enrolls: 'active', credentials: 'released', charges: ['paid', 'declined'] },
  card_cleo_declines: { enrolls: 'active', credentials: 'declined', charges: ['declined'] },
  card_dan: { enrolls: 'active', credentials: 'asked', charges: ['paid', 'doNotRetry'], network: 'DISCOVER' },
};
type Behaviour = Pick<CardFixture, 'enrolls' | 'credentials' | 'charges' | 'network'>;

/** A shopper session: what the merchant's app registers of who is shopping. */
export type ShopperSession = ReturnType<typeof session>;
export type ShopperHandle = keyof typeof people;

/** The people, cards and keys of a fresh sandbox, in the platform's shapes. */
export const sandboxSeed = {
  merchant,
  merchantContact,
  credentials,
  hosts,
  tokenRequesterId: '40000000000',
  relationshipId: 'sandbox-relationship-0001',
  shoppers: {
    shopper_ada: session(people.shopper_ada),
    shopper_bo: session(people.shopper_bo),
    shopper_cleo: session(people.shopper_cleo),
    shopper_dan: session(people.shopper_dan),
  } satisfies { readonly [handle in ShopperHandle]: ShopperSession },
} as const;

/** Begins a fresh world: its origin, its clock, and everybody in it. */
export function begin(
  world: World,
  seed: number,
  frozenAt: number | null,
  noticeDays?: number,
  { merchantId: id, keyId, secret }: SeedCredentials = credentials,
): void {
  world.put('origin', { id: 'origin', seed, frozenAt, noticeDays });
  world.put('clock', startOf(frozenAt));
  world.put('merchant', { id, name: merchant.name, keyId, secret });
  for (const [id, { cards, ...session }] of Object.entries(sandboxSeed.shoppers)) {
    world.put('shopper', { id, session: { ...session, cards } });
    for (const { handle, instrumentIdentifierId, label, ...saved } of cards)
      world.put('cardFixture', { id: instrumentIdentifierId, ...saved, ...behaviour[handle] });
  }
  for (const payment of earlierPayments) world.put('transaction', payment);
}

/** Payments that customers have made in the shop, which a subscription can follow on. */
const earlierPayments = (['shopper_ada', 'shopper_cleo'] as const).map((handle, index) => ({
  id: `earlier-payment-000${index + 1}`,
  customerId: people[handle].cards[0].customerId,
  networkTransactionId: `network-earlier-000${index + 1}`,
  authorizedAmount: '25.00',
  currency: 'GBP',
}));

function session({ number, first, last, device, cards }: Person) {
  const email = `${first.toLowerCase()}@example.com`;
  const phone = { countryCallingCode: '44', phoneNumber: `770090000${number}` };
  return {
    displayName: `${first} ${last}`,
    billTo: { country: 'GB', ...phone, email, firstName: first, lastName: last, fullName: `${first} ${last}` },
    consumerIdentity: { identityType: 'EMAIL_ADDRESS', identityValue: email, identityProvider: 'PARTNER' },
    deviceInformation: {
      applicationName: 'Harbour Audio shop',
      fingerprintSessionId: `fingerprint-session-000${number}`,
      ipAddress: `203.0.113.${10 + number}`,
      deviceData: device,
      userAgent: 'TW96aWxsYS81LjAgKGV4YW1wbGUp',
      country: 'GB',
      clientDeviceId: `example-device-000000000${number}`,
    },
    assuranceData: [{ ...verified, authenticatedIdentities: { id: `identity-000${number}` } }],
    buyerInformation: { merchantCustomerId: `customer-000${number}`, language: 'en_GB' },
    consentData: [
      {
        id: `consent-000${number}`,
        type: 'PERSONALIZATION',
        source: 'CLIENT',
        acceptedTime: '1767225600',
        effectiveUntil: '4102444800',
      },
    ],
    shipTo: {
      ...{ firstName: first, lastName: last, email },
      ...{ address1: `${number} Example Quay`, locality: 'Exampleton', postalCode: 'EX1 1EX', country: 'GB' },
      ...phone,
    },
    cards,
  } as const;
}

function seedCard(
  handle: CardHandle,
  customer: number,
  number: number,
  lastFour: string,
  expires: string,
  label: SeedCard['label'],
): SeedCard {
  return {
    handle,
    customerId: `FACE00000000000000000000000C000${customer}`,
    instrumentIdentifierId: `FACE00000000000000000000000D000${number}`,
    paymentInstrumentId: `FACE00000000000000000000000E000${number}`,
    lastFour,
    expires,
    label,
  };
}
