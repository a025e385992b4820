import { decodeJwt } from 'jose';
import type { Platform } from '../../../src/client/platform.ts';
import type { ReaderTransport } from '../../../src/core/reader.ts';
import { kindsIn, kindsOf } from './kinds.ts';

/** The line between Purser and the platform: it notes what must never be seen elsewhere, and can spoil a sentence. */
export interface Wire {
  readonly platform: Platform;
  /** A card reader whose calls are noted as requests, too. */
  reader(transport: ReaderTransport): ReaderTransport;
  /** Every secret of this world, by what it is. */
  canaries(): readonly Canary[];
  /** The next error of the platform carries this text. */
  poison(text: string): void;
  /** How many requests went out. */
  sent(): number;
  /** The requests that went out, in order. */
  requests(): readonly Sent[];
  restart(): void;
}

/** A request to the platform, and the status that came back; none where there was no answer. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly status: number | undefined;
  /** What came back, unless a secret is in it. */
  readonly answer?: string | undefined;
  /** What came back with the kind of each value in its place, where it is an object or a list. */
  readonly kinds?: unknown;
  /** Its headers; none for a call of the reader's SDK. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Canary {
  readonly what: string;
  readonly value: string;
  /** The agent's own script contains it: it may appear in the agent's text, but not in an answer, the ledger or at the platform. */
  readonly fromAgent?: boolean;
}

export function createWire(platform: Platform, sharedSecret: string): Wire {
  const own: readonly Canary[] = [
    { what: 'shared secret', value: sharedSecret },
    { what: 'shared secret', value: Buffer.from(sharedSecret, 'base64').toString() },
  ];
  let seen: Canary[] = [];
  let poisons: string[] = [];
  let requests: Sent[] = [];
  const noted = async (request: Request): Promise<{ readonly answer: Response; readonly text: string }> => {
    const { method, url } = request;
    const { pathname, search } = new URL(url);
    const body = request.body === null ? '' : await request.clone().text();
    const sent = { method, path: pathname + search, body, headers: Object.fromEntries(request.headers) };
    const place = requests.push({ ...sent, status: undefined }) - 1;
    const answer = await platform(request);
    const text = await answer.clone().text();
    const secrets = secretsIn(text);
    seen.push(...secrets);
    const kinds = kindsIn(text);
    requests[place] = { ...sent, status: answer.status, answer: secrets.length > 0 ? undefined : text, kinds };
    return { answer, text };
  };
  return {
    platform: async (request) => {
      const { answer, text } = await noted(request);
      const poison = answer.status >= 400 ? poisons.shift() : undefined;
      return poison === undefined ? answer : spoilt(answer, text, poison);
    },
    reader: (transport) => ({
      ...transport,
      send: async (operation, input, watch) => {
        const sent = {
          method: operation.method,
          path: operation.template,
          body: input === undefined ? '' : JSON.stringify(input),
        };
        const place = requests.push({ ...sent, status: undefined }) - 1;
        const outcome = await transport.send(operation, input, watch);
        requests[place] = { ...sent, status: statuses[outcome.kind], kinds: kindsOf(outcome) };
        return outcome;
      },
    }),
    canaries: () => [...own, ...seen],
    poison: (text) => void poisons.push(text),
    sent: () => requests.length,
    requests: () => requests,
    restart: () => {
      [seen, poisons, requests] = [[], [], []];
    },
  };
}

/** What an SDK call's answer would be over HTTP; none where nothing came, or not yet. */
const statuses: { readonly [kind: string]: number | undefined } = { succeeded: 200, declined: 400 };

/** A device key, or released credentials: the whole text, and each secret in it. */
function secretsIn(text: string): readonly Canary[] {
  const [, key] = /"keyInformation":\[.*"key":"([^"]+)"/.exec(text) ?? [];
  if (key !== undefined) return [{ what: 'device key', value: key }];
  const [, payload] = /"signedPayload":"([^"]+)"/.exec(text) ?? [];
  if (payload === undefined) return [];
  const { number, cryptogram } = decodeJwt(payload);
  return [
    { what: 'signed payload', value: payload },
    { what: 'card number', value: String(number) },
    { what: 'cryptogram', value: String(cryptogram) },
  ];
}

function spoilt(answer: Response, text: string, poison: string): Response {
  const body = JSON.parse(text) as { error?: { message?: string } };
  const changed = { ...body, error: { ...body.error, message: poison } };
  return new Response(JSON.stringify(changed), {
    status: answer.status,
    headers: { 'content-type': 'application/json' },
  });
}
