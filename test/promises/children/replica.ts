import { existsSync, openSync, readSync } from 'node:fs';
import { flushCompileCache, registerHooks } from 'node:module';
import type { Platform } from '../../../src/client/platform.ts';
import type { FailPoint } from '../../../src/engine/settings.ts';
import type { Asked, Order } from '../fleet.ts';

// One replica: a Purser of its own on the shared database, which does what it is told over IPC, and dies where it is told.

// Another build: one rule reads otherwise, so that this replica decides under rules of another hash.
if (process.env.OTHER_RULES !== undefined)
  registerHooks({
    load: (url, context, next) => {
      const loaded = next(url, context);
      const source = String(loaded.source ?? '');
      if (!source.includes('Arguments match the')) return loaded;
      return { ...loaded, source: source.replace('Arguments match the', 'Arguments always match the') };
    },
  });

const { compose } = await import('../../../src/cli/compose.ts');
const { readConfiguration } = await import('../../../src/cli/config.ts');
const { rulesHash } = await import('../../../src/engine/digest.ts');
const { recordDecision: decide } = await import('../../../src/engine/approval-service.ts');
const { recover } = await import('../../../src/engine/recover.ts');
const { registerReceipt } = await import('../../../src/engine/register.ts');
const { mandates } = await import('../orders.ts');

/** The clock of the whole stage, which the parent moves: also a replica that was stopped sees it move. */
const clockFile = openSync(process.env.CLOCK ?? '', 'r');
const clockBytes = Buffer.alloc(8);
const clock = {
  now: () => {
    readSync(clockFile, clockBytes, 0, 8, 0);
    return Number(clockBytes.readBigInt64LE());
  },
};

/** Where the next call ends, and how. Calls of one replica that is told this come one at a time. */
let end: Order['end'];
const reach = (point: FailPoint) => {
  if (end?.at !== point) return;
  const { how } = end;
  end = undefined;
  if (how === 'dies') process.kill(process.pid, 'SIGKILL');
  // As a process that the system has stopped: nothing of it goes on until somebody lets it.
  else while (!existsSync(process.env.RESUME ?? '')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
};

/** Dies when the platform has acted, before its answer is read. */
const mortal =
  (real: Platform): Platform =>
  async (request) => {
    const answer = await real(request);
    reach('F4');
    return answer;
  };

const { engine } = await compose(
  { ...readConfiguration(process.env), mandates },
  { clock, failpoint: reach, platform: mortal },
);
const { parts } = engine;

const does: { readonly [D in Asked['does']]: (asked: Extract<Asked, { does: D }>) => Promise<unknown> } = {
  // Each call is a conversation: what one has read is no matter for another.
  call: ({ tool, args, session }) =>
    engine.call(tool, args, { tenant: 'default', principal: 'agent', session, conversation: JSON.stringify(args) }),
  decide: ({ approval, verdict }) =>
    decide(parts, approval, verdict, { tenant: 'default', approver: 'ann', channel: 'cli' }),
  receipt: ({ receipt }) => registerReceipt(parts, 'default', receipt),
  recover: () => recover(parts),
  rules: async () => rulesHash,
};

process.on('message', async (order: Order) => {
  if (order.end !== undefined) end = order.end;
  // Each of the orders is handled by the entry of its own name.
  const handler = does[order.asked.does] as (asked: Asked) => Promise<unknown>;
  const said = await handler(order.asked).then(
    (value) => ({ id: order.id, value }),
    (error: unknown) => ({
      id: order.id,
      error: error instanceof Error ? `${error.name}: ${error.message}` : 'unknown',
    }),
  );
  process.send?.(said);
});
process.on('disconnect', () => process.exit(0));
flushCompileCache(); // who is killed leaves no cache behind, and the next would compile everything again
process.send?.({ ready: true });
