import { createHash, createHmac } from 'node:crypto';
import {
  createSandbox,
  type Sandbox,
  type SandboxOptions,
  type ShopperHandle,
  sandboxSeed,
} from '../../src/sandbox/index.ts';

/** 2026-01-15T09:00:00Z: the moment at which every test begins, on both clocks. */
export const start = Date.UTC(2026, 0, 15, 9);
export const host = 'sandbox.purser.test';
export const { credentials } = sandboxSeed;
const { merchant } = sandboxSeed;

/** What a test may bend of a signed request, to see it refused. */
export interface Bend {
  /** Done to the headers after signing. */
  readonly headers?: (headers: Record<string, string>) => void;
  readonly body?: string;
  readonly path?: string;
  readonly claims?: Record<string, unknown>;
  readonly at?: number;
  readonly secret?: string;
  readonly keyId?: string;
  readonly merchantId?: string;
  readonly target?: string;
  readonly list?: string;
  readonly algorithm?: string;
}

const sha = (text: string) => createHash('sha256').update(text).digest('base64');
const hmac = (secret: string, text: string) => createHmac('sha256', Buffer.from(secret, 'base64')).update(text);

/** Signs as a client of the platform does, written apart from the sandbox's own verification. */
export function signed(base: string, method: string, path: string, body: string | undefined, bend: Bend = {}): Request {
  const at = new URL(base).host;
  const merchantId = bend.merchantId ?? credentials.merchantId;
  const values: Record<string, string> = {
    host: at,
    date: new Date(bend.at ?? start).toUTCString(),
    [bend.target ?? 'request-target']: `${method.toLowerCase()} ${path}`,
    ...(body === undefined ? {} : { digest: `SHA-256=${sha(body)}` }),
    'v-c-merchant-id': merchantId,
  };
  const list = bend.list ?? Object.keys(values).join(' ');
  const text = list
    .split(' ')
    .map((name) => `${name}: ${values[name]}`)
    .join('\n');
  const signature = hmac(bend.secret ?? credentials.secret, text).digest('base64');
  const headers: Record<string, string> = {
    host: at,
    date: values.date ?? '',
    'v-c-merchant-id': merchantId,
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': 'Mozilla/5.0',
    ...(body === undefined ? {} : { digest: values.digest ?? '' }),
    signature: `keyid="${bend.keyId ?? credentials.keyId}", algorithm="${bend.algorithm ?? 'HmacSHA256'}", headers="${list}", signature="${signature}"`,
  };
  bend.headers?.(headers);
  return request(base, method, bend.path ?? path, bend.body ?? body, headers);
}

/** The other scheme: a signed token that names the request. */
export function tokened(
  base: string,
  method: string,
  path: string,
  body: string | undefined,
  bend: Bend = {},
): Request {
  const iat = Math.floor((bend.at ?? start) / 1000);
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const merchantId = bend.merchantId ?? credentials.merchantId;
  const claims = {
    ...(body === undefined ? {} : { digest: sha(body), 'digest-algorithm': 'SHA-256' }),
    ...{ iat, exp: iat + 120, 'request-host': new URL(base).host, 'request-resource-path': path },
    ...{ 'request-method': method.toLowerCase(), iss: merchantId, jti: 'jti', 'v-c-jwt-version': '2' },
    'v-c-merchant-id': merchantId,
    ...bend.claims,
  };
  const text = `${encode({ typ: 'JWT', alg: bend.algorithm ?? 'HS256', kid: bend.keyId ?? credentials.keyId })}.${encode(claims)}`;
  const headers: Record<string, string> = {
    authorization: `Bearer ${text}.${hmac(bend.secret ?? credentials.secret, text).digest('base64url')}`,
    'content-type': 'application/json',
  };
  bend.headers?.(headers);
  return request(base, method, bend.path ?? path, bend.body ?? body, headers);
}

const request = (
  base: string,
  method: string,
  path: string,
  body: string | undefined,
  headers: Record<string, string>,
) => new Request(base + path, { method, headers, ...(body === undefined ? {} : { body }) });

export interface Told {
  readonly status: number;
  // A test looks at whatever came.
  // biome-ignore lint/suspicious/noExplicitAny: assertions say what is expected
  readonly body: any;
}

/** A fresh sandbox and the calls that tests make of it. */
export class Bench {
  readonly sandbox: Sandbox;
  wall = start;
  #count = 0;

  constructor(options: Partial<SandboxOptions> = {}) {
    this.sandbox = createSandbox({
      file: ':memory:',
      clock: { now: () => this.wall },
      seed: 7,
      frozenAt: start,
      ...options,
    });
  }

  async send(request: Request): Promise<Told> {
    const response = await this.sandbox.handle(request);
    const written = await response.text();
    return { status: response.status, body: written === '' ? undefined : JSON.parse(written) };
  }

  call(method: string, path: string, body?: unknown): Promise<Told> {
    return this.send(signed(`http://${host}`, method, path, JSON.stringify(body), { at: this.wall }));
  }

  control(method: string, path: string, body?: unknown): Promise<Told> {
    const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
    return this.send(new Request(`http://${host}/sandbox/${path}`, init));
  }

  correlation(): string {
    this.#count += 1;
    return `00000000-0000-4000-8000-${String(this.#count).padStart(12, '0')}`;
  }

  enroll(who: ShopperHandle, change: object = {}, card = 0): Promise<Told> {
    return this.call('POST', '/acp/v1/tokens', {
      ...enrollment(who, card),
      clientCorrelationId: this.correlation(),
      ...change,
    });
  }

  initiate(who: ShopperHandle, change: object = {}): Promise<Told> {
    return this.call('POST', '/acp/v1/instructions', { ...this.intent(who), ...change });
  }

  intent(who: ShopperHandle) {
    const { deviceInformation, assuranceData } = sandboxSeed.shoppers[who];
    return {
      clientCorrelationId: this.correlation(),
      paymentInformation: tokens(who),
      deviceInformation,
      assuranceData,
      mandates: [mandate()],
    };
  }

  /** An open instruction of an enrolled card. */
  async bought(who: ShopperHandle = 'shopper_ada', change: object = {}): Promise<string> {
    await this.enroll(who);
    return (await this.initiate(who, change)).body.instructionId;
  }

  update(id: string, change: object = {}, who: ShopperHandle = 'shopper_ada'): Promise<Told> {
    return this.call('PUT', `/acp/v1/instructions/${id}`, {
      ...this.intent(who),
      mandates: [mandate({ mandateId: 'mandate-2' })],
      ...change,
    });
  }

  cancel(id: string, change: object = {}, who: ShopperHandle = 'shopper_ada'): Promise<Told> {
    const { mandates: _, ...rest } = this.intent(who);
    return this.call('PUT', `/acp/v1/instructions/${id}/cancel`, { ...rest, ...change });
  }

  retrieve(
    id: string,
    change: Record<string, unknown> = {},
    who: ShopperHandle = 'shopper_ada',
    card = 0,
  ): Promise<Told> {
    return this.call('POST', `/acp/v1/instructions/${id}/credentials`, {
      clientCorrelationId: this.correlation(),
      paymentInformation: tokens(who, card),
      transactionData: [transaction(change)],
    });
  }

  confirm(id: string, change: object = {}): Promise<Told> {
    return this.call('POST', `/acp/v1/instructions/${id}/confirmations`, {
      clientCorrelationId: this.correlation(),
      paymentInformation: tokens('shopper_ada'),
      confirmationData: [confirmation(change)],
    });
  }

  /** The state of a card or an instruction, as the world has it. */
  async stateOf(kind: string, id: string): Promise<unknown> {
    const { documents } = await this.sandbox.world.snapshot();
    const found = documents.find((document) => document.kind === kind && document.body.id === id);
    return (found?.body as { state?: string } | undefined)?.state;
  }

  async effects(): Promise<readonly string[]> {
    const { effects } = await this.sandbox.world.snapshot();
    return effects.map(({ operation, status }) => `${operation} ${status}`);
  }
}

export const cardOf = (who: ShopperHandle, card = 0) => {
  const found = sandboxSeed.shoppers[who].cards[card];
  if (found === undefined) throw new Error(`${who} has no card ${card}`);
  return found;
};

export function tokens(who: ShopperHandle, card = 0) {
  const { instrumentIdentifierId, customerId, paymentInstrumentId } = cardOf(who, card);
  return {
    instrumentIdentifier: { id: instrumentIdentifierId },
    customer: { id: customerId },
    paymentInstrument: { id: paymentInstrumentId },
  };
}

export function enrollment(who: ShopperHandle, card = 0) {
  const { billTo, consumerIdentity, deviceInformation, assuranceData, buyerInformation, consentData } =
    sandboxSeed.shoppers[who];
  return {
    ...{ billTo, consumerIdentity, deviceInformation, assuranceData, buyerInformation, consentData },
    paymentInformation: tokens(who, card),
  };
}

export const seconds = (after: number) => String(start / 1000 + after);

export const mandate = (change: object = {}) => ({
  mandateId: 'mandate-1',
  declineThreshold: { amount: '40.00', currencyCode: 'EUR' },
  effectiveUntilTime: seconds(3600),
  description: 'Headphones',
  ...change,
});

const transaction = ({
  amount = '39.90',
  currency = 'EUR',
  merchantName = merchant.name,
  mandateId,
}: Record<string, unknown>) => ({
  clientReferenceInformation: { code: 'order-1' },
  ...(mandateId === undefined ? {} : { mandateReferenceData: [{ mandateId }] }),
  orderInformation: { amountDetail: { totalAmount: amount, currency } },
  merchantInformation: { merchantName, merchantDescriptor: { country: merchant.country, url: merchant.url } },
});

const confirmation = (change: object) => ({
  clientReferenceInformation: { code: 'order-1' },
  processorInformation: { transactionType: 'PURCHASE', transactionStatus: 'APPROVED', ...change },
});
