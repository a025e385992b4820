import { limits } from '../../../src/core/limits.ts';
import type { Operation } from '../../../src/core/operation.ts';
import type { InProgress, Outcome } from '../../../src/core/outcome.ts';
import { transactionStatuses } from '../../../src/domains/device/statuses.ts';
import { recordDecision } from '../../../src/engine/approval-service.ts';
import { createPlatformSlots } from '../../../src/engine/platform-slots.ts';
import { recover, recoverReader } from '../../../src/engine/recover.ts';
import { settleUnknown } from '../../../src/engine/settle-unknown.ts';
import { agentCaller, plainSpec } from '../world/settings.ts';
import type { TestHarness } from '../world/world.ts';
import type { Lines, Mechanisms } from './lines.ts';
import { type Alter, asAgent, eachFrom, grouped, inWorlds } from './prepared-worlds.ts';
import { invoice, operationsIn, withoutLeases } from './recovery-mechanisms.ts';

// What becomes of a charge at the card reader whose answer was lost.

const declined = (code: 'NOT_FOUND' | 'DECLINED' | 'UNAUTHORIZED' | 'CANCELLED'): Outcome => ({
  ...{ kind: 'declined', code, reason: 'failure' },
});
const saidByReader: readonly (readonly [what: string, says: (real: Outcome) => Outcome])[] = [
  ...transactionStatuses.map(
    (status) =>
      [
        status,
        (real: Outcome): Outcome =>
          real.kind === 'succeeded' ? { ...real, body: { ...(real.body as object), status } } : real,
      ] as const,
  ),
  ...(['NOT_FOUND', 'DECLINED', 'UNAUTHORIZED', 'CANCELLED'] as const).map(
    (code) => [code, () => declined(code)] as const,
  ),
  ['nothing', () => ({ kind: 'unknown', because: 'no-answer' })],
  ['nothing, as it is not reached', () => ({ kind: 'noEffect', because: 'unreachable' })],
];

/** A reader that says this instead of what it would say. */
const readerThat =
  (says: (real: Outcome, operation: Operation) => Outcome): Alter =>
  (parts) => ({
    ...parts,
    reader: {
      ...parts.reader,
      serialNumbers: () => parts.reader?.serialNumbers() ?? [],
      send: async (operation, ...sent) =>
        says((await parts.reader?.send(operation, ...sent)) ?? declined('NOT_FOUND'), operation),
    },
  });

/** A charge whose answer was lost, and what the reader says of it until the customer can no longer pay. `lost`: is given that answer. */
const lostCharge = (
  harness: TestHarness,
  works: Parameters<typeof eachFrom>[3],
  keep: (lost: Outcome) => void = () => undefined,
): Promise<Lines> =>
  eachFrom(
    harness,
    plainSpec,
    async (again, { control }) => {
      await control('POST', 'reader', { state: 'enrolled', educationShown: true });
      const losing = readerThat((real, { template }) => {
        if (template !== 'startChargeTransaction') return real;
        keep(real);
        return { kind: 'unknown', because: 'no-answer' };
      });
      await again(losing, async (engine) => {
        const { data } = await asAgent(engine, 'device_status', {});
        const charge = { device: data?.device, reference: 'one', sum: { amount: '17.00', currency: 'GBP' } };
        const { approval } = await asAgent(engine, 'charge_device', charge);
        const person = { tenant: agentCaller.tenant, approver: 'pat', channel: 'cli' } as const;
        await recordDecision(engine.parts, approval?.id ?? '', 'approve', person);
        await asAgent(engine, 'charge_device', charge);
      });
    },
    works,
  );

const charged = (harness: TestHarness): Promise<Lines> =>
  lostCharge(harness, (again) =>
    grouped(saidByReader, async ([, says]) => {
      let asked = 0;
      const saying = readerThat((real) => {
        asked += 1;
        return says(real);
      });
      return again(
        (parts) => withoutLeases(saying(parts)),
        async (engine, passes) => {
          const states: string[] = [];
          for (const seconds of [29, 1, 30, 539, 1]) {
            passes(seconds);
            await engine.recover();
            states.push(`${await operationsIn(engine, 'chargeDevice')} (${asked} asked)`);
          }
          return states.join(', then ');
        },
      );
    }),
  );

/** A charge, by what the reader says first of its reference. */
const lookedUp = (harness: TestHarness): Promise<Lines> =>
  lostCharge(harness, (again) =>
    grouped(saidByReader, async ([, says]) => {
      const saying = readerThat((real, { template }) => (template === 'lookupTransaction' ? says(real) : real));
      return again(saying, async (engine) => {
        const { data } = await asAgent(engine, 'device_status', {});
        const charge = { device: data?.device, reference: 'other', sum: { amount: '17.00', currency: 'GBP' } };
        const { outcome, error } = await asAgent(engine, 'charge_device', charge);
        return [outcome, error?.code, error?.rule].filter(Boolean).join(' ');
      });
    }),
  );

/** The same charge, once the reader is connected again so many seconds later. */
const reconnected = (harness: TestHarness): Promise<Lines> =>
  lostCharge(harness, (again) =>
    grouped(
      [0, 1, 29, 600].map((seconds) => [`${seconds} s later`, seconds] as const),
      ([, seconds]) =>
        again(withoutLeases, async (engine, passes) => {
          passes(seconds);
          const slots = createPlatformSlots(engine.parts.settings.platformLimits, engine.parts.ports.clock);
          await recoverReader(engine.parts, slots);
          return operationsIn(engine, 'chargeDevice');
        }),
    ),
  );

/** The same charge, whose end arrives late: before Purser asks, or once a person has found out that nothing happened. */
function endedLate(harness: TestHarness): Promise<Lines> {
  let answer: Outcome | undefined;
  let made = 0;
  const ends: readonly (readonly [what: string, end: (real: Outcome) => Outcome])[] = [
    ['done', (real) => real],
    ...saidByReader.slice(-6),
  ];
  return lostCharge(
    harness,
    async (again) => {
      const late = (end: (real: Outcome) => Outcome, isDenied: boolean, of?: string) =>
        again(withoutLeases, async (engine, passes) => {
          const { rows } = await engine.parts.ledger.read(agentCaller.tenant, (tx) =>
            tx.operations.list({}, { limit: 1 }),
          );
          const callId = of ?? rows[0]?.id ?? '';
          const found = { tenant: agentCaller.tenant, approver: 'pat', channel: 'cli' } as const;
          if (isDenied) {
            passes(limits.readerQuietSeconds + limits.readerAskSeconds);
            await settleUnknown(engine.parts, callId, { happened: false, note: 'nothing' }, found);
          }
          const forgotten: string[] = [];
          const reader = {
            ...engine.parts.reader,
            serialNumbers: () => [],
            send: async () => declined('NOT_FOUND'),
            lateEnds: () => [
              { callId, outcomeOf: () => end(answer ?? declined('NOT_FOUND')) as Exclude<Outcome, InProgress> },
            ],
            forget: (id: string) => void forgotten.push(id),
          };
          await recover({ ...engine.parts, reader });
          made += 1;
          const next = await asAgent(engine, 'create_invoice', { ...invoice, reference: `late-${made}` });
          return `${await operationsIn(engine, 'chargeDevice')}; ${forgotten.length} forgotten; then ${next.error?.code ?? next.outcome}`;
        });
      return [
        ...(await grouped(ends, ([, end]) => late(end, false))),
        ...(await grouped(
          ends.map(([what, end]) => [`${what}, after a person has found that it failed`, end] as const),
          ([, end]) => late(end, true),
        )),
        ['done, of a call that nobody knows', await late((real) => real, false, 'op_nobody')],
      ];
    },
    (lost) => {
      answer = lost;
    },
  );
}

/** An enrollment whose answer was lost, by the readers that are connected when it is asked about. */
const enrolled = (harness: TestHarness): Promise<Lines> => {
  const withReaders =
    (serials: readonly string[], says: Parameters<typeof readerThat>[0] = (real) => real): Alter =>
    (parts) => {
      const altered = readerThat(says)(parts);
      return { ...altered, reader: altered.reader && { ...altered.reader, serialNumbers: () => serials } };
    };
  return grouped(
    [['one'], [], ['one', 'two']].flatMap((sent) =>
      [['one'], ['two'], ['two', 'one'], []].map(
        (connected) =>
          [
            `sent to ${sent.join(' and ') || 'none'}, now ${connected.join(' and ') || 'none'}`,
            sent,
            connected,
          ] as const,
      ),
    ),
    async ([, sent, connected]) => {
      let end = '';
      await eachFrom(
        harness,
        plainSpec,
        (again) =>
          again(
            withReaders(sent, (real, { template }) =>
              template === 'enroll' ? { kind: 'unknown', because: 'no-answer' } : real,
            ),
            async (engine) => {
              const { data } = await asAgent(engine, 'device_status', {});
              const { approval } = await asAgent(engine, 'enroll_device', { device: data?.device });
              const person = { tenant: agentCaller.tenant, approver: 'pat', channel: 'cli' } as const;
              if (approval) await recordDecision(engine.parts, approval.id, 'approve', person);
              await asAgent(engine, 'enroll_device', { device: data?.device });
            },
          ),
        async (again) => {
          end = await again(
            (parts) => withoutLeases(withReaders(connected)(parts)),
            async (engine, passes) => {
              const states = [await operationsIn(engine, 'enrollDevice')];
              for (const seconds of [30, 600]) {
                passes(seconds);
                await engine.recover();
                states.push(await operationsIn(engine, 'enrollDevice'));
              }
              return states.join(', then ');
            },
          );
          return [];
        },
      );
      return end;
    },
  );
};

export const lostChargeMechanisms: Mechanisms = inWorlds({
  'a charge, by what the reader says first of its reference': lookedUp,
  'a lost charge, by what the reader says of it': charged,
  'a lost charge, once the reader is connected again': reconnected,
  'a lost charge whose end arrives late': endedLate,
  'a lost enrollment, by the readers that are connected': enrolled,
});
