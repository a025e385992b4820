// The shoppers of a fresh sandbox and their saved cards. Everything is made up: example addresses and unassigned numbers.

const verified = {
  verificationType: 'CARDHOLDER',
  verificationEntity: '10',
  verificationEvents: ['01'],
  verificationMethod: '23',
  verificationResults: '01',
  verificationTimestamp: '1767225600',
} as const;

export type CardHandle = 'card_ada' | 'card_bo' | 'card_cleo' | 'card_cleo_declines' | 'card_dan';

/** A saved card as the merchant's app knows it: token identifiers and what can be displayed. */
export interface SeedCard {
  readonly handle: CardHandle;
  readonly customerId: string;
  readonly instrumentIdentifierId: string;
  readonly paymentInstrumentId: string;
  readonly lastFour: string;
  /** `MM/YYYY`. */
  readonly expires: string;
  /** The first digits, which say who issued it. */
  readonly bin: string;
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
    cards: [seedCard('card_ada', 1, 1, '1111', '12/2031', '40000036', 'credit')],
  },
  shopper_bo: {
    number: 2,
    first: 'Bo',
    last: 'Example',
    device: { type: 'Desktop', brand: 'Example', manufacturer: 'Example', model: 'Desk' },
    cards: [seedCard('card_bo', 2, 2, '2222', '11/2030', '40000392', 'debit')],
  },
  shopper_cleo: {
    number: 3,
    first: 'Cleo',
    last: 'Example',
    device: { type: 'Tablet', brand: 'Example', manufacturer: 'Example', model: 'Slate' },
    cards: [
      seedCard('card_cleo', 3, 3, '3333', '10/2031', '40000978', 'credit'),
      seedCard('card_cleo_declines', 3, 4, '3434', '09/2029', '40000414', 'debit'),
    ],
  },
  shopper_dan: {
    number: 4,
    first: 'Dan',
    last: 'Example',
    device: { type: 'Mobile', brand: 'Example', manufacturer: 'Example', model: 'Two' },
    cards: [seedCard('card_dan', 4, 5, '4444', '08/2031', '40000840', 'credit')],
  },
} as const satisfies { readonly [handle: string]: Person };

/** A shopper session, as the merchant's app registers it in the platform's format. */
export type ShopperSession = ReturnType<typeof session>;
export type ShopperHandle = keyof typeof people;

/** The shopper sessions of a fresh sandbox, by handle. */
export const shoppers = {
  shopper_ada: session(people.shopper_ada),
  shopper_bo: session(people.shopper_bo),
  shopper_cleo: session(people.shopper_cleo),
  shopper_dan: session(people.shopper_dan),
} satisfies { readonly [handle in ShopperHandle]: ShopperSession };

function session({ number, first, last, device, cards }: Person) {
  const email = `${first.toLowerCase()}@example.com`;
  const phone = { countryCallingCode: '44', phoneNumber: `770090000${number}` };
  return {
    displayName: `${first} ${last}`,
    billTo: {
      ...{ country: 'GB', ...phone, email, firstName: first, lastName: last, fullName: `${first} ${last}` },
      ...{ address1: `${number} Example Quay`, administrativeArea: 'Exampleshire' },
      ...{ locality: 'Exampleton', postalCode: 'EX1 1EX' },
    },
    consumerIdentity: { identityType: 'EMAIL_ADDRESS', identityValue: email, identityProvider: 'PARTNER' },
    deviceInformation: {
      applicationName: 'Harbour Audio shop',
      fingerprintSessionId: `fingerprint-session-000${number}`,
      ipAddress: `203.0.113.${10 + number}`,
      deviceData: device,
      userAgent: 'TW96aWxsYS81LjAgKGV4YW1wbGUp',
      country: 'GB',
      clientDeviceId: `example-device-000000000${number}`,
      // What the verification iframe collects in the customer's browser.
      platformType: 'WEB',
      httpAcceptContent: 'text/html',
      httpBrowserLanguage: 'en-GB',
      httpBrowserJavaEnabled: false,
      httpBrowserJavaScriptEnabled: true,
      httpBrowserColorDepth: '24',
      httpBrowserScreenHeight: '900',
      httpBrowserScreenWidth: '1440',
      httpBrowserTimeDifference: '0',
      userAgentBrowserValue: 'Mozilla/5.0 (example)',
    },
    sessionInformation: { secureToken: `browser-session-000${number}` },
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
  bin: string,
  label: SeedCard['label'],
): SeedCard {
  return {
    handle,
    customerId: `FACE00000000000000000000000C000${customer}`,
    instrumentIdentifierId: `FACE00000000000000000000000D000${number}`,
    paymentInstrumentId: `FACE00000000000000000000000E000${number}`,
    lastFour,
    expires,
    bin,
    label,
  };
}
