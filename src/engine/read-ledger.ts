import type { Facts } from '../domains/facts.ts';
import type { Caller } from '../ledger/ledger.ts';
import { preparePreview, preview } from './preview.ts';
import type { Body } from './render.ts';
import { resolve } from './resolve.ts';
import type { EngineState } from './state.ts';
import type { LocalTool } from './tool.ts';
import { viewOf } from './view.ts';

/** Answers a tool of Purser's own from the ledger, as its caller may see it, in one transaction. */
export async function readLedger(
  state: EngineState,
  tool: Pick<LocalTool, 'run' | 'previews'>,
  args: Facts['args'],
  caller: Caller,
): Promise<Body> {
  const { ledger, settings, ports } = state.parts;
  const named = tool.previews?.(args);
  const previewed = named && (await preparePreview(state, named, caller));
  return ledger.transaction(caller.tenant, async (tx) => {
    const view = viewOf(tx, caller, settings);
    const {
      said,
      data,
      next = [],
    } = await tool.run(args, {
      caller,
      tx: view,
      settings,
      now: ports.clock.now(),
      resolve: (kind, handle) => resolve(view, [{ field: kind, kind, handle }]),
      preview: previewed && (await preview(state.parts, tx, previewed, caller)),
    });
    return { outcome: 'done', said, data, next };
  });
}
