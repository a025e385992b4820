import { describe, expect, it, onTestFinished } from 'vitest';
import { connectApp } from '../../src/reader/client.ts';
import { type End, ReaderGone } from '../../src/reader/ends.ts';
import type { Reader } from '../../src/reader/transport.ts';
import { tokens } from '../faces/support.ts';
import { report, served } from './app.ts';

// Purser and an app of Purser's own, over the protocol: a call comes to the same as in one process.

const { serialNumbers, ...own } = report;
const status: End = {
  case: 'success',
  value: { status: 'enrolled', reader: { ...own, serialNumber: serialNumbers[0] } },
};

/** A Purser and an app in front of a reader that does this with every call but the look at itself. */
async function joined(send: Reader['send'], token: string = tokens.reader) {
  const here = await served();
  const reader: Reader = {
    send: (call, ...more) => (call === 'enrollmentStatus' ? Promise.resolve(status) : send(call, ...more)),
  };
  const welcome = Promise.withResolvers<void>();
  const app = connectApp({ url: here.url, token }, reader, welcome.resolve);
  onTestFinished(app.close);
  await Promise.race([welcome.promise, app.closed]);
  const call = (name: string, signal = new AbortController().signal) => {
    const seen: unknown[] = [];
    const ended = here.bridge.reader.send(name, { withID: 't-1' }, { signal, onProgress: (it) => seen.push(it) });
    ended.catch(() => undefined);
    return { ended, seen };
  };
  return { here, app, call };
}

describe('over the protocol', () => {
  const ends: readonly End[] = [
    { case: 'success', value: { identifier: 't-1', status: 'Approved' } },
    { case: 'success', value: undefined },
    ...(['cancelledByUser', 'cancelByUser', 'notFound', 'failure', 'error', 'networkError', 'unexpected'] as const).map(
      (name) => ({ case: name }),
    ),
  ];

  it.each(ends)('a call ends as it does at the reader: %j', async (end) => {
    const { call } = await joined(async (_, __, { onProgress }) => {
      onProgress({ step: 'PROCESSING', fraction: 0.5 });
      return end;
    });
    const { ended, seen } = call('captureTransaction');
    expect([await ended, seen]).toEqual([end, [{ step: 'PROCESSING', fraction: 0.5 }]]);
  });

  it('the device is told with what the app reports of itself', async () => {
    const { call, here } = await joined(async () => ({ case: 'error' }));
    expect(await call('enrollmentStatus').ended).toEqual({
      ...status,
      value: { status: 'enrolled', reader: { ...own, serialNumber: 'SN-0001' } },
    });
    expect(here.bridge.connected()).toEqual({ ...own, serialNumbers: ['SN-0001'] });
  });

  it('a call is cancelled', async () => {
    const { call } = await joined(
      (_, __, { signal }) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve({ case: 'cancelledByUser' }))),
    );
    const stop = new AbortController();
    const { ended } = call('refundTransaction', stop.signal);
    stop.abort();
    expect(await ended).toEqual({ case: 'cancelledByUser' });
  });

  it.each([[new ReaderGone()], [new Error('lost')]])(
    'a reader that is lost takes the connection with it: %s',
    async (error) => {
      const { call, app } = await joined(() => Promise.reject(error));
      await expect(call('startChargeTransaction').ended).rejects.toMatchObject({ name: 'ConnectionLost' });
      expect(await app.closed).toEqual({});
    },
  );

  it('an app that is refused, or replaced, learns that', async () => {
    const refused = await joined(async () => ({ case: 'error' }), 'reader-token-0005');
    expect(await refused.app.closed).toEqual({ refused: 401 });
    const { app, here } = await joined(async () => ({ case: 'error' }));
    const other = connectApp(
      { url: here.url, token: tokens.reader },
      { send: () => Promise.resolve(status) },
      () => undefined,
    );
    onTestFinished(other.close);
    expect(await app.closed).toEqual({ code: 4409 });
  });
});
