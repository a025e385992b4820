/**
 * Whether a name that came back is the one that was sent (D-182). Some platforms cut a long one off, change its case or pad it with
 * blanks. `order-1` is no `order-10` cut off.
 */
export function isEchoOf(told: string, sent: string): boolean {
  const [one, other] = [sent.trim().toLowerCase(), told.trim().toLowerCase()];
  return one === other || (other.length >= shortestCut && one.startsWith(other));
}

/** No bank keeps fewer characters of a merchant's reference. Own reading. */
const shortestCut = 20;
