import { demandedOf } from '../external/varying.ts';
import { answerOf, type CallEntry, callsOf, type Failure, type Grader, type Run } from '../replay/run.ts';
import { filled, look, references } from '../scenario/captures.ts';
import { type CallExpectation, isCall } from '../scenario/schema.ts';
import { absence, at, difference, sidesOf, told } from './canonical.ts';

/** What each call of the script came back with: refusals by rule id, outcomes, codes, data. */
export function gradeAnswers(run: Run): readonly Failure[] {
  const calls = new Map(callsOf(run).map((entry) => [entry.step, entry]));
  return run.scenario.steps.flatMap((step, index): readonly Failure[] => {
    if (!isCall(step) || step.expect === undefined) return [];
    const entry = calls.get(index);
    const place = `steps[${index}] ${step.call}`;
    if (entry === undefined) return [{ grader: 'calls', at: place, because: 'it was never called.' }];
    return checks(step.expect, entry, run).map(([grader, because, sides, path]) => ({
      ...{ grader, at: path ? `${place}, ${path}` : place, because },
      ...(sides && { sides }),
    }));
  });
}

/** What is wrong, and in which member of the answer. */
type Wrong = readonly [Grader, because: string, sides?: Failure['sides'], path?: string];

/** Whether an answer is the no of a certain rule: nothing was done, and the answer names the rule by its id. */
const isRefusedBy = (entry: CallEntry, rule: string): boolean => {
  const { outcome, error } = answerOf(entry);
  if (entry.refusedBy !== undefined) return entry.refusedBy === rule;
  return outcome !== undefined && outcome !== 'done' && error?.rule === rule;
};

/** What is shown of an answer at most. Own choice: about two lines. */
const mostCharacters = 200;

/** How an answer begins, so that nobody has to look it up. */
function begun({ text }: CallEntry): string {
  if (text === '') return 'its text is empty.';
  return JSON.stringify(text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text);
}

/** Why an answer has nothing at a path. */
const lackingIn = (answer: unknown, path: string): string =>
  typeof answer === 'string' && path !== ''
    ? ' The answer is a text without members: expect what it `includes`.'
    : absence(answer, path, 'The answer');

function checks(expected: CallExpectation, entry: CallEntry, { captures }: Run): readonly Wrong[] {
  const answer = answerOf(entry);
  const { outcome, error, warnings = [], next = [], replayed = false } = answer;
  // Another server's error says only in words why it is one.
  const ended = outcome ?? (entry.isError ? `an error: ${begun(entry)}` : 'answered');
  const was = `it was ${ended}${error?.rule === undefined ? '' : ` by ${error.rule}`}${error?.code === undefined ? '' : ` (${error.code})`}`;
  const sides = (wanted: string) => ({ expected: wanted, found: was.replace('it was ', '') });
  // Only Purser says how a call ended; of another server that can only be read off the answer.
  const foreign = outcome === undefined ? ' Only Purser says such: expect `error`, `refused` or `data`.' : '';
  const sidesOfOwn = (wanted: string) => ({
    expected: wanted,
    found: `${sides(wanted).found}${foreign && `.${foreign}`}`,
  });
  const wrong: (Wrong | undefined)[] = [
    expected.refused !== undefined && !isRefusedBy(entry, expected.refused)
      ? ['refused', `${expected.refused} should refuse it; ${was}.`, sides(`refused by ${expected.refused}`)]
      : undefined,
    expected.outcome !== undefined && expected.outcome !== outcome
      ? ['calls', `it should be ${expected.outcome}; ${was}.${foreign}`, sidesOfOwn(expected.outcome)]
      : undefined,
    expected.code !== undefined && expected.code !== error?.code
      ? ['calls', `its code should be ${expected.code}; ${was}.${foreign}`, sidesOfOwn(expected.code)]
      : undefined,
    expected.retry !== undefined && expected.retry !== error?.retry
      ? ['calls', `its retry should be ${expected.retry}; it was ${error?.retry ?? 'not said'}.`]
      : undefined,
    expected.replayed !== undefined && expected.replayed !== replayed
      ? ['calls', replayed ? 'it is the first result once more.' : 'it is not the first result once more.']
      : undefined,
    expected.warns !== undefined && !warnings.some((text) => text.startsWith(`${expected.warns}:`))
      ? ['calls', `${expected.warns} should warn, and does not.`]
      : undefined,
    expected.error !== undefined && expected.error !== entry.isError
      ? ['calls', entry.isError ? `it is an error: ${begun(entry)}` : `it is no error: ${begun(entry)}`]
      : undefined,
    ...(expected.leads ?? []).map((tool): Wrong | undefined =>
      next.includes(tool)
        ? undefined
        : ['calls', `${tool} should lead on from it, and only ${next.join(', ') || 'nothing'} does.`],
    ),
    ...(expected.includes ?? []).map((text): Wrong | undefined =>
      entry.text.includes(text)
        ? undefined
        : ['calls', `"${text}" should stand in the answer, and does not: ${begun(entry)}`],
    ),
    ...(expected.omits ?? []).map((text): Wrong | undefined =>
      entry.text.includes(text) ? ['calls', `"${text}" stands in the answer, and should not.`] : undefined,
    ),
    ...demandedOf(expected.varies ?? []).map((path): Wrong | undefined =>
      (at(entry.answer, path) ?? undefined) === undefined
        ? ['state', `${path} should be there.${lackingIn(entry.answer, path)}`]
        : undefined,
    ),
    ...Object.entries(expected.data ?? {}).map(([path, value]): Wrong | undefined => {
      const known = references(value).every((name) => captures.has(name));
      const found = look(entry.answer, path.split('.')) ?? at(entry.answer, path);
      const differs = known ? difference(filled(value, captures), found, path) : { path, expected: value, found };
      if (differs === undefined) return undefined;
      const lacking = found === undefined ? lackingIn(entry.answer, path) : '';
      return ['state', `${told(differs)}.${lacking}`, sidesOf(differs, lacking), differs.path];
    }),
  ];
  return wrong.filter((it) => it !== undefined);
}
