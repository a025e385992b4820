import type { SpendingPolicy } from '../engine/spending-policy.ts';

/** The terms of a limit or a mandate as a sentence. */
export function termsSentence({
  name,
  tools,
  currency,
  perCall,
  total,
  count,
  per,
  payees,
  instruments,
  until,
}: SpendingPolicy): string {
  const scope = per.length === 0 ? 'in all' : `for each ${per.join(' and ')}`;
  return [
    `"${name}": ${tools.join(', ')} in ${currency}`,
    ...(perCall === undefined ? [] : [`at most ${perCall} ${currency} per call`]),
    ...(total === undefined ? [] : [`at most ${total} ${currency} ${scope}`]),
    ...(count === undefined ? [] : [`at most ${count} ${count === 1 ? 'call' : 'calls'} ${scope}`]),
    ...(payees === undefined ? [] : [`only to ${payees.join(', ')}`]),
    ...(instruments === undefined ? [] : [`only from ${instruments.join(', ')}`]),
    ...(until === undefined ? [] : [`until ${until}`]),
  ].join('; ');
}
