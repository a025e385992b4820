import { decodeJwt } from 'jose';
import { z } from 'zod';
import { PlatformFault } from '../client/errors.ts';

/** What a released payload carries, as far as Purser reads it. */
const payload = z.looseObject({
  number: z.string().regex(/^\d{12,19}$/),
  expirationMonth: z.string().regex(/^\d{2}$/),
  expirationYear: z.string().regex(/^\d{4}$/),
  type: z.string().max(40).default('unknown'),
  cryptogram: z.string(),
});

/** A short code without a number of four digits: whatever else the platform calls a type is text, which a model would read. */
const typeCode = /^(?!.*\d{4})[A-Za-z0-9_-]{1,20}$/;

/** Released credentials, parted at once into what may be seen and what goes into the vault. */
export interface Opened {
  readonly shown: { readonly lastFour: string; readonly expires: string; readonly type: string };
  readonly secret: { readonly [field: string]: unknown };
}

/** Opens the signed payload of a credentials answer (D-06). A payload that can't be read is a wrong shape. */
export function credentialsFrom(signedPayload: string): Opened {
  const read = payload.safeParse(claims(signedPayload));
  if (!read.success) throw new PlatformFault('wrong-shape', { paths: ['signedPayload'] });
  const { number, expirationMonth, expirationYear, type } = read.data;
  const shownType = typeCode.test(type) ? type : 'unknown';
  return {
    shown: { lastFour: number.slice(-4), expires: `${expirationMonth}/${expirationYear}`, type: shownType },
    secret: { ...read.data, signedPayload },
  };
}

/** The claims of a compact JWS; nothing where the text is none. */
function claims(signed: string): unknown {
  try {
    return decodeJwt(signed);
  } catch {
    return undefined; // the text itself is secret, so what was wrong with it is not told
  }
}
