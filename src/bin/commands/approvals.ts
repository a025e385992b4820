import { decide, listApprovals } from '../../engine/people.ts';
import type { ApprovalRow } from '../../ledger/ledger.ts';
import type { Common } from '../main.ts';
import { iso, NotDone, say, sayJson } from '../say.ts';
import { configured, demandLedger, personHere, withPurser } from '../session.ts';

/** `purser approvals list`: what waits, with the very text that is approved. */
export async function listWaiting(options: Common & { readonly all?: true; readonly limit: number }): Promise<number> {
  const configuration = await configured(options);
  demandLedger(configuration);
  return withPurser(configuration, async ({ engine }) => {
    const states = options.all ? undefined : ['REQUESTED'];
    const { rows, total } = await listApprovals(engine.parts, configuration.tenant, { limit: options.limit }, states);
    const now = engine.parts.ports.clock.now();
    const shown = rows.map((row) => view(row, now)).filter(({ state }) => options.all || state === 'REQUESTED');
    if (options.json) sayJson({ approvals: shown, total });
    else if (shown.length === 0) say(options.all ? 'Nothing was ever asked.' : 'Nothing waits for a decision.');
    else say(shown.map(page).join('\n\n'));
    return 0;
  });
}

/** `purser approvals approve|deny ID`. */
export async function decideApproval(id: string, verdict: 'approve' | 'deny', options: Common): Promise<number> {
  const configuration = await configured(options);
  demandLedger(configuration);
  return withPurser(configuration, async ({ engine }) => {
    const decided = await decide(engine.parts, id, verdict, personHere(configuration.tenant));
    if (!decided.ok) throw new NotDone(`${decided.because} "purser approvals list" shows what waits.`);
    if (options.json) sayJson({ approval: id, operation: decided.operation, state: decided.state });
    else
      say(
        `${decided.state}\n${indented(decided.text)}\n${verdict === 'approve' ? 'Have the agent make the same call again.' : 'Nothing was sent.'}`,
      );
    return 0;
  });
}

const view = (row: ApprovalRow, now: number) => ({
  approval: row.id,
  state: row.state === 'REQUESTED' && row.expiresAt <= now ? 'EXPIRED' : row.state,
  asked: iso(row.createdAt),
  expires: iso(row.expiresAt),
  operation: row.operationId,
  text: row.text,
  ...(row.decidedAt === null ? {} : { decided: iso(row.decidedAt), by: row.approver, channel: row.channel }),
});

const page = (it: ReturnType<typeof view>): string =>
  [
    `${it.approval}  ${it.state}  until ${it.expires}${it.by === undefined ? '' : `  decided by ${it.by} (${it.channel})`}`,
    indented(it.text),
  ].join('\n');

const indented = (text: string): string => text.replace(/^/gm, '    ');
