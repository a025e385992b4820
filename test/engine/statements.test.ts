import { describe, expect, it, onTestFinished } from 'vitest';
import { folder } from '../ledger/support/databases.ts';
import { countStatements, mandates, stories } from './statements.ts';
import { world } from './support.ts';

/**
 * How many each call takes. Whoever changes a number says why; one that rises needs a reason. One of each look at the platform, and one of each
 * call that changes something there, are about which of the two was first. One of each look is about calls whose outcome isn't known yet.
 */
const counts: Readonly<Record<string, number>> = {
  'a purchase under a mandate': 29,
  'released credentials': 26,
  'a subscription under a mandate': 41,
  'an approved update of an invoice': 40,
  'a look at a purchase': 6,
  'an enrollment': 24,
  'a preview of a purchase': 8,
  'a list that one page holds': 5,
  'a refusal, the first of its kind': 8,
  'a refusal once more': 5,
  'a refusal by a guard, once more': 6,
};

describe('the ledger answers with few statements', () => {
  it.each(stories)('$title', async ({ title, tool, prepare, outcome }) => {
    const statements = countStatements();
    onTestFinished(statements.restore);
    const it = await world({ configure: { data: folder(), mandates } });
    const args = await prepare(it);
    // The first call of a process verifies the ledger.
    await it.call('enroll_card', { card: 'card_cleo' });
    const count = await statements.of(async () => {
      expect(await it.call(tool, args)).toMatchObject({ outcome });
    });
    expect({ title, count }).toEqual({ title, count: counts[title] });
  });
});
