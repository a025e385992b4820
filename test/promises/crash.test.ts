import { expect, it } from 'vitest';
import type { OperationName } from '../../src/domains/index.ts';
import type { EngineParts } from '../../src/engine/parts.ts';
import { crash, points } from './cycles.ts';

// As long as the machine needs: processes are started and killed, and nothing here depends on how long that takes.
const patience = { timeout: 600_000 };
/** Of each point two, one of each tool; `npm run crash` makes more. */
const cycles = 18;

/** Points after which a crash leaves a request of which nobody can say what became of it. */
const unknowable: readonly string[] = ['F2', 'F3', 'F4', 'F5'];

it('a process that is killed anywhere sends nothing twice and loses nothing', patience, async () => {
  const tallies = await crash({ cycles });
  expect(tallies).toEqual(
    points.map((point) => ({
      point,
      cycles: cycles / points.length,
      duplicates: 0,
      lost: 0,
      parked: unknowable.includes(point) ? cycles / points.length : 0,
    })),
  );
});

it('a Purser that blindly sends again what it finds under way would be caught', patience, async () => {
  const tallies = await crash({ cycles: points.length, restart: sendAgain });
  const duplicates = tallies.map((it) => [it.point, it.duplicates > 0]);
  // Where half of a request was written, sending it again would do no harm: the others tell.
  expect(Object.fromEntries(duplicates)).toMatchObject({ F0: false, F1: false, F4: true, F5: true, F6: false });
});

/** The bug: write-ahead with blind retry. */
async function sendAgain({ ledger, client }: EngineParts): Promise<void> {
  const { rows } = await ledger.transaction('default', (tx) =>
    tx.operations.list({ states: ['SENDING'] }, { limit: 1_000 }),
  );
  for (const { name, request } of rows) {
    const call = client[name as OperationName] as (input: object) => Promise<unknown>; // its input is the stored one
    await call({ ...(request?.names as object), body: request?.body }).catch(() => undefined);
  }
}
