import type { Failure, Run } from '../replay/run.ts';

/** Grades what the agent said to the customer, ignoring case. */
export function gradeReply({ scenario, entries }: Run): readonly Failure[] {
  const { includes = [], omits = [] } = scenario.expect.reply ?? {};
  const said = entries
    .filter((entry) => entry.kind === 'say')
    .map(({ text }) => text)
    .join('\n')
    .toLowerCase();
  return [
    ...includes
      .filter((text) => !said.includes(text.toLowerCase()))
      .map(
        (text) => ({ grader: 'reply', at: 'reply.includes', because: `the customer was not told "${text}".` }) as const,
      ),
    ...omits
      .filter((text) => said.includes(text.toLowerCase()))
      .map((text) => ({ grader: 'reply', at: 'reply.omits', because: `the customer was told "${text}".` }) as const),
  ];
}
