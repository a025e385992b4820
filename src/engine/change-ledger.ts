import type { Facts } from '../domains/facts.ts';
import type { Caller } from '../ledger/ledger.ts';
import { demandNotFrozen } from './freeze.ts';
import { withdraw } from './operation-state.ts';
import { localBody } from './read-ledger.ts';
import type { Body } from './render.ts';
import { retryOnConflict } from './retry.ts';
import { runLocal } from './run-local.ts';
import type { EngineState } from './state.ts';
import type { LocalTool } from './tool.ts';

/**
 * Runs a tool that changes what Purser itself recorded, with the caller's view, in one transaction: the tool decides,
 * and its answer says what is changed. Nothing is sent.
 */
export function changeLedger(state: EngineState, tool: LocalTool, args: Facts['args'], caller: Caller): Promise<Body> {
  const { parts, audit } = state;
  return retryOnConflict(async () => {
    await audit.demandWhole();
    let verified = (): void => undefined;
    const body = await parts.ledger.transaction(caller.tenant, async (tx) => {
      verified = await audit.demandUnchanged(tx);
      await demandNotFrozen(tx);
      const answer = await runLocal(state, tx, { run: tool.run, args, caller });
      const { withdraws } = answer;
      if (withdraws !== undefined) await withdraw(tx, withdraws.row, withdraws.asked, caller, parts.ports.clock.now());
      return localBody(state, tx, tool, args, answer);
    });
    verified();
    return body;
  });
}
