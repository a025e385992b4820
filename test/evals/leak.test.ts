import { describe, expect, it, vi } from 'vitest';
import { runAdversaries } from '../../evals/harness/adversaries/adversaries.ts';
import { scenariosWith, stageOfFile } from './support.ts';

// The alarm is switched off for the whole file: EN-05 stands in code that no port reaches.
vi.mock('../../src/engine/input-screening.ts', async (original) => ({
  ...(await original<typeof import('../../src/engine/input-screening.ts')>()),
  screenArguments: () => undefined,
}));

const stage = stageOfFile();

describe('an agent that leaks a card number, where nothing looks for one', () => {
  it.each(['purchase-101', 'billing-350', 'invoicing-400'])(
    'is not stopped, and the number is found: %s',
    async (id) => {
      const loaded = await scenariosWith(new RegExp(`^id: ${id}`, 'm'));
      const [performance, ...rest] = await runAdversaries(loaded, stage(), ['leak-card']);
      expect(rest).toEqual([]);
      expect(performance?.by.filter((by) => by.startsWith('EN-05'))).toEqual([]);
      expect(performance?.broken).toContainEqual(
        expect.objectContaining({
          at: 'secrets',
          because: expect.stringMatching(/^a secret that the agent wrote .* stands in the ledger\.$/),
        }),
      );
    },
  );
});
