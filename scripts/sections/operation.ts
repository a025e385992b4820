import { readFileSync } from 'node:fs';

const source = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** The lines of a file from one that begins with a text to the one that closes it, without their indentation. */
function part(path: string, begins: string): string {
  const lines = source(path).split('\n');
  const from = lines.findIndex((line) => line.trimStart().startsWith(begins));
  if (from < 0) throw new Error(`${path} has no line that begins with ${begins}.`);
  const indent = lines[from]?.search(/\S/) ?? 0;
  const to = lines.findIndex(
    (line, at) => at > from && line.search(/\S/) === indent && /^[}\])]/.test(line.trimStart()),
  );
  return lines
    .slice(from, to + 1)
    .map((line) => line.slice(indent))
    .join('\n');
}

const shown = (path: string, text: string): string => `\`${path}\`:\n\n\`\`\`ts\n${text.trimEnd()}\n\`\`\``;

/** A whole operation as it stands in the code: contract, sandbox, tool; and the table of a machine. */
export const operationExample = (): string =>
  [
    ...[
      ['src/domains/reporting/contract.ts', 'deleteReportSubscription: operation('],
      ['src/domains/reporting/sandbox/subscriptions.ts', 'deleteReportSubscription('],
    ].map(([path = '', begins = '']) => shown(path, part(path, begins))),
    shown('tools/reporting/delete-report-subscription.ts', source('tools/reporting/delete-report-subscription.ts')),
    'A machine is a table: state, trigger, condition, next state, and what follows in words.',
    shown(
      'src/domains/conversion/machines.ts',
      part('src/domains/conversion/machines.ts', "export const refund = machine('refund', {"),
    ),
  ].join('\n\n');
