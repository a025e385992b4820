import type { ReaderTransport } from '../core/reader.ts';

/**
 * The reader of the app; until one has connected, the embedded sandbox's, if there is one. The simulated reader doesn't know the
 * app's charges, so it never takes over again.
 */
export const simulatedUntilConnected = (
  simulated: ReaderTransport | undefined,
  connected: ReaderTransport,
  hasConnected: () => boolean,
): ReaderTransport => {
  const current = (): ReaderTransport => (hasConnected() ? connected : (simulated ?? connected));
  return {
    isConnected: () => current().isConnected?.() !== false,
    serialNumbers: () => current().serialNumbers(),
    send: (...call) => current().send(...call),
    // A call of the simulated reader may outlive its turn.
    callState: (callId) =>
      simulated?.callState?.(callId) === 'running' ? 'running' : (current().callState?.(callId) ?? 'unsaid'),
    lateEnds: () => connected.lateEnds?.() ?? [],
    forget: (callId) => connected.forget?.(callId),
  };
};
