import type { Compared } from '../../../evals/harness/reports/gates.ts';
import type { Report } from '../../../evals/harness/reports/report.ts';
import { BadScenario } from '../../../evals/harness/scenario/load.ts';
import { tell } from '../say.ts';

/** What could not begin, or went wrong inside: no verdict about anybody. 2 is for gates alone. */
export const notJudged = 4;

/** A bad file ends with 3; an option that means nothing, and what went wrong inside, with 4. */
export async function guarded(work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    tell(error instanceof Error ? error.message : 'something unknown was thrown');
    return error instanceof BadScenario ? 3 : notJudged;
  }
}

/** With a baseline only what failed since counts: an old failure is known, and a new one is never averaged away. */
export function codeOf({ summary, gates }: Report, against: Compared | undefined): number {
  const failed = against === undefined ? summary.failed > 0 : against.broken.length > 0;
  if (failed) return 1;
  if (gates.some(({ met }) => !met)) return 2;
  return summary.judgeErrors > 0 ? notJudged : 0;
}
