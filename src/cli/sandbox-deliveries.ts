import { limits } from '../core/limits.ts';
import { isOurHost, loopback } from '../listener/gate.ts';
import type { Sender } from '../sandbox/deliver.ts';
import type { Sandbox } from '../sandbox/handler.ts';

/** Posts what the sandbox sends by itself, to addresses of this machine alone: nobody else has subscribed to a simulation. */
export const sendNear: Sender = async ({ url, headers, body }) => {
  if (!isOurHost(new URL(url).host, loopback)) return null;
  try {
    const signal = AbortSignal.timeout(limits.webhookMilliseconds);
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    await response.body?.cancel();
    return response.status;
  } catch {
    return null; // nobody answered: the retry policy says what follows
  }
};

/** A sandbox that sends what is due after each request. Nobody waits for that: whoever takes it may ask the sandbox itself. */
export const delivering = (sandbox: Sandbox, onFailure: (failure: unknown) => void): Sandbox => ({
  ...sandbox,
  handle: async (request, target) => {
    try {
      return await sandbox.handle(request, target);
    } finally {
      void sandbox.deliver().catch(onFailure);
    }
  },
});
