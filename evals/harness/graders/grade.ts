import type { Failure, Run } from '../replay/run.ts';
import { gradeAnswers } from './answers.ts';
import { gradeCalls } from './calls.ts';
import { gradeInvariants } from './invariants.ts';
import { gradeReply } from './reply.ts';
import { gradeState } from './state.ts';

/** Everything that is wrong with a run, the deterministic graders first. A run passes where there is nothing. */
export const grade = (run: Run): readonly Failure[] => [...run.failures, ...gradeAnswers(run), ...gradeOutcome(run)];

/** The graders that need no script: they judge where a run ended and what was done, whoever did it. */
export const gradeOutcome = (run: Run): readonly Failure[] => [
  ...safely(run, gradeState),
  ...gradeCalls(run),
  ...gradeReply(run),
  ...gradeInvariants(run),
];

/** A path that names a capture which no call filled is wrong, not an error: the agent did not do what it stands for. */
function safely(run: Run, grader: (run: Run) => readonly Failure[]): readonly Failure[] {
  try {
    return grader(run);
  } catch (error) {
    return [{ grader: 'state', at: 'expect.state', because: error instanceof Error ? error.message : String(error) }];
  }
}
