import pg from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Secret } from '../../src/core/secret.ts';
import { folder } from '../ledger/support/databases.ts';
import { ownDatabase } from '../promises/replica-database.ts';
import { countStatements, mandates, stories } from './statements.ts';
import { world } from './support.ts';

/**
 * How many each call takes. Whoever changes a number says why; one that rises needs a reason. One of each look at the platform, and one of each
 * call that changes something there, are about which of the two was first. One of each look is about calls whose outcome isn't known yet.
 */
const counts: Readonly<Record<string, number>> = {
  'a purchase under a mandate': 28,
  'released credentials': 25,
  'a subscription under a mandate': 40,
  'an approved update of an invoice': 39,
  'a look at a purchase': 5,
  'an enrollment': 23,
  'a preview of a purchase': 7,
  'a list that one page holds': 4,
  'a refusal, the first of its kind': 7,
  'a refusal once more': 4,
  'a refusal by a guard, once more': 5,
};
/** On PostgreSQL a transaction says whose it is, and what is verified is of all tenants. */
const rounds: Readonly<Record<string, number>> = {
  'a look at a purchase': 6,
  'a list that one page holds': 5,
  'a refusal once more': 8,
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

  it.each(stories.filter(({ title }) => title in rounds))(
    'on PostgreSQL: $title',
    async ({ title, tool, prepare, outcome }) => {
      const databaseUrl = new Secret(await ownDatabase(`statements_${process.pid}_${title.replaceAll(' ', '_')}`));
      const it = await world({ configure: { data: folder(), databaseUrl, mandates } });
      const args = await prepare(it);
      await it.call('enroll_card', { card: 'card_cleo' });
      const asked = vi.spyOn(pg.Client.prototype, 'query');
      onTestFinished(() => asked.mockRestore());
      expect(await it.call(tool, args)).toMatchObject({ outcome });
      expect({ title, count: asked.mock.calls.length }).toEqual({ title, count: rounds[title] });
    },
  );
});
