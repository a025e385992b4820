import { expect, it } from 'vitest';
import { billing, type Story, subscriptionArgs } from './story.ts';

// One millisecond before a boundary of billing, at it, and one after it, as an agent meets it: Purser and the platform agree.

const minute = 60_000;
const payment = Date.parse('2027-01-31T10:00:00Z');

type Call = (subscription: string) => readonly [tool: string, args: object];
const cancels: Call = (subscription) => ['cancel_subscription', { subscription }];
const skips: Call = (subscription) => ['skip_subscription_payments', { subscription, cycles: [1] }];

/** What a call comes to one millisecond before a moment, at it and after it; each is about a subscription of its own. */
async function swept(rule: 'SB-11' | 'SB-14', level: 'refuse' | 'off', moment: number, call: Call) {
  const story = await billing({ [rule]: level });
  const made: string[] = [];
  for (const number of [1, 2, 3]) made.push(await story.subscription({ reference: `subscription-${number}` }));
  const outcomes = [];
  for (const [index, subscription] of made.entries()) {
    await story.at(moment + index - 1);
    const { answer } = await story.agent.call(...call(subscription));
    outcomes.push(answer.error?.rule ?? answer.outcome);
  }
  return outcomes;
}

it.each([
  ['SB-11', 'ten minutes before', -10 * minute, cancels, ['done', 'no', 'no']],
  ['SB-11', 'the payment', 0, cancels, ['no', 'no', 'no']],
  ['SB-11', 'ten minutes after', 10 * minute, cancels, ['no', 'no', 'done']],
  ['SB-14', 'two hours before', -120 * minute, skips, ['done', 'no', 'no']],
  ['SB-14', 'the payment', 0, skips, ['no', 'no', 'no']],
] as const)(
  '%s by the millisecond, %s: Purser refuses what the platform would',
  async (rule, _, after, call, expected) => {
    const as = (no: string) => expected.map((outcome) => (outcome === 'no' ? no : outcome));
    expect(await swept(rule, 'refuse', payment + after, call)).toEqual(as(rule));
    expect(await swept(rule, 'off', payment + after, call)).toEqual(as('declined'));
  },
);

it.each([
  ['SB-01', 'refuse'],
  ['declined', 'off'],
] as const)('a start before 00:00 UTC of today is %s by the millisecond, where SB-01 is %s', async (no, level) => {
  const midnight = Date.parse('2027-01-16T00:00:00Z');
  const creates = async ({ agent }: Story, reference: string, start: string) => {
    const { answer } = await agent.call('create_subscription', subscriptionArgs({ reference, start }));
    return answer.error?.rule ?? (answer.outcome === 'done' ? answer.data.state : answer.outcome);
  };
  const story = await billing({ 'SB-01': level });
  const outcomes = [];
  for (const off of [-1, 0, 1]) {
    await story.at(midnight + off);
    outcomes.push([
      await creates(story, `last-${off + 1}`, '2027-01-15T23:59:59.999Z'),
      await creates(story, `first-${off + 1}`, '2027-01-16T00:00:00.000Z'),
    ]);
  }
  expect(outcomes).toEqual([
    ['ACTIVE', 'PENDING'],
    [no, 'ACTIVE'],
    [no, 'ACTIVE'],
  ]);
});
