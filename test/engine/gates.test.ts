import { describe, expect, it } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import { createEngine } from '../../src/engine/engine.ts';
import { createPlatformSlots, defaultPlatformLimits } from '../../src/engine/platform-slots.ts';
import { createBucket, createRateLimiter, defaultRates, unlimitedRates } from '../../src/engine/rate-limiter.ts';
import { Refused } from '../../src/engine/refusal.ts';
import { agent, shop, wish } from './shop.ts';

const rates = {
  read: { burst: 3, everyMilliseconds: 500 },
  write: { burst: 2, everyMilliseconds: 1_000 },
  money: { burst: 1, everyMilliseconds: 1_500 },
};

const refusal = async (act: () => unknown): Promise<unknown> => {
  try {
    await act();
    return 'passed';
  } catch (error) {
    return error instanceof Refused ? error.refusal : error;
  }
};

describe('the rate limiter', () => {
  const through = (clock: { now(): number }) => {
    const limiter = createRateLimiter({ ...unlimitedRates, conversation: rates }, clock);
    return (principal = 'agent', effect: keyof typeof rates = 'write', tenant = 'default') =>
      refusal(() => limiter.demand({ tenant, principal }, effect));
  };

  it('notes the first call that it refuses, and none that follow', () => {
    let now = 0;
    const limiter = createRateLimiter({ ...unlimitedRates, conversation: rates }, { now: () => now });
    const first = () => {
      try {
        limiter.demand({ tenant: 'default', principal: 'agent' }, 'money');
        return undefined;
      } catch (error) {
        return error instanceof Refused && error.isNoted;
      }
    };
    const looped = [first(), first(), first(), first()];
    now += 1_500;
    expect([...looped, first(), first(), first()]).toEqual([undefined, true, false, false, undefined, true, false]);
  });

  it('holds each conversation to its own rate, and all of a principal together to theirs', async () => {
    const one = { burst: 2, everyMilliseconds: 1_000 };
    const all = { burst: 3, everyMilliseconds: 1_000 };
    const limiter = createRateLimiter(
      {
        conversation: { read: one, write: one, money: one },
        principal: { read: all, write: all, money: all },
      },
      { now: () => 0 },
    );
    const passes = async (conversation: string, principal = 'agent', role: 'agent' | 'customer' = 'agent') =>
      (await refusal(() => limiter.demand({ tenant: 'default', principal, conversation, role }, 'write'))) === 'passed';
    expect([await passes('a'), await passes('a'), await passes('a')]).toEqual([true, true, false]);
    // What the first was refused takes nothing from the second.
    expect([await passes('b'), await passes('b')]).toEqual([true, false]);
    expect([await passes('c', 'other'), await passes('')]).toEqual([true, false]);
    const customers = ['x', 'y', 'z', 'w'].map((link) => passes(link, 'agent', 'customer'));
    expect(await Promise.all(customers)).toEqual([true, true, true, true]);
  });

  it('forgets conversations that are quiet, and none that is held back', async () => {
    let now = 0;
    const limiter = createRateLimiter({ ...unlimitedRates, conversation: rates }, { now: () => now });
    const pass = (conversation: string) =>
      refusal(() => limiter.demand({ tenant: 'default', principal: 'agent', conversation }, 'money'));
    now = 1_000_000;
    for (let at = 0; at < limits.rateBuckets; at += 1) await pass(`quiet ${at}`);
    now += 3_600_000;
    const held = [await pass('loop'), await pass('loop')];
    for (let at = 0; at < limits.rateBuckets; at += 1) await pass(`later ${at}`);
    expect([...held, await pass('loop')].map((it) => it === 'passed')).toEqual([true, false, false]);
  });

  it('lets a burst pass and then one for every so many milliseconds', async () => {
    let now = 1_000_000;
    const pass = through({ now: () => now });
    const burst = [await pass(), await pass(), await pass()];
    now += 999;
    const early = await pass();
    now += 1;
    expect([...burst, early, await pass(), await pass()]).toEqual([
      'passed',
      'passed',
      limited('Too many calls of this kind. Wait, then continue.', 1),
      limited('Too many calls of this kind. Wait, then continue.', 1),
      'passed',
      limited('Too many calls of this kind. Wait, then continue.', 1),
    ]);
  });

  it('says how long to wait, in whole seconds', async () => {
    const pass = through({ now: () => 0 });
    await pass('agent', 'money');
    expect(await pass('agent', 'money')).toMatchObject({ wait: 2 });
  });

  it('saves up no more than a burst, and takes nothing back when the clock does', async () => {
    let now = 1_000_000;
    const pass = through({ now: () => now });
    await pass();
    now += 60_000;
    expect([await pass(), await pass(), await pass()]).toEqual(['passed', 'passed', expect.anything()]);
    now -= 3_600_000;
    expect(await pass()).not.toBe('passed');
  });

  it('counts each caller and each kind of call apart', async () => {
    const pass = through({ now: () => 0 });
    await pass('agent', 'money');
    expect([
      await pass('agent', 'read'),
      await pass('other', 'money'),
      await pass('agent', 'money', 'tenant'),
      await pass('agent', 'money'),
    ]).toEqual(['passed', 'passed', 'passed', expect.objectContaining({ code: 'RATE_LIMITED', rule: 'EN-12' })]);
  });
});

describe('the places for calls to the platform', () => {
  const limits = { concurrent: 2, queued: 1, failures: 2, pauseMilliseconds: 10_000 };
  const gate = () => Promise.withResolvers<string>();
  const there = () => true;
  /** Sends something as a call does, which asks first whether it may. */
  const sending =
    (slots: ReturnType<typeof withSlots>) =>
    (work: Promise<string>, answered: () => boolean = there): Promise<unknown> =>
      refusal(() =>
        slots.run((check) => {
          check();
          check(); // whoever may go on may ask again
          return work;
        }, answered),
      );
  const silent = () => false;
  const turns = async () => {
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };

  it('runs so many at once, lets so many wait, and refuses the others', async () => {
    const slots = withSlots(limits, { now: () => 0 });
    const [one, two, three] = [gate(), gate(), gate()];
    const begun: string[] = [];
    const run = (name: string, work: Promise<string>) =>
      slots.run(async () => {
        begun.push(name);
        return work;
      }, there);
    const calls = [run('one', one.promise), run('two', two.promise), run('three', three.promise)];
    expect([await refusal(() => run('four', three.promise)), begun]).toEqual([
      limited('Too many calls are waiting for the platform; nothing was sent.', 1),
      ['one', 'two'],
    ]);
    one.resolve('first');
    await turns();
    expect(begun).toEqual(['one', 'two', 'three']);
    two.resolve('second');
    three.resolve('third');
    expect(await Promise.all(calls)).toEqual(['first', 'second', 'third']);
  });

  it('gives a place back when a call fails', async () => {
    const slots = withSlots({ ...limits, concurrent: 1, queued: 0 }, { now: () => 0 });
    const broken = () => slots.run(() => Promise.reject(new Error('no')), there);
    await expect(broken()).rejects.toThrow('no');
    await expect(broken()).rejects.toThrow('no');
    expect(await slots.run(async () => 'yes', there)).toBe('yes');
  });

  it('keeps a bucket empty no longer because the clock has gone back', () => {
    const bucket = createBucket({ burst: 2, everyMilliseconds: 1_000 });
    const year = 365 * 86_400_000;
    expect([year, year, year, 0, 999, 1_000, 1_001].map((now) => bucket.take(now))).toEqual([
      ...[undefined, undefined, 1, 1, 1, undefined, 1],
    ]);
  });

  it('keeps the circuit open no longer because the clock has gone back', async () => {
    let now = 3_600_000;
    const slots = withSlots(limits, { now: () => now });
    const call = () =>
      refusal(() =>
        slots.run(
          async (check) => check(),
          () => false,
        ),
      );
    await call();
    await call();
    now = 0;
    expect(await call()).toMatchObject({ code: 'UNREACHABLE', wait: 10 });
    now += 9_999;
    expect(await call()).toMatchObject({ code: 'UNREACHABLE' });
    now += 1;
    expect(await call()).toBe('passed');
  });

  it('opens the circuit after so many calls in a row without an answer, for a while', async () => {
    let now = 1_000;
    const slots = withSlots(limits, { now: () => now });
    const call = (answered: boolean | undefined) =>
      refusal(() =>
        slots.run(
          async (check) => {
            check();
            return 'ran';
          },
          () => answered,
        ),
      );
    const gone = { ...limited('The platform is not responding; nothing was sent.', 10), code: 'UNREACHABLE' };
    await call(false);
    await call(true); // an answer begins the count anew
    await call(false);
    await call(undefined); // not asked: it proves nothing
    expect(await call(true)).toBe('passed');
    await call(false);
    await call(undefined);
    await call(false);
    const shut = await call(true);
    now += 9_999;
    const still = await call(true);
    now += 1;
    const tried = await call(false);
    const again = await call(true);
    now += 10_000;
    expect([shut, still, tried, again, await call(true), await call(false), await call(true)]).toEqual([
      gone,
      { ...gone, wait: 1 },
      'passed',
      gone,
      'passed',
      'passed',
      'passed',
    ]);
  });

  it('refuses who waited while the platform went away, and runs nothing of theirs', async () => {
    const slots = withSlots({ ...limits, concurrent: 1, failures: 1 }, { now: () => 0 });
    const first = gate();
    const begun: string[] = [];
    const one = slots.run(
      () => first.promise,
      () => false,
    );
    const two = refusal(() =>
      slots.run(async (check) => {
        check();
        begun.push('two');
        return '';
      }, there),
    );
    first.resolve('');
    await one;
    expect([await two, begun]).toEqual([expect.objectContaining({ code: 'UNREACHABLE' }), []]);
  });

  it.each([
    ['', async () => undefined],
    [
      ', whoever comes by without asking',
      (slots: ReturnType<typeof withSlots>) =>
        slots.run(
          async () => '',
          () => undefined,
        ),
    ],
  ])('lets one call try after the pause, and the others wait for what it finds%s', async (_, passesBy) => {
    let now = 1_000;
    const slots = withSlots({ ...limits, failures: 1 }, { now: () => now });
    const send = sending(slots);
    const quick = Promise.resolve('');
    await send(quick, silent);
    now += 10_000;
    const slow = gate();
    const tries = send(slow.promise);
    await passesBy(slots);
    const meanwhile = await send(quick);
    slow.resolve('');
    expect([meanwhile, await tries, await send(quick)]).toEqual([
      expect.objectContaining({ code: 'UNREACHABLE', wait: 1 }),
      'passed',
      'passed',
    ]);
  });

  it('lets calls pass beside each other while the platform answers, however often it was not asked', async () => {
    const slots = withSlots({ ...limits, concurrent: 3 }, { now: () => 0 });
    const send = sending(slots);
    await slots.run(async (check) => check(), silent);
    for (const _ of [1, 2, 3])
      await slots.run(
        async () => '',
        () => undefined,
      );
    const slow = gate();
    const both = [send(slow.promise), send(slow.promise)];
    slow.resolve('');
    expect(await Promise.all(both)).toEqual(['passed', 'passed']);
  });

  it('lets pass what sends nothing while it is shut', async () => {
    const slots = withSlots({ ...limits, failures: 1 }, { now: () => 0 });
    await slots.run(
      async () => '',
      () => false,
    );
    expect(
      await slots.run(
        async () => 'known',
        () => undefined,
      ),
    ).toBe('known');
  });
});

describe('the engine', () => {
  it('holds an agent that loops, in the class of its calls alone', async () => {
    const it = await shop({ replace: { rates: { ...unlimitedRates, conversation: rates } } });
    const outcomes = [];
    for (const _ of [1, 2, 3, 4]) outcomes.push((await it.call('find_shopper', {})).error?.code);
    const write = await it.call('enroll_card', { card: 'card_ada' });
    expect([outcomes, write.outcome]).toEqual([[undefined, undefined, undefined, 'RATE_LIMITED'], 'done']);
  });

  it('sends nothing while the platform is gone, and writes nothing down', async () => {
    const { PlatformFault } = await import('../../src/client/errors.ts');
    const it = await shop({
      replace: {
        platform: () => async () => {
          throw new PlatformFault('unreachable');
        },
      },
    });
    const codes = [];
    for (let call = 0; call < defaultPlatformLimits.failures + 1; call += 1)
      codes.push((await it.call('enroll_card', { card: 'card_ada' })).error);
    expect([codes.at(0), codes.at(-1)]).toEqual([
      { code: 'UNREACHABLE', retry: 'same_call' },
      { code: 'UNREACHABLE', retry: 'after', wait: 10, rule: 'EN-12' },
    ]);
    expect([it.sent.length, (await it.operations()).length]).toEqual([5, 5]);
    await it.advance(10);
    await it.call('enroll_card', { card: 'card_ada' });
    expect(it.sent).toHaveLength(6);
  });

  it('takes a platform that says no, or nonsense, for one that is there', async () => {
    const it = await shop();
    await it.fault('*', '5xx', { times: 3 });
    await it.fault('*', 'decline', { times: 3 });
    for (const card of ['card_ada', 'card_bo', 'card_cleo', 'card_dan', 'card_cleo_declines'])
      await it.call('enroll_card', { card });
    expect((await it.call('enroll_card', { card: 'card_dan' })).error?.rule).not.toBe('EN-12');
  });

  it.each([
    [undefined, 'refused'],
    [30_000, 'needs_approval'],
    [-30_000, 'needs_approval'],
    [30_001, 'refused'],
    [-30_001, 'refused'],
  ])('moves no money while its clock is %s ms off: %s; all else goes on', async (skew, outcome) => {
    const it = await shop();
    const engine = createEngine({
      ...it.parts,
      ports: { ...it.parts.ports, skew: () => skew, askTime: async () => true },
    });
    const enrolled = await engine.call('enroll_card', { card: 'card_ada' }, agent);
    const bought = await engine.call('initiate_purchase', wish, agent);
    const read = await engine.call('list_cards', { shopper: 'shopper_ada' }, agent);
    expect([enrolled.outcome, bought.outcome, read.outcome]).toEqual(['done', outcome, 'done']);
    expect(bought.error?.rule).toBe(outcome === 'refused' ? 'EN-15' : 'EN-04');
    expect(it.sent).toHaveLength(1);
  });

  it('does nothing but read while the audit chain is broken', async () => {
    const it = await shop();
    const ledger = { ...it.parts.ledger, verify: async () => ({ ok: false, seq: 4, because: 'x' }) as const };
    const engine = createEngine({ ...it.parts, ledger });
    const locked = await engine.call('enroll_card', { card: 'card_ada' }, agent);
    const read = await engine.call('list_cards', { shopper: 'shopper_ada' }, agent);
    expect([locked, read.outcome, it.sent]).toMatchObject([
      { outcome: 'refused', error: { code: 'INTERNAL_HALT', rule: 'EN-13' }, next: ['list_operations'] },
      'done',
      [],
    ]);
  });

  it('notices at an inspection that the audit chain was broken after the start, and that it was mended', async () => {
    const it = await shop();
    let ok = true;
    const verify = () =>
      ok ? it.parts.ledger.verify() : Promise.resolve({ ok: false, seq: 4, because: 'x' } as const);
    const engine = createEngine({ ...it.parts, ledger: { ...it.parts.ledger, verify } });
    const enrolled = async () => (await engine.call('enroll_card', { card: 'card_ada' }, agent)).outcome;
    const outcomes = [await enrolled()];
    for (const found of [false, true]) {
      ok = found;
      await engine.inspect();
      outcomes.push(await enrolled());
    }
    expect(outcomes).toEqual(['done', 'refused', 'done']);
  });

  it('writes down the first call that it holds and not the thousandth', async () => {
    const it = await shop({ replace: { rates: { ...unlimitedRates, conversation: rates } } });
    for (let call = 0; call < 20; call += 1) await it.call('find_shopper', {});
    for (let call = 0; call < 20; call += 1) await it.call('find_shopper', { nonsense: call });
    expect((await it.audit()).filter(({ event }) => event === 'refused')).toHaveLength(1);
  });

  it('counts calls of a wrong shape', async () => {
    const it = await shop({ replace: { rates: { ...unlimitedRates, conversation: rates } } });
    const codes = [];
    for (const _ of [1, 2, 3, 4]) codes.push((await it.call('find_shopper', { nonsense: 1 })).error?.code);
    expect(codes).toEqual(['INVALID_ARGUMENT', 'INVALID_ARGUMENT', 'INVALID_ARGUMENT', 'RATE_LIMITED']);
  });
});

it('has rates and limits by default, and no rates for clocks that stand still', () => {
  expect([
    defaultRates.conversation,
    defaultPlatformLimits,
    Object.values(unlimitedRates.principal).map(({ burst }) => burst),
  ]).toEqual([
    {
      read: { burst: 120, everyMilliseconds: 500 },
      write: { burst: 60, everyMilliseconds: 1_000 },
      money: { burst: 30, everyMilliseconds: 2_000 },
    },
    { concurrent: 16, queued: 64, failures: 5, pauseMilliseconds: 10_000 },
    [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
  ]);
});

/** Runs work in a slot, as the steps of a call do. `answered`: whether its result shows that the platform is there. */
function withSlots(...given: Parameters<typeof createPlatformSlots>) {
  const slots = createPlatformSlots(...given);
  return {
    async run<T>(work: (check: () => void) => Promise<T> | T, answered: (result: T) => boolean | undefined) {
      const slot = await slots.acquire();
      try {
        const result = await work(slot.check);
        slot.record(answered(result));
        return result;
      } finally {
        slot.release();
      }
    },
  };
}

function limited(because: string, wait: number) {
  return { code: 'RATE_LIMITED', rule: 'EN-12', because, retry: 'after', wait, instead: [] };
}
