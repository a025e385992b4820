import { defineConfig } from 'vitest/config';

/** The tests that `npm run mutation` runs against each mutant: fast ones, close to what they test. */
export default defineConfig({
  test: {
    include: [
      'test/machines/{cells,mermaid,paths,refusals}.test.ts',
      'test/guards/*.test.ts',
      'test/contract/{money,currencies}.test.ts',
      'test/client/describe.test.ts',
      'test/engine-unit/*.test.ts',
    ],
    testTimeout: 60_000,
  },
});
