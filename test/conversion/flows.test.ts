import { expect, it } from 'vitest';
import { flows } from './flows.ts';

it('converts no payment that nobody chose to convert for that very offer and rate, and makes no money', async () => {
  const { counts, findings } = await flows(400, 4);
  expect(findings).toEqual([]);
  // The flows reach what they are about.
  expect(counts['converted payments']).toBeGreaterThan(50);
  expect(counts['choices of the agent: needs_approval']).toBeGreaterThan(20);
  for (const tool of ['capture_payment', 'refund_capture', 'void_capture', 'void_refund', 'reverse_payment'])
    expect([tool, (counts[`${tool}: done`] ?? 0) > 5]).toEqual([tool, true]);
}, 300_000);
