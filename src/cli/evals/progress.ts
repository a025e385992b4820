import type { Result } from '../../../evals/harness/replay/evaluate.ts';
import { oneLine, tell } from '../output.ts';

/** A progress bar on a terminal; otherwise a line for each failure. */
export function progress() {
  const show = progressOf();
  return ({ id, verdict }: Result, done: number, of: number): void => {
    show(done, of, id);
    if (!process.stderr.isTTY && verdict !== 'pass') tell(`${verdict}: ${id}`);
  };
}

/** A status line on a terminal. */
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
