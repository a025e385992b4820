import type { Failure, Run } from '../replay/run.ts';
import { gradeAccounts } from './accounts.ts';
import { gradeAnswers } from './answers.ts';
import { gradeApprovals } from './approvals.ts';
import { gradeCalls } from './calls.ts';
import { gradeDeeds } from './deeds.ts';
import { gradeInvariants } from './invariants.ts';
import { gradeLedger } from './ledger.ts';
import { gradePages } from './pages.ts';
import { gradeReply } from './reply.ts';
import { gradeManners, gradeSpeech } from './speech.ts';
import { gradeState } from './state.ts';
import { gradeWarrants } from './warrants.ts';

/** Every failure of a run. A run without failures passes. */
export const grade = (run: Run): readonly Failure[] => [...run.failures, ...gradeAnswers(run), ...gradeOutcome(run)];

/** The graders that need no script: they judge the end state and the calls of any agent. */
export const gradeOutcome = (run: Run): readonly Failure[] => [
  ...safely(run, gradeState),
  ...gradeCalls(run),
  ...gradeReply(run),
  ...gradeManners(run),
  ...gradeSpeech(run),
  ...gradeWarrants(run),
  ...gradeInvariants(run),
  ...gradeLedger(run),
  ...gradePages(run),
  ...gradeAccounts(run),
  ...gradeApprovals(run),
  ...gradeDeeds(run),
];

/** A path with an unset capture is a failure, not an error: the agent didn't make the call that sets it. */
function safely(run: Run, grader: (run: Run) => readonly Failure[]): readonly Failure[] {
  try {
    return grader(run);
  } catch (error) {
    return [{ grader: 'state', at: 'expect.state', because: error instanceof Error ? error.message : String(error) }];
  }
}
