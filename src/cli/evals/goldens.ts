import type { Accepted } from '../../../evals/harness/goldens/files.ts';
import { accepted, checked, type Goldens } from '../../../evals/harness/goldens/goldens.ts';
import { lined, oneLine, paint, type Rich, say, show } from '../output.ts';

/** What the options want of goldens, and today's date where a server may count from it. */
interface Wanted {
  readonly accept?: true;
  readonly json?: true;
  readonly today?: string;
}

/** What the options want of goldens. What is accepted is printed, so that nothing is accepted unseen. */
export const goldensOf = ({ accept, json, today }: Wanted): Goldens =>
  accept === true ? accepted((it) => (json ? show : say)(lined(linesOf(it, today)))) : checked;

const linesOf = ({ id, isNew, text, turns }: Accepted, today: string | undefined): readonly Rich[] => [
  paint('good', oneLine(isNew ? `new golden: ${id}` : `accepted: ${id}`)),
  ...turns.map(({ at, says }) => `    ${at}: ${says}`),
  ...(today !== undefined && text?.includes(today) === true
    ? [`    It has today's date, ${today}: if that is another one tomorrow, say so with \`varies\`.`]
    : []),
];
