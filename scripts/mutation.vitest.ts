import { defineConfig } from 'vitest/config';

/** The tests that `npm run mutation` runs against each mutant: fast ones, close to what they test. */
const closeTo: { readonly [part: string]: readonly string[] | undefined } = {
  tables: ['test/machines/{cells,mermaid,paths,refusals}.test.ts', 'test/spec/{states,invoice-states}.test.ts'],
  code: [
    'test/guards/*.test.ts',
    'test/contract/{money,currencies}.test.ts',
    'test/client/{describe,card-data}.test.ts',
    'test/engine-unit/*.test.ts',
    'test/engine/{forged,halt,redeem,similar}.test.ts',
  ],
};

export default defineConfig({
  test: {
    include: [...(closeTo[process.env.PURSER_MUTATED ?? 'code'] ?? [])],
    testTimeout: 60_000,
    // Every cell is looked at one by one besides: walking through them costs much and notices nothing more. One database is
    // enough, too.
    testNamePattern: /^(?!.*(random walk|PostgreSQL))/,
  },
});
