/** Lists within lists, without recursion. */
export const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
