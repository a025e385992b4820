import { expect, it } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import type { CallState } from '../../src/core/reader.ts';
import { createEngine } from '../../src/engine/engine.ts';
import type { End } from '../../src/reader/ends.ts';
import { type Reader, readerTransport } from '../../src/reader/transport.ts';
import { charging, readyDevice } from '../engine/device.ts';
import { world, worldOf } from '../engine/support.ts';
import { playRowsOneIn } from '../support/drawn.ts';

playRowsOneIn(3);

// Whatever happens between a call to a card reader and the tap: at most one charge under a reference, and none that nobody records.

interface History {
  /** When the connection breaks, if it does. */
  readonly breaks: 'never' | 'before the tap' | 'after the tap';
  /** Which app connects again, and whether it says what it runs. */
  readonly back: 'the same' | 'the same, silent' | 'a new one';
  /** Whether the app cancels what it runs when it loses Purser, and can. */
  readonly cancels: boolean;
  /** Whether the customer taps only after Purser has looked. */
  readonly late: boolean;
  readonly jumps: boolean;
}

const histories: readonly History[] = (['never', 'before the tap', 'after the tap'] as const).flatMap((breaks) =>
  (['the same', 'the same, silent', 'a new one'] as const).flatMap((back) =>
    [true, false].flatMap((cancels) =>
      [true, false].flatMap((late) => [true, false].map((jumps) => ({ breaks, back, cancels, late, jumps }))),
    ),
  ),
);

/** An app with an SDK that waits for a tap, and a connection that breaks. */
function tapped() {
  const charged: { readonly identifier: string; readonly customIdentifier: string }[] = [];
  const waiting = new Map<string, { tap: () => void; cancel: () => void }>();
  const late = new Map<string, End>();
  let isSaid = true;
  let sent: string[] = [];
  let lose = (): void => undefined;
  const state = (id: string): CallState => {
    if (late.has(id) || waiting.has(id)) return 'running';
    return isSaid || sent.includes(id) ? 'over' : 'unsaid';
  };
  const reader: Reader = {
    callState: (id) => (isSaid || sent.includes(id) || late.has(id) ? state(id) : 'unsaid'),
    lateEnds: () => late,
    forget: (id) => void late.delete(id),
    send: async (call, input, { callId = '' }) => {
      const { amount, currency, customIdentifier, forID } = input as { readonly [name: string]: string };
      if (call === 'lookupTransaction') {
        const found = charged.findLast((one) => one.customIdentifier === forID || one.identifier === forID);
        return found === undefined ? { case: 'notFound' } : { case: 'success', value: found };
      }
      sent.push(callId);
      return new Promise<End>((resolve, reject) => {
        const end = (it: End): void => {
          waiting.delete(callId);
          if (sent.includes(callId)) resolve(it);
          else if (isSaid) late.set(callId, it);
        };
        lose = () => reject(new Error('lost'));
        waiting.set(callId, {
          cancel: () => end({ case: 'failure' }),
          tap: () => {
            const value = { identifier: `t-${charged.length}`, status: 'Approved', type: 'charge' };
            charged.push({ ...value, ...{ amount, currency, customIdentifier } } as (typeof charged)[number]);
            end({ case: 'success', value: charged.at(-1) });
          },
        });
      });
    },
  };
  const taps = () => {
    for (const it of [...waiting.values()]) it.tap();
  };
  const cancel = () => {
    for (const it of [...waiting.values()]) it.cancel();
  };
  const says = (it: boolean) => {
    isSaid = it;
  };
  const breaks = () => {
    sent = [];
    lose();
  };
  return { reader, charged, waiting, taps, cancel, breaks, says };
}

it.each(histories)('$breaks, $back, cancels $cancels, late $late, jumps $jumps', async (history) => {
  const app = tapped();
  const own = readerTransport(app.reader);
  const begun = await world({
    replace: {
      reader: (_, simulated) =>
        simulated && {
          ...own,
          send: (operation, ...more) =>
            /Charge|lookup/.test(operation.call) ? own.send(operation, ...more) : simulated.send(operation, ...more),
        },
    },
  });
  // Leases run by the machine's clock: they end at once here.
  const { ledger } = begun.parts;
  const engine = createEngine({
    ...begun.parts,
    ledger: {
      ...ledger,
      claimUnknown: (by, names, holder, _, only) => ledger.claimUnknown(by, names, holder, 0, only),
    },
  });
  const here = worldOf({ ...begun.running, engine: { ...engine, of: () => engine } });
  const device = await readyDevice(here);
  const args = charging(device);
  await here.approve(await here.call('charge_device', args));
  const first = here.call('charge_device', args);
  await expect.poll(() => app.waiting.size).toBe(1);

  if (history.breaks === 'after the tap') app.taps();
  if (history.breaks !== 'never') {
    app.says(false);
    app.breaks();
    if (history.breaks === 'before the tap' || history.cancels) app.says(history.back !== 'the same, silent');
    else app.says(true);
    if (history.cancels) app.cancel();
    else if (history.back === 'a new one') app.waiting.clear();
    await first;
  } else if (!history.late) app.taps();

  if (history.jumps) await here.advance(limits.readerQuietSeconds + 60);
  await engine.recover();
  await engine.askReader('default');
  if (history.breaks === 'before the tap' && history.late) app.taps();
  // The agent charges again, and a person approves whatever is asked.
  const again = here.through('charge_device', args);
  const settled = again.then(() => true);
  await Promise.race([settled, new Promise((resolve) => setImmediate(resolve))]);
  for (let turn = 0; turn < 50 && app.waiting.size === 0; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(app.waiting.size).toBeLessThan(2);
  app.taps();
  await Promise.all([first, again]);
  await here.advance(limits.readerQuietSeconds + 60);
  await engine.recover();

  expect(app.charged.length).toBeLessThan(2);
  const rows = (await here.operations()).filter(({ name }) => name === 'chargeDevice');
  expect(rows.filter(({ state }) => state === 'SUCCEEDED')).toHaveLength(app.charged.length);
  expect((await here.audit()).filter(({ event }) => event === 'halted')).toEqual([]);
});
