import { describe, expect, it } from 'vitest';
import { PlatformRefusal } from '../../src/client/errors.ts';
import { limits } from '../../src/core/limits.ts';
import { expectClean, json } from './faults.ts';
import { canary, clientOn, confirm, keyText, loopback, rejection } from './support.ts';

const tokenCryptogram = 'AgAAAAAAABk4DWZ4C28yUQAAAAA=';

describe("the platform's no", () => {
  const refused = async (status: number, body: string, headers: { readonly [name: string]: string } = json) => {
    await using server = await loopback((_, response) => response.writeHead(status, { ...headers }).end(body));
    const error = await rejection(confirm(server.client));
    expect(error).toBeInstanceOf(PlatformRefusal);
    expect(server.seen.requests).toBe(1);
    expectClean(error);
    const { effect, status: stated, reason, field, untrustedMessage, retryAfterSeconds } = error as PlatformRefusal;
    return { effect, status: stated, reason, field, untrustedMessage, retryAfterSeconds };
  };
  /** A no that had no effect, and says nothing more than is named here. */
  const no = (status: number, reason: string, more: object = {}) => ({
    ...{ effect: 'none', field: undefined, untrustedMessage: undefined, retryAfterSeconds: undefined },
    ...{ status, reason, ...more },
  });

  it.each([
    ['7', 7],
    ['Sun, 06 Nov 1994 08:50:07 GMT', 30],
    ['Sun, 06 Nov 1994 08:49:00 GMT', 0],
    ['99999999999999999999', 86_400],
    ['soon', undefined],
  ])('429 with Retry-After %s', async (after, retryAfterSeconds) => {
    expect(await refused(429, '', { 'retry-after': after })).toStrictEqual(no(429, 'HTTP 429', { retryAfterSeconds }));
  });

  it('401 with the body that connectors know', async () => {
    expect(await refused(401, '{"response":{"rmsg":"Authentication Failed"}}')).toStrictEqual(
      no(401, 'HTTP 401', { untrustedMessage: 'Authentication Failed' }),
    );
  });

  it('400 of an agent operation', async () => {
    const body = {
      error: {
        status: 'INVALID_REQUEST',
        reason: 'MISSING_FIELD',
        message: 'It is\u0000 missing.',
        detail: { source: 'mandates[0].declineThreshold.amount' },
      },
    };
    expect(await refused(400, JSON.stringify(body))).toStrictEqual(
      no(400, 'MISSING_FIELD', { field: 'mandates[0].declineThreshold.amount', untrustedMessage: 'It is missing.' }),
    );
  });

  it('400 of a billing operation', async () => {
    const body = {
      status: 'INVALID_REQUEST',
      reason: 'UNMODIFIABLE_PAYMENT_SKIP_ATTEMPT_CYCLE: 3',
      message: 'No.',
      details: [{ field: 'paymentInformation.instrumentIdentifier.id', reason: 'INVALID_DATA' }],
    };
    expect(await refused(400, JSON.stringify(body))).toStrictEqual(
      no(400, 'UNMODIFIABLE_PAYMENT_SKIP_ATTEMPT_CYCLE: 3', {
        field: 'paymentInformation.instrumentIdentifier.id',
        untrustedMessage: 'No.',
      }),
    );
  });

  it.each([
    ['DUPLICATE', 'DUPLICATE'],
    ['UNMODIFIABLE_PAYMENT_SKIP_ATTEMPT_CYCLE: 3', 'UNMODIFIABLE_PAYMENT_SKIP_ATTEMPT_CYCLE: 3'],
    // Document 2: a validation message may stand there.
    ['must be text', 'INVALID_DATA'],
    [undefined, 'INVALID_DATA'],
  ])('400 of recurring billing, which says of the field: %s', async (said, reason) => {
    const details = [{ field: 'planInformation.code', reason: said }];
    const body = { status: 'INVALID_REQUEST', reason: 'INVALID_DATA', message: 'No.', details };
    const error = await rejection(clientOn(async () => Response.json(body, { status: 400 })).getPlan({ id: 'p-1' }));
    expect(error).toMatchObject({ reason, field: 'planInformation.code', untrustedMessage: 'No.' });
  });

  it('404 of the token service', async () => {
    const body = { errors: [{ type: 'notFound', message: 'Not found', details: [{ name: 'id', location: 'path' }] }] };
    expect(await refused(404, JSON.stringify(body))).toStrictEqual(
      no(404, 'NOTFOUND', { field: 'id', untrustedMessage: 'Not found' }),
    );
  });

  it.each([500, 502, 503, 504])('%i: nobody knows', async (status) => {
    expect(await refused(status, '<html>', { 'content-type': 'text/html' })).toStrictEqual(
      no(status, `HTTP ${status}`, { effect: 'unknown' }),
    );
  });

  it.each([408, 460, 499])('D-180: %i is of who gave up waiting, and nobody knows', async (status) => {
    expect(await refused(status, '{}')).toStrictEqual(no(status, `HTTP ${status}`, { effect: 'unknown' }));
  });

  it('a no whose body breaks off is still a no', async () => {
    expect(await refused(409, '{"reason": "DUPL')).toStrictEqual(no(409, 'HTTP 409'));
  });

  it('a no that is larger than Purser reads is still a no', async () => {
    expect(await refused(400, JSON.stringify({ reason: ' '.repeat(limits.answerBytes) }))).toStrictEqual(
      no(400, 'HTTP 400'),
    );
  });

  it.each([
    ['a card number', `Card ${canary} is bad`, 'Card * is bad'],
    ['a card number set apart', 'Card 4111-1100 0000.1234 is bad', 'Card * is bad'],
    ['a card number with zero-width characters', [...canary].join('\u200b'), '*'],
    ['a card number in wide digits', '４１１１１１００００００１２３４', '*'],
    ['a card number in digits of another script', 'Card ٤١١١١١١٠٠٠٠٠١٢٣٤', 'Card *'],
    ['a key', `Key ${keyText}!`, 'Key *!'],
    ['a cryptogram', `No: ${tokenCryptogram}`, 'No: *'],
    [
      'a cryptogram where the text is cut',
      `${'word '.repeat(22)}${tokenCryptogram} more`,
      `${'word '.repeat(22)}* more`,
    ],
    ['a cryptogram that begins right before the cut', `${'a'.repeat(117)} ${tokenCryptogram}`, `${'a'.repeat(117)} *`],
    ['a one-time code behind much that is nothing', `${' '.repeat(3_000)}otp 739402`, 'otp ******'],
    ['writing direction and control characters', 'pay\u202e\u0007\r\n\tnow', 'pay now'],
    ['a long text', 'word '.repeat(100), 'word '.repeat(24).trim()],
    ['a path', 'paymentInformation.instrumentIdentifier.id', 'paymentInformation.instrumentIdentifier.id'],
  ])('its words, cut down: %s', async (_, message, untrustedMessage) => {
    expect((await refused(400, JSON.stringify({ message }))).untrustedMessage).toBe(untrustedMessage);
  });

  it.each([
    [{ reason: `CARD ${canary}` }, 'HTTP 400'],
    // Cut down letter by letter, the words around a code would run into each other, and nobody would find it any more.
    [{ reason: 'cryptogram AgAAAAAAABk4DWZ4C28yUQAAAAA=\none-time code 73940261' }, 'HTTP 400'],
    [{ reason: 'one-time code 7394' }, 'HTTP 400'],
    [{ reason: `${'WORD '.repeat(13)}AgAAAAAAABk4DWZ4C28yUQAAAAA` }, 'HTTP 400'],
    [{ reason: '<script>“x”' }, 'HTTP 400'],
    [{ reason: 'A'.repeat(500) }, 'A'.repeat(80)],
    [{ reason: 7, status: 'BADREQUEST' }, 'BADREQUEST'],
    [{ reason: '⚠' }, 'HTTP 400'],
    ['text', 'HTTP 400'],
    [null, 'HTTP 400'],
  ])('its reason, cut down: %j', async (body, reason) => {
    expect((await refused(400, JSON.stringify(body))).reason).toBe(reason);
  });

  it.each([canary, 'a b', 'x'.repeat(121), 'id.4111110000001234', '../x'])('no field for %s', async (field) => {
    expect((await refused(400, JSON.stringify({ details: [{ field }] }))).field).toBeUndefined();
  });
});
