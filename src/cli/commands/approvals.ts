import { findApproval, listApprovals, recordDecision } from '../../engine/approval-service.ts';
import { canMoveApproval } from '../../engine/operation-state.ts';
import type { EngineParts } from '../../engine/parts.ts';
import { approvalView } from '../../engine/person-views.ts';
import { BadConfiguration } from '../bad-configuration.ts';
import type { Common } from '../options.ts';
import { NotDone, oneLine, paint, type Rich, say, sayJson, show } from '../output.ts';
import { configured, demandLedger, personHere, withPurser } from '../session.ts';
import { state } from '../state-style.ts';
import { confirmed, hasTerminal } from '../terminal.ts';

/** `purser approvals list`: the waiting approvals, with their exact text. */
export async function listWaiting(options: Common & { readonly all?: true; readonly limit: number }): Promise<number> {
  const configuration = await configured(options);
  demandLedger(configuration);
  return withPurser(configuration, async ({ engine }) => {
    const state = options.all ? undefined : 'REQUESTED';
    const { rows, total } = await listApprovals(engine.parts, configuration.tenant, { limit: options.limit }, state);
    const shown = rows.map(approvalView);
    if (options.json) sayJson({ items: shown, total });
    else if (shown.length === 0) say(options.all ? 'There are no approvals.' : 'No approvals are waiting.');
    else say(shown.map((it, index) => [index === 0 ? '' : '\n\n', page(it)]));
    return 0;
  });
}

type Verdict = 'approve' | 'deny';

/**
 * `purser approvals approve|deny ID`. Approving shows the text and asks for confirmation on the terminal. A denial
 * sends nothing, so it needs no confirmation.
 */
export async function decideApproval(
  id: string,
  verdict: Verdict,
  options: Common & { readonly yes?: true },
): Promise<number> {
  const asks = verdict === 'approve' && options.yes !== true;
  const configuration = await configured(options);
  demandLedger(configuration);
  return withPurser(configuration, async ({ engine }) => {
    const asked = await decidable(engine.parts, configuration.tenant, id, verdict);
    if (asked !== undefined && asks && !hasTerminal())
      throw new BadConfiguration(
        'There is no terminal for the confirmation. Read the text with "purser approvals list", then approve it with --yes.',
      );
    if (asked !== undefined) (options.json ? show : say)(page(asked));
    if (asked !== undefined && asks && !(await confirmed('Approve this exact call, once?')))
      throw new NotDone('Nothing was decided. To deny the call, use "purser approvals deny".');
    const decided = await recordDecision(engine.parts, id, verdict, personHere(configuration.tenant));
    if (!decided.ok) throw new NotDone(`${decided.because} "purser approvals list" shows waiting approvals.`);
    if (options.json) sayJson(approvalView(decided.approval));
    else
      say(
        `${decided.state}. ${verdict === 'approve' ? 'Have the agent make the same call again.' : 'Nothing was sent.'}`,
      );
    return 0;
  });
}

/** The approval to show; undefined if it can't be decided. `recordDecision` then reports why. */
async function decidable(parts: EngineParts, tenant: string, id: string, verdict: Verdict) {
  const now = parts.ports.clock.now();
  const asked = await findApproval(parts, tenant, id);
  return asked !== undefined && canMoveApproval(asked, verdict, now) ? approvalView(asked) : undefined;
}

const page = (it: ReturnType<typeof approvalView>): Rich => [
  ...[paint('strong', it.approval), '  ', state(it.state), `  until ${it.expires}, asked by ${oneLine(it.askedBy)}`],
  it.approver === undefined ? '' : `  decided by ${oneLine(`${it.approver} (${it.channel})`)}`,
  `\n${indented(it.text)}`,
];

const indented = (text: string): string => text.replace(/^/gm, '    ');
