import type { ErrorFormat } from '../core/error-format.ts';
import { limits } from '../core/limits.ts';
import { valueAt } from '../core/members.ts';
import { withoutSecrets } from '../core/secret-leaves.ts';
import { otherErrorPaths } from '../domains/errors.ts';
import { isReason } from '../domains/index.ts';
import { masked } from '../screening/mask.ts';
import { PlatformRefusal } from './errors.ts';
import type { Clock } from './signing.ts';

/** Characters of a reason, and the longest Retry-After in seconds. Own choices. */
const reasonCharacters = 80;
const longestWaitSeconds = 86_400;

/** The platform's error response: a short code, a field and a message, each reduced to what is safe to show. */
export function refusal(
  format: ErrorFormat,
  response: Response,
  body: unknown,
  clock: Clock,
  secrets: readonly string[] = [],
): PlatformRefusal {
  const { status } = response;
  const isDocumented = format.schema.safeParse(body).success;
  const paths = isDocumented ? format.paths : otherErrorPaths;
  // Secrets go before a text is screened or cut: either may leave a part of one that is no longer found.
  const said = (at: readonly string[]): string => withoutSecrets(first(body, at), secrets);
  return new PlatformRefusal({
    ...{ status, isDocumented },
    reason: knownIn(body, paths.reason) ?? reasonIn(said(paths.reason)) ?? `HTTP ${status}`,
    field: fieldIn(said(paths.field)),
    untrustedMessage: messageIn(said(paths.message)),
    retryAfterSeconds: waitIn(response.headers.get('retry-after'), clock),
  });
}

/** The first reason that is one of the platform's codes: what stands beside a field can be a text, too. */
const knownIn = (body: unknown, paths: readonly string[]): string | undefined =>
  paths.map((path) => reasonIn(first(body, [path]))).find((it) => it !== undefined && isReason(it));

const first = (body: unknown, paths: readonly string[]): string =>
  paths.map((path) => valueAt(body, stepsOf(path))).find((it): it is string => typeof it === 'string' && it !== '') ??
  '';

/** `details[].field` leads to the first element of the list. */
const stepsOf = (path: string): readonly string[] => path.replaceAll('[]', '.0').split('.');

/**
 * A code: letters, digits and some punctuation, without long numbers. Undefined for anything else: a sentence reduced
 * to a code would keep its meaning and evade the screening for secrets.
 */
const reasonIn = (text: string): string | undefined =>
  codeShape.test(text) && !masked(text).includes('*') ? text.toUpperCase().slice(0, reasonCharacters) : undefined;

const codeShape = /^(?!.*\d{4})[A-Za-z][\w .:-]*$/;

/** A path such as `details[0].amount`, without blanks and long numbers. Undefined for anything else. */
const fieldIn = (text: string): string | undefined => /^(?=.{1,120}$)(?!.*\d{4})[A-Za-z][\w.[\]-]*$/.exec(text)?.[0];

const messageIn = (text: string): string | undefined =>
  [...masked(text)].slice(0, limits.untrustedCharacters).join('').trim() || undefined;

/** Seconds of a Retry-After header, which is a number of seconds or a date (RFC 9110, 10.2.3). */
function waitIn(header: string | null, clock: Clock): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - clock.now()) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), longestWaitSeconds);
}
