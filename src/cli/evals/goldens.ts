import type { Accepted } from '../../../evals/harness/goldens/files.ts';
import { accepted, checked, type Goldens } from '../../../evals/harness/goldens/goldens.ts';
import { lined, oneLine, paint, type Rich, say, show } from '../output.ts';

/** What the options want of goldens. What is accepted is printed, so that nothing is accepted unseen. */
export const goldensOf = ({ accept, json }: { readonly accept?: true; readonly json?: true }): Goldens =>
  accept === true ? accepted((it) => (json ? show : say)(lined(linesOf(it)))) : checked;

const linesOf = ({ id, isNew, turns }: Accepted): readonly Rich[] => [
  paint('good', oneLine(isNew ? `new golden: ${id}` : `accepted: ${id}`)),
  ...turns.map(({ at, says }) => `    ${at}: ${says}`),
];
