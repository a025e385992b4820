/** A time without an offset, in ISO 8601 with T or a space. */
const bare = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/;

/**
 * A time of the platform, in milliseconds; NaN for any other text. One without an offset is in UTC (D-163): `Date.parse` would read it
 * in the time zone of the machine.
 */
export const platformTime = (text: string): number => Date.parse(bare.test(text) ? `${text}Z` : text);
