import type { Result } from '../../../evals/harness/replay/evaluate.ts';
import { oneLine, tell } from '../say.ts';

/** A bar on a terminal; a plain line for each failure, and nothing else, where there is none. */
export function progress() {
  const show = progressOf();
  return ({ id, verdict }: Result, done: number, of: number): void => {
    show(done, of, id);
    if (!process.stderr.isTTY && verdict !== 'pass') tell(`${verdict}: ${id}`);
  };
}

/** One line that is written over on a terminal. */
export const progressOf = () => {
  const { stderr } = process;
  return (done: number, of: number, about: string): void => {
    if (stderr.isTTY)
      stderr.write(done === of ? '\r\u001b[2K' : `\r\u001b[2K${bar(done, of)} ${done}/${of}  ${oneLine(about)}`);
  };
};

const barWidth = 24;
const bar = (done: number, of: number): string => {
  const full = Math.round((barWidth * done) / of);
  return `${'█'.repeat(full)}${'░'.repeat(barWidth - full)}`;
};
