import { z } from 'zod';
import { isEchoOf } from '../../core/echo.ts';
import { limits } from '../../core/limits.ts';
import { valueAt } from '../../core/members.ts';
import { shortest } from '../../core/money.ts';
import { once } from '../../core/once.ts';
import type { Sealing, SentFor } from '../../core/operation.ts';

/**
 * The part of released credentials that goes into the vault, and for how long. A model sees at most the card's last
 * digits (D-06).
 */
export const sealing: Sealing = {
  lifetimeSeconds: limits.credentialSeconds,
  async open(answer, sent) {
    const body = sealed().safeParse(answer);
    if (!body.success) return undefined;
    const { signedPayload, authorization } = body.data;
    const read = payload().safeParse(await claims(signedPayload));
    if (!read.success || (sent !== undefined && !isOf(read.data, sent))) return { unreadable: ['signedPayload'] };
    const { number, expirationMonth, expirationYear, type } = read.data;
    return {
      shown: {
        lastFour: number.slice(-4),
        expires: `${expirationMonth}/${expirationYear}`,
        type: typeCode.test(type) ? type : 'unknown',
      },
      secret: { ...read.data, signedPayload, authorization },
    };
  },
};

const sealed = once(() => z.looseObject({ signedPayload: z.string(), authorization: z.unknown().optional() }));

/** The fields of a released payload that Purser reads. */
const payload = once(() =>
  z.looseObject({
    number: z.string().regex(/^\d{12,19}$/),
    expirationMonth: z.string().regex(/^\d{2}$/),
    expirationYear: z.string().regex(/^\d{4}$/),
    type: z.string().max(40).default('unknown'),
    cryptogram: z.string(),
  }),
);

/** Where a request has what a payload may say of its payment. */
const detail = (...path: readonly PropertyKey[]) => ['body', 'transactionData', 0, ...path];
const asked: Readonly<Record<string, readonly PropertyKey[]>> = {
  currency: detail('orderInformation', 'amountDetail', 'currency'),
  merchant: detail('merchantInformation', 'merchantName'),
  merchantName: detail('merchantInformation', 'merchantName'),
  mandateId: detail('mandateReferenceData', 0, 'mandateId'),
  instructionId: ['names', 'instructionID'],
};
const askedAmount = detail('orderInformation', 'amountDetail', 'totalAmount');

/** Whether a payload is of the payment that was asked for. What it leaves out contradicts nothing. */
function isOf(told: Readonly<Record<string, unknown>>, sent: SentFor): boolean {
  const isAmount =
    isUnsaid(told.amount) || shortest(String(told.amount)) === shortest(String(valueAt(sent, askedAmount)));
  return (
    isAmount &&
    Object.entries(asked).every(([name, path]) => {
      const [one, other] = [told[name], valueAt(sent, path)];
      return isLeftOut(one) || isLeftOut(other) || isEchoOf(String(one), String(other));
    })
  );
}
const isUnsaid = (value: unknown): boolean => value === undefined || value === null || value === '';
/** A name or code that isn't text can't be compared. An amount in another form is another amount. */
const isLeftOut = (value: unknown): boolean => isUnsaid(value) || typeof value === 'object';

/** A short code without four digits in a row. Any other type is text, which a model would read. */
const typeCode = /^(?!.*\d{4})[A-Za-z0-9_-]{1,20}$/;

/** The claims of a compact JWS; undefined for any other text. */
async function claims(signed: string): Promise<unknown> {
  const { decodeJwt } = await import('jose'); // loaded with the first release, because a start doesn't need it
  try {
    return decodeJwt(signed);
  } catch {
    return undefined; // the error would repeat the secret text
  }
}
