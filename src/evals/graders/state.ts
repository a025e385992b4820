import { filled, filledPath } from '../capture.ts';
import type { Failure, Run } from '../run.ts';
import { frame, type State } from '../state.ts';
import { at, difference, told } from './canonical.ts';

/** Where the world ended: the paths that were named, and that nothing else of the frame differs. */
export function gradeState({ scenario, before, after, captures }: Run): readonly Failure[] {
  const { state = {}, changed } = scenario.expect;
  if (before === undefined || after === undefined) return [];
  const wrong = Object.entries(state).flatMap(([path, value]) => {
    const place = filledPath(path, captures);
    const differs = difference(filled(value, captures), at(after.state, place), place);
    return differs === undefined ? [] : [{ grader: 'state', at: place, because: `${told(differs)}.` } as const];
  });
  return changed === undefined ? wrong : [...wrong, ...gradeFrame(before.state, after.state, changed)];
}

function gradeFrame(before: State, after: State, changed: readonly string[]): readonly Failure[] {
  return frame.flatMap((collection): readonly Failure[] => {
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
