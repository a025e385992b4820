import { filled, filledPath } from '../capture.ts';
import type { Failure, Run } from '../run.ts';
import { frame } from '../state.ts';
import { at, difference, told } from './canonical.ts';

/** Where the world ended: the paths that were named, and that nothing else of the frame differs. */
export function gradeState({ scenario, captures, ...run }: Run): readonly Failure[] {
  const { state = {}, changed } = scenario.expect;
  const before: Collections | undefined = run.observed?.before ?? (run.before && { ...run.before.state });
  const after: Collections | undefined = run.observed?.after ?? (run.after && { ...run.after.state });
  if (before === undefined || after === undefined) return [];
  const collections = run.observed === undefined ? frame : Object.keys(run.observed.after);
  const wrong = Object.entries(state).flatMap(([path, value]) => {
    const place = filledPath(path, captures);
    const differs = difference(filled(value, captures), at(after, place), place);
    return differs === undefined ? [] : [{ grader: 'state', at: place, because: `${told(differs)}.` } as const];
  });
  return changed === undefined ? wrong : [...wrong, ...gradeFrame(before, after, changed, collections)];
}

type Collections = Readonly<Record<string, unknown>>;

function gradeFrame(
  before: Collections,
  after: Collections,
  changed: readonly string[],
  collections: readonly string[],
): readonly Failure[] {
  return collections.flatMap((collection): readonly Failure[] => {
    const differs = difference(before[collection], after[collection], collection);
    if (changed.includes(collection))
      return differs === undefined
        ? [{ grader: 'state', at: collection, because: `${collection} should differ, and nothing of it does.` }]
        : [];
    if (differs === undefined) return [];
    const [was, is] = [JSON.stringify(differs.expected ?? null), JSON.stringify(differs.found ?? null)];
    return [
      { grader: 'state', at: differs.path, because: `${differs.path} was ${was} and is ${is}; it must not change.` },
    ];
  });
}
