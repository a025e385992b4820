import type { Failure, Run } from '../replay/run.ts';
import { filled, filledPath } from '../scenario/captures.ts';
import { fieldsOf, frame, namesIn } from '../world/collections.ts';
import { absence, at, difference, sidesOf, told } from './canonical.ts';

/** Where the world ended: the paths that were named, and that nothing else of the frame differs. */
export function gradeState({ scenario, captures, ...run }: Run): readonly Failure[] {
  const { state = {}, changed } = scenario.expect;
  const before: Collections | undefined = run.observed?.before ?? (run.before && { ...run.before.state });
  const after: Collections | undefined = run.observed?.after ?? (run.after && { ...run.after.state });
  if (before === undefined || after === undefined) return [];
  const collections = run.observed === undefined ? frame : Object.keys(run.observed.after);
  const wrong = Object.entries(state).flatMap(([path, value]): readonly Failure[] => {
    const place = filledPath(path, captures);
    // What there can't be would always be null, so a check of it could never fail.
    const stranger = run.observed === undefined ? strangeName(place) : undefined;
    if (stranger !== undefined) return [{ grader: 'state', at: place, because: stranger }];
    const differs = difference(filled(value, captures), at(after, place), place);
    if (differs === undefined) return [];
    const lacking = at(after, place) === undefined ? absence(after, place, 'The state') : '';
    const because = `${told(differs)}.${lacking}`;
    return [{ grader: 'state', at: differs.path, because, sides: sidesOf(differs, lacking) }];
  });
  return changed === undefined ? wrong : [...wrong, ...gradeFrame(before, after, changed, collections)];
}

type Collections = Readonly<Record<string, unknown>>;

/** Why a path names a member or field that there can't be. */
function strangeName(place: string): string | undefined {
  const [collection = '', member = '', field] = place.split('.');
  const names = namesIn(collection);
  if (names?.includes(member) === false)
    return `${collection} can't have ${member}; it can have ${names.toSorted().join(', ')}.`;
  const fields = fieldsOf(collection);
  return field === undefined || fields === undefined || fields.includes(field)
    ? undefined
    : `a member of ${collection} has no ${field}; it has ${fields.join(', ')}.`;
}

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
      {
        ...{
          grader: 'state',
          at: differs.path,
          because: `${differs.path} was ${was} and is ${is}; it must not change.`,
        },
        sides: sidesOf(differs),
      },
    ];
  });
}
