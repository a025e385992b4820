import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { say, tell } from '../../src/cli/output.ts';

/** What a stream was given. */
function written(stream: NodeJS.WriteStream, speak: () => void): string {
  const spy = vi.spyOn(stream, 'write').mockReturnValue(true);
  onTestFinished(() => spy.mockRestore());
  speak();
  const text = spy.mock.calls.map(([it]) => String(it)).join('');
  spy.mockRestore();
  return text;
}

const hostile = 'A\u001b[31mB\u001b]0;title\u0007C\u202eD\u200bE\u2028F\rG\u0008H';

describe('what the terminal is given', () => {
  it('moves no cursor, colours nothing, hides nothing', () => {
    expect(written(process.stdout, () => say(`${hostile}\nnext`))).toBe('ABCDEFGH\nnext\n');
  });

  it('keeps what an approval is in order by', () => {
    expect(written(process.stdout, () => say('"A"\u200e → "B"\u200f'))).toBe('"A"\u200e → "B"\n');
  });

  it('is one line on stderr, whatever stands in it: nobody else writes a line of the log', () => {
    expect(written(process.stderr, () => tell(`${hostile}\npurser: all is well\n`))).toBe(
      'purser: ABCDEFGH purser: all is well \n',
    );
  });
});
