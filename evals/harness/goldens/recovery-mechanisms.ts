import { reportStatuses } from '../../../src/domains/reporting/report-shapes.ts';
import { createEngine, type Engine } from '../../../src/engine/engine.ts';
import { recover } from '../../../src/engine/recover.ts';
import { agentCaller, plainSpec } from '../world/settings.ts';
import type { TestHarness } from '../world/world.ts';
import type { Lines, Mechanisms } from './lines.ts';
import {
  type Alter,
  asAgent,
  eachFrom,
  grouped,
  inWorlds,
  lost,
  onPlain,
  plain,
  replies,
  spoilt,
} from './prepared-worlds.ts';

// What becomes of a call whose answer was lost, of an event and of a report, by whatever the platform says when it is asked.

export async function operationsIn({ parts }: Engine, name: string): Promise<string> {
  const { rows } = await parts.ledger.read(agentCaller.tenant, (tx) => tx.operations.list({}, { limit: 9 }));
  const states = rows.filter((it) => it.name === name).map(({ state }) => state);
  return states.toReversed().join(' ');
}

/** A lease ends at once, as the clock of the database is nobody's here. */
export const withoutLeases: Alter = (parts) => ({
  ...parts,
  ledger: {
    ...parts.ledger,
    claimUnknown: (now, names, holder, _, only) => parts.ledger.claimUnknown(now, names, holder, 0, only),
  },
});

export const invoice = { how: 'draft', total: '40.00', currency: 'USD', due: '2026-03-01', description: 'Repair' };

/** Two invoices are lost, and what is said of the first when both are asked about; at the second time, all is said. */
const askedBack = (harness: TestHarness): Promise<Lines> =>
  eachFrom(
    harness,
    plainSpec,
    (again) =>
      again(
        (parts) => ({
          ...parts,
          client: {
            ...parts.client,
            createInvoice: async (...sent) => {
              await parts.client.createInvoice(...sent);
              throw lost;
            },
          },
        }),
        async (engine) => {
          for (const reference of ['one', 'two']) await asAgent(engine, 'create_invoice', { ...invoice, reference });
        },
      ),
    (again) =>
      grouped([['that it is there', undefined], ...replies] as const, async ([, error]) => {
        let asked = 0;
        const spoils = () => {
          asked += 1;
          return asked === 1 ? error : undefined;
        };
        const alter = spoilt('getInvoice', spoils);
        return again(
          (parts) => withoutLeases(alter(parts)),
          async (engine, passes) => {
            const looks: string[] = [];
            for (const seconds of [119, 1, 300]) {
              passes(seconds);
              await engine.recover();
              looks.push(`${await operationsIn(engine, 'createInvoice')} (${asked} asked)`);
            }
            return looks.join(', then ');
          },
        );
      }),
  );

const tea = { name: 'Tea', reference: 'tea', every: 1, unit: 'month', amount: '10.00', currency: 'GBP', draft: true };
const priceLimits = [{ name: 'prices', tools: ['amend_plan'], currency: 'GBP' as const, total: '100.00', per: [] }];

/** A change of a plan whose answers are lost until this is said, and the same call once more. */
async function repeated(harness: TestHarness): Promise<Lines> {
  let plan: unknown;
  return eachFrom(
    harness,
    { ...plainSpec, limits: priceLimits },
    (again) =>
      again(plain, async (engine) => {
        plan = (await asAgent(engine, 'create_plan', tea)).data?.plan;
      }),
    async (again, { ledger }) => {
      const ends = async (at: number, said: typeof replies): Promise<Lines> => {
        const lines = await grouped(said, async ([, error]) => {
          let sent = 0;
          const spoils = () => {
            sent += 1;
            return sent < at ? lost : sent === at ? error : undefined;
          };
          return again(spoilt('amendPlan', spoils), async (engine, passes) => {
            const told: string[] = [];
            for (let call = 1; call <= at + 1; call += 1) {
              const { outcome, error } = await asAgent(engine, 'amend_plan', {
                plan,
                apply_to: 'NEW',
                amount: '12.00',
              });
              const states = await operationsIn(engine, 'amendPlan');
              const [counted] = await ledger.rows('select minor from budgets');
              if (call >= at)
                told.push([outcome, error?.code ?? '', states, `${counted?.minor} counted`].filter(Boolean).join(' '));
              passes(180);
            }
            return `${told.join(', then ')} (${sent} sent)`;
          });
        });
        return lines.map(([given, comes]) => [`sent ${at === 1 ? 'once' : `${at} times`}: ${given}`, comes]);
      };
      // Others end as one of these.
      const few = [
        '400',
        '401',
        '404',
        '429',
        '400 for its state',
        'unreachable',
        'no-answer',
        'an error of another kind',
      ];
      const some = (most: number) => replies.filter(([what]) => few.slice(0, most).includes(what));
      return [...(await ends(1, replies)), ...(await ends(2, some(few.length))), ...(await ends(3, some(1)))];
    },
  );
}

const delivered = (id: unknown) =>
  JSON.stringify({
    eventType: 'invoicing.customer.invoice.paid',
    ...{ transactionTraceId: 'told', payload: { data: { id } } },
  });
const eventIn = async ({ parts }: Engine) => {
  const { rows } = await parts.ledger.read(agentCaller.tenant, (tx) => tx.events.list({}, { limit: 1 }));
  return rows[0];
};

/** An event about an invoice, of which this is said at first. */
async function told(harness: TestHarness): Promise<Lines> {
  let made: unknown;
  return eachFrom(
    harness,
    plainSpec,
    (again) =>
      again(plain, async (engine) => {
        made = (await asAgent(engine, 'create_invoice', { ...invoice, reference: 'one' })).data?.invoice;
      }),
    async (again) => {
      const states = ([, error, looks = 0]: readonly [string, Error | undefined, looks?: number]): Promise<string> => {
        let isSpoilt = true;
        return again(
          spoilt('getInvoice', () => (isSpoilt ? error : undefined)),
          async (engine, passes) => {
            for (let look = 0; look < looks; look += 1) await asAgent(engine, 'get_invoice', { invoice: made });
            await engine.receiveDelivery(agentCaller.tenant, delivered('one'));
            const ends: string[] = [];
            for (const seconds of [0, 9, 1]) {
              passes(seconds);
              await engine.workEvents();
              const { state, attempts } = (await eventIn(engine)) ?? {};
              ends.push(`${state} ${attempts}`);
              isSpoilt = false;
            }
            return ends.join(', then ');
          },
        );
      };
      const never = () =>
        again(
          spoilt('getInvoice', () => lost),
          async (engine, passes) => {
            await engine.receiveDelivery(agentCaller.tenant, delivered('one'));
            const waits: string[] = [];
            for (let row = await eventIn(engine); row?.state === 'RECEIVED'; row = await eventIn(engine)) {
              const wait = (row.dueAt - engine.parts.ports.clock.now()) / 1_000;
              waits.push(`${wait} s`);
              passes(wait);
              await engine.workEvents();
            }
            return `${waits.join(' ')}: ${(await eventIn(engine))?.state}`;
          },
        );
      const about = ([, id]: readonly [string, unknown]) =>
        again(plain, async (engine) => {
          const result = await engine.receiveDelivery(agentCaller.tenant, delivered(id));
          await engine.workEvents();
          return `${result}, ${(await eventIn(engine))?.state}`;
        });
      const all = [['what it is', undefined], ...replies, ['nothing, until it is paused', lost, 5]] as const;
      return [
        ...(await grouped(all, states)),
        ['nothing, ever', await never()],
        ...(await grouped([['an invoice that is not known', 'two'] as const, ['no invoice', 7] as const], about)),
      ];
    },
  );
}

const month = { from: '2026-01-01T00:00:00Z', until: '2026-02-01T00:00:00Z' };
const rows = { definition: 'TransactionRequestClass', fields: ['Request.RequestID'], format: 'csv' };

/** A report that is in a state, and then made, while somebody waits for it. */
async function waited(harness: TestHarness): Promise<Lines> {
  let report: unknown;
  return eachFrom(
    harness,
    plainSpec,
    async (again, { control }) => {
      await again(plain, (engine) => asAgent(engine, 'request_report', { ...rows, ...month, name: 'January' }));
      await control('POST', 'clock', { advance: 'PT10M' });
      const { data } = await again(plain, (engine) => asAgent(engine, 'list_reports', { ...month, by: 'range' }));
      const reports = data?.items as readonly { readonly report: string }[] | undefined; // by the tool's shape
      report = reports?.[0]?.report;
    },
    (again) =>
      grouped(
        [...reportStatuses, 'RERUN', 'OTHER'].map((state) => [state] as const),
        async ([state]) => {
          const heard: string[] = [];
          const told: string[] = [];
          for (const wait of [false, true]) {
            let looks = 0;
            const alter: Alter = (parts) => ({
              ...parts,
              ports: { ...parts.ports, pause: async (milliseconds) => void heard.push(`${milliseconds} ms`) },
              client: {
                ...parts.client,
                getReport: async (...sent) => {
                  const answer = await parts.client.getReport(...sent);
                  looks += 1;
                  return {
                    ...answer,
                    body: { ...answer.body, reportStatus: looks === 1 ? state : 'COMPLETED' },
                  } as typeof answer;
                },
              },
            });
            const { said, next, data } = await again(alter, (engine) =>
              engine.call('get_report', { report, wait }, agentCaller, {
                onProgress: ({ step, fraction }) => void heard.push(`${step} ${fraction}`),
              }),
            );
            told.push(`${data?.state}: ${said} ${next.join(' ')}`);
          }
          return [told[0], ...heard, ...(told[0] === told[1] ? [] : [told[1]])].join('; ');
        },
      ),
  );
}

const year = 365 * 86_400_000;

/** A call that was lost while the clock was a year ahead, as this process finds it later and later. */
const fromTheFuture =
  (waits: readonly number[]) =>
  (harness: TestHarness): Promise<Lines> =>
    onPlain(harness, async (again) =>
      again(
        (parts) => withoutLeases(spoilt('createInvoice', () => lost)(parts)),
        async ({ parts }, passes) => {
          const { ports } = parts;
          const clock = { now: () => ports.clock.now() + year };
          const ahead = createEngine({ ...parts, ports: { ...ports, clock } });
          await asAgent(ahead, 'create_invoice', { ...invoice, reference: 'one', due: '2028-01-31' });
          const lines: [string, unknown][] = [];
          for (const seconds of waits) {
            passes(seconds);
            await recover(parts);
            const { rows } = await parts.ledger.read(agentCaller.tenant, (tx) => tx.operations.list({}, { limit: 1 }));
            const [row] = rows;
            const quiet = (row?.quietUntil ?? 0) - ports.clock.now();
            lines.push([
              `${seconds} s later`,
              [row?.state, quiet > year / 2 ? 'quiet for long' : `${quiet / 1_000} s`],
            ]);
          }
          return lines;
        },
      ),
    );

export const recoveryMechanisms: Mechanisms = inWorlds({
  'a call of a clock that was a year ahead': fromTheFuture([0, 60, 59, 1, 121]),
  'the same, where the clock is set back or forward': fromTheFuture([0, 60, 60.001, 60, -1, 60, 0, 1, 58, 1]),
  'two lost invoices, by what is said of the first': askedBack,
  'a change of a plan that is repeated until this is said': repeated,
  'an event, by what is said of its thing': told,
  'a report, and the same when it is waited for': waited,
});
