import type { Facts } from '../domains/facts.ts';
import type { Caller } from '../ledger/ledger.ts';
import type { LedgerReads } from '../ledger/ledger-transaction.ts';
import type { LocalAnswer, LocalCall, Preview } from './local-tool.ts';
import { lookerFor, sinceThen } from './made-before.ts';
import { refuseWhileLocked } from './prior-operation.ts';
import { resolve } from './resolve.ts';
import type { EngineState } from './state.ts';
import { toolOfOperation } from './tool.ts';
import { viewOf } from './view.ts';

/** Runs a tool that answers from the ledger, with its caller's view. Throws the tool's refusals. */
export function runLocal(
  { parts: { settings, ports, tools }, progress, inFlight }: Pick<EngineState, 'parts' | 'progress' | 'inFlight'>,
  reads: LedgerReads,
  {
    run,
    args,
    caller,
    preview,
  }: { run: LocalCall; args: Facts['args']; caller: Caller; preview?: Preview | undefined },
): Promise<LocalAnswer> {
  const view = viewOf(reads, caller, settings);
  const now = ports.clock.now();
  return run(args, {
    caller,
    tx: view,
    settings,
    now,
    resolve: (kind, handle) => resolve(view, [{ field: kind, kind, handle }]),
    demandSettled: (handle) => refuseWhileLocked(view, { now, awaited: inFlight }, handle),
    lookerOf: (row) => {
      const tool = toolOfOperation(tools, row.name);
      return tool && lookerFor(tool, row);
    },
    sinceThen: async (row) => {
      const tool = toolOfOperation(tools, row.name);
      return tool === undefined ? '' : sinceThen(view, tool, row, now);
    },
    progressOf: (operation) => progress.get(operation),
    preview,
  });
}
