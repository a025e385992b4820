import type { Compared } from '../../../evals/harness/reports/gates.ts';
import type { Report } from '../../../evals/harness/reports/report.ts';
import { BadScenario } from '../../../evals/harness/scenario/faults.ts';
import { show, tell, tellFailure } from '../output.ts';

/** The run couldn't start or failed internally: no verdict. 2 is for gates only. */
export const notJudged = 4;

/** An invalid file ends with 3; an invalid option or an internal error with 4. */
export async function guarded({ json }: { readonly json?: true }, work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    const message = error instanceof Error ? error.message : 'an unknown error';
    const exit = error instanceof BadScenario ? 3 : notJudged;
    if (json) tellFailure(message, { exit, json });
    else tellAll(message);
    return exit;
  }
}

/** With a baseline, only new failures count. */
export function codeOf({ summary, gates }: Report, against: Compared | undefined): number {
  const failed = against === undefined ? summary.failed > 0 : against.broken.length > 0;
  if (failed) return 1;
  if (gates.some(({ met }) => !met)) return 2;
  return summary.judgeErrors > 0 ? notJudged : 0;
}

/** A message of several lines keeps them: faults of files, one in each, or what a server wrote. */
export function tellAll(message: string): void {
  const [first = '', ...more] = message.split('\n');
  tell(first);
  if (more.length > 0) show(more.join('\n'));
}
