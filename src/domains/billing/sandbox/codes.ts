import { limits } from '../../../core/limits.ts';
import { PlatformError } from '../../../sandbox/answer.ts';
import type { World } from '../../../sandbox/world.ts';

/** Plans and subscriptions have separate codes: a plan and a subscription may have the same one. */
export type Coded = 'plan' | 'subscription';

const idOf = (coded: Coded, merchantId: string, code: string): string => `${coded}/${merchantId}/${code}`;

/** Assigns a code: the requested one, or else the next free one. Throws the platform's 400 if it is taken (PL-01). */
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
  // The next code follows this one, whether the merchant specified it or the platform generated it.
  if (canBeFollowed(code)) world.put('lastCode', { id: `${coded}/${merchantId}`, code });
  return code;
}

/** Whether a next code can be derived: the code ends in a number, or has room for one (D-49). */
const canBeFollowed = (code: string): boolean => /\d$/.test(code) || code.length < limits.billingCodeCharacters;

/** Replaces a code. */
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

/** The next free code after the last one (PL-13). */
export function nextCode(world: World, coded: Coded, merchantId: string): string {
  let code = following(world.get('lastCode', `${coded}/${merchantId}`)?.code ?? '0');
  while (world.get('billingCode', idOf(coded, merchantId, code)) !== undefined) code = following(code);
  return code;
}

/** `GOLD-09` → `GOLD-10`. A code without a number at its end gets one; a code that grows too long is cut at its start. */
function following(code: string): string {
  const [, head = '', digits = '0'] = /^(.*?)(\d*)$/.exec(code) ?? [];
  const next = String(BigInt(digits === '' ? '0' : digits) + 1n).padStart(digits.length, '0');
  const room = limits.billingCodeCharacters - next.length;
  return room < 0 ? '1' : `${head.slice(0, room)}${next}`;
}
