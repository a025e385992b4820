import type { Client } from '../client/client.ts';
import type { Caller, LedgerTransaction } from '../ledger/ledger.ts';
import { type Checked, gather } from './decide.ts';
import type { EngineParts } from './engine.ts';
import { judge } from './judge.ts';
import type { Preview } from './local.ts';
import { argumentFault, Refused, unknownTool } from './refuse.ts';
import { type Body, refused } from './render.ts';
import type { PlatformTool, Tool } from './tool.ts';

/** Decides a call as if it were made. Keeps nothing and sends nothing. */
export async function preview(
  parts: EngineParts,
  tx: LedgerTransaction,
  tool: Tool | undefined,
  given: unknown,
  caller: Caller,
): Promise<Preview> {
  const verdict = (body: Body) => ({ ...body, environment: parts.settings.environment });
  if (tool?.kind !== 'platform') return { answer: verdict(refused(unknownTool)) };
  const args = tool.input.safeParse(given ?? {});
  if (!args.success) return { answer: verdict(refused(argumentFault(args.error, tool.name))) };
  try {
    const facts = await gather(tool, args.data, tx, parts.settings, parts.ports);
    const judged = await judge(parts, tx, tool, facts, caller);
    const asks = judged.approval !== undefined && judged.mandate === undefined;
    return {
      answer: verdict({
        outcome: asks ? 'needs_approval' : 'done',
        said: asks ? 'A person would be asked to approve it.' : 'It would be sent.',
        next: [tool.name],
      }),
      checked: judged,
      touched: [...judged.bounds, ...(judged.mandate === undefined ? [] : [judged.mandate])].map(({ name }) => name),
      request: describe(parts.client, tool, judged),
    };
  } catch (error) {
    if (error instanceof Refused) return { answer: verdict(refused(error.refusal)) };
    throw error;
  }
}

/** The request of a call, without secrets. */
function describe(client: Client, tool: PlatformTool, { request }: Checked): unknown {
  const show = client.describe as (name: string, input: object) => unknown; // its input was checked by the same contract
  return show(tool.operation, { ...request.names, body: request.body });
}
