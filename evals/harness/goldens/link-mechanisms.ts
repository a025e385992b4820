import { Secret } from '../../../src/core/secret.ts';
import { linkFor, openLink } from '../../../src/engine/customer-links.ts';
import type { EngineParts } from '../../../src/engine/parts.ts';
import { countingIds } from '../world/ids.ts';
import { minute, type Step, start, tenant, within } from './ledger-steps.ts';

const payment = { handle: 'payment_one', kind: 'payment', owner: 'ada', state: 'ASKED', body: { challenge: 'first' } };
const step = {
  ...{ tool: 'confirm', argument: 'payment', thing: payment.handle, states: ['ASKED'], principal: 'agent' },
  bound: { member: 'challenge', value: 'first' },
};
const linkKey = new Secret('a key of thirty-two letters, maybe');

/** What a customer's link leads to, as its thing and time go on. */
export const links: readonly Step[] = [
  within('a link', async (tx) => {
    let now = start;
    const parts = { ports: { clock: { now: () => now }, ids: countingIds().ids } as unknown as EngineParts['ports'] }; // no other port is used
    const until = start + 2 * minute;
    const linked = async (value: string, principal = step.principal) => {
      const own = { ...step, principal, bound: { member: 'challenge', value } };
      return (await linkFor(parts, tx, own, linkKey, { tenant, until })).link;
    };
    const first = await linked('first');
    const lines: string[] = [];
    const opens = async (when: string, link = first) =>
      void lines.push(`${when}: ${(await openLink(parts, tx, link))?.thing ?? 'nothing'}`);
    await opens('before its payment is known');
    let row = await tx.observations.insert(payment, start);
    const becomes = async (change: object) => {
      row = await tx.observations.update(row, change, now);
    };
    await opens('as it was made');
    await opens('with another last letter', `${first.slice(0, -1)}${first.endsWith('a') ? 'b' : 'a'}`);
    await becomes({ body: { challenge: 'second' } });
    await opens('once its payment is another');
    await becomes({ body: { challenge: 'first' } });
    await opens('once it is the first again');
    await becomes({ state: 'OVER' });
    await opens('once it is over');
    await becomes({ state: 'ASKED' });
    lines.push(`asked for once more: ${(await linked('first')) === first ? 'the same' : 'another'}`);
    await becomes({ body: { challenge: 'second' } });
    const second = await linked('second');
    lines.push(`asked for of the other payment: ${second === first ? 'the same' : 'another'}`);
    await opens('the first one then');
    lines.push(`asked for by another agent: ${(await linked('second', 'other')) === second ? 'the same' : 'another'}`);
    now = until - 1;
    await opens('the other one in its last moment', second);
    now = until;
    await opens('the other one after it', second);
    lines.push(`asked for at its end: ${(await linked('second')) === second ? 'the same' : 'another'}`);
    return lines;
  }),
];
