import { isCurrency, numericCode } from '../../core/currencies.ts';

// How options and registration write what everything else calls by its plain name (PK-02).

/** The numeric code of a currency's alphabetic one. Any other text stays, and the contract's shape refuses it. */
export const numeric = (code: string): string => (isCurrency(code) ? numericCode(code) : code);

/** Text as UTF-8 in Base64. */
export const inBase64 = (plain: string): string => Buffer.from(plain, 'utf8').toString('base64');
