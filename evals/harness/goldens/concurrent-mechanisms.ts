import { PlatformRefusal } from '../../../src/client/errors.ts';
import { recordDecision } from '../../../src/engine/approval-service.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { StaleRow } from '../../../src/ledger/errors.ts';
import { createQueue } from '../../../src/ledger/queue.ts';
import type { OperationRow } from '../../../src/ledger/rows.ts';
import { agentCaller, plainSpec } from '../world/settings.ts';
import type { TestHarness } from '../world/world.ts';
import type { Lines, Mechanisms } from './lines.ts';
import { type Alter, asAgent, eachFrom, inWorlds, lost, plain, spoilt } from './prepared-worlds.ts';

// What calls and recoveries do while something else is under way.

const { tenant } = agentCaller;
const person = { tenant, approver: 'pat', channel: 'cli' } as const;
const tea = { name: 'Tea', reference: 'tea', every: 1, unit: 'month', amount: '10.00', currency: 'GBP', draft: false };

/** A call that a person allows where it asks. */
export async function allowed(engine: Engine, tool: string, args: object) {
  const asked = await asAgent(engine, tool, args);
  if (asked.approval === undefined) return asked;
  await recordDecision(engine.parts, asked.approval.id, 'approve', person);
  return asAgent(engine, tool, args);
}

/** Works that are asked for at once, in one lane and in two, and work that asks for more of the queue that it waits in. */
async function queued(): Promise<Lines> {
  const lines: [string, unknown][] = [];
  for (const lanes of [
    ['one', 'one'],
    ['one', 'two'],
  ]) {
    const queue = createQueue('here');
    const steps: string[] = [];
    const work = (name: string) => async () => {
      steps.push(`${name} begins`);
      await new Promise(setImmediate);
      steps.push(`${name} ends`);
    };
    await Promise.all(lanes.map((lane, at) => queue.run(work(`${at}`), lane)));
    lines.push([`lanes ${lanes.join(' and ')}`, steps.join(', ')]);
  }
  const queue = createQueue('here');
  const nested = await queue.run(() => queue.run(async () => 'done')).catch((error: Error) => error.message);
  let later = '';
  await queue.run(async () => {
    setImmediate(() => void queue.run(async () => 'done').then((end) => (later = end)));
  });
  await new Promise(setImmediate);
  await queue.close(async () => undefined);
  const closed = await queue.run(async () => 'done').catch((error: Error) => error.message);
  return [...lines, ['work within work', nested], ['work after it', later], ['work once it is closed', closed]];
}

type Made = readonly [tool: string, args: object];

/** What a second call hears so many seconds after one began on whose end it depends. */
const dependent = (harness: TestHarness): Promise<Lines> => {
  let plan: unknown;
  let another: unknown;
  return eachFrom(
    harness,
    plainSpec,
    (again) =>
      again(plain, async (engine) => {
        plan = (await allowed(engine, 'create_plan', tea)).data?.plan;
        another = (await allowed(engine, 'create_plan', { ...tea, name: 'Coffee', reference: 'coffee' })).data?.plan;
      }),
    async (again) => {
      const amends = (): Made => ['amend_plan', { plan, apply_to: 'NEW', every: 2, unit: 'month' }];
      const subscribes = (): Made => [
        'create_subscription',
        { card: 'card_ada', plan, name: 'Tea for Ada', start: '2026-02-01T09:00:00Z', reference: 'order-1' },
      ];
      const amendsAnother = (): Made => ['amend_plan', { plan: another, apply_to: 'NEW', every: 2, unit: 'month' }];
      const amendsAgain = (): Made => ['amend_plan', { plan, apply_to: 'NEW', every: 3, unit: 'month' }];
      const pairs = [
        ['a subscription while its plan changes', 'amendPlan', amends, subscribes],
        ['a change of a plan while somebody subscribes', 'createSubscription', subscribes, amends],
        ['a change of another plan while somebody subscribes', 'createSubscription', subscribes, amendsAnother],
        ['two changes of a plan', 'amendPlan', amends, amendsAgain],
      ] as const;
      const lines: [string, unknown][] = [];
      for (const [what, operation, first, second] of pairs)
        for (const seconds of [0, 7, 119, 120])
          lines.push([
            `${what}, after ${seconds} s`,
            await again(
              spoilt(operation, () => lost),
              async (engine, passes) => {
                const { outcome, error } = await allowed(engine, ...first());
                passes(seconds);
                const heard = await asAgent(engine, ...second());
                return [
                  ...[outcome, error?.code, 'then', heard.outcome, heard.error?.code, heard.error?.rule],
                  ...[heard.error?.retry, heard.error?.wait, heard.next, heard.operation === undefined ? '' : 'named'],
                ];
              },
            ),
          ]);
      return lines;
    },
  );
};

const invoice = { how: 'draft', total: '40.00', currency: 'USD', due: '2026-03-01', description: 'Repair' };

/** A lost invoice that the platform has not, while another process or a person settles it as it is asked about. */
const settledMeanwhile = (harness: TestHarness): Promise<Lines> =>
  eachFrom(
    harness,
    plainSpec,
    (again) =>
      again(
        spoilt('createInvoice', () => lost),
        (engine) => asAgent(engine, 'create_invoice', { ...invoice, reference: 'one' }),
      ),
    async (again) => {
      const changes: readonly (readonly [what: string, change: Partial<OperationRow>])[] = [
        ['nobody else', {}],
        ['who asks about it, too', { quietUntil: 1 }],
        ['who finds that it happened', { state: 'SUCCEEDED', result: { outcome: 'done', said: 'It is.', next: [] } }],
        ['who finds that it did not', { state: 'FAILED', result: { outcome: 'declined', said: 'No.', next: [] } }],
      ];
      const lines: [string, unknown][] = [];
      for (const [what, change] of changes) {
        const alter: Alter = (parts) => ({
          ...parts,
          client: {
            ...parts.client,
            getInvoice: async () => {
              await parts.ledger.transaction(tenant, async (tx) => {
                const { rows } = await tx.operations.list({}, { limit: 1 });
                const [row] = rows;
                if (row !== undefined && Object.keys(change).length > 0) await tx.operations.update(row, change);
              });
              throw new PlatformRefusal({ status: 404, reason: 'NOT_FOUND' });
            },
          },
        });
        lines.push([
          what,
          await again(alter, async (engine, passes) => {
            passes(600);
            await engine.recover();
            const { rows } = await engine.parts.ledger.read(tenant, (tx) => tx.operations.list({}, { limit: 1 }));
            return rows.map(({ state, version }) => `${state}, version ${version}`);
          }),
        ]);
      }
      return lines;
    },
  );

/** Calls that a crash left behind while they were sent, so many seconds later. */
const leftBehind = (harness: TestHarness): Promise<Lines> => {
  let plan: unknown;
  return eachFrom(
    harness,
    plainSpec,
    (again) =>
      again(plain, async (engine) => {
        plan = (await asAgent(engine, 'create_plan', { ...tea, reference: 'draft', draft: true })).data?.plan;
      }),
    async (again) => {
      const calls = [
        ['create_invoice', 'createInvoice', { ...invoice, reference: 'one' }],
        ['create_plan', 'createPlan', { ...tea, draft: true }],
        ['amend_plan', 'amendPlan', { plan, apply_to: 'NEW', amount: '12.00' }],
      ] as const;
      const lines: [string, unknown][] = [];
      for (const [tool, operation, args] of calls)
        for (const seconds of [59, 60, 119, 120, 600])
          lines.push([
            `${tool}, ${seconds} s later`,
            await again(
              (parts) => {
                const crashed = new Error('The process ends here.');
                const { transaction } = parts.ledger;
                let isSent = false;
                return {
                  ...spoilt(operation, () => {
                    isSent = true;
                    return lost;
                  })(parts),
                  ledger: {
                    ...parts.ledger,
                    // Whatever would be written after it was sent is lost.
                    transaction: (...given: Parameters<typeof transaction>) => {
                      if (!isSent) return transaction(...given);
                      isSent = false;
                      throw crashed;
                    },
                  } as typeof parts.ledger,
                };
              },
              async (engine, passes) => {
                const call = await asAgent(engine, tool, args).catch((error: unknown) => String(error));
                const states = async () => {
                  const { rows } = await engine.parts.ledger.read(tenant, (tx) => tx.operations.list({}, { limit: 1 }));
                  return rows.map(({ state, attempt }) => `${state}, attempt ${attempt}`).join();
                };
                const before = await states();
                passes(seconds);
                const count = await engine.recover();
                return [typeof call === 'string' ? call : call.outcome, before, `${count} given up`, await states()];
              },
            ),
          ]);
      return lines;
    },
  );
};

/** Calls that other writers are always faster than: before they are sent, and as their outcome is recorded. */
const overtaken = (harness: TestHarness): Promise<Lines> =>
  eachFrom(
    harness,
    plainSpec,
    async () => undefined,
    async (again) => {
      const calls = [
        ['create_invoice', { ...invoice, reference: 'one' }],
        ['list_invoices', {}],
        ['withdraw_operation', { operation: 'op_none' }],
      ] as const;
      const lines: [string, unknown][] = [];
      for (const [tool, args] of calls)
        for (const when of ['before it is sent', 'after it was sent']) {
          let isSent = when === 'before it is sent';
          const told: unknown[] = [];
          const alter: Alter = (parts) => {
            const { transaction } = parts.ledger;
            const noted = spoilt('createInvoice', () => {
              isSent = true;
              return undefined;
            })(parts);
            const overtakes = (...given: Parameters<typeof transaction>) =>
              isSent ? Promise.reject(new StaleRow()) : transaction(...given);
            return {
              ...noted,
              ports: { ...parts.ports, onFault: (fault) => told.push(fault) },
              ledger: { ...parts.ledger, transaction: overtakes } as typeof parts.ledger,
            };
          };
          const heard = await again(alter, async (engine) => {
            const { outcome, said, operation, next, error } = await asAgent(engine, tool, args);
            return [outcome, error, operation === undefined ? 'names none' : 'names its operation', said, next];
          });
          lines.push([`${tool}, ${when}`, [heard, `the operator hears of ${told.length}`]]);
        }
      return lines;
    },
  );

export const concurrentMechanisms: Mechanisms = {
  'work in a queue': queued,
  ...inWorlds({
    'a call that a crash left behind': leftBehind,
    'a call that other writers are always faster than': overtaken,
    'a call while another is under way on whose end it depends': dependent,
    'a lost call that somebody else settles while it is asked about': settledMeanwhile,
  }),
};
