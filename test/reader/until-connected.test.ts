import { expect, it } from 'vitest';
import type { ReaderTransport } from '../../src/core/reader.ts';
import { simulatedUntilConnected } from '../../src/reader/until-connected.ts';

const nothing: ReaderTransport['send'] = () => Promise.reject(new Error('Nothing is sent here.'));

/** A reader that says everything, by a name. */
const reader = (name: string, forgotten: string[] = []): Required<ReaderTransport> => ({
  send: nothing,
  isConnected: () => name === 'app',
  serialNumbers: () => [name],
  callState: (id) => (id === `${name}'s` ? 'running' : 'over'),
  lateEnds: () => [{ callId: name, outcomeOf: () => ({ kind: 'unknown', because: 'no-answer' }) }],
  forget: (id) => void forgotten.push(`${name}: ${id}`),
});

it('says all that the simulated reader says until an app has connected, and then what the app says', () => {
  let hasConnected = false;
  const forgotten: string[] = [];
  const it = simulatedUntilConnected(reader('simulated', forgotten), reader('app', forgotten), () => hasConnected);
  expect(Object.keys(it).toSorted()).toEqual(Object.keys(reader('any')).toSorted());
  expect([it.isConnected?.(), it.serialNumbers(), it.callState?.("app's")]).toEqual([false, ['simulated'], 'over']);
  hasConnected = true;
  expect([it.isConnected?.(), it.serialNumbers(), it.callState?.("app's")]).toEqual([true, ['app'], 'running']);
  // A call of the simulated reader may go on after that.
  expect(it.callState?.("simulated's")).toBe('running');
  expect(it.lateEnds?.().map(({ callId }) => callId)).toEqual(['app']);
  it.forget?.('one');
  expect(forgotten).toEqual(['app: one']);
});
