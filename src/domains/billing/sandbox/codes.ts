import { limits } from '../../../core/limits.ts';
import { PlatformError } from '../../../sandbox/answer.ts';
import type { World } from '../../../sandbox/world.ts';

/** Plans and subscriptions have codes of their own: a plan may be called as a subscription is. */
export type Coded = 'plan' | 'subscription';

const idOf = (coded: Coded, merchantId: string, code: string): string => `${coded}/${merchantId}/${code}`;

/** Gives a thing its code: the one that was asked for, or else the next that is free. Throws the platform's 400 (PL-01). */
export function takeCode(
  world: World,
  coded: Coded,
  merchantId: string,
  asked: string | undefined,
  of: string,
): string {
  const code = asked ?? nextCode(world, coded, merchantId);
  const id = idOf(coded, merchantId, code);
  const field = `${coded}Information.code`;
  if (world.get('billingCode', id) !== undefined)
    throw new PlatformError(400, 'INVALID_DATA', `${field}: the code is already used`, {
      source: field,
      details: [{ field, reason: 'DUPLICATE' }],
    });
  world.put('billingCode', { id, of });
  // A code that the platform makes is no code that somebody specified, but the next one follows it all the same.
  if (canBeFollowed(code)) world.put('lastCode', { id: `${coded}/${merchantId}`, code });
  return code;
}

/** Whether a number of it can be counted on: it ends in one, or has room for one (D-49). */
const canBeFollowed = (code: string): boolean => /\d$/.test(code) || code.length < limits.billingCodeCharacters;

/** Another code for a thing that has one. */
export function changeCode(
  world: World,
  coded: Coded,
  merchantId: string,
  held: string,
  asked: string | undefined,
  of: string,
): string {
  if (asked === undefined || asked === held) return held;
  freeCode(world, coded, merchantId, held);
  return takeCode(world, coded, merchantId, asked, of);
}

export const freeCode = (world: World, coded: Coded, merchantId: string, code: string): void =>
  world.remove('billingCode', idOf(coded, merchantId, code));

/** The next consecutive code after the last one (PL-13) that nothing has yet. */
export function nextCode(world: World, coded: Coded, merchantId: string): string {
  let code = following(world.get('lastCode', `${coded}/${merchantId}`)?.code ?? '0');
  while (world.get('billingCode', idOf(coded, merchantId, code)) !== undefined) code = following(code);
  return code;
}

/** `GOLD-09` → `GOLD-10`. What has no number at its end gets one; what grows too long loses letters of its beginning. */
function following(code: string): string {
  const [, head = '', digits = '0'] = /^(.*?)(\d*)$/.exec(code) ?? [];
  const next = String(BigInt(digits === '' ? '0' : digits) + 1n).padStart(digits.length, '0');
  const room = limits.billingCodeCharacters - next.length;
  return room < 0 ? '1' : `${head.slice(0, room)}${next}`;
}
