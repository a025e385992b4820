import { difference } from '../graders/canonical.ts';
import { grade } from '../graders/grade.ts';
import { unwarrantedIn } from '../graders/warrants.ts';
import { replay } from '../replay/replay.ts';
import type { Target } from '../replay/target.ts';
import type { Scenario } from '../scenario/schema.ts';
import { frame } from '../world/collections.ts';
import { type Draft, type DraftOptions, draftOf } from './draft.ts';
import { fromMessages } from './messages.ts';
import { fromOtlp, isOtlp } from './otlp.ts';
import { BadRecording, type Recorded } from './session.ts';

/** A draft that was tried. */
export interface Tried extends Draft {
  /** Whether it came out as it was recorded. */
  readonly isGreen: boolean;
}

/** Reads a recording: OTLP JSON spans (one export per line or a single document) or messages. */
export function readRecording(text: string): readonly Recorded[] {
  const given = documentsIn(text);
  const spans = given.filter(isOtlp);
  if (spans.length > 0) return fromOtlp({ resourceSpans: spans.flatMap(({ resourceSpans }) => resourceSpans) });
  return fromMessages(given.length === 1 ? given[0] : given);
}

function documentsIn(text: string): readonly { readonly resourceSpans?: unknown }[] {
  try {
    return [JSON.parse(text)];
  } catch {
    try {
      return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : JSON.parse(line)));
    } catch (error) {
      throw new BadRecording('The recording is neither JSON nor lines of JSON.', { cause: error });
    }
  }
}

/** Makes a draft and replays it. What changed in a green replay becomes its expectation; what differs becomes notes. */
export async function tryDraft(
  recorded: readonly Recorded[],
  options: DraftOptions,
  place: Target | undefined,
): Promise<Tried> {
  const plain = draftOf(recorded, options);
  const draft = place === undefined ? plain : await withWhatIsKnown(plain, options, place);
  if (place === undefined)
    return {
      ...draft,
      notes: [...draft.notes, 'It was not replayed: there was nothing to replay it on.'],
      isGreen: true,
    };
  const { scenario } = draft;
  const opened = await place.open(scenario);
  try {
    const run = await opened.complete(await replay(scenario, opened.context));
    const failures = grade(run).map(({ at, because }) => `In a replay ${at}: ${because}`);
    if (failures.length > 0)
      return { ...draft, notes: [...draft.notes, ...failures.map(options.redact)], isGreen: false };
    const { before, after } = run;
    if (before === undefined || after === undefined) return { ...draft, isGreen: true };
    const changed = frame.filter((name) => difference(before.state[name], after.state[name]) !== undefined);
    const expecting: Scenario = { ...scenario, expect: { ...scenario.expect, changed } };
    return { ...draft, scenario: expecting, isGreen: true };
  } finally {
    await opened.close();
  }
}

/** What a recording's calls hold and nobody was heard to say, the customer is taken to have known. */
async function withWhatIsKnown(draft: Draft, { redact }: DraftOptions, place: Target): Promise<Draft> {
  const opened = await place.open(draft.scenario);
  try {
    const knows = unwarrantedIn(await replay(draft.scenario, opened.context));
    return Object.keys(knows).length === 0
      ? draft
      : { ...draft, scenario: { ...draft.scenario, user: { knows: redact(knows) } } };
  } finally {
    await opened.close();
  }
}
