import { describe, expect, it } from 'vitest';
import { money } from '../../src/core/money.ts';
import { createEngine } from '../../src/engine/engine.ts';
import { recover } from '../../src/engine/recover.ts';
import type { Caller } from '../../src/ledger/ledger.ts';
import type { FaultKind } from '../../src/sandbox/index.ts';
import { authorized, captured, converted, offered, paying } from '../engine/conversion.ts';
import { agent, quiet, type Said, settle, type World, world } from '../engine/support.ts';

// An agent that wants a customer to pay twice, or in a currency that nobody chose: by calls at once, lost answers, other references,
// other conversations, and the clock. The effects at the sandbox are the oracle.

const app: Caller = { tenant: 'default', principal: 'app', role: 'app' };
const no = ['refused', 'unknown', 'needs_approval', 'declined'];

/** The sum that the platform holds as taken and not paid back, in minor units, whatever Purser believes. */
async function taken(it: World): Promise<bigint> {
  const { documents } = (await it.control('GET', 'snapshot')) as {
    readonly documents: readonly {
      readonly kind: string;
      readonly body: { state: string; amount: string; currency: string };
    }[];
  };
  const sum = (kind: string) =>
    documents
      .filter(({ kind: own, body }) => own === kind && !['VOIDED', 'NOT_REFUNDED'].includes(body.state))
      .reduce((all, { body }) => all + money(body.amount, body.currency).minor, 0n);
  return sum('capture') - sum('refund');
}

/** Makes each call wait for its approval, approves all, and makes all of them at once, twice. */
async function atOnce(it: World, calls: readonly (readonly [tool: string, args: object, caller?: Caller])[]) {
  for (const call of calls) {
    const said = await it.call(...call);
    if (said.outcome === 'needs_approval') await it.approve(said);
  }
  return Promise.all([...calls, ...calls].map((call) => it.call(...call)));
}
const isNew = ({ outcome, replayed }: Said): boolean => outcome === 'done' && replayed !== true;

describe('calls at once', () => {
  it('take a payment in the card’s currency once, however many references they have', async () => {
    const it = await world();
    const charge = await converted(it);
    const calls = [1, 2, 3, 4].map((at) => ['capture_payment', { charge, reference: `order-1-${at}` }] as const);
    const said = await Promise.all([...calls, ...calls].map((call) => it.call(...call)));
    expect([said.filter(isNew).length, await taken(it)]).toEqual([1, 15_700n]);
    expect(said.filter((one) => one.outcome !== 'done' && !no.includes(one.outcome))).toEqual([]);
  });

  it('pay no more back than was taken: four approved refunds of 40 % each', async () => {
    const it = await world();
    const capture = await captured(it);
    const refund = (at: number) =>
      ['refund_capture', { capture, amount: '40.00', reference: `order-1-${at}` }] as const;
    await atOnce(it, [1, 2, 3, 4].map(refund));
    for (const at of [1, 2, 3, 4]) await it.through(...refund(at));
    expect([await it.effects('refundCapture'), await taken(it)].flat()).toHaveLength(3);
    expect(await taken(it)).toBe(2_000n);
  });

  it('never both take a payment and release it, nor both void and refund a capture', async () => {
    const it = await world();
    const charge = await authorized(it);
    const reverse = await it.call('reverse_payment', { charge });
    await it.approve(reverse);
    await Promise.all([it.call('capture_payment', { charge }), it.call('reverse_payment', { charge })]);
    expect((await it.effects('capturePayment')).length + (await it.effects('reversePayment')).length).toBe(1);

    const capture = await captured(it, { reference: 'order-2' });
    await atOnce(it, [
      ['void_capture', { capture }],
      ['refund_capture', { capture, reference: 'order-2-a' }],
    ]);
    expect((await it.effects('voidCapture')).length + (await it.effects('refundCapture')).length).toBe(1);
  });

  it('carry one offer once, whoever asks, by however many approvals', async () => {
    const it = await world();
    const offer = await offered(it);
    await it.call('choose_currency', { offer, currency: 'AUD' }, app);
    const said = await atOnce(
      it,
      [1, 2, 3].map((at) => [
        'authorize_payment',
        { offer, reference: `order-${at}` },
        { ...agent, conversation: `${at}` },
      ]),
    );
    expect([said.filter(isNew).length, (await it.effects('authorizePayment')).length]).toEqual([1, 1]);
  });
});

describe('rounding', () => {
  it('pays no part back twice: what is left of 0.003 KWD after 1 JPY comes to nothing, and the answer says so', async () => {
    const it = await world();
    await it.control('POST', 'bins/40000036', { currency: 'JPY' });
    const offer = await offered(it, { price: { amount: '0.003', currency: 'KWD' } });
    await it.call('choose_currency', { offer, currency: 'JPY' }, app);
    const { charge, billing } = (await it.through('authorize_payment', { offer, reference: 'order-1' })).data;
    expect(billing).toEqual({ amount: '1', currency: 'JPY' });
    const { capture } = (await it.through('capture_payment', { charge })).data;
    const refund = (reference: string, amount?: string) =>
      it.through('refund_capture', { capture, reference, ...(amount === undefined ? {} : { amount }) });
    expect((await refund('order-1-a', '0.001')).error?.rule).toBe('DC-12');
    expect((await refund('order-1-b', '0.002')).data.billing.amount).toBe('1');
    for (const amount of ['0.001', undefined]) {
      const refusal = await refund('order-1-c', amount);
      expect([refusal.outcome, refusal.error?.rule]).toEqual(['refused', 'DC-12']);
      expect(refusal.said).not.toContain('larger');
    }
    expect(await taken(it)).toBe(0n);
  });
});

describe('an answer that is lost', () => {
  const faults: readonly FaultKind[] = ['timeout-after-commit', 'late-apply', '5xx-after-commit', 'truncated'];
  const steps = [
    ['capturePayment', async (it: World) => ['capture_payment', { charge: await authorized(it) }] as const],
    ['refundCapture', async (it: World) => ['refund_capture', { capture: await captured(it) }] as const],
    ['authorizePayment', async () => ['authorize_payment', paying()] as const],
  ] as const;

  it.each(steps.flatMap(([name, made]) => faults.map((kind) => ({ name, kind, made }))))(
    'of $name ($kind) lets no other call do it again: not the same, nor one with another reference, nor after a crash',
    async ({ name, kind, made }) => {
      const it = await world();
      const [tool, args] = await made(it);
      await it.fault(name, kind);
      expect((await it.through(tool, args)).outcome).toBe('unknown');
      const others = [
        { ...args },
        { ...args, reference: 'order-9' },
        { ...args, reference: 'order-9', amount: '1.00' },
      ];
      const restarted = createEngine(it.parts);
      const again = async () => {
        for (const other of others.slice(0, name === 'authorizePayment' ? 1 : 3)) {
          expect(no).toContain((await it.call(tool, other)).outcome);
          expect(no).toContain(((await restarted.call(tool, other, agent)) as Said).outcome);
        }
      };
      await again();
      await quiet(it);
      await recover(it.parts);
      await again();
      expect(await it.effects(name)).toHaveLength(1);
      // A person who looked says that it happened: what is left is counted from there.
      const lost = (await it.operations()).find((one) => one.name === name);
      expect(await settle(it, lost?.id, true)).toMatchObject({ ok: true });
      if (name !== 'authorizePayment') {
        const more = await it.through(tool, { ...args, reference: 'order-10', amount: '100.00' });
        expect(more.outcome).not.toBe('done');
      }
      expect(await it.effects(name)).toHaveLength(1);
    },
  );
});

describe('the clock', () => {
  it('of a Purser that is five minutes behind makes no expired rate valid: the platform has its own', async () => {
    const it = await world();
    const offer = await offered(it);
    await it.call('choose_currency', { offer, currency: 'AUD' }, app);
    await it.advance(901);
    const { parts } = it;
    const clock = { now: () => parts.ports.clock.now() - 300_000 };
    const behind = createEngine({ ...parts, ports: { ...parts.ports, clock } });
    const call = async () => (await behind.call('authorize_payment', { offer, reference: 'order-1' }, agent)) as Said;
    const asked = await call();
    expect(asked.outcome).toBe('needs_approval');
    await it.approve(asked);
    expect(await call()).toMatchObject({ outcome: 'declined' });
    expect(await it.effects('authorizePayment')).toEqual([]);
  });

  it('runs on while a person thinks: an approval outlives no rate', async () => {
    const it = await world();
    const offer = await offered(it);
    await it.call('choose_currency', { offer, currency: 'AUD' }, app);
    await it.advance(600);
    const asked = await it.call('authorize_payment', { offer, reference: 'order-1' });
    await it.advance(299);
    await it.approve(asked);
    await it.advance(1);
    expect(await it.call('authorize_payment', { offer, reference: 'order-1' })).toMatchObject({
      outcome: 'refused',
      error: { rule: 'DC-05' },
    });
    expect(await it.effects('authorizePayment')).toEqual([]);
  });

  it('takes a choice until the last millisecond of a rate, and none after it', async () => {
    const it = await world();
    const [first, second] = [await offered(it), await offered(it, { reference: 'order-2' })];
    await it.advance(899.999);
    expect((await it.call('choose_currency', { offer: first, currency: 'AUD' }, app)).outcome).toBe('done');
    await it.advance(0.001);
    expect((await it.call('choose_currency', { offer: second, currency: 'AUD' }, app)).error?.rule).toBe('DC-05');
    expect((await it.through('authorize_payment', { offer: first, reference: 'order-1' })).error?.rule).toBe('DC-05');
  });
});
