import { describe, expect, it, onTestFinished } from 'vitest';
import { blocks } from '../docs/pages.ts';
import { tokens } from '../faces/support.ts';
import { configuration, report, served } from './app.ts';

// The app that docs/reader.md shows, as it stands there, connected to a Purser.

interface Example {
  connectReader(app: object): () => void;
}

const [shown] = blocks('docs/reader.md').filter(({ language }) => language === 'js');
const example = (await import(`data:text/javascript,${encodeURIComponent(shown?.text ?? '')}`)) as Example;

/** What the SDK is told to do, in order, with the way it ends. */
type Sdk = (
  call: string,
  input: unknown,
  watch: { signal: AbortSignal; onProgress: (step: string) => void },
) => unknown;

async function connectedWith(sdk: Sdk) {
  const here = await served();
  const built: unknown[] = [];
  const configure = (it: unknown) => built.push(it);
  onTestFinished(example.connectReader({ url: here.url, token: tokens.reader, reader: report, sdk, configure }));
  await expect.poll(() => here.bridge.connected(), { timeout: 30_000 }).toEqual(report);
  await expect.poll(() => built).toEqual([configuration]);
  return (call: string, input?: unknown) => {
    const stop = new AbortController();
    const seen: unknown[] = [];
    const watch = { signal: stop.signal, onProgress: (it: unknown) => seen.push(it) };
    return { ended: here.bridge.reader.send(call, input, watch), seen, cancel: () => stop.abort() };
  };
}

describe('the app of the page', () => {
  it('makes a call, says how far it is, and how it ended', async () => {
    const asked: unknown[] = [];
    const call = await connectedWith(async (name, input, { onProgress }) => {
      asked.push([name, input]);
      onProgress('WAITING_FOR_CARD');
      return { case: 'success', value: { identifier: 't-1' } };
    });
    const { ended, seen } = call('startChargeTransaction', { amount: '40.00' });
    expect(await ended).toEqual({ case: 'success', value: { identifier: 't-1' } });
    expect([asked, seen]).toEqual([[['startChargeTransaction', { amount: '40.00' }]], [{ step: 'WAITING_FOR_CARD' }]]);
  });

  it('cancels a call that the SDK still can', async () => {
    const call = await connectedWith(
      (_, __, { signal, onProgress }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve({ case: 'cancelledByUser' }));
          onProgress('WAITING_FOR_CARD');
        }),
    );
    const { ended, cancel } = call('refundTransaction', { withID: 't-1' });
    cancel();
    expect(await ended).toEqual({ case: 'cancelledByUser' });
  });

  it('says of what the SDK throws that it is an error, which proves nothing', async () => {
    const call = await connectedWith(async () => {
      throw new Error('the SDK has failed');
    });
    expect(await call('captureTransaction').ended).toEqual({ case: 'error' });
  });
});
