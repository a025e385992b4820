import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/ledger/support/global.ts', 'test/clients/announce.ts'],
    // Every core: a worker waits for its children more often than it computes.
    maxWorkers: '100%',
    // Anchors of test ledgers stay out of the user's own state folder.
    env: { XDG_STATE_HOME: join(tmpdir(), 'purser-test-state') },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
