import { z } from 'zod';
import {
  amount,
  blob,
  device,
  digits,
  encoded,
  entered,
  fixed,
  model,
  platform,
  secret,
  server,
  shopper,
  text,
  under,
} from '../../core/fields.ts';
import { limits } from '../../core/limits.ts';
import { once } from '../../core/once.ts';
import { inBase64, numeric } from './codecs.ts';

// The shapes of tokenized card authentication: document 1, "Device information object" to "Payment credentials".

/** Any text of the caller's: only the request shape of an enrollment shows a UUID. */
export const correlationId = server(text, 'new.correlationId');

/** The eleven fields of the customer's browser. The iframe collects them (`iframe.ts`). */
export const deviceInformation = once(() =>
  z.looseObject({
    platformType: device(text),
    ipAddress: device(z.union([z.ipv4(), z.ipv6()])),
    httpAcceptContent: device(blob),
    httpBrowserLanguage: device(text),
    httpBrowserJavaEnabled: device(z.boolean()),
    httpBrowserJavaScriptEnabled: device(z.boolean()),
    httpBrowserColorDepth: device(digits),
    httpBrowserScreenHeight: device(digits),
    httpBrowserScreenWidth: device(digits),
    httpBrowserTimeDifference: device(z.string().regex(/^[+-]?\d{1,4}$/, 'must be signed integer text')),
    userAgentBrowserValue: device(blob),
  }),
);

/** The iframe's session. It is made in the customer's browser. */
export const sessionInformation = once(() => z.looseObject({ secureToken: device(blob) }));

export const authenticatorRenderMethod = fixed('IFRAME');

const base64 = z.base64().min(4).max(limits.blobCharacters);
const numericCurrency = z.string().regex(/^\d{3}$/, 'must be the three digits of an ISO 4217 currency');

/** In options and registration the currency is numeric and the merchant Base64; in payment credentials neither is (PK-02). */
export const encodedMerchant = once(() =>
  z.looseObject({
    merchantDescriptor: z.looseObject({
      name: encoded(server(base64, 'merchant.name'), inBase64),
      url: encoded(server(base64, 'merchant.url'), inBase64),
    }),
  }),
);
export const optionsAmount = once(() =>
  z.looseObject({
    totalAmount: model(amount),
    currency: encoded(model(numericCurrency), numeric),
  }),
);
export const registrationAmount = once(() =>
  z.looseObject({
    totalAmount: server(amount, 'authentication.amount'),
    currency: encoded(server(numericCurrency, 'authentication.currency'), numeric),
  }),
);

/** The text that the iframe needs to authenticate or to register. */
export const authenticationContext = once(() =>
  z.looseObject({
    id: platform(text),
    endpoint: platform(blob),
    payload: platform(blob),
    platformType: platform(text).optional(),
  }),
);

/** The three methods for which a code is sent. */
export const codeMethods = ['OTP_SMS', 'OTP_EMAIL', 'OTP_ONLINE_BANKING'] as const;
/** The three that finish by a notification. */
export const otherMethods = ['APP_TO_APP', 'CUSTOMER_SERVICE', 'OUTBOUND_CALL'] as const;

export const stepUpOption = once(() =>
  z.looseObject({
    method: platform(z.enum([...codeMethods, ...otherMethods])),
    value: platform(blob).optional(),
    source: platform(blob).optional(),
    id: platform(text),
    requestPayload: platform(blob).optional(),
    platformType: platform(text).optional(),
    subMethod: platform(text).optional(),
  }),
);

export const actions = ['AUTHENTICATE', 'STEP_UP_AUTHENTICATE', 'AUTHENTICATION_REGISTRATION'] as const;

/** With padding or without, as encoders differ. */
const base64Url = z
  .string()
  .regex(/^[A-Za-z0-9_-]+={0,2}$/, 'must be Base64URL')
  .max(limits.textCharacters);

/** What the customer's passkey proved. It goes from a page, or the merchant's app, straight to the platform. Purser sends one. */
export const authenticatedIdentities = once(() =>
  z
    .array(
      z.looseObject({
        data: under('PK-09', secret(entered(blob), { stored: false })),
        id: under('PK-09', entered(text)),
        provider: under('PK-09', entered(text)),
        relyingPartyId: under('PK-09', entered(base64Url)),
        userAuthenticationMethod: entered(text).optional(),
      }),
    )
    .min(1)
    .max(limits.arrayElements),
);

/** The billing address of a payment. Countries without address information have no locality (PK-10). */
export const billTo = once(() =>
  z.looseObject({
    address1: shopper(text, 'billTo.address1'),
    administrativeArea: shopper(text, 'billTo.administrativeArea'),
    country: shopper(z.string().regex(/^[A-Z]{2}$/, 'must be two capital letters'), 'billTo.country'),
    email: shopper(text, 'billTo.email'),
    firstName: shopper(text, 'billTo.firstName'),
    lastName: shopper(text, 'billTo.lastName'),
    locality: shopper(text, 'billTo.locality').optional(),
    postalCode: shopper(text, 'billTo.postalCode'),
  }),
);
