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

type Grader = (run: Run) => readonly Failure[];

const ofWords: readonly Grader[] = [gradeReply, gradeManners, gradeSpeech];

/** The graders that need no script: they judge the end state and the calls of any agent. */
const ofOutcome: readonly Grader[] = [
  (run) => safely(run, gradeState),
  gradeCalls,
  ...ofWords,
  gradeWarrants,
  gradeInvariants,
  gradeLedger,
  gradePages,
  gradeAccounts,
  gradeApprovals,
  gradeDeeds,
];

/** What those graders find. */
export const gradeOutcome: Grader = (run) => ofOutcome.flatMap((grader) => grader(run));

/** The same graders, those of words first: most bad agents do nothing else than say something. */
const wordsFirst = [...new Set([...ofWords, ...ofOutcome])];

/** Whether those graders find nothing. The first one that finds something decides. */
export const isFaultless = (run: Run): boolean => wordsFirst.every((grader) => grader(run).length === 0);

/** The same graders, those of words last: they take longest, and most bugs change more than words. */
const wordsLast = [...ofOutcome.filter((it) => !ofWords.includes(it)), ...ofWords];

/** A failure of a run, if it has any: that of the first grader that finds one. */
export function firstFailureOf(run: Run): Failure | undefined {
  for (const grader of [(it: Run) => it.failures, gradeAnswers, ...wordsLast]) {
    const [first] = grader(run);
    if (first !== undefined) return first;
  }
  return undefined;
}

/** A path with an unset capture is a failure, not an error: the agent didn't make the call that sets it. */
function safely(run: Run, grader: Grader): readonly Failure[] {
  try {
    return grader(run);
  } catch (error) {
    return [{ grader: 'state', at: 'expect.state', because: error instanceof Error ? error.message : String(error) }];
  }
}
