import { beforeEach, describe, expect, it } from 'vitest';
import { AnswerLost } from '../../src/sandbox/index.ts';
import { Bench, enrollment, host, signed } from './support.ts';

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});

const queue = (kind: string, more: object = {}) =>
  bench.control('POST', 'faults', { on: 'enrollCard', kind, ...more }).then(({ status }) => expect(status).toBe(200));

const request = () =>
  signed(
    `http://${host}`,
    'POST',
    '/acp/v1/tokens',
    JSON.stringify({ ...enrollment('shopper_ada'), clientCorrelationId: bench.correlation() }),
  );

const raw = async () => {
  const response = await bench.sandbox.handle(request());
  return { status: response.status, headers: response.headers, text: await response.text() };
};

const once = ['enrollCard 200'];

describe('a fault that is queued', () => {
  it('declines', async () => {
    await queue('decline');
    const told = await bench.enroll('shopper_ada');
    expect([told.status, told.body.error.reason, await bench.effects()]).toEqual([400, 'DECLINED', []]);
  });

  it('asks the customer first', async () => {
    await queue('pending');
    expect((await bench.enroll('shopper_ada')).body).toEqual({
      clientCorrelationId: expect.any(String),
      status: 'PENDING',
      pendingEvents: ['PENDING_CARDHOLDER_AUTHENTICATION'],
    });
  });

  it('applies a request and loses its answer', async () => {
    await queue('timeout-after-commit');
    await expect(bench.enroll('shopper_ada')).rejects.toThrow(AnswerLost);
    expect(await bench.effects()).toEqual(once);
  });

  it('loses the answer now and applies the request when its time has come', async () => {
    await queue('late-apply');
    await expect(bench.enroll('shopper_ada')).rejects.toThrow(AnswerLost);
    await bench.control('POST', 'clock', { advance: 'PT59S' });
    expect(await bench.effects()).toEqual([]);
    const { body } = await bench.control('POST', 'clock', { advance: 'P1D' });
    expect(await bench.effects()).toEqual(once);
    const { effects } = await bench.sandbox.world.snapshot();
    expect(Date.parse(body.now) - (effects[0]?.at ?? 0)).toBe(86_400_000 - 1000);
  });

  it('applies a late request as the world is then: what has become impossible does not happen', async () => {
    const id = await bench.bought();
    await bench.control('POST', 'faults', { on: 'cancelPurchase', kind: 'late-apply', afterSeconds: 10 });
    await expect(bench.cancel(id)).rejects.toThrow(AnswerLost);
    await bench.cancel(id);
    const before = await bench.effects();
    await bench.control('POST', 'clock', { advance: 'PT1M' });
    expect(await bench.effects()).toEqual(before);
  });

  it('applies late requests and mandate ends in the order of their times', async () => {
    const id = await bench.bought();
    await bench.retrieve(id);
    await bench.control('POST', 'faults', { on: 'updatePurchase', kind: 'late-apply', afterSeconds: 7200 });
    await expect(bench.update(id)).rejects.toThrow(AnswerLost);
    await bench.control('POST', 'clock', { advance: 'P1D' });
    expect([await bench.stateOf('instruction', id), (await bench.effects()).length]).toEqual(['EXPIRED', 3]);
  });

  it('answers 401 as to a signature that is wrong, and does nothing', async () => {
    await queue('401');
    const { status, text } = await raw();
    expect([status, text, await bench.effects()]).toEqual([401, '{"response":{"rmsg":"Authentication Failed"}}', []]);
  });

  it('answers 429 and says how long to wait', async () => {
    await queue('429', { afterSeconds: 7 });
    const { status, headers } = await raw();
    expect([status, headers.get('retry-after'), await bench.effects()]).toEqual([429, '7', []]);
  });

  it.each([
    [{}, 502],
    [{ status: 503 }, 503],
  ])('answers a server error %o without an effect', async (more, status) => {
    await queue('5xx', more);
    expect([(await raw()).status, await bench.effects()]).toEqual([status, []]);
  });

  it('answers a server error after the effect', async () => {
    await queue('5xx-after-commit');
    expect([(await raw()).status, await bench.effects()]).toEqual([502, once]);
  });

  it('cuts the answer', async () => {
    await queue('truncated');
    const { status, headers, text } = await raw();
    expect(() => JSON.parse(text)).toThrow();
    expect([status, text.length < Number(headers.get('content-length')), await bench.effects()]).toEqual([
      200,
      true,
      once,
    ]);
  });

  it('answers a page', async () => {
    await queue('not-json');
    const { status, headers, text } = await raw();
    expect([status, headers.get('content-type'), text.startsWith('<')]).toEqual([200, 'text/html', true]);
    expect(await bench.effects()).toEqual(once);
  });

  it('answers another shape', async () => {
    await queue('wrong-shape');
    expect([JSON.parse((await raw()).text), await bench.effects()]).toEqual([{ unexpected: [null, true] }, once]);
  });

  it('answers more than a client reads', async () => {
    await queue('oversized');
    expect((await raw()).text.length).toBeGreaterThan(2_097_152);
    expect(await bench.effects()).toEqual(once);
  });
});

describe('the queue of faults', () => {
  it('hits as often as it says, and only the operation it names', async () => {
    await bench.control('POST', 'faults', { on: 'initiatePurchase', kind: '5xx', times: 2 });
    expect((await bench.enroll('shopper_ada')).status).toBe(200);
    const told = [
      await bench.initiate('shopper_ada'),
      await bench.initiate('shopper_ada'),
      await bench.initiate('shopper_ada'),
    ];
    expect(told.map(({ status }) => status)).toEqual([502, 502, 200]);
  });

  it('goes oldest first, hits anything under *, and can be emptied', async () => {
    await bench.control('POST', 'faults', { on: '*', kind: 'decline' });
    await queue('429');
    expect((await bench.control('GET', 'faults')).body.faults.map(({ kind }: { kind: string }) => kind)).toEqual([
      'decline',
      '429',
    ]);
    expect((await bench.enroll('shopper_ada')).status).toBe(400);
    await bench.control('DELETE', 'faults');
    expect((await bench.enroll('shopper_ada')).status).toBe(200);
  });

  it('is not touched by a request that is not signed', async () => {
    await queue('decline');
    await bench.send(new Request(`http://${host}/acp/v1/tokens`, { method: 'POST', body: '{}' }));
    expect((await bench.enroll('shopper_ada')).status).toBe(400);
  });
});

it('limits the rate where it is told to, in the time of the virtual clock', async () => {
  bench = new Bench({ rateLimit: { requests: 2, seconds: 60 } });
  const statuses = [];
  for (const _ of [1, 2, 3]) statuses.push((await bench.enroll('shopper_ada')).status);
  await bench.control('POST', 'clock', { advance: 'PT59S' });
  const { status, headers } = await raw();
  await bench.control('POST', 'clock', { advance: 'PT1S' });
  expect([...statuses, status, headers.get('retry-after'), (await raw()).status]).toEqual([
    200,
    200,
    429,
    429,
    '1',
    200,
  ]);
});
